import SQLiteCore
import Testing

@Suite struct `The statement cache` {
  @Test func `returns a statement without bindings and before its first row`() throws {
    let db = try memory()
    let sql = "SELECT ?1 UNION ALL SELECT 2"
    try db.withStatement(SQL(unsafe: sql)) { statement throws in
      try statement.bind(7, at: 1)
      #expect(try statement.step())
    }
    try db.withStatement(SQL(unsafe: sql)) { statement throws in
      #expect(throws: SQLiteError.self) { try statement.row.read(Int.self, at: 0) }
      #expect(try statement.step())
      #expect(try statement.row.isNull(at: 0))
    }
    #expect(db.statementCacheStatistics.hits == 1)
  }

  /// SQLite applies these settings when it compiles the statement, which it does for each run.
  static let settings = [
    ("cache_size", 10, 20), ("busy_timeout", 10, 20), ("wal_autocheckpoint", 10, 20),
    ("journal_size_limit", 10, 20), ("synchronous", 1, 2), ("temp_store", 1, 2),
    ("recursive_triggers", 1, 0), ("analysis_limit", 10, 20), ("secure_delete", 1, 0),
  ]

  @Test(arguments: settings)
  func `does not cache a PRAGMA that changes a setting`(
    _ name: String, _ first: Int, _ second: Int
  ) throws {
    let db = try memory()
    for value in [first, second, first, second, second, first] {
      _ = try db.rows("PRAGMA \(unsafe: name) = \(unsafe: "\(value)")")
      #expect(try db.value(Int.self, "PRAGMA \(unsafe: name)") == value)
    }
    // Statements that only read a setting are cached.
    #expect(db.statementCacheStatistics.hits == 5)
  }

  @Test func `receives a statement back when the body throws`() throws {
    let db = try memory("CREATE TABLE t (a); INSERT INTO t VALUES (1)")
    #expect(throws: Failure()) {
      try db.withStatement("SELECT a FROM t") { statement throws in
        #expect(try statement.step())
        throw Failure()
      }
    }
    // A statement that was not reset would lock the table.
    try db.execute("DROP TABLE t")
  }

  @Test func `compiles another statement for the same text while its rows are read`() throws {
    let db = try memory("CREATE TABLE t (a); INSERT INTO t VALUES (1), (2), (3)")
    var seen: [[Int]] = []
    let sql = "SELECT a FROM t WHERE a > ? ORDER BY a"
    try db.forEach(SQL(unsafe: sql), 0) { row throws in
      let a = try row.read(Int.self, at: 0)
      seen.append([a] + (try db.values(Int.self, SQL(unsafe: sql), a)))
    }
    #expect(seen == [[1, 2, 3], [2, 3], [3]])
    #expect(try db.values(Int.self, SQL(unsafe: sql), 2) == [3])
  }

  @Test func `evicts the least recently used statement`() throws {
    let db = try memory { $0.statementCacheCapacity = 2 }
    func misses(_ sql: String) throws -> Bool {
      let before = db.statementCacheStatistics.misses
      try db.run(SQL(unsafe: sql))
      return db.statementCacheStatistics.misses > before
    }
    let first = try ["SELECT 1", "SELECT 2", "SELECT 1", "SELECT 3"].map(misses)
    #expect(first == [true, true, false, true])
    let second = try ["SELECT 1", "SELECT 3", "SELECT 2"].map(misses)
    #expect(second == [false, false, true])
  }

  @Test(arguments: [0, -1]) func `can have no capacity`(_ capacity: Int) throws {
    let db = try memory { $0.statementCacheCapacity = capacity }
    for _ in 0..<2 { #expect(try db.value(Int.self, "SELECT ?", 1) == 1) }
    #expect(db.statementCacheStatistics.hits == 0)
  }

  @Test func `distinguishes canonically equivalent strings`() throws {
    let db = try memory()
    let composed = "SELECT hex('\u{e9}')"
    let decomposed = "SELECT hex('e\u{301}')"
    #expect(composed == decomposed)
    #expect(try db.value(String.self, SQL(unsafe: composed)) == "C3A9")
    #expect(try db.value(String.self, SQL(unsafe: decomposed)) == "65CC81")
  }

  @Test func `keeps a failed statement usable`() throws {
    let db = try memory("CREATE TABLE t (a UNIQUE)")
    for value in [1, 1, 2] { _ = try? db.run("INSERT INTO t VALUES (?)", value) }
    #expect(try db.values(Int.self, "SELECT a FROM t") == [1, 2])
  }
}

@Suite struct `The statement cache after a schema change` {
  @Test func `updates a compiled statement's columns`() throws {
    let directory = try TemporaryDirectory()
    let (a, b) = (try directory.connect(), try directory.connect())
    try a.execute("CREATE TABLE t (a, b); INSERT INTO t VALUES (1, 2)")
    let statement = try b.prepare("SELECT * FROM t")
    #expect(try statement.step())
    #expect(statement.row["b"] == 2)
    statement.reset()
    try a.execute("ALTER TABLE t DROP COLUMN b; ALTER TABLE t ADD COLUMN c DEFAULT 7")
    #expect(try statement.step())
    #expect(statement.columnNames == ["a", "c"])
    #expect(statement.row["b"] == nil)
    #expect(statement.row["c"] == 7)
    statement.reset()
    try a.execute("ALTER TABLE t ADD COLUMN d DEFAULT 8")
    #expect(try b.rows("SELECT * FROM t") == [[1, 7, 8]])
  }

  @Test func `updates a compiled statement's accesses`() throws {
    let directory = try TemporaryDirectory()
    let (a, b) = (try directory.connect(), try directory.connect())
    try a.execute("CREATE TABLE t (x); CREATE TABLE u (y); CREATE VIEW v AS SELECT x AS z FROM t")
    let statement = try b.prepare("SELECT z FROM v")
    try statement.run()
    #expect(statement.access.reads["t"] == ["x"])
    try a.execute("DROP VIEW v; CREATE VIEW v AS SELECT y AS z FROM u")
    let (_, access) = try b.recordingAccess { try statement.run() }
    #expect(statement.access.reads["u"] == ["y"])
    #expect(statement.access.reads["t"] == nil)
    #expect(access.reads["u"] == ["y"])
  }

  @Test func `by the statement itself does not affect its accesses`() throws {
    let db = try memory("CREATE TABLE t (x)")
    let statement = try db.prepare("SELECT x FROM t")
    try statement.run()
    for _ in 0..<2 {
      try db.transaction {
        try statement.run()
        #expect(statement.access.reads == ["t": ["x"]])
      }
      try db.savepoint { try statement.run() }
      #expect(statement.access.reads == ["t": ["x"]])
    }
  }

  @Test
  func `and full-text tables' internal statements don't replace a statement's accesses`() throws {
    let db = try memory(
      "CREATE VIRTUAL TABLE f USING fts5(body); INSERT INTO f VALUES ('one'), ('two')")
    let statement = try db.prepare("SELECT body FROM f WHERE f MATCH 'one'")
    let compiled = statement.access
    #expect(compiled.reads["f"] != nil)
    let (_, access) = try db.recordingAccess { try statement.run() }
    #expect(statement.access == compiled)
    #expect(access.reads["f"] != nil)
    let insert = try db.prepare("INSERT INTO f VALUES ('three')")
    try insert.run()
    #expect(insert.access.writes["f"]?.inserts == true)
  }
}

@Suite struct `Recording accesses` {
  @Test func `collects the accesses of nested recordings in the outer ones too`() throws {
    let db = try memory("CREATE TABLE a (x); CREATE TABLE b (y); CREATE TABLE c (z)")
    let (inner, outer) = try db.recordingAccess {
      try db.run("SELECT x FROM a")
      let (_, inner) = try db.recordingAccess { try db.run("SELECT y FROM b") }
      try db.run("UPDATE c SET z = 1")
      return inner
    }
    #expect(inner.reads == ["b": ["y"]])
    #expect(outer.reads["a"] == ["x"])
    #expect(outer.reads["b"] == ["y"])
    #expect(outer.writes["c"]?.updates == ["z"])
  }

  @Test func `excludes a statement that was only compiled`() throws {
    let db = try memory("CREATE TABLE a (x)")
    let (_, access) = try db.recordingAccess { _ = try db.prepare("SELECT x FROM a") }
    #expect(access == Statement.Access())
  }

  @Test func `ends when the body throws`() throws {
    let db = try memory("CREATE TABLE a (x); CREATE TABLE b (y)")
    let (_, access) = try db.recordingAccess {
      #expect(throws: Failure()) {
        try db.recordingAccess {
          try db.run("SELECT x FROM a")
          throw Failure()
        }
      }
      try db.run("SELECT y FROM b")
    }
    #expect(Set(access.reads.keys) == ["a", "b"])
  }

  @Test func `distinguishes tables as SQLite does`() {
    #expect(TableName("Ab") == TableName("aB"))
    #expect(TableName("Ab").hashValue == TableName("aB").hashValue)
    #expect(TableName("é") != TableName("É"))
    #expect(TableName("\u{e9}") != TableName("e\u{301}"))
    #expect(TableName("a") != TableName(schema: "temp", "a"))
    #expect(TableName(schema: "temp", "a").description == "temp.a")
  }
}
