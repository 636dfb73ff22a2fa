import SQLiteCore
import Testing

@Suite struct `A schema change` {
  struct Case: CustomTestStringConvertible, Sendable {
    let from: String
    let to: String
    let kinds: [SchemaDiff.Step.Kind]
    var losses: [SchemaDiff.DataLoss] = []
    var testDescription: String { "\(from) → \(to)" }

    init(
      _ from: String, _ to: String, _ kinds: [SchemaDiff.Step.Kind],
      _ losses: [SchemaDiff.DataLoss] = []
    ) {
      (self.from, self.to, self.kinds, self.losses) = (from, to, kinds, losses)
    }
  }

  static let cases = [
    Case("CREATE TABLE t (a)", "create table T(A)", []),
    Case("", "CREATE TABLE t (a)", [.createTable]),
    Case("CREATE TABLE t (a)", "", [.dropTable], [.table("t")]),
    Case("CREATE TABLE t (a)", "CREATE TABLE t (a, b)", [.addColumn]),
    Case(
      "CREATE TABLE t (a)", "CREATE TABLE t (a, b INT NOT NULL DEFAULT -1, c)",
      [.addColumn, .addColumn]),
    Case("CREATE TABLE t (a)", "CREATE TABLE t (a, b CHECK (b > 0))", [.addColumn]),
    Case(
      "CREATE TABLE t (a UNIQUE)", "CREATE TABLE t (a UNIQUE, b REFERENCES t (a))", [.addColumn]),
    Case("CREATE TABLE t (a)", "CREATE TABLE t (a, b AS (a + 1))", [.addColumn]),
    Case("CREATE TABLE t (a, CHECK (a > 0))", "CREATE TABLE t (a, b, CHECK (a > 0))", [.addColumn]),
    Case("CREATE TABLE t (a)", "CREATE TABLE t (b, a)", [.rebuildTable]),
    Case("CREATE TABLE t (a)", "CREATE TABLE t (a, b UNIQUE)", [.rebuildTable]),
    Case("CREATE TABLE t (a)", "CREATE TABLE t (a, b NOT NULL)", [.rebuildTable]),
    Case("CREATE TABLE t (a)", "CREATE TABLE t (a, b DEFAULT (1 + 1))", [.rebuildTable]),
    Case("CREATE TABLE t (a)", "CREATE TABLE t (a, b DEFAULT CURRENT_TIME)", [.rebuildTable]),
    Case(
      "CREATE TABLE t (a UNIQUE)", "CREATE TABLE t (a UNIQUE, b DEFAULT 1 REFERENCES t (a))",
      [.rebuildTable]),
    Case("CREATE TABLE t (a)", "CREATE TABLE t (a, b AS (a) STORED)", [.rebuildTable]),
    Case("CREATE TABLE t (a, b)", "CREATE TABLE t (a)", [.dropColumn], [.column("b", of: "t")]),
    Case(
      "CREATE TABLE t (a, b)", "CREATE TABLE t (a, c)", [.dropColumn, .addColumn],
      [.column("b", of: "t")]),
    Case(
      "CREATE TABLE t (a, b, c)", "CREATE TABLE t (a)", [.rebuildTable],
      [.column("b", of: "t"), .column("c", of: "t")]),
    Case(
      "CREATE TABLE t (a, b UNIQUE)", "CREATE TABLE t (a)", [.rebuildTable], [.column("b", of: "t")]
    ),
    Case("CREATE TABLE t (a, b AS (a))", "CREATE TABLE t (a)", [.dropColumn]),
    Case("CREATE TABLE t (a INTEGER)", "CREATE TABLE t (a)", [.rebuildTable]),
    Case("CREATE TABLE t (a INTEGER)", "CREATE TABLE t (a NUMERIC)", [.rebuildTable]),
    Case(
      "CREATE TABLE t (a TEXT)", "CREATE TABLE t (a INTEGER)", [.rebuildTable],
      [.conversion(of: "a", in: "t")]),
    Case(
      "CREATE TABLE t (a)", "CREATE TABLE t (a REAL)", [.rebuildTable],
      [.conversion(of: "a", in: "t")]),
    Case("CREATE TABLE t (a)", "CREATE TABLE t (a NOT NULL)", [.rebuildTable]),
    Case("CREATE TABLE t (a)", "CREATE TABLE t (a COLLATE NOCASE)", [.rebuildTable]),
    Case("CREATE TABLE t (a INT)", "CREATE TABLE t (a INT) STRICT", [.rebuildTable]),
    Case(
      "CREATE TABLE t (a PRIMARY KEY)", "CREATE TABLE t (a PRIMARY KEY) WITHOUT ROWID",
      [.rebuildTable]),
    Case(
      "CREATE TABLE t (a); CREATE INDEX i ON t (a)",
      "CREATE TABLE t (a); CREATE INDEX i ON t (a DESC)",
      [.dropIndex, .createIndex]),
    Case("CREATE TABLE t (a); CREATE INDEX i ON t (a)", "CREATE TABLE t (a)", [.dropIndex]),
    Case(
      "CREATE TABLE t (a, z); CREATE INDEX i ON t (a)",
      "CREATE TABLE t (z, b); CREATE INDEX i ON t (b)",
      [.dropIndex, .dropColumn, .addColumn, .createIndex], [.column("a", of: "t")]),
    Case("CREATE VIEW v AS SELECT 1", "CREATE VIEW v AS SELECT 2", [.dropView, .createView]),
    Case(
      "CREATE VIEW v AS SELECT 1 AS a; CREATE TRIGGER g INSTEAD OF DELETE ON v BEGIN SELECT 1; END",
      "CREATE VIEW v AS SELECT 2 AS a; CREATE TRIGGER g INSTEAD OF DELETE ON v BEGIN SELECT 1; END",
      [.dropView, .createView, .createTrigger]),
    Case(
      "CREATE TABLE t (a)", "CREATE VIEW t AS SELECT 1 AS a", [.dropTable, .createView],
      [.table("t")]),
    Case("CREATE VIEW t AS SELECT 1 AS a", "CREATE TABLE t (a)", [.dropView, .createTable]),
    Case(
      "CREATE VIRTUAL TABLE f USING fts5(a)", "CREATE VIRTUAL TABLE f USING fts5(a, b)",
      [.rebuildTable]),
    Case(
      "CREATE VIRTUAL TABLE f USING fts5(a, b)", "CREATE VIRTUAL TABLE f USING fts5(a)",
      [.rebuildTable],
      [.column("b", of: "f")]),
    Case(
      "CREATE VIRTUAL TABLE f USING fts5(a, content='')",
      "CREATE VIRTUAL TABLE f USING fts5(a, content='', prefix=2)", [.dropTable, .createTable],
      [.table("f")]),
    Case(
      "CREATE TABLE t (a); CREATE VIRTUAL TABLE f USING fts5(a, content='t')",
      "CREATE TABLE t (a); CREATE VIRTUAL TABLE f USING fts5(a, content='t', prefix=2)",
      [.dropTable, .createTable]),
    Case(
      "CREATE TABLE f (a)", "CREATE VIRTUAL TABLE f USING fts5(a)", [.dropTable, .createTable],
      [.table("f")]),
    Case(
      "CREATE TABLE t (a PRIMARY KEY) WITHOUT ROWID",
      "CREATE TABLE t (b PRIMARY KEY) WITHOUT ROWID",
      [.dropTable, .createTable], [.table("t")]),
  ]

  @Test(arguments: cases) func `has the fewest steps, and reports its losses`(
    _ expected: Case
  ) throws {
    let (from, to) = (
      try DatabaseSchema(sql: SQL(unsafe: expected.from)),
      try DatabaseSchema(sql: SQL(unsafe: expected.to))
    )
    let diff = try SchemaDiff(from: from, to: to)
    #expect(diff.steps.map(\.kind) == expected.kinds, "\(diff)")
    #expect(diff.losses == expected.losses)
    #expect(diff.isEmpty == expected.kinds.isEmpty)
    let db = try memory(SQL(unsafe: expected.from))
    try db.apply(diff, allowing: .only(expected.losses))
    #expect(try db.databaseSchema().isEquivalent(to: to))
    #expect(!db.isInTransaction)
    if !expected.losses.isEmpty {
      let error = #expect(throws: SQLiteError.self) {
        try memory(SQL(unsafe: expected.from)).apply(diff)
      }
      #expect(error?.code == .wouldLoseData)
      for loss in expected.losses { #expect(error?.message.contains("\(loss)") == true) }
      #expect(diff.destructiveSteps.isEmpty == false)
    }
  }

  @Test(arguments: [
    "CREATE TABLE t (a, b)", "CREATE TABLE t (a); CREATE INDEX i ON t (a)", "",
    "CREATE TABLE t (a); CREATE TRIGGER g AFTER INSERT ON t BEGIN SELECT 1; END",
    "CREATE TABLE t (a); CREATE VIEW v AS SELECT a FROM t",
  ])
  func `does not affect temporary objects with the same names`(_ target: String) throws {
    let db = try memory(
      """
      CREATE TABLE t (a); INSERT INTO t VALUES ('main');
      CREATE TEMP TABLE t (z); CREATE TEMP TABLE v (z);
      CREATE INDEX temp.i ON t (z);
      """)
    let temporary = try db.databaseSchema(in: "temp")
    let target = try DatabaseSchema(sql: SQL(unsafe: target))
    try db.changeSchema(to: target, allowing: .everything)
    #expect(try db.databaseSchema().isEquivalent(to: target))
    #expect(try db.databaseSchema(in: "temp") == temporary)
  }

  @Test func `prints names with line breaks on one line of a comment`() throws {
    let name = "t\r\nDROP TABLE u; --"
    let from = try DatabaseSchema(sql: "CREATE TABLE \(identifier: name) (a)")
    let diff = try SchemaDiff(from: from, to: DatabaseSchema(sql: ""))
    let db = try memory(SQL(unsafe: from.sql + "CREATE TABLE u (a)"))
    try db.execute(SQL(unsafe: diff.description))
    #expect(try db.tables().map(\.name) == ["u"])
  }

  @Test func `prints the statements, with a comment on each`() throws {
    let from = try DatabaseSchema(sql: "CREATE TABLE t (a, b); CREATE INDEX i ON t (a)")
    let to = try DatabaseSchema(sql: "CREATE TABLE t (a NOT NULL, c); CREATE INDEX i ON t (a)")
    #expect(
      try SchemaDiff(from: from, to: to).description == """
        -- rebuild table t: without column b; with column c; column a was a, is a not null \
        LOSES column b of t
        CREATE TABLE "main"."holt_new_t"(a NOT NULL, c);
        INSERT OR ABORT INTO "main"."holt_new_t" (rowid, "a") SELECT rowid, "a" FROM "main"."t" NOT INDEXED;
        DROP TABLE "main"."t";
        ALTER TABLE "main"."holt_new_t" RENAME TO "t";
        CREATE INDEX "main".i ON t (a);
        """)
  }

  @Test func `applies declared renamings without losses`() throws {
    let db = try memory(
      """
      CREATE TABLE person (id INTEGER PRIMARY KEY, name TEXT, boss REFERENCES person);
      CREATE INDEX i ON person (name);
      CREATE VIEW v AS SELECT name FROM person;
      INSERT INTO person VALUES (1, 'Ada', NULL);
      """)
    let target = try DatabaseSchema(
      sql: """
        CREATE TABLE human (id INTEGER PRIMARY KEY, full_name TEXT, boss REFERENCES human, age INT);
        CREATE INDEX i ON human (full_name);
        CREATE VIEW v AS SELECT full_name FROM human;
        """)
    let plain = try SchemaDiff(from: db.databaseSchema(), to: target)
    #expect(plain.losses == [.table("person")])
    var options = SchemaDiff.Options()
    options.renamedTables = ["person": "human"]
    let half = try SchemaDiff(from: db.databaseSchema(), to: target, options: options)
    #expect(half.losses == [.column("name", of: "human")])
    options.renamedColumns = ["human": ["name": "full_name"]]
    let done = try db.changeSchema(to: target, options: options)
    #expect(done.steps.map(\.kind) == [.renameTable, .renameColumn, .addColumn])
    #expect(try db.rows("SELECT id, full_name FROM human") == [[1, "Ada"]])
    #expect(try db.databaseSchema().isEquivalent(to: target))
  }

  @Test(
    arguments: [
      (["nope": "u"], [:]), (["t": "nope"], [:]), (["t": "t"], [:]), (["both": "u"], [:]),
      ([:], ["t": ["nope": "b"]]), ([:], ["nope": ["a": "b"]]), ([:], ["t": ["c": "b"]]),
      ([:], ["t": ["a": "c"]]),
    ] as [([String: String], [String: [String: String]])])
  func `refuses renamings that the schemas contradict`(
    _ tables: [String: String], _ columns: [String: [String: String]]
  ) throws {
    let from = try DatabaseSchema(sql: "CREATE TABLE t (a, c); CREATE TABLE both (x)")
    let to = try DatabaseSchema(
      sql: "CREATE TABLE t (b, c); CREATE TABLE both (x); CREATE TABLE u (x)")
    var options = SchemaDiff.Options()
    options.renamedTables = tables
    options.renamedColumns = columns
    let error = #expect(throws: SQLiteError.self) {
      try SchemaDiff(from: from, to: to, options: options)
    }
    #expect(error?.code == .misuse)
  }

  @Test func `fills new columns of existing rows with the declared default`() throws {
    let db = try memory("CREATE TABLE t (id INTEGER PRIMARY KEY); INSERT INTO t VALUES (1)")
    try db.changeSchema(
      to: DatabaseSchema(
        sql: """
          CREATE TABLE t (
            id INTEGER PRIMARY KEY, n INTEGER NOT NULL DEFAULT 0,
            title TEXT NOT NULL DEFAULT 'untitled', x REAL NOT NULL DEFAULT 0.5
          )
          """))
    #expect(try db.rows("SELECT * FROM t") == [[1, 0, "untitled", 0.5]])
  }

  @Test func `fills new columns of existing rows with the given values`() throws {
    let db = try memory("CREATE TABLE t (a TEXT); INSERT INTO t VALUES ('7'), ('x')")
    let target = try DatabaseSchema(sql: "CREATE TABLE t (a INTEGER, b TEXT NOT NULL)")
    var options = SchemaDiff.Options()
    options.values = ["T": ["b": "a || '!'", "a": "CAST(a AS INTEGER)"]]
    let diff = try db.changeSchema(to: target, options: options)
    #expect(diff.losses == [])
    #expect(try db.rows("SELECT * FROM t") == [[7, "7!"], [0, "x!"]])
  }

  @Test func `refuses a new column without a value for existing rows, and accepts it without rows`()
    throws
  {
    let target = try DatabaseSchema(sql: "CREATE TABLE t (a, b TEXT NOT NULL)")
    let db = try memory("CREATE TABLE t (a); INSERT INTO t VALUES (1)")
    let error = #expect(throws: SQLiteError.self) { try db.changeSchema(to: target) }
    #expect(error?.code == .constraintNotNull)
    #expect(error?.message.contains("column b of t must not be NULL, has no default") == true)
    #expect(try db.columns(of: "t").count == 1)
    try db.run("DELETE FROM t")
    try db.changeSchema(to: target)
  }

  @Test(arguments: [
    "CREATE TABLE t (a, b); CREATE UNIQUE INDEX i ON t (a COLLATE NOCASE, b) WHERE b > 0",
    "CREATE TABLE t (a COLLATE NOCASE, b, UNIQUE (a, b))",
  ])
  func `refuses a unique key with duplicates, shows some, and keeps all rows`(
    _ script: String
  ) throws {
    let db = try memory(
      """
      CREATE TABLE t (a, b);
      INSERT INTO t VALUES ('x', 1), ('X', 1), ('y', 2), ('y', NULL), ('y', NULL), ('z', 3);
      """)
    let error = #expect(throws: SQLiteError.self) {
      try db.changeSchema(to: DatabaseSchema(sql: SQL(unsafe: script)))
    }
    #expect(error?.code == .constraintUnique)
    #expect(error?.message.contains("('x', 1) in 2 rows") == true, "\(error?.message ?? "")")
    #expect(try db.count("t") == 6)
    #expect(try db.indexes(of: "t") == [])
    try db.run("DELETE FROM t WHERE a = 'X'")
    try db.changeSchema(to: DatabaseSchema(sql: SQL(unsafe: script)))
    #expect(try db.count("t") == 5)
  }

  @Test func `refuses a unique key whose column is named like a sort order`() throws {
    let db = try memory("CREATE TABLE t (desc); INSERT INTO t VALUES (1), (1)")
    let target = try DatabaseSchema(
      sql: "CREATE TABLE t (desc); CREATE UNIQUE INDEX i ON t (desc)")
    let error = #expect(throws: SQLiteError.self) { try db.changeSchema(to: target) }
    #expect(error?.code == .constraintUnique)
    #expect(error?.message.contains("(1) in 2 rows") == true)
  }

  @Test func `preserves triggers, views, foreign keys and full-text tables`() throws {
    let script = """
      CREATE TABLE doc (id INTEGER PRIMARY KEY, title TEXT, old TEXT);
      CREATE TABLE note (doc INTEGER NOT NULL REFERENCES doc ON DELETE CASCADE);
      CREATE VIRTUAL TABLE words USING fts5(title, content='doc', content_rowid='id');
      CREATE VIEW titles AS SELECT title FROM doc;
      CREATE TRIGGER doc_in AFTER INSERT ON doc BEGIN
        INSERT INTO words (rowid, title) VALUES (NEW.id, NEW.title);
      END;
      """
    let db = try memory(SQL(unsafe: script)) { $0.trustsSchema = true }
    try db.execute("INSERT INTO doc VALUES (4, 'apple', 'x'); INSERT INTO note VALUES (4)")
    let target = try DatabaseSchema(
      sql: SQL(
        unsafe: script.split(separator: ", old TEXT").joined(
          separator: ", new INT NOT NULL DEFAULT 3")))
    try db.changeSchema(to: target, allowing: [.column("OLD", of: "doc")])
    #expect(try db.rows("SELECT * FROM doc") == [[4, "apple", 3]])
    #expect(try db.count("note") == 1)
    try db.run("INSERT INTO doc (title) VALUES ('pear')")
    #expect(
      try db.values(Int.self, "SELECT rowid FROM words WHERE words MATCH 'apple OR pear'") == [
        4, 5,
      ])
    try db.run("INSERT INTO words (words, rank) VALUES ('integrity-check', 1)")
    #expect(try db.databaseSchema().isEquivalent(to: target))
  }

  @Test func `applies a renaming to the full-text table over it, without losses`() throws {
    let db = try memory(
      """
      CREATE TABLE doc (t TEXT); CREATE VIRTUAL TABLE w USING fts5(t, content='doc');
      INSERT INTO doc VALUES ('apple'); INSERT INTO w (w) VALUES ('rebuild');
      """)
    var options = SchemaDiff.Options()
    options.renamedTables = ["doc": "page"]
    options.renamedColumns = ["page": ["t": "text"]]
    try db.changeSchema(
      to: DatabaseSchema(
        sql:
          "CREATE TABLE page (text TEXT); CREATE VIRTUAL TABLE w USING fts5(text, content='page')"),
      options: options)
    #expect(try db.rows("SELECT text FROM w WHERE w MATCH 'apple'") == [["apple"]])
  }

  @Test func `reads schemas with string literals in double quotes, as in old files`() throws {
    let db = try memory("CREATE TABLE t (a DEFAULT \"x\", b CHECK (b <> \"no\"))") {
      $0.allowsDoubleQuotedStrings = true
    }
    let diff = try SchemaDiff(
      from: db.databaseSchema(), to: DatabaseSchema(sql: "CREATE TABLE t (a DEFAULT 'x', b)"))
    #expect(diff.steps.map(\.kind) == [.rebuildTable])
    try db.apply(diff)
  }

  @Test func `fills a new full-text table from the rows that it indexes`() throws {
    let db = try memory("CREATE TABLE doc (t TEXT); INSERT INTO doc VALUES ('apple')")
    try db.changeSchema(
      to: DatabaseSchema(
        sql: "CREATE TABLE doc (t TEXT); CREATE VIRTUAL TABLE w USING fts5(t, content='doc')"))
    #expect(try db.values(Int.self, "SELECT rowid FROM w WHERE w MATCH 'apple'") == [1])
  }

  @Test func `rebuilds a full-text table whose content is another view`() throws {
    func schema(_ column: String) -> String {
      """
      CREATE TABLE doc (a TEXT, b TEXT);
      CREATE VIEW shown AS SELECT rowid AS id, \(column) AS body FROM doc;
      CREATE VIRTUAL TABLE w USING fts5(body, content = 'shown', content_rowid = 'id');
      """
    }
    let db = try memory(
      SQL(
        unsafe: schema("a")
          + "INSERT INTO doc VALUES ('apple', 'pear'); INSERT INTO w (w) VALUES ('rebuild')"))
    let diff = try db.changeSchema(to: DatabaseSchema(sql: SQL(unsafe: schema("b"))))
    #expect(diff.steps.map(\.kind) == [.dropView, .createView, .rebuildTable])
    #expect(diff.losses == [])
    #expect(try db.values(Int.self, "SELECT rowid FROM w WHERE w MATCH 'pear'") == [1])
    #expect(try db.values(Int.self, "SELECT rowid FROM w WHERE w MATCH 'apple'") == [])
  }

  @Test func `refuses a database that is not its source`() throws {
    let diff = try SchemaDiff(
      from: DatabaseSchema(sql: "CREATE TABLE t (a)"),
      to: DatabaseSchema(sql: "CREATE TABLE t (a, b)"))
    let db = try memory("CREATE TABLE t (a, c)")
    let error = #expect(throws: SQLiteError.self) { try db.apply(diff) }
    #expect(error?.code == .schemaMismatch)
    #expect(try db.columns(of: "t").map(\.name) == ["a", "c"])
    let none = try SchemaDiff(from: DatabaseSchema(sql: ""), to: DatabaseSchema(sql: ""))
    #expect(throws: SQLiteError.self) { try db.apply(none) }
  }

  @Test func `refuses to break a view that is kept`() throws {
    let db = try memory("CREATE TABLE t (a, b); CREATE VIEW v AS SELECT b FROM t")
    let target = try DatabaseSchema(sql: "CREATE TABLE t (a); CREATE VIEW v AS SELECT b FROM t")
    let error = #expect(throws: SQLiteError.self) {
      try db.changeSchema(to: target, allowing: .everything)
    }
    #expect(error?.code == .brokenSchema)
    #expect(try db.columns(of: "t").count == 2)
  }

  @Test func `refuses to violate foreign keys, and to trigger their actions`() throws {
    let db = try memory(
      """
      CREATE TABLE p (id INTEGER PRIMARY KEY); CREATE TABLE c (p REFERENCES p ON DELETE CASCADE);
      INSERT INTO p VALUES (1); INSERT INTO c VALUES (1);
      """)
    let target = try DatabaseSchema(sql: "CREATE TABLE c (p REFERENCES p ON DELETE CASCADE)")
    #expect(throws: SQLiteError.self) { try db.changeSchema(to: target, allowing: [.table("p")]) }
    #expect(try db.count("p") == 1)
    let diff = try SchemaDiff(from: db.databaseSchema(), to: target)
    let error = #expect(throws: SQLiteError.self) {
      try db.transaction { try db.apply(diff, allowing: .everything) }
    }
    #expect(error?.code == .referencesEnforced)
    #expect(try db.count("c") == 1)
  }

  @Test func `keeps objects that are not in the target if requested`() throws {
    let db = try memory(
      """
      CREATE TABLE mine (a); CREATE TABLE t (a);
      CREATE INDEX i ON t (a); CREATE VIEW v AS SELECT a FROM t;
      """)
    var options = SchemaDiff.Options()
    options.keepsOtherObjects = true
    let diff = try db.changeSchema(
      to: DatabaseSchema(sql: "CREATE TABLE t (a NOT NULL)"), options: options)
    #expect(diff.steps.map(\.kind) == [.rebuildTable])
    #expect(try db.tables().map(\.name.name) == ["mine", "t", "v"])
    #expect(try db.indexes(of: "t").map(\.name) == ["i"])
  }

  @Test func `keeps a trigger of a changed view if other objects are kept`() throws {
    let db = try memory(
      """
      CREATE VIEW v AS SELECT 1 AS a;
      CREATE TRIGGER mine INSTEAD OF DELETE ON v BEGIN SELECT 1; END;
      """)
    var options = SchemaDiff.Options()
    options.keepsOtherObjects = true
    try db.changeSchema(
      to: DatabaseSchema(sql: "CREATE VIEW v AS SELECT 2 AS a"), options: options)
    #expect(try db.triggers().map(\.name) == ["mine"])
    #expect(try db.value(Int.self, "SELECT a FROM v") == 2)
  }

  @Test func `accepts another order of columns if requested`() throws {
    let db = try memory("CREATE TABLE t (a, c)")
    var options = SchemaDiff.Options()
    options.ignoresColumnOrder = true
    let diff = try db.changeSchema(
      to: DatabaseSchema(sql: "CREATE TABLE t (a, b, c)"), options: options)
    #expect(diff.steps.map(\.kind) == [.addColumn])
    #expect(try db.columns(of: "t").map(\.name) == ["a", "c", "b"])
  }

  @Test func `runs inside a migration, and is rolled back with it`() throws {
    let db = try memory("CREATE TABLE t (a); INSERT INTO t VALUES (1)")
    let target = try DatabaseSchema(sql: "CREATE TABLE t (a NOT NULL, b)")
    let diff = try SchemaDiff(from: db.databaseSchema(), to: target)
    let bad = Migration(name: "1") { db in
      try db.apply(diff)
      throw Failure()
    }
    #expect(throws: Failure()) { try db.migrate([bad]) }
    #expect(try db.columns(of: "t").count == 1)
    try db.migrate([Migration(name: "1") { try $0.apply(diff) }])
    #expect(try db.databaseSchema().isEquivalent(to: target))
  }

  @Test func `stops if the progress closure throws, and leaves the database unchanged`() throws {
    let db = try memory("CREATE TABLE t (a); INSERT INTO t VALUES (1)")
    #expect(throws: Failure()) {
      try db.changeSchema(to: DatabaseSchema(sql: "CREATE TABLE t (a NOT NULL)")) { _ in
        throw Failure()
      }
    }
    #expect(try !db.columns(of: "t")[0].isNotNull)
    #expect(try db.value(Int.self, "PRAGMA foreign_keys") == 1)
  }

  @Test func `runs on a database, synchronously and asynchronously`() async throws {
    let database = try Database.inMemory()
    let first = try SchemaDiff(
      from: await database.databaseSchema(), to: DatabaseSchema(sql: "CREATE TABLE t (a)"))
    try await database.apply(first)
    try applyHere(database)
    try await database.rebuild("t", to: "CREATE TABLE t (b, a)")
    #expect(try await database.read { try $0.columns(of: "t").map(\.name) } == ["b", "a"])
  }

  private func applyHere(_ database: Database) throws {
    let target = try DatabaseSchema(sql: "CREATE TABLE t (a, b)")
    try database.apply(SchemaDiff(from: database.databaseSchema(), to: target))
    try database.rebuild("t", to: "CREATE TABLE t (a, b NOT NULL)")
  }
}
