import SQLiteCore
import Testing

@Suite struct `SQLite errors` {
  struct Case: CustomTestStringConvertible, Sendable {
    let sql: String
    let code: SQLiteError.Code
    var testDescription: String { sql }

    init(_ sql: String, _ code: SQLiteError.Code) { (self.sql, self.code) = (sql, code) }
  }

  @Test(arguments: [
    Case("INSERT INTO t VALUES (1, 2, 'b')", .constraintPrimaryKey),
    Case("INSERT INTO t VALUES (2, 1, 'b')", .constraintUnique),
    Case("INSERT INTO t VALUES (2, 2, NULL)", .constraintNotNull),
    Case("INSERT INTO t VALUES (2, -1, 'b')", .constraintCheck),
    Case("INSERT INTO t VALUES ('x', 2, 'b')", .mismatch),
    Case("INSERT INTO child VALUES (9)", .constraintForeignKey),
    Case("INSERT INTO strict VALUES ('x')", .constraintDataType),
    Case("SELECT 1 +", .error), Case("INSERT INTO guarded VALUES (1)", .constraintTrigger),
  ])
  func `contain SQLite's extended code`(_ expected: Case) throws {
    let db = try memory(
      """
      CREATE TABLE t (id INTEGER PRIMARY KEY, u UNIQUE CHECK (u > 0), n NOT NULL);
      INSERT INTO t VALUES (1, 1, 'a');
      CREATE TABLE child (t REFERENCES t);
      CREATE TABLE strict (i INTEGER) STRICT;
      CREATE TABLE guarded (i);
      CREATE TRIGGER guard BEFORE INSERT ON guarded BEGIN SELECT raise(ABORT, 'guarded'); END;
      """)
    let error = #expect(throws: SQLiteError.self) { try db.run(SQL(unsafe: expected.sql)) }
    #expect(error?.code == expected.code)
    #expect(error?.code.primary == SQLiteError.Code(rawValue: expected.code.rawValue & 0xff))
    #expect(error?.sql == expected.sql)
    #expect(error?.message.isEmpty == false)
  }

  @Test(arguments: [
    ("SELECT ①nope FROM t", "no such column"), ("SELECT 'é👩‍👩‍👧', ①nope FROM t", "no such column"),
    ("SELECT 1 FRM ①t", "syntax error"), ("  \n-- é\nSELECT ①zz", "no such column"),
    ("SELECT * FROM t WHERE name = 'ü' ①ANDD 1", "syntax error"),
  ])
  func `contain the offset of the error`(_ marked: String, _ message: String) throws {
    let parts = marked.split(separator: "①", omittingEmptySubsequences: false)
    let sql = parts.joined()
    let db = try memory("CREATE TABLE t (name)")
    let error = #expect(throws: SQLiteError.self) { try db.run(SQL(unsafe: sql)) }
    #expect(error?.offset == SQLiteError.ByteOffset(rawValue: parts[0].utf8.count))
    #expect(error?.message.contains(message) == true)
  }

  @Test func `of a script contain the offset in the script`() throws {
    let first = "CREATE TABLE t (é);\n-- ü\n"
    let db = try memory()
    let script = first + "SELECT nope FROM t; SELECT 1"
    let error = #expect(throws: SQLiteError.self) { try db.execute(SQL(unsafe: script)) }
    #expect(error?.offset == SQLiteError.ByteOffset(rawValue: first.utf8.count + 7))
    #expect(error?.sql == script)
  }

  @Test func `of a failed statement of a script contain the statement's start`() throws {
    let first = "CREATE TABLE t (a UNIQUE); INSERT INTO t VALUES ('é');\n  "
    let db = try memory()
    let error = #expect(throws: SQLiteError.self) {
      try db.execute(SQL(unsafe: first + "INSERT INTO t VALUES ('é'); DROP TABLE t"))
    }
    #expect(error?.code == .constraintUnique)
    #expect(error?.offset == SQLiteError.ByteOffset(rawValue: first.utf8.count))
    #expect(try db.value(Int.self, "SELECT count(*) FROM t") == 1)
  }

  @Test func `do not show bound values by default`() throws {
    let db = try memory("CREATE TABLE t (u UNIQUE)")
    try db.run("INSERT INTO t VALUES (?)", "secret")
    let error = #expect(throws: SQLiteError.self) {
      try db.run("INSERT INTO t VALUES (?)", "secret")
    }
    #expect(error?.expandedSQL == nil)
    #expect(error?.description.contains("secret") == false)
    #expect(
      error?.description == "SQLITE_CONSTRAINT_UNIQUE: UNIQUE constraint failed: t.u, "
        + "while running: INSERT INTO t VALUES (?)")
  }

  @Test func `show bound values if the configuration requests it`() throws {
    let db = try memory("CREATE TABLE t (u UNIQUE)") { $0.showsValuesInErrors = true }
    try db.run("INSERT INTO t VALUES (?)", "visible")
    let error = #expect(throws: SQLiteError.self) {
      try db.run("INSERT INTO t VALUES (?)", "visible")
    }
    #expect(error?.expandedSQL == "INSERT INTO t VALUES ('visible')")
    #expect(error?.description.contains("'visible'") == true)
  }

  @Test func `name codes, known and unknown`() {
    #expect(SQLiteError.Code.constraintUnique.description == "SQLITE_CONSTRAINT_UNIQUE")
    #expect(SQLiteError.Code(rawValue: 5 | 77 << 8).description == "SQLITE_BUSY (19717)")
    #expect(SQLiteError.Code(rawValue: 99).description == "SQLite code 99")
    #expect(SQLiteError.Code.trailingSQL.primary == .error)
  }

  @Test func `describe the position of the error`() {
    let error = SQLiteError(
      code: .error, message: "m", sql: "s", offset: SQLiteError.ByteOffset(rawValue: 3),
      column: .init(name: "c", table: "t", origin: "o"))
    #expect(
      error.description == "SQLITE_ERROR: m (column c of table t), while running: s (at byte 3)")
    #expect(SQLiteError.ByteOffset(rawValue: 1) < SQLiteError.ByteOffset(rawValue: 2))
  }

  @Test func `of opening a file contain its path`() throws {
    let directory = try TemporaryDirectory()
    let path = directory.file("none/there.sqlite")
    let error = #expect(throws: SQLiteError.self) { try Connection(path: path) }
    #expect(error?.code.primary == .cannotOpen)
    #expect(error?.message.contains(path) == true)
    let nul = #expect(throws: SQLiteError.self) { try Connection(path: "a\0b") }
    #expect(nul?.code == .cannotOpen)
  }
}
