import QueryModel
import SQLSemantics
import SQLSyntax
import Testing

@Suite struct `Functions of newer releases` {
  private func diagnostics(_ sql: String, _ target: SQLiteVersion) -> [Diagnostic] {
    var list = DiagnosticList()
    let source = SourceText(sql)
    let options = ParserOptions(target: target)
    guard let statement = Parser.parseStatement(source, options: options, diagnostics: &list) else {
      return list.diagnostics
    }
    _ = Analyzer(catalog: Catalog(target: target))
      .analyze(statement, source: source, diagnostics: &list)
    return list.diagnostics
  }

  @Test(arguments: [
    ("SELECT concat('a', 1)", SQLiteVersion(3, 44)),
    ("SELECT string_agg(value, ',' ORDER BY key DESC) FROM json_each('[1]')", SQLiteVersion(3, 44)),
    ("SELECT unhex('00')", SQLiteVersion(3, 41)),
    ("SELECT iif(1, 2)", SQLiteVersion(3, 48)),
    ("SELECT jsonb('[]')", SQLiteVersion(3, 45)),
    ("SELECT key, value, fullkey FROM jsonb_each('[1]', '$')", SQLiteVersion(3, 51)),
    ("SELECT jsonb_tree.id FROM jsonb_tree(?)", SQLiteVersion(3, 51)),
    ("SELECT json_array_insert('[]', '$[0]', 1)", SQLiteVersion(3, 53)),
    ("REINDEX expressions", SQLiteVersion(3, 53)),
  ])
  func `are available if the target has them, and reported otherwise`(
    _ sql: String, _ version: SQLiteVersion
  ) {
    #expect(diagnostics(sql, version) == [])
    #expect(diagnostics(sql, SQLiteVersion(3, 60)) == [])
    let refused = diagnostics(sql, SQLiteVersion(3, version.minor - 1))
    #expect(refused.map(\.identity) == [.newerThanTarget])
  }

  @Test func `are reported with the required release`() {
    #expect(
      diagnostics("SELECT concat(1)", .standard).map(\.message)
        == ["`concat()` requires SQLite 3.44, but the target is 3.40"])
  }

  @Test func `Only aggregates may order their arguments`() {
    #expect(
      diagnostics("SELECT abs(1 ORDER BY 2)", SQLiteVersion(3, 44)).map(\.identity)
        == [.aggregateMisuse])
  }

  @Test func `generate_series requires its extension`() throws {
    let sql = "SELECT value FROM generate_series(1, :stop) WHERE step = 2"
    expectRefused(Refusal("SELECT 1 FROM ①generate_series②(1)", .unknownTable))
    var database = Database()
    database.catalog = Catalog(extensions: [.series])
    let (analysis, diagnostics) = database.analyze(sql)
    #expect(diagnostics == [])
    let column = try #require(analysis?.columns.first)
    #expect(spelling(column.type, column.isNullable) == "integer")
    #expect(analysis?.parameters.map(\.type) == [.integer])
  }
}
