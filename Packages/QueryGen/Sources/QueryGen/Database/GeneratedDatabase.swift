/// A database type with the queries that were generated for it, such as `DB`.
///
/// Opening a database migrates its schema.
///
/// ```swift
/// let db = try DB(path: "library.sqlite")
/// let scratch = try DB()   // in memory
/// ```
///
/// If the SQL uses functions, collations or modules that the program implements, opening a database
/// requires them: see ``DatabaseFunctions``.
public protocol GeneratedDatabase: Sendable {
  /// The functions that the program implements; `Never` if the SQL uses none.
  associatedtype Functions: DatabaseFunctions = Never
  /// The migrations that create the schema, in execution order.
  static var migrations: [Migration] { get }
  /// The database that the queries run on.
  var database: Database { get }

  /// Creates an instance from a database whose schema is up to date, and whose connections have the
  /// functions: see ``DatabaseFunctions``.
  init(migrated database: Database)
}

extension GeneratedDatabase where Functions == Never {
  /// Migrates a database and creates an instance from it.
  ///
  /// - Throws: `SQLiteError` with code `SQLiteError.Code.databaseIsNewer` if a newer version of the
  ///   program has migrated the database, or the error of a migration that failed.
  public init(database: Database) throws {
    try database.migrate(Self.migrations)
    self.init(migrated: database)
  }

  /// Opens a database file, creating it if it does not exist.
  public init(path: String, configuration: Configuration = Configuration()) throws {
    try self.init(database: Database(path: path, configuration: configuration))
  }

  /// Opens a private in-memory database, which is deleted when it is released.
  public init(configuration: Configuration = Configuration()) throws {
    try self.init(database: Database.inMemory(configuration))
  }

  /// Opens a database file, creating it if it does not exist, and runs its migrations without
  /// blocking a thread.
  public static func open(
    path: String, configuration: Configuration = Configuration()
  ) async throws -> Self {
    let database = try Database(path: path, configuration: configuration)
    try await database.migrate(migrations)
    return Self(migrated: database)
  }
}

extension GeneratedDatabase {
  /// Opens a database file, creating it if it does not exist.
  ///
  /// The functions are registered on each connection before the migrations run.
  public init(
    path: String, functions: Functions, configuration: Configuration = Configuration()
  ) throws {
    try self.init(
      migrating: Database(path: path, configuration: configuration.registering(functions)))
  }

  /// Opens a private in-memory database, which is deleted when it is released.
  public init(functions: Functions, configuration: Configuration = Configuration()) throws {
    try self.init(migrating: Database.inMemory(configuration.registering(functions)))
  }

  /// Opens a database file, creating it if it does not exist, and runs its migrations without
  /// blocking a thread.
  public static func open(
    path: String, functions: Functions, configuration: Configuration = Configuration()
  ) async throws -> Self {
    let database = try Database(path: path, configuration: configuration.registering(functions))
    try await database.migrate(migrations)
    return Self(migrated: database)
  }

  private init(migrating database: Database) throws {
    try database.migrate(Self.migrations)
    self.init(migrated: database)
  }
}

/// An enum of the strings that a column's `CHECK` constraint allows, as generated for such a
/// column.
///
/// Reading any other text throws an error that names the table and the column.
public protocol SQLiteEnumeration: RawRepresentable<String>, CaseIterable, Codable, Hashable,
  Sendable, SQLiteReadable, SQLiteBindable
{}

/// An enum of the integers that a column's `CHECK` constraint allows, as generated for such a
/// column if a comment, `AS ENUM low, high`, names the values.
///
/// Reading any other integer throws an error that names the table and the column.
public protocol SQLiteIntegerEnumeration: RawRepresentable<Int>, CaseIterable, Codable, Hashable,
  Sendable, SQLiteReadable, SQLiteBindable
{}
