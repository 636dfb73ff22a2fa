extension Connection {
  /// The names of the migrations that the database has gone through, in their order.
  public func appliedMigrations() throws(SQLiteError) -> [String] {
    guard try isMigrated() else { return [] }
    return try values(String.self, "SELECT name FROM holt_migration ORDER BY position")
  }

  /// Brings the database to the state after the last of `migrations`: runs those that it has not
  /// gone through, in their order, each in a transaction of its own.
  ///
  /// A failure leaves the database after the last migration that succeeded. Two processes may do this
  /// at once: each migration runs once.
  ///
  /// - Returns: The names of those that were run now.
  /// - Throws: ``SQLiteError`` with code ``SQLiteError/Code/databaseIsNewer``, before anything is
  ///   changed, where the database has gone through one that is not in the list; otherwise what the
  ///   migration failed with, its name in the message.
  @discardableResult
  public func migrate(_ migrations: [Migration]) throws -> [String] {
    try refuseDuplicates(migrations)
    try refuseNewer(migrations)
    var run: [String] = []
    for migration in migrations where try apply(migration, of: migrations) {
      run.append(migration.name)
    }
    return run
  }

  private func isMigrated() throws(SQLiteError) -> Bool {
    try value(
      Int.self, "SELECT 1 FROM main.sqlite_master WHERE type = 'table' AND name = 'holt_migration'"
    ) != nil
  }

  private func refuseDuplicates(_ migrations: [Migration]) throws(SQLiteError) {
    var seen: Set<String> = []
    for migration in migrations where !seen.insert(migration.name).inserted {
      throw SQLiteError(code: .misuse, message: "two migrations are named \(migration.name)")
    }
  }

  private func refuseNewer(_ migrations: [Migration]) throws(SQLiteError) {
    let known = Set(migrations.map(\.name))
    let unknown = try appliedMigrations().filter { !known.contains($0) }
    guard unknown.isEmpty else {
      throw SQLiteError(
        code: .databaseIsNewer,
        message: "a newer version of the program made this database: it has gone through "
          + unknown.joined(separator: ", ") + ", which this version does not know")
    }
  }

  /// Runs one migration, unless the database has gone through it.
  private func apply(_ migration: Migration, of all: [Migration]) throws -> Bool {
    guard try !appliedMigrations().contains(migration.name) else { return false }
    let suspends =
      migration.foreignKeys == .checkedAtEnd && configuration.enforcesForeignKeys
      && !isInTransaction
    if suspends { try handle.set(.foreignKeys, false) }
    defer { if suspends { try? handle.set(.foreignKeys, true) } }
    do {
      return try transaction(.immediate) {
        // Another process may have been faster, and may know more.
        try refuseNewer(all)
        guard try !appliedMigrations().contains(migration.name) else { return false }
        try execute(
          """
          CREATE TABLE IF NOT EXISTS holt_migration (
            position INTEGER PRIMARY KEY,
            name TEXT NOT NULL UNIQUE,
            applied_at TEXT NOT NULL DEFAULT CURRENT_TIMESTAMP
          )
          """)
        try migration.body(self)
        guard isInTransaction else {
          throw SQLiteError(
            code: .transactionEnded, message: "its SQL ends the transaction that it runs in")
        }
        if suspends { try checkForeignKeys() }
        try run("INSERT INTO holt_migration (name) VALUES (?)", migration.name)
        return true
      }
    } catch let error as SQLiteError {
      throw error.during("migration \(migration.name)")
    }
  }

  /// Fails at the first row that refers to a row which does not exist.
  public func checkForeignKeys() throws {
    try forEach("PRAGMA foreign_key_check") { row in
      let table = try row.read(String.self, at: 0)
      let parent = try row.read(String.self, at: 2)
      let key = try row.read(Int64?.self, at: 1).map { " \($0)" } ?? ""
      throw SQLiteError(
        code: .constraintForeignKey,
        message: "row\(key) of table \(table) refers to a row of \(parent) that does not exist")
    }
  }
}

extension Database {
  /// Brings the database to the state after the last of `migrations`: see
  /// ``Connection/migrate(_:)``.
  @discardableResult
  public func migrate(_ migrations: [Migration]) throws -> [String] {
    try writeWithoutTransaction { try $0.migrate(migrations) }
  }

  /// Brings the database to the state after the last of `migrations`: see
  /// ``Connection/migrate(_:)``.
  @discardableResult
  public func migrate(_ migrations: [Migration]) async throws -> [String] {
    try await writeWithoutTransaction { try $0.migrate(migrations) }
  }
}
