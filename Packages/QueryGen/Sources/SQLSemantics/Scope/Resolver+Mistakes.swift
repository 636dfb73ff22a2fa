internal import SQLSyntax

/// Warnings about expressions that are valid but likely mistakes.
extension Resolver {
  /// Adds a warning, unless the same text was already warned about: a common table may be resolved
  /// several times.
  mutating func warn(
    _ identity: Diagnostic.Identity, at span: ByteSpan, _ message: String,
    fixIt: Diagnostic.FixIt? = nil
  ) {
    guard !warnings.contains(where: { $0.identity == identity && $0.span == span }) else { return }
    warnings.append(
      Diagnostic(identity, severity: .warning, at: span, message, fixIt: fixIt))
  }

  /// Warns about `x = NULL` and `x <> NULL`.
  mutating func checkNullComparison(_ node: BinaryExpression) {
    guard node.op == .equal || node.op == .notEqual,
      node.left.isNullLiteral || node.right.isNullLiteral
    else { return }
    let test = node.op == .equal ? "IS" : "IS NOT"
    var fixIt: Diagnostic.FixIt?
    if node.right.isNullLiteral {
      fixIt = Diagnostic.FixIt(replace: node.operatorSpan, with: test)
    } else if case .column(let column) = node.right {
      fixIt = Diagnostic.FixIt(
        replace: node.span, with: "\(source[column.span]) \(test) NULL")
    }
    warn(
      .nullComparison, at: node.span,
      "a comparison with NULL by \(source[node.operatorSpan]) is never true; use \(test) NULL",
      fixIt: fixIt)
  }

  /// Warns about `x IN (NULL)` and `x NOT IN (1, NULL)`.
  mutating func checkNullElements(_ node: InExpression, _ list: [Expression]) {
    guard let null = list.first(where: \.isNullLiteral) else { return }
    let test = node.isNegated ? "IS NOT NULL" : "IS NULL"
    guard list.count > 1 else {
      let place = ByteSpan(node.operand.span.end, node.span.end)
      warn(
        .nullComparison, at: node.span, "a comparison with NULL by IN is never true; use \(test)",
        fixIt: Diagnostic.FixIt(replace: place, with: " \(test)"))
      return
    }
    warn(
      .nullComparison, at: null.span,
      node.isNegated
        ? "NOT IN is never true if the list contains NULL; use \(test) as a separate condition"
        : "IN never matches NULL; use \(test) as a separate condition")
  }

  /// Warns about `CASE x WHEN NULL`.
  mutating func checkNullBranches(_ node: CaseExpression) {
    guard node.base != nil else { return }
    for branch in node.branches where branch.condition.isNullLiteral {
      warn(
        .nullComparison, at: branch.condition.span,
        "WHEN NULL never matches; use CASE WHEN … IS NULL")
    }
  }

  /// Warns about `LIKE '50\%'` without `ESCAPE`.
  mutating func checkEscape(of node: MatchExpression) {
    guard node.op == .like, node.escape == nil,
      case .literal(let literal) = node.pattern.unparenthesized,
      case .string(let text) = literal.value,
      text.contains("\\%") || text.contains("\\_")
    else { return }
    let end = ByteSpan(node.pattern.span.end, node.pattern.span.end)
    warn(
      .missingEscape, at: literal.span,
      "a backslash in a pattern matches itself unless ESCAPE '\\' is specified",
      fixIt: Diagnostic.FixIt(replace: end, with: " ESCAPE '\\'"))
  }

  /// Reports a parameter as a term of `ORDER BY` or `GROUP BY`. SQLite accepts it, but a parameter is
  /// a value and not the name of a column.
  ///
  /// - Returns: `true` if the term was reported.
  @discardableResult
  mutating func checkConstantTerm(_ term: Expression, of clause: String) -> Bool {
    // Errors in the annotation of an order are reported with the annotation.
    guard catalog.reportsRuntimeErrors, !dynamicParts.declaresOrder,
      let parameter = term.sortingParameter
    else { return false }
    let spelling = source[parameter.span]
    let effect = clause == "ORDER" ? "doesn't sort" : "forms a single group"
    var advice = "use CASE \(spelling) WHEN 'name' THEN name … END, with a branch for each column"
    if clause == "ORDER", case .named = parameter.kind {
      advice = "declare its terms in a comment, as in \"-- order: \(spelling) = name, age DESC\""
    }
    report(
      .constantTerm, at: term.span,
      "`\(clause) BY \(spelling)` \(effect), because a parameter is a value and not a column's name; "
        + advice)
    return true
  }
}

extension Expression {
  /// Indicates whether the expression is `NULL`, with or without parentheses.
  var isNullLiteral: Bool {
    if case .literal(let node) = unparenthesized { node.value == .null } else { false }
  }

  /// The parameter that is the whole expression, ignoring collations and parentheses.
  fileprivate var sortingParameter: Parameter? {
    switch self {
    case .parameter(let node): node
    case .collate(let node): node.operand.sortingParameter
    case .parenthesized(let node): node.inner.sortingParameter
    default: nil
    }
  }
}
