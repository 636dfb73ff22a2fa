/// `operand COLLATE collation`
public struct CollateExpression: Equatable, Sendable {
  /// What is compared.
  public var operand: Expression
  /// The collation's name.
  public var collation: Identifier
  /// Where it stands.
  @SourceSpan public var span: ByteSpan
}
