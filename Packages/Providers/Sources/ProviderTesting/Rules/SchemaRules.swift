internal import Providers
internal import SQLiteCore

extension ProviderConformance {
  /// Checks a reopened schema: statements that must fail, and the result of a query.
  private static func kept(
    _ name: String, _ sql: String, refusing: [String] = [], doing: [String] = [],
    query: String? = nil, _ rows: [[SQLiteValue]] = []
  ) -> Case {
    rule(.schema, "\(name) preserved", needs: .schema) { subject in
      let provider = try subject.opened(sql)
      // Reopened twice, because content that was read must also be written correctly.
      let first = try subject.reopened(provider)
      try first.execute("PRAGMA user_version = 3")
      let reopened = try subject.reopened(first)
      for sql in refusing {
        try subject.expectSQLiteError(doing: sql) { try reopened.execute(SQL(unsafe: sql)) }
      }
      for sql in doing { try reopened.execute(SQL(unsafe: sql)) }
      if let query { try subject.expectRows(reopened, query, rows) }
    }
  }

  static let schemaCases: [Case] = constraintCases + objectCases + kindCases

  private static let constraintCases: [Case] = [
    kept("NOT NULL is", "CREATE TABLE t (a NOT NULL)", refusing: ["INSERT INTO t VALUES (NULL)"]),
    kept(
      "UNIQUE is", "CREATE TABLE t (a UNIQUE); INSERT INTO t VALUES (1)",
      refusing: ["INSERT INTO t VALUES (1)"]),
    kept(
      "UNIQUE of several columns is",
      "CREATE TABLE t (a, b, UNIQUE (a, b)); INSERT INTO t VALUES (1, 1)",
      refusing: ["INSERT INTO t VALUES (1, 1)"], doing: ["INSERT INTO t VALUES (1, 2)"]),
    kept(
      "CHECK is", "CREATE TABLE t (a CHECK (a > 0), b, CHECK (b > a))",
      refusing: ["INSERT INTO t VALUES (0, 1)", "INSERT INTO t VALUES (2, 1)"],
      doing: ["INSERT INTO t VALUES (1, 2)"]),
    kept(
      "DEFAULT is",
      "CREATE TABLE t (a, b DEFAULT 7, c DEFAULT 'it''s', d DEFAULT (1 + 1), e DEFAULT NULL)",
      doing: ["INSERT INTO t (a) VALUES (1)"], query: "SELECT * FROM t", [[1, 7, "it's", 2, nil]]),
    kept(
      "a primary key of texts is",
      "CREATE TABLE t (k TEXT PRIMARY KEY); INSERT INTO t VALUES ('a')",
      refusing: ["INSERT INTO t VALUES ('a')"]),
    kept(
      "a primary key of several columns is",
      "CREATE TABLE t (a, b, PRIMARY KEY (b, a)); INSERT INTO t VALUES (1, 2)",
      refusing: ["INSERT INTO t VALUES (1, 2)"], doing: ["INSERT INTO t VALUES (2, 1)"]),
    kept(
      "references are",
      """
      CREATE TABLE p (id INTEGER PRIMARY KEY); CREATE TABLE c (p REFERENCES p (id) ON DELETE CASCADE);
      INSERT INTO p VALUES (1), (2); INSERT INTO c VALUES (1), (2)
      """, refusing: ["INSERT INTO c VALUES (9)"], doing: ["DELETE FROM p WHERE id = 1"],
      query: "SELECT * FROM c", [[2]]),
    kept(
      "foreign keys to tables that are created later are",
      """
      CREATE TABLE c (p REFERENCES p (id)); CREATE TABLE p (id INTEGER PRIMARY KEY);
      INSERT INTO p VALUES (1); INSERT INTO c VALUES (1)
      """, refusing: ["DELETE FROM p", "INSERT INTO c VALUES (2)"], query: "SELECT * FROM c", [[1]]),
    kept(
      "a collation is", "CREATE TABLE t (a TEXT COLLATE NOCASE); INSERT INTO t VALUES ('Ab')",
      query: "SELECT a FROM t WHERE a = 'aB'", [["Ab"]]),
    kept(
      "AUTOINCREMENT is",
      """
      CREATE TABLE t (id INTEGER PRIMARY KEY AUTOINCREMENT, a); INSERT INTO t (a) VALUES (1), (2);
      DELETE FROM t
      """, doing: ["INSERT INTO t (a) VALUES (3)"], query: "SELECT * FROM t", [[3, 3]]),
    kept(
      "a conflict resolution is",
      "CREATE TABLE t (a UNIQUE ON CONFLICT REPLACE, b); INSERT INTO t VALUES (1, 1)",
      doing: ["INSERT INTO t VALUES (1, 2)"], query: "SELECT * FROM t", [[1, 2]]),
  ]

  private static let objectCases: [Case] = [
    kept(
      "an index is", "CREATE TABLE t (a); CREATE INDEX i ON t (a DESC)",
      query: "SELECT name, tbl_name FROM sqlite_schema WHERE type = 'index'", [["i", "t"]]),
    kept(
      "a unique index is",
      "CREATE TABLE t (a); CREATE UNIQUE INDEX i ON t (a); INSERT INTO t VALUES (1)",
      refusing: ["INSERT INTO t VALUES (1)"]),
    kept(
      "a partial index is",
      "CREATE TABLE t (a, b); CREATE UNIQUE INDEX i ON t (a) WHERE b; INSERT INTO t VALUES (1, 1)",
      refusing: ["INSERT INTO t VALUES (1, 1)"], doing: ["INSERT INTO t VALUES (1, 0)"]),
    kept(
      "an index on an expression is",
      "CREATE TABLE t (a); CREATE UNIQUE INDEX i ON t (lower(a)); INSERT INTO t VALUES ('A')",
      refusing: ["INSERT INTO t VALUES ('a')"]),
    kept(
      "a view is",
      "CREATE TABLE t (a); INSERT INTO t VALUES (1), (2); CREATE VIEW v (b) AS SELECT a * 2 FROM t",
      query: "SELECT b FROM v", [[2], [4]]),
    kept(
      "a view of a view is",
      """
      CREATE TABLE t (a); CREATE VIEW b AS SELECT a FROM t; CREATE VIEW a AS SELECT * FROM b;
      INSERT INTO t VALUES (1)
      """, query: "SELECT * FROM a", [[1]]),
    kept(
      "a trigger is, and does not fire while rows are read",
      """
      CREATE TABLE t (a); CREATE TABLE log (a); INSERT INTO t VALUES (1);
      CREATE TRIGGER r AFTER INSERT ON t BEGIN INSERT INTO log VALUES (NEW.a); END
      """, doing: ["INSERT INTO t VALUES (5)"], query: "SELECT * FROM log", [[5]]),
    kept(
      "a trigger that refuses is",
      """
      CREATE TABLE t (a); INSERT INTO t VALUES (-1);
      CREATE TRIGGER r BEFORE INSERT ON t WHEN NEW.a < 0 BEGIN SELECT RAISE(ABORT, 'no'); END
      """, refusing: ["INSERT INTO t VALUES (-2)"], query: "SELECT * FROM t", [[-1]]),
    kept(
      "a trigger of a view is",
      """
      CREATE TABLE t (a); CREATE VIEW v AS SELECT a FROM t;
      CREATE TRIGGER r INSTEAD OF INSERT ON v BEGIN INSERT INTO t VALUES (NEW.a + 1); END
      """, doing: ["INSERT INTO v VALUES (1)"], query: "SELECT * FROM t", [[2]]),
    kept(
      "the user version is", "PRAGMA user_version = 3; CREATE TABLE t (a)",
      query: "SELECT user_version FROM pragma_user_version", [[3]]),
    kept(
      "the application ID is", "PRAGMA application_id = 1234; CREATE TABLE t (a)",
      query: "SELECT application_id FROM pragma_application_id", [[1_234]]),
  ]

  private static let kindCases: [Case] = [
    kept(
      "a table without rowids is",
      "CREATE TABLE t (k TEXT PRIMARY KEY, a) WITHOUT ROWID; INSERT INTO t VALUES ('b', 1), ('a', 2)",
      refusing: ["SELECT rowid FROM t", "INSERT INTO t VALUES ('a', 3)"],
      query: "SELECT * FROM t ORDER BY k", [["a", 2], ["b", 1]]),
    kept(
      "a strict table is",
      "CREATE TABLE t (a INTEGER, b ANY) STRICT; INSERT INTO t VALUES (1, '1')",
      refusing: ["INSERT INTO t VALUES ('x', 1)"], query: "SELECT a, b, typeof(b) FROM t",
      [[1, "1", "text"]]),
    kept(
      "generated columns are",
      """
      CREATE TABLE t (a, b AS (a * 2), c AS (a + 1) STORED, d); INSERT INTO t (a, d) VALUES (3, 'x')
      """, refusing: ["INSERT INTO t (b) VALUES (1)"], query: "SELECT * FROM t", [[3, 6, 4, "x"]]),
    kept(
      "rowids are",
      "CREATE TABLE t (a); INSERT INTO t (rowid, a) VALUES (7, 'x'), (3, 'y')",
      query: "SELECT rowid, a FROM t ORDER BY rowid", [[3, "y"], [7, "x"]]),
    kept(
      "a column named rowid is",
      "CREATE TABLE t (rowid TEXT, oid TEXT, _rowid_ TEXT); INSERT INTO t VALUES ('c', 'b', 'a')",
      query: "SELECT * FROM t", [["c", "b", "a"]]),
    kept(
      "the order of tables is", "CREATE TABLE z (a); CREATE TABLE a (z); CREATE TABLE m (x)",
      query: "SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY rowid",
      [["z"], ["a"], ["m"]]),
    kept(
      "an altered table is",
      """
      CREATE TABLE t (a); INSERT INTO t VALUES (1); ALTER TABLE t ADD COLUMN b DEFAULT 5;
      ALTER TABLE t RENAME COLUMN a TO c; ALTER TABLE t RENAME TO u
      """, query: "SELECT c, b FROM u", [[1, 5]]),
    kept(
      "a statement's comments and spaces are",
      "CREATE TABLE t (\n  a, -- first; 'x'\n  b /* second */\n); INSERT INTO t VALUES (1, 2)",
      query: "SELECT a, b, instr(sql, 'first; ''x''') > 0 FROM t, sqlite_schema", [[1, 2, 1]]),
    kept(
      "a full-text table is",
      "CREATE VIRTUAL TABLE t USING fts5 (a); INSERT INTO t VALUES ('red fox'), ('blue sky')",
      doing: ["INSERT INTO t VALUES ('red sky')"],
      query: "SELECT a FROM t WHERE t MATCH 'red' ORDER BY rowid", [["red fox"], ["red sky"]]),
    rule(.schema, "several tables are preserved, including empty ones", needs: .severalTables) {
      subject in
      let provider = try subject.opened(
        "CREATE TABLE t (a INTEGER); CREATE TABLE u (b TEXT); CREATE TABLE w (c REAL)",
        "INSERT INTO t VALUES (1); INSERT INTO w VALUES (0.5), (1.5)")
      let reopened = try subject.reopened(provider)
      try subject.expect(reopened.tableNames().sorted(), ["t", "u", "w"], "the tables")
      try subject.expectRows(reopened, "SELECT * FROM t", [[1]])
      try subject.expect(reopened.query("SELECT * FROM u").columns, ["b"], "the columns of u")
      try subject.expectRows(reopened, "SELECT * FROM w", [[0.5], [1.5]])
    },
  ]

  // MARK: Names

  private static let names = [
    "order", "select", "table", "group", "blob", "date", "text", "color", "bool", "index", "a b",
    " a ",
    "it's", "a\"b", "a`b", "[x]", "a.b", "a,b", "a;b", "a/b", "a\\b", "ключ", "名前", "é", "e\u{301}",
    "👩‍👩‍👧", "1",
    "1a", "-", "a-b", "@id", "#text", "$x", "?", ":a", "*", "%", "&", "<x>",
    "x'); DROP TABLE t; --", "\n",
    "a\tb", "_", "null", "true", "rowid", "Tables", "holt", "xml:id", "sqlitex", "CamelCase", "=",
    "{}",
    "n", "e", "id", "A", "count(*)",
  ]

  static let identifierCases: [Case] =
    names.map { name in
      rule(.identifiers, "\(quoted(name)) names a table and a column") { subject in
        let quoted = SQLName.quoted(name)
        let provider = try subject.opened(
          "CREATE TABLE \(quoted) (\(quoted) INTEGER PRIMARY KEY, other TEXT)")
        try subject.expectResult(
          provider, "INSERT INTO \(quoted) (\(quoted), other) VALUES (?, 'x')", 7, values: [7])
        try expectUsableName(provider, name, subject)
        try provider.execute("UPDATE \(unsafe: quoted) SET \(unsafe: quoted) = 8")
        try subject.expectRows(provider, "SELECT \(quoted) FROM \(quoted)", [[8]])
        try subject.expectResult(provider, "DELETE FROM \(quoted)", 1)
      }
    }
    + names.map { name in
      rule(.identifiers, "\(quoted(name)) is preserved as a name", needs: .anyNames) {
        subject in
        let quoted = SQLName.quoted(name)
        let provider = try subject.opened(
          "CREATE TABLE \(quoted) (\(quoted) INTEGER PRIMARY KEY, other TEXT)",
          "INSERT INTO \(quoted) VALUES (7, 'x')")
        let reopened = try subject.reopened(provider)
        try expectUsableName(reopened, name, subject)
        try subject.expectRows(reopened, "SELECT * FROM \(quoted)", [[7, "x"]])
      }
    }
    + [
      rule(.identifiers, "similar names are distinct", needs: .anyNames) { subject in
        let provider = try subject.opened(
          "CREATE TABLE t (a TEXT, \"a \" TEXT, \" a\" TEXT, \"a.a\" TEXT, é TEXT, \"e\u{301}\" TEXT)",
          "INSERT INTO t VALUES ('1', '2', '3', '4', '5', '6')")
        let records = try subject.reopened(provider).query("SELECT * FROM t")
        try subject.expect(
          records.columns.map { Array($0.utf8) },
          ["a", "a ", " a", "a.a", "é", "e\u{301}"].map { Array($0.utf8) }, "the columns")
        try subject.expect(records.map(\.values), [["1", "2", "3", "4", "5", "6"]], "the rows")
      }
    ]

  private static func expectUsableName(
    _ provider: any DataProvider, _ name: String, _ subject: Subject
  ) throws {
    try subject.expect(provider.tableExists(name), true, "tableExists")
    try subject.expect(provider.tableNames(), [name], "tableNames")
    let schema = try provider.getTableSchema(forTableName: name)
    try subject.expect(schema.columns.map(\.name), [name, "other"], "the columns")
    try subject.expect(provider.countRows(inTable: name), 1, "countRows")
    try subject.expect(
      provider.countRows(
        inTable: name, filteredBy: "\(identifier: name) = ?", withParameters: [7]), 1,
      "countRows with a filter")
    try subject.expect(provider.lastIntID(forTable: name, withKey: name), 7, "lastIntID")
    try subject.expect(provider.lastAutoID(forTable: name), 7, "lastAutoID")
  }

  // MARK: Size

  static let sizeCases: [Case] = [
    rule(.size, "ten thousand rows are preserved") { subject in
      let provider = try subject.opened(
        "CREATE TABLE t (id INTEGER PRIMARY KEY, name TEXT, r REAL)")
      try provider.execute(
        """
        WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 10000)
        INSERT INTO t SELECT i, 'name ' || i, i + 0.5 FROM n
        """)
      try subject.expectRows(
        subject.reopened(provider), "SELECT count(*), sum(id), sum(length(name)), sum(r) FROM t",
        [[10_000, 50_005_000, 88_894, 50_010_000.0]])
    },
    rule(.size, "a long text is preserved") { subject in
      let provider = try subject.opened("CREATE TABLE t (a TEXT)")
      let text = String(repeating: "long \"text\" ]`<&\\", count: 60_000)
      try provider.execute("INSERT INTO t VALUES (?)", withParameters: [text])
      try subject.expect(
        subject.rows(subject.reopened(provider), "SELECT a FROM t"), [[.text(text)]], "the text")
    },
    rule(.size, "many columns are preserved") { subject in
      let columns = (1...200).map { "c\($0)" }
      let provider = try subject.opened(
        "CREATE TABLE t (\(columns.map { "\($0) INTEGER" }.joined(separator: ", ")))")
      try provider.execute(
        "INSERT INTO t VALUES (\(unsafe: columns.map { _ in "?" }.joined(separator: ", ")))",
        withParameters: Array(1...200))
      let records = try subject.reopened(provider).query("SELECT * FROM t")
      try subject.expect(records.columns, columns, "the columns")
      try subject.expect(
        records.map(\.values), [(1...200).map { .integer($0) }], "the rows")
    },
    rule(.size, "many tables are preserved", needs: .severalTables) { subject in
      let provider = try subject.opened()
      try provider.transaction { transaction in
        for number in 1...60 {
          try transaction.execute("CREATE TABLE t\(unsafe: "\(number)") (a INTEGER)")
          try transaction.execute("INSERT INTO t\(unsafe: "\(number)") VALUES (\(number))")
        }
      }
      let reopened = try subject.reopened(provider)
      try subject.expect(reopened.tableNames().count, 60, "the count of tables")
      for number in [1, 30, 60] as [Int64] {
        try subject.expectRows(reopened, "SELECT a FROM t\(number)", [[.integer(number)]])
      }
    },
  ]
}
