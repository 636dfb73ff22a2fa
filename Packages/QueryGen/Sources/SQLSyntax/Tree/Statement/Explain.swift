/// `EXPLAIN [QUERY PLAN] statement`
public struct Explain: Equatable, Sendable {
  /// Whether `QUERY PLAN` is written.
  public var isQueryPlan: Bool
  /// What is explained.
  public var statement: Statement
  /// Where it stands.
  @SourceSpan public var span: ByteSpan
}
