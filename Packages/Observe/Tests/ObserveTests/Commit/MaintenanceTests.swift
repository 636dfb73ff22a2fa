import ObserveTesting
import SQLiteCore
import Testing

@testable import Observe

/// Statements that change a database without reporting rows: `VACUUM`, `ANALYZE`, `PRAGMA`s, `ATTACH`.
@Suite struct `Maintenance and settings` {
  /// The rows of a query, each as one line of text.
  private func recording(
    _ sql: String, of database: Database
  ) async -> Recording<[String]> {
    await Recording(
      database.observe { connection in
        try connection.rows(SQL(unsafe: sql)).map { $0.map(\.description).joined(separator: " ") }
      }, of: database)
  }

  /// Observes a query while a script changes its result, together with statements whose rows no observer needs.
  private func expectChange(
    of query: String, _ script: String, in store: Store, _ schema: String
  ) async throws {
    let schema = schema + "; CREATE TABLE unwatched (x)"
    try await withDatabase(store, schema) { database in
      let values = await recording(query, of: database)
      #expect(values.error == nil)
      let insert = "INSERT INTO unwatched VALUES (1);"
      // Twice, so that the second run uses the state cached by the first.
      for sql in ["\(insert) \(script)", "\(insert) BEGIN; \(insert) COMMIT"] {
        try await database.writeWithoutTransaction { try $0.execute(SQL(unsafe: sql)) }
        await values.waitUntilIdle()
        let fresh = try await database.read { connection in
          try connection.rows(SQL(unsafe: query)).map {
            $0.map(\.description).joined(separator: " ")
          }
        }
        #expect(values.values.last == fresh, "\(sql)")
      }
      #expect(Set(values.values).count > 1, "\(script) does not change \(query)")
    }
  }

  // MARK: The whole file

  @Test(arguments: Store.allCases)
  func `resetting the database notifies every observer`(_ store: Store) async throws {
    // In memory, the schema version is the same after the reset. With a file, an open reader would not notice.
    let schema =
      (store == .file ? "CREATE TABLE u (a);" : "") + "CREATE TABLE t (a); INSERT INTO t VALUES (1)"
    try await withDatabase(store, schema) { database in
      let values = await Recording(
        database.observe(.table("t")) { connection in
          try connection.tables().isEmpty
            ? -1 : connection.value(Int.self, "SELECT count(*) FROM t") ?? 0
        }, of: database)
      try await database.writeWithoutTransaction { try $0.resetDatabase() }
      await values.waitUntilIdle()
      #expect(values.error == nil)
      #expect(values.values == [1, -1])
    }
  }

  @Test(arguments: Store.allCases, ["VACUUM", "VACUUM main"])
  func `VACUUM notifies observers of rowids`(_ store: Store, _ vacuum: String) async throws {
    try await expectChange(
      of: "SELECT rowid, a FROM t", vacuum, in: store,
      "CREATE TABLE t (a); INSERT INTO t VALUES (1), (2), (3); DELETE FROM t WHERE a = 1")
  }

  @Test func `VACUUM INTO notifies no observer`() async throws {
    try await withFolder { folder in
      try await withDatabase(.file, "CREATE TABLE t (a)") { database in
        let changes = try await database.recording {
          try $0.vacuum(into: "\(folder)/copy.sqlite")
        }
        #expect(changes == nil)
      }
    }
  }

  @Test func `VACUUM reports no table of its temporary copy`() async throws {
    let schema = """
      CREATE TABLE t (a); INSERT INTO t VALUES (1);
      CREATE TABLE w (k PRIMARY KEY) WITHOUT ROWID; INSERT INTO w VALUES (1);
      """
    try await withDatabase(.file, schema) { database in
      let changes = try #require(try await database.recording("VACUUM"))
      #expect(changes.tables.isEmpty)
      #expect(changes.schemaChanged)
    }
  }

  @Test func `changes of a database attached as vacuum_db are reported`() async throws {
    let schema = "ATTACH ':memory:' AS vacuum_db; CREATE TABLE vacuum_db.t (a)"
    try await withDatabase(.memory, schema) { database in
      let values = await recording("SELECT a FROM vacuum_db.t", of: database)
      try await database.run("INSERT INTO vacuum_db.t VALUES (1)")
      await values.waitUntilIdle()
      #expect(values.values == [[], ["1"]])
    }
  }

  // MARK: SQLite's own tables

  struct Case: CustomTestStringConvertible, Sendable {
    let query: String, script: String
    var schema = "CREATE TABLE t (a)"
    var testDescription: String { "\(query): \(script)" }
  }

  static let analyzed = """
    CREATE TABLE t (a); CREATE INDEX i ON t (a); INSERT INTO t VALUES (1), (2), (2); ANALYZE
    """
  static let ownTables = [
    Case(
      query: "SELECT tbl, stat FROM sqlite_stat1", script: "INSERT INTO t VALUES (3); ANALYZE",
      schema: analyzed),
    Case(
      query: "SELECT tbl, stat FROM sqlite_stat1", script: "DELETE FROM t; ANALYZE t",
      schema: analyzed),
    Case(
      query: "SELECT count(*) FROM sqlite_stat1", script: "DELETE FROM sqlite_stat1",
      schema: analyzed),
    Case(
      query: "SELECT seq FROM sqlite_sequence", script: "UPDATE sqlite_sequence SET seq = 70",
      schema: "CREATE TABLE t (a INTEGER PRIMARY KEY AUTOINCREMENT); INSERT INTO t VALUES (7)"),
    Case(
      query: "SELECT seq FROM sqlite_sequence", script: "INSERT INTO t VALUES (1)",
      schema: """
        CREATE TABLE s (a INTEGER PRIMARY KEY AUTOINCREMENT); INSERT INTO s VALUES (7);
        CREATE TABLE t (a);
        CREATE TRIGGER g AFTER INSERT ON t BEGIN UPDATE sqlite_sequence SET seq = 9; END;
        """),
  ]

  @Test(arguments: Store.allCases, ownTables)
  func `SQLite's internal tables are observed`(_ store: Store, _ expected: Case) async throws {
    try await expectChange(of: expected.query, expected.script, in: store, expected.schema)
  }

  @Test func `repeated ANALYZE statements are each reported`() async throws {
    try await withDatabase(.file, Self.analyzed) { database in
      #expect(try await database.recording("ANALYZE")?.tables["sqlite_stat1"] != nil)
      // The same compiled statement, which does not report rows.
      try await database.run("DELETE FROM t; ANALYZE t")
      #expect(try await database.recording("ANALYZE t")?.tables["sqlite_stat1"] != nil)
    }
  }

  // MARK: PRAGMAs

  static let pragmas = [
    Case(query: "PRAGMA user_version", script: "PRAGMA user_version = 5"),
    Case(query: "PRAGMA user_version", script: "BEGIN; PRAGMA user_version = 5; COMMIT"),
    Case(
      query: "SELECT user_version FROM pragma_user_version", script: "PRAGMA user_version = 5"),
    Case(
      query: "SELECT user_version, count(a) FROM pragma_user_version LEFT JOIN t",
      script: "PRAGMA user_version = 5"),
    Case(query: "PRAGMA application_id", script: "PRAGMA application_id = 5"),
    Case(query: "PRAGMA table_info(t)", script: "ALTER TABLE t ADD COLUMN b"),
    Case(
      query: "SELECT name FROM pragma_table_info('t')", script: "ALTER TABLE t ADD COLUMN b"),
    Case(query: "PRAGMA table_list", script: "CREATE TABLE u (a)"),
    Case(query: "PRAGMA index_list(t)", script: "CREATE INDEX i ON t (a)"),
    Case(query: "PRAGMA schema_version", script: "CREATE TABLE u (a)"),
    Case(query: "PRAGMA page_count", script: "INSERT INTO t VALUES (zeroblob(100000))"),
    Case(
      query: "SELECT freelist_count FROM pragma_freelist_count",
      script: "PRAGMA incremental_vacuum",
      schema: """
        PRAGMA auto_vacuum = 2; VACUUM; CREATE TABLE t (a);
        INSERT INTO t VALUES (zeroblob(100000)); DELETE FROM t
        """),
    Case(
      query: "PRAGMA foreign_key_check", script: "INSERT INTO c VALUES (7)",
      schema: """
        PRAGMA foreign_keys = OFF; CREATE TABLE p (a PRIMARY KEY); CREATE TABLE c (a REFERENCES p)
        """),
  ]

  @Test(arguments: Store.allCases, pragmas)
  func `PRAGMAs are observed`(_ store: Store, _ expected: Case) async throws {
    try await expectChange(of: expected.query, expected.script, in: store, expected.schema)
  }

  @Test func `PRAGMA optimize may change statistics`() async throws {
    try await withDatabase(.file, Self.analyzed) { database in
      let changes = try await database.recording("PRAGMA optimize")
      #expect(changes.map { Region.everything.overlaps($0) } == true)
      #expect(changes.map { Region.table("t").overlaps($0) } == false)
    }
  }

  @Test func `setting the schema version counts as a schema change`() async throws {
    var configuration = Configuration()
    configuration.isDefensive = false
    let database = try Database.inMemory(configuration)
    defer { database.close() }
    try await database.run("CREATE TABLE t (a)")
    #expect(try await database.recording("PRAGMA schema_version = 700")?.schemaChanged == true)
  }

  @Test(arguments: ["PRAGMA foreign_keys", "SELECT foreign_keys FROM pragma_foreign_keys"])
  func `settings of a single connection are observed`(_ query: String) async throws {
    for script in ["PRAGMA foreign_keys = OFF", "BEGIN; COMMIT; PRAGMA foreign_keys = OFF"] {
      try await expectChange(of: query, script, in: .memory, "CREATE TABLE t (a)")
    }
    try await expectChange(
      of: "PRAGMA cache_size", "PRAGMA cache_size = 77", in: .memory, "CREATE TABLE t (a)")
  }

  @Test func `a fetch that sets a PRAGMA does not become stale by it`() async throws {
    try await withDatabase(.memory, "CREATE TABLE t (a)") { database in
      let fetches = Counter()
      let values = await Recording(
        database.observe { connection in
          fetches.add()
          try connection.execute("PRAGMA cache_size = \(unsafe: "\(100 + fetches.value)")")
          return try connection.value(Int.self, "SELECT count(*) FROM t") ?? 0
        }, of: database)
      await values.waitUntilIdle()
      #expect(fetches.value == 1)
      try await database.run("INSERT INTO t VALUES (1)")
      await values.waitUntilIdle()
      #expect(values.values.last == 1)
    }
  }

  @Test func `a rolled back PRAGMA notifies no observer`() async throws {
    try await withDatabase(.file, "CREATE TABLE t (a)") { database in
      #expect(try await database.recording("BEGIN; PRAGMA user_version = 5; ROLLBACK") == nil)
      let changes = try await database.recording(
        """
        BEGIN; SAVEPOINT s; PRAGMA user_version = 5; ROLLBACK TO s; RELEASE s;
        INSERT INTO t VALUES (1); COMMIT
        """)
      #expect(changes?.tables.keys.map(\.name) == ["t"])
    }
  }

  static let questions = [
    "PRAGMA table_info(t)", "PRAGMA integrity_check(5)", "PRAGMA foreign_keys",
    "PRAGMA journal_mode",
    "PRAGMA wal_checkpoint", "PRAGMA user_version", "SELECT * FROM pragma_table_info('t')",
    "BEGIN IMMEDIATE; COMMIT", "BEGIN; PRAGMA defer_foreign_keys = ON; COMMIT",
  ]

  @Test(arguments: questions)
  func `read-only PRAGMAs and statements notify no observer`(_ script: String) async throws {
    try await withDatabase(.file, "CREATE TABLE t (a)") { database in
      let changes = try await database.recording(script)
      #expect(changes == nil)
    }
  }

  @Test func `regions of PRAGMAs are minimal`() throws {
    let connection = try Connection.inMemory()
    try connection.execute("CREATE TABLE t (a)")
    let region: (String) throws -> Region = { sql in
      Region(try connection.recordingAccess { try connection.rows(SQL(unsafe: sql)) }.1)
    }
    try #expect(region("PRAGMA user_version").description == "pragma_user_version")
    try #expect(region("PRAGMA table_info(t)").description == "pragma_table_info")
    try #expect(region("PRAGMA page_count") == .everything)
    try #expect(region("SELECT * FROM pragma_page_count") == .everything)
    // Every reader of a table is notified of each schema change.
    let (_, access) = try connection.recordingAccess {
      _ = try connection.rows("PRAGMA schema_version")
      _ = try connection.rows("SELECT a FROM t")
    }
    #expect(Region(access) == .columns("t", ["a"]))
  }

  // MARK: Attached databases

  @Test func `an attached schema is read again after another connection changes it`() async throws {
    try await withFolder { folder in
      let side = "\(folder)/side.sqlite"
      let other = try Connection(path: side)
      try other.execute("CREATE TABLE t (a, b); INSERT INTO t VALUES (1, 2)")
      var configuration = Configuration()
      configuration.prepare = { try $0.attach(.file(side), as: "side") }
      let database = try Database(path: "\(folder)/main.sqlite", configuration: configuration)
      defer { database.close() }
      let values = await recording("SELECT a FROM side.t", of: database)
      try await database.run("UPDATE side.t SET a = 3")
      await values.waitUntilIdle()
      #expect(values.values == [["1"], ["3"]])
      // The columns swap places.
      try other.execute("DROP TABLE t; CREATE TABLE t (b, a); INSERT INTO t VALUES (2, 3)")
      try await database.run("UPDATE side.t SET a = 4")
      await values.waitUntilIdle()
      #expect(values.values.last == ["4"])
    }
  }

  static let undone = [
    "", "BEGIN; DROP TABLE u; ROLLBACK", "BEGIN; INSERT INTO side.t (a) VALUES (1); ROLLBACK",
    "BEGIN; PRAGMA side.user_version = 3; ROLLBACK",
  ]

  /// With and without an observer of the attached table's rows.
  @Test(arguments: undone, [[], ["SELECT a FROM side.t"]])
  func `a schema change by another connection is reported with the next commit to its file`(
    _ undone: String, _ others: [String]
  ) async throws {
    try await withFolder { folder in
      let side = "\(folder)/side.sqlite"
      let other = try Connection(path: side)
      try other.execute("CREATE TABLE t (a)")
      var configuration = Configuration()
      configuration.prepare = { try $0.attach(.file(side), as: "side") }
      let database = try Database.inMemory(configuration)
      defer { database.close() }
      try await database.run("CREATE TABLE u (a)")
      var all: [Recording<[String]>] = []
      for sql in others + ["SELECT name FROM pragma_table_info('t', 'side')"] {
        all.append(await recording(sql, of: database))
      }
      let columns = try #require(all.last)
      let insert = "INSERT INTO side.t (a) VALUES (1)"
      try await database.run(insert)
      for number in 1...3 {
        if number == 2 {
          try other.execute("ALTER TABLE t ADD COLUMN b")
          try await database.writeWithoutTransaction { try $0.execute(SQL(unsafe: undone)) }
        } else {
          try await database.writeWithoutTransaction { try $0.execute(SQL(unsafe: undone)) }
          try other.execute("ALTER TABLE t ADD COLUMN c\(unsafe: "\(number)")")
        }
        try await database.run(insert)
        for values in all { await values.waitUntilIdle() }
        let fresh = try await database.read {
          try $0.rows("SELECT name FROM pragma_table_info('t', 'side')").map { "\($0[0])" }
        }
        #expect(columns.values.last == fresh)
      }
    }
  }

  @Test(arguments: [
    Case(
      query: "PRAGMA database_list", script: "BEGIN; ATTACH ':memory:' AS side; ROLLBACK"),
    Case(
      query: "PRAGMA database_list", script: "BEGIN; DETACH side; ROLLBACK",
      schema: "ATTACH ':memory:' AS side"),
    Case(query: "PRAGMA cache_size", script: "BEGIN; PRAGMA cache_size = 77; ROLLBACK"),
    Case(
      query: "PRAGMA cache_size",
      script: "BEGIN; SAVEPOINT s; PRAGMA cache_size = 77; ROLLBACK TO s; COMMIT"),
    Case(
      query: "PRAGMA recursive_triggers",
      script: "BEGIN; INSERT INTO unwatched VALUES (2); PRAGMA recursive_triggers = 1; ROLLBACK"),
  ])
  func `changes that a rollback does not undo notify their observers`(_ expected: Case)
    async throws
  {
    try await expectChange(of: expected.query, expected.script, in: .memory, expected.schema)
  }

  @Test func `attaching and detaching a database notify every observer`() async throws {
    try await withFolder { folder in
      let sides = (1...2).map { "\(folder)/side\($0).sqlite" }
      for (number, path) in sides.enumerated() {
        try Connection(path: path).execute(
          "CREATE TABLE t (a); INSERT INTO t VALUES (\(unsafe: "\(number)"))")
      }
      try await withDatabase(.memory, "CREATE TABLE u (a)") { database in
        let results = await Recording(
          database.observe { try $0.value(Int.self, "SELECT a FROM side.t") }.results, of: database)
        let last = { results.values.last.flatMap { try? $0.get() } }
        #expect(last() == nil)
        for (number, path) in sides.enumerated() {
          try await database.writeWithoutTransaction { try $0.attach(.file(path), as: "side") }
          await results.waitUntilIdle()
          #expect(last() == number)
          try await database.writeWithoutTransaction { try $0.detach("side") }
          await results.waitUntilIdle()
          #expect(last() == nil)
        }
      }
    }
  }

  @Test func `a schema change during an uncommitted statement loses no row`() async throws {
    try await withDatabase(.file, "CREATE TABLE t (a)") { database in
      let fetches = Counter()
      let values = await Recording(
        database.observe { connection in
          fetches.add()
          return try connection.values(Int.self, "SELECT a FROM t")
        }, of: database)
      try await database.writeWithoutTransaction { connection in
        let insert = try connection.prepare("INSERT INTO t VALUES (1), (2) RETURNING a")
        #expect(try insert.step())
        try connection.execute("PRAGMA cache_size = 50; ATTACH ':memory:' AS side")
        // A reader fetches the rows committed so far.
        while fetches.value < 2 {}
        while try insert.step() {}
      }
      await values.waitUntilIdle()
      #expect(values.values.last == [1, 2])
    }
  }
}
