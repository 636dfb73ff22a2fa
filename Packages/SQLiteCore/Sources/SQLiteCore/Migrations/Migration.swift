internal import Primitives

/// One named step of a schema's history.
///
/// Its name is what the database remembers: once released, neither the name nor what it does may
/// change.
public struct Migration: Sendable {
  /// What references between tables undergo while a migration runs.
  public enum ForeignKeys: Hashable, Sendable {
    /// They are checked when the migration is done, before it is committed. Tables can be rebuilt
    /// under their references, as SQLite's documentation describes.
    case checkedAtEnd
    /// They are enforced, with their actions, at each statement.
    case enforced
  }

  /// What the database remembers it by.
  public let name: String
  /// What references undergo while it runs.
  public let foreignKeys: ForeignKeys
  /// What tells whether a migration of SQL has been changed; `nil` for one of Swift.
  ///
  /// Space, comments, and letter case outside of quotes do not count.
  public let checksum: String?
  let body: @Sendable (Connection) throws -> Void

  /// Creates a migration that runs SQL.
  ///
  /// SQL that is read from a file is passed as `SQL(unsafe: text)`.
  public init(name: String, foreignKeys: ForeignKeys = .checkedAtEnd, sql: SQL) {
    self.name = name
    self.foreignKeys = foreignKeys
    checksum = Self.checksum(of: sql.text)
    body = { try $0.execute(sql) }
  }

  /// A migration that runs Swift.
  public init(
    name: String, foreignKeys: ForeignKeys = .checkedAtEnd,
    _ body: @escaping @Sendable (Connection) throws -> Void
  ) {
    self.name = name
    self.foreignKeys = foreignKeys
    checksum = nil
    self.body = body
  }

  /// FNV-1a over the statement's words: it guards against mistakes, not against malice.
  ///
  /// It is kept in the file, and so must not depend on what SQLite's release takes for a keyword.
  private static func checksum(of sql: String) -> String {
    let tokens = SQLTokens(sql)
    let words = (0..<tokens.count).map { index in
      switch tokens.kind(index) {
      case .word, .number: tokens.text(index).asciiLowercased
      // Each byte of an operator is a word of its own here: checksums of earlier releases had no longer symbols.
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
  /// What one migration would run.
  public struct Plan: Hashable, Sendable, CustomStringConvertible {
    /// A statement, and how many times in a row it would run.
    public struct Statement: Hashable, Sendable {
      /// The statement, as it would be run.
      public let sql: String
      /// How often it would be run, one time after another.
      public internal(set) var count: Int

      public init(sql: String, count: Int) {
        self.sql = sql
        self.count = count
      }
    }

    /// The migration's name.
    public let name: String
    /// What would be run, in its order; statements that only read are left out. Values that would be
    /// bound are not shown.
    public let statements: [Statement]

    /// The plan as a script with comments, to be read by a person.
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
  /// Tries the migrations that ``migrate(_:upTo:refusingChanged:progress:)`` would run, undoes them, and
  /// gives what they ran.
  ///
  /// They are really run, those of Swift too, in one transaction that is rolled back: what would
  /// fail, fails here. Only what a migration does outside of the database stays done. Other connections
  /// that write wait until this is over.
  ///
  /// ```swift
  /// for plan in try connection.dryRun(migrations) { print(plan) }
  /// ```
  ///
  /// - Returns: A plan for each migration that is still to be run.
  /// - Throws: What the migrations would throw.
  public func dryRun(
    _ migrations: [Migration], upTo last: String? = nil, refusingChanged: Bool = false
  ) throws -> [Migration.Plan] {
    let wanted = try checked(migrations, upTo: last, refusingChanged: refusingChanged)
    let applied = Set(try appliedMigrations())
    let pending = wanted.filter { !applied.contains($0.name) }
    var plans: [Migration.Plan] = []
    try handle.requireAccess()
    let switches = try !handle.isInTransaction && areReferencesEnforced
    defer { if switches { try? handle.set(.foreignKeys, true) } }
    do {
      try transaction(.immediate) {
        // A migration may look at the list of those before it.
        try prepareMigrationTable()
        for migration in pending {
          try refuseCancelled()
          // What a transaction that is committed may not do: nothing of this one stays.
          if switches { try handle.set(.foreignKeys, migration.foreignKeys == .enforced) }
          plans.append(try plan(migration, checkingReferences: switches))
          try writeDown(migration)
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
      throw error.during("migration \(migration.name)")
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

  /// Whether a statement changes something, and is not one that a virtual table runs for itself.
  private static func isPartOfPlan(_ sql: String, _ shadows: [String]) -> Bool {
    let tokens = SQLTokens(sql)
    let reads = ["SELECT", "VALUES", "EXPLAIN", "SAVEPOINT", "RELEASE", "ROLLBACK", "BEGIN"]
    if tokens.count == 0 || reads.contains(where: { tokens.is(0, $0) }) { return false }
    if tokens.is(0, "PRAGMA") {
      // With its schema in quotes it is the one behind a `pragma_` function.
      let isOwn = tokens.kind(1) == .string
      let isTechnical = isOwn || tokens.mentions("legacy_alter_table")
      return !isTechnical && (0..<tokens.count).contains { tokens.is($0, "=") }
    }
    return !shadows.contains { tokens.mentions($0) }
  }
}

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
