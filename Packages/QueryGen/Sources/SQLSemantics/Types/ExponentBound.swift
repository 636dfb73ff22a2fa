internal import QueryModel

// Bounds of numbers, to determine whether arithmetic can yield NaN, which SQLite converts to NULL.
//
// Only infinite operands yield NaN: ∞ - ∞, 0 · ∞, ∞ / ∞. A REAL column can contain ±∞, which is
// written as 9e999, and so can a text that is converted to a number. Integers are finite; their sums
// and products that exceed 64 bits are finite REAL numbers, unless there are many factors.

extension TypedExpression {
  /// Returns the exponent of a power of two that exceeds the magnitude of the value, converted to a
  /// number; `nil` if the value may be infinite.
  static func exponentBound(of kind: Kind, type: ValueType?) -> Int? {
    let bound: Int? =
      switch kind {
      case .null, .raise: 0
      case .literal(let literal): literal.exponentBound
      case .column(let column): column.exponentBound
      case .merged(let parts, _), .row(let parts): largest(parts)
      case .negation(let inner), .collate(let inner, _): inner.exponentBound
      case .arithmetic(let name, let left, let right):
        switch name {
        case "+", "-": largest([left, right]).map { $0 + 1 }
        case "*": left.exponentBound.flatMap { left in right.exponentBound.map { left + $0 } }
        case "||": nil
        default: integerBits
        }
      case .division("/", let left, let right):
        // The quotient of two integers is not greater than the dividend.
        if left.type?.isInteger ?? true, right.type?.isInteger ?? true,
          right.exponentBound.map({ $0 <= integerBits }) ?? false
        {
          left.exponentBound
        } else {
          right.literalMagnitude.map { $0 >= 1 } ?? false ? left.exponentBound : nil
        }
      case .division: integerBits
      case .cast(_, .integer): integerBits
      case .cast(let inner, .text): inner.exponentBound.map { $0 + 1 }
      case .cast(let inner, _): inner.exponentBound
      case .cases(_, let branches, let otherwise):
        largest(branches.map(\.then) + (otherwise.map { [$0] } ?? []))
      case .function(let function, let arguments), .aggregate(let function, let arguments, _, _),
        .window(let function, let arguments, _):
        exponentBound(of: function, arguments)
      case .comparison, .and, .or, .not, .identity, .isNull, .between, .inList, .inSelect,
        .inParameter, .exists:
        1
      case .unknown, .parameter, .subquery: nil
      }
    return bound.flatMap { $0 <= Double.greatestFiniteMagnitude.exponent ? $0 : nil }
  }

  private static func exponentBound(
    of function: FunctionSignature, _ arguments: [TypedExpression]
  ) -> Int? {
    func argument(_ index: Int, plus growth: Int) -> Int? {
      guard arguments.indices.contains(index) else { return nil }
      return arguments[index].exponentBound.map { $0 + growth }
    }
    switch function.type {
    case .fixed(.integer), .fixed(.boolean): return integerBits
    case .fixed(.real):
      switch function.name {
      case "acos", "asin", "atan", "atan2", "cos", "cume_dist", "percent_rank", "pi", "sin", "tanh":
        return 2
      case "julianday", "tan": return integerBits
      case "avg", "mod", "radians": return argument(0, plus: 0)
      case "degrees": return argument(0, plus: 6)
      case "round": return argument(0, plus: 1)
      // A sum has at most as many terms as there are integers.
      case "total": return argument(0, plus: integerBits)
      default: return nil
      }
    case .argument(let index): return argument(index, plus: 0)
    case .union(let start): return largest(arguments.dropFirst(start))
    case .absolute, .rounded: return argument(0, plus: 1)
    case .sum: return argument(0, plus: integerBits)
    case .fixed, .slice, .document, .replacement: return nil
    }
  }

  private static func largest(_ parts: some Sequence<TypedExpression>) -> Int? {
    var result = 0
    for part in parts {
      guard let bound = part.exponentBound else { return nil }
      result = max(result, bound)
    }
    return result
  }

  var mayBeInfinite: Bool { exponentBound == nil }

  /// The bound of a 64-bit integer.
  static var integerBits: Int { 64 }

  /// Returns whether an operator's result is NaN for some values of its operands.
  static func mayBeNaN(_ name: String, _ left: TypedExpression, _ right: TypedExpression) -> Bool {
    func mayBeZero(_ side: TypedExpression) -> Bool { !((side.literalMagnitude ?? 0) > 0) }
    return switch name {
    case "+", "-": left.mayBeInfinite && right.mayBeInfinite
    case "*": left.mayBeInfinite && mayBeZero(right) || right.mayBeInfinite && mayBeZero(left)
    default: false
    }
  }

  /// The magnitude of a numeric literal, which may have a sign; `nil` for any other expression.
  var literalMagnitude: Double? {
    switch stripped.kind {
    case .literal(.integer(let value)): Double(value.magnitude)
    case .literal(.real(let value)): value.magnitude
    case .negation(let inner): inner.literalMagnitude
    default: nil
    }
  }
}

extension TypedExpression.Literal {
  fileprivate var exponentBound: Int? {
    switch self {
    case .integer(let value): UInt64.bitWidth - value.magnitude.leadingZeroBitCount
    case .real(0): 0
    case .real(let value): value.isFinite ? max(Int(value.exponent) + 1, 0) : nil
    case .text, .blob: nil
    }
  }
}

extension ValueType {
  /// The bound of a column's values.
  var exponentBound: Int? { isInteger ? TypedExpression.integerBits : nil }
}

/// Returns the bound of the values of two expressions.
func union(exponents left: Int?, _ right: Int?) -> Int? {
  guard let left, let right else { return nil }
  return max(left, right)
}
