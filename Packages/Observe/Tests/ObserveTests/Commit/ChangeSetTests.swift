import SQLiteCore
import Testing

@testable import Observe

@Suite struct `Change sets` {
  struct Case: CustomTestStringConvertible, Sendable {
    let rule: String
    var schema = "CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT, b INTEGER)"
    var before = ""
    let sql: String
    /// One line per table; `nil` if no changes must be reported.
    let reported: String?

    var testDescription: String { rule }
  }

  static let rows: String = "INSERT INTO t VALUES (1, 'x', 10), (2, 'y', 20), (3, 'z', 30)"

  static let statements: [Case] = [
    Case(
      rule: "an insert", sql: "INSERT INTO t VALUES (1, 'x', 10)",
      reported: #"t: inserted 1 row (id: 1, a: "x", b: 10)"#),
    Case(
      rule: "an update of one column", before: rows, sql: "UPDATE t SET a = 'B' WHERE id = 2",
      reported: #"t: updated 1 row (a: "y" → "B")"#),
    Case(
      rule: "an update of many rows", before: rows, sql: "UPDATE t SET b = b + 1",
      reported: "t: updated 3 rows (b)"),
    Case(
      rule: "an update to the same value is not a change", before: rows,
      sql: "UPDATE t SET a = a, b = b",
      reported: nil),
    Case(
      rule: "a delete", before: rows, sql: "DELETE FROM t WHERE id = 1",
      reported: #"t: deleted 1 row (id: 1, a: "x", b: 10)"#),
    Case(
      rule: "a delete of all rows, which SQLite could truncate", before: rows,
      sql: "DELETE FROM t", reported: "t: deleted 3 rows"),
    Case(
      rule: "a changed rowid is another row", before: rows,
      sql: "UPDATE t SET id = 9 WHERE id = 1",
      reported: #"t: inserted 1 row (id: 9, a: "x", b: 10), deleted 1 row (id: 1, a: "x", b: 10)"#),
    Case(
      rule: "a row that is replaced by one with the same key is updated", before: rows,
      sql: "REPLACE INTO t VALUES (1, 'new', 10)", reported: #"t: updated 1 row (a: "x" → "new")"#),
    Case(
      rule: "a row that is replaced by one with another key is deleted",
      before: "\(rows); CREATE UNIQUE INDEX i ON t (a)",
      sql: "INSERT OR REPLACE INTO t VALUES (4, 'x', 40)",
      reported: #"t: inserted 1 row (id: 4, a: "x", b: 40), deleted 1 row (id: 1, a: "x", b: 10)"#),
    Case(
      rule: "an upsert that finds a row updates it", before: rows,
      sql: "INSERT INTO t VALUES (1, 'u', 0) ON CONFLICT DO UPDATE SET b = 99",
      reported: "t: updated 1 row (b: 10 → 99)"),
    Case(
      rule: "an upsert that does nothing is not a change", before: rows,
      sql: "INSERT INTO t VALUES (1, 'u', 0) ON CONFLICT DO NOTHING", reported: nil),
    Case(
      rule: "rows copied from another table", schema: "CREATE TABLE s (x); CREATE TABLE t (x)",
      before: "INSERT INTO s VALUES (1), (2)", sql: "INSERT INTO t SELECT * FROM s",
      reported: "t: inserted 2 rows"),
    Case(
      rule: "SQLite's internal tables are not reported",
      schema: "CREATE TABLE t (id INTEGER PRIMARY KEY AUTOINCREMENT)",
      sql: "INSERT INTO t DEFAULT VALUES", reported: "t: inserted 1 row (id: 1)"),
    Case(
      rule: "a text that differs only in its bytes", before: "INSERT INTO t VALUES (1, 'é', 1)",
      sql: "UPDATE t SET a = 'e\u{301}'", reported: "t: updated 1 row (a: \"é\" → \"e\u{301}\")"),
    Case(
      rule: "a text that is not UTF-8",
      before: "INSERT INTO t VALUES (1, CAST(x'ff' AS TEXT), 1)",
      sql: "UPDATE t SET a = CAST(x'fe' AS TEXT)",
      reported: "t: updated 1 row (a: \"\u{fffd}\" → \"\u{fffd}\")"),
    Case(
      rule: "a name in another case", before: rows, sql: "DELETE FROM T WHERE ID = 1",
      reported: #"t: deleted 1 row (id: 1, a: "x", b: 10)"#),
  ]

  static let otherTables: [Case] = [
    Case(
      rule: "a table without rowids",
      schema: "CREATE TABLE t (a, k TEXT PRIMARY KEY, b) WITHOUT ROWID",
      before: "INSERT INTO t VALUES (1, 'k', 2)", sql: "UPDATE t SET b = 3",
      reported: "t: updated 1 row (b: 2 → 3)"),
    Case(
      rule: "a changed primary key without a rowid is another row",
      schema: "CREATE TABLE t (a, k TEXT PRIMARY KEY, b) WITHOUT ROWID",
      before: "INSERT INTO t VALUES (1, 'k', 2)", sql: "UPDATE t SET k = 'l'",
      reported: #"t: inserted 1 row (a: 1, k: "l", b: 2), deleted 1 row (a: 1, k: "k", b: 2)"#),
    Case(
      rule: "a delete of all rows of a table without rowids",
      schema: "CREATE TABLE t (k PRIMARY KEY) WITHOUT ROWID",
      before: "INSERT INTO t VALUES ('a'), ('b')", sql: "DELETE FROM t",
      reported: "t: deleted 2 rows"),
    Case(
      rule: "a cascade of foreign keys",
      schema: """
        CREATE TABLE p (id INTEGER PRIMARY KEY);
        CREATE TABLE c (id INTEGER PRIMARY KEY, p REFERENCES p ON DELETE CASCADE);
        """, before: "INSERT INTO p VALUES (1); INSERT INTO c VALUES (7, 1), (8, 1)",
      sql: "DELETE FROM p", reported: "c: deleted 2 rows\np: deleted 1 row (id: 1)"),
    Case(
      rule: "a trigger",
      schema: """
        CREATE TABLE t (x); CREATE TABLE log (y);
        CREATE TRIGGER r AFTER INSERT ON t BEGIN INSERT INTO log VALUES (new.x + 1); END;
        """, sql: "INSERT INTO t VALUES (1)",
      reported: "log: inserted 1 row (y: 2)\nt: inserted 1 row (x: 1)"),
    Case(
      rule: "a view with INSTEAD OF",
      schema: """
        CREATE TABLE t (x); CREATE VIEW v AS SELECT x FROM t;
        CREATE TRIGGER r INSTEAD OF INSERT ON v BEGIN INSERT INTO t VALUES (new.x); END;
        """, sql: "INSERT INTO v VALUES (5)", reported: "t: inserted 1 row (x: 5)"),
    Case(
      rule: "columns after a virtual generated one",
      schema: "CREATE TABLE t (id INTEGER PRIMARY KEY, v AS (x + 1), x, s AS (x * 2) STORED, y)",
      before: "INSERT INTO t (x, y) VALUES (1, 2)", sql: "UPDATE t SET y = 3",
      reported: "t: updated 1 row (y: 2 → 3)"),
    Case(
      rule: "a stored generated column",
      schema: "CREATE TABLE t (id INTEGER PRIMARY KEY, v AS (x + 1), x, s AS (x * 2) STORED, y)",
      before: "INSERT INTO t (x, y) VALUES (1, 2)", sql: "UPDATE t SET x = 5",
      reported: "t: updated 1 row (x: 1 → 5, s: 2 → 10)"),
    Case(
      rule: "a table whose integers SQLite reports as real numbers is reported as a whole",
      schema: "CREATE TABLE t (id INTEGER PRIMARY KEY, g AS (id), r REAL, n)",
      before: "INSERT INTO t VALUES (1, 0.5, 9007199254740993)",
      sql: "UPDATE t SET n = 9007199254740992.0", reported: "t: changed"),
    Case(
      rule: "a table whose values SQLite confuses is reported as a whole",
      schema: "CREATE TABLE t (v AS (x + 1), id INTEGER PRIMARY KEY, x)",
      before: "INSERT INTO t (x) VALUES (1)", sql: "UPDATE t SET x = 3", reported: "t: changed"),
    Case(
      rule: "a default that SQLite does not report",
      schema: "CREATE TABLE t (id INTEGER PRIMARY KEY)",
      before: "INSERT INTO t VALUES (1); ALTER TABLE t ADD COLUMN z DEFAULT 5",
      sql: "UPDATE t SET z = NULL", reported: "t: updated 1 row (z: NULL → NULL)"),
    Case(
      rule: "real numbers that SQLite reports as integers",
      schema: "CREATE TABLE t (id INTEGER PRIMARY KEY, r REAL)",
      before: "INSERT INTO t VALUES (1, 2)", sql: "REPLACE INTO t VALUES (1, 2)", reported: nil),
  ]

  @Test(arguments: statements + otherTables)
  func `report each way to change a row`(_ expected: Case) async throws {
    for store in Store.allCases {
      try await withDatabase(store, expected.schema) { database in
        try await database.run(expected.before)
        let changes = try await database.recording(expected.sql)
        #expect(changes?.description == expected.reported, "\(store)")
      }
    }
  }

  static let transactions: [Case] = [
    Case(
      rule: "a row that is inserted and deleted",
      sql: "BEGIN; INSERT INTO t VALUES (9, 'n', 0); DELETE FROM t WHERE id = 9; COMMIT",
      reported: nil),
    Case(
      rule: "a row that is updated twice", before: rows,
      sql: "BEGIN; UPDATE t SET a = 'p' WHERE id = 1; UPDATE t SET a = 'q' WHERE id = 1; COMMIT",
      reported: #"t: updated 1 row (a: "x" → "q")"#),
    Case(
      rule: "a row that is updated and restored", before: rows,
      sql: "BEGIN; UPDATE t SET a = 'p' WHERE id = 1; UPDATE t SET a = 'x' WHERE id = 1; COMMIT",
      reported: nil),
    Case(
      rule: "a row that is deleted and inserted again", before: rows,
      sql: "BEGIN; DELETE FROM t WHERE id = 1; INSERT INTO t VALUES (1, 'x', 11); COMMIT",
      reported: "t: updated 1 row (b: 10 → 11)"),
    Case(
      rule: "a row that is inserted and updated",
      sql: "BEGIN; INSERT INTO t VALUES (1, 'x', 1); UPDATE t SET b = 2; COMMIT",
      reported: #"t: inserted 1 row (id: 1, a: "x", b: 2)"#),
    Case(
      rule: "a transaction without changes", before: rows, sql: "BEGIN IMMEDIATE; COMMIT",
      reported: nil),
    Case(rule: "a rollback", before: rows, sql: "BEGIN; DELETE FROM t; ROLLBACK", reported: nil),
    Case(
      rule: "a rollback, then a commit", before: rows,
      sql: "BEGIN; DELETE FROM t; ROLLBACK; UPDATE t SET b = 0 WHERE id = 1",
      reported: "t: updated 1 row (b: 10 → 0)"),
    Case(
      rule: "a savepoint that is kept",
      sql: "BEGIN; SAVEPOINT s; INSERT INTO t VALUES (1, 'x', 1); RELEASE s; COMMIT",
      reported: #"t: inserted 1 row (id: 1, a: "x", b: 1)"#),
    Case(
      rule: "a savepoint that is rolled back", before: rows,
      sql: """
        BEGIN; UPDATE t SET b = 0 WHERE id = 1; SAVEPOINT s; DELETE FROM t; ROLLBACK TO s;
        RELEASE s; COMMIT
        """, reported: "t: updated 1 row (b: 10 → 0)"),
    Case(
      rule: "writes after a savepoint was rolled back", before: rows,
      sql: """
        BEGIN; SAVEPOINT s; DELETE FROM t; ROLLBACK TO s; UPDATE t SET b = 0 WHERE id = 2;
        RELEASE S; COMMIT
        """, reported: "t: updated 1 row (b: 20 → 0)"),
    Case(
      rule: "savepoints with the same name: the last one applies", before: rows,
      sql: """
        BEGIN; SAVEPOINT s; UPDATE t SET b = 0 WHERE id = 1; SAVEPOINT s; DELETE FROM t;
        ROLLBACK TO s; RELEASE s; RELEASE s; COMMIT
        """, reported: "t: updated 1 row (b: 10 → 0)"),
    Case(
      rule: "an outer savepoint rolls back the inner ones", before: rows,
      sql: """
        BEGIN; SAVEPOINT a; DELETE FROM t WHERE id = 1; SAVEPOINT b; DELETE FROM t WHERE id = 2;
        RELEASE b; ROLLBACK TO a; DELETE FROM t WHERE id = 3; COMMIT
        """, reported: #"t: deleted 1 row (id: 3, a: "z", b: 30)"#),
    Case(
      rule: "a savepoint that is the transaction", before: rows,
      sql: "SAVEPOINT s; DELETE FROM t WHERE id = 1; RELEASE s",
      reported: #"t: deleted 1 row (id: 1, a: "x", b: 10)"#),
    Case(
      rule: "a savepoint left open at the commit", before: rows,
      sql: "BEGIN; SAVEPOINT s; DELETE FROM t WHERE id = 1; COMMIT",
      reported: #"t: deleted 1 row (id: 1, a: "x", b: 10)"#),
    Case(
      rule: "a schema change rolled back with its savepoint", before: rows,
      sql: """
        BEGIN; SAVEPOINT s; CREATE TABLE u (x); ROLLBACK TO s; RELEASE s;
        UPDATE t SET b = 0 WHERE id = 1; COMMIT
        """, reported: "t: updated 1 row (b: 10 → 0)"),
  ]

  @Test(arguments: transactions)
  func `contain a transaction's net changes`(_ expected: Case) async throws {
    try await withDatabase(.file, expected.schema) { database in
      try await database.run(expected.before)
      let changes = try await database.recording(expected.sql)
      #expect(changes?.description == expected.reported)
    }
  }

  @Test func `omit changes of a rolled back savepoint`() async throws {
    struct Refusal: Error {}
    try await withDatabase(.file, "CREATE TABLE t (id INTEGER PRIMARY KEY)") { database in
      let changes = try await database.recording { connection in
        try connection.transaction {
          try connection.run("INSERT INTO t VALUES (1)")
          try? connection.savepoint {
            try connection.run("INSERT INTO t VALUES (2)")
            throw Refusal()
          }
          try connection.savepoint { try connection.run("INSERT INTO t VALUES (3)") }
        }
      }
      #expect(changes?.description == "t: inserted 2 rows")
    }
  }

  @Test func `report a delete by a statement compiled before the observation`() async throws {
    try await withDatabase(.memory, "CREATE TABLE t (x); INSERT INTO t VALUES (1), (2)") {
      database in
      try await database.run("DELETE FROM t; INSERT INTO t VALUES (1), (2)")
      try await database.writeWithoutTransaction { connection in
        _ = try connection.withStatement("DELETE FROM t") { $0.sql }
      }
      let changes = try await database.recording { try $0.run("DELETE FROM t") }
      #expect(changes?.description == "t: deleted 2 rows")
    }
  }

  @Test(arguments: ["ABORT", "FAIL", "ROLLBACK"])
  func `miss no change of a failed statement`(_ resolution: String) async throws {
    let schema = "CREATE TABLE t (id INTEGER PRIMARY KEY); INSERT INTO t VALUES (3)"
    try await withDatabase(.file, schema) { database in
      let changes = try await database.recording { connection in
        try connection.execute("BEGIN")
        try? connection.execute("INSERT OR \(unsafe: resolution) INTO t VALUES (1), (2), (3)")
        if connection.isInTransaction { try connection.execute("COMMIT") }
      }
      // The rows that a failed statement changed are unknown, so possible changes are reported.
      #expect(changes?.description == (resolution == "ROLLBACK" ? nil : "t: inserted rows"))
    }
  }

  @Test func `contain columns if there are too many rows`() async throws {
    let schema = "CREATE TABLE t (id INTEGER PRIMARY KEY, a, b); CREATE TABLE u (x)"
    let fill = """
      WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5000)
      INSERT INTO t SELECT i, i, 'b' FROM n
      """
    try await withDatabase(.file, schema) { database in
      let inserted = try await database.recording(fill)
      #expect(inserted?.description == "t: inserted rows")
      let updated = try await database.recording(
        "BEGIN; INSERT INTO u VALUES (1); UPDATE t SET a = a + 1, b = b; COMMIT")
      #expect(updated?.description == "t: updated rows (a)\nu: inserted 1 row (x: 1)")
      #expect(updated.map { Region.columns("t", ["b"]).overlaps($0) } == false)
      #expect(try await database.recording("UPDATE t SET b = b") == nil)
    }
  }

  @Test func `hold no values beyond their limit`() async throws {
    try await withDatabase(.file, "CREATE TABLE t (id INTEGER PRIMARY KEY, b)") { database in
      let changes = try await database.recording("INSERT INTO t VALUES (1, zeroblob(1000000))")
      #expect(changes?.tables["t"] == ChangeSet.TableChange(kinds: .insert))
    }
  }

  @Test func `report a virtual table's changes under its name`() async throws {
    let schema = """
      CREATE VIRTUAL TABLE ft USING fts5(body); CREATE VIRTUAL TABLE box USING rtree(id, a, b);
      """
    try await withDatabase(.file, schema) { database in
      let text = try #require(try await database.recording("INSERT INTO ft VALUES ('hello')"))
      #expect(text.tables["ft"] == .unknown)
      #expect(Region.columns("ft", ["body"]).overlaps(text))
      #expect(!Region.table("box").overlaps(text))
      let tree = try #require(try await database.recording("INSERT INTO box VALUES (1, 0, 1)"))
      #expect(tree.tables["box"] == .unknown)
    }
  }

  @Test(arguments: [
    "CREATE TABLE u (x)", "ALTER TABLE t RENAME COLUMN a TO z", "DROP TABLE t",
    "CREATE VIEW v AS SELECT 1", "BEGIN; UPDATE t SET a = 1; ALTER TABLE t ADD COLUMN n; COMMIT",
  ])
  func `flag schema changes, which affect every region`(_ sql: String) async throws {
    try await withDatabase(.file, "CREATE TABLE t (a); INSERT INTO t VALUES (0)") { database in
      let changes = try #require(try await database.recording(sql))
      #expect(changes.schemaChanged)
      #expect(Region.table("another").overlaps(changes))
      #expect(changes.tables.values.allSatisfy { $0.rows == nil })
    }
  }

  @Test func `use the column names after a schema change`() async throws {
    try await withDatabase(.file, "CREATE TABLE t (a); INSERT INTO t VALUES (0)") { database in
      _ = try await database.recording("UPDATE t SET a = 1")
      try await database.run("ALTER TABLE t RENAME COLUMN a TO z")
      #expect(
        try await database.recording("UPDATE t SET z = 2")?.description
          == "t: updated 1 row (z: 1 → 2)")
    }
  }

  @Test func `are not affected by maintenance statements`() async throws {
    try await withDatabase(.file, "CREATE TABLE t (a); INSERT INTO t VALUES (0)") { database in
      let vacuumed = try await database.recording("VACUUM")
      #expect(vacuumed?.tables.isEmpty ?? true)
      let analyzed = try await database.recording("ANALYZE")
      #expect(analyzed?.tables.keys.allSatisfy(\.isInternal) ?? false)
      #expect(try await database.recording("UPDATE t SET a = 1") != nil)
    }
  }

  @Test func `contain each row's key and values`() async throws {
    let schema = """
      CREATE TABLE t (id INTEGER PRIMARY KEY, a); INSERT INTO t VALUES (7, 'x');
      CREATE TABLE w (x, k, l, PRIMARY KEY (l, k)) WITHOUT ROWID;
      """
    try await withDatabase(.file, schema) { database in
      let update = try await database.recording("UPDATE t SET a = 'y'")
      let row = try #require(update?.tables["T"]?.rows?.first)
      #expect(row.key == .rowID(7))
      #expect(row.kind == .update)
      #expect(row.changedColumns == ["A"])
      #expect(row.oldValue(of: "a") == "x")
      #expect(row.newValue(of: "a") == "y")
      #expect(row.newValue(of: "none") == nil)
      let insert = try await database.recording("INSERT INTO w VALUES (1, 'k', 'l')")
      #expect(insert?.tables["w"]?.rows?.first?.key == .primaryKey(["l", "k"]))
    }
  }

  @Test func `are numbered without gaps`() async throws {
    try await withDatabase(.memory, "CREATE TABLE t (x)") { database in
      for number in 1...3 as ClosedRange<UInt64> {
        let changes = try await database.recording("INSERT INTO t VALUES (1)")
        #expect(changes?.sequences == number...number)
        #expect(try await database.recording("BEGIN; DELETE FROM t; ROLLBACK") == nil)
      }
    }
  }
}
