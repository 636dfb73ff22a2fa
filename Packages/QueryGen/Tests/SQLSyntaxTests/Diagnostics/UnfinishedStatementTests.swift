import SQLSyntax
import Testing

@Suite struct `Statements without a semicolon` {
  @Test(arguments: [
    "DEFINE QUERY a AS\nSELECT x\nFROM t\n\nDEFINE QUERY b AS SELECT 2;",
    "DEFINE QUERY a AS\nSELECT x\nFROM t -- all\n\n-- About b.\nDEFINE QUERY b AS SELECT 2;",
    "a:\nSELECT x\nFROM t\n\nb: SELECT 2;", "a:\nSELECT x\nFROM t\n\nb:\nSELECT 2;",
    "a:\nDELETE\nFROM t\nb: SELECT 2;",
    "-- name: a :many\nSELECT x\nFROM t\n-- name: b :one\nSELECT 2;",
    "a:\nSELECT x\nFROM t\n-- name: b :exec\nDELETE FROM t;",
  ])
  func `are reported at their end, and the next query is still read`(_ text: String) throws {
    let source = SourceText(text)
    var list = DiagnosticList()
    let file = Parser.parseQueryFile(source, diagnostics: &list)
    #expect(list.diagnostics.map(\.identity) == [.missingSemicolon])
    let diagnostic = try #require(list.diagnostics.first)
    let end = try #require(text.utf8.firstRange(of: "FROM t".utf8)).upperBound
    #expect(diagnostic.span.start.value == text.utf8.distance(from: text.utf8.startIndex, to: end))
    #expect(source.lineTable().position(of: diagnostic.span.start).line == 3)
    #expect(file.queries.map(\.name.text) == ["a", "b"])
    var bytes = Array(text.utf8)
    let fixIt = try #require(diagnostic.fixIt)
    bytes.replaceSubrange(fixIt.span.range, with: Array(fixIt.replacement.utf8))
    var fixedList = DiagnosticList()
    let fixed = Parser.parseQueryFile(SourceText(bytes: bytes), diagnostics: &fixedList)
    #expect(fixedList.diagnostics == [])
    #expect(fixed.queries.map(\.name.text) == ["a", "b"])
  }

  @Test func `that are incomplete are reported at their end as well`() throws {
    let text = "a: SELECT x FROM t WHERE\n\nDEFINE QUERY b AS SELECT 2;"
    var list = DiagnosticList()
    let file = Parser.parseQueryFile(SourceText(text), diagnostics: &list)
    #expect(list.diagnostics.map(\.identity) == [.unexpectedEnd])
    let diagnostic = try #require(list.diagnostics.first)
    #expect(diagnostic.span == ByteSpan(24..<24))
    #expect(diagnostic.message == "expected an expression, found the next query")
    #expect(file.queries.map(\.name.text) == ["b"])
  }

  @Test(arguments: [
    "INSERT INTO t", "INSERT INTO t (a, b)", "REPLACE INTO t AS u", "WITH x AS (SELECT 1)",
    "SELECT 1 UNION ALL", "EXPLAIN",
  ])
  func `do not continue with the statement of the next query`(_ statement: String) throws {
    for next in ["SELECT 2", "VALUES (1, 2)", "WITH y AS (SELECT 1)\nSELECT 2"] {
      let text =
        "-- name: a :exec\n\(statement) -- unfinished\n\n-- About b.\n-- name: b :one\n\(next);"
      var list = DiagnosticList()
      let file = Parser.parseQueryFile(SourceText(text), diagnostics: &list)
      #expect(list.diagnostics.map(\.identity) == [.unexpectedEnd])
      let diagnostic = try #require(list.diagnostics.first)
      let end = 17 + statement.utf8.count
      #expect(diagnostic.span == ByteSpan(end..<end))
      #expect(diagnostic.message.hasSuffix("found the next query"), "\(diagnostic.message)")
      #expect(file.queries.map(\.name.text) == ["b"])
    }
  }

  @Test(arguments: [
    "-- name: a :exec\nINSERT INTO t -- name: in prose\nSELECT 1;",
    "-- name: a :exec\nINSERT INTO t\n-- The rows.\nSELECT 1;",
    "a: SELECT * FROM t WHERE x IN (\n-- name: numbers\nSELECT 1);",
    "a: SELECT x, -- name: y\nz FROM t;",
  ])
  func `do not include those with other comments`(_ text: String) {
    var list = DiagnosticList()
    let file = Parser.parseQueryFile(SourceText(text), diagnostics: &list)
    #expect(list.diagnostics == [])
    #expect(file.queries.map(\.name.text) == ["a"])
  }

  @Test func `in migrations are reported at their end`() throws {
    let text = "CREATE TABLE t (a)\n\nCREATE TABLE u (b);\nCREATE TABLE v (c)"
    var list = DiagnosticList()
    let script = Parser.parseScript(SourceText(text), diagnostics: &list)
    #expect(list.diagnostics.map(\.identity) == [.missingSemicolon])
    #expect(list.diagnostics.first?.span == ByteSpan(18..<18))
    #expect(script.statements.count == 3)
  }

  @Test(arguments: [
    ("a: SELECT x y z FROM t;\nb: SELECT 2;", Diagnostic.Identity.unexpectedToken),
    ("a: SELECT 1\nSELECT 2;", .unexpectedToken), ("a: SELECT (1;\nb: SELECT 2;", .unexpectedToken),
    ("a: SELECT 1, 2 3;", .unexpectedToken),
  ])
  func `do not include other errors`(_ text: String, _ identity: Diagnostic.Identity) {
    var list = DiagnosticList()
    _ = Parser.parseQueryFile(SourceText(text), diagnostics: &list)
    #expect(list.diagnostics.map(\.identity) == [identity])
  }
}
