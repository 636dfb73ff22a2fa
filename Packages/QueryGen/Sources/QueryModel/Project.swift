/// The contents of a project's SQL files, as plain values for the emitter.
///
/// `SQLSemantics` creates it, and `SwiftEmitter` reads it. It is independent of SQL's syntax and of
/// Swift.
public struct Project: Hashable, Sendable {
  /// The tables of all schemas after the last migration, sorted by name.
  public var tables: [TableDefinition]
  /// The migrations, in execution order.
  public var migrations: [MigrationDefinition]
  /// The scripts that create the temporary objects of each connection, in execution order.
  public var temporary: [MigrationDefinition] = []
  /// The databases that are attached to each connection, in the order of their attachment.
  public var attachments: [AttachmentDefinition] = []
  /// The query files, sorted by path.
  public var files: [QueryFile]
  /// The functions, collations and modules that SQLite does not have built in.
  public var declarations: Declarations
  /// The types that the schema declares, sorted by name.
  public var types: [TypeDefinition] = []

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

/// A database that is attached to each connection.
public struct AttachmentDefinition: Hashable, Sendable {
  /// The name of the schema.
  public var schema: String
  /// The database type, if it is generated in the same module.
  public var type: String?
  /// The migrations that create the schema of the attached database, in execution order.
  public var migrations: [MigrationDefinition]

  public init(schema: String, type: String? = nil, migrations: [MigrationDefinition]) {
    self.schema = schema
    self.type = type
    self.migrations = migrations
  }
}

/// A script, such as a migration: its file's name without extension, and its SQL as SQLite runs it.
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
