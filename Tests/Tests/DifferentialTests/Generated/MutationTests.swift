import SQLSyntax
import Testing

@Suite struct `Mutations of the corpora's statements` {
  private static let seed: UInt64 = 0x4D55_5441
  private static let perCase = CorpusFiles.step == 1 ? 6 : 3

  @Test(arguments: [
    (file: "sqlite-upstream.jsonl.gz", schemas: "sqlite-upstream.schemas.jsonl"),
    (file: "real-world.jsonl", schemas: "real-world.schemas.jsonl.gz"),
  ])
  func `are accepted and rejected as by SQLite`(_ corpus: (file: String, schemas: String)) throws {
    guard
      let cases = try CorpusFiles.lines(
        "sql/\(corpus.file)", as: CorpusFiles.Case.self, every: CorpusFiles.step),
      let schemas = try CorpusFiles.lines("sql/\(corpus.schemas)", as: CorpusFiles.Schema.self)
    else { return }
    let texts = Dictionary(uniqueKeysWithValues: schemas.map { ($0.schema_id, $0.sql) })
    var mutator = StatementMutator(random: RandomSource(seed: Self.seed))
    var judgement = VerdictComparison()
    var last: State?
    for line in cases where line.counts && line.errorClass == nil {
      guard let id = line.schemaID, let schema = texts[id], schema.utf8.count < 20_000,
        line.query.utf8.count < 3_000
      else { continue }
      let state =
        try last.flatMap { $0.id == id ? $0 : nil }
        ?? State(
          id: id, session: Session(setup: schema, takesStrings: false),
          names: Self.names(in: schema))
      last = state
      for _ in 0..<Self.perCase {
        let sql = mutator.mutate(line.query, names: state.names)
        // A pragma may take effect when it is compiled.
        guard !sql.uppercased().contains("PRAGMA") else { continue }
        judgement.add(sql, state.session)
      }
    }
    judgement.report("mutations of \(corpus.file), seed \(Self.seed)")
    #expect(judgement.accepted.reaches(99.2, oneIn: CorpusFiles.step))
    #expect(judgement.refused.reaches(99.9, oneIn: CorpusFiles.step))
    #expect(judgement.agreed.reaches(99.9, oneIn: CorpusFiles.step))
  }

  /// A schema that is shared by several cases.
  private struct State {
    let id: String
    let session: Session
    let names: [String]
  }

  private static func names(in schema: String) -> [String] {
    let source = SourceText(schema)
    let names = Lexer.tokenize(source).tokens.filter { $0.kind == .identifier }.map {
      source[$0.span]
    }
    return Array(Set(names).sorted().prefix(60)) + ["nope"]
  }
}
