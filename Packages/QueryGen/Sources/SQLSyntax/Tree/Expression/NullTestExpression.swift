/// `operand ISNULL`, `operand NOTNULL`, `operand NOT NULL`.
public struct NullTestExpression: Equatable, Sendable {
  /// What is tested.
  public var operand: Expression
  /// Whether it asks for a value rather than for `NULL`.
  public var isNegated: Bool
  /// Where it stands.
  @SourceSpan public var span: ByteSpan
}
