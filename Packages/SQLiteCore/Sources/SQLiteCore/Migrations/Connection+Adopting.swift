extension Connection {
  /// Takes over a database whose schema is there already: made by another library, or by hand.
  ///
  /// The migrations up to `last` are noted as gone through, and not run, once the schema has been found to be the one that they
  /// make. Then ``migrate(_:upTo:refusingChanged:progress:)`` runs those after them.
  ///
  /// ```swift
  /// try connection.adopt(migrations, upTo: "1 books")
  /// try connection.migrate(migrations)
  /// ```
  ///
  /// It may stand there for good, for a database has this done once at most. Nothing is done, and that is no error,
  ///
  /// - where the database has gone through migrations, or was taken over before;
  /// - where it has nothing of what they make: it is new, and migrating makes all of it.
  ///
  /// Space, comments, letter case, and quotes around names make no difference between the schemas; the order of a table's
  /// columns does. What the database has besides, such as the other library's list of its migrations, stays and makes none.
  /// Rows are not looked at: what a migration writes into tables is taken as written.
  ///
  /// - Parameters:
  ///   - migrations: The whole history, oldest first.
  ///   - last: The migration that makes the schema which the database has.
  /// - Returns: The names of those that were noted now.
  /// - Throws: ``SQLiteError``, and nothing is changed. Its code is ``SQLiteError/Code/schemaMismatch`` where the database has
  ///   another schema, with what would have to be done to it; ``SQLiteError/Code/databaseIsNewer`` and
  ///   ``SQLiteError/Code/misuse`` as for ``migrate(_:upTo:refusingChanged:progress:)``; otherwise what a migration fails with.
  /// - Complexity: The migrations are run on an empty database in memory, and the schemas compared: once in a database's life.
  @discardableResult
  public func adopt(_ migrations: [Migration], upTo last: String) throws -> [String] {
    let wanted = try checked(migrations, upTo: last, refusingChanged: false)
    guard try appliedMigrations().isEmpty else { return [] }
    let made = try schema(madeBy: wanted)
    return try transaction(.immediate) {
      // Another process may have been faster.
      guard try appliedMigrations().isEmpty else { return [] }
      let present = try databaseSchema()
      guard !present.names.isDisjoint(with: made.names) else { return [] }
      try refuseOther(present, than: made, madeUpTo: last)
      try prepareMigrationTable()
      for migration in wanted { try writeDown(migration) }
      return wanted.map(\.name)
    }
  }

  /// The schema that migrations make, which are run in a database of its own.
  private func schema(madeBy migrations: [Migration]) throws -> DatabaseSchema {
    let scratch = try Connection.inMemory(configuration: scratchConfiguration)
    try scratch.migrate(migrations)
    return try scratch.databaseSchema()
  }

  private func refuseOther(
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
      message: "the schema is not the one that the migrations up to \(last) make. To become it: "
        + steps)
  }

  /// How a database is opened that has this one's functions and collations, and is nobody's.
  private var scratchConfiguration: Configuration {
    var configuration = configuration
    configuration.isReadOnly = false
    configuration.virtualFileSystem = nil
    return configuration
  }
}

extension DatabaseSchema {
  /// The names of all that it has, in the one form of all their spellings.
  fileprivate var names: Set<String> {
    Set(
      (tables.map(\.name.name) + indexes.map(\.name) + views.map(\.name) + triggers.map(\.name))
        .map(SQLName.folded))
  }
}

extension Database {
  /// Takes over a database whose schema is there already: see ``Connection/adopt(_:upTo:)``.
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

  /// Takes over a database whose schema is there already: see ``Connection/adopt(_:upTo:)``.
  @discardableResult
  public func adopt(_ migrations: [Migration], upTo last: String) async throws -> [String] {
    try await writeWithoutTransaction { try $0.adopt(migrations, upTo: last) }
  }
}
