import SQLSyntax
import SQLiteCore
import Testing

@Suite struct `Claims about the data sets` {
  struct DataSet: CustomTestStringConvertible, Sendable {
    let path: String
    let queries: [String]
    var testDescription: String { path }
  }

  @Test(arguments: [
    DataSet(path: "datasets/Chinook_Sqlite.sql", queries: DataSetQueries.chinook),
    DataSet(path: "datasets/northwind_create.sql", queries: DataSetQueries.northwind),
  ])
  func `are true for every row`(_ set: DataSet) throws {
    guard var script = try CorpusFiles.text(set.path) else { return }
    if script.first == "\u{FEFF}" { script.removeFirst() }
    let session = try Session(setup: script)
    let stored = StoredValues(session.connection)
    var tally = Tally()
    for sql in set.queries {
      let source = SourceText(sql)
      var diagnostics = DiagnosticList()
      let parsed = try #require(Parser.parseStatement(source, diagnostics: &diagnostics), "\(sql)")
      let statement = try session.connection.prepare(SQL(unsafe: sql))
      let (analysis, refusal) = session.analyze(parsed, source)
      guard let analysis else {
        tally.refused.append("\(sql): \(refusal ?? "")")
        continue
      }
      var trial = try analysis.verifyClaims(against: statement)
      let isOutside = !trial.failedClaims.isEmpty && stored.touches(statement)
      for index in trial.failedClaims.indices {
        trial.failedClaims[index].involvesUnsuitableValues = isOutside
      }
      tally.add(trial)
    }
    tally.report(set.path)
    #expect(tally.failedClaims.isEmpty)
    #expect(tally.refused.isEmpty)
    #expect(tally.rows > 1000)
  }
}
