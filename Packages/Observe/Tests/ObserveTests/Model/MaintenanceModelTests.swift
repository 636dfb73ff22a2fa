import ObserveTesting
import SQLiteCore
import Testing

@testable import Observe

/// A database that several connections attach, vacuum, analyze, reset and alter. Whenever the
/// system is idle, each observer has the result of a new fetch.
///
/// `make model` does ten thousand steps for each of four seeds. A failure prints its seed, its step
/// and the last statements. `HOLT_MODEL_SEED` repeats the run.
@Suite struct `The model of maintenance` {
  @Test(
    .timeLimit(.minutes(ModelEffort.isFull ? 30 : 10)), arguments: Store.allCases, ModelEffort.seeds
  )
  func `leaves every observer with the result of a new fetch`(_ store: Store, _ seed: UInt64)
    async throws
  {
    print("maintenance model: \(store), seed \(seed)")
    try await withFolder { folder in
      let world = try await MaintenanceWorld(store, in: folder, seed: seed)
      defer { world.close() }
      for step in 1...ModelEffort.steps(store) {
        try await world.step()
        let problems = try await world.check()
        if problems.isEmpty { continue }
        Issue.record(
          """
          \(store), seed \(seed), step \(step): \(problems.joined(separator: "\n  "))
          After:
          \(world.trace.suffix(40).joined(separator: "\n"))
          """)
        return
      }
      // Each kind of step has succeeded at least once.
      #expect(world.deeds == MaintenanceWorld.deeds(store))
    }
  }
}

/// The databases of one run, and their observers.
final class MaintenanceWorld {
  typealias Rows = [String]

  private let database: Database
  /// The databases that write to the main file: the observed one, and another one if there is a
  /// file.
  private let databases: [Database]
  private let folder: String
  private let store: Store
  private var random: ModelRandom
  private var observers: [(query: String, recording: Recording<Rows>)] = []
  private(set) var trace: [String] = []
  /// The kinds of steps that have succeeded.
  private(set) var deeds: Set<String> = []

  static let schema = """
    CREATE TABLE t (a, b); CREATE INDEX i ON t (a);
    CREATE TABLE u (id INTEGER PRIMARY KEY AUTOINCREMENT, p);
    INSERT INTO t VALUES (1, 1), (2, 2), (3, 3); INSERT INTO u (p) VALUES (1);
    """

  static let queries = [
    "SELECT rowid, a FROM t ORDER BY rowid", "SELECT count(*) FROM u", "SELECT x FROM v ORDER BY x",
    "SELECT tbl, idx, stat FROM sqlite_stat1", "SELECT name, seq FROM sqlite_sequence",
    "SELECT type, name, sql FROM sqlite_schema", "SELECT name FROM fixed.sqlite_schema",
    "PRAGMA user_version", "SELECT application_id FROM pragma_application_id",
    "SELECT name FROM pragma_table_info('t')", "PRAGMA index_list(t)", "PRAGMA table_list",
    "PRAGMA page_count", "SELECT freelist_count FROM pragma_freelist_count",
    "PRAGMA schema_version", "PRAGMA database_list", "SELECT a FROM fixed.s ORDER BY rowid",
    "SELECT name FROM pragma_table_info('s', 'fixed')", "SELECT a FROM side.s ORDER BY rowid",
    "PRAGMA foreign_keys", "SELECT 1", "SELECT count(*) FROM n",
  ]

  static func deeds(_ store: Store) -> Set<String> {
    let all: Set = [
      "rows", "vacuum", "analyze", "optimize", "number", "schema", "attach", "fixed", "other",
      "own",
      "setting", "free", "observer",
    ]
    return store == .memory ? all.union(["reset"]) : all
  }

  init(_ store: Store, in folder: String, seed: UInt64) async throws {
    self.store = store
    self.folder = folder
    random = ModelRandom(seed: seed)
    for name in ["fixed", "side1", "side2"] {
      try Connection(path: "\(folder)/\(name)").execute(
        "CREATE TABLE s (a, b); INSERT INTO s VALUES ('\(unsafe: name)', 1)")
    }
    var configuration = Configuration()
    configuration.prepare = { connection in
      try connection.attach(.file("\(folder)/fixed"), as: "fixed")
    }
    switch store {
    case .memory:
      database = try Database.inMemory(configuration)
      databases = [database]
    case .file:
      let path = "\(folder)/main"
      try Connection(path: path).execute("PRAGMA auto_vacuum = 2; VACUUM")
      database = try Database(path: path, configuration: configuration)
      databases = [database, try Database(path: path, configuration: configuration)]
    }
    try await database.writeWithoutTransaction { try $0.execute(SQL(unsafe: Self.schema)) }
    try await database.startObserving()
    for query in Self.queries { await observe(query) }
  }

  func close() { for database in databases { database.close() } }

  // MARK: Observers

  private static func fetch(_ query: String) -> @Sendable (Connection) throws -> Rows {
    { connection in
      do {
        // Without an `ORDER BY`, any order is correct.
        return try connection.rows(SQL(unsafe: query)).map { "\($0)" }.sorted()
      } catch let error as SQLiteError where error.code.primary == .error {
        // The table does not exist.
        return ["error"]
      }
    }
  }

  private func observe(_ query: String) async {
    let recording = await Recording(database.observe(Self.fetch(query)), of: database)
    observers.append((query, recording))
  }

  /// Compares each observer's last value with the result of a new fetch.
  func check() async throws -> [String] {
    await database.waitUntilIdle(includingConsumers: true)
    let queries = observers.map(\.query)
    let fresh = try await database.read { connection in
      try queries.map { try Self.fetch($0)(connection) }
    }
    return zip(observers, fresh).compactMap { observer, fresh in
      if let error = observer.recording.error { return "\(observer.query) has ended: \(error)" }
      let last = observer.recording.values.last
      return last == fresh
        ? nil : "\(observer.query) has \(last.map { "\($0)" } ?? "nothing"), and not \(fresh)"
    }
  }

  // MARK: Steps

  func step() async throws {
    for _ in 0...random.below(3) { try await act() }
  }

  private func act() async throws {
    let n = random.below(9)
    switch random.below(28) {
    case 0..<5:
      await run(
        "rows",
        random.word(
          "INSERT INTO t VALUES (\(n), 'x')", "DELETE FROM t WHERE a = \(n)",
          "UPDATE t SET a = \(n) WHERE rowid % 3 = 0", "UPDATE t SET rowid = rowid + 100",
          "INSERT INTO u (p) VALUES (\(n))", "DELETE FROM u",
          "INSERT INTO t VALUES (zeroblob(9000), 1)",
          "BEGIN; DELETE FROM t; ROLLBACK"))
    case 5..<8: await run("vacuum", random.word("VACUUM", "VACUUM", "VACUUM main", "REINDEX"))
    case 8..<10: await run("analyze", random.word("ANALYZE main", "ANALYZE t", "ANALYZE i"))
    case 10: await run("optimize", "PRAGMA optimize")
    case 11..<13:
      let set = "PRAGMA \(random.word("user_version", "application_id")) = \(n)"
      await run(
        "number",
        random.word(
          set, "BEGIN; \(set); COMMIT", "BEGIN; SAVEPOINT s; \(set); ROLLBACK TO s; COMMIT"))
    case 13..<17: await run("schema", change(n))
    case 17..<19: await attach()
    case 19..<21:
      // Writes by another database to a file that both attach are not observed.
      await run(
        "fixed",
        random.word(
          "INSERT INTO fixed.s (a) VALUES (\(n))", "UPDATE fixed.s SET a = \(n)", "VACUUM fixed",
          "ANALYZE fixed", "ALTER TABLE fixed.s ADD COLUMN c\(n)"), by: database)
    case 21: try await changeElsewhere(n)
    // A file that others read is not reset: their cached pages could become invalid.
    case 22 where store == .memory && random.once(in: 4): try await reset()
    case 23:
      await run(
        "own",
        random.word(
          "DELETE FROM sqlite_stat1", "UPDATE sqlite_sequence SET seq = seq + \(n)",
          "DELETE FROM sqlite_sequence"))
    case 24:
      let name = random.word("foreign_keys", "cache_size", "recursive_triggers")
      await run("setting", "PRAGMA \(name) = \(random.below(2))", by: database)
    case 25: await run("free", "PRAGMA incremental_vacuum(\(n))")
    case 26:
      let index = random.below(observers.count)
      let query = observers.remove(at: index).query
      await observe(query)
      deeds.insert("observer")
    default: break
    }
  }

  private func change(_ n: Int) -> String {
    random.word(
      "ALTER TABLE t ADD COLUMN c\(n)", "ALTER TABLE t DROP COLUMN c\(n)",
      "ALTER TABLE t RENAME COLUMN b TO d", "ALTER TABLE t RENAME COLUMN d TO b",
      "CREATE INDEX i\(n) ON t (a)", "DROP INDEX i\(n)", "CREATE VIEW v AS SELECT a AS x FROM t",
      "CREATE VIEW v AS SELECT id AS x FROM u", "DROP VIEW v", "CREATE TABLE n (x)", "DROP TABLE n",
      "BEGIN; CREATE TABLE n (x); ROLLBACK", "CREATE TEMP TABLE n (y); DROP TABLE temp.n",
      "BEGIN; DROP TABLE t; ROLLBACK")
  }

  /// Runs a script on one of the writers; it may fail.
  private func run(_ deed: String, _ script: String, by writer: Database? = nil) async {
    let number = random.below(databases.count)
    let writer = writer ?? databases[number]
    do {
      try await writer.writeWithoutTransaction { connection in
        defer { if connection.isInTransaction { try? connection.execute("ROLLBACK") } }
        try connection.execute(SQL(unsafe: script))
      }
      trace.append("\(writer === database ? "" : "other: ")\(script)")
      deeds.insert(deed)
    } catch {
      trace.append("\(writer === database ? "" : "other: ")\(script) -- \(error)")
    }
  }

  /// Attaches and detaches on the writer, which in memory is also the reader.
  private func attach() async {
    let script =
      random.once(in: 2) ? "DETACH side" : "ATTACH '\(folder)/side\(1 + random.below(2))' AS side"
    await run("attach", script, by: database)
    if random.once(in: 2) {
      await run("attach", "INSERT INTO side.s (a) VALUES (\(random.below(9)))", by: database)
    }
  }

  /// Changes the schema of an attached file on another connection, and writes to it on the observed
  /// database.
  private func changeElsewhere(_ n: Int) async throws {
    let script = random.word(
      "DROP TABLE s; CREATE TABLE s (b, a); INSERT INTO s VALUES (1, \(n))",
      "DROP TABLE s; CREATE TABLE s (a, b); INSERT INTO s VALUES (\(n), 1)",
      "ALTER TABLE s ADD COLUMN e\(n)", "VACUUM")
    do {
      try Connection(path: "\(folder)/fixed").execute(SQL(unsafe: script))
      trace.append("elsewhere: \(script)")
      deeds.insert("other")
    } catch {
      trace.append("elsewhere: \(script) -- \(error)")
    }
    await run("fixed", "INSERT INTO fixed.s (a) VALUES (\(n))", by: database)
  }

  private func reset() async throws {
    try await database.writeWithoutTransaction { try $0.resetDatabase() }
    trace.append("reset")
    deeds.insert("reset")
    // Sometimes observers are checked while the table does not exist.
    if random.once(in: 2), !(try await check()).isEmpty { return }
    try await database.writeWithoutTransaction { try $0.execute(SQL(unsafe: Self.schema)) }
  }
}
