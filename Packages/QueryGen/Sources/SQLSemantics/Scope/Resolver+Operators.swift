internal import QueryModel
internal import SQLSyntax

extension Resolver {
  mutating func resolve(_ node: UnaryExpression, in scope: Scope) -> TypedExpression {
    let operand = resolveScalar(node.operand, in: scope)
    var result: TypedExpression
    switch node.op {
    case .plus:
      result = operand
      // `+x` is `x` without its affinity, and is no longer named after the column.
      result.kind = .cast(operand, .none)
      result.affinity = operand.affinity
      result.span = node.span
      return result
    case .minus:
      hint(operand, type: .numeric)
      if case .literal(.real(9_223_372_036_854_775_808)) = operand.kind {
        return TypedExpression(kind: .literal(.integer(.min)), type: .integer, span: node.span)
      }
      if case .literal(.integer(.min)) = operand.kind {
        // The only integer whose negation overflows.
        return TypedExpression(kind: .negation(operand), type: .real, span: node.span)
      }
      let type = operand.type.map { $0.isNumber ? ($0 == .boolean ? .integer : $0) : .numeric }
      result = TypedExpression(kind: .negation(operand), type: type, span: node.span)
    case .bitNot:
      hint(operand, type: .integer)
      result = TypedExpression(kind: .negation(operand), type: .integer, span: node.span)
      result.exponentBound = TypedExpression.integerBits
    case .not:
      hint(operand, type: .boolean)
      result = TypedExpression(kind: .not(operand), type: .boolean, span: node.span)
    }
    result.absorb(operand)
    return result
  }

  /// Resolves a chain of operators iteratively from its left end. A chain may be as long as
  /// SQLite's depth limit, too long for recursion.
  mutating func resolve(_ node: BinaryExpression, in scope: Scope) -> TypedExpression {
    var chain = [node]
    var leftmost = node.left
    while case .binary(let inner) = leftmost {
      chain.append(inner)
      leftmost = inner.left
    }
    var value = resolve(leftmost, in: scope)
    for (index, node) in chain.enumerated().reversed() {
      value = resolve(node, left: value, in: scope)
      // The parameters of a whole chain are named at once.
      let isLast = index == 0 || !chain[index - 1].op.namesParameters
      if node.op.namesParameters, isLast, let name = value.nameHint {
        hint(value, type: nil, name: name)
      }
    }
    return value
  }

  private mutating func resolve(
    _ node: BinaryExpression, left: TypedExpression, in scope: Scope
  ) -> TypedExpression {
    switch node.op {
    case .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual:
      let right = resolve(node.right, in: scope)
      checkWidths(left, right, at: node.span)
      checkNullComparison(node)
      checkQuotedParameter(node.right)
      recordComparison(left, right)
      return combine(
        .comparison(node.op.rawValue, left, right), .boolean, [left, right], node.span)
    case .is, .isNot, .isDistinctFrom, .isNotDistinctFrom:
      return resolveIdentity(node, left: left, in: scope)
    default: break
    }
    let left = checkScalar(left) ? left : .unknown(left.span)
    let right = resolveScalar(node.right, in: scope)
    let parts = [left, right]
    switch node.op {
    case .and:
      hintAll(parts, type: .boolean)
      var result = combine(.and(left, right), .boolean, parts, node.span)
      // If one side is zero, SQLite evaluates neither, so an aggregate in it doesn't group.
      if left.isZero || right.isZero { result.removeAggregates() }
      return result
    case .or:
      hintAll(parts, type: .boolean)
      return combine(.or(left, right), .boolean, parts, node.span)
    case .divide, .remainder:
      hintNumbers(left, right)
      return combine(
        .division(node.op.rawValue, left, right), arithmeticType(left, right), parts, node.span)
    case .bitAnd, .bitOr, .shiftLeft, .shiftRight:
      hintAll(parts, type: .integer)
      return combine(.arithmetic(node.op.rawValue, left, right), .integer, parts, node.span)
    case .concatenate:
      hintAll(parts, type: .text)
      return combine(.arithmetic(node.op.rawValue, left, right), .text, parts, node.span)
    case .extractJSON, .extractValue:
      return call(NameKey(node.op.rawValue), parts, node.operatorSpan, node.span, in: scope)
    default:
      hintNumbers(left, right)
      return combine(
        .arithmetic(node.op.rawValue, left, right), arithmeticType(left, right), parts,
        node.span)
    }
  }

  /// Creates an expression from typed parts.
  func combine(
    _ kind: TypedExpression.Kind, _ type: ValueType?, _ parts: [TypedExpression],
    _ span: ByteSpan
  ) -> TypedExpression {
    var result = TypedExpression(kind: kind, type: type, span: span)
    for part in parts { result.absorb(part) }
    return result
  }

  /// Returns the type of an arithmetic expression. Integers yield an integer. SQLite yields a real
  /// if the result exceeds 64 bits; this is only considered if a huge literal makes it likely, so
  /// the sum of two integer columns is an integer.
  private func arithmeticType(
    _ left: TypedExpression, _ right: TypedExpression
  ) -> ValueType? {
    guard let leftType = left.type, let rightType = right.type else { return nil }
    if left.isHugeLiteral || right.isHugeLiteral, leftType.isInteger, rightType.isInteger {
      return .numeric
    }
    return leftType.arithmetic(rightType)
  }

  private mutating func hintNumbers(_ left: TypedExpression, _ right: TypedExpression) {
    func number(_ type: ValueType?) -> ValueType? { type?.isNumber == true ? type : .numeric }
    hint(left, type: number(right.type))
    hint(right, type: number(left.type))
  }

  private mutating func checkWidths(
    _ left: TypedExpression, _ right: TypedExpression, at span: ByteSpan
  ) {
    guard left.width != right.width, !left.isUnknown, !right.isUnknown else { return }
    for (side, other) in [(left, right), (right, left)] where other.width == 1 {
      if case .subquery = side.kind {
        report(
          .columnCount, at: side.span, "sub-select returns \(side.width) columns, expected 1")
        return
      }
    }
    report(.rowValueMisuse, at: span, "row value misused")
  }

  private mutating func resolveIdentity(
    _ node: BinaryExpression, left: TypedExpression, in scope: Scope
  ) -> TypedExpression {
    let isNegated = node.op == .isNot || node.op == .isDistinctFrom
    if case .literal(let literal) = node.right.unparenthesized, literal.value == .null {
      return nullTest(left, isNegated: isNegated, span: node.span)
    }
    let right = resolve(node.right, in: scope)
    checkWidths(left, right, at: node.span)
    // `x IS TRUE` tests the truth of `x`; any other right side is compared.
    if node.op == .is || node.op == .isNot, case .column(let word) = node.right,
      word.booleanValue != nil, case .literal = right.kind
    {
      hint(left, type: .boolean, acceptsNull: true)
      return combine(
        .cast(
          combine(.identity(left, right, negated: isNegated), .boolean, [left], node.span), .none),
        .boolean, [left], node.span)
    }
    recordComparison(left, right, isIdentity: true)
    return combine(
      .identity(left, right, negated: isNegated), .boolean, [left, right], node.span)
  }

  mutating func nullTest(
    _ value: TypedExpression, isNegated: Bool, span: ByteSpan
  ) -> TypedExpression {
    if value.width != 1 {
      // `(1, 2) IS NULL` compares a row value with a single value.
      report(.rowValueMisuse, at: span, "row value misused")
      return .unknown(span)
    }
    hint(value, type: nil, acceptsNull: true)
    return combine(.isNull(value, negated: isNegated), .boolean, [value], span)
  }

  mutating func resolve(_ node: MatchExpression, in scope: Scope) -> TypedExpression {
    let operand = resolveScalar(node.operand, in: scope)
    let pattern = resolveScalar(node.pattern, in: scope)
    let escape = node.escape.map { resolveScalar($0, in: scope) }
    // A declared function has its own types.
    let isDeclared = catalog.declares(NameKey(node.op.rawValue))
    if !isDeclared, node.op != .match {
      hintAll([operand, pattern] + (escape.map { [$0] } ?? []), type: .text)
    }
    hintName(pattern, from: operand)
    hintName(operand, from: pattern)
    checkParameters(inPatternOf: node)
    checkEscape(of: node)
    let name = node.op.rawValue
    let arguments = [pattern, operand] + (escape.map { [$0] } ?? [])
    let result = call(
      NameKey(name), arguments, node.operatorSpan, node.span, in: scope, spelling: name)
    guard node.isNegated, !result.isUnknown else { return result }
    return combine(.not(result), .boolean, [result], node.span)
  }

  mutating func resolve(_ node: BetweenExpression, in scope: Scope) -> TypedExpression {
    let value = resolve(node.operand, in: scope)
    let low = resolve(node.low, in: scope)
    let high = resolve(node.high, in: scope)
    checkWidths(value, low, at: node.span)
    if low.width == value.width { checkWidths(value, high, at: node.span) }
    recordComparison(value, low, suffix: "lower")
    recordComparison(value, high, suffix: "upper")
    return combine(
      .between(value, low, high, negated: node.isNegated), .boolean, [value, low, high],
      node.span)
  }

  mutating func resolve(_ node: InExpression, in scope: Scope) -> TypedExpression {
    let value = resolve(node.operand, in: scope)
    switch node.source {
    case .list(let list):
      let elements = list.map { resolve($0, in: scope) }
      checkNullElements(node, list)
      for element in elements {
        checkElement(element, of: value)
        recordComparison(value, element)
      }
      var result = combine(
        .inList(value, elements, negated: node.isNegated), .boolean, [value] + elements,
        node.span)
      // SQLite doesn't evaluate the left side of `IN` with an empty list.
      if elements.isEmpty { result.removeAggregates() }
      return result
    case .select(let select):
      let result = resolveSubquery(select, in: scope)
      if let place = scope.innermostDefinition {
        report(.prohibitedHere, at: node.span, "subqueries prohibited in \(place.rawValue)")
      }
      return resolveIn(node, value, result)
    case .table(let name):
      let columns = resolveTable(name, arguments: nil, span: node.span, in: scope)
      return resolveIn(node, value, columns)
    case .function(let name, let arguments):
      let columns = resolveTable(name, arguments: arguments, span: node.span, in: scope)
      return resolveIn(node, value, columns)
    case .parameter(let parameter):
      return resolveList(parameter, node, value)
    }
  }

  private mutating func resolveList(
    _ parameter: Parameter, _ node: InExpression, _ value: TypedExpression
  ) -> TypedExpression {
    guard let number = parameters.number(parameter), !value.isUnknown else {
      return .unknown(node.span)
    }
    let columns: [TypedExpression]
    if case .row(let parts) = value.kind {
      columns = parts
    } else if value.width == 1 {
      columns = [value]
    } else {
      report(
        .rowValueMisuse, at: value.span,
        "the left side of `IN \(source[parameter.span])` must be a value or a row of values, "
          + "such as `(x, y)`")
      return .unknown(node.span)
    }
    let uses = columns.map { column in
      ParameterTable.Use(
        type: column.knownType, acceptsNull: false,
        name: columns.count > 1 ? column.nameHint : column.column.map { plural($0.name) },
        provenance: column.domain)
    }
    guard record(uses, to: number, at: parameter.span) else { return .unknown(node.span) }
    return combine(
      .inParameter(value, number, negated: node.isNegated), .boolean, [value], node.span)
  }

  /// Records a use of a parameter with several values, or reports an error and returns `false` if an
  /// earlier use has another number of values.
  mutating func record(
    _ uses: [ParameterTable.Use], to number: Int, at span: ByteSpan
  ) -> Bool {
    guard let earlier = parameters.add(elements: uses, to: number, at: span) else { return true }
    diagnostics.append(
      Diagnostic(
        .mixedParameter, at: span,
        "the elements of `\(source[span])` have \(uses.count) "
          + "value\(uses.count == 1 ? "" : "s") here, but \(earlier.count) elsewhere; "
          + "use a second parameter",
        notes: [Diagnostic.Note("the other list is here", at: earlier.span)]))
    return false
  }

  private mutating func checkElement(_ element: TypedExpression, of value: TypedExpression) {
    guard value.width != element.width, !value.isUnknown, !element.isUnknown else { return }
    if case .row = value.kind {
      report(
        .rowValueMisuse, at: element.span,
        "IN(...) element has \(element.width) term\(element.width == 1 ? "" : "s") - "
          + "expected \(value.width)")
    } else if value.width != 1 {
      checkScalar(value)
    } else {
      checkScalar(element)
    }
  }

  private mutating func resolveIn(
    _ node: InExpression, _ value: TypedExpression, _ rows: ResolvedSelect
  ) -> TypedExpression {
    if rows.columns.count != value.width, !rows.isUnknown, !value.isUnknown {
      report(
        .columnCount, at: node.span,
        "sub-select returns \(rows.columns.count) columns, expected \(value.width)")
    }
    if value.width == 1, let column = rows.columns.first {
      hint(
        value, type: column.type, acceptsNull: false, name: column.name,
        provenance: column.provenance)
    }
    var result = combine(
      .inSelect(
        value, isElementNullable: rows.columns.contains(where: \.isNullable),
        negated: node.isNegated),
      .boolean, [value], node.span)
    result.scopes.formUnion(rows.outerScopes)
    result.hasSubquery = true
    return result
  }
}

extension BinaryExpression.Operator {
  /// Indicates whether a parameter on one side is named after a column on the other.
  fileprivate var namesParameters: Bool {
    switch self {
    case .add, .subtract, .multiply, .divide, .remainder, .concatenate: true
    default: false
    }
  }
}

extension TypedExpression {
  var isUnknown: Bool {
    if case .unknown = kind { true } else { false }
  }
}
