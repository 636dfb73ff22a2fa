import SQLSemantics
import SQLSyntax
import Testing

@Suite struct `Names` {
  @Test(arguments: [
    Refusal("SELECT ①nmae② FROM user", .unknownColumn),
    Refusal("SELECT ①user.nmae② FROM user", .unknownColumn),
    Refusal("SELECT ①name② FROM user, tag", .ambiguousColumn),
    Refusal("SELECT 1 FROM ①usr②", .unknownTable),
    Refusal("SELECT 1 FROM ①other.user②", .unknownTable),
    Refusal("SELECT ①p②.* FROM user", .unknownTable),
    Refusal("SELECT ①user.name② FROM user u", .unknownColumn),
    Refusal("SELECT name FROM user WHERE name = ①\"Ada\"②", .unknownColumn),
    Refusal("SELECT 1 LIMIT ①age②", .unknownColumn),
    Refusal("SELECT 1 FROM user JOIN post USING (①nope②)", .invalidJoin),
    Refusal("SELECT ①rowid② FROM tag", .unknownColumn),
    Refusal("SELECT ①rowid② FROM (SELECT * FROM user)", .unknownColumn),
    Refusal("SELECT ①excluded.name② FROM user", .unknownColumn),
    Refusal("SELECT ①new.name② FROM user", .unknownColumn),
    Refusal("WITH c AS (SELECT 1 AS a) SELECT ①b② FROM c", .unknownColumn),
    Refusal("SELECT name COLLATE ①nope② FROM user", .unknownCollation),
    Refusal("SELECT ①*②", .unknownTable),
  ])
  func `that are unknown are reported at their position`(_ refusal: Refusal) {
    expectRefused(refusal)
  }

  @Test(arguments: [
    "SELECT NAME, [age], `score`, \"email\" FROM USER",
    "SELECT main.user.id, user.id FROM main.user",
    "SELECT rowid, oid, _rowid_ FROM post",
    "SELECT age + 1 AS older FROM user WHERE older > 3 GROUP BY older HAVING older < 9",
    "SELECT (SELECT max(p.id) FROM post p WHERE p.userId = u.id) FROM user u",
    "SELECT title FROM user NATURAL JOIN post",
    "SELECT id FROM post a JOIN post b USING (id)",
    "SELECT a.id FROM (user a JOIN post b ON b.userId = a.id)",
    "WITH a AS (SELECT id FROM b), b AS (SELECT id FROM user) SELECT id FROM a",
    "WITH broken AS (SELECT nope FROM nowhere) SELECT 1",
    "SELECT true, false",
    "SELECT name, sql FROM sqlite_schema WHERE sqlite_master.type = 'table'",
    "SELECT value FROM json_each('[1]') WHERE \"key\" = 0",
    "SELECT name FROM pragma_table_info('user')",
    "SELECT id AS x FROM user ORDER BY x, 1, name COLLATE NOCASE DESC NULLS LAST",
    "SELECT id FROM user UNION SELECT userId AS k FROM post ORDER BY k",
  ])
  func `are resolved as in SQLite`(_ sql: String) {
    expectAccepted(sql)
  }

  @Test func `that are misspelled get a suggestion`() throws {
    let diagnostic = try #require(Database().analyze("SELECT nmae FROM user").diagnostics.first)
    #expect(diagnostic.message == "no such column: `nmae`; did you mean `name`?")
  }

  @Test func `that belong to an unknown table cause no second error`() {
    let diagnostics = Database().analyze("SELECT a, b.c FROM nowhere b WHERE d = 1").diagnostics
    #expect(diagnostics.map(\.identity) == [.unknownTable])
  }

  @Test func `are all reported, not only the first`() {
    let diagnostics = Database().analyze("SELECT a, b FROM user WHERE c = 1").diagnostics
    #expect(diagnostics.map(\.identity) == [.unknownColumn, .unknownColumn, .unknownColumn])
  }
}

@Suite struct `Row and column counts` {
  @Test(arguments: [
    Refusal("SELECT 1 UNION ①SELECT 1, 2②", .columnCount),
    Refusal("SELECT ①(SELECT 1, 2)②", .columnCount),
    Refusal("SELECT 1 FROM user WHERE ①id IN (SELECT id, name FROM user)②", .columnCount),
    Refusal("SELECT ①(1, 2) = (1, 2, 3)②", .rowValueMisuse),
    Refusal("SELECT ①(1, 2)②", .rowValueMisuse),
    Refusal("SELECT id FROM user ORDER BY ①2②", .orderTerm),
    Refusal("SELECT id FROM user UNION SELECT id FROM post ORDER BY ①age + 1②", .orderTerm),
    Refusal("WITH ①c②(a, b) AS (SELECT 1) SELECT * FROM c", .columnCount),
    Refusal("WITH a AS (SELECT * FROM ①a②) SELECT * FROM a", .circularReference),
    Refusal("VALUES (1, 2), (①3②)", .columnCount),
    Refusal("SELECT 1 FROM user a LEFT JOIN post b ON ①c.id② = 1 JOIN tag c", .unknownColumn),
    Refusal("SELECT 1 FROM post a LEFT JOIN post b ON ①c.id = 1② JOIN user c", .invalidJoin),
  ])
  func `that don't match are rejected`(_ refusal: Refusal) {
    expectRefused(refusal)
  }
}

@Suite struct `Result columns` {
  struct Case: CustomTestStringConvertible, Sendable {
    let sql: String, names: [String]
    var testDescription: String { sql }
    init(_ sql: String, _ names: [String]) {
      self.sql = sql
      self.names = names
    }
  }

  @Test(arguments: [
    Case(
      "SELECT NAME, (age), +age, user.id, 1 + 1 FROM user", ["name", "age", "+age", "id", "1 + 1"]),
    Case("SELECT 'it''s' AS 'a b', count( * ) FROM user", ["a b", "count( * )"]),
    Case("SELECT a+b /* c */ , 2 FROM (SELECT 1 AS a, 2 AS b)", ["a+b /* c */", "2"]),
    Case("SELECT rowid, oid FROM user", ["id", "id"]),
    Case("SELECT name COLLATE NOCASE FROM user", ["name COLLATE NOCASE"]),
    Case("VALUES (1, 2)", ["column1", "column2"]),
    Case("SELECT * FROM (SELECT 1 AS a, 2 AS a)", ["a", "a:1"]),
    Case(
      "SELECT * FROM post a JOIN post b USING (id)",
      ["id", "userId", "title", "body", "created_at", "userId", "title", "body", "created_at"]),
    Case("SELECT 1 AS a UNION SELECT 2 AS b", ["a"]),
    Case("DELETE FROM tag RETURNING *, name || 'x'", ["postId", "name", "name || 'x'"]),
    Case("EXPLAIN QUERY PLAN SELECT 1", ["id", "parent", "notused", "detail"]),
  ])
  func `are named as in SQLite`(_ expected: Case) {
    let (analysis, diagnostics) = Database().analyze(expected.sql)
    #expect(diagnostics.map(\.message) == [])
    #expect(analysis?.columns.map(\.name) == expected.names)
  }
}
