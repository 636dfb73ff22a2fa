/// `INSERT INTO …` or `REPLACE INTO …`
public struct Insert: Equatable, Sendable {
  /// `WITH …`
  public var with: WithClause?
  /// Whether it is written `REPLACE INTO`, which means `INSERT OR REPLACE INTO`.
  public var isReplace: Bool
  /// `OR …`, where written.
  public var conflict: ConflictResolution?
  /// The table, and its alias.
  public var table: TableReference
  /// The columns given; empty where none are written, which means all.
  public var columns: [Identifier]
  /// The rows.
  public var source: Source
  /// The `ON CONFLICT` clauses, in order.
  public var upserts: [Upsert]
  /// `RETURNING`; empty where not written.
  public var returning: [ResultColumn]
  /// Where it stands.
  @SourceSpan public var span: ByteSpan

  /// Where the rows come from.
  public enum Source: Equatable, Sendable {
    /// A select; `VALUES (…)` too.
    case select(Select)
    /// `DEFAULT VALUES`
    case defaultValues
  }
}

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
