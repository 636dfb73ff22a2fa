internal import QueryGen
internal import SQLiteCore

/// Generated queries without a database: whoever has one gives them a connection.
enum Unconnected {
  /// In the place of a database that is not used.
  private static let closed = Result<Database, any Error> {
    let database = try Database.inMemory(Configuration())
    database.close()
    return database
  }

  static func query<DB: GeneratedDatabase, Statement: StatementQuery>(
    _ path: KeyPath<DB, Statement>
  ) throws -> Statement {
    DB(migrated: try closed.get())[keyPath: path]
  }
}
