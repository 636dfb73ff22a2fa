extension Connection {
  /// The names of the migrations that the database has gone through, in their order.
  public func appliedMigrations() throws(SQLiteError) -> [String] {
    try migrationRecords().map(\.name)
  }

  /// Brings the database to the state after the last of `migrations`: runs those that it has not
  /// gone through, in their order, each in a transaction of its own.
  ///
  /// A failure leaves the database after the last migration that succeeded. Two processes may do this
  /// at once: each migration runs once.
  ///
  /// ```swift
  /// try connection.migrate(migrations) { progress in
  ///   print("\(progress.index + 1) of \(progress.count): \(progress.migration)")
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - migrations: The whole history, oldest first.
  ///   - last: The migration after which to stop; `nil` for all. A database that is past it stays
  ///     where it is.
  ///   - refusesChanged: Whether a migration of SQL that the database has gone through must still read
  ///     as it did. ``migrationStatus(of:)`` tells in any case.
  ///   - progress: Told before and after each migration, and while it rebuilds tables. What it throws
  ///     stops here: the migration that runs is undone, those before it stay.
  /// - Returns: The names of those that were run now.
  /// - Throws: ``SQLiteError`` with code ``SQLiteError/Code/databaseIsNewer``, before anything is
  ///   changed, where the database has gone through one that is not in the list, or with
  ///   ``SQLiteError/Code/migrationChanged``; with ``SQLiteError/Code/misuse`` where two have one name,
  ///   or none is named `last`; otherwise what the migration failed with, its name in the message,
  ///   and the script and the offset of the statement in it. `CancellationError` where the task was
  ///   cancelled.
  @discardableResult
  public func migrate(
    _ migrations: [Migration], upTo last: String? = nil,
    refusingChanged refusesChanged: Bool = false,
    progress: ((Migration.Progress) throws -> Void)? = nil
  ) throws -> [String] {
    let wanted = try checked(migrations, upTo: last, refusingChanged: refusesChanged)
    let applied = Set(try appliedMigrations())
    let pending = wanted.filter { !applied.contains($0.name) }
    var run: [String] = []
    for (index, migration) in pending.enumerated() {
      func report(_ phase: Migration.Progress.Phase) throws {
        try progress?(
          Migration.Progress(
            migration: migration.name, index: index, count: pending.count, phase: phase))
      }
      try refuseCancelled()
      try report(.began)
      let outer = copyReporter
      if progress != nil { copyReporter = { try report(.copying($0)) } }
      defer { copyReporter = outer }
      if try apply(migration, of: migrations) { run.append(migration.name) }
      try report(.finished)
    }
    return run
  }

  /// Those of `migrations` that are wanted, once what speaks against them has been found absent.
  func checked(
    _ migrations: [Migration], upTo last: String?, refusingChanged: Bool
  ) throws(SQLiteError) -> [Migration] {
    try refuseDuplicates(migrations)
    try refuseNewer(migrations)
    if refusingChanged { try refuseChanged(migrations) }
    guard let last else { return migrations }
    guard let end = migrations.firstIndex(where: { $0.name == last }) else {
      throw SQLiteError(code: .misuse, message: "no migration is named \(last)")
    }
    return Array(migrations[...end])
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

  private func refuseChanged(_ migrations: [Migration]) throws(SQLiteError) {
    let records = try migrationRecords()
    let changed = migrations.filter { migration in
      records.contains { $0.name == migration.name && $0.isChanged(from: migration) }
    }
    guard changed.isEmpty else {
      throw SQLiteError(
        code: .migrationChanged,
        message: "the database has gone through migrations that read otherwise now: "
          + changed.map(\.name).joined(separator: ", "))
    }
  }

  /// Runs one migration, unless the database has gone through it.
  private func apply(_ migration: Migration, of all: [Migration]) throws -> Bool {
    guard try !appliedMigrations().contains(migration.name) else { return false }
    let enforces = try !handle.isInTransaction && areReferencesEnforced
    let suspends = enforces && migration.foreignKeys == .checkedAtEnd
    if suspends { try handle.set(.foreignKeys, false) }
    defer { if suspends { try? handle.set(.foreignKeys, true) } }
    do {
      return try transaction(.immediate) {
        // Another process may have been faster, and may know more.
        try refuseNewer(all)
        guard try !appliedMigrations().contains(migration.name) else { return false }
        try prepareMigrationTable()
        try run(migration, checkingReferences: suspends)
        try writeDown(migration)
        return true
      }
    } catch let error as SQLiteError {
      throw error.during("migration \(migration.name)")
    }
  }

  /// Runs what a migration does, inside a transaction.
  func run(_ migration: Migration, checkingReferences: Bool) throws {
    let checks = checkingReferences ? try foreignKeyChecks : []
    let broken = try BrokenReferences(checks, on: self)
    try migration.body(self)
    guard handle.isInTransaction else {
      throw SQLiteError(
        code: .transactionEnded, message: "its SQL ends the transaction that it runs in")
    }
    if checkingReferences { try broken.refuseOthers(foreignKeyChecks, on: self) }
  }

  /// Enters a migration in the list of those that the database has gone through.
  func writeDown(_ migration: Migration) throws(SQLiteError) {
    try run(
      "INSERT INTO main.holt_migration (name, checksum) VALUES (?, ?)", migration.name,
      migration.checksum)
  }

  func prepareMigrationTable() throws(SQLiteError) {
    try execute(
      """
      CREATE TABLE IF NOT EXISTS main.holt_migration (
        position INTEGER PRIMARY KEY,
        name TEXT NOT NULL UNIQUE,
        applied_at TEXT NOT NULL DEFAULT CURRENT_TIMESTAMP,
        checksum TEXT
      )
      """)
    // Made by a release that wrote no checksums.
    if try !migrationsHaveChecksums() {
      try execute("ALTER TABLE main.holt_migration ADD COLUMN checksum TEXT")
    }
  }

  /// Fails at the first row that refers to a row which does not exist, in any of the connection's
  /// databases.
  ///
  /// - Throws: ``SQLiteError`` with code ``SQLiteError/Code/constraintForeignKey`` that names the
  ///   row. All of them are given by ``foreignKeyViolations(of:in:)``.
  public func checkForeignKeys() throws {
    try BrokenReferences().refuseOthers(foreignKeyChecks, on: self)
  }

  /// What lists the broken references of each database.
  private var foreignKeyChecks: [String] {
    get throws {
      try values(String.self, "SELECT name FROM pragma_database_list ORDER BY seq").map {
        "PRAGMA \(SQLName.quoted($0)).foreign_key_check"
      }
    }
  }

  /// The error of a row that such a check gives.
  static func brokenReference(_ row: borrowing Row) throws(SQLiteError) -> SQLiteError {
    let table = try row.read(String.self, at: 0)
    let parent = try row.read(String.self, at: 2)
    let key = try row.read(Int64?.self, at: 1).map { " \($0)" } ?? ""
    return SQLiteError(
      code: .constraintForeignKey,
      message: "row\(key) of table \(table) refers to a row of \(parent) that does not exist")
  }
}
