/// `operand [NOT] BETWEEN low AND high`
public struct BetweenExpression: Equatable, Sendable {
  /// What is compared.
  public var operand: Expression
  /// Whether `NOT` is written.
  public var isNegated: Bool
  /// The lower bound.
  public var low: Expression
  /// The upper bound.
  public var high: Expression
  /// Where it stands.
  @SourceSpan public var span: ByteSpan
}
