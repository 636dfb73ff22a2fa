/// A condition on the rows of a table, derived from comparisons of its columns with given values.
public indirect enum RowCondition: Hashable, Sendable {
  /// The comparison operators.
  public enum Comparison: String, Hashable, Sendable {
    case equal = "="
    case notEqual = "<>"
    case less = "<"
    case lessOrEqual = "<="
    case greater = ">"
    case greaterOrEqual = ">="
  }

  /// A value that a column is compared with.
  public enum Value: Hashable, Sendable {
    /// The parameter with this number.
    case parameter(Int)
    case integer(Int64)
    case real(Double)
    case text(String)
    case blob([UInt8])
  }

  case comparison(column: String, Comparison, Value)
  /// `column IN (values)`
  case isIn(column: String, [Value])
  /// `column IN :values`, with the list parameter that has this number.
  case isInList(column: String, parameter: Int)
  case isNull(column: String)
  case isNotNull(column: String)
  case all([RowCondition])
  case any([RowCondition])
  /// A condition that applies only if none of the parameters with these numbers is `nil`. Only the
  /// parts of an outermost ``all(_:)`` have this form.
  case ifPresent([Int], RowCondition)
}

extension RowCondition {
  /// A Boolean value that indicates whether the condition depends on a parameter.
  public var hasParameter: Bool {
    switch self {
    case .comparison(_, _, let value): value.isParameter
    case .isIn(_, let values): values.contains(where: \.isParameter)
    case .isInList, .ifPresent: true
    case .isNull, .isNotNull: false
    case .all(let parts), .any(let parts): parts.contains(where: \.hasParameter)
    }
  }
}

extension RowCondition.Value {
  /// A Boolean value that indicates whether the value is a parameter.
  public var isParameter: Bool {
    if case .parameter = self { true } else { false }
  }
}
