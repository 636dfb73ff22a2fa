/// A database with the queries that were generated for it: what `DB` is.
///
/// Opening one brings its schema up to date.
///
/// ```swift
/// let db = try DB(path: "library.sqlite")
/// let scratch = try DB()   // in memory
/// ```
public protocol GeneratedDatabase: Sendable {
  /// The steps that make the schema, in their order.
  static var migrations: [Migration] { get }
  /// Where the queries run.
  var database: Database { get }

  /// Takes a database whose schema is up to date.
  init(migrated database: Database)
}

extension GeneratedDatabase {
  /// Takes a database, and brings its schema up to date.
  ///
  /// - Throws: `SQLiteError` with code `SQLiteError.Code.databaseIsNewer` where a newer version
  ///   of the program has used it, or with what a migration failed with.
  public init(database: Database) throws {
    try database.migrate(Self.migrations)
    self.init(migrated: database)
  }

  /// Opens a file, and creates it where it does not exist.
  public init(path: String, configuration: Configuration = Configuration()) throws {
    try self.init(database: Database(path: path, configuration: configuration))
  }

  /// Opens a database of its own in memory, which is gone when it is let go.
  public init(configuration: Configuration = Configuration()) throws {
    try self.init(database: Database.inMemory(configuration))
  }

  /// Opens a file without a thread that waits while its migrations run.
  public static func open(
    path: String, configuration: Configuration = Configuration()
  ) async throws -> Self {
    let database = try Database(path: path, configuration: configuration)
    try await database.migrate(migrations)
    return Self(migrated: database)
  }
}

/// The texts that a `CHECK` of the schema allows, as an enum: what is generated for such a column.
///
/// Reading another text is an error that names the table and the column.
public protocol SQLiteEnumeration: RawRepresentable<String>, CaseIterable, Codable, Hashable,
  Sendable, SQLiteReadable, SQLiteBindable
{}

/// The integers that a `CHECK` of the schema allows, as an enum: what is generated for such a column
/// where a comment, `AS ENUM low, high`, says what they are called.
///
/// Reading another integer is an error that names the table and the column.
public protocol SQLiteIntegerEnumeration: RawRepresentable<Int>, CaseIterable, Codable, Hashable,
  Sendable, SQLiteReadable, SQLiteBindable
{}
