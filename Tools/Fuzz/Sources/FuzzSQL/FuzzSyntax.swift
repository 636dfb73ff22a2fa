import Fuzzing
import SQLSyntax

/// Tests that tokens and comments are in order and do not overlap.
func fuzzTokens(_ bytes: [UInt8]) {
  let source = SourceText(bytes: bytes)
  let list = Lexer.tokenize(source)
  expect(list.tokens.last?.kind == .endOfText, "the last token is not the end")
  var spans = (list.tokens.map(\.span) + list.comments).map(\.range)
  spans.sort { ($0.lowerBound, $0.upperBound) < ($1.lowerBound, $1.upperBound) }
  var end = 0
  for span in spans {
    expect(span.lowerBound >= end, "two tokens overlap at \(span)")
    end = span.upperBound
  }
  expect(end <= bytes.count, "a token ends after the end of the text")
  _ = Lexer.tokenize(source, allowsLabels: true)
}

/// Parses a script, and tests that the printed tree is parsed as the same tree and that errors have
/// a position in the text.
func fuzzScript(_ bytes: [UInt8]) {
  for target in [SQLiteVersion.standard, newest] { fuzzScript(bytes, target) }
}

/// A version that supports the syntax of all releases.
let newest = SQLiteVersion(3, 60)

private func fuzzScript(_ bytes: [UInt8], _ target: SQLiteVersion) {
  let source = SourceText(bytes: bytes)
  var diagnostics = DiagnosticList()
  let options = ParserOptions(allowsListParameters: true, target: target)
  let script = Parser.parseScript(source, options: options, diagnostics: &diagnostics)
  check(diagnostics, bytes.count)
  for entry in script.statements {
    let text = SourceText(Printer.text(of: entry.statement))
    var faults = DiagnosticList()
    let again = Parser.parseStatement(text, options: options, diagnostics: &faults)
    expect(
      again == entry.statement,
      "a different tree is parsed from \(text[ByteSpan(0..<text.byteCount)]): \(faults.diagnostics)"
    )
  }
}

func fuzzQueries(_ bytes: [UInt8]) {
  var diagnostics = DiagnosticList()
  let file = Parser.parseQueryFile(
    SourceText(bytes: bytes), options: ParserOptions(allowsListParameters: true),
    diagnostics: &diagnostics)
  check(diagnostics, bytes.count)
  for query in file.queries {
    expect(
      query.statement.span.range.upperBound <= bytes.count, "a query ends after the end of the text"
    )
  }
}

/// Tests that the number of errors is limited, and that each has a message and a position in the
/// text.
func check(_ list: DiagnosticList, _ count: Int) {
  expect(list.errorCount <= DiagnosticList.limit, "too many errors are kept")
  for diagnostic in list.diagnostics {
    let range = diagnostic.span.range
    expect(
      range.lowerBound >= 0 && range.upperBound <= count,
      "an error has no valid position: \(diagnostic)")
    expect(!diagnostic.message.isEmpty, "an error has no message: \(diagnostic)")
  }
}
