import QueryModel
import SQLSemantics
import SQLSyntax
import SQLiteCore
import Testing

@Suite struct `Generated joins` {
  private static let seed: UInt64 = 0x4A6F_696E
  private static let count = CorpusFiles.step == 1 ? 20_000 : 400
  private static let roundCount = CorpusFiles.step == 1 ? 6 : 3

  @Test func `are accepted and rejected as by SQLite, and their claims are true`() throws {
    let session = try Session(setup: RandomJoinGenerator.schema, takesStrings: false)
    var generator = RandomJoinGenerator(random: RandomSource(seed: Self.seed))
    var comparison = VerdictComparison()
    comparison.skippedErrors = ["ON clause references tables to its right"]
    var prepared: [(sql: String, analysis: StatementAnalysis)] = []
    for _ in 0..<Self.count {
      let sql = generator.statement()
      if let analysis = comparison.add(sql, session) { prepared.append((sql, analysis)) }
    }
    comparison.report("generated joins, seed \(Self.seed)")
    #expect(comparison.accepted.percent == 100)
    #expect(comparison.refused.percent == 100)
    #expect(comparison.agreed.percent == 100)

    var tally = Tally()
    var fill = RandomFill(random: RandomSource(seed: Self.seed), rowCounts: [0, 1, 3, 6])
    for round in 0..<Self.roundCount {
      try fill.refill(session.connection, isEmpty: round == 0)
      for (sql, analysis) in prepared {
        try session.connection.execute("SAVEPOINT random")
        let statement = try session.connection.prepare(SQL(unsafe: sql))
        tally.add(try analysis.verifyClaims(against: statement, rowLimit: 500))
        statement.reset()
        try session.connection.execute("ROLLBACK TO random; RELEASE random")
      }
    }
    tally.report("claims of generated joins, seed \(Self.seed)")
    #expect(tally.failedClaims.isEmpty)
  }

  @Test func `keep their columns and rows if stars are written as columns, in wider tables too`()
    throws
  {
    let session = try Session(setup: RandomJoinGenerator.schema, takesStrings: false)
    let wide = try Session(
      setup: RandomJoinGenerator.schema + RandomJoinGenerator.wideningSchema, takesStrings: false)
    var fill = RandomFill(random: RandomSource(seed: Self.seed), rowCounts: [1, 2, 3])
    try fill.refill(session.connection, isEmpty: false)
    var generator = RandomJoinGenerator(random: RandomSource(seed: Self.seed))
    var (statements, kept) = (0, 0)
    for _ in 0..<Self.count {
      let sql = generator.statement()
      guard let expanded = expandedSQL(sql, session),
        let original = try? session.connection.prepare(SQL(unsafe: sql))
      else { continue }
      statements += 1
      if expanded.replacing("count(*)", with: "").contains("*") {
        kept += 1
        continue
      }
      let statement = try session.connection.prepare(SQL(unsafe: expanded))
      let names = original.columnNames
      #expect(statement.columnNames.matchesNames(names), "\(sql)\n\(expanded)")
      if original.isReadOnly {
        #expect(try rows(of: statement) == rows(of: original), "\(sql)\n\(expanded)")
      }
      // `NATURAL` also joins the columns that were added to a table that occurs twice.
      guard !sql.contains("NATURAL") else { continue }
      let wideNames = try wide.connection.prepare(SQL(unsafe: expanded)).columnNames
      #expect(wideNames.matchesNames(names), "\(sql)\n\(expanded)")
    }
    print("generated joins, seed \(Self.seed): \(statements) expanded, \(kept) with a star left")
    #expect(kept * 20 <= statements)
  }

  private func expandedSQL(_ sql: String, _ session: Session) -> String? {
    let source = SourceText("DEFINE QUERY q AS \(sql);")
    var diagnostics = DiagnosticList()
    let file = Parser.parseQueryFile(source, diagnostics: &diagnostics)
    return file.queries.first.flatMap {
      Analyzer(catalog: session.catalog).analyze($0, source: source, diagnostics: &diagnostics)?.sql
    }
  }

  /// Returns the first rows of a statement in a canonical order.
  private func rows(of statement: SQLiteCore.Statement) throws -> [String] {
    var rows: [String] = []
    while rows.count < 300, try statement.step() {
      var values: [String] = []
      for index in 0..<statement.columnCount {
        values.append("\(try statement.row.read(SQLiteValue.self, at: ColumnIndex(index)))")
      }
      rows.append(values.joined(separator: ", "))
    }
    statement.reset()
    return rows.count < 300 ? rows.sorted() : []
  }
}
