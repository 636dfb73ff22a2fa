import SQLiteCore
import Testing

@Suite struct `Rebuilding a table` {
  /// A table with every kind of dependent object.
  static let schema = """
    CREATE TABLE author (id INTEGER PRIMARY KEY, name TEXT);
    CREATE TABLE book (
      id INTEGER PRIMARY KEY AUTOINCREMENT, title TEXT, author INTEGER REFERENCES author,
      sequel INTEGER REFERENCES book ON DELETE CASCADE, size AS (length(title))
    );
    CREATE TABLE loan (book INTEGER NOT NULL REFERENCES book ON DELETE CASCADE, who TEXT);
    CREATE TABLE log (line TEXT);
    CREATE INDEX by_title ON book (title COLLATE NOCASE);
    CREATE UNIQUE INDEX by_both ON book (author, title) WHERE author IS NOT NULL;
    CREATE VIEW titles AS SELECT title FROM book;
    CREATE TRIGGER noted AFTER INSERT ON book BEGIN INSERT INTO log VALUES ('in ' || NEW.title); END;
    CREATE TRIGGER lent AFTER INSERT ON loan BEGIN
      INSERT INTO log SELECT 'out ' || title FROM book WHERE id = NEW.book;
    END;
    CREATE TEMP TRIGGER watched AFTER DELETE ON book BEGIN INSERT INTO log VALUES ('gone'); END;
    INSERT INTO author VALUES (1, 'Eliot');
    INSERT INTO book (id, title, author, sequel) VALUES
      (5, 'Romola', 1, NULL), (9, 'Felix Holt', 1, 5), (20, 'Emma', NULL, NULL);
    DELETE FROM book WHERE id = 20;
    INSERT INTO loan VALUES (9, 'Ada');
    DELETE FROM log;
    """
  static let newForm = """
    CREATE TABLE book (
      id INTEGER PRIMARY KEY AUTOINCREMENT, title TEXT NOT NULL CHECK (length(title) > 0),
      year INTEGER NOT NULL DEFAULT 1900, author INTEGER REFERENCES author,
      sequel INTEGER REFERENCES book ON DELETE CASCADE, size AS (length(title))
    )
    """

  @Test(arguments: [
    "CREATE TABLE t (rowid, _rowid_, oid)", "CREATE TABLE t (rowid PRIMARY KEY, _rowid_, oid)",
    "CREATE TABLE t (rowid, _rowid_, oid, PRIMARY KEY (_rowid_ DESC)) WITHOUT ROWID",
  ])
  func `assigns new rowids in the order of the rows, in any reading order`(
    _ old: String
  ) throws {
    let rows = "INSERT INTO t VALUES ('a', 3, 0), ('b', 2, 0), ('c', 1, 0)"
    let form = "CREATE TABLE t (rowid, _rowid_)"
    let (forwards, backwards) = (
      try memory("\(unsafe: old); \(unsafe: rows)"), try memory("\(unsafe: old); \(unsafe: rows)")
    )
    try backwards.execute("PRAGMA reverse_unordered_selects = ON")
    for db in [forwards, backwards] { try db.rebuild("t", to: SQL(unsafe: form)) }
    #expect(
      try backwards.rows("SELECT oid, rowid FROM t ORDER BY oid")
        == forwards.rows("SELECT oid, rowid FROM t ORDER BY oid"))
  }

  @Test func `refuses to generate keys, unless requested`() throws {
    let db = try memory(
      "CREATE TABLE t (id INT PRIMARY KEY, a); INSERT INTO t VALUES (7, 'a'), (NULL, 'b')")
    let form = "CREATE TABLE t (id INTEGER PRIMARY KEY, a)"
    let error = #expect(throws: SQLiteError.self) { try db.rebuild("t", to: SQL(unsafe: form)) }
    #expect(error?.code == .constraintNotNull)
    #expect(error?.message == "column id of t must not be NULL, but is NULL in 1 rows: 2")
    try db.rebuild("t", to: SQL(unsafe: form), mapping: ["id": "id"])
    #expect(try db.rows("SELECT id, a FROM t") == [[7, "a"], [8, "b"]])
  }

  @Test func `keeps foreign key violations that existed before`() throws {
    let db = try memory(
      """
      CREATE TABLE a (id INTEGER PRIMARY KEY); CREATE TABLE b (a REFERENCES a, n);
      CREATE TABLE w (k PRIMARY KEY, a REFERENCES a) WITHOUT ROWID;
      PRAGMA foreign_keys = OFF;
      INSERT INTO a VALUES (1), (2);
      INSERT INTO b VALUES (1, 1), (7, 2); INSERT INTO w VALUES ('x', 8), ('y', 2);
      PRAGMA foreign_keys = ON
      """)
    try db.rebuild("b", to: "CREATE TABLE b (a REFERENCES a, n NOT NULL)")
    try db.rebuild("w", to: "CREATE TABLE w (k PRIMARY KEY, a INT REFERENCES a)")
    try db.rebuild("a", to: "CREATE TABLE a (id INTEGER PRIMARY KEY, c)")
    try db.migrate([Migration(name: "one", sql: "CREATE TABLE c (x)")])
    try db.changeSchema(
      to: DatabaseSchema(sql: SQL(unsafe: try db.schemaSQL() + "; CREATE TABLE d (x)")))
    for change in [
      {
        try db.rebuild(
          "a", to: "CREATE TABLE a (id INTEGER PRIMARY KEY)",
          mapping: ["id": "id + 1"]) as Any
      },
      {
        try db.migrate([
          Migration(name: "one", sql: "CREATE TABLE c (x)"),
          Migration(name: "two", sql: "DELETE FROM a WHERE id = 1"),
        ]) as Any
      },
    ] {
      let error = #expect(throws: SQLiteError.self) { _ = try change() }
      #expect(error?.code == .constraintForeignKey)
    }
    #expect(throws: SQLiteError.self) { try db.checkForeignKeys() }
  }

  @Test func `keeps rows, indexes, triggers, views, foreign keys and the AUTOINCREMENT sequence`()
    throws
  {
    let db = try memory(SQL(unsafe: Self.schema))
    let before = try db.databaseSchema()
    let result = try db.rebuild("book", to: SQL(unsafe: Self.newForm))
    #expect(result.rowCount == 2)
    #expect(result.keepsRowIDs)
    #expect(result.refilledTables == [])
    #expect(
      try db.rows("SELECT id, title, year, author, sequel, size FROM book") == [
        [5, "Romola", 1900, 1, nil, 6], [9, "Felix Holt", 1900, 1, 5, 10],
      ])
    let after = try db.databaseSchema()
    #expect(after.indexes == before.indexes)
    #expect(after.triggers == before.triggers)
    #expect(after.views == before.views)
    #expect(after.tables.filter { $0.name != "book" } == before.tables.filter { $0.name != "book" })
    #expect(after.table("book")?.constraints.count == 4)
    #expect(try db.foreignKeys(of: "loan").map(\.parentTable) == ["book"])
    #expect(try db.foreignKeys(of: "book").map(\.parentTable) == ["author", "book"])
    // No trigger has fired during the rebuild, and all triggers fire now.
    #expect(try db.count("log") == 0)
    let inserted = try db.run("INSERT INTO book (title) VALUES ('Middlemarch')")
    #expect(inserted.lastInsertedRowID == 21)
    try db.run("INSERT INTO loan VALUES (5, 'Bob')")
    try db.run("DELETE FROM book WHERE id = 5")
    #expect(
      try db.values(String.self, "SELECT line FROM log") == [
        "in Middlemarch", "out Romola", "gone", "gone",
      ])
    #expect(try db.count("loan") == 0)
    #expect(try db.values(String.self, "SELECT * FROM titles") == ["Middlemarch"])
    #expect(throws: SQLiteError.self) { try db.run("INSERT INTO loan VALUES (99, 'Bob')") }
    #expect(try db.value(Int.self, "PRAGMA legacy_alter_table") == 0)
    #expect(try db.value(String.self, "PRAGMA integrity_check") == "ok")
  }

  @Test func `computes values of a mapping`() throws {
    let db = try memory(
      "CREATE TABLE t (a TEXT, b TEXT); INSERT INTO t VALUES ('1', 'x'), (NULL, 'y')")
    try db.rebuild(
      "t", to: "CREATE TABLE t (id INTEGER PRIMARY KEY, n INTEGER NOT NULL, c TEXT) STRICT",
      mapping: ["n": "coalesce(a, 0) + 1", "C": "upper(b)"])
    #expect(try db.rows("SELECT id, n, c FROM t") == [[1, 2, "X"], [2, 1, "Y"]])
  }

  @Test func `inside a migration is rolled back with it`() throws {
    let db = try memory(SQL(unsafe: Self.schema))
    let before = try db.databaseSchema()
    let good = Migration(name: "1") { try $0.rebuild("book", to: SQL(unsafe: Self.newForm)) }
    let bad = Migration(name: "2") { db in
      try db.rebuild("book", to: "CREATE TABLE book (id INTEGER PRIMARY KEY, title TEXT, author)")
      throw Failure()
    }
    #expect(throws: Failure()) { try db.migrate([bad]) }
    #expect(try db.databaseSchema() == before)
    #expect(try db.migrate([good]) == ["1"])
    #expect(try db.columns(of: "book").map(\.name).contains("year"))
    #expect(try db.count("loan") == 1)
  }

  @Test(arguments: [1, 2, 7, 100, 1_000], [true, false])
  func `copies in batches and reports the number of rows`(_ size: Int, hasRowID: Bool) throws {
    let options = hasRowID ? "" : "WITHOUT ROWID"
    let db = try memory(
      """
      CREATE TABLE t (a TEXT, b INTEGER, c, PRIMARY KEY (a, b)) \(unsafe: options);
      WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100)
      INSERT INTO t SELECT 'key' || (i % 7), i, i * 2 FROM n;
      """)
    let before = try db.rows("SELECT * FROM t ORDER BY a, b")
    var reports: [Int] = []
    try db.rebuild(
      "t",
      to: "CREATE TABLE t (a TEXT, b INTEGER, c INTEGER, d, PRIMARY KEY (b, a)) \(unsafe: options)",
      batchSize: size
    ) { progress in
      #expect(progress.table == "t")
      #expect(progress.rowsTotal == 100)
      reports.append(progress.rowsDone)
    }
    #expect(try db.rows("SELECT a, b, c FROM t ORDER BY a, b") == before)
    #expect(reports.first == 0)
    #expect(reports.last == 100)
    #expect(reports == Array(Set(reports)).sorted())
    #expect(reports.count == (100 + size - 1) / size + 1)
  }

  @Test func `computes values from all rows, in batches or together`() throws {
    let db = try memory(
      "CREATE TABLE t (id INTEGER PRIMARY KEY, n); INSERT INTO t (n) VALUES ('c'), ('b'), ('a')")
    try db.rebuild(
      "t", to: "CREATE TABLE t (id INTEGER PRIMARY KEY, n, place)",
      mapping: ["place": "row_number() OVER (ORDER BY n)"], batchSize: 2
    ) { _ in }
    #expect(try db.rows("SELECT n, place FROM t ORDER BY n") == [["a", 1], ["b", 2], ["c", 3]])
  }

  @Test func `uses an unused temporary name`() throws {
    let db = try memory(
      """
      CREATE TABLE t (a); CREATE INDEX holt_new_t ON t (a);
      CREATE VIEW HOLT_NEW_T_ AS SELECT a FROM t;
      """)
    try db.rebuild("t", to: "CREATE TABLE t (a, b)")
    #expect(try db.indexes(of: "t").map(\.name) == ["holt_new_t"])
    #expect(try db.tables().map(\.name) == ["HOLT_NEW_T_", "t"])
  }

  @Test func `accepts a definition that begins with a byte order mark`() throws {
    let db = try memory("CREATE TABLE t (a); INSERT INTO t VALUES (1)")
    try db.rebuild("t", to: "\u{feff}CREATE TABLE t (a, b)")
    #expect(try db.rows("SELECT a, b FROM t") == [[1, nil]])
  }

  @Test func `accepts the table's name in any case`() throws {
    let db = try memory("CREATE TABLE t (a PRIMARY KEY) WITHOUT ROWID; INSERT INTO t VALUES (1)")
    try db.rebuild("T", in: "MAIN", to: "CREATE TABLE T (a PRIMARY KEY, b)") { _ in }
    #expect(try db.rows("SELECT a, b FROM t") == [[1, nil]])
  }

  @Test func `keeps the order in which triggers fire`() throws {
    let db = try memory("CREATE TABLE t (a); CREATE TABLE log (line)")
    for name in ["b", "c", "a"] {
      try db.execute(
        "CREATE TRIGGER \(unsafe: name) AFTER INSERT ON t BEGIN INSERT INTO log VALUES ('\(unsafe: name)'); END"
      )
    }
    try db.run("INSERT INTO t VALUES (1)")
    try db.rebuild("t", to: "CREATE TABLE t (a, b)")
    try db.run("INSERT INTO t VALUES (2, 2)")
    let lines = try db.values(String.self, "SELECT line FROM log")
    #expect(Array(lines[..<3]) == Array(lines[3...]))
  }

  @Test func `stops if the progress closure throws, and leaves the database unchanged`() throws {
    let db = try memory(SQL(unsafe: Self.schema))
    let before = try db.databaseSchema()
    #expect(throws: Failure()) {
      try db.rebuild("book", to: SQL(unsafe: Self.newForm), batchSize: 1) {
        if $0.rowsDone == 1 { throw Failure() }
      }
    }
    #expect(try db.databaseSchema() == before)
    #expect(try db.count("book") == 2)
    #expect(!db.isInTransaction)
    #expect(try db.value(Int.self, "PRAGMA foreign_keys") == 1)
    #expect(try db.value(Int.self, "PRAGMA legacy_alter_table") == 0)
  }

  @Test func `stops when its task is cancelled, and leaves the database unchanged`() async throws {
    let directory = try TemporaryDirectory()
    let database = try directory.open()
    try await database.write { try $0.execute("CREATE TABLE t (a); INSERT INTO t VALUES (1), (2)") }
    let (began, mayGo) = (Gate(), Gate())
    let task = Task {
      try await database.rebuild("t", to: "CREATE TABLE t (a, b)") { _ in
        began.open()
        mayGo.wait()
      }
    }
    _ = try await eventually { began.wait(seconds: 0) }
    task.cancel()
    mayGo.open()
    await #expect(throws: CancellationError.self) { try await task.value }
    let left = try await database.writeWithoutTransaction { db in
      let columns = try db.columns(of: "t").map(\.name)
      let enforces = try db.value(Int.self, "PRAGMA foreign_keys")
      return (columns, enforces, try db.value(Int.self, "PRAGMA legacy_alter_table"))
    }
    #expect(left == (["a"], 1, 0))
  }

  @Test func `keeps rowids without a key column, and in a new key column`() throws {
    let db = try memory("CREATE TABLE t (a); INSERT INTO t (rowid, a) VALUES (-3, 'x'), (7, 'y')")
    #expect(try db.rebuild("t", to: "CREATE TABLE t (a TEXT, b)").keepsRowIDs)
    #expect(try db.rows("SELECT rowid, a FROM t") == [[-3, "x"], [7, "y"]])
    #expect(
      try db.rebuild("t", to: "CREATE TABLE t (a, rowid TEXT, id INTEGER PRIMARY KEY)").keepsRowIDs)
    #expect(try db.rows("SELECT id, a FROM t") == [[-3, "x"], [7, "y"]])
    #expect(try db.rebuild("t", to: "CREATE TABLE t (a TEXT)").keepsRowIDs)
    #expect(try db.rows("SELECT rowid, a FROM t") == [[-3, "x"], [7, "y"]])
    let keyed = "CREATE TABLE t (a PRIMARY KEY) WITHOUT ROWID"
    #expect(try !db.rebuild("t", to: SQL(unsafe: keyed)).keepsRowIDs)
    #expect(try !db.rebuild("t", to: "CREATE TABLE t (a)").keepsRowIDs)
    #expect(try db.rows("SELECT rowid, a FROM t") == [[1, "x"], [2, "y"]])
  }

  @Test func `copies a table whose columns have all names of the rowid`() throws {
    let db = try memory(
      "CREATE TABLE t (rowid, _rowid_, oid); INSERT INTO t VALUES (1, 2, 3), (4, 5, 6)")
    let result = try db.rebuild(
      "t", to: "CREATE TABLE t (oid, rowid, _rowid_, x DEFAULT 0)", batchSize: 1
    ) { _ in }
    #expect(!result.keepsRowIDs)
    #expect(try db.rows("SELECT rowid, _rowid_, oid, x FROM t") == [[1, 2, 3, 0], [4, 5, 6, 0]])
  }

  @Test func `distinguishes keys that are equal under a collation`() throws {
    let db = try memory(
      """
      CREATE TABLE t (a TEXT COLLATE NOCASE, PRIMARY KEY (a COLLATE BINARY)) WITHOUT ROWID;
      INSERT INTO t VALUES ('a'), ('A'), ('b');
      """)
    try db.rebuild("t", to: "CREATE TABLE t (a TEXT PRIMARY KEY, b) WITHOUT ROWID", batchSize: 1) {
      _ in
    }
    #expect(try db.values(String.self, "SELECT a FROM t") == ["A", "a", "b"])
  }

  @Test func `copies generated columns into stored ones, and never writes to generated ones`()
    throws
  {
    let db = try memory(
      "CREATE TABLE t (a, b AS (a * 2), c AS (a * 3) STORED); INSERT INTO t VALUES (1), (2)")
    try db.rebuild("t", to: "CREATE TABLE t (a, b INTEGER, c AS (a * 30) STORED, d AS (b) VIRTUAL)")
    #expect(try db.rows("SELECT * FROM t") == [[1, 2, 30, 2], [2, 4, 60, 4]])
  }

  @Test func `works in temporary and attached databases`() throws {
    let db = try memory(
      """
      ATTACH ':memory:' AS other;
      CREATE TABLE t (a); INSERT INTO t VALUES ('main');
      CREATE TABLE other.t (a); INSERT INTO other.t VALUES ('other');
      CREATE INDEX other.i ON t (a);
      CREATE TRIGGER other.g AFTER INSERT ON t BEGIN DELETE FROM t WHERE a = 'none'; END;
      CREATE TEMP TABLE s (a); INSERT INTO s VALUES ('temp');
      CREATE TRIGGER temp.h AFTER INSERT ON s BEGIN SELECT 1; END;
      """)
    try db.rebuild("t", in: "other", to: "CREATE TABLE t (a, b)")
    try db.rebuild("s", in: "temp", to: "CREATE TABLE s (b, a)")
    #expect(try db.rows("SELECT a, b FROM other.t") == [["other", nil]])
    #expect(try db.rows("SELECT a, b FROM temp.s") == [["temp", nil]])
    #expect(try db.columns(of: "t").map(\.name) == ["a"])
    #expect(try db.indexes(of: "t", in: "other").map(\.name) == ["i"])
    #expect(try db.triggers(in: "other").map(\.name) == ["g"])
    #expect(try db.triggers(in: "temp").map(\.name) == ["h"])
  }

  @Test func `keeps the temporary trigger of another table with the same name`() throws {
    let db = try memory(
      """
      CREATE TABLE t (a); CREATE TEMP TABLE t (a);
      CREATE TEMP TRIGGER mine AFTER INSERT ON main.t BEGIN SELECT 1; END;
      CREATE TEMP TRIGGER its AFTER INSERT ON temp.t BEGIN SELECT 1; END;
      """)
    let before = try db.triggers(in: "temp").map(\.name)
    try db.rebuild("t", to: "CREATE TABLE t (a, b)")
    #expect(try db.triggers(in: "temp").map(\.name) == before)
  }
}

@Suite struct `Rebuilding the content of a full-text table` {
  static let schema = """
    CREATE TABLE doc (id INTEGER PRIMARY KEY, title TEXT, body TEXT);
    CREATE VIRTUAL TABLE words USING fts5(title, body, content = 'doc', content_rowid='id');
    CREATE TRIGGER doc_in AFTER INSERT ON doc BEGIN
      INSERT INTO words (rowid, title, body) VALUES (NEW.id, NEW.title, NEW.body);
    END;
    CREATE TRIGGER doc_out AFTER DELETE ON doc BEGIN
      INSERT INTO words (words, rowid, title, body)
      VALUES ('delete', OLD.id, OLD.title, OLD.body);
    END;
    INSERT INTO doc VALUES (3, 'one', 'apple'), (8, 'two', 'pear');
    """

  private func search(_ db: Connection, _ word: String) throws -> [Int] {
    try db.values(Int.self, "SELECT rowid FROM words WHERE words MATCH ?", word)
  }

  private func isSound(_ db: Connection) throws {
    try db.run("INSERT INTO words (words, rank) VALUES ('integrity-check', 1)")
    try db.run("INSERT INTO doc (id, title, body) VALUES (100, 'new', 'plum')")
    #expect(try search(db, "plum") == [100])
    try db.run("DELETE FROM doc WHERE id = 100")
    #expect(try search(db, "plum") == [])
    try db.run("INSERT INTO words (words, rank) VALUES ('integrity-check', 1)")
  }

  @Test func `keeps the index if rows keep their rowids and text`() throws {
    let db = try memory(SQL(unsafe: Self.schema)) { $0.trustsSchema = true }
    let result = try db.rebuild(
      "doc", to: "CREATE TABLE doc (id INTEGER PRIMARY KEY, body TEXT, title TEXT, extra)")
    #expect(result.refilledTables == [])
    #expect(try search(db, "pear") == [8])
    try isSound(db)
  }

  @Test func `rebuilds the index if text changes`() throws {
    let db = try memory(SQL(unsafe: Self.schema)) { $0.trustsSchema = true }
    let result = try db.rebuild(
      "doc", to: "CREATE TABLE doc (id INTEGER PRIMARY KEY, title TEXT, body TEXT)",
      mapping: ["body": "body || ' pie'"])
    #expect(result.refilledTables == ["words"])
    #expect(try search(db, "pie") == [3, 8])
    try isSound(db)
  }

  @Test func `rebuilds the index if rowids change`() throws {
    let db = try memory(SQL(unsafe: Self.schema)) { $0.trustsSchema = true }
    let result = try db.rebuild(
      "doc", to: "CREATE TABLE doc (id INTEGER PRIMARY KEY, title TEXT, body TEXT)",
      mapping: ["id": "id * 10"])
    #expect(result.refilledTables == ["words"])
    #expect(!result.keepsRowIDs)
    #expect(try search(db, "pear") == [80])
    try isSound(db)
  }

  @Test func `rebuilds the index if the content is a view of the table`() throws {
    let db = try memory(
      """
      CREATE TABLE doc (id INTEGER PRIMARY KEY, body TEXT); INSERT INTO doc VALUES (3, 'apple');
      CREATE VIEW plain AS SELECT id, body FROM doc;
      CREATE VIEW shown AS SELECT id, body FROM plain;
      CREATE VIRTUAL TABLE words USING fts5(body, content = 'shown', content_rowid = 'id');
      INSERT INTO words (words) VALUES ('rebuild');
      """)
    let form = "CREATE TABLE doc (id INTEGER PRIMARY KEY, body TEXT, extra)"
    #expect(try db.rebuild("doc", to: SQL(unsafe: form)).refilledTables == [])
    let result = try db.rebuild("doc", to: SQL(unsafe: form), mapping: ["body": "'pear'"])
    #expect(result.refilledTables == ["words"])
    #expect(try search(db, "pear") == [3])
    #expect(try search(db, "apple") == [])
  }

  @Test func `refuses to remove an indexed column`() throws {
    let db = try memory(
      """
      CREATE TABLE doc (id INTEGER PRIMARY KEY, title TEXT, body TEXT);
      CREATE VIRTUAL TABLE words USING fts5(title, body, content = 'doc', content_rowid='id');
      """)
    let error = #expect(throws: SQLiteError.self) {
      try db.rebuild("doc", to: "CREATE TABLE doc (id INTEGER PRIMARY KEY, title TEXT)")
    }
    #expect(error?.code == .brokenSchema)
    #expect(error?.message.contains("words: no such column: body") == true)
    #expect(try db.columns(of: "doc").count == 3)
  }

  @Test func `keeps the settings of a full-text table`() throws {
    let db = try memory("CREATE VIRTUAL TABLE words USING fts5(a, b)")
    try db.execute(
      """
      INSERT INTO words VALUES ('apple', 'pear'), ('pear', 'apple');
      INSERT INTO words (words, rank) VALUES ('rank', 'bm25(1.0, 100.0)'), ('automerge', 8);
      """)
    let settings = "SELECT k, v FROM words_config ORDER BY k"
    let before = try db.rows(SQL(unsafe: settings))
    #expect(before.count == 3)
    try db.rebuild("Words", to: "CREATE VIRTUAL TABLE words USING fts5(a, b, prefix = 2)")
    #expect(try db.rows(SQL(unsafe: settings)) == before)
    let best = "SELECT a FROM words WHERE words MATCH 'apple' ORDER BY rank LIMIT 1"
    #expect(try db.values(String.self, SQL(unsafe: best)) == ["pear"])
    try db.rebuild("words", to: "CREATE TABLE words (a, b)")
    #expect(try db.values(String.self, "SELECT a FROM words") == ["apple", "pear"])
  }

  @Test func `rebuilds full-text and R-Tree tables themselves`() throws {
    let db = try memory(
      """
      CREATE VIRTUAL TABLE words USING fts5(a, b);
      INSERT INTO words (rowid, a, b) VALUES (7, 'apple', 'pear');
      CREATE VIRTUAL TABLE box USING rtree(id, x0, x1);
      INSERT INTO box VALUES (3, 1.0, 2.0);
      """)
    try db.rebuild("words", to: "CREATE VIRTUAL TABLE words USING fts5(a, b, c, prefix = 2)")
    #expect(
      try db.rows("SELECT rowid, a, b, c FROM words WHERE words MATCH 'ap*'") == [
        [7, "apple", "pear", nil]
      ])
    try db.rebuild("box", to: "CREATE VIRTUAL TABLE box USING rtree(id, x0, x1, +note)")
    #expect(try db.rows("SELECT * FROM box WHERE x0 > 0") == [[3, 1.0, 2.0, nil]])
    #expect(try db.value(String.self, "PRAGMA integrity_check") == "ok")
  }
}
