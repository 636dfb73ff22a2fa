import SQLSemantics
import SQLSyntax
import Testing

@Suite struct `Joins` {
  private let database = Database(
    """
    CREATE TABLE a (id INTEGER PRIMARY KEY, j INTEGER, k INTEGER NOT NULL);
    CREATE TABLE b (j INTEGER NOT NULL, k INTEGER NOT NULL, x TEXT NOT NULL);
    CREATE TABLE c (k INTEGER NOT NULL, y TEXT NOT NULL);
    CREATE TABLE t (v TEXT);
    """)

  /// Returns the result columns, with `?` after the names of those that may be `NULL`.
  private func columns(of sql: String) -> [String] {
    let (analysis, diagnostics) = database.analyze(sql)
    guard diagnostics.isEmpty else { return diagnostics.map(\.message) }
    return analysis?.columns.map { $0.name + ($0.isNullable ? "?" : "") } ?? []
  }

  @Test(
    arguments: [
      (
        "SELECT * FROM a JOIN (b JOIN c USING (k)) USING (j)",
        ["id", "j", "k", "k", "x", "y"]
      ),
      ("SELECT * FROM a NATURAL JOIN (b JOIN c USING (k))", ["id", "j", "k", "x", "y"]),
      ("SELECT * FROM t JOIN (b NATURAL JOIN c)", ["v?", "k", "j", "x", "y"]),
      ("SELECT * FROM t JOIN (b JOIN c USING (K))", ["v?", "K", "j", "x", "y"]),
      ("SELECT * FROM (b JOIN c USING (k)) JOIN t", ["j", "k", "x", "y", "v?"]),
      ("SELECT * FROM (b JOIN c USING (k)) AS g", ["k", "j", "x", "y"]),
      ("SELECT * FROM t JOIN (b JOIN c)", ["v?", "j", "k", "x", "k:1", "y"]),
      ("SELECT c.* FROM t JOIN (b JOIN c USING (k))", ["k:2", "y"]),
      ("SELECT b.k FROM t JOIN (b JOIN c USING (k))", ["k:1"]),
      ("SELECT K FROM t JOIN (b FULL JOIN c USING (k))", ["k?"]),
      ("SELECT K FROM b FULL JOIN c USING (k)", ["K?"]),
      (
        "SELECT * FROM t JOIN (a JOIN (b JOIN c USING (k)) USING (j))",
        ["v?", "j", "id", "k", "k:1", "x", "y"]
      ),
    ] as [(String, [String])])
  func `have the columns that SQLite returns, in its order`(_ sql: String, _ expected: [String]) {
    #expect(columns(of: sql) == expected)
  }

  @Test(
    arguments: [
      // The first source with the column supplies the value that `USING` compares.
      ("SELECT b.k FROM a LEFT JOIN b ON a.j = b.j JOIN c USING (k)", ["k?"]),
      ("SELECT a.k, c.k FROM a LEFT JOIN b ON a.j = b.j JOIN c USING (k)", ["k", "k"]),
      ("SELECT b.k, c.k FROM t LEFT JOIN b ON v = x JOIN c USING (k)", ["k", "k"]),
      ("SELECT k FROM t LEFT JOIN b ON v = x LEFT JOIN c USING (k)", ["k?"]),
      ("SELECT k FROM b RIGHT JOIN c USING (k)", ["k"]),
      ("SELECT k, b.k FROM b RIGHT JOIN c USING (k)", ["k", "k?"]),
      ("SELECT k FROM b RIGHT JOIN c USING (k) LEFT JOIN a USING (k)", ["k"]),
      ("SELECT k FROM t LEFT JOIN (b JOIN c USING (k)) ON v = x", ["k?"]),
      ("SELECT k, x FROM t LEFT JOIN (b JOIN c USING (k)) ON v = x WHERE x = ''", ["k", "x"]),
    ] as [(String, [String])])
  func `determine which columns may be NULL`(_ sql: String, _ expected: [String]) {
    #expect(columns(of: sql) == expected)
  }

  @Test(arguments: [
    "SELECT a.* FROM a JOIN b USING (j) ORDER BY k",
    "SELECT * FROM a JOIN b USING (j) ORDER BY k",
    "UPDATE t SET v = 1 FROM t AS other",
    "UPDATE t AS other SET v = 1 FROM t",
    "UPDATE t SET v = b.x FROM b JOIN c USING (k) WHERE y = v",
    "SELECT t.v FROM a JOIN (t AS other)",
    "SELECT 1 FROM (b JOIN b)",
  ])
  func `are accepted as by SQLite`(_ sql: String) {
    expectAccepted(sql, in: database)
  }

  @Test(arguments: [
    Refusal("SELECT a.* FROM a JOIN b USING (j) GROUP BY ①k②", .ambiguousColumn),
    Refusal("UPDATE t SET v = 1 FROM ①t②", .prohibitedHere),
    Refusal("UPDATE t SET v = 1 FROM ①a NATURAL JOIN (c JOIN t)②", .prohibitedHere),
    Refusal("UPDATE t SET v = 1 FROM b JOIN c ON b.k = ①t.v②", .unknownColumn),
    Refusal("SELECT ①other.v② FROM a JOIN (t AS other)", .unknownColumn),
    Refusal("SELECT ①g②.* FROM t JOIN (b JOIN c) AS g", .unknownTable),
    Refusal("SELECT 1 FROM t JOIN ①(b JOIN b)②", .ambiguousColumn),
    Refusal("SELECT 1 FROM a JOIN b FULL JOIN c USING (①k②)", .ambiguousColumn),
  ])
  func `are rejected as by SQLite`(_ refusal: Refusal) {
    expectRefused(refusal, in: database)
  }
}
