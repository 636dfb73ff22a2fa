import SQLSyntax
import SQLiteCore
import Testing

@Suite struct `Claims about the result corpora` {
  @Test func `are true for every row that SQLite returns`() throws {
    guard
      let setups = try CorpusFiles.lines(
        "sql/result-parity.setups.jsonl", as: CorpusFiles.Setup.self),
      let first = try CorpusFiles.lines(
        "sql/result-parity.jsonl", as: CorpusFiles.Result.self, every: CorpusFiles.step),
      let second = try CorpusFiles.lines(
        "sql/result-parity-2.jsonl", as: CorpusFiles.Result.self, every: CorpusFiles.step)
    else { return }
    let scripts = Dictionary(uniqueKeysWithValues: setups.map { ($0.setup_id, $0.sql) })
    for (name, cases) in [("result-parity", first), ("result-parity-2", second)] {
      var tally = Tally()
      var sessions = SessionPool()
      for line in cases {
        let setup = line.setup_sql ?? line.setup_id.flatMap { scripts[$0] } ?? ""
        try sessions.with(setup) { session in
          run(line.query, in: &session, named: line.id, into: &tally)
        }
      }
      tally.report(name)
      #expect(tally.failedClaims.isEmpty)
      #expect(tally.refused.count <= tally.statements * CorpusFiles.step / 200)
    }
  }

  /// Runs a case's statements one by one.
  ///
  /// - Returns: Whether the database is unchanged.
  private func run(
    _ query: String, in session: inout Session, named id: String, into tally: inout Tally
  ) -> Bool {
    let source = SourceText(query)
    var diagnostics = DiagnosticList()
    let script = Parser.parseScript(source, diagnostics: &diagnostics)
    if diagnostics.hasErrors, (try? session.connection.prepare(SQL(unsafe: query))) != nil {
      tally.refused.append("\(id): \(query): \(diagnostics.diagnostics[0].message)")
    }
    var isUnchanged = true
    for entry in script.statements {
      // The name of an unnamed column is the text up to the end of the statement, so the engine
      // receives only the statement.
      let sql = source[entry.statement.span]
      let alone = SourceText(sql)
      guard let node = Parser.parseStatement(alone, diagnostics: &diagnostics),
        let statement = try? session.connection.prepare(SQL(unsafe: sql))
      else { continue }
      if !statement.isReadOnly || statement.columnCount == 0 { isUnchanged = false }
      if case .select = node {} else { isUnchanged = false }
      let (analysis, refusal) = session.analyze(node, alone)
      guard let analysis else {
        tally.refused.append("\(id): \(sql): \(refusal ?? "")")
        try? statement.run()
        continue
      }
      let before = StoredValues.known(session.connection, unless: isUnchanged)
      guard var trial = try? analysis.verifyClaims(against: statement) else { continue }
      if !trial.failedClaims.isEmpty {
        let stored = StoredValues(session.connection)
        let isOutside = stored.touches(statement) || before?.touches(statement) == true
        for index in trial.failedClaims.indices {
          trial.failedClaims[index].involvesUnsuitableValues = isOutside
        }
      }
      tally.add(trial)
      if trial.stop == nil { session.apply(node, alone) }
    }
    return isUnchanged
  }
}

/// Caches sessions by their setup until they are changed.
struct SessionPool {
  private var kept: [String: Session] = [:]

  mutating func with(_ setup: String, _ body: (inout Session) throws -> Bool) throws {
    var session = try kept.removeValue(forKey: setup) ?? Session(setup: setup)
    if try body(&session) { kept[setup] = session }
  }
}

extension StoredValues {
  /// Returns the stored values before a statement that may change them.
  fileprivate static func known(_ connection: Connection, unless isRead: Bool) -> StoredValues? {
    isRead ? nil : StoredValues(connection)
  }
}
