import QueryModel
import SQLSemantics
import SQLSyntax
import Testing

@Suite struct `Stars` {
  private let database = Database(
    """
    CREATE TABLE a (id INTEGER PRIMARY KEY, j INTEGER, k INTEGER NOT NULL);
    CREATE TABLE b (j INTEGER NOT NULL, k INTEGER NOT NULL, x TEXT NOT NULL);
    CREATE TABLE c (k INTEGER NOT NULL, "order" TEXT, "two words" TEXT);
    CREATE VIEW v AS SELECT * FROM a JOIN b USING (j);
    CREATE VIRTUAL TABLE ft USING fts5(title, body);
    """)

  private func sql(of sql: String) -> String? {
    database.query("DEFINE QUERY q AS \(sql);").definition?.sql
  }

  @Test(
    arguments: [
      ("SELECT * FROM a", "SELECT id, j, k FROM a"),
      ("SELECT a.*, 1 FROM a", "SELECT id, j, k, 1 FROM a"),
      (
        "SELECT b.*, q.j FROM b LEFT JOIN b AS q USING (j, k, x) ORDER BY j",
        "SELECT b.j, b.k, b.x, q.j FROM b LEFT JOIN b AS q USING (j, k, x) ORDER BY j"
      ),
      (
        "SELECT b.*, q.* FROM b LEFT JOIN b AS q USING (j, k, x) ORDER BY j",
        "SELECT b.j AS j, b.k AS k, b.x AS x, q.j AS j, q.k AS k, q.x AS x "
          + "FROM b LEFT JOIN b AS q USING (j, k, x) ORDER BY j"
      ),
      ("SELECT  *  -- all\nFROM c", "SELECT  k, \"order\", \"two words\"  -- all\nFROM c"),
      ("SELECT b.x, c.* FROM b, c", "SELECT b.x, c.k AS k, c.\"order\", c.\"two words\" FROM b, c"),
      (
        "SELECT * FROM a AS p JOIN b USING (j)",
        "SELECT p.id, p.j, p.k AS k, b.k AS k, b.x FROM a AS p JOIN b USING (j)"
      ),
      (
        "SELECT * FROM b RIGHT JOIN c USING (k)",
        "SELECT b.j, c.k, b.x, c.\"order\", c.\"two words\" FROM b RIGHT JOIN c USING (k)"
      ),
      (
        "SELECT * FROM a FULL JOIN b USING (j, k)",
        "SELECT a.id, coalesce(a.j, b.j) AS j, coalesce(a.k, b.k) AS k, b.x "
          + "FROM a FULL JOIN b USING (j, k)"
      ),
      (
        "SELECT * FROM a JOIN (b JOIN c USING (k)) USING (j)",
        "SELECT a.id, a.j, a.k AS k, b.k AS k, b.x AS x, c.\"order\" AS \"order\", "
          + "c.\"two words\" AS \"two words\" FROM a JOIN (b JOIN c USING (k)) USING (j)"
      ),
      (
        "WITH w AS (SELECT * FROM a) SELECT * FROM (SELECT w.*, 1 FROM w) WHERE j IN "
          + "(SELECT count(*) FROM b) AND EXISTS (SELECT * FROM b)",
        "WITH w AS (SELECT id, j, k FROM a) SELECT id, j, k, \"1\" FROM (SELECT id, j, k, 1 FROM w) "
          + "WHERE j IN (SELECT count(*) FROM b) AND EXISTS (SELECT j, k, x FROM b)"
      ),
      (
        "SELECT *, -j AS j FROM b ORDER BY j",
        "SELECT j AS j, k, x, -j AS j FROM b ORDER BY j"
      ),
      (
        "SELECT * FROM (SELECT (SELECT count(*) FROM (SELECT * FROM b)) FROM c)",
        "SELECT \"(SELECT count(*) FROM (SELECT * FROM b))\" FROM "
          + "(SELECT (SELECT count(*) FROM (SELECT j, k, x FROM b)) "
          + "AS \"(SELECT count(*) FROM (SELECT * FROM b))\" FROM c)"
      ),
      ("SELECT * FROM v", "SELECT id, j, k, \"k:1\", x FROM v"),
      ("SELECT * FROM ft", "SELECT title, body FROM ft"),
      ("SELECT * FROM ft('x') ORDER BY rank", "SELECT title, body FROM ft('x') ORDER BY rank"),
      (
        "SELECT * FROM a UNION ALL SELECT b.* FROM b",
        "SELECT id, j, k FROM a UNION ALL SELECT j, k, x FROM b"
      ),
      ("INSERT INTO b SELECT * FROM b", "INSERT INTO b SELECT j, k, x FROM b"),
      ("DELETE FROM c RETURNING *", "DELETE FROM c RETURNING k, \"order\", \"two words\""),
      (
        "UPDATE a SET j = 1 FROM (SELECT * FROM b) AS s RETURNING *, 2",
        "UPDATE a SET j = 1 FROM (SELECT j, k, x FROM b) AS s RETURNING id, j, k, 2"
      ),
      ("SELECT count(*) FROM a", "SELECT count(*) FROM a"),
      (
        "SELECT * FROM (SELECT 1 AS n), (SELECT 2 AS n)",
        "SELECT source1.n AS n, source2.n AS n FROM (SELECT 1 AS n) AS source1, "
          + "(SELECT 2 AS n) AS source2"
      ),
    ] as [(String, String)])
  func `are written as explicit columns`(_ query: String, _ expected: String) {
    #expect(sql(of: query) == expected)
  }

  @Test func `keep the ranges of parameters`() throws {
    let definition = try #require(
      database.query("DEFINE QUERY q AS SELECT *, ? FROM a WHERE k IN ? AND j = ?;").definition)
    #expect(definition.sql == "SELECT id, j, k, ? FROM a WHERE k IN ? AND j = ?")
    let ranges = definition.parameters.flatMap { $0.ranges + $0.listRanges }
    #expect(ranges.sorted { $0.lowerBound < $1.lowerBound } == [17..<18, 37..<38, 47..<48])
  }
}
