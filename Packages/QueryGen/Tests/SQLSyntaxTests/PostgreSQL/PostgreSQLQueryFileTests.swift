import Testing

@testable import SQLSyntax

@Suite struct `Query files for PostgreSQL` {
  private func parse(_ text: String) -> (queries: [PostgreSQLNamedQuery], errors: [Diagnostic]) {
    var diagnostics = DiagnosticList()
    let queries = PostgreSQLNamedQuery.parseFile(SourceText(text), diagnostics: &diagnostics)
    return (queries, diagnostics.diagnostics)
  }

  struct Case: CustomTestStringConvertible, Sendable {
    let sql: String, numbered: String
    var names: [String?] = []
    var testDescription: String { sql }
  }

  @Test(arguments: [
    Case(sql: "SELECT :a", numbered: "SELECT $1", names: ["a"]),
    Case(sql: "SELECT :a, :b, :a", numbered: "SELECT $1, $2, $1", names: ["a", "b"]),
    Case(sql: "SELECT :a::int, x::text", numbered: "SELECT $1::int, x::text", names: ["a"]),
    Case(sql: "SELECT ':a', \":b\", 'it''s :c'", numbered: "SELECT ':a', \":b\", 'it''s :c'"),
    Case(sql: #"SELECT E'\':a', e'\\', :b"#, numbered: #"SELECT E'\':a', e'\\', $1"#, names: ["b"]),
    Case(sql: #"SELECT '\', :a"#, numbered: #"SELECT '\', $1"#, names: ["a"]),
    Case(
      sql: "SELECT $$:a'$$, $x$ $$ :b $x$, :c", numbered: "SELECT $$:a'$$, $x$ $$ :b $x$, $1",
      names: ["c"]),
    Case(sql: "SELECT a$$b, :c FROM t$1", numbered: "SELECT a$$b, $1 FROM t$1", names: ["c"]),
    Case(sql: "SELECT 1 -- :a\n, :b", numbered: "SELECT 1 -- :a\n, $1", names: ["b"]),
    Case(
      sql: "SELECT 1 /* :a /* :b */ :c */, :d", numbered: "SELECT 1 /* :a /* :b */ :c */, $1",
      names: ["d"]),
    Case(
      sql: "SELECT a[1:2], a[1:n], a[:n], a[b:c]", numbered: "SELECT a[1:2], a[1:n], a[$1], a[b:c]",
      names: ["n"]),
    Case(
      sql: "SELECT x IN :ids, y NOT IN :ids", numbered: "SELECT x = ANY ($1), y <> ALL ($1)",
      names: ["ids"]),
    Case(sql: "SELECT x not  in :ids", numbered: "SELECT x <> ALL ($1)", names: ["ids"]),
    Case(sql: "SELECT x IN (:a, :b)", numbered: "SELECT x IN ($1, $2)", names: ["a", "b"]),
    Case(sql: "SELECT $2, $1, $2", numbered: "SELECT $2, $1, $2", names: [nil, nil]),
    Case(sql: "SELECT x IN $1", numbered: "SELECT x = ANY ($1)", names: [nil]),
    Case(sql: "SELECT :größe, :_x1", numbered: "SELECT $1, $2", names: ["größe", "_x1"]),
    Case(
      sql: "SELECT j ? 'a', j @> :x, a := :y", numbered: "SELECT j ? 'a', j @> $1, a := $2",
      names: ["x", "y"]),
    Case(
      sql: "SELECT 1.5e+3, 0x1f, 1_000, :a", numbered: "SELECT 1.5e+3, 0x1f, 1_000, $1",
      names: ["a"]),
    Case(sql: "SELECT U&'d\\0061t' , U&\"x\"", numbered: "SELECT U&'d\\0061t' , U&\"x\""),
  ])
  func `number parameters outside of quotes and comments`(_ expected: Case) throws {
    let (queries, errors) = parse("q: \(expected.sql);")
    #expect(errors.isEmpty)
    let query = try #require(queries.first)
    #expect(query.sql == expected.numbered)
    #expect(query.parameters.map(\.name) == expected.names)
  }

  @Test func `have headers of all forms, and documentation`() throws {
    let (queries, errors) = parse(
      """
      -- Another subject.

      -- The first.
      DEFINE QUERY "one two" AS SELECT 1; -- trailing

      /* The second. */
      second: SELECT 2;
      -- The third.
      -- name: third :many
      -- More.
      SELECT 3;
      fourth : VALUES (4)
      """)
    #expect(errors.isEmpty)
    #expect(queries.map(\.name.text) == ["one two", "second", "third", "fourth"])
    #expect(
      queries.map(\.documentation) == [
        ["The first."], ["The second."], ["The third.", "More."], [],
      ])
    #expect(queries.map(\.cardinality) == [nil, nil, .many, nil])
    #expect(queries.map(\.sql) == ["SELECT 1", "SELECT 2", "SELECT 3", "VALUES (4)"])
  }

  @Test(arguments: [
    ("SELECT 1;", "unnamed-query"), ("a: ;", "empty-query"), ("a:", "empty-query"),
    ("a: SELECT 1; a: SELECT 2;", "duplicate-query"), ("-- name: a\n", "empty-query"),
    ("-- name: a :lots\nSELECT 1;", "malformed-query-header"),
    ("a: SELECT 'x;", "unterminated-string"), ("a: SELECT $$x;", "unterminated-string"),
    ("a: SELECT 1 /* x;", "unterminated-string"), ("a: SELECT \"x;", "unterminated-string"),
    ("a: SELECT :x, $1;", "malformed-parameter"), ("a: SELECT $0;", "malformed-parameter"),
    ("a: SELECT $70000;", "malformed-parameter"),
  ])
  func `with mistakes are reported`(_ text: String, _ identity: String) {
    let (_, errors) = parse(text)
    #expect(errors.map(\.identity.rawValue) == [identity])
  }

  @Test func `map positions of the numbered text to the source`() throws {
    let text = "q: SELECT :long_name, 'ö', x IN :ids, nmae;"
    let query = try #require(parse(text).queries.first)
    let offset = try #require(query.sql.utf8.firstRange(of: Array("nmae".utf8)))
    let place = query.sql.utf8.distance(from: query.sql.utf8.startIndex, to: offset.lowerBound)
    let source = SourceText(text)
    #expect(source[query.sourceSpan(ofByte: place, in: source)] == "nmae")
    #expect(source[query.sourceSpan(ofByte: 7, in: source)] == ":long_name")
  }

  @Test func `have equal canonical texts if they differ in white space and comments`() {
    func canonical(_ text: String) -> [UInt8] {
      PostgreSQLNamedQuery.canonicalText(of: SourceText(text))
    }
    #expect(canonical("SELECT  1 -- x\n, 'a  b'") == canonical("SELECT 1, 'a  b'"))
    #expect(canonical("SELECT 'a b'") != canonical("SELECT 'a  b'"))
    #expect(canonical("SELECT a b") != canonical("SELECT ab"))
  }

  /// No text makes the reader fail, and what it reads covers the text in order.
  @Test func `of any bytes are read`() {
    var state: UInt64 = 82
    print("random query files: seed \(state)")
    let pieces = [
      "'", "\"", "$", "$$", "$a$", ":", "::", ":a", "$1", "--", "\n", "/*", "*/", "[", "]", ";",
      " ", "E'", "\\", "a", "IN ", "name: b", "ö", "0",
    ]
    for _ in 0..<3_000 {
      var text = ""
      for _ in 0..<12 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        text += pieces[Int(state >> 33) % pieces.count]
      }
      let lexer = PostgreSQLLexer(SourceText(text))
      let spans = (lexer.tokens.map(\.span) + lexer.comments).sorted { $0.start < $1.start }
      for (a, b) in zip(spans, spans.dropFirst()) { #expect(a.end <= b.start, "\(text)") }
      _ = parse(text)
    }
  }
}
