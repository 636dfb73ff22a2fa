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
    let made = try schema(madeBy: wanted)
    return try transaction(.immediate) {
      // Another process may have adopted the database since then.
      guard try appliedMigrations().isEmpty else { return [] }
      let present = try databaseSchema()
      guard !present.names.isDisjoint(with: made.names) else { return [] }
      try checkSchemaMatches(present, than: made, madeUpTo: last)
      try prepareMigrationTable()
      for migration in wanted { try recordMigration(migration) }
      return wanted.map(\.name)
    }
  }

  /// Returns the schema that migrations create, by running them on an in-memory database.
  private func schema(madeBy migrations: [Migration]) throws -> DatabaseSchema {
    let scratch = try Connection.inMemory(configuration: scratchConfiguration)
    try scratch.migrate(migrations)
    return try scratch.databaseSchema()
  }

  private func checkSchemaMatches(
    _ present: DatabaseSchema, than made: DatabaseSchema, madeUpTo last: String
  ) throws {
    var options = SchemaDiff.Options()
    options.keepsOtherObjects = true
    options.configuration = scratchConfiguration
    let diff = try SchemaDiff(from: present, to: made, options: options)
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
