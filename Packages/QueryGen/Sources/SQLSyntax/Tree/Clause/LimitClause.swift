/// `LIMIT count [OFFSET offset]`.
public struct LimitClause: Equatable, Sendable {
  /// The most rows to give.
  public var count: Expression
  /// The rows to leave out first.
  public var offset: Expression?
  /// Whether it was written `LIMIT offset, count`.
  public var isOffsetFirst: Bool
  /// Where it stands, from `LIMIT`.
  @SourceSpan public var span: ByteSpan
}
