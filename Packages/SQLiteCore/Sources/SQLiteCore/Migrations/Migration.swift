internal import Primitives

/// A named step in the history of a schema.
///
/// The database records the name of each applied migration. Once a migration is released, neither its name nor its
/// effect may change.
public struct Migration: Sendable {
  /// The treatment of foreign keys while a migration runs.
  public enum ForeignKeys: Hashable, Sendable {
    /// Foreign keys are checked at the end of the migration, before the commit. Referenced tables can be rebuilt, as
    /// SQLite's documentation describes.
    case checkedAtEnd
    /// Foreign keys and their actions are enforced for each statement.
    case enforced
  }

  /// The name, which the database records.
  public let name: String
  /// The treatment of foreign keys while the migration runs.
  public let foreignKeys: ForeignKeys
  /// The checksum that detects changes of an SQL migration, or `nil` for a migration in Swift.
  ///
  /// White space, comments, and letter case outside quotes are ignored.
  public let checksum: String?
  let body: @Sendable (Connection) throws -> Void

  /// Creates a migration that runs SQL.
  ///
  /// To pass SQL from a file, use `SQL(unsafe: text)`.
  public init(name: String, foreignKeys: ForeignKeys = .checkedAtEnd, sql: SQL) {
    self.name = name
    self.foreignKeys = foreignKeys
    checksum = Self.checksum(of: sql.text)
    body = { try $0.execute(sql) }
  }

  /// Creates a migration that runs Swift code.
  public init(
    name: String, foreignKeys: ForeignKeys = .checkedAtEnd,
    _ body: @escaping @Sendable (Connection) throws -> Void
  ) {
    self.name = name
    self.foreignKeys = foreignKeys
    checksum = nil
    self.body = body
  }

  /// FNV-1a over the SQL's tokens, which detects accidental changes, not malicious ones.
  ///
  /// The checksum is stored in the file, and must not depend on the keywords of a SQLite release.
  private static func checksum(of sql: String) -> String {
    let tokens = SQLTokens(sql)
    let words = (0..<tokens.count).map { index in
      switch tokens.kind(index) {
      case .word, .number: tokens.text(index).asciiLowercased
      // Each byte of an operator is a separate word here, as in the checksums of earlier releases.
      case .symbol: tokens.text(index).map(String.init).joined(separator: " ")
      default: tokens.text(index)
      }
    }
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for byte in words.joined(separator: " ").utf8 {
      hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01b3
    }
    let digits = String(hash, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}

extension Migration {
  /// The statements that a migration would run.
  public struct Plan: Hashable, Sendable, CustomStringConvertible {
    /// A statement and the number of its consecutive executions.
    public struct Statement: Hashable, Sendable {
      /// The statement's SQL.
      public let sql: String
      /// The number of consecutive executions.
      public internal(set) var count: Int

      public init(sql: String, count: Int) {
        self.sql = sql
        self.count = count
      }
    }

    /// The migration's name.
    public let name: String
    /// The statements in order, without those that only read. Bound values are not shown.
    public let statements: [Statement]

    /// The plan as a commented script for human readers.
    public var description: String {
      var lines = ["-- migration \(name.onOneLine)"]
      for statement in statements {
        let times = statement.count > 1 ? "  -- \(statement.count) times" : ""
        lines.append("\(statement.sql);\(times)")
      }
      return lines.joined(separator: "\n")
    }
  }
}

extension Connection {
  /// Runs the migrations that ``migrate(_:upTo:refusingChanged:progress:)`` would run, rolls them back, and returns
  /// their statements.
  ///
  /// The migrations, including those in Swift, run in one transaction that is rolled back, so their errors are thrown
  /// here. Only effects outside the database persist. Other connections that write wait until the method returns.
  ///
  /// ```swift
  /// for plan in try connection.dryRun(migrations) { print(plan) }
  /// ```
  ///
  /// - Returns: A plan for each pending migration.
  /// - Throws: The errors of the migrations.
  public func dryRun(
    _ migrations: [Migration], upTo last: String? = nil, refusingChanged: Bool = false
  ) throws -> [Migration.Plan] {
    let wanted = try checked(migrations, upTo: last, refusingChanged: refusingChanged)
    let applied = Set(try appliedMigrations())
    let pending = wanted.filter { !applied.contains($0.name) }
    var plans: [Migration.Plan] = []
    try handle.requireAccess()
    let switches = try !handle.isInTransaction && areForeignKeysEnforced
    defer { if switches { try? handle.setIfSupported(.foreignKeys, to: true) } }
    do {
      try transaction(.immediate) {
        // A migration can read the list of earlier migrations.
        try prepareMigrationTable()
        for migration in pending {
          try checkCancelled()
          // Not allowed in a transaction that is committed, but this one is rolled back.
          if switches {
            try handle.setIfSupported(.foreignKeys, to: migration.foreignKeys == .enforced)
          }
          plans.append(try plan(migration, checkingReferences: switches))
          try recordMigration(migration)
        }
        throw DryRunEnd()
      }
    } catch is DryRunEnd {}
    return plans
  }

  private struct DryRunEnd: Error {}

  private func plan(
    _ migration: Migration, checkingReferences: Bool
  ) throws -> Migration.Plan {
    var seen: [String] = []
    let subscription = try hooks.profile { seen.append($0.sql) }
    do {
      defer { hooks.remove(subscription) }
      try run(migration, checkingReferences: checkingReferences)
    } catch let error as SQLiteError {
      throw error.addingContext("migration \(migration.name)")
    }
    let shadows = try allTables().filter { $0.kind == .shadow }.map(\.name.name)
    var statements: [Migration.Plan.Statement] = []
    for sql in seen where Self.isPartOfPlan(sql, shadows) {
      let text = SQLTokens(sql).trimmedText
      if statements.last?.sql == text {
        statements[statements.count - 1].count += 1
      } else {
        statements.append(.init(sql: text, count: 1))
      }
    }
    return Migration.Plan(name: migration.name, statements: statements)
  }

  /// Returns whether a statement is a change by the migration itself, rather than an internal statement of a virtual
  /// table.
  private static func isPartOfPlan(_ sql: String, _ shadows: [String]) -> Bool {
    let tokens = SQLTokens(sql)
    let reads = ["SELECT", "VALUES", "EXPLAIN", "SAVEPOINT", "RELEASE", "ROLLBACK", "BEGIN"]
    if tokens.count == 0 || reads.contains(where: { tokens.is(0, $0) }) { return false }
    if tokens.is(0, "PRAGMA") {
      // SQLite quotes the schema in the statement of a `pragma_` function; this one takes no schema.
      let isOwn = tokens.kind(1) == .string || tokens.is(1, "table_list")
      let isTechnical = isOwn || tokens.mentions("legacy_alter_table")
      return !isTechnical && (0..<tokens.count).contains { tokens.is($0, "=") }
    }
    return !shadows.contains { tokens.mentions($0) }
  }
}

extension Migration {
  /// The status of a migration in a database.
  public struct Status: Hashable, Sendable {
    /// The state of a migration.
    public enum State: Hashable, Sendable {
      /// The migration is applied.
      case applied
      /// The migration is applied, but its SQL has changed since.
      case changed
      /// The migration has not been applied yet.
      case pending
      /// The migration is applied, but the program does not contain it.
      case unknown
    }

    /// The migration's name.
    public let name: String
    /// The migration's state.
    public let state: State
    /// The time of its execution in SQLite's format: `2026-11-21 14:33:04`, in UTC.
    public let appliedAt: String?
  }
}

extension Migration {
  /// The progress of ``Connection/migrate(_:upTo:refusingChanged:progress:)``.
  public struct Progress: Hashable, Sendable {
    /// A phase of a migration.
    public enum Phase: Hashable, Sendable {
      /// The migration is about to run.
      case began
      /// The migration is rebuilding a table.
      case copying(SchemaDiff.CopyProgress)
      /// The migration is committed.
      case finished
    }

    /// The migration's name.
    public let migration: String
    /// The migration's index among the pending migrations, counted from 0.
    public let index: Int
    /// The number of pending migrations.
    public let count: Int
    /// The current phase.
    public let phase: Phase
  }
}

extension Connection {
  /// Returns the status of each of `migrations`, in order, followed by applied migrations that are not in the list.
  ///
  /// The method only reports: changed and unknown migrations are not errors.
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
    let names = Set(migrations.map(\.name))
    for record in records where !names.contains(record.name) {
      status.append(
        Migration.Status(name: record.name, state: .unknown, appliedAt: record.appliedAt))
    }
    return status
  }

  /// Returns the database's records of applied migrations.
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

  /// Returns whether the migration table has checksums, which earlier releases did not write.
  func migrationsHaveChecksums() throws(SQLiteError) -> Bool {
    try value(
      Int.self,
      "SELECT 1 FROM pragma_table_info('holt_migration', 'main') WHERE name = 'checksum'") != nil
  }
}

/// A row of the migration table.
struct MigrationRecord {
  var name: String
  var appliedAt: String?
  var checksum: String?

  /// Returns whether both have a checksum and the checksums differ.
  func isChanged(from migration: Migration) -> Bool {
    guard let checksum, let current = migration.checksum else { return false }
    return checksum != current
  }
}
