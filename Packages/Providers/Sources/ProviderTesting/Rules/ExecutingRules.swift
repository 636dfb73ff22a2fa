internal import Providers
internal import SQLiteCore

extension ProviderConformance {
  static let executingCases: [Case] = resultCases + effectCases + scriptCases + faultCases

  private static let shop = """
    CREATE TABLE t (id INTEGER PRIMARY KEY, name TEXT UNIQUE, sum INTEGER);
    INSERT INTO t VALUES (1, 'Milk', 10), (2, 'Bread', 20), (3, 'Salt', 30)
    """

  private static func result(
    _ name: String, _ sql: String, _ expected: Int, _ values: [SQLiteValue] = []
  ) -> Case {
    rule(.executing, "\(name) gives \(expected)") { subject in
      let provider = try subject.opened(shop)
      try subject.expectResult(provider, sql, expected, values: values)
    }
  }

  /// Rules for the result of `execute` on a table with three rows.
  private static let resultCases: [Case] = [
    result("a new table", "CREATE TABLE u (a)", 1),
    result("an existing table", "CREATE TABLE IF NOT EXISTS t (a)", 1),
    result("a new column", "ALTER TABLE t ADD COLUMN note TEXT", 1),
    result("a new name", "ALTER TABLE t RENAME TO u", 1),
    result("a new index", "CREATE INDEX i ON t (sum)", 1),
    result("a new view", "CREATE VIEW v AS SELECT name FROM t", 1),
    result("a dropped table", "DROP TABLE t", 1),
    result("a query", "SELECT * FROM t", 1),
    result("a pragma", "PRAGMA user_version = 5", 1),
    result("an update of a row", "UPDATE t SET sum = 5 WHERE id = 2", 1),
    result("an update of two", "UPDATE t SET sum = 5 WHERE id > ?", 2, [1]),
    result("an update of all", "UPDATE t SET sum = sum", 3),
    result("an update of none", "UPDATE t SET sum = 5 WHERE id = 9", 0),
    result("an update that is ignored", "UPDATE OR IGNORE t SET name = 'Milk' WHERE id = 2", 0),
    result("an update after WITH", "WITH x AS (SELECT 1 AS i) UPDATE t SET sum = i FROM x", 3),
    result("a delete of a row", "DELETE FROM t WHERE id = 3", 1),
    result("a delete of two", "DELETE FROM t WHERE id IN (1, 3)", 2),
    result("a delete of all", "DELETE FROM t", 3),
    result("a delete of none", "DELETE FROM t WHERE name = 'Nix'", 0),
    result(
      "a delete after WITH", "WITH x (i) AS (VALUES (1), (2)) DELETE FROM t WHERE id IN x", 2),
    result("spaces before a delete", " \n\t delete from t where id = 1", 1),
    result("a comment before an update", "-- all of them\nUPDATE t SET sum = 0", 3),
    result("a long comment before a delete", "/* DROP TABLE t; */ DELETE FROM t WHERE id < 3", 2),
    result("a delete with a semicolon", "DELETE FROM t WHERE id = 1 ; ", 1),
    result("a comment after a delete", "DELETE FROM t WHERE id < 3; -- done", 2),
    result("a word that contains another", "UPDATE t SET name = 'INSERT INTO t' WHERE id = 1", 1),
  ]

  private static let effectCases: [Case] = [
    rule(.executing, "a quoted string is accepted as a column name, as in SQLite") { subject in
      let provider = try subject.opened()
      try subject.expectResult(
        provider, "CREATE TABLE IF NOT EXISTS Person (`ID` INTEGER, `Name` STRING)", 1)
      try subject.expect(provider.tableExists("Person"), true, "tableExists")
    },
    rule(.executing, "rows are swapped in one update") { subject in
      let provider = try subject.opened("CREATE TABLE t (a, b)", "INSERT INTO t VALUES (10, 20)")
      try provider.execute("UPDATE t SET a = b, b = a")
      try subject.expectRows(provider, "SELECT * FROM t", [[20, 10]])
    },
    rule(.executing, "a row is replaced") { subject in
      let provider = try subject.opened(shop)
      try provider.execute("INSERT OR REPLACE INTO t VALUES (2, 'Rye', 1)")
      try subject.expectRows(
        provider, "SELECT name FROM t ORDER BY id", [["Milk"], ["Rye"], ["Salt"]])
    },
    rule(.executing, "an existing row is updated by an upsert") { subject in
      let provider = try subject.opened(shop)
      try provider.execute(
        "INSERT INTO t VALUES (2, 'Bread', 5) ON CONFLICT (id) DO UPDATE SET sum = sum + 5")
      try subject.expectRows(
        provider, "SELECT sum FROM t ORDER BY id", [[10], [25], [30]])
    },
    rule(.executing, "a table is created from a query") { subject in
      let provider = try subject.opened(shop)
      try provider.execute("CREATE TABLE u AS SELECT id, name FROM t WHERE id < 3")
      try subject.expectRows(provider, "SELECT * FROM u", [[1, "Milk"], [2, "Bread"]])
    },
    rule(.executing, "constraints are enforced") { subject in
      let provider = try subject.opened(shop)
      for (sql, code) in [
        ("INSERT INTO t VALUES (1, 'x', 1)", SQLiteError.Code.constraintPrimaryKey),
        ("INSERT INTO t VALUES (4, 'Milk', 1)", .constraintUnique),
      ] {
        let error = try subject.expectSQLiteError(doing: sql) {
          try provider.execute(SQL(unsafe: sql))
        }
        try subject.expect(error.code, code, "the error of \(sql)")
      }
      try subject.expectValue(provider, "SELECT count(*) FROM t", 3)
    },
    rule(.executing, "foreign keys are enforced") { subject in
      let provider = try subject.opened(
        "CREATE TABLE p (id INTEGER PRIMARY KEY)",
        "CREATE TABLE c (p INTEGER REFERENCES p (id) ON DELETE CASCADE)",
        "INSERT INTO p VALUES (1); INSERT INTO c VALUES (1)")
      try subject.expectSQLiteError(.constraintForeignKey, doing: "a child of none") {
        try provider.execute("INSERT INTO c VALUES (2)")
      }
      try provider.execute("DELETE FROM p")
      try subject.expectValue(provider, "SELECT count(*) FROM c", 0)
    },
  ]

  private static let scriptCases: [Case] = [
    rule(.executing, "several statements are executed; the last one determines the result") {
      subject in
      let provider = try subject.opened(shop)
      try subject.expectResult(
        provider,
        "DELETE FROM t WHERE id = 1; UPDATE t SET sum = 1; INSERT INTO t VALUES (8, 'x', 1)",
        8)
      try subject.expectResult(
        provider, "INSERT INTO t VALUES (9, 'y', 1); UPDATE t SET sum = 2;", 4)
      try subject.expectResult(provider, "DELETE FROM t; CREATE TABLE u (a)", 1)
      try subject.expect(provider.tableNames().sorted(), ["t", "u"], "the tables")
      try subject.expectValue(provider, "SELECT count(*) FROM t", 0)
    },
    rule(.executing, "several statements are rolled back if one fails") { subject in
      let provider = try subject.opened(shop)
      for last in ["INSERT INTO t VALUES (2, 'x', 1)", "INSERT INTO nix VALUES (1)", "no SQL"] {
        try subject.expectSQLiteError(doing: last) {
          try provider.execute("DELETE FROM t WHERE id = 1; CREATE TABLE u (a); \(unsafe: last)")
        }
        try subject.expectValue(provider, "SELECT count(*) FROM t", 3)
        try subject.expect(provider.tableExists("u"), false, "tableExists")
      }
    },
    rule(.executing, "a statement can use a table that an earlier one created") { subject in
      let provider = try subject.opened()
      try subject.expectResult(
        provider, "CREATE TABLE u (id INTEGER PRIMARY KEY, a); INSERT INTO u (a) VALUES (?)", 1,
        values: ["x"])
      try subject.expectRows(provider, "SELECT * FROM u", [[1, "x"]])
    },
    rule(.executing, "texts, comments and names can contain semicolons") { subject in
      let provider = try subject.opened()
      try provider.execute(
        """
        CREATE TABLE "a;b" (x); -- ; none
        INSERT INTO "a;b" VALUES ('c;d'); /* ; */ INSERT INTO [a;b] VALUES (';')
        """)
      try subject.expectRows(provider, "SELECT x FROM \"a;b\"", [["c;d"], [";"]])
    },
    rule(.executing, "a trigger is created with its statements") { subject in
      let provider = try subject.opened(
        """
        CREATE TABLE t (a); CREATE TABLE log (a);
        CREATE TRIGGER r AFTER INSERT ON t BEGIN
          INSERT INTO log VALUES (NEW.a); INSERT INTO log VALUES (-NEW.a);
        END;
        INSERT INTO t VALUES (7)
        """)
      try subject.expectRows(provider, "SELECT a FROM log", [[7], [-7]])
    },
  ]

  private static let faultCases: [Case] = [
    rule(.executing, "an error contains its offset") { subject in
      let provider = try subject.opened(shop)
      let sql = "DELETE FROM t WHERE nix = 1"
      let error = try subject.expectSQLiteError(.error, doing: sql) {
        try provider.execute(SQL(unsafe: sql))
      }
      try subject.expect(error.sql, sql, "the SQL of the error")
      try subject.expect(error.offset?.rawValue, 20, "the offset of the error")
    },
    rule(.executing, "an error contains its offset in several statements") { subject in
      let provider = try subject.opened(shop)
      let sql = "DELETE FROM t; DELETE FROM nix"
      let error = try subject.expectSQLiteError(.error, doing: sql) {
        try provider.execute(SQL(unsafe: sql))
      }
      try subject.expect(error.message.contains("nix"), true, "the message names the table")
      try subject.expectValue(provider, "SELECT count(*) FROM t", 3)
    },
    rule(.executing, "an error contains no value") { subject in
      let provider = try subject.opened(shop)
      let error = try subject.expectError("an existing name") {
        try provider.execute(
          "INSERT INTO t (name, sum) VALUES (?, ?)", withParameters: ["Milk", 987_654])
      }
      let text = "\(error) \(String(reflecting: error))"
      try subject.expect(text.contains("987654"), false, "the error contains a value: \(text)")
    },
    rule(.executing, "an error leaves the source usable") { subject in
      let provider = try subject.opened(shop)
      for _ in 1...3 {
        try subject.expectSQLiteError(doing: "no SQL") { try provider.execute("no SQL") }
      }
      try subject.expectResult(provider, "INSERT INTO t (name) VALUES ('x')", 4)
    },
  ]

  // MARK: Row identifiers

  private static func inserted(_ name: String, _ sql: String..., expecting expected: Int) -> Case {
    rule(.insertedIDs, "\(name) has the result \(expected)") { subject in
      let provider = try subject.opened(
        """
        CREATE TABLE t (id INTEGER PRIMARY KEY, name TEXT UNIQUE);
        CREATE TABLE u (id INTEGER PRIMARY KEY, name TEXT);
        CREATE TABLE w (k TEXT PRIMARY KEY) WITHOUT ROWID;
        CREATE TABLE p (a, b)
        """)
      var result = 0
      for sql in sql { result = try provider.execute(SQL(unsafe: sql)) }
      try subject.expect(result, expected, "the result of \(sql)")
    }
  }

  static let insertedIDCases: [Case] = [
    inserted("the first row", "INSERT INTO t (name) VALUES ('a')", expecting: 1),
    inserted("a row with an explicit id", "INSERT INTO t VALUES (10, 'a')", expecting: 10),
    inserted(
      "the next row", "INSERT INTO t VALUES (10, 'a')", "INSERT INTO t (name) VALUES ('b')",
      expecting: 11),
    inserted(
      "a row with a large id", "INSERT INTO t VALUES (3000000000, 'a')", expecting: 3_000_000_000),
    inserted("a row with a negative id", "INSERT INTO t VALUES (-7, 'a')", expecting: -7),
    inserted("the last of several rows", "INSERT INTO t VALUES (1, 'a'), (5, 'b')", expecting: 5),
    inserted("a row with spaces before", "  \n insert into t values (4, 'a')", expecting: 4),
    inserted(
      "a row with a comment before", "/* x */ -- y\nINSERT INTO t VALUES (4, 'a')", expecting: 4),
    inserted("a row that replaces no row", "REPLACE INTO t VALUES (6, 'a')", expecting: 6),
    inserted(
      "a row that replaces one", "INSERT INTO t VALUES (6, 'a')",
      "INSERT OR REPLACE INTO t VALUES (6, 'b')", expecting: 6),
    inserted(
      "rows after WITH", "WITH x (i) AS (VALUES (3), (4)) INSERT INTO t (id) SELECT i FROM x",
      expecting: 4),
    inserted(
      "rows after WITH RECURSIVE",
      "WITH RECURSIVE x (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM x WHERE i < 9) INSERT INTO t (id) SELECT i FROM x",
      expecting: 9),
    inserted(
      "rows of another table", "INSERT INTO u VALUES (2, 'a'), (8, 'b')",
      "INSERT INTO t SELECT * FROM u", expecting: 8),
    inserted(
      "a row that is ignored", "INSERT INTO t VALUES (2, 'a')",
      "INSERT OR IGNORE INTO t VALUES (2, 'b')", expecting: 0),
    inserted("no rows", "INSERT INTO t SELECT * FROM u", expecting: 0),
    inserted(
      "a row with the same id in another table", "INSERT INTO t VALUES (5, 'a')",
      "INSERT INTO u VALUES (5, 'b')", expecting: 5),
    inserted("a row with default values", "INSERT INTO t DEFAULT VALUES", expecting: 1),
    inserted("rows without ids", "INSERT INTO w VALUES ('a'), ('b'), ('c')", expecting: 3),
    inserted(
      "a row without an id after one with an id", "INSERT INTO t VALUES (70, 'a')",
      "INSERT INTO w VALUES ('a')", expecting: 1),
    inserted(
      "a row in a table without a key", "INSERT INTO p VALUES (1, 2)",
      "INSERT INTO p VALUES (1, 2)", expecting: 2),
    inserted(
      "a row whose trigger inserts others",
      "CREATE TRIGGER r AFTER INSERT ON t BEGIN INSERT INTO u VALUES (900, 'x'); END",
      "INSERT INTO t VALUES (3, 'a')", expecting: 3),
    inserted(
      "a row with RETURNING", "INSERT INTO t VALUES (12, 'a') RETURNING name", expecting: 12),
    inserted(
      "a row in an oddly named table", "CREATE TABLE \"DELETE FROM\" (id INTEGER PRIMARY KEY)",
      "INSERT INTO \"DELETE FROM\" VALUES (33)", expecting: 33),
    inserted(
      "a reused id", "INSERT INTO t VALUES (1, 'a')", "DELETE FROM t",
      "INSERT INTO t (name) VALUES ('a')", expecting: 1),
  ]
}
