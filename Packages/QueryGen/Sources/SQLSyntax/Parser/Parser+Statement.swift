extension Parser {
  /// Reads one statement, up to its `;` or the end of the text.
  mutating func parseStatement() throws(SyntaxFailure) -> Statement {
    let start = start
    guard kind == .explain else { return try parsePlainStatement() }
    advance()
    var isQueryPlan = false
    if accept(.query) {
      try expect(.plan)
      isQueryPlan = true
    }
    stackDepth += 1
    let statement = try parsePlainStatement()
    stackDepth -= 1
    return .explain(
      Explain(isQueryPlan: isQueryPlan, statement: statement, span: span(from: start)))
  }

  private mutating func parsePlainStatement() throws(SyntaxFailure) -> Statement {
    switch kind {
    case .select, .values: return .select(try parseSelect())
    case .with: return try parseWithStatement()
    case .insert, .replace: return try parseInsert(after: nil, from: start)
    case .update: return try parseUpdate(after: nil, from: start)
    case .delete: return try parseDelete(after: nil, from: start)
    case .create: return try parseCreate()
    case .drop: return try parseDrop()
    case .alter: return try parseAlterTable()
    case .begin: return try parseBegin()
    case .commit, .end: return try parseCommit()
    case .rollback: return try parseRollback()
    case .savepoint: return try parseSavepoint()
    case .release: return try parseRelease()
    case .pragma: return try parsePragma()
    case .attach: return try parseAttach()
    case .detach: return try parseDetach()
    case .analyze: return try parseAnalyze()
    case .reindex: return try parseReindex()
    case .vacuum: return try parseVacuum()
    default: throw unexpected(.statement)
    }
  }

  private mutating func parseWithStatement() throws(SyntaxFailure) -> Statement {
    let start = start
    let with = try parseWith()
    switch kind {
    case .insert, .replace: return try parseInsert(after: with, from: start)
    case .update: return try parseUpdate(after: with, from: start)
    case .delete: return try parseDelete(after: with, from: start)
    default:
      stackDepth += 2
      let select = try parseSelect(after: with, from: start)
      stackDepth -= 2
      return .select(select)
    }
  }
}
