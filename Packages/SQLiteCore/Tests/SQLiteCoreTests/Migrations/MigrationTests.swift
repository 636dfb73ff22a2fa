import SQLiteCore
import Testing

@Suite struct `Migrations` {
  static let first = Migration(name: "1", sql: "CREATE TABLE a (x); INSERT INTO a VALUES (1)")
  static let second = Migration(name: "2", sql: "ALTER TABLE a ADD COLUMN y DEFAULT 2")
  static let third = Migration(name: "3", sql: "CREATE TABLE b AS SELECT x + y AS z FROM a")

  @Test func `run in order, once`() throws {
    let db = try memory()
    #expect(try db.appliedMigrations() == [])
    #expect(try db.migrate([Self.first, Self.second, Self.third]) == ["1", "2", "3"])
    #expect(try db.migrate([Self.first, Self.second, Self.third]) == [])
    #expect(try db.appliedMigrations() == ["1", "2", "3"])
    #expect(try db.rows("SELECT z FROM b") == [[3]])
    let fourth = Migration(name: "4") { _ in }
    #expect(try db.migrate([Self.first, Self.second, Self.third, fourth]) == ["4"])
  }

  @Test func `continue after an earlier run`() throws {
    let directory = try TemporaryDirectory()
    #expect(try directory.connect().migrate([Self.first]) == ["1"])
    #expect(try directory.connect().migrate([Self.first, Self.second]) == ["2"])
  }

  @Test func `that fail keep the migrations before them`() throws {
    let db = try memory()
    let bad = Migration(name: "bad", sql: "CREATE TABLE c (x); INSERT INTO nope VALUES (1)")
    let error = #expect(throws: SQLiteError.self) {
      try db.migrate([Self.first, bad, Self.second])
    }
    #expect(error?.message.hasPrefix("migration bad: no such table") == true)
    #expect(error?.sql?.hasPrefix("CREATE TABLE c") == true)
    #expect(try db.appliedMigrations() == ["1"])
    #expect(try db.table("c") == nil)
    #expect(!db.isInTransaction)
    #expect(throws: SQLiteError.self) { try db.migrate([Self.first, bad]) }
    #expect(try db.migrate([Self.first, Self.second]) == ["2"])
  }

  @Test func `run Swift code, and rethrow its error`() throws {
    let db = try memory()
    let migration = Migration(name: "swift") { connection in
      try connection.execute("CREATE TABLE t (a)")
      for value in 1...3 { try connection.run("INSERT INTO t VALUES (?)", value) }
    }
    #expect(throws: Failure()) {
      try db.migrate([migration, Migration(name: "throws") { _ in throw Failure() }])
    }
    #expect(try db.appliedMigrations() == ["swift"])
    #expect(try db.count("t") == 3)
  }

  @Test func `refuse a database of a newer program, and leave it unchanged`() throws {
    let db = try memory()
    try db.migrate([Self.first, Self.second])
    let before = db.totalChangeCount
    let error = #expect(throws: SQLiteError.self) {
      try db.migrate([Self.first, .init(name: "other", sql: "CREATE TABLE other (x)")])
    }
    #expect(error?.code == .databaseIsNewer)
    #expect(error?.message.contains("applied 2") == true)
    #expect(db.totalChangeCount == before)
    #expect(try db.table("other") == nil)
    #expect(try db.appliedMigrations() == ["1", "2"])
  }

  @Test func `refuse duplicate names before they run`() throws {
    let db = try memory()
    let error = #expect(throws: SQLiteError.self) {
      try db.migrate([Self.first, .init(name: "1", sql: "SELECT 1")])
    }
    #expect(error?.code == .misuse)
    #expect(try db.tables() == [])
  }

  @Test(arguments: [
    "CREATE TABLE t (a); COMMIT; CREATE TABLE u (a)", "CREATE TABLE t (a); COMMIT",
    "CREATE TABLE t (a); ROLLBACK", "CREATE TABLE t (a); END; BEGIN",
  ])
  func `that end their transaction are refused, and leave no change`(_ sql: String) throws {
    let db = try memory()
    let error = #expect(throws: SQLiteError.self) {
      try db.migrate([.init(name: "m", sql: SQL(unsafe: sql))])
    }
    #expect(error?.code == .transactionEnded)
    #expect(error?.message.hasPrefix("migration m: ") == true)
    #expect(!db.isInTransaction)
    #expect(try db.tables() == [])
    #expect(try db.migrate([Self.first]) == ["1"])
  }

  @Test func `can have Unicode, quoted and empty names`() throws {
    let db = try memory()
    let names = ["", "it's", "\"quoted\"", "\u{e9}", "a b"]
    #expect(try db.migrate(names.map { Migration(name: $0, sql: "SELECT 1") }) == names)
    #expect(try db.appliedMigrations() == names)
  }

  @Test func `run on a database, synchronously and asynchronously`() async throws {
    let database = try Database.inMemory()
    #expect(try await database.migrate([Self.first]) == ["1"])
    #expect(try migrateHere(database, [Self.first, Self.second]) == ["2"])
    #expect(try await database.read { try $0.rows("SELECT x, y FROM a") } == [[1, 2]])
  }

  private func migrateHere(_ database: Database, _ migrations: [Migration]) throws -> [String] {
    try database.migrate(migrations)
  }

  @Test func `run once if they are started concurrently`() async throws {
    let directory = try TemporaryDirectory()
    let migrations = (0..<20).map { index in
      Migration(
        name: "\(index)",
        sql:
          "CREATE TABLE t\(unsafe: "\(index)") (a); INSERT INTO t\(unsafe: "\(index)") VALUES (1)")
    }
    let ran = Shared<[String]>([])
    let failures = Shared<[String]>([])
    await onThreads(8) { _ in
      do {
        let names = try Connection(path: directory.file()).migrate(migrations)
        ran.update { $0 += names }
      } catch {
        failures.update { $0.append("\(error)") }
      }
    }
    #expect(failures.value == [])
    #expect(ran.value.sorted() == migrations.map(\.name).sorted())
    let db = try directory.connect()
    #expect(try db.appliedMigrations() == migrations.map(\.name))
    #expect(try db.count("t19") == 1)
  }
}

@Suite struct `Foreign keys during a migration` {
  static let schema = """
    CREATE TABLE author (id INTEGER PRIMARY KEY, name TEXT);
    CREATE TABLE book (
      id INTEGER PRIMARY KEY, author INTEGER NOT NULL REFERENCES author ON DELETE CASCADE
    );
    INSERT INTO author VALUES (1, 'a');
    INSERT INTO book VALUES (10, 1);
    """
  static let rebuild = """
    CREATE TABLE new_author (id INTEGER PRIMARY KEY, name TEXT NOT NULL);
    INSERT INTO new_author SELECT id, name FROM author;
    DROP TABLE author;
    ALTER TABLE new_author RENAME TO author;
    """

  @Test func `are checked at the end, so that a table can be rebuilt`() throws {
    let db = try memory(SQL(unsafe: Self.schema))
    try db.migrate([.init(name: "rebuild", sql: SQL(unsafe: Self.rebuild))])
    #expect(try db.count("book") == 1)
    #expect(try db.columns(of: "author")[1].isNotNull)
    let error = #expect(throws: SQLiteError.self) { try db.run("INSERT INTO book VALUES (11, 9)") }
    #expect(error?.code == .constraintForeignKey)
  }

  @Test func `that are violated at the end roll the migration back`() throws {
    let db = try memory(SQL(unsafe: Self.schema))
    let error = #expect(throws: SQLiteError.self) {
      try db.migrate([.init(name: "break", sql: "DELETE FROM author")])
    }
    #expect(error?.code == .constraintForeignKey)
    #expect(error?.message.contains("row 10 of table book refers to a row of author") == true)
    #expect(try db.count("author") == 1)
    #expect(try db.appliedMigrations() == [])
    #expect(throws: SQLiteError.self) { try db.run("INSERT INTO book VALUES (11, 9)") }
  }

  @Test func `are enforced immediately if requested`() throws {
    let db = try memory(SQL(unsafe: Self.schema))
    try db.migrate([.init(name: "cascade", foreignKeys: .enforced, sql: "DELETE FROM author")])
    #expect(try db.count("book") == 0)
  }

  @Test func `are not checked if the configuration disables them`() throws {
    let db = try memory(SQL(unsafe: Self.schema)) { $0.enforcesForeignKeys = false }
    try db.migrate([.init(name: "break", sql: "DELETE FROM author")])
    #expect(try db.count("book") == 1)
    try db.run("INSERT INTO book VALUES (11, 9)")
  }

  @Test(arguments: [true, false])
  func `are restored at the end for any configuration`(_ isOn: Bool) throws {
    let db = try memory(SQL(unsafe: Self.schema)) { $0.enforcesForeignKeys = !isOn }
    try db.setOption(.foreignKeys, on: isOn)
    _ = try db.dryRun([.init(name: "rebuild", sql: SQL(unsafe: Self.rebuild))])
    #expect(try db.isOn(.foreignKeys) == isOn)
    try db.migrate([.init(name: "rebuild", sql: SQL(unsafe: Self.rebuild))])
    #expect(try db.isOn(.foreignKeys) == isOn)
    #expect(try db.count("book") == 1)
    let breaks = Migration(name: "break", sql: "DELETE FROM author")
    if isOn {
      #expect(throws: SQLiteError.self) {
        try db.migrate([.init(name: "rebuild", sql: SQL(unsafe: "")), breaks])
      }
    } else {
      try db.migrate([.init(name: "rebuild", sql: SQL(unsafe: "")), breaks])
    }
  }

  @Test func `are also checked in attached databases`() throws {
    let db = try memory()
    try db.attach(.memory, as: "other \"db")
    let script = Self.schema.replacing("CREATE TABLE ", with: "CREATE TABLE \"other \"\"db\".")
    try db.execute(SQL(unsafe: script))
    #expect(throws: SQLiteError.self) {
      try db.migrate([.init(name: "break", sql: "DELETE FROM author")])
    }
    #expect(try db.count("author") == 1)
  }

  @Test func `that were violated before do not hide new violations`() throws {
    let db = try memory(
      """
      CREATE TABLE parent (id INTEGER PRIMARY KEY);
      CREATE TABLE child (id TEXT PRIMARY KEY, parent REFERENCES parent) WITHOUT ROWID;
      INSERT INTO parent VALUES (1);
      INSERT INTO child VALUES ('a', 1);
      """)
    try db.setOption(.foreignKeys, on: false)
    try db.run("INSERT INTO child VALUES ('b', 9)")
    try db.setOption(.foreignKeys, on: true)
    try db.migrate([.init(name: "other", sql: "CREATE TABLE other (a)")])
    let error = #expect(throws: SQLiteError.self) {
      try db.migrate([
        .init(name: "other", sql: ""), .init(name: "break", sql: "DELETE FROM parent"),
      ])
    }
    #expect(error?.code == .constraintForeignKey)
    #expect(try db.count("parent") == 1)
  }

  @Test func `can be checked at any time`() throws {
    let db = try memory(SQL(unsafe: Self.schema)) { $0.enforcesForeignKeys = false }
    try db.checkForeignKeys()
    try db.run("DELETE FROM author")
    #expect(throws: SQLiteError.self) { try db.checkForeignKeys() }
  }
}
