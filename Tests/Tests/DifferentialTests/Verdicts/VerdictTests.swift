import SQLSemantics
import SQLSyntax
import SQLiteCore
import Testing

/// The minimum percentages of equal verdicts for a corpus, just below the current values.
struct Verdicts: CustomTestStringConvertible, Sendable {
  let file: String
  var schemas: String?
  let accepted: Double, refused: Double, agreed: Double
  var testDescription: String { file }
}

@Suite struct `Verdicts on the corpora` {
  @Test(arguments: [
    Verdicts(file: "sqlc-sqlite.jsonl", accepted: 100, refused: 100, agreed: 100),
    Verdicts(file: "sqlc-other-engines.jsonl", accepted: 100, refused: 100, agreed: 100),
    Verdicts(
      file: "real-world.jsonl", schemas: "real-world.schemas.jsonl.gz", accepted: 99.9,
      refused: 100, agreed: 99.9),
    Verdicts(
      file: "sqlite-upstream.jsonl.gz", schemas: "sqlite-upstream.schemas.jsonl",
      accepted: 99.9, refused: 99.7, agreed: 99.9),
    Verdicts(file: "probes.jsonl", accepted: 100, refused: 100, agreed: 100),
  ])
  func `equal the verdicts of the engine`(_ wanted: Verdicts) throws {
    guard
      let cases = try CorpusFiles.lines(
        "sql/\(wanted.file)", as: CorpusFiles.Case.self, every: CorpusFiles.step)
    else { return }
    var schemas: [String: String] = [:]
    if let name = wanted.schemas {
      guard let lines = try CorpusFiles.lines("sql/\(name)", as: CorpusFiles.Schema.self) else {
        return
      }
      for line in lines { schemas[line.schema_id] = line.sql }
    }
    var ledger = Ledger()
    var sessions = SessionPool()
    for line in cases where line.counts {
      let schema = line.schema ?? line.schemaID.flatMap { schemas[$0] } ?? ""
      try sessions.with(schema) { session in
        judge(line, in: session, &ledger)
      }
    }
    ledger.report(wanted.file)
    #expect(ledger.accepted.reaches(wanted.accepted, oneIn: CorpusFiles.step))
    #expect(ledger.refused.reaches(wanted.refused, oneIn: CorpusFiles.step))
    #expect(ledger.agreed.reaches(wanted.agreed, oneIn: CorpusFiles.step))
  }

  /// Compares the two verdicts on one case.
  ///
  /// - Returns: Whether the connection is unchanged. A `PRAGMA` may take effect when it is
  ///   compiled.
  private func judge(_ line: CorpusFiles.Case, in session: Session, _ ledger: inout Ledger) -> Bool
  {
    let source = SourceText(line.query)
    var diagnostics = DiagnosticList()
    let script = Parser.parseScript(source, diagnostics: &diagnostics)
    let first = script.statements.first?.statement
    let engine: SQLiteCore.Statement?
    var message = ""
    do {
      engine = try session.connection.prepare(SQL(unsafe: line.query))
    } catch {
      if error.code == .trailingSQL || error.code == .emptyStatement {
        ledger.leftOut += 1
        return true
      }
      engine = nil
      message = error.message
    }
    var analysis: StatementAnalysis?
    if let first, !diagnostics.hasErrors {
      analysis = Analyzer(catalog: session.catalog)
        .analyze(first, source: source, diagnostics: &diagnostics)
    }
    if diagnostics.hasErrors { analysis = nil }
    ledger.add(line, engine, message, analysis, diagnostics.diagnostics.first?.message)
    if case .pragma = first { return false }
    return true
  }
}

/// The verdicts of a corpus, by error class.
struct Ledger {
  var accepted = Share()
  var refused = Share()
  var agreed = Share()
  var leftOut = 0
  private var byClass: [String: Share] = [:]
  private var disagreements: [String] = []

  mutating func add(
    _ line: CorpusFiles.Case, _ engine: SQLiteCore.Statement?, _ message: String,
    _ analysis: StatementAnalysis?, _ refusal: String?
  ) {
    guard let engine else {
      refused.add(analysis == nil)
      byClass[line.errorClass ?? "other", default: Share()].add(analysis == nil)
      if analysis != nil {
        disagreements.append("\(line.id): only the engine rejects: \(message): \(line.query)")
      }
      return
    }
    accepted.add(analysis != nil)
    byClass["accepted", default: Share()].add(analysis != nil)
    guard let analysis else {
      disagreements.append("\(line.id): only the engine accepts: \(refusal ?? ""): \(line.query)")
      return
    }
    let isSame =
      analysis.columns.map(\.name) == engine.columnNames
      && analysis.parameterCount == engine.parameterCount
      && analysis.isReadOnly == engine.isReadOnly
    agreed.add(isSame)
    if !isSame {
      disagreements.append(
        "\(line.id): columns \(analysis.columns.map(\.name)) against \(engine.columnNames), "
          + "parameters \(analysis.parameterCount) against \(engine.parameterCount), "
          + "read-only \(analysis.isReadOnly) against \(engine.isReadOnly): \(line.query)")
    }
  }

  func report(_ name: String) {
    print(
      "\(name): accepted \(accepted), refused \(refused), "
        + "names, parameters and read-only \(agreed), \(leftOut) skipped")
    for (name, share) in byClass.sorted(by: { $0.key < $1.key }) where share.hits < share.count {
      print("  \(name): \(share)")
    }
    for disagreement in disagreements.prefix(25) {
      print("  \(disagreement.prefix(400))")
    }
  }
}
