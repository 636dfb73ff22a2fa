import Testing

@testable import SQLiteCore

@Suite struct `By default` {
  @Test func `foreign keys are enforced`() throws {
    let script = "CREATE TABLE p (id INTEGER PRIMARY KEY); CREATE TABLE c (p REFERENCES p)"
    let error = #expect(throws: SQLiteError.self) {
      try memory(SQL(unsafe: script)).run("INSERT INTO c VALUES (1)")
    }
    #expect(error?.code == .constraintForeignKey)
    try memory(SQL(unsafe: script)) { $0.enforcesForeignKeys = false }.run(
      "INSERT INTO c VALUES (1)")
  }

  @Test func `a name in double quotes is never a string literal`() throws {
    let error = #expect(throws: SQLiteError.self) { try memory().run(#"SELECT "nope""#) }
    #expect(error?.message.contains("no such column") == true)
    #expect(throws: SQLiteError.self) {
      try memory(#"CREATE TABLE t (a CHECK (a <> "nope"))"#).run("INSERT INTO t VALUES (1)")
    }
    let lax = try memory { $0.allowsDoubleQuotedStrings = true }
    #expect(try lax.value(String.self, #"SELECT "nope""#) == "nope")
    try lax.execute(#"CREATE TABLE t (a CHECK (a <> "nope"))"#)
  }

  @Test func `the schema can't call functions that are not marked innocuous`() throws {
    func called(_ options: Connection.FunctionOptions, _ trusts: Bool) throws -> Int? {
      let db = try memory { $0.trustsSchema = trusts }
      try db.register("secret", argumentCount: 0, options: options) { _ in 42 }
      try db.execute("CREATE TABLE t (a); INSERT INTO t VALUES (1)")
      try db.execute("CREATE VIEW v AS SELECT secret() AS s FROM t")
      return try db.value(Int.self, "SELECT s FROM v")
    }
    let error = #expect(throws: SQLiteError.self) { try called([], false) }
    #expect(error?.message.contains("unsafe use of secret") == true)
    #expect(try called(.innocuous, false) == 42)
    #expect(try called([], true) == 42)
    #expect(throws: SQLiteError.self) { try called(.directOnly, true) }
    let direct = try memory()
    try direct.register("secret", argumentCount: 0, options: .directOnly) { _ in 42 }
    #expect(try direct.value(Int.self, "SELECT secret()") == 42)
  }

  @Test func `the schema table can't be written`() throws {
    let sql = "UPDATE sqlite_master SET sql = 'x' WHERE 0"
    let db = try memory("CREATE TABLE t (a); PRAGMA writable_schema = 1")
    #expect(throws: SQLiteError.self) { try db.run(SQL(unsafe: sql)) }
    let lax = try memory("CREATE TABLE t (a); PRAGMA writable_schema = 1") {
      $0.isDefensive = false
    }
    try lax.run(SQL(unsafe: sql))
  }

  @Test func `a file has a write-ahead log`() throws {
    let directory = try TemporaryDirectory()
    #expect(try directory.connect().value(String.self, "PRAGMA journal_mode") == "wal")
    #expect(try directory.connect().value(Int.self, "PRAGMA synchronous") == 1)
  }

  @Test(arguments: Configuration.JournalMode.allCases)
  func `a file without a log is synced at points where a power loss could corrupt it`(
    _ mode: Configuration.JournalMode
  ) throws {
    let directory = try TemporaryDirectory()
    let db = try directory.connect { $0.journalMode = mode }
    #expect(try db.value(Int.self, "PRAGMA synchronous") == (mode == .wal ? 1 : 2))
  }

  @Test(arguments: Configuration.JournalMode.allCases, Configuration.Synchronous.allCases)
  func `the configuration can change the settings`(
    _ mode: Configuration.JournalMode, _ synchronous: Configuration.Synchronous
  ) throws {
    let directory = try TemporaryDirectory()
    let db = try directory.connect {
      $0.journalMode = mode
      $0.synchronous = synchronous
    }
    #expect(try db.value(String.self, "PRAGMA journal_mode") == mode.rawValue.lowercased())
    #expect(try db.value(Int.self, "PRAGMA synchronous") == synchronous.rawValue)
  }

  @Test func `a journal mode that the file can't have is an error, not another mode`() throws {
    let directory = try TemporaryDirectory()
    let reader = try directory.connect()
    try reader.execute("CREATE TABLE t (a); INSERT INTO t VALUES (1)")
    let statement = try reader.prepare("SELECT a FROM t")
    #expect(try statement.step())
    #expect(throws: SQLiteError.self) {
      try directory.connect {
        $0.journalMode = .delete
        $0.busyTimeout = .milliseconds(20)
      }
    }
    statement.reset()
  }

  @Test(arguments: [
    (Duration.seconds(5), 5_000), (.zero, 0), (.milliseconds(7), 7), (.seconds(-1), 0),
    (.seconds(Int64.max), Int(Int32.max)), (.microseconds(1_999), 1),
  ])
  func `a lock is waited for until the configured timeout`(
    _ timeout: Duration, _ milliseconds: Int
  ) throws {
    #expect(timeout.wholeMilliseconds == milliseconds)
    #expect(try memory { $0.busyTimeout = timeout }.value(Int.self, "SELECT 1") == 1)
  }

  @Test func `a read-only connection can't write`() throws {
    let directory = try TemporaryDirectory()
    try directory.connect().execute("CREATE TABLE t (a)")
    let db = try directory.connect { $0.isReadOnly = true }
    for sql in ["INSERT INTO t VALUES (1)", "CREATE TABLE u (a)", "PRAGMA user_version = 3"] {
      let error = #expect(throws: SQLiteError.self) { try db.run(SQL(unsafe: sql)) }
      #expect(error?.code == .readOnly)
    }
    #expect(try db.count("t") == 0)
  }

  /// At least up to 3.40, SQLite does not mark its full-text tables as innocuous.
  @Test func `full-text search with triggers works if the schema is trusted`() throws {
    let db = try memory(
      """
      CREATE TABLE doc (id INTEGER PRIMARY KEY, body TEXT);
      CREATE VIRTUAL TABLE doc_fts USING fts5(body, content='doc', content_rowid='id');
      CREATE TRIGGER ai AFTER INSERT ON doc BEGIN
        INSERT INTO doc_fts (rowid, body) VALUES (new.id, new.body);
      END;
      CREATE TRIGGER ad AFTER DELETE ON doc BEGIN
        INSERT INTO doc_fts (doc_fts, rowid, body) VALUES ('delete', old.id, old.body);
      END;
      CREATE TRIGGER au AFTER UPDATE ON doc BEGIN
        INSERT INTO doc_fts (doc_fts, rowid, body) VALUES ('delete', old.id, old.body);
        INSERT INTO doc_fts (rowid, body) VALUES (new.id, new.body);
      END;
      INSERT INTO doc (body) VALUES ('a quick fox'), ('a slow fox'), ('a hen');
      UPDATE doc SET body = 'a quick dog' WHERE id = 2;
      DELETE FROM doc WHERE id = 3;
      """
    ) { $0.trustsSchema = true }
    let found = "SELECT rowid FROM doc_fts WHERE doc_fts MATCH ? ORDER BY rowid"
    #expect(try db.values(Int.self, SQL(unsafe: found), "quick") == [1, 2])
    #expect(try db.values(Int.self, SQL(unsafe: found), "hen") == [])
  }

  @Test func `full-text search works, and is kept up to date by statements`() throws {
    let db = try memory(
      """
      CREATE VIRTUAL TABLE doc USING fts5(body);
      INSERT INTO doc (body) VALUES ('a quick fox'), ('a slow fox'), ('a hen');
      UPDATE doc SET body = 'a quick dog' WHERE rowid = 2;
      DELETE FROM doc WHERE rowid = 3;
      """)
    let found = "SELECT rowid FROM doc WHERE doc MATCH ? ORDER BY rowid"
    #expect(try db.values(Int.self, SQL(unsafe: found), "quick") == [1, 2])
    #expect(
      try db.value(String.self, "SELECT highlight(doc, 0, '[', ']') FROM doc('fox')")
        == "a quick [fox]")
  }
}
