/// `EXISTS (select)`; `NOT EXISTS` is a ``UnaryExpression`` around it.
public struct ExistsExpression: Equatable, Sendable {
  /// The select.
  public var select: Select
  /// Where it stands.
  @SourceSpan public var span: ByteSpan
}
