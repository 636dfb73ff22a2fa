import SQLiteCore
import Testing

@Suite struct `A dump` {
  /// A schema with every kind of object, and values that are easily lost.
  static let script = """
    CREATE TABLE plain (a, b TEXT, c REAL, d INTEGER, e BLOB, f NUMERIC);
    CREATE TABLE "odd ""name" (id INTEGER PRIMARY KEY, "sel'ect" UNIQUE, rowid TEXT);
    CREATE TABLE counted (id INTEGER PRIMARY KEY AUTOINCREMENT, a);
    CREATE TABLE keyed (k TEXT PRIMARY KEY, v) WITHOUT ROWID;
    CREATE TABLE strict (a INT, b ANY) STRICT;
    CREATE TABLE generated (a, b AS (a * 2), c AS (a * 3) STORED, d);
    CREATE TABLE descending (id INTEGER PRIMARY KEY DESC, a);
    CREATE TABLE parent (id INTEGER PRIMARY KEY);
    CREATE TABLE child (p REFERENCES parent);
    CREATE TABLE log (n);
    CREATE INDEX plain_a ON plain (a COLLATE NOCASE) WHERE a IS NOT NULL;
    CREATE INDEX plain_e ON plain (length(b));
    CREATE VIEW shown AS SELECT a, (SELECT count(*) FROM log) AS n FROM plain;
    CREATE TRIGGER noted AFTER INSERT ON plain BEGIN INSERT INTO log VALUES (new.a); END;
    CREATE TRIGGER instead INSTEAD OF INSERT ON shown BEGIN SELECT 1; END;
    INSERT INTO plain (rowid, a, b) VALUES (7, 'x', 'line 1
    line 2; -- no comment'), (-3, x'', ''), (9000000000000000000, NULL, 'it''s');
    INSERT INTO "odd ""name" VALUES (5, '''', 'r'), (6, '"', NULL);
    INSERT INTO counted (a) VALUES (1), (2); DELETE FROM counted WHERE a = 2;
    INSERT INTO keyed VALUES ('b', 1), ('a', x'00ff');
    INSERT INTO strict VALUES (1, 2.0), (2, 'two'), (3, x'33');
    INSERT INTO generated (a, d) VALUES (1, 'd'), (2.5, NULL);
    INSERT INTO descending (rowid, id, a) VALUES (4, 10, 'a');
    INSERT INTO parent VALUES (1); INSERT INTO child VALUES (1);
    ANALYZE; PRAGMA user_version = 12; PRAGMA application_id = -7;
    """

  @Test(arguments: ["UTF-8", "UTF-16le", "UTF-16be"])
  func `keeps the text encoding`(_ encoding: String) throws {
    let db = try memory("PRAGMA encoding = '\(unsafe: encoding)'; CREATE TABLE t (a)")
    try db.run("INSERT INTO t VALUES ('é')")
    let dump = try db.dumpSQL()
    #expect(dump.contains("encoding") == (encoding != "UTF-8"))
    let copy = try memory(SQL(unsafe: dump))
    #expect(try copy.value(String.self, "PRAGMA encoding") == encoding)
    #expect(try copy.rows("SELECT a FROM t") == [["é"]])
    #expect(try copy.dumpSQL() == dump)
  }

  static let values: [SQLiteValue] = [
    .text("a\0b"), .text("\0"), .text("\0\0'\0"), .text(""), .text("quote ' and accent '\u{301}"),
    .text("é e\u{301} 🏳️‍🌈 \u{feff}"), .integer(.min), .integer(.max), .integer(0), .real(0.0),
    .real(-0.0), .real(.infinity), .real(-.infinity), .real(.leastNonzeroMagnitude),
    .real(-.leastNonzeroMagnitude), .real(.leastNormalMagnitude), .real(.greatestFiniteMagnitude),
    .real(0.1), .real(1e22), .real(1.0 / 3), .real(123456789012345680), .real(-1e-308), .blob([]),
    .blob([0, 1, 255]), .null,
  ]

  /// The schema, and every row of every table, with its rowid if it has one.
  static func content(_ db: Connection) throws -> [[SQLiteValue]] {
    var all = try db.rows(
      "SELECT type, name, tbl_name, sql FROM sqlite_master ORDER BY type, name")
    for table in try db.allTables() where table.kind != .view && table.kind != .virtual {
      let name = SQLName.quoted(table.name.name)
      if table.name.name == "sqlite_schema" { continue }
      let hidesRowID = table.columns.contains { $0.name == "rowid" }
      let key = table.isWithoutRowID || hidesRowID || table.name.name.hasPrefix("sqlite_")
      all += try db.rows("SELECT \(unsafe: key ? "" : "rowid, ")* FROM \(unsafe: name)")
    }
    return all
  }

  private func restored(_ sql: String) throws -> Connection {
    let copy = try memory { $0.isDefensive = false }
    try copy.execute(SQL(unsafe: sql))
    return copy
  }

  @Test func `restores the same schema, rows, keys and numbers`() throws {
    let db = try memory(SQL(unsafe: Self.script))
    for value in Self.values { try db.run("INSERT INTO plain (a) VALUES (?)", value) }
    let copy = try restored(try db.dumpSQL())
    #expect(try Self.content(copy) == Self.content(db))
    #expect(try copy.userVersion() == 12)
    #expect(try copy.applicationID() == -7)
    #expect(try copy.integrityCheck() == [])
    #expect(try copy.isOn(.foreignKeys))
    #expect(!copy.isInTransaction)
    try copy.run("INSERT INTO counted (a) VALUES (3)")
    #expect(copy.lastInsertedRowID == 3)
    try copy.run("INSERT INTO plain (a) VALUES ('noted')")
    #expect(try copy.values(String.self, "SELECT n FROM log WHERE n = 'noted'").count == 1)
  }

  @Test func `keeps every real number to the last bit`() throws {
    let db = try memory("CREATE TABLE t (a)")
    var random = Seeded(seed: 3)
    try db.transaction {
      for _ in 0..<2_000 {
        let number = Double(bitPattern: random.next())
        try db.run("INSERT INTO t VALUES (?)", number.isNaN ? 0.0 : number)
      }
    }
    let sql = try db.dumpSQL()
    // SQLite 3.40 parses some of these imprecisely.
    #expect(SQLiteLibrary.versionNumber >= 3_043_000 || sql.contains("(1.0*"))
    let copy = try restored(sql)
    #expect(try copy.rows("SELECT a FROM t") == db.rows("SELECT a FROM t"))
  }

  @Test func `keeps text that is not UTF-8`() throws {
    let db = try memory("CREATE TABLE t (a); INSERT INTO t VALUES (CAST(x'41ff42' AS TEXT))")
    let copy = try restored(try db.dumpSQL())
    #expect(
      try copy.rows("SELECT typeof(a), CAST(a AS BLOB) FROM t")
        == [["text", .blob([0x41, 0xff, 0x42])]])
  }

  @Test(.enabled(if: SQLiteLibrary.supports(.fts5) && SQLiteLibrary.supports(.rTree)))
  func `keeps virtual tables with their content`() throws {
    let db = try memory(
      """
      CREATE VIRTUAL TABLE doc USING fts5(body, tokenize = 'porter');
      INSERT INTO doc VALUES ('a quick fox'), ('foxes run'), ('a hen'); DELETE FROM doc WHERE rowid = 3;
      CREATE VIRTUAL TABLE box USING rtree(id, x0, x1);
      INSERT INTO box VALUES (1, 0, 5), (2, 10, 20);
      """)
    let copy = try restored(try db.dumpSQL())
    #expect(
      try copy.values(Int.self, "SELECT rowid FROM doc WHERE doc MATCH 'fox' ORDER BY 1") == [1, 2])
    #expect(try copy.values(Int.self, "SELECT id FROM box WHERE x1 > 8") == [2])
    try copy.run("INSERT INTO doc (doc) VALUES ('integrity-check')")
    try copy.run("INSERT INTO doc VALUES ('a late fox')")
    #expect(try copy.count("doc") == 3)
    #expect(try copy.integrityCheck() == [])
    #expect(throws: SQLiteError.self) { try memory().execute(SQL(unsafe: try db.dumpSQL())) }
  }

  @Test func `can contain an attached database, or an empty one`() throws {
    let db = try memory("CREATE TABLE mine (a)")
    try db.attach(.memory, as: "other \"one")
    try db.execute("CREATE TABLE \"other \"\"one\".t (a); INSERT INTO t VALUES (1)")
    let copy = try restored(try db.dumpSQL(of: "other \"one"))
    #expect(try copy.tables().map(\.name) == ["t"])
    #expect(try copy.count("t") == 1)
    #expect(try restored(try memory().dumpSQL()).tables().isEmpty)
  }

  @Test(arguments: [
    "CREATE VIEW v AS SELECT a FROM t -- shown", "CREATE VIEW v AS SELECT a FROM t -- shown\n;",
    "CREATE INDEX i ON t (a) -- indexed", "CREATE TABLE u (a PRIMARY KEY) WITHOUT ROWID -- keyed",
    "CREATE VIEW v AS SELECT a FROM t /* shown */",
  ])
  func `terminates each statement, after any trailing comment`(_ sql: String) throws {
    let db = try memory("CREATE TABLE t (a); INSERT INTO t VALUES (1); \(unsafe: sql)")
    // SQLite keeps the line break after some statements.
    let all = "SELECT type, name, rtrim(sql, char(10)) FROM sqlite_master ORDER BY 1, 2"
    #expect(
      try memory(SQL(unsafe: try db.dumpSQL())).rows(SQL(unsafe: all)) == db.rows(SQL(unsafe: all)))
    #expect(
      try memory(SQL(unsafe: try db.schemaSQL())).rows(SQL(unsafe: all))
        == db.rows(SQL(unsafe: all)))
  }

  @Test func `terminates an open comment`() throws {
    let db = try memory("CREATE TABLE t (a); CREATE VIEW v AS SELECT a FROM t /* shown")
    let copy = try memory(SQL(unsafe: try db.dumpSQL()))
    #expect(!copy.isInTransaction)
    #expect(try copy.views().map(\.sql) == ["CREATE VIEW v AS SELECT a FROM t"])
  }

  @Test func `works if no table with AUTOINCREMENT is left`() throws {
    let db = try memory(
      """
      CREATE TABLE counted (id INTEGER PRIMARY KEY AUTOINCREMENT);
      INSERT INTO counted VALUES (7); DROP TABLE counted; CREATE TABLE t (a);
      """)
    #expect(try memory(SQL(unsafe: try db.dumpSQL())).tables().map(\.name) == ["t"])
  }

  @Test func `accepts the database's name in any case`() throws {
    let db = try memory("CREATE TABLE t (a PRIMARY KEY) WITHOUT ROWID; INSERT INTO t VALUES (1)")
    #expect(try db.dumpSQL(of: "MAIN") == db.dumpSQL())
  }

  @Test func `is passed to a sink one statement at a time, which can end it`() throws {
    let db = try memory("CREATE TABLE t (a); INSERT INTO t VALUES (1), (2), (3)")
    var statements: [String] = []
    #expect(throws: Failure()) {
      try db.dump { statement in
        if statements.count == 4 { throw Failure() }
        statements.append(statement)
      }
    }
    #expect(
      statements == [
        "PRAGMA foreign_keys=OFF;\n", "BEGIN;\n", "CREATE TABLE t (a);\n",
        "INSERT INTO \"t\"(rowid,\"a\") VALUES(1,1);\n",
      ])
    #expect(!db.isInTransaction)
    let inside = try db.transaction { try db.dumpSQL() }
    #expect(inside.contains("VALUES(3,3)"))
    let schema = #expect(throws: SQLiteError.self) { try db.dumpSQL(of: "nope") }
    #expect(schema?.code == .unknownSchema)
    try db.close()
    for attempt in [
      { _ = try db.dumpSQL() }, { _ = try db.schemaSQL() },
    ] as [() throws -> Void] {
      let error = #expect(throws: SQLiteError.self) { try attempt() }
      #expect(error?.code == .closed)
    }
  }

  @Test func `of the schema creates its tables without rows`() throws {
    let db = try memory(SQL(unsafe: Self.script + "CREATE VIRTUAL TABLE doc USING fts5(body)"))
    let copy = try memory(SQL(unsafe: try db.schemaSQL()))
    let master: SQL =
      "SELECT type, name, sql FROM sqlite_master WHERE name NOT LIKE 'sqlite_stat%' ORDER BY 1, 2"
    #expect(try copy.rows(master) == db.rows(master))
    #expect(try copy.count("plain") == 0)
  }
}

/// A deterministic random number generator.
private struct Seeded {
  var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var z = state
    z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
    z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
    return z ^ (z >> 31)
  }
}
