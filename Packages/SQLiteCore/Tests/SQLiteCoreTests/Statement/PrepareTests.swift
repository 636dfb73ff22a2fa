import SQLiteCore
import Testing

@Suite struct `Preparing` {
  @Test(arguments: [
    "SELECT 1;", "SELECT 1 ; ", "SELECT 1;;;", "SELECT 1; -- c", "SELECT 1 -- c", "SELECT 1; /* */",
    "SELECT 1 /* */ ;", "SELECT 1; /* a */ ; -- b\n;\n", "SELECT 1;\t\r\n\u{0C}", "-- c\nSELECT 1",
    "SELECT 1; /* not closed",
  ])
  func `accepts whitespace, comments and semicolons after the statement`(_ sql: String) throws {
    let db = try memory()
    #expect(try db.value(Int.self, SQL(unsafe: sql)) == 1)
  }

  @Test(arguments: [
    ("SELECT 1;① SELECT 2", true), ("SELECT 1;① x", true), ("SELECT 1; -- c\n SELECT 2", false),
    ("SELECT 1; /* */ x", false), ("SELECT 1;① )", true), ("SELECT 1;;; 'open", false),
    ("SELECT 1; ; é", false),
  ])
  func `rejects a second statement`(_ marked: String, hasOffset: Bool) throws {
    let parts = marked.split(separator: "①", omittingEmptySubsequences: false)
    let db = try memory()
    let error = #expect(throws: SQLiteError.self) { try db.prepare(SQL(unsafe: parts.joined())) }
    #expect(error?.code == .trailingSQL)
    if hasOffset { #expect(error?.offset == SQLiteError.ByteOffset(rawValue: parts[0].utf8.count)) }
  }

  @Test func `runs nothing of a text with two statements`() throws {
    let db = try memory("CREATE TABLE t (a)")
    #expect(throws: SQLiteError.self) {
      try db.run("INSERT INTO t VALUES (1); DELETE FROM t")
    }
    #expect(try db.value(Int.self, "SELECT count(*) FROM t") == 0)
  }

  @Test(arguments: ["", " ", ";", "-- c", "/* c */", ";;", "\n"])
  func `rejects a text without a statement`(_ sql: String) throws {
    let db = try memory()
    let error = #expect(throws: SQLiteError.self) { try db.prepare(SQL(unsafe: sql)) }
    #expect(error?.code == .emptyStatement)
  }

  @Test(arguments: [
    "SELECT 1\0", "SELECT 1\0; DROP TABLE t", "SELECT 'a\0b'", "\0", "SELECT 1; \0 SELECT 2",
    "SELECT 1 -- a\0\n + 1",
  ])
  func `rejects NUL characters, at which SQLite would truncate the text`(_ sql: String) throws {
    let db = try memory("CREATE TABLE t (a)")
    let offset = sql.utf8.firstIndex(of: 0).map { sql.utf8.distance(from: sql.startIndex, to: $0) }
    for attempt in [{ _ = try db.prepare(SQL(unsafe: sql)) }, { try db.execute(SQL(unsafe: sql)) }]
    {
      let error = #expect(throws: SQLiteError.self) { try attempt() }
      #expect(error?.code == .error)
      #expect(error?.message.contains("NUL") == true)
      #expect(error?.offset == offset.map(SQLiteError.ByteOffset.init))
    }
  }

  @Test func `compares the number of columns with the one that the SQL specifies`() throws {
    let db = try memory("CREATE TABLE t (a, b); INSERT INTO t VALUES (1, 2)")
    #expect(try db.rows(SQL("SELECT * FROM t", columnCount: 2)) == [[1, 2]])
    let error = #expect(throws: SQLiteError.self) {
      try db.value(Int.self, SQL("SELECT * FROM t", columnCount: 1))
    }
    #expect(error?.code == .columnCount)
    #expect(error?.sql == "SELECT * FROM t")
    // The statement is available again, for SQL that specifies no number too.
    #expect(try db.value(Int.self, "SELECT * FROM t") == 1)
    #expect(try db.rows(SQL("SELECT * FROM t", columnCount: 1) + "LIMIT 1") == [[1, 2]])
    #expect(throws: SQLiteError.self) {
      try db.run(SQL(unsafe: "DELETE FROM t RETURNING *", columnCount: 3))
    }
    #expect(try db.value(Int.self, "SELECT count(*) FROM t") == 1)
  }

  @Test func `describes the compiled statement`() throws {
    let db = try memory("CREATE TABLE t (id INTEGER PRIMARY KEY, name VARCHAR(20))")
    let select = try db.prepare("SELECT id, name AS n, 1 FROM t WHERE id = :id OR id = ?3")
    #expect(select.columnNames == ["id", "n", "1"])
    #expect(select.columnCount == 3)
    #expect(select.parameterCount == 3)
    #expect(select.parameterNames == [":id", nil, "?3"])
    #expect(select.isReadOnly)
    #expect(select.declaredType(at: 1) == "VARCHAR(20)")
    #expect(select.declaredType(at: 2) == nil)
    #expect(select.declaredType(at: 9) == nil)
    #expect(select.declaredType(at: ColumnIndex(-1)) == nil)
    let insert = try db.prepare("INSERT INTO t VALUES (?, ?)")
    #expect(!insert.isReadOnly)
    #expect(insert.columnCount == 0)
  }

  @Test func `reports the access of a statement`() throws {
    let db = try memory(
      """
      CREATE TABLE a (id INTEGER PRIMARY KEY, x, y);
      CREATE TABLE log (t);
      CREATE VIEW v AS SELECT x FROM a;
      CREATE TRIGGER tr AFTER UPDATE OF x ON a BEGIN INSERT INTO log VALUES (new.y); END;
      """)
    #expect(try db.prepare("SELECT x FROM v").access.reads["a"] == ["x"])
    #expect(try db.prepare("SELECT count(*) FROM a").access.reads == ["a": []])
    let update = try db.prepare("UPDATE a SET x = 1 WHERE id = 2").access
    #expect(update.writes["a"]?.updates == ["x"])
    #expect(update.writes["LOG"]?.inserts == true)
    #expect(update.reads["A"]?.contains("id") == true)
    #expect(try db.prepare("DELETE FROM a").access.writes["a"]?.deletes == true)
    #expect(try db.prepare("CREATE TABLE b (x)").access.changesSchema)
    #expect(try db.prepare("SELECT 1").access == Statement.Access())
  }

  @Test func `reports tables without columns that are read`() throws {
    let db = try memory(
      """
      CREATE TABLE a (id INTEGER PRIMARY KEY, x);
      CREATE TABLE c (a REFERENCES a ON DELETE CASCADE);
      CREATE VIEW v AS SELECT x FROM a;
      """)
    for sql in [
      "SELECT count(*) FROM v", "SELECT 1 FROM a", "SELECT EXISTS (SELECT 1 FROM a)",
      "WITH w AS (SELECT 1 FROM a) SELECT count(*) FROM w", "SELECT count(*) FROM a, c",
      "SELECT 1 UNION SELECT count(*) FROM a", "SELECT (SELECT count(*) FROM a) FROM c",
    ] {
      #expect(try db.prepare(SQL(unsafe: sql)).access.reads["a"] != nil, "\(sql)")
    }
    let delete = try db.prepare("DELETE FROM a").access
    #expect(delete.writes["c"]?.deletes == true)
  }

  @Test func `reports the schema of an unqualified table`() throws {
    let db = try memory(
      """
      CREATE TEMP TABLE tt (a); ATTACH ':memory:' AS other; CREATE TABLE other.ot (a);
      CREATE TABLE main.mt (a); CREATE TABLE other.both (a); CREATE TEMP TABLE both (a);
      """)
    for (name, schema, table) in [
      ("tt", "temp", "tt"), ("ot", "other", "ot"), ("mt", "main", "mt"), ("both", "temp", "both"),
      ("other.both", "other", "both"), ("OT", "other", "ot"),
    ] {
      let access = try db.prepare("SELECT count(*) FROM \(unsafe: name)").access
      #expect(Array(access.reads.keys) == [TableName(schema: schema, table)], "\(name)")
    }
  }
}
