import SQLSyntax
import Testing

@Suite struct `The printer` {
  struct Case: CustomTestStringConvertible, Sendable {
    let text: String, printed: String
    init(_ text: String, _ printed: String) {
      self.text = text
      self.printed = printed
    }
    var testDescription: String { text }
  }

  @Test(arguments: [
    Case("select  a b,c from t", "SELECT a AS b, c FROM t"),
    Case("SELECT a==b, c!=d", "SELECT a = b, c <> d"),
    Case("SELECT - - 1, -+1, ~ ~1", "SELECT - -1, - +1, ~ ~1"),
    Case("SELECT X'0a'", "SELECT x'0A'"), Case("SELECT ?01", "SELECT ?1"),
    Case("SELECT a NOT NULL, b ISNULL", "SELECT a NOTNULL, b ISNULL"),
    Case("SELECT * FROM a LEFT OUTER JOIN b", "SELECT * FROM a LEFT JOIN b"),
    Case("SELECT 1 LIMIT 2, 3", "SELECT 1 LIMIT 2, 3"), Case("END", "COMMIT"),
    Case("CREATE TABLE t(a int as(1),b)", "CREATE TABLE t (a int GENERATED ALWAYS AS (1), b)"),
    Case("CREATE TABLE t(a)without rowid,strict", "CREATE TABLE t (a) STRICT, WITHOUT ROWID"),
    Case("SELECT \"a\"\"b\", `c``d`, [e f], 'it''s'", "SELECT \"a\"\"b\", `c``d`, [e f], 'it''s'"),
    Case(
      "SELECT sum(a)over(order by b rows 1 preceding)",
      "SELECT sum(a) OVER (ORDER BY b ROWS 1 PRECEDING)"),
    Case(
      "CREATE TRIGGER r AFTER INSERT ON t BEGIN SELECT 1;DELETE FROM t;END",
      "CREATE TRIGGER r AFTER INSERT ON t BEGIN SELECT 1; DELETE FROM t; END"),
  ])
  func `writes one canonical form`(_ expected: Case) throws {
    let statement = try #require(expectParse(expected.text).first)
    #expect(Printer.text(of: statement) == expected.printed)
  }

  @Test func `writes separate names, expressions and selects`() throws {
    let expression = try parsedExpression("a+f(b)")
    #expect(Printer.text(of: expression) == "a + f(b)")
    #expect(
      Printer.text(of: Identifier("a\"b", quoting: .double, span: ByteSpan(0..<0)))
        == "\"a\"\"b\"")
    guard case .subquery(let node) = try parsedExpression("(select 1)") else {
      throw NoExpression()
    }
    #expect(Printer.text(of: node.select) == "SELECT 1")
  }

  @Test func `yields equal trees for texts that differ only in spacing and position`() {
    #expect(expectParse("SELECT a+b FROM t") == expectParse("SELECT /**/ a  +  b\nFROM t;"))
    #expect(expectParse("SELECT a") != expectParse("SELECT A"))
    #expect(expectParse("SELECT a") != expectParse("SELECT \"a\""))
  }
}
