import Foundation
import SQLiteCore
import Testing

@Suite struct `Running migrations` {
  static let list = [
    Migration(name: "1", sql: "CREATE TABLE a (x);\nINSERT INTO a VALUES (1), (2)"),
    Migration(name: "2") { db in
      for value in 1...3 { try db.run("INSERT INTO a VALUES (?)", value) }
      _ = try db.value(Int.self, "SELECT count(*) FROM a")
    },
    Migration(name: "3") { try $0.rebuild("a", to: "CREATE TABLE a (x NOT NULL, y DEFAULT 5)") },
  ]

  @Test func `dry prints every statement, and leaves the database unchanged`() throws {
    let db = try memory()
    let plans = try db.dryRun(Self.list)
    #expect(plans.map(\.name) == ["1", "2", "3"])
    #expect(
      plans[0].statements.map(\.sql) == ["CREATE TABLE a (x)", "INSERT INTO a VALUES (1), (2)"])
    #expect(plans[1].statements == [.init(sql: "INSERT INTO a VALUES (?)", count: 3)])
    #expect(
      plans[1].description == """
        -- migration 2
        INSERT INTO a VALUES (?);  -- 3 times
        """)
    #expect(
      plans[2].statements.map { String($0.sql.prefix(11)) } == [
        "CREATE TABL", "INSERT OR A", "DROP TABLE ", "ALTER TABLE",
      ])
    #expect(try db.tables() == [])
    #expect(try db.appliedMigrations() == [])
    #expect(!db.isInTransaction)
    #expect(try db.value(Int.self, "PRAGMA foreign_keys") == 1)
    try db.migrate(Self.list, upTo: "2")
    #expect(try db.dryRun(Self.list).map(\.name) == ["3"])
    #expect(try db.dryRun(Self.list, upTo: "2") == [])
    #expect(try db.count("a") == 5)
  }

  @Test func `dry omits internal statements of virtual tables`() throws {
    let script = [
      "CREATE VIRTUAL TABLE w USING fts5(a)", "INSERT INTO w VALUES ('x')", "UPDATE w SET a = 'y'",
      "PRAGMA user_version = 3",
    ]
    let plans = try memory().dryRun([
      Migration(name: "1", sql: SQL(unsafe: script.map { "\($0); -- done\n" }.joined()))
    ])
    #expect(plans[0].statements.map(\.sql) == script)
  }

  @Test func `dry fails like a real run, and leaves no change`() throws {
    let db = try memory()
    for (migration, code) in [
      (Migration(name: "bad", sql: "INSERT INTO nope VALUES (1)"), SQLiteError.Code.error),
      (Migration(name: "bad", sql: "CREATE TABLE c (x); COMMIT"), .transactionEnded),
      (
        Migration(
          name: "bad",
          sql: """
            CREATE TABLE p (id INTEGER PRIMARY KEY); CREATE TABLE c (p REFERENCES p);
            INSERT INTO c VALUES (1)
            """), .constraintForeignKey
      ),
    ] {
      let error = #expect(throws: SQLiteError.self) { try db.dryRun([Self.list[0], migration]) }
      #expect(error?.code == code)
      #expect(error?.message.hasPrefix("migration bad: ") == true)
      #expect(try db.tables() == [])
      #expect(!db.isInTransaction)
      #expect(try db.value(Int.self, "PRAGMA foreign_keys") == 1)
    }
    #expect(throws: Failure()) { try db.dryRun([Migration(name: "1") { _ in throw Failure() }]) }
    try db.migrate([Migration(name: "new", sql: "SELECT 1")])
    let error = #expect(throws: SQLiteError.self) { try db.dryRun(Self.list) }
    #expect(error?.code == .databaseIsNewer)
  }

  @Test func `dry enforces foreign keys if the migration requests it`() throws {
    let db = try memory(
      """
      CREATE TABLE p (id INTEGER PRIMARY KEY); CREATE TABLE c (p REFERENCES p ON DELETE CASCADE);
      INSERT INTO p VALUES (1); INSERT INTO c VALUES (1);
      """)
    let counts = Shared<[Int?]>([])
    let delete: @Sendable (Connection) throws -> Void = { db in
      try db.run("DELETE FROM p")
      try counts.update { try $0.append(db.count("c")) }
    }
    _ = try db.dryRun([Migration(name: "1", foreignKeys: .enforced, delete)])
    #expect(throws: SQLiteError.self) { try db.dryRun([Migration(name: "1", delete)]) }
    #expect(counts.value == [0, 1])
    #expect(try db.count("c") == 1)
  }

  @Test func `dry shows each migration the list of earlier ones`() throws {
    let db = try memory()
    let lists = Shared<[[String]]>([])
    let second = Migration(name: "2") { db in
      try lists.update { try $0.append(db.appliedMigrations()) }
    }
    let list = [Migration(name: "1", sql: "CREATE TABLE a (x)"), second]
    #expect(try db.dryRun(list).map(\.statements.count) == [1, 0])
    try db.migrate(list)
    #expect(lists.value == [["1"], ["1"]])
  }

  @Test func `ignores a temporary table with the name of the migration table`() throws {
    let db = try memory()
    try db.migrate(Self.list, upTo: "1")
    try db.execute("CREATE TEMP TABLE holt_migration (position, name, applied_at, checksum)")
    #expect(try db.migrate(Self.list) == ["2", "3"])
    #expect(try db.appliedMigrations() == ["1", "2", "3"])
    #expect(try db.rows("SELECT * FROM temp.holt_migration") == [])
  }

  @Test func `computes the same checksum with every release of SQLite`() throws {
    // The set of keywords differs between releases.
    let sql = "CREATE  TABLE \"Within\" (a /* b */ TEXT DEFAULT 'C', [d e] INTEGER); -- f"
    #expect(Migration(name: "1", sql: SQL(unsafe: sql)).checksum == "ef094b33790be8ed")
    #expect(
      Migration(name: "1", sql: "SELECT \"within\"").checksum
        != Migration(name: "1", sql: "SELECT within").checksum)
  }

  @Test func `stops after a named migration`() throws {
    let db = try memory()
    #expect(try db.migrate(Self.list, upTo: "1") == ["1"])
    #expect(try db.migrate(Self.list, upTo: "1") == [])
    #expect(try db.migrate(Self.list) == ["2", "3"])
    #expect(try db.migrate(Self.list, upTo: "1") == [])
    let error = #expect(throws: SQLiteError.self) { try db.migrate(Self.list, upTo: "nope") }
    #expect(error?.code == .misuse)
  }

  @Test func `reports applied, pending and unknown migrations, with their times`() throws {
    let db = try memory()
    #expect(try db.migrationStatus(of: Self.list).map(\.state) == [.pending, .pending, .pending])
    try db.migrate(Self.list, upTo: "2")
    let status = try db.migrationStatus(of: [Self.list[0], Self.list[2]])
    #expect(status.map(\.name) == ["1", "3", "2"])
    #expect(status.map(\.state) == [.applied, .pending, .unknown])
    #expect(status[0].appliedAt?.count == 19)
    #expect(status[1].appliedAt == nil)
    #expect(status[2].appliedAt != nil)
  }

  @Test func `detects a migration that was changed after it was run`() throws {
    let db = try memory()
    try db.migrate([Self.list[0]])
    let reformatted = Migration(
      name: "1", sql: "create table A (x); -- a table\n INSERT INTO a VALUES (1), (2)")
    #expect(try db.migrationStatus(of: [reformatted]).map(\.state) == [.applied])
    try db.migrate([reformatted], refusingChanged: true)
    let edited = Migration(name: "1", sql: "CREATE TABLE a (x); INSERT INTO a VALUES (1), (3)")
    #expect(try db.migrationStatus(of: [edited]).map(\.state) == [.changed])
    #expect(try db.migrate([edited]) == [])
    let error = #expect(throws: SQLiteError.self) {
      try db.migrate([edited], refusingChanged: true)
    }
    #expect(error?.code == .migrationChanged)
    #expect(error?.message.hasSuffix(": 1") == true)
    let inSwift = Migration(name: "1") { _ in }
    #expect(inSwift.checksum == nil)
    #expect(try db.migrationStatus(of: [inSwift]).map(\.state) == [.applied])
  }

  @Test func `continues a migration table without checksums`() throws {
    let db = try memory(
      """
      CREATE TABLE holt_migration (
        position INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE,
        applied_at TEXT NOT NULL DEFAULT CURRENT_TIMESTAMP
      );
      INSERT INTO holt_migration (name) VALUES ('1');
      CREATE TABLE a (x);
      """)
    #expect(try db.migrationStatus(of: Self.list).map(\.state) == [.applied, .pending, .pending])
    #expect(try db.migrate(Self.list, refusingChanged: true) == ["2", "3"])
    #expect(try db.appliedMigrations() == ["1", "2", "3"])
  }

  @Test func `reports its progress`() throws {
    let db = try memory()
    var reports: [String] = []
    try db.migrate(Self.list) { progress in
      #expect(progress.count == 3)
      let phase =
        switch progress.phase {
        case .began: "began"
        case .copying(let copy): "\(copy.table) \(copy.rowsDone)/\(copy.rowsTotal)"
        case .finished: "finished"
        }
      reports.append("\(progress.index) \(progress.migration) \(phase)")
    }
    #expect(
      reports == [
        "0 1 began", "0 1 finished", "1 2 began", "1 2 finished", "2 3 began", "2 3 a 0/5",
        "2 3 a 5/5", "2 3 finished",
      ])
  }

  @Test(arguments: [
    ("0 began", []), ("0 finished", ["1"]), ("2 began", ["1", "2"]), ("2 copying", ["1", "2"]),
    ("2 finished", ["1", "2", "3"]),
  ]) func `stops if the progress closure throws`(_ place: String, _ applied: [String]) throws {
    let db = try memory()
    #expect(throws: Failure()) {
      try db.migrate(Self.list) { progress in
        let phase = "\(progress.phase)".prefix { $0 != "(" }
        if "\(progress.index) \(phase)" == place { throw Failure() }
      }
    }
    #expect(try db.appliedMigrations() == applied)
    #expect(!db.isInTransaction)
    #expect(try db.migrate(Self.list).count == 3 - applied.count)
    #expect(try db.columns(of: "a").map(\.name) == ["x", "y"])
  }

  @Test func `stops when its task is cancelled, between migrations and inside one`() async throws {
    let directory = try TemporaryDirectory()
    let database = try directory.open()
    let (began, mayGo) = (Gate(), Gate())
    let second = Migration(name: "2") { db in
      try db.execute("CREATE TABLE b (x)")
      began.open()
      mayGo.wait()
      try db.execute("CREATE TABLE c (x)")
    }
    let task = Task { try await database.migrate([Self.list[0], second, Self.list[2]]) }
    _ = try await eventually { began.wait(seconds: 0) }
    task.cancel()
    mayGo.open()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(try await database.read { try $0.appliedMigrations() } == ["1"])
    #expect(try await database.read { try $0.table("b") } == nil)
    let cancelled = Task {
      while !Task.isCancelled { await Task.yield() }
      try migrateHere(memory())
    }
    cancelled.cancel()
    await #expect(throws: CancellationError.self) { try await cancelled.value }
  }

  private func migrateHere(_ db: Connection) throws { try db.migrate(Self.list) }

  @Test func `names the migration, the script and the offset of a failure`() throws {
    let directory = try TemporaryDirectory()
    let db = try directory.connect()
    try db.migrate([Self.list[0]])
    let script = "CREATE TABLE b (x);\nINSERT INTO b VALUES (1);\nINSERT INTO a VALUES (1, 2, 3)"
    let error = #expect(throws: SQLiteError.self) {
      try db.migrate([Self.list[0], Migration(name: "2 b", sql: SQL(unsafe: script))])
    }
    #expect(error?.message == "migration 2 b: table a has 1 columns but 3 values were supplied")
    #expect(error?.sql == script)
    let offset = try #require(error?.offset?.rawValue)
    #expect(script.utf8.dropFirst(offset).starts(with: "INSERT INTO a".utf8))
    #expect(try directory.connect().table("b") == nil)
  }

  @Test func `runs no migration twice in concurrent processes`() async throws {
    let directory = try TemporaryDirectory()
    let path = directory.file()
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<2 {
        group.addTask {
          await #expect(processExitsWith: .success) { [path = path as String] in
            let db = try Connection(path: path)
            let start = Date.now.addingTimeInterval(0.05)
            while Date.now < start {}
            let ran = try db.migrate(
              (0..<10).map {
                Migration(
                  name: "\($0)",
                  sql:
                    "CREATE TABLE t\(unsafe: "\($0)") (a); INSERT INTO t\(unsafe: "\($0)") VALUES (1)"
                )
              })
            try db.execute("CREATE TABLE IF NOT EXISTS ran (name)")
            for name in ran { try db.run("INSERT INTO ran VALUES (?)", name) }
          }
        }
      }
    }
    let db = try directory.connect()
    #expect(try db.appliedMigrations() == (0..<10).map(String.init))
    #expect(
      try db.values(String.self, "SELECT name FROM ran ORDER BY name") == (0..<10).map(String.init))
    #expect(try db.count("t9") == 1)
  }

  @Test func `and their status work on a database, synchronously and asynchronously`()
    async throws
  {
    let database = try Database.inMemory()
    #expect(try await database.dryRun(Self.list).count == 3)
    #expect(try await database.migrate(Self.list, upTo: "1") { _ in } == ["1"])
    #expect(
      try await database.migrationStatus(of: Self.list).map(\.state) == [
        .applied, .pending, .pending,
      ])
    try lookHere(database)
  }

  private func lookHere(_ database: Database) throws {
    #expect(try database.dryRun(Self.list).count == 2)
    #expect(try database.migrate(Self.list, upTo: "2") { _ in } == ["2"])
    #expect(
      try database.migrationStatus(of: Self.list).map(\.state) == [.applied, .applied, .pending])
  }
}
