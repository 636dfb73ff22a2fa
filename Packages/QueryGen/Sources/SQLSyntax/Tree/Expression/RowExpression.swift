/// A row value, `(x, y)`.
public struct RowExpression: Equatable, Sendable {
  /// The elements; two or more.
  public var elements: [Expression]
  /// Where it stands, parentheses included.
  @SourceSpan public var span: ByteSpan
}
