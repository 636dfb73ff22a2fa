/// Schema changes of a shared database, which run on the writer connection.
extension Database {
  /// Migrates the database: see ``Connection/migrate(_:upTo:refusingChanged:progress:)``.
  @discardableResult
  public func migrate(
    _ migrations: [Migration], upTo last: String? = nil, refusingChanged: Bool = false,
    progress: ((Migration.Progress) throws -> Void)? = nil
  ) throws -> [String] {
    try writeWithoutTransaction {
      try $0.migrate(
        migrations, upTo: last, refusingChanged: refusingChanged, progress: progress)
    }
  }

  /// Migrates the database: see ``Connection/migrate(_:upTo:refusingChanged:progress:)``.
  ///
  /// Cancelling the task rolls back the current migration, and keeps those before it.
  @discardableResult
  public func migrate(
    _ migrations: [Migration], upTo last: String? = nil, refusingChanged: Bool = false,
    progress: (@Sendable (Migration.Progress) throws -> Void)? = nil
  ) async throws -> [String] {
    try await writeWithoutTransaction {
      try $0.migrate(
        migrations, upTo: last, refusingChanged: refusingChanged, progress: progress)
    }
  }

  /// Runs the migrations, rolls them back, and returns their statements: see
  /// ``Connection/dryRun(_:upTo:refusingChanged:)``.
  public func dryRun(
    _ migrations: [Migration], upTo last: String? = nil, refusingChanged: Bool = false
  ) throws -> [Migration.Plan] {
    try writeWithoutTransaction {
      try $0.dryRun(migrations, upTo: last, refusingChanged: refusingChanged)
    }
  }

  /// Runs the migrations, rolls them back, and returns their statements: see
  /// ``Connection/dryRun(_:upTo:refusingChanged:)``.
  public func dryRun(
    _ migrations: [Migration], upTo last: String? = nil, refusingChanged: Bool = false
  ) async throws -> [Migration.Plan] {
    try await writeWithoutTransaction {
      try $0.dryRun(migrations, upTo: last, refusingChanged: refusingChanged)
    }
  }

  /// Returns the status of each migration: see ``Connection/migrationStatus(of:)``.
  public func migrationStatus(of migrations: [Migration]) throws -> [Migration.Status] {
    try read { try $0.migrationStatus(of: migrations) }
  }

  /// Returns the status of each migration: see ``Connection/migrationStatus(of:)``.
  public func migrationStatus(of migrations: [Migration]) async throws -> [Migration.Status] {
    try await read { try $0.migrationStatus(of: migrations) }
  }

  /// Reads the whole schema: see ``Connection/databaseSchema(in:)``.
  public func databaseSchema() throws -> DatabaseSchema {
    try read { try $0.databaseSchema() }
  }

  /// Reads the whole schema: see ``Connection/databaseSchema(in:)``.
  public func databaseSchema() async throws -> DatabaseSchema {
    try await read { try $0.databaseSchema() }
  }

  /// Applies a schema diff: see ``Connection/apply(_:allowing:progress:)``.
  public func apply(
    _ diff: SchemaDiff, allowing policy: SchemaDiff.DataLossPolicy = .nothing,
    progress: ((SchemaDiff.CopyProgress) throws -> Void)? = nil
  ) throws {
    try writeWithoutTransaction { try $0.apply(diff, allowing: policy, progress: progress) }
  }

  /// Applies a schema diff: see ``Connection/apply(_:allowing:progress:)``.
  ///
  /// Cancelling the task rolls back all changes.
  public func apply(
    _ diff: SchemaDiff, allowing policy: SchemaDiff.DataLossPolicy = .nothing,
    progress: (@Sendable (SchemaDiff.CopyProgress) throws -> Void)? = nil
  ) async throws {
    try await writeWithoutTransaction {
      try $0.apply(diff, allowing: policy, progress: progress)
    }
  }

  /// Rebuilds a table with a new definition: see
  /// ``Connection/rebuild(_:in:to:mapping:batchSize:progress:)``.
  @discardableResult
  public func rebuild(
    _ table: String, to sql: SQL, mapping: [String: SQL] = [:],
    progress: ((SchemaDiff.CopyProgress) throws -> Void)? = nil
  ) throws -> SchemaDiff.RebuildResult {
    try writeWithoutTransaction {
      try $0.rebuild(table, to: sql, mapping: mapping, progress: progress)
    }
  }

  /// Rebuilds a table with a new definition: see
  /// ``Connection/rebuild(_:in:to:mapping:batchSize:progress:)``.
  ///
  /// Cancelling the task rolls back all changes.
  @discardableResult
  public func rebuild(
    _ table: String, to sql: SQL, mapping: [String: SQL] = [:],
    progress: (@Sendable (SchemaDiff.CopyProgress) throws -> Void)? = nil
  ) async throws -> SchemaDiff.RebuildResult {
    try await writeWithoutTransaction {
      try $0.rebuild(table, to: sql, mapping: mapping, progress: progress)
    }
  }
}
