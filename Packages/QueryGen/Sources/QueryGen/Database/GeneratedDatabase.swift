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
/// requires them: see ``DatabaseFunctions``. If it uses other databases, it requires their locations:
/// see ``DatabaseAttachments``.
public protocol GeneratedDatabase: Sendable {
  /// The functions that the program implements; `Never` if the SQL uses none.
  associatedtype Functions: DatabaseFunctions = Never
  /// The attached databases; `Never` if the SQL uses none.
  associatedtype Attachments: DatabaseAttachments = Never
  /// The migrations that create the schema, in execution order.
  static var migrations: [Migration] { get }
  /// The scripts that create the temporary objects of each connection. By default, there are none.
  static var temporaryScripts: [SQL] { get }
  /// The database that the queries run on.
  var database: Database { get }

  /// Creates an instance from a database whose schema is up to date, and whose connections have the
  /// functions, the attached databases and the temporary objects: see ``DatabaseFunctions``.
  init(migrated database: Database)
}

extension GeneratedDatabase {
  public static var temporaryScripts: [SQL] { [] }

  /// - Parameter path: The path of the file; `nil` for a private in-memory database.
  private init(
    _ path: String?, _ functions: Functions?, _ attachments: Attachments?,
    _ configuration: Configuration
  ) throws {
    let configuration = configuration.preparing(
      Self.self, functions: functions, attachments: attachments)
    try self.init(
      migrating: path.map { try Database(path: $0, configuration: configuration) }
        ?? Database.inMemory(configuration))
  }

  private init(migrating database: Database) throws {
    try database.migrate(Self.migrations)
    self.init(migrated: database)
  }

  private static func open(
    _ path: String, _ functions: Functions?, _ attachments: Attachments?,
    _ configuration: Configuration
  ) async throws -> Self {
    // Migrations that `prepare` runs would block this thread.
    let own = functions.map(configuration.registering) ?? configuration
    for attached in attachments?.databases ?? [] {
      guard case .file(let path) = attached.location else { continue }
      try await migrate(path, attached.migrations, own)
    }
    if attachments != nil || !temporaryScripts.isEmpty { try await migrate(path, migrations, own) }
    let database = try Database(
      path: path,
      configuration: configuration.preparing(self, functions: functions, attachments: attachments))
    try await database.migrate(migrations)
    return Self(migrated: database)
  }

  private static func migrate(
    _ path: String, _ migrations: [Migration], _ configuration: Configuration
  ) async throws {
    let database = try Database(path: path, configuration: configuration)
    try await database.migrate(migrations)
    database.close()
  }
}

extension GeneratedDatabase where Functions == Never, Attachments == Never {
  /// Migrates a database and creates an instance from it.
  ///
  /// - Throws: `SQLiteError` with code `SQLiteError.Code.databaseIsNewer` if a newer version of the
  ///   program has migrated the database; with code `SQLiteError.Code.misuse` if the SQL uses
  ///   temporary objects, which each connection needs from the start; or the error of a migration
  ///   that failed.
  public init(database: Database) throws {
    guard Self.temporaryScripts.isEmpty else {
      throw SQLiteError(
        code: .misuse,
        message: "the SQL of \(Self.self) uses temporary objects: open it with init(path:)")
    }
    try self.init(migrating: database)
  }

  /// Opens a database file, creating it if it does not exist.
  public init(path: String, configuration: Configuration = Configuration()) throws {
    try self.init(path, nil, nil, configuration)
  }

  /// Opens a private in-memory database, which is deleted when it is released.
  public init(configuration: Configuration = Configuration()) throws {
    try self.init(nil, nil, nil, configuration)
  }

  /// Opens a database file, creating it if it does not exist, and runs its migrations without
  /// blocking a thread.
  public static func open(
    path: String, configuration: Configuration = Configuration()
  ) async throws -> Self {
    try await open(path, nil, nil, configuration)
  }
}

extension GeneratedDatabase where Attachments == Never {
  /// Opens a database file, creating it if it does not exist.
  ///
  /// The functions are registered on each connection before the migrations run.
  public init(
    path: String, functions: Functions, configuration: Configuration = Configuration()
  ) throws {
    try self.init(path, functions, nil, configuration)
  }

  /// Opens a private in-memory database, which is deleted when it is released.
  public init(functions: Functions, configuration: Configuration = Configuration()) throws {
    try self.init(nil, functions, nil, configuration)
  }

  /// Opens a database file, creating it if it does not exist, and runs its migrations without
  /// blocking a thread.
  public static func open(
    path: String, functions: Functions, configuration: Configuration = Configuration()
  ) async throws -> Self {
    try await open(path, functions, nil, configuration)
  }
}

extension GeneratedDatabase where Functions == Never {
  /// Opens a database file and the databases that are attached to it. Files that do not exist are
  /// created.
  ///
  /// All of them are migrated, the database itself first.
  ///
  /// - Throws: The errors of opening, migrating and attaching a database; `SQLiteError` with code
  ///   `SQLiteError.Code.misuse` if a private in-memory database is attached, whose content the
  ///   connections would not share.
  public init(
    path: String, attachments: Attachments, configuration: Configuration = Configuration()
  ) throws {
    try self.init(path, nil, attachments, configuration)
  }

  /// Opens a private in-memory database, which is deleted when it is released, and the databases
  /// that are attached to it. These may be in memory too.
  public init(attachments: Attachments, configuration: Configuration = Configuration()) throws {
    try self.init(nil, nil, attachments, configuration)
  }

  /// Opens a database file and the databases that are attached to it, and runs migrations without
  /// blocking a thread.
  public static func open(
    path: String, attachments: Attachments, configuration: Configuration = Configuration()
  ) async throws -> Self {
    try await open(path, nil, attachments, configuration)
  }
}

extension GeneratedDatabase {
  /// Opens a database file and the databases that are attached to it. Files that do not exist are
  /// created.
  ///
  /// The functions are registered on each connection before the migrations run.
  public init(
    path: String, functions: Functions, attachments: Attachments,
    configuration: Configuration = Configuration()
  ) throws {
    try self.init(path, functions, attachments, configuration)
  }

  /// Opens a private in-memory database, which is deleted when it is released, and the databases
  /// that are attached to it. These may be in memory too.
  public init(
    functions: Functions, attachments: Attachments, configuration: Configuration = Configuration()
  ) throws {
    try self.init(nil, functions, attachments, configuration)
  }

  /// Opens a database file and the databases that are attached to it, and runs migrations without
  /// blocking a thread.
  public static func open(
    path: String, functions: Functions, attachments: Attachments,
    configuration: Configuration = Configuration()
  ) async throws -> Self {
    try await open(path, functions, attachments, configuration)
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
