import Foundation
import QueryModel
import SQLSemantics
import SQLSyntax
import Testing

/// What share of a corpus has to come out as SQLite has it, in per cent: just under what does.
struct Threshold: CustomTestStringConvertible, Sendable {
  let file: String
  var schemas: String?
  let accepted: Double, refused: Double, names: Double, parameters: Double
  var testDescription: String { file }
}

/// How many of how many.
struct Share: CustomStringConvertible {
  var hits = 0
  var count = 0

  mutating func add(_ isHit: Bool) {
    count += 1
    if isHit { hits += 1 }
  }

  var percent: Double { count == 0 ? 100 : 100 * Double(hits) / Double(count) }

  var description: String {
    let hundredths = Int((percent * 100).rounded(.down))
    let fraction = hundredths % 100
    return "\(hundredths / 100).\(fraction < 10 ? "0" : "")\(fraction) % of \(count)"
  }
}

@Suite struct `Corpora` {
  @Test(arguments: [
    Threshold(
      file: "sqlc-sqlite.jsonl", accepted: 100, refused: 100, names: 100, parameters: 100),
    Threshold(
      file: "sqlc-other-engines.jsonl", accepted: 100, refused: 100, names: 100,
      parameters: 100),
    Threshold(
      file: "real-world.jsonl", schemas: "real-world.schemas.jsonl.gz", accepted: 99.9,
      refused: 100, names: 99.9, parameters: 100),
    Threshold(
      file: "sqlite-upstream.jsonl.gz", schemas: "sqlite-upstream.schemas.jsonl",
      accepted: 99.9, refused: 99.8, names: 99.9, parameters: 100),
  ])
  func `are judged as SQLite judges them`(_ threshold: Threshold) throws {
    guard let cases = try Corpus.lines(threshold.file, as: Corpus.Case.self) else { return }
    var schemas: [String: String] = [:]
    if let name = threshold.schemas {
      guard let lines = try Corpus.lines(name, as: Corpus.Schema.self) else { return }
      for line in lines { schemas[line.schema_id] = line.sql }
    }
    var catalogs: [String: Catalog] = [:]
    var accepted = Share()
    var refused = Share()
    var names = Share()
    var parameters = Share()
    var readOnly = Share()
    for line in cases where line.counts {
      let schema = line.schema_sql ?? line.schema_id.flatMap { schemas[$0] } ?? ""
      let catalog = catalogs[schema] ?? Corpus.catalog(schema)
      catalogs[schema] = catalog
      let analysis = Self.analyze(line.query_sql, catalog)
      guard line.expect == "accept" else {
        refused.add(analysis == nil)
        continue
      }
      accepted.add(analysis != nil)
      guard let analysis else { continue }
      if let columns = line.columns, line.names_unstable != true {
        names.add(columns.map(\.name) == analysis.columns.map(\.name))
      }
      if let count = line.params?.count { parameters.add(count == analysis.parameterCount) }
      if let isReadOnly = line.readonly { readOnly.add(isReadOnly == analysis.isReadOnly) }
    }
    print(
      "\(threshold.file): accepted \(accepted), refused \(refused), names \(names), "
        + "parameters \(parameters), read-only \(readOnly)")
    #expect(accepted.percent >= threshold.accepted)
    #expect(refused.percent >= threshold.refused)
    #expect(names.percent >= threshold.names)
    #expect(parameters.percent >= threshold.parameters)
  }

  /// What is said of a text of one statement, or of several one after the other.
  private static func analyze(_ sql: String, _ catalog: Catalog) -> StatementAnalysis? {
    let source = SourceText(sql)
    var list = DiagnosticList()
    let script = Parser.parseScript(source, diagnostics: &list)
    var catalog = catalog
    var last = StatementAnalysis.nothing
    for entry in script.statements where !list.hasErrors {
      last = Analyzer(catalog: catalog)
        .analyze(entry.statement, source: source, diagnostics: &list)
      guard script.statements.count > 1 else { break }
      var ignored = DiagnosticList()
      catalog.apply(entry.statement, source: source, diagnostics: &ignored)
    }
    return list.hasErrors ? nil : last
  }

  @Test func `of results hold what their types say`() throws {
    guard let setups = try Corpus.lines("result-parity.setups.jsonl", as: Corpus.Setup.self),
      let first = try Corpus.lines("result-parity.jsonl", as: Corpus.Result.self),
      let second = try Corpus.lines("result-parity-2.jsonl", as: Corpus.Result.self)
    else { return }
    let scripts = Dictionary(uniqueKeysWithValues: setups.map { ($0.setup_id, $0.sql) })
    var accepted = Share()
    var refused = Share()
    var sound = Share()
    for line in first + second where line.phase != "step" {
      let setup = line.setup_sql ?? line.setup_id.flatMap { scripts[$0] } ?? ""
      let analyses = Self.analyses(line.query, Corpus.catalog(setup))
      guard line.expect != "error" else {
        refused.add(analyses == nil)
        continue
      }
      accepted.add(analyses != nil)
      let withRows = (analyses ?? []).filter { !$0.columns.isEmpty }
      guard withRows.count == 1, let rows = line.expected_rows else { continue }
      sound.add(
        rows.allSatisfy { row in
          row.count != withRows[0].columns.count
            || zip(row, withRows[0].columns).allSatisfy { $0.fits($1) }
        })
    }
    print("results: accepted \(accepted), refused \(refused), sound \(sound)")
    #expect(accepted.percent >= 99.9)
    #expect(refused.percent >= 99)
    // Columns of tables that are not STRICT may hold what their types do not name.
    #expect(sound.percent >= 99.7)
  }

  private static func analyses(_ sql: String, _ catalog: Catalog) -> [StatementAnalysis]? {
    let source = SourceText(sql)
    var list = DiagnosticList()
    let script = Parser.parseScript(source, diagnostics: &list)
    var catalog = catalog
    var result: [StatementAnalysis] = []
    for entry in script.statements {
      result.append(
        Analyzer(catalog: catalog).analyze(entry.statement, source: source, diagnostics: &list))
      var ignored = DiagnosticList()
      catalog.apply(entry.statement, source: source, diagnostics: &ignored)
    }
    return list.hasErrors ? nil : result
  }
}

extension StatementAnalysis {
  /// What is said of a text without a statement.
  static let nothing = StatementAnalysis(
    columns: [], parameters: [], parameterCount: 0, cardinality: .none, isReadOnly: true)
}

extension Corpus.Value {
  /// Whether a column that is said to be so may hold the value.
  func fits(_ column: StatementAnalysis.Column) -> Bool {
    switch (self, column.type) {
    case (.null, _): column.isNullable
    case (_, .any), (.integer, .integer), (.integer, .boolean), (.integer, .numeric),
      (.real, .real), (.real, .numeric), (.text, .text), (.blob, .blob):
      true
    // JSON does not tell 1.0 from 1.
    case (.integer, .real): true
    default: false
    }
  }
}
