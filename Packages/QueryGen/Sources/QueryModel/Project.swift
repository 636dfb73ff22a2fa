/// Everything that a project's SQL says, as plain values: what the emitter needs, and nothing else.
///
/// `SQLSemantics` makes it, `SwiftEmitter` reads it. It knows neither SQL's syntax nor Swift's.
public struct Project: Hashable, Sendable {
  /// The schema after the last migration, sorted by name.
  public var tables: [TableDefinition]
  /// The migrations, in the order in which they run.
  public var migrations: [MigrationDefinition]
  /// The query files, sorted by path.
  public var files: [QueryFile]

  public init(
    tables: [TableDefinition], migrations: [MigrationDefinition], files: [QueryFile]
  ) {
    self.tables = tables
    self.migrations = migrations
    self.files = files
  }
}

/// One migration file: its name without extension, and its SQL as SQLite is to run it.
public struct MigrationDefinition: Hashable, Sendable {
  public var name: String
  public var sql: String

  public init(name: String, sql: String) {
    self.name = name
    self.sql = sql
  }
}

/// One file of queries.
public struct QueryFile: Hashable, Sendable {
  /// The file's name without extension, unique in its project.
  public var name: String
  public var queries: [QueryDefinition]

  public init(name: String, queries: [QueryDefinition]) {
    self.name = name
    self.queries = queries
  }
}
