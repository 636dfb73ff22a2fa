/// A statement of SQL.
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
  case release(Release)
  case explain(Explain)

  /// Where it stands, without the `;` after it.
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
  /// Whether `QUERY PLAN` is written.
  public var isQueryPlan: Bool
  /// What is explained.
  public var statement: Statement
  /// Where it stands.
  @SourceSpan public var span: ByteSpan
}

/// `ATTACH [DATABASE] file AS schema [KEY key]`
public struct Attach: Equatable, Sendable {
  /// The file.
  public var file: Expression
  /// The schema it is to be; a bare word is its name.
  public var schema: Expression
  /// The key, which SQLite ignores.
  public var key: Expression?
  /// Where it stands.
  @SourceSpan public var span: ByteSpan
}

/// `DETACH [DATABASE] schema`
public struct Detach: Equatable, Sendable {
  /// The schema; a bare word is its name.
  public var schema: Expression
  /// Where it stands.
  @SourceSpan public var span: ByteSpan
}

/// `ANALYZE [name]`
public struct Analyze: Equatable, Sendable {
  /// A schema, a table or an index; `nil` for all.
  public var name: QualifiedName?
  /// Where it stands.
  @SourceSpan public var span: ByteSpan
}

/// `REINDEX [name]`
public struct Reindex: Equatable, Sendable {
  /// A collation, a table or an index; `nil` for all.
  public var name: QualifiedName?
  /// Where it stands.
  @SourceSpan public var span: ByteSpan
}

/// `VACUUM [schema] [INTO file]`
public struct Vacuum: Equatable, Sendable {
  /// The schema.
  public var schema: Identifier?
  /// The file to write to.
  public var into: Expression?
  /// Where it stands.
  @SourceSpan public var span: ByteSpan
}

/// `PRAGMA name`, `PRAGMA name = value`, `PRAGMA name(value)`
public struct Pragma: Equatable, Sendable {
  /// The pragma, perhaps with a schema.
  public var name: QualifiedName
  /// The value, where one is given.
  public var value: Value?
  /// Whether the value is written in parentheses.
  public var isCall: Bool
  /// Where it stands.
  @SourceSpan public var span: ByteSpan

  /// What a pragma can be given.
  public enum Value: Equatable, Sendable {
    /// A number with its sign, as written.
    case number(String)
    /// A word or a string; `ON`, `DELETE` and `DEFAULT` too.
    case name(Identifier)
  }
}

/// `BEGIN [DEFERRED|IMMEDIATE|EXCLUSIVE] [TRANSACTION [name]]`
public struct Begin: Equatable, Sendable {
  /// The mode, where written.
  public var mode: Mode?
  /// The name, which SQLite ignores.
  public var name: Identifier?
  /// Where it stands.
  @SourceSpan public var span: ByteSpan

  /// When locks are taken.
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
  /// Where it stands.
  @SourceSpan public var span: ByteSpan
}

/// `ROLLBACK [TRANSACTION [name]] [TO [SAVEPOINT] savepoint]`
public struct Rollback: Equatable, Sendable {
  /// The name, which SQLite ignores.
  public var name: Identifier?
  /// The savepoint to go back to; `nil` for the whole transaction.
  public var savepoint: Identifier?
  /// Where it stands.
  @SourceSpan public var span: ByteSpan
}

/// `SAVEPOINT name`
public struct Savepoint: Equatable, Sendable {
  /// Its name.
  public var name: Identifier
  /// Where it stands.
  @SourceSpan public var span: ByteSpan
}

/// `RELEASE [SAVEPOINT] name`
public struct Release: Equatable, Sendable {
  /// The savepoint.
  public var name: Identifier
  /// Where it stands.
  @SourceSpan public var span: ByteSpan
}
