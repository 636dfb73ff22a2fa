/// The contents of a project's SQL files, as plain values for the emitter.
///
/// `SQLSemantics` creates it, and `SwiftEmitter` reads it. It is independent of SQL's syntax and of
/// Swift.
public struct Project: Hashable, Sendable {
  /// The schema after the last migration, sorted by name.
  public var tables: [TableDefinition]
  /// The migrations, in execution order.
  public var migrations: [MigrationDefinition]
  /// The query files, sorted by path.
  public var files: [QueryFile]
  /// The functions, collations and modules that SQLite does not have built in.
  public var declarations: Declarations

  public init(
    tables: [TableDefinition], migrations: [MigrationDefinition], files: [QueryFile],
    declarations: Declarations = Declarations()
  ) {
    self.tables = tables
    self.migrations = migrations
    self.files = files
    self.declarations = declarations
  }
}

/// A migration file: its name without extension, and its SQL as SQLite runs it.
public struct MigrationDefinition: Hashable, Sendable {
  public var name: String
  public var sql: String

  public init(name: String, sql: String) {
    self.name = name
    self.sql = sql
  }
}

/// A query file.
public struct QueryFile: Hashable, Sendable {
  /// The file's name without extension, unique in its project.
  public var name: String
  public var queries: [QueryDefinition]

  public init(name: String, queries: [QueryDefinition]) {
    self.name = name
    self.queries = queries
  }
}
