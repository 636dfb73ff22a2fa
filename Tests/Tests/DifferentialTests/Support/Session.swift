import QueryModel
import SQLSemantics
import SQLSyntax
import SQLiteCore

/// A connection and a QueryGen catalog in which the same statements have run.
struct Session {
  let connection: Connection
  var catalog = Catalog()

  /// Creates a session with SQLite's default configuration.
  ///
  /// - Parameter takesStrings: Whether unknown names in double quotes are strings, as by default.
  init(takesStrings: Bool = true) throws {
    var configuration = Configuration()
    configuration.enforcesForeignKeys = false
    configuration.allowsDoubleQuotedStrings = takesStrings
    configuration.trustsSchema = true
    configuration.isDefensive = false
    connection = try Connection.inMemory(configuration: configuration)
  }

  init(setup: String, takesStrings: Bool = true) throws {
    try self.init(takesStrings: takesStrings)
    run(setup)
  }

  /// Runs a script in the engine, and replays the statements that the engine accepts.
  mutating func run(_ script: String) {
    let source = SourceText(script)
    var diagnostics = DiagnosticList()
    for entry in Parser.parseScript(source, diagnostics: &diagnostics).statements {
      guard (try? connection.execute(SQL(unsafe: source[entry.statement.span]))) != nil else {
        continue
      }
      apply(entry.statement, source)
    }
  }

  mutating func apply(_ statement: Statement, _ source: SourceText) {
    var ignored = DiagnosticList()
    catalog.apply(statement, source: source, diagnostics: &ignored)
  }

  /// Returns QueryGen's analysis of a statement, or the reason for rejecting it.
  func analyze(
    _ statement: Statement, _ source: SourceText
  ) -> (analysis: StatementAnalysis?, refusal: String?) {
    var diagnostics = DiagnosticList()
    let analysis = Analyzer(catalog: catalog)
      .analyze(statement, source: source, diagnostics: &diagnostics)
    return diagnostics.hasErrors
      ? (nil, diagnostics.diagnostics.first?.message) : (analysis, nil)
  }
}

/// A syntax tree of a statement. SQLiteCore has a type of the same name for prepared statements.
typealias Statement = SQLSyntax.Statement
