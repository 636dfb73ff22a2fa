/// `DELETE FROM …`
public struct Delete: Equatable, Sendable {
  /// `WITH …`
  public var with: WithClause?
  /// The table, its alias and its index.
  public var table: TableReference
  /// What follows `WHERE`.
  public var `where`: Expression?
  /// `RETURNING`; empty where not written.
  public var returning: [ResultColumn]
  /// `ORDER BY`; empty where not written.
  public var orderBy: [OrderingTerm]
  /// `LIMIT`
  public var limit: LimitClause?
  /// Where it stands.
  @SourceSpan public var span: ByteSpan
}
