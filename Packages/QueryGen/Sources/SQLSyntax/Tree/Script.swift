/// A file of plain statements, such as a migration.
public struct Script: Equatable, Sendable {
  /// The statements that could be read, in order.
  public var statements: [ScriptStatement]
}

/// One statement of a script, and the comments above it.
public struct ScriptStatement: Equatable, Sendable {
  /// The statement.
  public var statement: Statement
  /// The lines of the comments directly above it, without their markers.
  public var documentation: [String]
}

/// A file of named queries.
public struct QueryFile: Equatable, Sendable {
  /// The queries that could be read, in order.
  public var queries: [NamedQuery]
}

/// A statement with a name: `DEFINE QUERY name AS …;`, `name: …;` or `-- name: name :many`.
public struct NamedQuery: Equatable, Sendable {
  /// Its name.
  public var name: Identifier
  /// The form of its header.
  public var header: Header
  /// The number of rows that the header promises, where it says.
  public var cardinality: Cardinality?
  /// The lines of the comments directly above it, without their markers.
  public var documentation: [String]
  /// The statement.
  public var statement: Statement
  /// Where it stands, from its header to the end of its statement.
  @SourceSpan public var span: ByteSpan

  /// The forms of a header.
  public enum Header: Equatable, Sendable {
    /// `DEFINE QUERY name AS`
    case define
    /// `name:`
    case label
    /// `-- name: name :many`, in a comment of either form
    case comment
  }

  /// What a header in a comment can promise.
  public enum Cardinality: String, Hashable, Sendable, CaseIterable {
    /// One row, or none.
    case one
    /// Any number of rows.
    case many
    /// No rows.
    case exec
    /// No rows; the number changed is wanted.
    case execrows
    /// No rows; the last rowid is wanted.
    case execlastid
    /// No rows; what the engine reports is wanted.
    case execresult
  }
}
