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

/// One item between `SELECT` (or `RETURNING`) and what follows.
public struct ResultColumn: Equatable, Sendable {
  /// What it is.
  public var kind: Kind
  /// Where it stands, alias included.
  @SourceSpan public var span: ByteSpan

  /// What a result column can be.
  public enum Kind: Equatable, Sendable {
    /// `expression [AS alias]`. Without an alias, SQLite names the column after the exact source
    /// text of the expression, or after the column where the expression is one.
    case expression(Expression, alias: Identifier?)
    /// `*`
    case star
    /// `table.*`
    case tableStar(Identifier)
  }
}

/// One definition of a `WINDOW` clause: `name AS (…)`.
public struct WindowDefinition: Equatable, Sendable {
  /// Its name.
  public var name: Identifier
  /// What stands in its parentheses.
  public var window: WindowSpecification
  /// Where it stands.
  @SourceSpan public var span: ByteSpan
}

/// What stands after `OVER`.
public enum OverClause: Equatable, Sendable {
  /// `OVER name`
  case named(Identifier)
  /// `OVER (…)`
  case specification(WindowSpecification)
}

/// A window: which rows a window function sees.
public struct WindowSpecification: Equatable, Sendable {
  /// The window it extends, where one is named.
  public var base: Identifier?
  /// `PARTITION BY`; empty where not written.
  public var partitionBy: [Expression]
  /// `ORDER BY`; empty where not written.
  public var orderBy: [OrderingTerm]
  /// The frame, where written.
  public var frame: WindowFrame?
  /// Where it stands, with its parentheses.
  @SourceSpan public var span: ByteSpan
}

/// `ROWS BETWEEN … AND … EXCLUDE …`
public struct WindowFrame: Equatable, Sendable {
  /// What the bounds count.
  public var unit: Unit
  /// Where the frame starts.
  public var start: Bound
  /// Where it ends; `nil` where only a start is written, which means the current row.
  public var end: Bound?
  /// Which rows are left out, where written.
  public var exclusion: Exclusion?
  /// Where it stands.
  @SourceSpan public var span: ByteSpan

  /// What the bounds of a frame count.
  public enum Unit: String, Hashable, Sendable {
    case rows = "ROWS"
    case range = "RANGE"
    case groups = "GROUPS"
  }

  /// One end of a frame.
  public enum Bound: Equatable, Sendable {
    case unboundedPreceding
    case preceding(Expression)
    case currentRow
    case following(Expression)
    case unboundedFollowing
  }

  /// Which rows of a frame are left out.
  public enum Exclusion: String, Hashable, Sendable {
    case noOthers = "NO OTHERS"
    case currentRow = "CURRENT ROW"
    case group = "GROUP"
    case ties = "TIES"
  }
}

/// One term of `ORDER BY`, or one column of an index or key: an expression and its direction.
public struct OrderingTerm: Equatable, Sendable {
  /// What to order by. A collation, where written, is a ``CollateExpression`` here.
  public var expression: Expression
  /// `ASC` or `DESC`, where written.
  public var direction: SortDirection?
  /// `NULLS FIRST` or `NULLS LAST`, where written.
  public var nulls: NullsPlacement?
  /// Where it stands.
  @SourceSpan public var span: ByteSpan
}

/// `ASC` or `DESC`.
public enum SortDirection: String, Hashable, Sendable {
  case ascending = "ASC"
  case descending = "DESC"
}

/// Where `NULL`s go in an order.
public enum NullsPlacement: String, Hashable, Sendable {
  case first = "NULLS FIRST"
  case last = "NULLS LAST"
}

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
