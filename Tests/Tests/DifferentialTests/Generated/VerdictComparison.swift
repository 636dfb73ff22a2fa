import SQLSemantics
import SQLSyntax
import SQLiteCore

/// The comparison of both verdicts on many generated statements.
struct VerdictComparison {
  private(set) var accepted = Share()
  private(set) var refused = Share()
  private(set) var agreed = Share()
  /// The messages of errors that the engine's planner finds, for which verdicts are not compared.
  var skippedErrors: [String] = []
  private var disagreements: [String] = []

  /// Compares the verdicts on a statement. The engine does not interpret unknown names in double
  /// quotes as strings.
  ///
  /// - Returns: QueryGen's analysis if both accept the statement.
  @discardableResult
  mutating func add(
    _ sql: String, _ session: Session, schema: String = ""
  ) -> StatementAnalysis? {
    let source = SourceText(sql)
    var diagnostics = DiagnosticList()
    var analysis: StatementAnalysis?
    if let statement = Parser.parseFirstStatement(source, diagnostics: &diagnostics),
      !diagnostics.hasErrors
    {
      analysis = Analyzer(catalog: session.catalog)
        .analyze(statement, source: source, diagnostics: &diagnostics)
    }
    if diagnostics.hasErrors { analysis = nil }
    let engine: SQLiteCore.Statement
    do {
      engine = try session.connection.prepare(SQL(unsafe: sql))
    } catch {
      // QueryGen's compiler does not detect trailing SQL and empty statements.
      guard error.code != .trailingSQL, error.code != .emptyStatement,
        !skippedErrors.contains(where: error.message.contains)
      else { return nil }
      refused.add(analysis == nil)
      if analysis != nil { note("only the engine rejects: \(error.message)", sql, schema) }
      return nil
    }
    accepted.add(analysis != nil)
    guard let analysis else {
      note(
        "only the engine accepts: \(diagnostics.diagnostics.first?.message ?? "")", sql, schema)
      return nil
    }
    let isSame =
      analysis.columns.map(\.name).matchesNames(engine.columnNames)
      && analysis.parameterCount == engine.parameterCount
      && analysis.isReadOnly == engine.isReadOnly
    agreed.add(isSame)
    if !isSame {
      note(
        "columns \(analysis.columns.map(\.name)) against \(engine.columnNames), parameters "
          + "\(analysis.parameterCount) against \(engine.parameterCount), read-only "
          + "\(analysis.isReadOnly) against \(engine.isReadOnly)", sql, schema)
    }
    return analysis
  }

  private mutating func note(_ fact: String, _ sql: String, _ schema: String) {
    disagreements.append(
      "\(fact): \(sql.prefix(600))\(schema.isEmpty ? "" : "\n    after \(schema.prefix(600))")")
  }

  func report(_ name: String) {
    print(
      "\(name): accepted \(accepted), refused \(refused), names, parameters and read-only \(agreed)"
    )
    for disagreement in disagreements.sorted(by: { $0.count < $1.count }).prefix(12) {
      print("  \(disagreement)")
    }
  }
}
