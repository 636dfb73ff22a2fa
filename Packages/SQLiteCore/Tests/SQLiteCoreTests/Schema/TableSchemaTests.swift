import SQLiteCore
import Testing

@Suite struct `A table's schema` {
  static let book = TableSchema(
    name: "Book",
    columns: [
      TableSchema.Column("id", "INTEGER", primaryKeyPosition: 1),
      TableSchema.Column("a \"title\"", "TEXT", isNotNull: true),
      TableSchema.Column("year", "INTEGER"),
    ])

  // MARK: Declared schemas

  @Test func `can be declared, and equals the schema read from a database`() throws {
    let db = try memory(
      """
      CREATE TABLE team (code TEXT, year INT, PRIMARY KEY (year, code)) WITHOUT ROWID, STRICT;
      CREATE TABLE player (
        id INTEGER PRIMARY KEY, code TEXT COLLATE NOCASE NOT NULL DEFAULT 'x', year INT,
        half AS (year / 2), FOREIGN KEY (code, year) REFERENCES team (code, year) ON DELETE CASCADE
      );
      CREATE UNIQUE INDEX player_code ON player (code DESC) WHERE year > 0;
      """)
    let read = try #require(try db.table("player"))
    let declared = TableSchema(
      name: "player",
      columns: [
        TableSchema.Column("id", "INTEGER", primaryKeyPosition: 1),
        TableSchema.Column(
          "code", "TEXT", isNotNull: true, defaultSQL: "'x'", collation: "NOCASE"),
        TableSchema.Column("year", "INT"),
        TableSchema.Column("half", kind: .virtualGenerated, generatedSQL: "year / 2"),
      ],
      foreignKeys: [
        TableSchema.ForeignKey(
          columns: ["code", "year"], parentTable: "team", parentColumns: ["code", "year"],
          onDelete: "CASCADE")
      ],
      indexes: [
        TableSchema.Index(
          name: "player_code", table: "player",
          keys: [TableSchema.Index.Key(column: "code", collation: "NOCASE", isDescending: true)],
          isUnique: true, isPartial: true, whereSQL: "year > 0",
          sql: "CREATE UNIQUE INDEX player_code ON player (code DESC) WHERE year > 0")
      ], sql: read.sql)
    #expect(read == declared)
    #expect(read.rowIDColumn == "id")
    #expect(try db.table("team")?.primaryKey.map(\.name) == ["year", "code"])
  }

  @Test func `has a rowid column by SQLite's rules`() {
    func rowIDColumn(_ type: String, isWithoutRowID: Bool = false, isView: Bool = false) -> String?
    {
      TableSchema(
        name: "t", kind: isView ? .view : .table,
        columns: [TableSchema.Column("a", type, primaryKeyPosition: 1)],
        isWithoutRowID: isWithoutRowID
      ).rowIDColumn
    }
    #expect(rowIDColumn("integer") == "a")
    #expect(rowIDColumn("INT") == nil)
    #expect(rowIDColumn("INTEGER", isWithoutRowID: true) == nil)
    #expect(rowIDColumn("INTEGER", isView: true) == nil)
    #expect(Self.book.isRowIDColumn("ID"))
    #expect(!Self.book.isRowIDColumn("year"))
  }

  @Test func `reports a column with the same name as another in SQLite`() {
    func repeated(_ names: String...) -> String? {
      TableSchema(name: "t", columns: names.map { TableSchema.Column($0) }).duplicateColumnName?
        .name
    }
    #expect(repeated("a", "b", "A") == "A")
    #expect(repeated("é", "É", "a") == nil)
  }

  // MARK: Statements

  @Test func `builds the statements for its rows`() throws {
    let book = Self.book
    #expect(
      book.selectSQL().text
        == #"SELECT "Book"."id", "Book"."a ""title""", "Book"."year" FROM "Book""#)
    #expect(
      book.insertSQL.text
        == #"INSERT INTO "Book" ("id", "a ""title""", "year") VALUES (?, ?, ?)"#)
    #expect(book.keyCondition.text == #""id" = ?"#)
    #expect(book.updateSQL(["year"]).text == #"UPDATE "Book" SET "year" = ? WHERE "id" = ?"#)
    #expect(book.deleteSQL().text == #"DELETE FROM "Book" WHERE "id" = ?"#)
  }

  @Test func `builds statements that SQLite runs`() throws {
    let db = try memory("CREATE TABLE Book (id INTEGER PRIMARY KEY, \"a \"\"title\"\"\", year)")
    let book = Self.book
    try db.run(book.insertSQL, 1, "Dune", 1965)
    try db.run(book.upsertSQL(), 1, "Dune", 1966)
    try db.run(book.upsertSQL(updating: []), 1, "Emma", 1815)
    try db.run(book.upsertSQL(updating: [], set: ["year = Book.year + \(10)"]), values: [1, "", 0])
    #expect(try db.rows(book.selectSQL()) == [[1, "Dune", 1976]])
    try db.run(book.updateSQL(["year"], set: ["\"a \"\"title\"\"\" = 'D'"]), 1977, 1)
    #expect(try db.rows(book.selectSQL(from: "(SELECT * FROM Book) AS Book")) == [[1, "D", 1977]])
    try db.run(book.updateSQL(["year"], where: "id > \(5)"), 1)
    try db.run(book.deleteSQL(where: "id > \(5)"))
    #expect(try db.rows(book.selectSQL(from: nil) + " WHERE year = 1977").count == 1)
    try db.run(book.deleteSQL(), 1)
    #expect(try db.rows(book.selectSQL()).isEmpty)
  }

  @Test func `rejects a fragment whose comment would hide the condition`() throws {
    let db = try memory(
      "CREATE TABLE t (id INTEGER PRIMARY KEY, a); INSERT INTO t VALUES (1, 1), (2, 2)")
    let table = try #require(try db.table("t"))
    let hidden = [
      table.updateSQL([], set: ["a = 3 --"], where: "id = 1"),
      table.updateSQL([], set: ["a = 3 /*"], where: "id = 1"),
      table.upsertSQL(where: "a > 0 --"),
    ]
    for sql in hidden {
      let error = #expect(throws: SQLiteError.self) { try db.run(sql) }
      #expect(error?.code == .misplacedInterpolation)
    }
    #expect(try db.rows("SELECT * FROM t") == [[1, 1], [2, 2]])
  }

  @Test func `builds an upsert by another key, and by a partial index`() throws {
    let db = try memory(
      """
      CREATE TABLE t (id INTEGER PRIMARY KEY, code, gone);
      CREATE UNIQUE INDEX live ON t (code) WHERE gone = 0;
      """)
    let table = try #require(try db.table("t"))
    let upsert = table.upsertSQL(onConflict: ["code"], where: "gone = 0", updating: ["id"])
    for id in [1, 2] { try db.run(upsert, id, "a", 0) }
    #expect(try db.rows(table.selectSQL()) == [[2, "a", 0]])
  }

  @Test func `omits generated columns, and qualifies an attached table with its schema`()
    throws
  {
    let db = try memory(
      """
      ATTACH ':memory:' AS other;
      CREATE TABLE other.t (a INT, b AS (a + 1), c AS (a + 2) STORED, d);
      CREATE VIRTUAL TABLE other.words USING fts5(body);
      CREATE TABLE t (z);
      """)
    let table = try #require(try db.table("t", in: "other"))
    #expect(table.writableColumns.map(\.name) == ["a", "d"])
    try db.run(table.insertSQL, 1, 2)
    #expect(try db.rows(table.selectSQL()) == [[1, 2, 3, 2]])
    let words = try #require(try db.table("words", in: "other"))
    try db.run(words.insertSQL, "one")
    #expect(try db.rows(words.selectSQL()) == [["one"]])
  }

  // MARK: Keys

  @Test(arguments: [
    ("a INTEGER PRIMARY KEY, b", "", [["a"]]),
    ("a INTEGER PRIMARY KEY DESC", "", [["a"]]),
    ("a TEXT PRIMARY KEY, b UNIQUE", "", [["a"], ["b"]]),
    ("a, b, c, PRIMARY KEY (b, a)", "", [["b", "a"]]),
    ("a, b", "CREATE UNIQUE INDEX i ON t (b, a)", [["b", "a"]]),
    ("a, b", "CREATE INDEX i ON t (a)", []),
    ("a, b", "CREATE UNIQUE INDEX i ON t (a) WHERE b", []),
    ("a, b", "CREATE UNIQUE INDEX i ON t (lower(a))", []),
    ("a, b", "CREATE UNIQUE INDEX i ON t (a, b + 1)", []),
    // An index with a stricter collation than the column's accepts rows whose values are equal.
    ("a, b", "CREATE UNIQUE INDEX i ON t (a COLLATE NOCASE)", [["a"]]),
    ("a COLLATE NOCASE, b", "CREATE UNIQUE INDEX i ON t (a)", [["a"]]),
    ("a COLLATE NOCASE, b", "CREATE UNIQUE INDEX i ON t (a COLLATE BINARY)", []),
    ("a COLLATE NOCASE, b, PRIMARY KEY (a COLLATE BINARY)", "", []),
  ])
  func `has the unique keys`(
    _ columns: String, _ index: String, _ keys: [[String]]
  ) throws {
    let db = try memory("CREATE TABLE t (\(unsafe: columns)); \(unsafe: index)")
    let table = try #require(try db.table("t"))
    #expect(table.uniqueKeys == keys)
    for key in keys { #expect(table.isUnique(key.reversed().map { $0.uppercased() })) }
    #expect(!table.isUnique(["a", "b", "c"]))
    #expect(!table.isUnique([]))
  }

  @Test func `has the unique keys of a table without a rowid, and of a declared one`() throws {
    let db = try memory(
      """
      CREATE TABLE t (a, b, c, PRIMARY KEY (c, a)) WITHOUT ROWID;
      CREATE VIEW v AS SELECT 1 AS a;
      """)
    #expect(try db.table("t")?.uniqueKeys == [["c", "a"]])
    #expect(try db.table("v")?.uniqueKeys == [])
    #expect(Self.book.uniqueKeys == [["id"]])
  }

  @Test func `accepts the same conflict targets as SQLite`() throws {
    let db = try memory(
      """
      CREATE TABLE t (a COLLATE NOCASE PRIMARY KEY, b UNIQUE, c, d, e);
      CREATE UNIQUE INDEX i ON t (c COLLATE NOCASE, a COLLATE BINARY);
      CREATE UNIQUE INDEX j ON t (d) WHERE e;
      CREATE UNIQUE INDEX k ON t (abs(e));
      CREATE INDEX l ON t (e);
      """)
    let table = try #require(try db.table("t"))
    for target in ["a", "b", "c", "d", "e", "a, c", "c, a", "b, c"] {
      let isAccepted =
        (try? db.run(
          "INSERT INTO t VALUES (1, 1, 1, 1, 1) ON CONFLICT (\(unsafe: target)) DO NOTHING"))
        != nil
      let columns = target.split(separator: ", ").map(String.init)
      #expect(table.isConflictTarget(columns) == isAccepted, "\(target)")
    }
  }

  @Test(arguments: [
    ("a INTEGER PRIMARY KEY", "", true), ("a INTEGER PRIMARY KEY DESC", "", false),
    ("a TEXT PRIMARY KEY", "", false), ("a TEXT PRIMARY KEY", "STRICT", true),
    ("a TEXT PRIMARY KEY", "WITHOUT ROWID", true), ("a TEXT NOT NULL", "", true),
    ("a TEXT UNIQUE", "", false), ("a DEFAULT 1", "", false),
  ])
  func `has columns that are never NULL if the engine rejects NULL`(
    _ column: String, _ options: String, _ isNeverNull: Bool
  ) throws {
    let db = try memory("CREATE TABLE t (\(unsafe: column), b INT) \(unsafe: options)")
    let table = try #require(try db.table("t"))
    #expect(table.isNeverNull(table.columns[0]) == isNeverNull)
    for _ in 0..<2 { _ = try? db.run("INSERT INTO t VALUES (NULL, 1)") }
    let hasNull = try db.value(Bool.self, "SELECT EXISTS (SELECT 1 FROM t WHERE a IS NULL)")
    #expect(hasNull != isNeverNull)
  }

  @Test func `has no columns that are never NULL in views and virtual tables`() throws {
    let db = try memory(
      "CREATE VIEW v AS SELECT 1 AS a; CREATE VIRTUAL TABLE r USING rtree(id, low, high)")
    for name in ["v", "r"] {
      let table = try #require(try db.table(name))
      #expect(!table.columns.isEmpty)
      #expect(table.columns.allSatisfy { !table.isNeverNull($0) })
    }
    let key = TableSchema.Column("k", "TEXT", primaryKeyPosition: 1)
    #expect(TableSchema(name: "t", columns: [key], isStrict: true).isNeverNull(key))
    #expect(TableSchema(name: "t", columns: [key], isWithoutRowID: true).isNeverNull(key))
    #expect(!TableSchema(name: "t", columns: [key]).isNeverNull(key))
  }

  @Test func `has a name for the rowid that is not a column's name`() throws {
    let db = try memory(
      """
      CREATE TABLE a (rowid TEXT, id INTEGER PRIMARY KEY); CREATE TABLE b (RowID, _rowid_, oid);
      CREATE TABLE c (k PRIMARY KEY) WITHOUT ROWID; CREATE VIEW d AS SELECT 1 AS x;
      CREATE VIRTUAL TABLE e USING fts5(rowless);
      """)
    let tables = try db.tables()
    #expect(tables.map(\.rowIDName) == ["_rowid_", nil, nil, nil, "rowid"])
  }

  // MARK: Indexes and foreign keys

  @Test func `has its own indexes and foreign keys, if one or all tables are read`() throws {
    let db = try memory(
      """
      CREATE TABLE a (x INTEGER PRIMARY KEY, y UNIQUE, z REFERENCES b);
      CREATE TABLE b (k PRIMARY KEY, FOREIGN KEY (k) REFERENCES a (y) DEFERRABLE INITIALLY DEFERRED);
      CREATE INDEX z ON a (z, abs(y)); CREATE INDEX k ON b (k);
      """)
    for table in try db.tables() {
      let name = table.name.name
      #expect(try db.indexes(of: name.uppercased()) == table.indexes)
      #expect(try db.foreignKeys(of: name.uppercased()) == table.foreignKeys)
      #expect(try db.table(name) == table)
    }
    let tables = try db.tables()
    #expect(
      tables.map { $0.indexes.map(\.name) } == [
        ["sqlite_autoindex_a_1", "z"], ["k", "sqlite_autoindex_b_1"],
      ])
    #expect(tables[0].indexes[1].keys.map(\.expressionSQL) == [nil, "abs(y)"])
    #expect(tables.map { $0.foreignKeys.map(\.parentTable) } == [["b"], ["a"]])
    #expect(tables[1].foreignKeys.map(\.isDeferred) == [true])
    #expect(try db.databaseSchema().indexes.map(\.name) == ["k", "z"])
  }

  @Test func `differs by its indexes, which are not part of its statement`() throws {
    let plain = try DatabaseSchema(sql: "CREATE TABLE t (a, b)")
    let indexed = try DatabaseSchema(sql: "CREATE TABLE t (a, b); CREATE INDEX i ON t (a)")
    let spelled = try DatabaseSchema(sql: "CREATE TABLE t (a, b); CREATE INDEX \"I\" ON T (A)")
    #expect(plain.tables != indexed.tables)
    #expect(plain != indexed)
    #expect(!plain.isEquivalent(to: indexed))
    #expect(indexed != spelled)
    #expect(indexed.isEquivalent(to: spelled))
    #expect(try SchemaDiff(from: plain, to: indexed).steps.map(\.kind) == [.createIndex])
    #expect(try SchemaDiff(from: indexed, to: plain).steps.map(\.kind) == [.dropIndex])
    #expect(try SchemaDiff(from: indexed, to: spelled).steps.isEmpty)
  }

  @Test func `has the same indexes after a rebuild under a temporary name`()
    throws
  {
    let sql = "CREATE TABLE t (a UNIQUE, b NOT NULL, c PRIMARY KEY); CREATE INDEX i ON t (b)"
    let target = try DatabaseSchema(sql: SQL(unsafe: sql))
    let db = try memory("CREATE TABLE t (a UNIQUE, b, c PRIMARY KEY); CREATE INDEX i ON t (b)")
    try db.apply(SchemaDiff(from: db.databaseSchema(), to: target))
    #expect(try db.table("t")?.indexes == target.tables[0].indexes)
  }
}
