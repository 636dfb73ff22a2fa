/// A file of plain statements, such as a migration.
public struct Script: Equatable, Sendable {
  /// The statements without syntax errors, in order.
  public var statements: [ScriptStatement]
  /// The declarations in comments, in order.
  public var declarations: [Declaration]
}

/// A statement of a script and the comments above it.
public struct ScriptStatement: Equatable, Sendable {
  /// The statement.
  public var statement: Statement
  /// The lines of the comments directly above the statement, without comment markers.
  public var documentation: [String]
}

/// A file of named queries.
public struct QueryFile: Equatable, Sendable {
  /// The queries without syntax errors, in order.
  public var queries: [NamedQuery]
  /// The declarations in comments, in order.
  public var declarations: [Declaration]
}

/// A statement with a name: `DEFINE QUERY name AS …;`, `name: …;` or `-- name: name :many`. A block
/// of several statements, `BEGIN …; …; END`, can be in its place.
public struct NamedQuery: Equatable, Sendable {
  /// The query's name.
  public var name: Identifier
  /// The form of the header.
  public var header: Header
  /// The number of rows that the header specifies, if any.
  public var cardinality: Cardinality?
  /// The lines of the comments directly above the query, without comment markers.
  public var documentation: [String]
  /// The statements, in execution order; never empty.
  public var statements: [Statement]
  /// The parts of the statements that the caller may choose.
  public var annotations: QueryAnnotations
  /// The query's span, from its header to the end of its statement or block.
  @SourceSpan public var span: ByteSpan

  /// The last statement, whose result is that of the query.
  public var statement: Statement { statements[statements.count - 1] }

  /// The forms of a header.
  public enum Header: Equatable, Sendable {
    /// `DEFINE QUERY name AS`
    case define
    /// `name:`
    case label
    /// `-- name: name :many`, in a comment of either form
    case comment
  }

  /// The results that a header in a comment can specify.
  public enum Cardinality: String, Hashable, Sendable, CaseIterable {
    /// At most one row.
    case one
    /// Any number of rows.
    case many
    /// No rows.
    case exec
    /// No rows; the result is the number of changed rows.
    case execrows
    /// No rows; the result is the last inserted rowid.
    case execlastid
    /// No rows; the result is the engine's report.
    case execresult
  }
}
