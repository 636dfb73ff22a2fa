/// An operator before its operand.
public struct UnaryExpression: Equatable, Sendable {
  /// The operator.
  public var op: Operator
  /// The operand.
  public var operand: Expression
  /// Where it stands.
  @SourceSpan public var span: ByteSpan

  /// The operators that stand before an operand.
  public enum Operator: String, Hashable, Sendable {
    case minus = "-"
    case plus = "+"
    case bitNot = "~"
    case not = "NOT"
  }
}
