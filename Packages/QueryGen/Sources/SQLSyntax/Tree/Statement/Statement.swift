/// An SQL statement.
public indirect enum Statement: Equatable, Sendable {
  case select(Select)
  case insert(Insert)
  case update(Update)
  case delete(Delete)
  case createTable(CreateTable)
  case createIndex(CreateIndex)
  case createView(CreateView)
  case createTrigger(CreateTrigger)
  case createVirtualTable(CreateVirtualTable)
  case alterTable(AlterTable)
  case drop(Drop)
  case pragma(Pragma)
  case attach(Attach)
  case detach(Detach)
  case analyze(Analyze)
  case reindex(Reindex)
  case vacuum(Vacuum)
  case begin(Begin)
  case commit(Commit)
  case rollback(Rollback)
  case savepoint(Savepoint)
  case release(Savepoint)
  case explain(Explain)

  /// The statement's span, without the trailing `;`.
  public var span: ByteSpan {
    switch self {
    case .select(let node): node.span
    case .insert(let node): node.span
    case .update(let node): node.span
    case .delete(let node): node.span
    case .createTable(let node): node.span
    case .createIndex(let node): node.span
    case .createView(let node): node.span
    case .createTrigger(let node): node.span
    case .createVirtualTable(let node): node.span
    case .alterTable(let node): node.span
    case .drop(let node): node.span
    case .pragma(let node): node.span
    case .attach(let node): node.span
    case .detach(let node): node.span
    case .analyze(let node): node.span
    case .reindex(let node): node.span
    case .vacuum(let node): node.span
    case .begin(let node): node.span
    case .commit(let node): node.span
    case .rollback(let node): node.span
    case .savepoint(let node): node.span
    case .release(let node): node.span
    case .explain(let node): node.span
    }
  }
}

/// `EXPLAIN [QUERY PLAN] statement`
public struct Explain: Equatable, Sendable {
  /// Indicates whether `QUERY PLAN` is present.
  public var isQueryPlan: Bool
  /// The explained statement.
  public var statement: Statement
  /// The node's span in the source text.
  @SourceSpan public var span: ByteSpan
}

/// `ATTACH [DATABASE] file AS schema [KEY key]`
public struct Attach: Equatable, Sendable {
  /// The file.
  public var file: Expression
  /// The name of the attached schema. A bare word is used literally.
  public var schema: Expression
  /// The key, which SQLite ignores.
  public var key: Expression?
  /// The node's span in the source text.
  @SourceSpan public var span: ByteSpan
}

/// `DETACH [DATABASE] schema`
public struct Detach: Equatable, Sendable {
  /// The name of the schema. A bare word is used literally.
  public var schema: Expression
  /// The node's span in the source text.
  @SourceSpan public var span: ByteSpan
}

/// `ANALYZE [name]`
public struct Analyze: Equatable, Sendable {
  /// A schema, a table or an index; `nil` for all.
  public var name: QualifiedName?
  /// The node's span in the source text.
  @SourceSpan public var span: ByteSpan
}

/// `REINDEX [name]`
public struct Reindex: Equatable, Sendable {
  /// A collation, a table or an index; `nil` for all.
  public var name: QualifiedName?
  /// The node's span in the source text.
  @SourceSpan public var span: ByteSpan
}

/// `VACUUM [schema] [INTO file]`
public struct Vacuum: Equatable, Sendable {
  /// The schema.
  public var schema: Identifier?
  /// The file to write to.
  public var into: Expression?
  /// The node's span in the source text.
  @SourceSpan public var span: ByteSpan
}

/// `PRAGMA name`, `PRAGMA name = value`, `PRAGMA name(value)`
public struct Pragma: Equatable, Sendable {
  /// The pragma's name, optionally with a schema.
  public var name: QualifiedName
  /// The value, if any.
  public var value: Value?
  /// Indicates whether the value is in parentheses.
  public var isCall: Bool
  /// The node's span in the source text.
  @SourceSpan public var span: ByteSpan

  /// The kinds of pragma value.
  public enum Value: Equatable, Sendable {
    /// A number with its sign, in its original spelling.
    case number(String)
    /// A word or a string, including `ON`, `DELETE` and `DEFAULT`.
    case name(Identifier)
  }
}

/// `BEGIN [DEFERRED|IMMEDIATE|EXCLUSIVE] [TRANSACTION [name]]`
public struct Begin: Equatable, Sendable {
  /// The mode, if specified.
  public var mode: Mode?
  /// The name, which SQLite ignores.
  public var name: Identifier?
  /// The node's span in the source text.
  @SourceSpan public var span: ByteSpan

  /// The time at which a transaction acquires its locks.
  public enum Mode: String, Hashable, Sendable {
    case deferred = "DEFERRED"
    case immediate = "IMMEDIATE"
    case exclusive = "EXCLUSIVE"
  }
}

/// `COMMIT [TRANSACTION [name]]`, `END [TRANSACTION [name]]`
public struct Commit: Equatable, Sendable {
  /// The name, which SQLite ignores.
  public var name: Identifier?
  /// The node's span in the source text.
  @SourceSpan public var span: ByteSpan
}

/// `ROLLBACK [TRANSACTION [name]] [TO [SAVEPOINT] savepoint]`
public struct Rollback: Equatable, Sendable {
  /// The name, which SQLite ignores.
  public var name: Identifier?
  /// The savepoint to roll back to; `nil` for the whole transaction.
  public var savepoint: Identifier?
  /// The node's span in the source text.
  @SourceSpan public var span: ByteSpan
}

/// `SAVEPOINT name`, `RELEASE [SAVEPOINT] name`
public struct Savepoint: Equatable, Sendable {
  /// The savepoint's name.
  public var name: Identifier
  /// The node's span in the source text.
  @SourceSpan public var span: ByteSpan
}
