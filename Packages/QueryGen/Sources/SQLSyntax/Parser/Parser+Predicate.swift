extension Parser {
  /// Reads a predicate such as `LIKE`, `BETWEEN`, `IN` or `ISNULL` after its first operand.
  mutating func parsePredicate(
    _ operand: Expression, from start: ByteOffset
  ) throws(SyntaxError) -> Expression {
    let operatorStart = self.start
    let isNegated = accept(.not)
    switch kind {
    case .like: return try parseMatch(operand, .like, isNegated, operatorStart, from: start)
    case .glob: return try parseMatch(operand, .glob, isNegated, operatorStart, from: start)
    case .regexp: return try parseMatch(operand, .regexp, isNegated, operatorStart, from: start)
    case .match: return try parseMatch(operand, .match, isNegated, operatorStart, from: start)
    case .between: return try parseBetween(operand, isNegated, from: start)
    case .in: return try parseIn(operand, isNegated, from: start)
    case .isnull where !isNegated: return try parseNullTest(operand, false, from: start)
    case .notnull where !isNegated: return try parseNullTest(operand, true, from: start)
    case .null where isNegated: return try parseNullTest(operand, true, from: start)
    default: throw unexpected(.afterNot)
    }
  }

  private mutating func parseNullTest(
    _ operand: Expression, _ isNegated: Bool, from start: ByteOffset
  ) throws(SyntaxError) -> Expression {
    advance()
    try updateHeight(height, from: start)
    return .nullTest(
      NullTestExpression(operand: operand, isNegated: isNegated, span: span(from: start)))
  }

  private mutating func parseMatch(
    _ operand: Expression, _ op: MatchExpression.Operator, _ isNegated: Bool,
    _ operatorStart: ByteOffset, from start: ByteOffset
  ) throws(SyntaxError) -> Expression {
    var maximumHeight = height
    advance()
    let operatorSpan = span(from: operatorStart)
    stackDepth += 2
    let pattern = try parseExpression(.comparison)
    maximumHeight = max(maximumHeight, height)
    var escape: Expression?
    if accept(.escape) {
      stackDepth += 2
      escape = try parseExpression(.comparison)
      maximumHeight = max(maximumHeight, height)
      stackDepth -= 2
    }
    stackDepth -= 2
    try updateHeight(maximumHeight, from: start)
    return .match(
      MatchExpression(
        op: op, isNegated: isNegated, operand: operand, pattern: pattern, escape: escape,
        operatorSpan: operatorSpan, span: span(from: start)))
  }

  /// Reads a `BETWEEN`. Its lower bound may contain every operator that binds more tightly than
  /// `AND`.
  private mutating func parseBetween(
    _ operand: Expression, _ isNegated: Bool, from start: ByteOffset
  ) throws(SyntaxError) -> Expression {
    var maximumHeight = height
    advance()
    stackDepth += 2
    let low = try parseExpression(.not)
    maximumHeight = max(maximumHeight, height)
    try expect(.and)
    stackDepth += 2
    let high = try parseExpression(.comparison)
    maximumHeight = max(maximumHeight, height)
    stackDepth -= 4
    try updateHeight(maximumHeight, from: start)
    return .between(
      BetweenExpression(
        operand: operand, isNegated: isNegated, low: low, high: high, span: span(from: start)))
  }

  private mutating func parseIn(
    _ operand: Expression, _ isNegated: Bool, from start: ByteOffset
  ) throws(SyntaxError) -> Expression {
    let operandHeight = height
    advance()
    let source = try parseInSource()
    try updateHeight(max(operandHeight, height), from: start)
    return .in(
      InExpression(
        operand: operand, isNegated: isNegated, source: source, span: span(from: start)))
  }

  private mutating func parseInSource() throws(SyntaxError) -> InExpression.Source {
    if accept(.leftParenthesis) {
      if kind == .rightParenthesis {
        height = 0
        advance()
        return .list([])
      }
      if isAtSelect {
        let select = try parseSelect(symbols: 3)
        try expect(.rightParenthesis)
        return .select(select)
      }
      let list = try parseExpressions(symbols: 3)
      try expect(.rightParenthesis)
      return .list(list)
    }
    if kind == .parameter, options.allowsListParameters { return .parameter(try parseParameter()) }
    guard isAtName else { throw unexpected(.listOrTable) }
    let name = try parseQualifiedName()
    height = 0
    guard accept(.leftParenthesis) else { return .table(name) }
    let arguments = kind == .rightParenthesis ? [] : try parseExpressions(symbols: 5)
    try expect(.rightParenthesis)
    return .function(name, arguments: arguments)
  }
}
