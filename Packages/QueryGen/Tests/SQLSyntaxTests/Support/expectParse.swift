import SQLSyntax
import Testing

/// An expected diagnostic: its identity and, if relevant, its message.
struct Fault {
  let identity: Diagnostic.Identity
  let message: String?

  init(_ identity: Diagnostic.Identity, _ message: String? = nil) {
    self.identity = identity
    self.message = message
  }
}

/// A text with marked spans: `①…②` is the first span, `③…④` the second, and so on.
struct MarkedText {
  let text: String
  let spans: [ByteSpan]

  init(_ marked: String) {
    var text = ""
    var places: [Int: Int] = [:]
    for scalar in marked.unicodeScalars {
      if (0x2460...0x2473).contains(scalar.value) {
        places[Int(scalar.value) - 0x2460] = text.utf8.count
      } else {
        text.unicodeScalars.append(scalar)
      }
    }
    self.text = text
    spans = stride(from: 0, to: places.count, by: 2).compactMap { first in
      guard let start = places[first], let end = places[first + 1] else { return nil }
      return ByteSpan(start..<end)
    }
  }
}

/// Parses a marked script and checks that it yields the given diagnostics, at the marks in order,
/// and that the printed SQL of every parsed statement parses to an equal statement.
@discardableResult
func expectParse(
  _ marked: String, _ faults: Fault..., options: ParserOptions = ParserOptions(),
  sourceLocation: SourceLocation = #_sourceLocation
) -> [Statement] {
  let marked = MarkedText(marked)
  var list = DiagnosticList()
  let script = Parser.parseScript(SourceText(marked.text), options: options, diagnostics: &list)
  expect(list, faults, at: marked.spans, sourceLocation: sourceLocation)
  for statement in script.statements {
    expectRoundTrip(statement.statement, options: options, sourceLocation: sourceLocation)
  }
  return script.statements.map(\.statement)
}

/// Parses a marked query file and makes the same checks.
@discardableResult
func expectQueryFile(
  _ marked: String, _ faults: Fault..., sourceLocation: SourceLocation = #_sourceLocation
) -> [NamedQuery] {
  let marked = MarkedText(marked)
  var list = DiagnosticList()
  let file = Parser.parseQueryFile(SourceText(marked.text), diagnostics: &list)
  expect(list, faults, at: marked.spans, sourceLocation: sourceLocation)
  for query in file.queries {
    expectRoundTrip(query.statement, options: ParserOptions(), sourceLocation: sourceLocation)
  }
  return file.queries
}

/// Checks that a statement's printed SQL parses to an equal statement.
func expectRoundTrip(
  _ statement: Statement, options: ParserOptions, sourceLocation: SourceLocation
) {
  let printed = Printer.text(of: statement)
  var list = DiagnosticList()
  let again = Parser.parseStatement(SourceText(printed), options: options, diagnostics: &list)
  #expect(
    again == statement, "\(printed) — \(list.diagnostics.first?.message ?? "another tree")",
    sourceLocation: sourceLocation)
}

private func expect(
  _ list: DiagnosticList, _ faults: [Fault], at spans: [ByteSpan],
  sourceLocation: SourceLocation
) {
  let found = list.diagnostics
  #expect(
    found.map(\.identity) == faults.map(\.identity), "\(found.map(\.message))",
    sourceLocation: sourceLocation)
  #expect(
    found.map(\.span) == spans, "\(found.map { ($0.span.range, $0.message) })",
    sourceLocation: sourceLocation)
  for (diagnostic, fault) in zip(found, faults) {
    guard let message = fault.message else { continue }
    #expect(diagnostic.message == message, sourceLocation: sourceLocation)
  }
}

/// Parses one expression.
func parsedExpression(
  _ text: String, sourceLocation: SourceLocation = #_sourceLocation
) throws -> Expression {
  let statement = try #require(
    expectParse("SELECT " + text, sourceLocation: sourceLocation).first,
    sourceLocation: sourceLocation)
  guard case .select(let select) = statement, case .query(let query) = select.first,
    case .expression(let expression, _) = query.columns[0].kind
  else { throw NoExpression() }
  return expression
}

struct NoExpression: Error {}
