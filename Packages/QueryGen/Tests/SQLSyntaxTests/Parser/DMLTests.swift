import SQLSyntax
import Testing

@Suite struct `Parsed DML statements` {
  @Test(arguments: [
    "INSERT INTO t VALUES (1, 2), (3, 4)", "INSERT INTO main.t AS x (a, b) SELECT 1, 2",
    "REPLACE INTO t (a) VALUES (1)", "INSERT OR IGNORE INTO t DEFAULT VALUES",
    "INSERT OR ROLLBACK INTO t VALUES (1)", "INSERT OR ABORT INTO t VALUES (1)",
    "INSERT OR FAIL INTO t VALUES (1)", "INSERT OR REPLACE INTO t VALUES (1)",
    "WITH x AS (SELECT 1) INSERT INTO t SELECT * FROM x",
    "INSERT INTO t WITH x AS (SELECT 1) SELECT * FROM x",
    "WITH x AS (SELECT 1) REPLACE INTO t SELECT * FROM x",
    "INSERT INTO t DEFAULT VALUES RETURNING *",
    "INSERT INTO t VALUES (1) ON CONFLICT DO NOTHING",
    "INSERT INTO t VALUES (1) RETURNING a, b AS c, t.*",
    "INSERT INTO t VALUES (1) ON CONFLICT (a) DO NOTHING ON CONFLICT DO UPDATE SET a = 1 RETURNING a",
    "INSERT INTO t VALUES (1) ON CONFLICT (a COLLATE nocase, b DESC) WHERE c > 1 DO UPDATE SET "
      + "a = excluded.a, (b, c) = (1, 2) WHERE d ON CONFLICT (e) DO NOTHING",
    "INSERT INTO t SELECT * FROM u WHERE true ON CONFLICT (a) DO NOTHING",
  ])
  func `have every form of INSERT`(_ text: String) {
    expectParse(text)
  }

  private static let listOptions = ParserOptions(allowsListParameters: true)

  @Test(arguments: [
    "INSERT INTO t VALUES :rows", "INSERT OR IGNORE INTO t (a, b) VALUES ?1",
    "REPLACE INTO main.t AS x (a) VALUES $rows RETURNING *",
    "WITH x AS (SELECT 1) INSERT INTO t (a) VALUES @rows ON CONFLICT (a) DO UPDATE SET b = :b "
      + "RETURNING a", "INSERT INTO t VALUES (:row.*)",
    "INSERT INTO t (a, b) VALUES (?.*) ON CONFLICT DO NOTHING",
  ])
  func `insert the values of a parameter, in the dialect with lists`(_ text: String) {
    let statements = expectParse(text, options: Self.listOptions)
    #expect(statements.count == 1)
    var list = DiagnosticList()
    #expect(Parser.parseStatement(SourceText(text), diagnostics: &list) == nil)
    #expect(list.diagnostics.map(\.identity) == [.unexpectedToken])
  }

  @Test(arguments: [
    "INSERT INTO t VALUES :a①,② :b", "INSERT INTO t VALUES (:a.*)①,② (1)",
    "INSERT INTO t VALUES (:a.①b②)", "INSERT INTO t VALUES (:a.*①,② 1)",
    "INSERT INTO t VALUES (1, :a①.②*)", "INSERT INTO t VALUES (:a.*) ①UNION② SELECT 1",
    "SELECT * FROM (VALUES ①:a②)", "VALUES ①:a②", "SELECT ①:a.②*",
    "CREATE TRIGGER r AFTER INSERT ON t BEGIN INSERT INTO t VALUES ①:a②; END",
  ])
  func `take a parameter only as all values of an insert`(_ text: String) {
    var list = DiagnosticList()
    let plain = text.filter { $0 != "①" && $0 != "②" }
    _ = Parser.parseScript(SourceText(plain), options: Self.listOptions, diagnostics: &list)
    #expect(list.diagnostics.map(\.identity) == [.unexpectedToken], "\(text)")
  }

  @Test(arguments: [
    "UPDATE t SET a = 1", "UPDATE OR IGNORE main.t AS x SET a = 1, b = a + 1 WHERE c",
    "UPDATE t INDEXED BY i SET a = 1", "UPDATE t NOT INDEXED SET a = 1",
    "UPDATE t SET (a, b) = (1, 2), (c) = 3", "UPDATE t SET (a, b) = (SELECT 1, 2)",
    "UPDATE t SET a = u.a FROM u JOIN v USING (x) WHERE t.b = u.b",
    "UPDATE t SET a = 1 ORDER BY b LIMIT 1 OFFSET 2", "UPDATE t SET a = 1 LIMIT 1",
    "UPDATE t SET a = 1 WHERE b RETURNING a, b ORDER BY c LIMIT 1",
    "WITH x AS (SELECT 1) UPDATE t SET a = (SELECT * FROM x)",
    "DELETE FROM t", "DELETE FROM main.t AS x WHERE a", "DELETE FROM t INDEXED BY i WHERE a",
    "DELETE FROM t WHERE a RETURNING *", "DELETE FROM t ORDER BY a LIMIT 1",
    "DELETE FROM t WHERE a LIMIT 1, 2", "WITH x AS (SELECT 1) DELETE FROM t WHERE a IN x",
    "UPDATE rollback SET a = 1",
  ])
  func `have every form of UPDATE and DELETE`(_ text: String) {
    expectParse(text)
  }

  @Test(arguments: [
    "INSERT ①t② VALUES (1)", "INSERT INTO t ①x② VALUES (1)",
    "INSERT INTO t (①)② VALUES (1)", "INSERT INTO t (a①.②b) VALUES (1)",
    "INSERT OR ①x② INTO t VALUES (1)",
    "REPLACE ①OR② IGNORE INTO t VALUES (1)",
    "INSERT INTO t DEFAULT VALUES ①ON② CONFLICT DO NOTHING",
    "INSERT INTO t VALUES (1) ON CONFLICT DO NOTHING ①ON② CONFLICT DO NOTHING",
    "INSERT INTO t VALUES (1) ON CONFLICT ①a② DO NOTHING",
    "INSERT INTO t VALUES (1) ON CONFLICT DO ①IGNORE②", "INSERT INTO t ①SET② a = 1",
    "UPDATE t ①a② = 1", "UPDATE t SET a①,② b = 1", "UPDATE t SET (a, b①=② 1",
    "UPDATE t SET t①.②a = 1", "DELETE ①t②", "DELETE FROM t ①x② WHERE a",
    "DELETE FROM t WHERE a LIMIT 1 ①RETURNING② a", "UPDATE t SET a = 1 RETURNING ①;②",
    "WITH x AS (SELECT 1) ①CREATE② TABLE t (a)", "DELETE FROM t ①,② u",
  ])
  func `are rejected at the invalid token`(_ text: String) {
    expectParse(text, Fault(.unexpectedToken))
  }

  @Test func `that insert a select require WHERE before ON CONFLICT`() {
    expectParse(
      "INSERT INTO t SELECT * FROM u ①ON② CONFLICT (a) DO NOTHING", Fault(.ambiguousUpsert))
    expectParse(
      "INSERT INTO t SELECT * FROM u JOIN v ①ON② CONFLICT (a) DO NOTHING", Fault(.ambiguousUpsert))
    expectParse("INSERT INTO t SELECT * FROM u JOIN v ON conflict(a)")
  }
}
