import QueryModel
import SQLSemantics
import SQLSyntax
import Testing

/// Unexpected rules of SQLite, each found by comparison with SQLite itself.
@Suite struct `SQLite's special cases` {
  @Test(arguments: [
    Refusal("SELECT (①(1, 2)②) COLLATE binary = 1", .rowValueMisuse),
    Refusal("SELECT name FROM user GROUP BY 1 COLLATE ①nope②", .unknownCollation),
    Refusal(
      "SELECT sum(1) OVER a FROM user WINDOW a AS (), b AS (①c②)", .unknownWindow),
    Refusal("SELECT id FROM user ORDER BY ①rank() OVER (ORDER BY count(*))②", .aggregateMisuse),
    Refusal("WITH c AS (SELECT 1) SELECT * FROM c INDEXED BY ①nope②", .unknownObject),
    Refusal("CREATE TABLE z (a DEFAULT (①abs(1) OVER ()②))", .nonConstantDefault),
    Refusal("PRAGMA integrity_check(①nope②)", .unknownTable),
    Refusal("①PRAGMA foreign_key_check(1)②", .unknownTable),
    Refusal("SELECT * FROM ①pragma_table_list②(1, 2)", .argumentCount),
    Refusal("SELECT ①*② FROM (user JOIN post) x", .ambiguousColumn),
    Refusal("SELECT ①*② FROM user, (user JOIN tag)", .ambiguousColumn),
    Refusal("INSERT INTO tag (①name②) DEFAULT VALUES", .valueCount),
    Refusal(
      "INSERT INTO user (id) VALUES (1) ①ON CONFLICT (id COLLATE nocase) DO NOTHING②", .upsertTarget
    ),
    Refusal(
      "SELECT sum(id) OVER a FROM user WINDOW a AS (ROWS 1 PRECEDING), b AS (①a②)", .windowMisuse),
    Refusal("SELECT ①sqlite_schema.name② FROM sqlite_schema", .unknownColumn),
    Refusal(
      "SELECT 1 FROM user a LEFT JOIN user b ①NATURAL JOIN② user c FULL JOIN post d ON 1",
      .ambiguousColumn),
  ])
  func `that SQLite rejects are rejected`(_ refusal: Refusal) {
    let marked = MarkedText(refusal.sql)
    let diagnostics = Database().analyze(marked.text).diagnostics
    #expect(diagnostics.first?.identity == refusal.identity, "\(diagnostics.map(\.message))")
    #expect(diagnostics.first?.span == marked.span)
  }

  @Test(arguments: [
    "SELECT 1 ORDER BY count(*)",
    "SELECT sum(id) OVER w FROM user WINDOW w AS (nowhere ORDER BY id)",
    "SELECT x.id FROM ((SELECT 1 AS id) a JOIN (SELECT 2 AS id) b) x",
    "SELECT count(*) IN (), 0 AND count(*) FROM user",
    "SELECT * FROM temp.json_each('[]')",
    "CREATE TABLE z (a CHECK (load_extension(a)))",
    "PRAGMA quick_check(user)",
    "CREATE TRIGGER temp.g AFTER INSERT ON user BEGIN SELECT 1; END",
  ])
  func `that SQLite accepts are accepted`(_ sql: String) {
    expectAccepted(sql)
  }

  @Test(arguments: [
    (
      "ALTER TABLE user ADD x NOT NULL",
      ["raise(ABORT,'Cannot add a NOT NULL column with default value NULL')"]
    ),
    (
      "ALTER TABLE user ADD x DEFAULT (1 + 2)",
      ["raise(ABORT,'Cannot add a column with non-constant default')"]
    ),
    ("ALTER TABLE user ADD x AS (1) STORED", ["raise(ABORT,'cannot add a STORED column')"]),
    ("ALTER TABLE user ADD x DEFAULT -1", []),
    ("PRAGMA page_count(1)", ["page_count"]),
  ])
  func `have the same column names as in SQLite`(_ sql: String, _ names: [String]) throws {
    let (analysis, diagnostics) = Database().analyze(sql)
    #expect(diagnostics.filter { $0.severity == .error } == [])
    #expect(try #require(analysis).columns.map(\.name) == names)
  }

  @Test func `A module's arguments contain no parameters`() throws {
    let sql = "CREATE VIRTUAL TABLE f USING fts5(x, tokenize = ?)"
    #expect(try #require(Database().analyze(sql).analysis).parameterCount == 0)
  }

  @Test func `A column generated from itself can be declared but not read`() {
    var database = Database("CREATE TABLE z (a, b AS (c), c AS (b + a), d AS (a))")
    #expect(!database.diagnostics.hasErrors)
    expectRefused(Refusal("SELECT * FROM ①z②", .generatedColumn), in: database)
    expectRefused(Refusal("UPDATE ①z② SET a = 1", .generatedColumn), in: database)
    expectAccepted("DELETE FROM z", in: database)
    database.apply("DROP TABLE z; CREATE TABLE z (a, b AS (a), c AS (b))")
    expectAccepted("SELECT * FROM z", in: database)
  }

  @Test func `A star takes a joined column from the preserved side of the join`() throws {
    let database = Database("CREATE TABLE a (k TEXT, x); CREATE TABLE b (k INTEGER NOT NULL, y)")
    let analysis = try #require(
      database.analyze("SELECT a.* FROM a RIGHT JOIN b USING (k)").analysis)
    #expect(spelling(analysis.columns[0].type, analysis.columns[0].isNullable) == "integer")
  }

  @Test(arguments: [
    "SELECT x FROM c WHERE x IN (SELECT x FROM ①c②)", "SELECT x FROM c WHERE x IN ①c②",
    "SELECT (SELECT x FROM ①c②) FROM c", "SELECT x FROM c, (SELECT 1 FROM ①c②)",
    "SELECT c.x FROM c, (t JOIN ①c② AS d)", "SELECT x FROM c LIMIT (SELECT x FROM ①c②)",
  ])
  func `a recursive table is only used once, in FROM`(_ step: String) {
    let database = Database("CREATE TABLE t (a);")
    func select(_ step: String) -> String {
      "WITH RECURSIVE c (x) AS (SELECT 1 UNION ALL \(step)) SELECT x FROM c"
    }
    expectRefused(Refusal(select(step), .circularReference), in: database)
    expectAccepted(select("SELECT x FROM (c, t)"), in: database)
  }

  @Test(arguments: [
    "SELECT sum(a) OVER (ORDER BY (SELECT 1 FROM ①other.t②)) FROM t",
    "SELECT sum(a) OVER w FROM t WINDOW w AS (PARTITION BY (SELECT 1 FROM ①other.t②))",
  ])
  func `the window of a view refers to the view's own schema only`(_ select: String) {
    expectRefused(
      Refusal("CREATE VIEW v AS \(select)", .prohibitedHere),
      in: Database("CREATE TABLE t (a); ATTACH 'x' AS other;"))
  }

  @Test func `columns of virtual tables and of their shadow tables are those of their modules`() {
    let database = Database(
      """
      CREATE VIRTUAL TABLE f USING fts4 (x); CREATE VIRTUAL TABLE g USING fts4 (x, languageid=lid);
      CREATE VIRTUAL TABLE r USING rtree (id, x1, x2, +note, +mark);
      CREATE VIRTUAL TABLE d USING dbstat;
      """)
    expectAccepted("SELECT f, docid, __langid FROM f", in: database)
    expectAccepted("SELECT lid FROM g JOIN g_content ON lid = langid", in: database)
    expectAccepted("SELECT a0, a1 FROM r_rowid", in: database)
    expectAccepted("SELECT name, pgsize, aggregate FROM d", in: database)
    expectRefused(Refusal("SELECT ①__langid② FROM g", .unknownColumn), in: database)
    expectRefused(Refusal("DELETE FROM ①d②", .notWritable), in: database)
  }

  @Test func `RETURNING on a virtual table yields the inserted values`() throws {
    let database = Database("CREATE VIRTUAL TABLE r USING rtree(id, x1, x2)")
    let analysis = try #require(
      database.analyze("INSERT INTO r (x1, x2) VALUES (1, 2) RETURNING *").analysis)
    #expect(analysis.columns.map { spelling($0.type, $0.isNullable) } == ["any?", "any?", "any?"])
  }

  @Test func `A rename in temp ignores broken views of main`() {
    var database = Database("CREATE TEMP TABLE q (a); CREATE VIEW lost AS SELECT a FROM nowhere")
    database.apply("ALTER TABLE q RENAME TO p; ALTER TABLE p RENAME a TO b")
    #expect(!database.diagnostics.hasErrors)
    expectAccepted("SELECT b FROM p", in: database)
  }

  @Test func `Exponentially growing stars are rejected`() {
    let tables = (1..<40).map { "c\($0) AS (SELECT * FROM c\($0 - 1), c\($0 - 1) AS x)" }
    let sql = "WITH c0 AS (SELECT 1), \(tables.joined(separator: ", ")) SELECT * FROM c39"
    #expect(Database().analyze(sql).diagnostics.first?.identity == .tooComplex)
    expectAccepted("SELECT " + Array(repeating: "1", count: 2_000).joined(separator: ","))
  }
}
