import SQLSyntax
import Testing

/// A comparison with the results of SQLite 3.40.1. The thresholds are just below the achieved
/// rates.
@Suite struct `The open corpora` {
  static let files = [
    "probes.jsonl", "real-world.jsonl", "sqlc-sqlite.jsonl", "sqlc-other-engines.jsonl",
    "sqlite-upstream.jsonl.gz", "result-parity.jsonl", "result-parity-2.jsonl",
  ]

  @Test(arguments: files)
  func `are accepted and rejected by the parser as in SQLite`(
    _ file: String
  ) throws {
    guard let cases = try Corpus.lines(file, as: Corpus.Case.self) else { return }
    let options = ParserOptions(allowsListParameters: file == "probes.jsonl")
    var accepted = (good: 0, all: 0)
    var refused = (good: 0, all: 0)
    for entry in cases {
      var list = DiagnosticList()
      let script = Parser.parseScript(
        SourceText(entry.sql), options: options, diagnostics: &list)
      if entry.isAccepted {
        accepted.all += 1
        let isGood = !list.hasErrors && script.statements.allSatisfy { printsToItself($0, options) }
        accepted.good += isGood ? 1 : 0
        if !isGood { print("not accepted: \(entry.id): \(list.diagnostics.first?.message ?? "")") }
      } else if entry.isSyntaxError {
        refused.all += 1
        refused.good += list.hasErrors ? 1 : 0
        if !list.hasErrors { print("not rejected: \(entry.id)") }
      }
    }
    print(
      "\(file): accepted \(accepted.good) of \(accepted.all), refused \(refused.good) of "
        + "\(refused.all)")
    #expect(Double(accepted.good) >= 0.9999 * Double(accepted.all))
    #expect(Double(refused.good) >= 0.9999 * Double(refused.all))
  }

  @Test(arguments: [
    "real-world.schemas.jsonl.gz", "sqlite-upstream.schemas.jsonl", "result-parity.setups.jsonl",
    "result-parity-2.jsonl",
  ])
  func `are parsed completely if they are scripts`(_ file: String) throws {
    guard let setups = try Corpus.lines(file, as: Corpus.Setup.self) else { return }
    var statements = 0
    for text in Set(setups.compactMap(\.text)) {
      var list = DiagnosticList()
      let script = Parser.parseScript(SourceText(text), diagnostics: &list)
      #expect(list.diagnostics.isEmpty)
      statements += script.statements.count
      for statement in script.statements {
        #expect(printsToItself(statement, ParserOptions()))
      }
    }
    print("\(file): \(statements) statements")
  }

  private func printsToItself(_ statement: ScriptStatement, _ options: ParserOptions) -> Bool {
    var list = DiagnosticList()
    let printed = SourceText(Printer.text(of: statement.statement))
    return Parser.parseStatement(printed, options: options, diagnostics: &list)
      == statement.statement
  }
}
