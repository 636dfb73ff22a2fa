extension Connection {
  /// Returns the names of the applied migrations, in order.
  public func appliedMigrations() throws(SQLiteError) -> [String] {
    try migrationRecords().map(\.name)
  }

  /// Migrates the database: runs the migrations that have not been applied yet, in order, each in its own transaction.
  ///
  /// After a failure, the migrations that succeeded remain applied. Several processes can migrate concurrently: each
  /// migration runs once.
  ///
  /// ```swift
  /// try connection.migrate(migrations) { progress in
  ///   print("\(progress.index + 1) of \(progress.count): \(progress.migration)")
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - migrations: All migrations, oldest first.
  ///   - last: The last migration to run, or `nil` to run all. A database that is past it is left unchanged.
  ///   - refusesChanged: Whether to throw an error if the SQL of an applied migration has changed.
  ///     ``migrationStatus(of:)`` reports changed migrations in any case.
  ///   - progress: Called before and after each migration, and while it rebuilds tables. If it throws, the current
  ///     migration is rolled back, and those before it remain applied.
  /// - Returns: The names of the migrations that were run.
  /// - Throws: ``SQLiteError`` with code ``SQLiteError/Code/databaseIsNewer`` if an applied migration is not in the
  ///   list, or ``SQLiteError/Code/migrationChanged`` if `refusesChanged` is set and an applied migration's SQL has
  ///   changed, both before the database is changed; ``SQLiteError/Code/misuse`` if two migrations have the same name,
  ///   or none is named `last`; otherwise the error of the migration, with its name in the message, the script, and the
  ///   offset of the statement. `CancellationError` if the task is cancelled.
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
      try checkCancelled()
      try report(.began)
      let outer = copyProgressHandler
      if progress != nil {
        copyProgressHandler = {
          try report(.copying(.init(table: $0, rowsDone: $1, rowsTotal: $2)))
        }
      }
      defer { copyProgressHandler = outer }
      if try apply(migration, of: migrations) { run.append(migration.name) }
      try report(.finished)
    }
    return run
  }

  /// Checks the migrations, and returns those up to `last`.
  func checked(
    _ migrations: [Migration], upTo last: String?, refusingChanged: Bool
  ) throws(SQLiteError) -> [Migration] {
    try checkUniqueNames(migrations)
    try checkNotNewer(migrations)
    if refusingChanged { try checkUnchanged(migrations) }
    guard let last else { return migrations }
    guard let end = migrations.firstIndex(where: { $0.name == last }) else {
      throw SQLiteError(code: .misuse, message: "no migration is named \(last)")
    }
    return Array(migrations[...end])
  }

  private func checkUniqueNames(_ migrations: [Migration]) throws(SQLiteError) {
    var seen: Set<String> = []
    for migration in migrations where !seen.insert(migration.name).inserted {
      throw SQLiteError(code: .misuse, message: "two migrations are named \(migration.name)")
    }
  }

  private func checkNotNewer(_ migrations: [Migration]) throws(SQLiteError) {
    let names = Set(migrations.map(\.name))
    let unknown = try appliedMigrations().filter { !names.contains($0) }
    guard unknown.isEmpty else {
      throw SQLiteError(
        code: .databaseIsNewer,
        message: "this database was created by a newer version of the program: it has applied "
          + unknown.joined(separator: ", ") + ", which this version does not contain")
    }
  }

  private func checkUnchanged(_ migrations: [Migration]) throws(SQLiteError) {
    let records = try migrationRecords()
    let changed = migrations.filter { migration in
      records.contains { $0.name == migration.name && $0.isChanged(from: migration) }
    }
    guard changed.isEmpty else {
      throw SQLiteError(
        code: .migrationChanged,
        message: "migrations were changed after they had been applied to the database: "
          + changed.map(\.name).joined(separator: ", "))
    }
  }

  /// Runs one migration, unless it is already applied.
  private func apply(_ migration: Migration, of all: [Migration]) throws -> Bool {
    guard try !appliedMigrations().contains(migration.name) else { return false }
    let enforces = try !handle.isInTransaction && areForeignKeysEnforced
    let suspends = enforces && migration.foreignKeys == .checkedAtEnd
    if suspends { try handle.setIfSupported(.foreignKeys, to: false) }
    defer { if suspends { try? handle.setIfSupported(.foreignKeys, to: true) } }
    do {
      return try transaction(.immediate) {
        // Another process may have run this migration, or newer ones, meanwhile.
        try checkNotNewer(all)
        guard try !appliedMigrations().contains(migration.name) else { return false }
        try prepareMigrationTable()
        try run(migration, checkingReferences: suspends)
        try recordMigration(migration)
        return true
      }
    } catch let error as SQLiteError {
      throw error.addingContext("migration \(migration.name)")
    }
  }

  /// Runs a migration's body inside a transaction.
  func run(_ migration: Migration, checkingReferences: Bool) throws {
    let checks = checkingReferences ? try foreignKeyChecks : []
    let broken = try ForeignKeyViolationBaseline(checks, on: self)
    try migration.body(self)
    guard handle.isInTransaction else {
      throw SQLiteError(
        code: .transactionEnded, message: "the SQL ends the transaction of the migration")
    }
    if checkingReferences { try broken.checkNoNewViolations(foreignKeyChecks, on: self) }
  }

  /// Records a migration as applied.
  func recordMigration(_ migration: Migration) throws(SQLiteError) {
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
    // Tables of earlier releases have no checksums.
    if try !migrationsHaveChecksums() {
      try execute("ALTER TABLE main.holt_migration ADD COLUMN checksum TEXT")
    }
  }

  /// Throws an error for the first row that violates a foreign key, in any of the connection's schemas.
  ///
  /// - Throws: ``SQLiteError`` with code ``SQLiteError/Code/constraintForeignKey``, which names the row.
  ///   ``foreignKeyViolations(of:in:)`` returns all of them.
  public func checkForeignKeys() throws {
    try ForeignKeyViolationBaseline().checkNoNewViolations(foreignKeyChecks, on: self)
  }

  /// The statements that list each schema's foreign key violations.
  private var foreignKeyChecks: [String] {
    get throws {
      try values(String.self, "SELECT name FROM pragma_database_list ORDER BY seq").map {
        "PRAGMA \(SQLName.quoted($0)).foreign_key_check"
      }
    }
  }

  /// Returns the error for a result row of a foreign key check.
  static func foreignKeyError(_ row: borrowing Row) throws(SQLiteError) -> SQLiteError {
    let table = try row.read(String.self, at: 0)
    let parent = try row.read(String.self, at: 2)
    let key = try row.read(Int64?.self, at: 1).map { " \($0)" } ?? ""
    return SQLiteError(
      code: .constraintForeignKey,
      message: "row\(key) of table \(table) refers to a row of \(parent) that does not exist")
  }
}

extension Connection {
  /// Adopts a database with an existing schema, created by another library or by hand.
  ///
  /// The migrations up to `last` are recorded as applied, without running them, if they create exactly the schema that
  /// the database has. Later migrations can then be run with ``migrate(_:upTo:refusingChanged:progress:)``.
  ///
  /// ```swift
  /// try connection.adopt(migrations, upTo: "1 books")
  /// try connection.migrate(migrations)
  /// ```
  ///
  /// The call can remain in the program: a database is adopted at most once. The method does nothing, and throws no
  /// error,
  ///
  /// - if migrations were already applied to the database, or it was adopted before;
  /// - if the database contains no object that the migrations create: it is new, and migrating creates everything.
  ///
  /// White space, comments, letter case, and quotes around names are ignored in the comparison; the order of a table's
  /// columns is not. Additional objects in the database, such as the other library's list of migrations, are kept and
  /// ignored. Rows are not compared: rows that a migration inserts are assumed to exist.
  ///
  /// - Parameters:
  ///   - migrations: All migrations, oldest first.
  ///   - last: The migration that creates the database's schema.
  /// - Returns: The names of the migrations that were recorded.
  /// - Throws: ``SQLiteError``, and the database is unchanged. The code is ``SQLiteError/Code/schemaMismatch`` if the
  ///   database has a different schema, with the necessary changes in the message; ``SQLiteError/Code/databaseIsNewer``
  ///   and ``SQLiteError/Code/misuse`` as for ``migrate(_:upTo:refusingChanged:progress:)``; otherwise the error of a
  ///   migration.
  /// - Complexity: The migrations are run on an empty in-memory database, and the schemas are compared, once in a
  ///   database's lifetime.
  @discardableResult
  public func adopt(_ migrations: [Migration], upTo last: String) throws -> [String] {
    let wanted = try checked(migrations, upTo: last, refusingChanged: false)
    guard try appliedMigrations().isEmpty else { return [] }
    let expected = try schema(createdBy: wanted)
    return try transaction(.immediate) {
      // Another process may have adopted the database since then.
      guard try appliedMigrations().isEmpty else { return [] }
      let present = try databaseSchema()
      guard !present.names.isDisjoint(with: expected.names) else { return [] }
      try check(present, matches: expected, upTo: last)
      try prepareMigrationTable()
      for migration in wanted { try recordMigration(migration) }
      return wanted.map(\.name)
    }
  }

  /// Returns the schema that migrations create, by running them on an in-memory database.
  private func schema(createdBy migrations: [Migration]) throws -> DatabaseSchema {
    let scratch = try Connection.inMemory(configuration: scratchConfiguration)
    try scratch.migrate(migrations)
    return try scratch.databaseSchema()
  }

  private func check(
    _ present: DatabaseSchema, matches expected: DatabaseSchema, upTo last: String
  ) throws {
    var options = SchemaDiff.Options()
    options.keepsOtherObjects = true
    options.configuration = scratchConfiguration
    let diff = try SchemaDiff(from: present, to: expected, options: options)
    guard !diff.isEmpty else { return }
    let steps = diff.steps.map(\.explanation).joined(separator: "; ")
    throw SQLiteError(
      code: .schemaMismatch,
      message: "the schema differs from that of the migrations up to \(last). To match it: "
        + steps)
  }

  /// The configuration of an in-memory database with the same functions and collations.
  private var scratchConfiguration: Configuration {
    var configuration = configuration
    configuration.isReadOnly = false
    configuration.virtualFileSystem = nil
    return configuration
  }
}

extension DatabaseSchema {
  /// The names of all objects in the schema, case-folded.
  fileprivate var names: Set<String> {
    Set(
      (tables.map(\.name.name) + indexes.map(\.name) + views.map(\.name) + triggers.map(\.name))
        .map(SQLName.folded))
  }
}

extension Database {
  /// Adopts a database with an existing schema: see ``Connection/adopt(_:upTo:)``.
  ///
  /// ```swift
  /// let database = try Database(path: path)
  /// try database.adopt(migrations, upTo: "1 books")
  /// try database.migrate(migrations)
  /// ```
  @discardableResult
  public func adopt(_ migrations: [Migration], upTo last: String) throws -> [String] {
    try writeWithoutTransaction { try $0.adopt(migrations, upTo: last) }
  }

  /// Adopts a database with an existing schema: see ``Connection/adopt(_:upTo:)``.
  @discardableResult
  public func adopt(_ migrations: [Migration], upTo last: String) async throws -> [String] {
    try await writeWithoutTransaction { try $0.adopt(migrations, upTo: last) }
  }
}
