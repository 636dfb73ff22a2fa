// Prints: id: integer, name: text?
import QueryModel
import SQLSemantics
import SQLSyntax

/// A tool that uses QueryGen's compiler to determine a statement's columns without a database.
enum QueryGenCompilerConsumer {
  static func run() async throws -> String {
    let source = SourceText(
      "CREATE TABLE user (id INTEGER PRIMARY KEY, name TEXT); SELECT id, name FROM user")
    var diagnostics = DiagnosticList()
    let script = Parser.parseScript(source, diagnostics: &diagnostics)
    var catalog = Catalog()
    catalog.apply(script.statements[0].statement, source: source, diagnostics: &diagnostics)
    let analysis = Analyzer(catalog: catalog)
      .analyze(script.statements[1].statement, source: source, diagnostics: &diagnostics)
    if diagnostics.hasErrors { return "\(diagnostics.diagnostics.map(\.message))" }
    return analysis.columns.map { "\($0.name): \($0.type)\($0.isNullable ? "?" : "")" }
      .joined(separator: ", ")
  }
}
