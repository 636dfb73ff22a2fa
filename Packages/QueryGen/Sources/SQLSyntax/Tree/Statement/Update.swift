/// `UPDATE … SET …`
public struct Update: Equatable, Sendable {
  /// `WITH …`
  public var with: WithClause?
  /// `OR …`, where written.
  public var conflict: ConflictResolution?
  /// The table, its alias and its index.
  public var table: TableReference
  /// What is set; never empty.
  public var assignments: [Assignment]
  /// What follows `FROM`.
  public var from: FromClause?
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
