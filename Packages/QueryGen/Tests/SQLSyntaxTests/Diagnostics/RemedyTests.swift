import SQLSyntax
import Testing

@Suite struct `Fix-its` {
  /// Returns the text with the first diagnostic's fix-it applied, or `nil` if it has no fix-it.
  private func mended(_ sql: String) -> String? {
    var list = DiagnosticList()
    _ = Parser.parseScript(SourceText(sql), diagnostics: &list)
    guard let fixIt = list.diagnostics.first?.fixIt else { return nil }
    var bytes = Array(sql.utf8)
    bytes.replaceSubrange(fixIt.span.range, with: Array(fixIt.replacement.utf8))
    return String(decoding: bytes, as: UTF8.self)
  }

  @Test(arguments: [
    ("SELCT 1", "SELECT 1"), ("udpate t SET a = 1", "UPDATE t SET a = 1"),
    ("SELECT * FORM t", "SELECT * FROM t"), ("SELECT a FORM t", "SELECT a FROM t"),
    ("SELECT a FROM t WEHRE a = 1", "SELECT a FROM t WHERE a = 1"),
    ("SELECT a FROM t ORDR BY a", "SELECT a FROM t ORDER BY a"),
    ("INSERT INTO t VALUE (1)", "INSERT INTO t VALUES (1)"),
    ("INSERT INOT t VALUES (1)", "INSERT INTO t VALUES (1)"),
    ("CREATE TABEL t (a)", "CREATE TABLE t (a)"),
    (
      "CREATE TABLE t (a INTEGER PRIMARY KEY autoincremnt)",
      "CREATE TABLE t (a INTEGER PRIMARY KEY AUTOINCREMENT)"
    ),
    ("SELECT a, FROM t", "SELECT a FROM t"), ("SELECT max(a, b,)", "SELECT max(a, b)"),
    ("CREATE TABLE t (a, b,)", "CREATE TABLE t (a, b)"),
    ("INSERT INTO t VALUES (1,),", "INSERT INTO t VALUES (1),"),
    ("SELECT a FROM t ORDER BY a, LIMIT 1", "SELECT a FROM t ORDER BY a LIMIT 1"),
    ("SELECT a && b", "SELECT a AND b"),
    ("CREATE TABLE order (a)", "CREATE TABLE \"order\" (a)"),
  ])
  func `correct unambiguous mistakes`(_ sql: String, _ expected: String) {
    #expect(mended(sql) == expected)
  }

  @Test(arguments: [
    "nonsense", "SELECT", "SELECT a b c", "SELECT 1 +", "SELECT (1", "INSERT INTO t 5",
    "SELECT a & & b", "CREATE TABLE t (a INTEGER x)", "SELECT a FROM t, u v w", "SELECT ,",
  ])
  func `are not suggested if the intent is unclear`(_ sql: String) {
    #expect(mended(sql) == nil)
  }
}
