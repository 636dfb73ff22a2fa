import QueryModel
import SQLSemantics
import SQLSyntax
import SQLiteCore
import Testing

@Suite struct `Claims about random rows` {
  private static let seed: UInt64 = 0x486F_6C74
  /// The number of fills. The first one leaves the tables empty.
  private static let roundCount = CorpusFiles.step == 1 ? 60 : 12

  @Test(arguments: RandomCase.all)
  func `are true for every fill of the tables`(_ group: RandomCase) throws {
    var tally = Tally()
    let session = try Session(setup: group.schema)
    var fill = RandomFill(random: RandomSource(seed: Self.seed))
    let prepared = group.queries.map { analyzed($0, session, &tally) }
    var finished: Set<String> = []
    for round in 0..<Self.roundCount {
      fill.isExtreme = round % 2 == 1
      try fill.refill(session.connection, isEmpty: round == 0)
      let stored = StoredValues(session.connection)
      // Only generated columns can exceed 64 bits.
      #expect(fill.isExtreme || stored.unsuitable.isEmpty)
      for case let (sql, analysis)? in prepared {
        try session.connection.execute("SAVEPOINT random")
        let statement = try session.connection.prepare(SQL(unsafe: sql))
        let values = fill.values(for: analysis)
        var trial = try analysis.verifyClaims(
          against: statement, values: values, allowsOverflow: fill.isExtreme)
        for index in trial.failedClaims.indices where stored.touches(statement) {
          trial.failedClaims[index].involvesUnsuitableValues = true
        }
        tally.add(trial)
        if trial.stop == nil { finished.insert(sql) }
        statement.reset()
        try session.connection.execute("ROLLBACK TO random; RELEASE random")
      }
    }
    tally.report("random rows, seed \(Self.seed), \(group.name)")
    #expect(tally.failedClaims.isEmpty)
    #expect(tally.refused.isEmpty)
    #expect(finished == Set(group.queries))
  }

  private func analyzed(
    _ sql: String, _ session: Session, _ tally: inout Tally
  ) -> (String, StatementAnalysis)? {
    let source = SourceText(sql)
    var diagnostics = DiagnosticList()
    guard let statement = Parser.parseStatement(source, diagnostics: &diagnostics) else {
      tally.refused.append("\(sql): \(diagnostics.diagnostics.map(\.message))")
      return nil
    }
    let (analysis, refusal) = session.analyze(statement, source)
    guard let analysis else {
      tally.refused.append("\(sql): \(refusal ?? "")")
      return nil
    }
    return (sql, analysis)
  }
}
