/// `(select)` as a value, or as a row value where it has several columns.
public struct SubqueryExpression: Equatable, Sendable {
  /// The select.
  public var select: Select
  /// Where it stands, parentheses included.
  @SourceSpan public var span: ByteSpan
}
