import QueryModel
import SQLSemantics
import SQLSyntax
import Testing

/// A schema for the analysis of statements.
struct Database {
  var catalog = Catalog()
  var diagnostics = DiagnosticList()

  init(_ schema: String = Database.library) {
    apply(schema)
  }

  /// Creates a schema with declared functions, collations and modules, one on each line.
  init(declaring declarations: String, _ schema: String = Database.library) {
    let source = SourceText(
      declarations.split(separator: "\n").map { "-- \($0)" }.joined(separator: "\n"))
    let script = Parser.parseScript(source, diagnostics: &diagnostics)
    var collector = DeclarationCollector()
    for declaration in script.declarations {
      collector.add(declaration, in: source, path: "1.sql", diagnostics: &diagnostics)
    }
    catalog = Catalog(declarations: collector.declarations)
    apply(schema)
  }

  /// The tables that most tests use.
  static let library = """
    CREATE TABLE user (
      id INTEGER PRIMARY KEY, name TEXT NOT NULL, age INTEGER, score REAL, avatar BLOB,
      email TEXT UNIQUE, active BOOLEAN NOT NULL DEFAULT TRUE, born DATE, bonus NUMERIC,
      managerId INTEGER REFERENCES user(id));
    CREATE TABLE post (
      id INTEGER PRIMARY KEY, userId INTEGER NOT NULL REFERENCES user(id), title TEXT NOT NULL,
      body TEXT, created_at INTEGER NOT NULL);
    CREATE TABLE tag (
      postId INTEGER NOT NULL, name TEXT NOT NULL, PRIMARY KEY (postId, name)) WITHOUT ROWID;
    """

  mutating func apply(_ sql: String) {
    let source = SourceText(sql)
    let script = Parser.parseScript(source, diagnostics: &diagnostics)
    for entry in script.statements {
      catalog.apply(
        entry.statement, source: source, documentation: entry.documentation,
        diagnostics: &diagnostics)
    }
  }

  /// Returns a statement's analysis and diagnostics.
  func analyze(_ sql: String) -> (analysis: StatementAnalysis?, diagnostics: [Diagnostic]) {
    let source = SourceText(sql)
    var list = DiagnosticList()
    guard let statement = Parser.parseStatement(source, diagnostics: &list) else {
      return (nil, list.diagnostics)
    }
    let analysis = Analyzer(catalog: catalog)
      .analyze(statement, source: source, diagnostics: &list)
    return (analysis, list.diagnostics)
  }

  /// Returns the definition of a query file's only query.
  func query(_ sql: String) -> (definition: QueryDefinition?, diagnostics: [Diagnostic]) {
    let source = SourceText(sql)
    var list = DiagnosticList()
    let file = Parser.parseQueryFile(
      source, options: ParserOptions(allowsListParameters: true), diagnostics: &list)
    guard let query = file.queries.first, !list.hasErrors else { return (nil, list.diagnostics) }
    let definition = Analyzer(catalog: catalog)
      .analyze(query, source: source, diagnostics: &list)
    return (definition, list.diagnostics)
  }
}

/// A text in which `①` and `②` mark the expected span of a diagnostic.
struct MarkedText {
  let text: String
  let span: ByteSpan?

  init(_ marked: String) {
    var plain = ""
    var start: Int?
    var end: Int?
    for character in marked {
      switch character {
      case "①": start = plain.utf8.count
      case "②": end = plain.utf8.count
      default: plain.append(character)
      }
    }
    text = plain
    span = if let start, let end { ByteSpan(start..<end) } else { nil }
  }
}

/// A statement that must be rejected with the given identity at the marked span.
struct Refusal: CustomTestStringConvertible, Sendable {
  let sql: String
  let identity: Diagnostic.Identity
  var testDescription: String { sql }

  init(_ sql: String, _ identity: Diagnostic.Identity) {
    self.sql = sql
    self.identity = identity
  }
}

func expectRefused(
  _ refusal: Refusal, in database: Database = Database(),
  sourceLocation: SourceLocation = #_sourceLocation
) {
  let marked = MarkedText(refusal.sql)
  let diagnostics = database.analyze(marked.text).diagnostics
  #expect(
    diagnostics.map(\.identity) == [refusal.identity], "\(diagnostics.map(\.message))",
    sourceLocation: sourceLocation)
  if let span = marked.span {
    #expect(diagnostics.first?.span == span, sourceLocation: sourceLocation)
  }
}

func expectAccepted(
  _ sql: String, in database: Database = Database(),
  sourceLocation: SourceLocation = #_sourceLocation
) {
  let diagnostics = database.analyze(sql).diagnostics
  #expect(diagnostics.map(\.message) == [], sourceLocation: sourceLocation)
}

/// Returns a type as tests spell it: `text`, or `text?` if the value may be `NULL`.
func spelling(_ type: ValueType, _ isNullable: Bool) -> String {
  "\(type)" + (isNullable ? "?" : "")
}
