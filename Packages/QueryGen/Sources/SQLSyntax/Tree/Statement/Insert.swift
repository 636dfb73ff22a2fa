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
