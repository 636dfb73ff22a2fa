internal import SQLiteCore

/// A named step in the history of a PostgreSQL schema.
///
/// The database records the name of each applied migration. Once a migration is released, neither its name nor its
/// effect may change.
public struct PostgreSQLMigration: Sendable {
  /// The name, which the database records.
  public let name: String
  /// The checksum that detects changes of an SQL migration, or `nil` for a migration in Swift.
  ///
  /// White space, comments, and letter case outside quotes are ignored.
  public let checksum: String?
  let body: @Sendable (PostgreSQLConnection) async throws -> Void

  /// Creates a migration that runs any number of statements.
  ///
  /// To pass SQL from a file, use `PostgreSQLQuery(unsafe: text)`.
  public init(name: String, sql: PostgreSQLQuery) {
    self.name = name
    // A migration of SQLite with the same text has the same checksum.
    checksum = Migration(name: name, sql: SQL(unsafe: sql.text)).checksum
    body = { try await $0.execute(sql) }
  }

  /// Creates a migration that runs Swift code.
  public init(
    name: String, _ body: @escaping @Sendable (PostgreSQLConnection) async throws -> Void
  ) {
    self.name = name
    checksum = nil
    self.body = body
  }

  /// The progress of migrating.
  public struct Progress: Hashable, Sendable {
    /// The phases of a migration.
    public enum Phase: Hashable, Sendable {
      case began, finished
    }

    public let migration: String
    /// The migration's index among the migrations that are run.
    public let index: Int
    /// The number of migrations that are run.
    public let count: Int
    public let phase: Phase
  }

  /// The status of a migration in a database.
  public struct Status: Hashable, Sendable {
    /// The states of a migration.
    public enum State: Hashable, Sendable {
      /// The migration was not applied yet.
      case pending
      case applied
      /// The migration was applied with other SQL.
      case changed
      /// The database contains a migration that is not in the list.
      case unknown
    }

    public let name: String
    public let state: State
    /// The time at which the migration was applied, as text in ISO 8601.
    public let appliedAt: String?
  }
}

/// Migration of a database.
extension PostgreSQLAccess {
  /// Runs the migrations that have not been applied yet, in order, each in its own transaction.
  ///
  /// After a failure, the migrations that succeeded remain applied. Several processes can migrate concurrently: each
  /// migration runs once, under an advisory lock. The names are recorded in the table `holt_migration` of the current
  /// schema.
  ///
  /// - Parameters:
  ///   - migrations: All migrations, oldest first.
  ///   - last: The last migration to run, or `nil` to run all. A database that is past it is left unchanged.
  ///   - refusesChanged: Whether to throw an error if the SQL of an applied migration has changed.
  ///     ``migrationStatus(of:)`` reports changed migrations in any case.
  ///   - progress: Called before and after each migration. If it throws, the current migration is not run, or remains
  ///     applied if it has finished.
  /// - Returns: The names of the migrations that were run.
  /// - Throws: `PostgreSQLError` with code `PostgreSQLError.Code.databaseIsNewer` if an applied migration is not in the
  ///   list, or `PostgreSQLError.Code.migrationChanged` if `refusesChanged` is set and an applied migration's SQL has
  ///   changed, both before the database is changed; `PostgreSQLError.Code.invalidMigrations` if two migrations have the
  ///   same name, or no migration is named `last`; otherwise the error of the migration, with its name in the message.
  ///   `CancellationError` if the task is cancelled.
  @discardableResult
  public func migrate(
    _ migrations: [PostgreSQLMigration], upTo last: String? = nil,
    refusingChanged refusesChanged: Bool = false,
    progress: (@Sendable (PostgreSQLMigration.Progress) throws -> Void)? = nil
  ) async throws -> [String] {
    try await withConnection { connection in
      let ledger = try await MigrationLedger(of: connection)
      let applied = try await ledger.records(connection)
      let wanted = try ledger.checked(
        migrations, upTo: last, refusingChanged: refusesChanged, applied)
      let names = Set(applied.map(\.name))
      let pending = wanted.filter { !names.contains($0.name) }
      var run: [String] = []
      for (index, migration) in pending.enumerated() {
        func report(_ phase: PostgreSQLMigration.Progress.Phase) throws {
          try progress?(
            .init(migration: migration.name, index: index, count: pending.count, phase: phase))
        }
        try report(.began)
        if try await ledger.apply(migration, of: migrations, on: connection) {
          run.append(migration.name)
        }
        try report(.finished)
      }
      return run
    }
  }

  /// Returns the names of the applied migrations, in order.
  public func appliedMigrations() async throws -> [String] {
    try await withConnection { connection in
      try await MigrationLedger(of: connection).records(connection).map(\.name)
    }
  }

  /// Returns the status of each migration, and of applied migrations that are not in the list.
  public func migrationStatus(
    of migrations: [PostgreSQLMigration]
  ) async throws -> [PostgreSQLMigration.Status] {
    try await withConnection { connection in
      let records = try await MigrationLedger(of: connection).records(connection)
      let known = Set(migrations.map(\.name))
      return migrations.map { migration in
        let record = records.first { $0.name == migration.name }
        let state: PostgreSQLMigration.Status.State =
          record.map { $0.isChanged(from: migration) ? .changed : .applied } ?? .pending
        return .init(name: migration.name, state: state, appliedAt: record?.appliedAt)
      }
        + records.filter { !known.contains($0.name) }.map {
          .init(name: $0.name, state: .unknown, appliedAt: $0.appliedAt)
        }
    }
  }
}

/// The table of applied migrations.
private struct MigrationLedger: Sendable {
  /// The schema in which the table is, also if a migration changes the search path.
  let schema: String

  struct Record: PostgreSQLRowDecodable, Sendable {
    let name: String
    let checksum: String?
    let appliedAt: String

    init(row: borrowing PostgreSQLRow) throws(PostgreSQLError) {
      name = try row.read(at: 0)
      checksum = try row.read(at: 1)
      appliedAt = try row.read(at: 2)
    }

    func isChanged(from migration: PostgreSQLMigration) -> Bool {
      guard let checksum, let other = migration.checksum else { return false }
      return checksum != other
    }
  }

  init(of connection: PostgreSQLConnection) async throws {
    let found = try await connection.value(String?.self, "SELECT current_schema()::text")
    guard let schema = found ?? nil else {
      throw PostgreSQLError(
        code: .invalidMigrations,
        message: "no schema of the search path exists, in which migrations could create objects")
    }
    self.schema = schema
  }

  private var table: PostgreSQLQuery { "\(identifier: schema).holt_migration" }

  private func exists(_ connection: PostgreSQLConnection) async throws -> Bool {
    let (schema, name) = (schema, "holt_migration")
    let found = try await connection.value(
      Bool.self,
      """
      SELECT EXISTS (SELECT FROM pg_catalog.pg_class c
        JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
        WHERE n.nspname = \(schema) AND c.relname = \(name))
      """)
    return found ?? false
  }

  /// Returns the applied migrations, in order.
  func records(_ connection: PostgreSQLConnection) async throws -> [Record] {
    guard try await exists(connection) else { return [] }
    return try await connection.fetchAll(
      Record.self,
      """
      SELECT name, checksum, to_char(applied_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')
      FROM \(sql: table) ORDER BY position
      """)
  }

  /// Checks the migrations, and returns those up to `last`.
  func checked(
    _ migrations: [PostgreSQLMigration], upTo last: String?, refusingChanged: Bool,
    _ applied: [Record]
  ) throws(PostgreSQLError) -> [PostgreSQLMigration] {
    var seen: Set<String> = []
    for migration in migrations where !seen.insert(migration.name).inserted {
      throw PostgreSQLError(
        code: .invalidMigrations, message: "two migrations are named \(migration.name)")
    }
    try checkNotNewer(migrations, applied)
    if refusingChanged {
      let changed = migrations.filter { migration in
        applied.contains { $0.name == migration.name && $0.isChanged(from: migration) }
      }
      guard changed.isEmpty else {
        throw PostgreSQLError(
          code: .migrationChanged,
          message: "migrations were changed after they had been applied to the database: "
            + changed.map(\.name).joined(separator: ", "))
      }
    }
    guard let last else { return migrations }
    guard let end = migrations.firstIndex(where: { $0.name == last }) else {
      throw PostgreSQLError(
        code: .invalidMigrations, message: "no migration is named \(last)")
    }
    return Array(migrations[...end])
  }

  private func checkNotNewer(
    _ migrations: [PostgreSQLMigration], _ applied: [Record]
  ) throws(PostgreSQLError) {
    let names = Set(migrations.map(\.name))
    let unknown = applied.map(\.name).filter { !names.contains($0) }
    guard unknown.isEmpty else {
      throw PostgreSQLError(
        code: .databaseIsNewer,
        message: "this database was created by a newer version of the program: it has applied "
          + unknown.joined(separator: ", ") + ", which this version does not contain")
    }
  }

  /// The first number of the advisory lock; the second one is a hash of the schema.
  private static let lock: Int32 = 0x484F_4C54

  private static func transactionID(_ connection: PostgreSQLConnection) async throws -> String? {
    try await connection.value(String.self, "SELECT pg_catalog.pg_current_xact_id()::text")
  }

  /// Runs one migration, unless it is already applied.
  func apply(
    _ migration: PostgreSQLMigration, of all: [PostgreSQLMigration],
    on connection: PostgreSQLConnection
  ) async throws -> Bool {
    do {
      return try await connection.transaction { connection in
        try await connection.run(
          "SELECT pg_catalog.pg_advisory_xact_lock($1, pg_catalog.hashtext($2))", Self.lock, schema)
        // Another process may have run this migration, or newer ones, meanwhile.
        let applied = try await records(connection)
        try checkNotNewer(all, applied)
        guard !applied.contains(where: { $0.name == migration.name }) else { return false }
        try await connection.execute(
          """
          CREATE TABLE IF NOT EXISTS \(sql: table) (
            position bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
            name text NOT NULL UNIQUE,
            applied_at timestamptz NOT NULL DEFAULT now(),
            checksum text
          )
          """)
        let transaction = try await Self.transactionID(connection)
        try await migration.body(connection)
        guard try await Self.transactionID(connection) == transaction else {
          throw PostgreSQLError(
            code: .transactionEnded, message: "the SQL ends the transaction of the migration")
        }
        let (name, checksum) = (migration.name, migration.checksum)
        try await connection.run(
          "INSERT INTO \(sql: table) (name, checksum) VALUES ($1, $2)", name, checksum)
        return true
      }
    } catch let error as PostgreSQLError {
      throw PostgreSQLError(
        code: error.code, message: "migration \(migration.name): \(error.message)", sql: error.sql,
        underlying: error)
    }
  }
}
