extension Parser {
  /// Reads `BEGIN …`.
  mutating func parseBegin() throws(SyntaxFailure) -> Statement {
    let start = start
    advance()
    var mode: Begin.Mode?
    switch kind {
    case .deferred: mode = .deferred
    case .immediate: mode = .immediate
    case .exclusive: mode = .exclusive
    default: break
    }
    if mode != nil { advance() }
    let name = parseTransactionName()
    return .begin(Begin(mode: mode, name: name, span: span(from: start)))
  }

  /// Reads `COMMIT …` or `END …`.
  mutating func parseCommit() throws(SyntaxFailure) -> Statement {
    let start = start
    advance()
    let name = parseTransactionName()
    return .commit(Commit(name: name, span: span(from: start)))
  }

  /// Reads `ROLLBACK …`.
  mutating func parseRollback() throws(SyntaxFailure) -> Statement {
    let start = start
    advance()
    let name = parseTransactionName()
    var savepoint: Identifier?
    if accept(.to) {
      _ = accept(.savepoint)
      savepoint = try parseName()
    }
    return .rollback(Rollback(name: name, savepoint: savepoint, span: span(from: start)))
  }

  /// Reads `SAVEPOINT …`.
  mutating func parseSavepoint() throws(SyntaxFailure) -> Statement {
    let start = start
    advance()
    let name = try parseName()
    return .savepoint(Savepoint(name: name, span: span(from: start)))
  }

  /// Reads `RELEASE …`.
  mutating func parseRelease() throws(SyntaxFailure) -> Statement {
    let start = start
    advance()
    _ = accept(.savepoint)
    let name = try parseName()
    return .release(Release(name: name, span: span(from: start)))
  }

  /// Reads `TRANSACTION [name]`, if there is one.
  private mutating func parseTransactionName() -> Identifier? {
    guard accept(.transaction), isAtName else { return nil }
    return takeIdentifier()
  }
}
