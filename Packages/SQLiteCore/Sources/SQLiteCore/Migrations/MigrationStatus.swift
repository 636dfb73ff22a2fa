extension Migration {
  /// What has become of one migration in one database.
  public struct Status: Hashable, Sendable {
    /// What the database and the program know of a migration.
    public enum State: Hashable, Sendable {
      /// The database has gone through it.
      case applied
      /// The database has gone through it, and its SQL reads otherwise now.
      case changed
      /// It is still to be run.
      case pending
      /// The database has gone through it, and the program does not know it.
      case unknown
    }

    /// The migration's name.
    public let name: String
    /// What has become of it.
    public let state: State
    /// When it was run, as SQLite writes the time: `2026-11-21 14:33:04`, in UTC.
    public let appliedAt: String?
  }
}

extension Migration {
  /// How far ``Connection/migrate(_:upTo:refusingChanged:progress:)`` has come.
  public struct Progress: Hashable, Sendable {
    /// What happens to the migration.
    public enum Phase: Hashable, Sendable {
      /// The migration is about to run.
      case began
      /// A table is being rebuilt by it.
      case copying(SchemaDiff.CopyProgress)
      /// The migration is committed.
      case finished
    }

    /// The migration's name.
    public let migration: String
    /// Its place among those that are to be run now, counting from 0.
    public let index: Int
    /// The number of those that are to be run now.
    public let count: Int
    /// What happens to it now.
    public let phase: Phase
  }
}

extension Connection {
  /// What has become of each of `migrations`, in their order, and of those that only the database
  /// knows, after them.
  ///
  /// Nothing is changed or refused here: a changed or an unknown migration is told, and no error.
  public func migrationStatus(of migrations: [Migration]) throws -> [Migration.Status] {
    let records = try migrationRecords()
    var status = migrations.map { migration in
      guard let record = records.first(where: { $0.name == migration.name }) else {
        return Migration.Status(name: migration.name, state: .pending, appliedAt: nil)
      }
      return Migration.Status(
        name: migration.name, state: record.isChanged(from: migration) ? .changed : .applied,
        appliedAt: record.appliedAt)
    }
    let known = Set(migrations.map(\.name))
    for record in records where !known.contains(record.name) {
      status.append(
        Migration.Status(name: record.name, state: .unknown, appliedAt: record.appliedAt))
    }
    return status
  }

  /// The migrations that the database has gone through, as it remembers them.
  func migrationRecords() throws(SQLiteError) -> [MigrationRecord] {
    guard try isMigrated() else { return [] }
    let checksum: SQL = try migrationsHaveChecksums() ? "checksum" : "NULL"
    let rows = try rows(
      "SELECT name, applied_at, \(sql: checksum) FROM main.holt_migration ORDER BY position")
    return rows.map { row in
      var record = MigrationRecord(name: "", appliedAt: nil, checksum: nil)
      if case .text(let name) = row[0] { record.name = name }
      if case .text(let time) = row[1] { record.appliedAt = time }
      if case .text(let checksum) = row[2] { record.checksum = checksum }
      return record
    }
  }

  func isMigrated() throws(SQLiteError) -> Bool {
    try value(
      Int.self, "SELECT 1 FROM main.sqlite_master WHERE type = 'table' AND name = 'holt_migration'"
    ) != nil
  }

  /// Whether the list of migrations was begun, or taken over, by a release that writes checksums.
  func migrationsHaveChecksums() throws(SQLiteError) -> Bool {
    try value(
      Int.self,
      "SELECT 1 FROM pragma_table_info('holt_migration', 'main') WHERE name = 'checksum'") != nil
  }
}

/// One row of the list of migrations.
struct MigrationRecord {
  var name: String
  var appliedAt: String?
  var checksum: String?

  /// Whether both sides have a checksum, and they differ.
  func isChanged(from migration: Migration) -> Bool {
    guard let checksum, let current = migration.checksum else { return false }
    return checksum != current
  }
}
