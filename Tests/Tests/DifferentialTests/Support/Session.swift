import QueryModel
import SQLSemantics
import SQLSyntax
import SQLiteCore

/// The engine and QueryGen side by side: both have run the same statements.
struct Session {
  let connection: Connection
  var catalog = Catalog()

  /// A connection as a program that sets nothing up has it.
  ///
  /// - Parameter takesStrings: Whether an unknown name in double quotes is a text, as it is there.
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

  /// Runs a script in the engine; what the engine takes is replayed here too.
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

  /// What QueryGen says of a statement; `nil` where it refuses it, and why.
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

/// A statement of SQL; SQLiteCore has a type of the same name, for one that is compiled.
typealias Statement = SQLSyntax.Statement
