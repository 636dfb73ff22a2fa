/// An expression in parentheses.
public struct ParenthesizedExpression: Equatable, Sendable {
  /// What stands inside.
  public var inner: Expression
  /// Where it stands, parentheses included.
  @SourceSpan public var span: ByteSpan
}
