internal import QueryModel
internal import SQLSyntax

/// `ORDER BY`, `GROUP BY` and `LIMIT`.
extension Resolver {
  /// Resolves the `ORDER BY` terms of a simple select.
  mutating func resolveOrder(
    _ terms: [OrderingTerm], columns: [SelectColumn], in scope: Scope
  ) -> [TypedExpression] {
    var resolved: [TypedExpression] = []
    for (position, term) in terms.enumerated() {
      if let alias = term.expression.bareName,
        let match = columns.first(where: { $0.hasAlias && NameKey($0.name) == alias })
      {
        if let name = term.expression.columnIdentifier {
          trace?.alias(alias, at: name.span, in: scope)
          // A column of a star is declared by its table.
          if trace != nil { _ = resolveScalar(term.expression, in: scope) }
        }
        checkCollations(term.expression)
        if let expression = match.expression { resolved.append(expression) }
        continue
      }
      if let number = term.expression.integerValue {
        checkCollations(term.expression)
        checkRange(number, position, columns.count, "ORDER", at: term.span)
        continue
      }
      checkConstantTerm(term.expression, of: "ORDER")
      resolved.append(resolveScalar(term.expression, in: scope))
    }
    return resolved
  }

  /// Resolves the terms of `GROUP BY`, in which columns take precedence over aliases.
  mutating func resolveGroups(
    _ terms: [Expression], columns: [SelectColumn], in scope: Scope
  ) -> [TypedExpression] {
    var resolved: [TypedExpression] = []
    for (position, term) in terms.enumerated() {
      var expression: TypedExpression?
      if let number = term.integerValue {
        checkCollations(term)
        if checkRange(number, position, columns.count, "GROUP", at: term.span) {
          expression = columns[number - 1].expression
        }
      } else {
        checkConstantTerm(term, of: "GROUP")
        expression = resolveScalar(term, in: scope)
      }
      guard let expression else { continue }
      if expression.aggregateScopes.contains(scope.id) {
        report(
          .aggregateMisuse, at: term.span,
          "aggregate functions are not allowed in the GROUP BY clause")
      }
      resolved.append(expression)
    }
    return resolved
  }

  @discardableResult
  private mutating func checkRange(
    _ number: Int, _ position: Int, _ count: Int, _ clause: String, at span: ByteSpan
  ) -> Bool {
    guard number < 1 || number > count else { return true }
    // If the columns are unknown, so is their number.
    guard count > 0 else { return false }
    report(
      .orderTerm, at: span,
      "\(ordinal(position + 1)) \(clause) BY term out of range - should be between 1 and \(count)")
    return false
  }

  /// Checks the `ORDER BY` terms of a compound select. Each must be a result column, given by
  /// number, by alias or by the same expression.
  mutating func resolveCompoundOrder(_ select: Select, _ arms: [ResolvedArm]) {
    guard let first = arms.first, !arms.contains(where: \.result.isUnknown) else { return }
    for (position, term) in select.orderBy.enumerated() {
      checkCollations(term.expression)
      if let number = term.expression.integerValue {
        checkRange(number, position, first.result.columns.count, "ORDER", at: term.span)
        continue
      }
      guard !arms.contains(where: { isColumn(term.expression, of: $0) }),
        !checkConstantTerm(term.expression, of: "ORDER")
      else { continue }
      report(
        .orderTerm, at: term.span,
        "\(ordinal(position + 1)) ORDER BY term does not match any column in the result set")
    }
  }

  private func isColumn(_ term: Expression, of arm: ResolvedArm) -> Bool {
    if let name = term.bareName,
      arm.result.columns.contains(where: { $0.hasAlias && NameKey($0.name) == name })
    {
      return true
    }
    guard let scope = arm.scope else { return false }
    // Errors are ignored: the term may belong to another arm.
    var trial = self
    trial.diagnostics = []
    let wanted = trial.resolve(term, in: scope.with(aliases: []))
    guard trial.diagnostics.isEmpty else { return false }
    return arm.result.columns.contains { column in
      column.expression.map { $0.stripped.isSameExpression(as: wanted.stripped) } ?? false
    }
  }

  private mutating func checkCollations(_ expression: Expression) {
    switch expression {
    case .collate(let node):
      checkCollation(node.collation)
      checkCollations(node.operand)
    case .parenthesized(let node): checkCollations(node.inner)
    default: break
    }
  }

  private func ordinal(_ number: Int) -> String {
    let suffix =
      switch (number % 10, number % 100) {
      case (_, 11...13): "th"
      case (1, _): "st"
      case (2, _): "nd"
      case (3, _): "rd"
      default: "th"
      }
    return "\(number)\(suffix)"
  }

  /// Resolves `LIMIT` and `OFFSET`, in which no columns are visible.
  mutating func resolveLimit(
    _ limit: LimitClause?, in parent: Scope?, commonTables: CommonTables?
  ) -> ResolvedLimit {
    guard let limit else { return ResolvedLimit() }
    let scope = Scope(
      id: makeScopeID(), parent: parent.flatMap { $0.triggerRoot ?? $0.selfIfTriggerRoot },
      commonTables: commonTables)
    let count = resolveScalar(limit.count, in: scope)
    hint(count, type: .integer, acceptsNull: false, name: "limit")
    let offset = limit.offset.map { resolveScalar($0, in: scope) }
    if let offset { hint(offset, type: .integer, acceptsNull: false, name: "offset") }
    return ResolvedLimit(count: count, hasOffset: offset != nil)
  }
}

/// The effect of a `LIMIT` on the number of rows.
struct ResolvedLimit {
  var count: TypedExpression?
  var hasOffset = false

  func apply(to rows: inout RowCountBounds) {
    guard let count else { return }
    if hasOffset { rows.isAtLeastOne = false }
    guard case .literal(.integer(let value)) = count.kind else {
      // The limit may be zero.
      if case .negation = count.kind { return }
      rows.isAtLeastOne = false
      return
    }
    if value == 0 { rows = .optional }
    if value == 1 { rows.isAtMostOne = true }
  }
}

extension Expression {
  /// The name of the column reference, ignoring collations and parentheses; `nil` for any other
  /// expression.
  fileprivate var bareName: NameKey? {
    switch self {
    case .column(let node) where node.table == nil: NameKey(node.column.text)
    case .collate(let node): node.operand.bareName
    case .parenthesized(let node): node.inner.bareName
    default: nil
    }
  }

  /// The value of an integer literal, optionally with signs, collations and parentheses; `nil` for
  /// any other expression.
  fileprivate var integerValue: Int? {
    switch self {
    case .literal(let node):
      node.value.integerValue.flatMap { Int32(exactly: $0) }.map { Int($0) }
    case .parenthesized(let node): node.inner.integerValue
    case .collate(let node): node.operand.integerValue
    case .unary(let node):
      switch node.op {
      case .minus: node.operand.integerValue.map { 0 &- $0 }
      case .plus: node.operand.integerValue
      case .bitNot, .not: nil
      }
    default: nil
    }
  }
}

extension TypedExpression {
  /// Returns whether two expressions compute the same value in the same way.
  func isSameExpression(as other: TypedExpression) -> Bool {
    var open = [(self, other)]
    while let (left, right) = open.popLast() {
      let (leftParts, rightParts) = (left.parts, right.parts)
      guard leftParts.count == rightParts.count, left.isSameOperation(as: right) else {
        return false
      }
      open += zip(leftParts, rightParts)
    }
    return true
  }

  /// Returns whether two expressions are the same except for their parts.
  private func isSameOperation(as other: TypedExpression) -> Bool {
    switch (kind, other.kind) {
    case (.null, .null), (.row, .row), (.merged, .merged), (.negation, .negation), (.not, .not),
      (.and, .and), (.or, .or), (.cases, .cases):
      return true
    case (.literal(let a), .literal(let b)): return a == b
    case (.column(let a), .column(let b)): return a == b && a.groupName == b.groupName
    case (.arithmetic(let a, _, _), .arithmetic(let b, _, _)),
      (.division(let a, _, _), .division(let b, _, _)),
      (.comparison(let a, _, _), .comparison(let b, _, _)):
      return a == b
    case (.identity(_, _, let a), .identity(_, _, let b)), (.isNull(_, let a), .isNull(_, let b)),
      (.between(_, _, _, let a), .between(_, _, _, let b)),
      (.inList(_, _, let a), .inList(_, _, let b)):
      return a == b
    case (.cast(_, let a), .cast(_, let b)): return a == b
    case (.collate(_, let a), .collate(_, let b)): return NameKey(a) == NameKey(b)
    case (.function(let a, _), .function(let b, _)),
      (.aggregate(let a, _, _, _), .aggregate(let b, _, _, _)):
      return a.name == b.name
    default: return false
    }
  }
}
