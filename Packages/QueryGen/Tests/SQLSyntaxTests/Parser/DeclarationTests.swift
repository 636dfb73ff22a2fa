import Testing

@testable import SQLSyntax

@Suite struct `Declarations` {
  private func parse(_ text: String) -> (declarations: [Declaration], diagnostics: [Diagnostic]) {
    var list = DiagnosticList()
    let script = Parser.parseScript(SourceText(text), diagnostics: &list)
    return (script.declarations, list.diagnostics)
  }

  @Test func `have parameters, a result and attributes`() throws {
    let (declarations, diagnostics) = parse(
      "-- function: slug(title TEXT NOT NULL, sep VARCHAR(1) DEFAULT '-') -> TEXT NOT NULL "
        + "deterministic INNOCUOUS returns null on null input")
    #expect(diagnostics.isEmpty)
    let slug = try #require(declarations.first)
    #expect(slug.kind == .function)
    #expect(slug.name.text == "slug")
    #expect(slug.parameters.map(\.column.name.text) == ["title", "sep"])
    #expect(slug.parameters.map(\.column.type?.name) == ["TEXT", "VARCHAR"])
    #expect(slug.result?.type.name == "TEXT")
    #expect(slug.result?.isNotNull == true)
    #expect(Set(slug.attributes.keys) == [.deterministic, .innocuous, .returnsNull])
  }

  @Test(arguments: [
    "-- function: f() -> TEXT", "/* function: f() -> TEXT */", "/*\n * function: f() -> TEXT\n */",
    "SELECT 1; -- function: f() -> TEXT\nSELECT 2", "-- function: \"f\"() -> TEXT; a remark",
    "-- function: f(\n--   x TEXT,\n--   VARIADIC y TEXT\n-- ) -> TEXT",
    "/* function: f(\n     x TEXT) -> TEXT */",
    "-- function: f(x TEXT)\n--   -> TEXT\n--   deterministic",
    "--function:f(x INTEGER AS [String: Int])->TEXT",
  ])
  func `are found in every comment`(_ text: String) {
    let (declarations, diagnostics) = parse(text)
    #expect(diagnostics.map(\.message) == [])
    #expect(declarations.map(\.name.text) == ["f"])
  }

  @Test(arguments: [
    "-- function: the slug of a page", "-- module: billing", "-- collation: see below",
    "-- functions: f() -> TEXT", "-- a function: f() -> TEXT", "-- Function: f() -> TEXT",
    "-- window: (see above)", "SELECT '-- function: f() -> TEXT'",
  ])
  func `are not confused with prose`(_ text: String) {
    let (declarations, diagnostics) = parse(text)
    #expect(diagnostics.isEmpty)
    #expect(declarations.isEmpty)
  }

  @Test func `specify Swift types after AS`() throws {
    let source = SourceText(
      "-- function: f(a INTEGER NOT NULL AS Date, b TEXT AS [String: [Int]] USING JSON NOT NULL) "
        + "-> REAL AS Range<Double> USING Spans deterministic")
    var list = DiagnosticList()
    let script = Parser.parseScript(source, diagnostics: &list)
    let f = try #require(script.declarations.first)
    #expect(list.diagnostics.isEmpty)
    #expect(
      f.parameters.map { $0.annotation.map { source[$0] } } == [
        "Date", "[String: [Int]] USING JSON",
      ])
    #expect(f.parameters[1].column.constraints.count == 1)
    #expect(f.result?.annotation.map { source[$0] } == "Range<Double> USING Spans")
    #expect(Set(f.attributes.keys) == [.deterministic])
  }

  @Test func `of modules have columns`() throws {
    let (declarations, diagnostics) = parse(
      "-- module: vec0(*, distance REAL HIDDEN, k INTEGER NOT NULL HIDDEN) extension readonly\n"
        + "-- module: series(value) eponymous only")
    #expect(diagnostics.isEmpty)
    #expect(declarations.map(\.takesColumns) == [true, false])
    #expect(declarations[0].parameters.map(\.isHidden) == [true, true])
    #expect(Set(declarations[0].attributes.keys) == [.extension, .readonly])
    #expect(Set(declarations[1].attributes.keys) == [.eponymousOnly])
  }

  @Test func `are documented by the lines above them, which document no statement`() throws {
    let text = """
      SELECT 1; -- not a description
      -- The slug.
      -- Of a title.
      -- function: slug(title TEXT) -> TEXT
      -- collation: localized
      -- Pages.
      CREATE TABLE page (id INTEGER);
      """
    var list = DiagnosticList()
    let script = Parser.parseScript(SourceText(text), diagnostics: &list)
    #expect(script.declarations.map(\.documentation) == [["The slug.", "Of a title."], []])
    #expect(script.statements.map(\.documentation) == [[], ["Pages."]])
  }

  @Test(arguments: [
    ("-- function: f(x TEXT①)② TEXT", "expected the type of the result"),
    ("-- function: f(x TEXT) -> TEXT ①determinstic②", "did you mean \"deterministic\"?"),
    ("-- function: f(x TEXT ①CHECK (x > 1)②) -> TEXT", "NOT NULL or have a DEFAULT"),
    ("-- module: m(x TEXT ①DEFAULT 1②)", "PRIMARY KEY, NOT NULL or HIDDEN"),
    ("-- aggregate: f(x) -> TEXT ①returns② null on null input", "unexpected \"returns\""),
    ("-- function: f(x) -> TEXT innocuous ①directonly②", "either innocuous"),
    ("-- function: f(①)② -> TEXT, g()", ""),
  ])
  func `are checked`(_ marked: String, _ message: String) {
    let plain = marked.filter { $0 != "①" && $0 != "②" }
    let (_, diagnostics) = parse(plain)
    #expect(diagnostics.count == 1)
    #expect(diagnostics.first?.message.contains(message) == true || message.isEmpty)
  }

  @Test(arguments: [
    "-- function: f(", "-- function: f(x", "-- function: f(x TEXT) ->",
    "-- function: f(x AS ) -> T",
    "-- function: f(x TEXT AS", "-- function: f(VARIADIC) -> TEXT", "-- collation: \"",
    "-- function: \"f(", "/* function: f(", "-- function: f(x) -> TEXT AS <",
  ])
  func `may be cut off anywhere`(_ text: String) { _ = parse(text) }
}
