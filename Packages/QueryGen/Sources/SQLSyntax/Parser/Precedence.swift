/// How tightly operators bind, loosest first. See https://www.sqlite.org/lang_expr.html.
enum Precedence: UInt8, Comparable {
  case or, and, not, equality, comparison, bits, additive, multiplicative, concatenation
  case collate, unary

  @inline(__always)
  static func < (left: Precedence, right: Precedence) -> Bool { left.rawValue < right.rawValue }

  /// The level just above, at which the right operand of a left-associative operator is read.
  @inline(__always)
  var above: Precedence { Precedence(rawValue: rawValue + 1) ?? .unary }

  /// The plain operator of two operands that a token is, and how tightly it binds.
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
