import QueryModel
import SQLSemantics
import SQLSyntax
import SQLiteCore
import Testing

@Suite struct `Generated statements` {
  private static let seed: UInt64 = 0x5155_4552
  private static let count = CorpusFiles.step == 1 ? 12_000 : 250
  private static let roundCount = CorpusFiles.step == 1 ? 18 : 4

  /// The only statements that QueryGen rejects but SQLite accepts contain aggregates of an outer
  /// query without grouping. SQLite does not check them if it does not compute them.
  @Test func `are accepted and rejected as by SQLite, and their claims are true`() throws {
    let session = try Session(setup: RandomQueryGenerator.schema, takesStrings: false)
    var maker = RandomQueryGenerator(random: RandomSource(seed: Self.seed))
    var judgement = VerdictComparison()
    var prepared: [(sql: String, analysis: StatementAnalysis)] = []
    for _ in 0..<Self.count {
      let sql = maker.statement()
      if let analysis = judgement.add(sql, session) { prepared.append((sql, analysis)) }
    }
    judgement.report("generated statements, seed \(Self.seed)")
    #expect(judgement.accepted.reaches(99.8, oneIn: CorpusFiles.step))
    #expect(judgement.refused.reaches(98, oneIn: CorpusFiles.step))
    #expect(judgement.agreed.percent == 100)

    var tally = Tally()
    var fill = RandomFill(random: RandomSource(seed: Self.seed), rowCounts: [0, 1, 3, 6])
    for round in 0..<Self.roundCount {
      fill.isExtreme = round % 2 == 1
      try fill.refill(session.connection, isEmpty: round == 0)
      let stored = StoredValues(session.connection)
      for (sql, analysis) in prepared {
        try session.connection.execute("SAVEPOINT random")
        let statement = try session.connection.prepare(SQL(unsafe: sql))
        let values = fill.values(for: analysis)
        var trial = try analysis.verifyClaims(
          against: statement, values: values, rowLimit: 200, allowsOverflow: fill.isExtreme)
        for index in trial.failedClaims.indices where stored.touches(statement) {
          trial.failedClaims[index].involvesUnsuitableValues = true
        }
        tally.add(trial)
        statement.reset()
        try session.connection.execute("ROLLBACK TO random; RELEASE random")
      }
    }
    tally.report("claims of generated statements, seed \(Self.seed)")
    #expect(tally.failedClaims.isEmpty)
  }
}
