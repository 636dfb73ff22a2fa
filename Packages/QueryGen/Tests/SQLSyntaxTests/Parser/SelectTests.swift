import SQLSyntax
import Testing

@Suite struct `Selects` {
  @Test(arguments: [
    "SELECT 1", "SELECT *, t.*, 'x'.*, a AS b, a b, a 'b', a \"b\", a [b] FROM t",
    "SELECT DISTINCT a FROM t", "SELECT ALL a FROM t", "SELECT a FROM t WHERE b",
    "SELECT a FROM t GROUP BY b, c HAVING d", "SELECT a FROM t HAVING count(*) > 1",
    "SELECT a FROM t ORDER BY a ASC, b DESC NULLS FIRST, c COLLATE nocase NULLS LAST",
    "SELECT a FROM t LIMIT 1", "SELECT a FROM t LIMIT 1 OFFSET 2", "SELECT a FROM t LIMIT 1, 2",
    "VALUES (1, 2), (3, 4)", "SELECT 1 UNION SELECT 2 UNION ALL SELECT 3 INTERSECT SELECT 4",
    "SELECT 1 EXCEPT VALUES (1), (2)", "VALUES (1) UNION SELECT 2 ORDER BY 1 LIMIT 3",
    "WITH a AS (SELECT 1), b (x, y) AS NOT MATERIALIZED (SELECT 1, 2) SELECT * FROM a, b",
    "WITH RECURSIVE a (x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM a) SELECT * FROM a LIMIT 3",
    "WITH a AS MATERIALIZED (VALUES (1)) SELECT * FROM a",
    "SELECT sum(a) OVER w FROM t WINDOW w AS (PARTITION BY b), w2 AS (w ORDER BY c) ORDER BY 1",
    "SELECT 1 FROM t window", "SELECT a over FROM t", "SELECT a FROM t AS left",
    "SELECT 1 a, 2 key, 3 offset, 4 desc",
  ])
  func `accept every clause`(_ text: String) {
    expectParse(text)
  }

  @Test(arguments: [
    "t", "main.t", "t AS u", "t u", "t 'u'", "t INDEXED BY i", "t AS u NOT INDEXED", "a, b, c",
    "a JOIN b", "a JOIN b ON a.x = b.x", "a JOIN b USING (x, y)", "a, b ON 1", "a NATURAL JOIN b",
    "a LEFT JOIN b ON 1 RIGHT OUTER JOIN c USING (x) FULL JOIN d CROSS JOIN e INNER JOIN f",
    "a NATURAL LEFT OUTER JOIN b", "a LEFT NATURAL JOIN b", "(a)", "(a) AS x", "(a, b JOIN c) x",
    "((a JOIN b) JOIN c ON 1)", "(SELECT 1)", "(SELECT 1) AS x", "(VALUES (1)) x",
    "(WITH x AS (SELECT 1) SELECT * FROM x)", "json_each('[1]')", "main.f(1, 2) AS x", "f()",
    "pragma_table_info('t') JOIN t", "generate_series(1, 2), t", "left", "a, right JOIN b",
    "\"t\"", "[t u]", "'t'", "indexed",
  ])
  func `accept every source`(_ text: String) {
    expectParse("SELECT * FROM \(text)")
  }

  @Test(
    arguments: [
      ("LEFT", .left), ("LEFT OUTER", .left), ("RIGHT", .right), ("FULL OUTER", .full),
      ("LEFT RIGHT", .full), ("CROSS INNER", .cross), ("INNER", .inner), ("NATURAL", .plain),
      ("OUTER LEFT", .left), ("LEFT LEFT LEFT", .left), ("NATURAL CROSS", .cross),
    ] as [(String, Join.Kind)])
  func `combine the words of a join`(_ words: String, _ kind: Join.Kind) throws {
    let statement = try #require(expectParse("SELECT * FROM a \(words) JOIN b").first)
    guard case .select(let select) = statement, case .query(let query) = select.first else {
      throw NoExpression()
    }
    let join = try #require(query.from?.joins.first)
    #expect(join.kind == kind)
    #expect(join.isNatural == words.contains("NATURAL"))
  }

  @Test(arguments: [
    "ROWS UNBOUNDED PRECEDING", "ROWS 1 PRECEDING", "ROWS CURRENT ROW",
    "RANGE BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING",
    "GROUPS BETWEEN 1 PRECEDING AND 1 FOLLOWING EXCLUDE NO OTHERS",
    "ROWS BETWEEN 2 PRECEDING AND 1 PRECEDING EXCLUDE CURRENT ROW",
    "ROWS BETWEEN 1 FOLLOWING AND 2 FOLLOWING EXCLUDE GROUP",
    "ROWS BETWEEN CURRENT ROW AND CURRENT ROW EXCLUDE TIES",
    "ROWS BETWEEN a + 1 PRECEDING AND CURRENT ROW",
  ])
  func `accept every frame`(_ frame: String) {
    expectParse("SELECT sum(a) OVER (ORDER BY b \(frame)) FROM t")
  }

  @Test(arguments: [
    "SELECT * FROM ①WHERE② a", "SELECT a FROM t WHERE ①ORDER② BY a", "SELECT a WHERE ①;②",
    "SELECT a, ①FROM② t", "SELECT a FROM t GROUP ①a②", "SELECT a FROM t ORDER ①a②",
    "SELECT a FROM t LIMIT 1 OFFSET ①)②", "VALUES (1) ①ORDER② BY 1", "VALUES (1) ①LIMIT② 1",
    "VALUES ①1②", "VALUES (①)②", "SELECT 1 UNION ①VALUE② (1)",
    "SELECT 1 UNION VALUES (1) ①ORDER② BY 1",
    "WITH a ①SELECT② 1", "WITH a AS ①SELECT② 1", "WITH a AS (①1②) SELECT 1",
    "WITH a AS NOT ①(②SELECT 1) SELECT 1", "WITH recursive ①AS② (SELECT 1) SELECT 1",
    "SELECT * FROM a LEFT ①WHERE② 1", "SELECT * FROM a JOIN b USING ①x②",
    "SELECT * FROM a INDEXED ①i②",
    "SELECT * FROM (SELECT①)②", "SELECT a FROM t ORDER BY a NULLS ①b②", "SELECT t.* ①AS② x FROM t",
    "SELECT main.t.①*② FROM t", "SELECT sum(a) OVER (rows①)② FROM t", "SELECT a FROM t x ①y②",
    "SELECT sum(a) OVER (ROWS UNBOUNDED ①FOLLOWING②)", "SELECT sum(a) OVER (partition①)② FROM t",
    "SELECT * FROM t u NOT ①NULL②", "SELECT a FROM t LIMIT 1 OFFSET 1 ①,② 2",
  ])
  func `are rejected at the invalid token`(_ text: String) {
    expectParse(text, Fault(.unexpectedToken))
  }

  @Test(
    arguments: [
      ("SELECT 1 ORDER BY 1 ①UNION② SELECT 2", .clauseBeforeCompound),
      ("SELECT 1 LIMIT 1 ①EXCEPT② SELECT 2", .clauseBeforeCompound),
      ("SELECT 1 FROM a ①LEFT foo② JOIN b", .unknownJoin),
      ("SELECT 1 FROM a ①OUTER② JOIN b", .unknownJoin),
      ("SELECT 1 FROM a ①INNER LEFT② JOIN b", .unknownJoin),
      ("SELECT 1 FROM a ①LEFT \"outer\"② JOIN b", .unknownJoin),
      ("SELECT 1 FROM a NATURAL JOIN b ①ON② 1", .constraintOnNaturalJoin),
      ("SELECT 1 FROM a NATURAL JOIN b ①USING② (x)", .constraintOnNaturalJoin),
      ("SELECT 1 FROM a ①ON② 1", .constraintWithoutJoin),
      ("SELECT 1 FROM (a ①USING② (x)) JOIN b", .constraintWithoutJoin),
    ] as [(String, Diagnostic.Identity)])
  func `are rejected by a dedicated rule`(_ text: String, _ identity: Diagnostic.Identity) {
    expectParse(text, Fault(identity))
  }

  @Test func `have at most five hundred arms`() {
    let arms = Array(repeating: "SELECT 1", count: 500).joined(separator: " UNION ALL ")
    expectParse(arms)
    expectParse(arms + " ①UNION ALL② SELECT 1", Fault(.tooManyArms))
  }
}
