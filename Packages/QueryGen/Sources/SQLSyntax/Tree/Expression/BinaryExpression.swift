/// An operator between two operands.
public struct BinaryExpression: Equatable, Sendable {
  /// The operator.
  public var op: Operator
  /// The operand before it.
  public var left: Expression
  /// The operand after it.
  public var right: Expression
  /// Where the operator stands.
  @SourceSpan public var operatorSpan: ByteSpan
  /// Where it stands.
  @SourceSpan public var span: ByteSpan

  /// The operators between two operands. `==` is `=`, and `!=` is `<>`.
  public enum Operator: String, Hashable, Sendable, CaseIterable {
    case or = "OR"
    case and = "AND"
    case equal = "="
    case notEqual = "<>"
    case `is` = "IS"
    case isNot = "IS NOT"
    case isDistinctFrom = "IS DISTINCT FROM"
    case isNotDistinctFrom = "IS NOT DISTINCT FROM"
    case less = "<"
    case lessOrEqual = "<="
    case greater = ">"
    case greaterOrEqual = ">="
    case bitAnd = "&"
    case bitOr = "|"
    case shiftLeft = "<<"
    case shiftRight = ">>"
    case add = "+"
    case subtract = "-"
    case multiply = "*"
    case divide = "/"
    case remainder = "%"
    case concatenate = "||"
    /// `->`, JSON text out of JSON.
    case extractJSON = "->"
    /// `->>`, an SQL value out of JSON.
    case extractValue = "->>"
  }
}
