/// `INSERT INTO …` or `REPLACE INTO …`
public struct Insert: Equatable, Sendable {
  /// `WITH …`
  public var with: WithClause?
  /// Indicates whether the statement was written as `REPLACE INTO`, which means
  /// `INSERT OR REPLACE INTO`.
  public var isReplace: Bool
  /// `OR …`, if present.
  public var conflict: ConflictResolution?
  /// The table and its alias.
  public var table: TableReference
  /// The columns that receive values. Empty if omitted, which means all columns.
  public var columns: [Identifier]
  /// The source of the inserted rows.
  public var source: Source
  /// The `ON CONFLICT` clauses, in order.
  public var upserts: [Upsert]
  /// `RETURNING`; empty if absent.
  public var returning: [ResultColumn]
  /// The node's span in the source text.
  @SourceSpan public var span: ByteSpan

  /// The source of inserted rows.
  public enum Source: Equatable, Sendable {
    /// A select, including `VALUES (…)`.
    case select(Select)
    /// `DEFAULT VALUES`
    case defaultValues
    /// The values of a parameter. SQLite's grammar has no such parameter; it is accepted only if
    /// ``ParserOptions/allowsListParameters`` is set.
    case rows(InsertedRows)
  }
}

/// The parameter that supplies the values of an `INSERT`: `:rows` in `VALUES :rows`, which is a list
/// of rows, or `(:row.*)` in `VALUES (:row.*)`, which is one row.
public struct InsertedRows: Equatable, Sendable {
  /// The parameter.
  public var parameter: Parameter
  /// Indicates whether the parameter is a list of rows.
  public var isList: Bool
  /// The span of the text in whose place SQLite expects values, including parentheses.
  @SourceSpan public var span: ByteSpan
}

/// `UPDATE … SET …`
public struct Update: Equatable, Sendable {
  /// `WITH …`
  public var with: WithClause?
  /// `OR …`, if present.
  public var conflict: ConflictResolution?
  /// The table, its alias and its `INDEXED BY`.
  public var table: TableReference
  /// The assignments; never empty.
  public var assignments: [Assignment]
  /// The sources after `FROM`, if any.
  public var from: FromClause?
  /// The condition after `WHERE`, if any.
  public var `where`: Expression?
  /// `RETURNING`; empty if absent.
  public var returning: [ResultColumn]
  /// `ORDER BY`; empty if absent.
  public var orderBy: [OrderingTerm]
  /// `LIMIT`
  public var limit: LimitClause?
  /// The node's span in the source text.
  @SourceSpan public var span: ByteSpan
}

/// `DELETE FROM …`
public struct Delete: Equatable, Sendable {
  /// `WITH …`
  public var with: WithClause?
  /// The table, its alias and its `INDEXED BY`.
  public var table: TableReference
  /// The condition after `WHERE`, if any.
  public var `where`: Expression?
  /// `RETURNING`; empty if absent.
  public var returning: [ResultColumn]
  /// `ORDER BY`; empty if absent.
  public var orderBy: [OrderingTerm]
  /// `LIMIT`
  public var limit: LimitClause?
  /// The node's span in the source text.
  @SourceSpan public var span: ByteSpan
}
