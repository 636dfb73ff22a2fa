import SQLiteCore
import Testing

@Suite struct `Rebuilding a table refuses` {
  struct Case: CustomTestStringConvertible, Sendable {
    let name: String
    let sql: String
    var mapping: [String: String] = [:]
    let code: SQLiteError.Code
    let words: [String]
    var testDescription: String { name }
  }

  static let schema = """
    CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT, b INTEGER);
    CREATE INDEX by_b ON t (b);
    CREATE VIEW v AS SELECT a FROM t;
    CREATE TABLE child (t INTEGER REFERENCES t);
    CREATE TABLE other (x);
    CREATE TRIGGER g AFTER UPDATE OF x ON other BEGIN UPDATE t SET a = NEW.x; END;
    INSERT INTO t VALUES (1, 'x', 10), (2, 'x', NULL), (3, 'y', 30), (4, NULL, 40);
    INSERT INTO child VALUES (3);
    """

  static let cases = [
    Case(
      name: "another name", sql: "CREATE TABLE u (id INTEGER PRIMARY KEY, a, b)", code: .misuse,
      words: ["CREATE TABLE statement for t"]),
    Case(
      name: "something else", sql: "DROP TABLE t", code: .misuse,
      words: ["CREATE TABLE statement for t"]),
    Case(
      name: "a definition that adds rows", sql: "CREATE TABLE t AS SELECT 9 AS id, 8 AS a",
      code: .misuse, words: ["CREATE TABLE statement for t"]),
    Case(
      name: "a form that does not compile", sql: "CREATE TABLE t (id INTEGER PRIMARY KEY, a, b,)",
      code: .error, words: ["syntax error"]),
    Case(
      name: "a second statement",
      sql: "CREATE TABLE t (id INTEGER PRIMARY KEY, a, b); DROP TABLE t",
      code: .trailingSQL, words: ["text follows"]),
    Case(
      name: "values that are computed from many rows",
      sql: "CREATE TABLE t (id INTEGER PRIMARY KEY, a, b)", mapping: ["b": "max(b)"], code: .misuse,
      words: ["only 1 of 4 rows of t would remain"]),
    Case(
      name: "a value for a column that is not there",
      sql: "CREATE TABLE t (id INTEGER PRIMARY KEY, a, b)", mapping: ["c": "1"],
      code: .unknownColumn, words: ["c, which"]),
    Case(
      name: "a value for a generated column",
      sql: "CREATE TABLE t (id INTEGER PRIMARY KEY, a, b, c AS (a))", mapping: ["c": "1"],
      code: .unknownColumn, words: ["c, which"]),
    Case(
      name: "a value that does not compile",
      sql: "CREATE TABLE t (id INTEGER PRIMARY KEY, a, b)", mapping: ["a": "nope + 1"],
      code: .error, words: ["no such column: nope"]),
    Case(
      name: "NULL in a NOT NULL column",
      sql: "CREATE TABLE t (id INTEGER PRIMARY KEY, a, b INTEGER NOT NULL)",
      code: .constraintNotNull, words: ["column b of t", "1 rows: 2"]),
    Case(
      name: "a new column that has no value",
      sql: "CREATE TABLE t (id INTEGER PRIMARY KEY, a, b, c TEXT NOT NULL)",
      code: .constraintNotNull, words: ["column c of t", "no default", "4 existing rows"]),
    Case(
      name: "keys that are twice there",
      sql: "CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT UNIQUE, b)", code: .constraintUnique,
      words: ["(a) is not unique: ('x') in 2 rows"]),
    Case(
      name: "keys that are twice there, though the new form would drop them in silence",
      sql: "CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT UNIQUE ON CONFLICT REPLACE, b)",
      code: .constraintUnique, words: ["('x') in 2 rows"]),
    Case(
      name: "rows that a check refuses",
      sql: "CREATE TABLE t (id INTEGER PRIMARY KEY, a, b CHECK (b > 15))", code: .constraintCheck,
      words: ["CHECK constraint failed"]),
    Case(
      name: "values that a strict table refuses",
      sql: "CREATE TABLE t (id INTEGER PRIMARY KEY, a INTEGER, b INTEGER) STRICT",
      code: .constraintDataType, words: ["t.a"]),
    Case(
      name: "an index over a column that is gone",
      sql: "CREATE TABLE t (id INTEGER PRIMARY KEY, a)", code: .error,
      words: ["no such column: b"]),
    Case(
      name: "a view and a trigger over a column that is gone",
      sql: "CREATE TABLE t (id INTEGER PRIMARY KEY, b)", code: .brokenSchema,
      words: ["trigger g, view v", "no such column: a"]),
    Case(
      name: "references that lose their rows",
      sql: "CREATE TABLE t (id INTEGER PRIMARY KEY, a, b)", mapping: ["id": "id + 10"],
      code: .constraintForeignKey, words: ["row 1 of table child"]),
    Case(
      name: "a definition without columns of the old one",
      sql: "CREATE TABLE t (c PRIMARY KEY) WITHOUT ROWID", code: .misuse, words: ["no column"]),
  ]

  @Test(arguments: cases) func `and leaves the database unchanged`(_ expected: Case) throws {
    let db = try memory(SQL(unsafe: Self.schema))
    let schema = try db.databaseSchema()
    let rows = try db.rows("SELECT * FROM t")
    let error = #expect(throws: SQLiteError.self) {
      try db.rebuild(
        "t", to: SQL(unsafe: expected.sql), mapping: expected.mapping.mapValues { SQL(unsafe: $0) },
        batchSize: 1)
    }
    #expect(error?.code == expected.code)
    for word in expected.words {
      #expect(error?.message.contains(word) == true, "\(error?.message ?? "")")
    }
    #expect(error?.message.contains("holt_new") == false)
    #expect(try db.databaseSchema() == schema)
    #expect(try db.rows("SELECT * FROM t") == rows)
    #expect(!db.isInTransaction)
    #expect(try db.value(Int.self, "PRAGMA foreign_keys") == 1)
    #expect(try db.value(Int.self, "PRAGMA legacy_alter_table") == 0)
  }

  @Test(arguments: [
    ("fts5(a, content='')", "fts5(a, content='', prefix=2)"),
    ("fts4(a, languageid=\"lang\")", "fts4(a, b, languageid=\"lang\")"),
  ])
  func `a full-text table that does not store its rows`(_ old: String, _ new: String) throws {
    let db = try memory("CREATE VIRTUAL TABLE words USING \(unsafe: old)")
    try db.run("INSERT INTO words (rowid, a) VALUES (1, 'apple')")
    let error = #expect(throws: SQLiteError.self) {
      try db.rebuild("words", to: "CREATE VIRTUAL TABLE words USING \(unsafe: new)")
    }
    #expect(error?.code == .unsupported)
    #expect(try db.values(Int.self, "SELECT rowid FROM words WHERE words MATCH 'apple'") == [1])
    let diff = try SchemaDiff(
      from: db.databaseSchema(),
      to: DatabaseSchema(sql: "CREATE VIRTUAL TABLE words USING \(unsafe: new)"))
    #expect(diff.losses == [.table("words")])
  }

  @Test func `to break a temporary view or trigger`() throws {
    let db = try memory(
      """
      CREATE TABLE t (a, b); CREATE TABLE u (c);
      CREATE TEMP VIEW v AS SELECT b FROM t;
      CREATE TEMP TRIGGER g AFTER INSERT ON u BEGIN UPDATE t SET b = 1; END;
      """)
    let error = #expect(throws: SQLiteError.self) { try db.rebuild("t", to: "CREATE TABLE t (a)") }
    #expect(error?.code == .brokenSchema)
    #expect(error?.message.contains("trigger temp.g, view temp.v") == true)
    #expect(try db.columns(of: "t").count == 2)
  }

  @Test func `NULL values that can't be listed one by one`() throws {
    let db = try memory("CREATE TABLE t (a); INSERT INTO t VALUES (1), (2)")
    let error = #expect(throws: SQLiteError.self) {
      try db.rebuild(
        "t", to: "CREATE TABLE t (a NOT NULL)", mapping: ["a": "lag(a) OVER (ORDER BY a)"])
    }
    #expect(error?.code == .constraintNotNull)
  }

  @Test func `a missing table, and a view`() throws {
    let db = try memory(SQL(unsafe: Self.schema))
    for name in ["nope", "v"] {
      let error = #expect(throws: SQLiteError.self) {
        try db.rebuild(name, to: "CREATE TABLE \(identifier: name) (a)")
      }
      #expect(error?.code == .notFound)
    }
    let error = #expect(throws: SQLiteError.self) {
      try db.rebuild("t", in: "nope", to: "CREATE TABLE t (a)")
    }
    #expect(error?.code == .notFound)
  }

  @Test func `to run inside a transaction that enforces foreign keys to it`() throws {
    let db = try memory(SQL(unsafe: Self.schema))
    let form = "CREATE TABLE t (id INTEGER PRIMARY KEY, a, b)"
    let error = #expect(throws: SQLiteError.self) {
      try db.transaction { try db.rebuild("t", to: SQL(unsafe: form)) }
    }
    #expect(error?.code == .referencesEnforced)
    #expect(error?.message.contains("child") == true)
    #expect(try db.count("child") == 1)
    // A table without references to it is not affected.
    try db.transaction { try db.rebuild("other", to: "CREATE TABLE other (x, y)") }
    let migration = Migration(name: "1", foreignKeys: .enforced) {
      try $0.rebuild("t", to: SQL(unsafe: form))
    }
    #expect(throws: SQLiteError.self) { try db.migrate([migration]) }
    try db.migrate([Migration(name: "1") { try $0.rebuild("t", to: SQL(unsafe: form)) }])
  }

  @Test func `a closed connection, and a read-only one`() throws {
    let directory = try TemporaryDirectory()
    let db = try directory.connect()
    try db.execute("CREATE TABLE t (a)")
    let reader = try directory.connect { $0.isReadOnly = true }
    let error = #expect(throws: SQLiteError.self) {
      try reader.rebuild("t", to: "CREATE TABLE t (a, b)")
    }
    #expect(error?.code.primary == .readOnly)
    try db.close()
    let closed = #expect(throws: SQLiteError.self) {
      try db.rebuild("t", to: "CREATE TABLE t (a, b)")
    }
    #expect(closed?.code == .closed)
  }

  @Test func `no object that was broken before`() throws {
    let db = try memory(
      "CREATE TABLE t (a); CREATE VIEW broken AS SELECT nope FROM t; INSERT INTO t VALUES (1)")
    try db.rebuild("t", to: "CREATE TABLE t (a, b)")
    #expect(try db.count("t") == 1)
  }
}

@Suite struct `Duplicate keys` {
  @Test func `are listed with their number of rows`() throws {
    let db = try memory(
      """
      CREATE TABLE t (a TEXT, b INTEGER);
      INSERT INTO t VALUES ('x', 1), ('X', 1), ('y', 2), (NULL, 3), (NULL, 3), ('x', 1);
      """)
    #expect(
      try db.duplicateKeys(["a", "b"], in: "t") == [
        Connection.DuplicateKey(values: ["x", 1], count: 2)
      ])
    #expect(
      try db.duplicateKeys(["a COLLATE NOCASE"], in: "t").map(\.count) == [3])
    #expect(try db.duplicateKeys(["lower(a)"], in: "t", where: "rowid < 3").map(\.count) == [2])
    #expect(try db.duplicateKeys(["b"], in: "t", limit: 1).count == 1)
    #expect(throws: SQLiteError.self) { try db.duplicateKeys(["nope"], in: "t") }
  }
}
