import SQLSyntax
import Testing

@Suite struct `Syntax of other databases` {
  struct Case: CustomTestStringConvertible, Sendable {
    let sql: String
    let fixed: String?
    let hint: String
    var testDescription: String { sql }

    init(_ sql: String, _ fixed: String?, _ hint: String) {
      self.sql = sql
      self.fixed = fixed
      self.hint = hint
    }
  }

  @Test(arguments: [
    Case("SELECT id①::int② FROM t", "SELECT CAST(id AS INTEGER) FROM t", "CAST(id AS INTEGER)"),
    Case("SELECT t.id①::text② FROM t", "SELECT CAST(t.id AS TEXT) FROM t", "CAST"),
    Case("SELECT sum(a + b)①::float② FROM t", "SELECT CAST(sum(a + b) AS REAL) FROM t", "CAST"),
    Case(
      "SELECT 1 + (a * 2)①::bigint②", "SELECT 1 + CAST((a * 2) AS INTEGER)", "CAST"),
    Case(
      "SELECT '1'①::double precision②", "SELECT CAST('1' AS REAL)", "CAST"),
    Case("SELECT a①::varchar(20)② FROM t", "SELECT CAST(a AS TEXT) FROM t", "CAST"),
    Case("SELECT a①::date② FROM t", nil, "CAST"),
    Case("SELECT a FROM t WHERE a ①ILIKE② 'x'", "SELECT a FROM t WHERE a LIKE 'x'", "LIKE"),
    Case("SELECT a FROM t WHERE a NOT ①ILIKE② 'x'", "SELECT a FROM t WHERE a NOT LIKE 'x'", "LIKE"),
    Case("SELECT a ①ILIKE② 'x' FROM t", "SELECT a LIKE 'x' FROM t", "LIKE"),
    Case("SELECT a FROM t WHERE a ①RLIKE② 'x'", nil, "GLOB"),
    Case("SELECT a FROM t WHERE a ①~② 'x'", nil, "GLOB"),
    Case("SELECT a FROM t WHERE a ①<=>② b", "SELECT a FROM t WHERE a IS b", "IS"),
    Case("SELECT ①TOP 10② * FROM t", nil, "LIMIT 10"),
    Case("SELECT DISTINCT ①TOP :n② a FROM t", nil, "LIMIT :n"),
    Case(
      "SELECT a FROM t ①FETCH FIRST 10 ROWS ONLY②", "SELECT a FROM t LIMIT 10", "LIMIT 10"),
    Case(
      "SELECT a FROM t ORDER BY a ①FETCH NEXT ROW ONLY②", "SELECT a FROM t ORDER BY a LIMIT 1",
      "LIMIT 1"),
    Case("SELECT a FROM t ①FETCH FIRST 10② PERCENT", nil, "LIMIT"),
    Case("SELECT a FROM t ①FOR UPDATE②", "SELECT a FROM t ", "locks"),
    Case("INSERT ①IGNORE② INTO t VALUES (1)", "INSERT OR IGNORE INTO t VALUES (1)", "OR IGNORE"),
    Case(
      "INSERT INTO t VALUES (1) ①ON DUPLICATE② KEY UPDATE a = 1", nil, "ON CONFLICT"),
    Case("①TRUNCATE TABLE② t", "DELETE FROM t", "DELETE FROM"),
    Case("CREATE ①OR② REPLACE VIEW v AS SELECT 1", nil, "DROP"),
    Case(
      "CREATE TABLE t (id INTEGER PRIMARY KEY ①AUTO_INCREMENT②)",
      "CREATE TABLE t (id INTEGER PRIMARY KEY AUTOINCREMENT)", "AUTOINCREMENT"),
    Case("CREATE TABLE t (id INTEGER NOT NULL ①AUTO_INCREMENT②)", nil, "PRIMARY KEY"),
    Case("CREATE TABLE t (id INTEGER ①AUTOINCREMENT② PRIMARY KEY)", nil, "PRIMARY KEY"),
    Case("CREATE TABLE t (a ①ENUM②('x', 'y'))", nil, "CHECK"),
    Case("CREATE TABLE t (a TEXT NOT NULL ①COMMENT 'x'②)", nil, "comment"),
    Case("SELECT 'it①\\'②s'", "SELECT 'it''s'", "double"),
    Case("INSERT INTO t VALUES ('it①\\'②s')", "INSERT INTO t VALUES ('it''s')", "double"),
    Case("SELECT a FROM t WHERE a > b - ①INTERVAL '1 day'②", nil, "datetime"),
    Case(
      "SELECT a FROM t WHERE a > ①DATE '2024-01-01'②", "SELECT a FROM t WHERE a > '2024-01-01'",
      "text"),
    Case("SELECT ①EXTRACT②(year FROM a) FROM t", nil, "strftime"),
    Case("SELECT ①LEFT②(a, 3) FROM t", nil, "substr"),
  ])
  func `is reported with the SQLite equivalent`(_ expected: Case) throws {
    let marked = Self.marked(expected.sql)
    var list = DiagnosticList()
    _ = Parser.parseScript(SourceText(marked.text), diagnostics: &list)
    let diagnostic = try #require(list.diagnostics.first)
    #expect(list.diagnostics.count == 1)
    #expect(diagnostic.identity == .otherDialect, "\(diagnostic.message)")
    #expect(diagnostic.severity == .error)
    #expect(diagnostic.span == marked.span, "\(SourceText(marked.text)[diagnostic.span])")
    #expect(diagnostic.message.contains(expected.hint), "\(diagnostic.message)")
    #expect(Self.mended(marked.text, diagnostic) == expected.fixed)
  }

  @Test func `in a parameter's name is a warning`() throws {
    let text = "SELECT :id::int"
    var list = DiagnosticList()
    _ = Parser.parseScript(SourceText(text), diagnostics: &list)
    let diagnostic = try #require(list.diagnostics.first)
    #expect(diagnostic.identity == .otherDialect)
    #expect(diagnostic.severity == .warning)
    #expect(Self.mended(text, diagnostic) == "SELECT CAST(:id AS INTEGER)")
  }

  @Test(arguments: [
    "SELECT a != 1, TRUE, FALSE, $1, a == b FROM t LIMIT 5, 10", "SELECT $a::b(c), :x::y",
    "SELECT top FROM t", "SELECT fetch.a FROM t fetch", "SELECT a ilike FROM t",
    "SELECT a LIKE 'b' ESCAPE '\\' FROM t", "SELECT date FROM t", "SELECT ~a, extract(a) FROM t",
    "CREATE TABLE t (comment, enum, interval DATE)",
  ])
  func `does not include what SQLite accepts`(_ sql: String) {
    var list = DiagnosticList()
    _ = Parser.parseScript(SourceText(sql), diagnostics: &list)
    #expect(list.diagnostics.map(\.message) == [])
  }

  private static func mended(_ text: String, _ diagnostic: Diagnostic) -> String? {
    diagnostic.fixIt.map { fixIt in
      var bytes = Array(text.utf8)
      bytes.replaceSubrange(fixIt.span.range, with: Array(fixIt.replacement.utf8))
      return String(decoding: bytes, as: UTF8.self)
    }
  }

  private static func marked(_ text: String) -> (text: String, span: ByteSpan) {
    let parts = text.split(separator: "①", maxSplits: 1, omittingEmptySubsequences: false)
    let rest = parts[1].split(separator: "②", maxSplits: 1, omittingEmptySubsequences: false)
    let start = parts[0].utf8.count
    return (String(parts[0] + rest[0] + rest[1]), ByteSpan(start..<start + rest[0].utf8.count))
  }
}
