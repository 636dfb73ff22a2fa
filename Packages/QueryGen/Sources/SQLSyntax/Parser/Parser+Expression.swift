extension Parser {
  /// Reads an expression whose operators bind at least as tightly as `minimum`.
  ///
  /// A prefix operator may bind more loosely: in `1 + NOT 2 = 3` the operand of `NOT` is `2 = 3`.
  mutating func parseExpression(
    _ minimum: Precedence = .or
  ) throws(SyntaxError) -> Expression {
    let start = start
    var left = try parseOperand()
    while true {
      if let (op, level) = Precedence.binary(kind) {
        guard level >= minimum else { return left }
        left = try parseBinary(left, op, level, from: start)
      } else {
        switch kind {
        case .collate where minimum <= .collate:
          left = try parseCollate(left, from: start)
        case .is where minimum <= .equality:
          left = try parseIs(left, from: start)
        case .like, .glob, .regexp, .match, .between, .in, .isnull, .notnull, .not:
          guard minimum <= .equality else { return left }
          left = try parsePredicate(left, from: start)
        default:
          return left
        }
      }
    }
  }

  /// Sets `height` to one more than `inner`, and fails if it exceeds SQLite's limit.
  @inline(__always)
  mutating func updateHeight(_ inner: Int, from start: ByteOffset) throws(SyntaxError) {
    height = inner + 1
    guard height <= Self.maximumExpressionDepth else {
      throw fail(.expressionTooDeep(at: span(from: start)))
    }
  }

  private mutating func parseBinary(
    _ left: Expression, _ op: BinaryExpression.Operator, _ level: Precedence,
    from start: ByteOffset
  ) throws(SyntaxError) -> Expression {
    let leftHeight = height
    let operatorSpan = current.span
    advance()
    stackDepth += 2
    let right = try parseExpression(level.above)
    stackDepth -= 2
    try updateHeight(max(leftHeight, height), from: start)
    return .binary(
      BinaryExpression(
        op: op, left: left, right: right, operatorSpan: operatorSpan, span: span(from: start)))
  }

  private mutating func parseCollate(
    _ operand: Expression, from start: ByteOffset
  ) throws(SyntaxError) -> Expression {
    advance()
    guard isAtWord else { throw unexpected(.name) }
    let collation = consumeIdentifier()
    try updateHeight(height, from: start)
    return .collate(
      CollateExpression(operand: operand, collation: collation, span: span(from: start)))
  }

  private mutating func parseIs(
    _ left: Expression, from start: ByteOffset
  ) throws(SyntaxError) -> Expression {
    let leftHeight = height
    let operatorStart = self.start
    advance()
    let isNegated = accept(.not)
    var op: BinaryExpression.Operator = isNegated ? .isNot : .is
    var symbols = isNegated ? 3 : 2
    if accept(.distinct) {
      try expect(.from)
      op = isNegated ? .isNotDistinctFrom : .isDistinctFrom
      symbols += 2
    }
    let operatorSpan = span(from: operatorStart)
    stackDepth += symbols
    let right = try parseExpression(.comparison)
    stackDepth -= symbols
    try updateHeight(max(leftHeight, height), from: start)
    return .binary(
      BinaryExpression(
        op: op, left: left, right: right, operatorSpan: operatorSpan, span: span(from: start)))
  }

  /// Reads an operand: a prefix operator with its own operand, or a primary expression.
  @inline(__always)
  private mutating func parseOperand() throws(SyntaxError) -> Expression {
    try checkStack()
    switch kind {
    case .not: return try parseUnary(.not, .not)
    case .minus: return try parseUnary(.minus, .unary)
    case .plus: return try parseUnary(.plus, .unary)
    case .tilde: return try parseUnary(.bitNot, .unary)
    default: return try parsePrimary()
    }
  }

  private mutating func parseUnary(
    _ op: UnaryExpression.Operator, _ level: Precedence
  ) throws(SyntaxError) -> Expression {
    let start = start
    advance()
    stackDepth += 1
    let operand = try parseExpression(level)
    stackDepth -= 1
    if op == .minus, case .literal(let literal) = operand.unparenthesized,
      literal.value.integerValue == .min
    {
      // Only hexadecimal digits can spell this value, and its negation overflows.
      throw fail(.hexNumberTooLarge(at: span(from: start)))
    }
    try updateHeight(height, from: start)
    return .unary(UnaryExpression(op: op, operand: operand, span: span(from: start)))
  }

  /// Reads comma-separated expressions and sets `height` to the height of the tallest.
  ///
  /// - Parameter symbols: The symbols that SQLite's parser stack holds before the first expression.
  ///   It holds two more before the others.
  mutating func parseExpressions(symbols: Int) throws(SyntaxError) -> [Expression] {
    stackDepth += symbols
    var expressions = [try parseExpression()]
    var maximumHeight = height
    if kind == .comma {
      stackDepth += 2
      while accept(.comma) {
        expressions.append(try parseExpression())
        maximumHeight = max(maximumHeight, height)
      }
      stackDepth -= 2
    }
    stackDepth -= symbols
    height = maximumHeight
    return expressions
  }

  /// Reads an expression before which SQLite's parser pushes `symbols` more symbols.
  mutating func parseExpression(symbols: Int) throws(SyntaxError) -> Expression {
    stackDepth += symbols
    let expression = try parseExpression()
    stackDepth -= symbols
    return expression
  }
}

/// The precedence of operators, from loosest to tightest. See
/// https://www.sqlite.org/lang_expr.html.
enum Precedence: UInt8, Comparable {
  case or, and, not, equality, comparison, bits, additive, multiplicative, concatenation
  case collate, unary

  @inline(__always)
  static func < (left: Precedence, right: Precedence) -> Bool { left.rawValue < right.rawValue }

  /// The next tighter level, at which the right operand of a left-associative operator is read.
  @inline(__always)
  var above: Precedence { Precedence(rawValue: rawValue + 1) ?? .unary }

  /// Returns the simple binary operator that a token spells and its precedence, or `nil` if there
  /// is none.
  @inline(__always)
  static func binary(_ kind: TokenKind) -> (op: BinaryExpression.Operator, level: Precedence)? {
    switch kind {
    case .or: (.or, .or)
    case .and: (.and, .and)
    case .equal: (.equal, .equality)
    case .notEqual: (.notEqual, .equality)
    case .less: (.less, .comparison)
    case .lessOrEqual: (.lessOrEqual, .comparison)
    case .greater: (.greater, .comparison)
    case .greaterOrEqual: (.greaterOrEqual, .comparison)
    case .ampersand: (.bitAnd, .bits)
    case .bar: (.bitOr, .bits)
    case .shiftLeft: (.shiftLeft, .bits)
    case .shiftRight: (.shiftRight, .bits)
    case .plus: (.add, .additive)
    case .minus: (.subtract, .additive)
    case .star: (.multiply, .multiplicative)
    case .slash: (.divide, .multiplicative)
    case .percent: (.remainder, .multiplicative)
    case .concatenate: (.concatenate, .concatenation)
    case .arrow: (.extractJSON, .concatenation)
    case .doubleArrow: (.extractValue, .concatenation)
    default: nil
    }
  }
}
