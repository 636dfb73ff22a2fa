/// `WITH [RECURSIVE] …`: the common tables that a statement begins with.
public struct WithClause: Equatable, Sendable {
  /// Whether `RECURSIVE` is written. SQLite lets a table refer to itself either way.
  public var isRecursive: Bool
  /// The tables, in order; never empty.
  public var tables: [CommonTable]
  /// Where it stands.
  @SourceSpan public var span: ByteSpan
}

/// One table of a `WITH` clause: `name (columns) AS [NOT] MATERIALIZED (select)`.
public struct CommonTable: Equatable, Sendable {
  /// Its name.
  public var name: Identifier
  /// The names of its columns; empty where none are written.
  public var columns: [Identifier]
  /// The hint, where written.
  public var materialization: Materialization?
  /// Its rows.
  public var select: Select
  /// Where it stands.
  @SourceSpan public var span: ByteSpan

  /// A hint whether to keep the rows of a common table.
  public enum Materialization: String, Hashable, Sendable {
    case materialized = "MATERIALIZED"
    case notMaterialized = "NOT MATERIALIZED"
  }
}
