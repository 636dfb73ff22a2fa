/// `WITH [RECURSIVE] …`: the common table expressions of a statement.
public struct WithClause: Equatable, Sendable {
  /// Indicates whether `RECURSIVE` is present. SQLite allows a table to refer to itself either way.
  public var isRecursive: Bool
  /// The tables, in order; never empty.
  public var tables: [CommonTable]
  /// The node's span in the source text.
  @SourceSpan public var span: ByteSpan
}

/// A common table expression: `name (columns) AS [NOT] MATERIALIZED (select)`.
public struct CommonTable: Equatable, Sendable {
  /// The table's name.
  public var name: Identifier
  /// The column names; empty if omitted.
  public var columns: [Identifier]
  /// The materialization hint, if any.
  public var materialization: Materialization?
  /// The select that produces the table's rows.
  public var select: Select
  /// The node's span in the source text.
  @SourceSpan public var span: ByteSpan

  /// A hint that controls whether a common table is materialized.
  public enum Materialization: String, Hashable, Sendable {
    case materialized = "MATERIALIZED"
    case notMaterialized = "NOT MATERIALIZED"
  }
}

/// One item of the result list after `SELECT` or `RETURNING`.
public struct ResultColumn: Equatable, Sendable {
  /// The kind of item.
  public var kind: Kind
  /// The item's span, including its alias.
  @SourceSpan public var span: ByteSpan

  /// The kinds of result column.
  public enum Kind: Equatable, Sendable {
    /// `expression [AS alias]`. Without an alias, SQLite names the result column after the
    /// expression's column, or after the exact source text of any other expression.
    case expression(Expression, alias: Identifier?)
    /// `*`
    case star
    /// `table.*`
    case tableStar(Identifier)
  }
}

/// A definition in a `WINDOW` clause: `name AS (…)`.
public struct WindowDefinition: Equatable, Sendable {
  /// The window's name.
  public var name: Identifier
  /// The window specification.
  public var window: WindowSpecification
  /// The node's span in the source text.
  @SourceSpan public var span: ByteSpan
}

/// The window after `OVER`.
public enum OverClause: Equatable, Sendable {
  /// `OVER name`
  case named(Identifier)
  /// `OVER (…)`
  case specification(WindowSpecification)
}

/// A window specification: the rows that a window function sees.
public struct WindowSpecification: Equatable, Sendable {
  /// The name of the window that this one extends, if any.
  public var base: Identifier?
  /// `PARTITION BY`; empty if absent.
  public var partitionBy: [Expression]
  /// `ORDER BY`; empty if absent.
  public var orderBy: [OrderingTerm]
  /// The frame, if any.
  public var frame: WindowFrame?
  /// The specification's span, including the parentheses.
  @SourceSpan public var span: ByteSpan
}

/// `ROWS BETWEEN … AND … EXCLUDE …`
public struct WindowFrame: Equatable, Sendable {
  /// The unit of the frame's bounds.
  public var unit: Unit
  /// The start of the frame.
  public var start: Bound
  /// The end of the frame. `nil` if omitted, which means the current row.
  public var end: Bound?
  /// The excluded rows, if specified.
  public var exclusion: Exclusion?
  /// The node's span in the source text.
  @SourceSpan public var span: ByteSpan

  /// The unit of a frame's bounds.
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

  /// The rows excluded from a frame.
  public enum Exclusion: String, Hashable, Sendable {
    case noOthers = "NO OTHERS"
    case currentRow = "CURRENT ROW"
    case group = "GROUP"
    case ties = "TIES"
  }
}

/// One term of `ORDER BY`, or one column of an index or key: an expression and its direction.
public struct OrderingTerm: Equatable, Sendable {
  /// The ordering expression. An explicit collation is a ``CollateExpression``.
  public var expression: Expression
  /// `ASC` or `DESC`, if present.
  public var direction: SortDirection?
  /// `NULLS FIRST` or `NULLS LAST`, if present.
  public var nulls: NullsPlacement?
  /// The node's span in the source text.
  @SourceSpan public var span: ByteSpan
}

/// `ASC` or `DESC`.
public enum SortDirection: String, Hashable, Sendable {
  case ascending = "ASC"
  case descending = "DESC"
}

/// The position of `NULL`s in an ordering.
public enum NullsPlacement: String, Hashable, Sendable {
  case first = "NULLS FIRST"
  case last = "NULLS LAST"
}

/// `LIMIT count [OFFSET offset]`.
public struct LimitClause: Equatable, Sendable {
  /// The maximum number of rows to return.
  public var count: Expression
  /// The number of rows to skip first, if any.
  public var offset: Expression?
  /// Indicates whether the clause was written as `LIMIT offset, count`.
  public var isOffsetFirst: Bool
  /// The clause's span, starting at `LIMIT`.
  @SourceSpan public var span: ByteSpan
}
