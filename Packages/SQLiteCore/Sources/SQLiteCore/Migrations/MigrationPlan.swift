internal import Primitives

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
