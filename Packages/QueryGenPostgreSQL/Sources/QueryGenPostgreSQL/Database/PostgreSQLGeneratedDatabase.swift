/// A database type with the queries that were generated for it, such as `DB`.
///
/// Opening a database migrates its schema.
///
/// ```swift
/// let db = try await DB.open(PostgreSQLConfiguration(url: "postgres://app@localhost/shop"))
/// for todo in try await db.openTodos.execute() { print(todo.title) }
/// ```
public protocol PostgreSQLGeneratedDatabase: Sendable {
  /// The migrations that create the schema, in execution order.
  static var migrations: [PostgreSQLMigration] { get }
  /// The database that the queries run on.
  var database: PostgreSQLDatabase { get }

  /// Creates an instance from a database whose schema is up to date.
  init(migrated database: PostgreSQLDatabase)
}

extension PostgreSQLGeneratedDatabase {
  /// Migrates a database and creates an instance from it.
  ///
  /// - Throws: The errors of `PostgreSQLDatabase.migrate(_:upTo:refusingChanged:progress:)`.
  public init(database: PostgreSQLDatabase) async throws {
    try await database.migrate(Self.migrations)
    self.init(migrated: database)
  }

  /// Connects to a database, and migrates it.
  ///
  /// - Throws: The errors of connecting, and of
  ///   `PostgreSQLDatabase.migrate(_:upTo:refusingChanged:progress:)`.
  public static func open(_ configuration: PostgreSQLConfiguration) async throws -> Self {
    let database = PostgreSQLDatabase(configuration)
    do {
      return try await Self(database: database)
    } catch {
      database.close()
      throw error
    }
  }
}

/// An enum of the values of a PostgreSQL enumeration, as generated for such a type.
///
/// Reading a value that has no case throws an error that names the column.
public protocol PostgreSQLEnumeration: RawRepresentable<String>, CaseIterable, Codable, Hashable,
  Sendable, PostgreSQLReadable, PostgreSQLBindable
{}

/// A struct of the attributes of a PostgreSQL composite type, as generated for such a type.
public protocol PostgreSQLComposite: Hashable, Sendable, PostgreSQLReadable, PostgreSQLBindable {}

/// Helpers for generated code.
extension PostgreSQLField {
  /// Passes each attribute of a composite value to `body`, with its index.
  ///
  /// - Throws: `PostgreSQLError` with code `PostgreSQLError.Code.typeMismatch` if the value has another number of
  ///   attributes; the error of `body`.
  public func readAttributes(
    count: Int, _ body: (Int, borrowing PostgreSQLField) throws(PostgreSQLError) -> Void
  ) throws(PostgreSQLError) {
    var index = 0
    let found = try forEachAttribute { attribute throws(PostgreSQLError) in
      if index < count { try body(index, attribute) }
      index += 1
    }
    guard found == count else {
      throw unreadable(
        "the value has \(found) attributes, not \(count): generate the code again",
        code: .typeMismatch)
    }
  }
}
