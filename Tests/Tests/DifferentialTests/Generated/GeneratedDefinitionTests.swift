import SQLSyntax
import SQLiteCore
import Testing

@Suite struct `Generated definitions` {
  private static let seed: UInt64 = 0x4445_4649
  private static let count = CorpusFiles.step == 1 ? 2_000 : 60

  /// Creates each schema with statements that SQLite accepts, then compares the verdicts on further
  /// statements.
  @Test func `are accepted and rejected as by SQLite`() throws {
    var maker = RandomSchemaGenerator(random: RandomSource(seed: Self.seed))
    var judgement = VerdictComparison()
    for _ in 0..<Self.count {
      var session = try Session(takesStrings: false)
      var schema = ""
      for _ in 0..<maker.random.pick([4, 7, 10]) {
        let sql = maker.statement()
        judgement.add(sql, session, schema: schema)
        guard (try? session.connection.execute(SQL(unsafe: sql))) != nil else { continue }
        session.replay(sql)
        schema += sql + "; "
      }
      for sql in maker.questions() { judgement.add(sql, session, schema: schema) }
    }
    judgement.report("generated definitions, seed \(Self.seed)")
    #expect(judgement.accepted.reaches(99, oneIn: CorpusFiles.step))
    #expect(judgement.refused.reaches(99.5, oneIn: CorpusFiles.step))
    #expect(judgement.agreed.reaches(99.8, oneIn: CorpusFiles.step))
  }
}

extension Session {
  /// Replays a statement that the engine has run.
  fileprivate mutating func replay(_ sql: String) {
    let source = SourceText(sql)
    var diagnostics = DiagnosticList()
    guard let statement = Parser.parseStatement(source, diagnostics: &diagnostics) else { return }
    apply(statement, source)
  }
}
