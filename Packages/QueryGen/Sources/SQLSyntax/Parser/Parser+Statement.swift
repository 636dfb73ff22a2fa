extension Parser {
  /// Reads one statement, up to its `;` or the end of the text.
  mutating func parseStatement() throws(SyntaxError) -> Statement {
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

  private mutating func parsePlainStatement() throws(SyntaxError) -> Statement {
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

  private mutating func parseWithStatement() throws(SyntaxError) -> Statement {
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

extension Parser {
  /// Reads `BEGIN …`.
  mutating func parseBegin() throws(SyntaxError) -> Statement {
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
  mutating func parseCommit() throws(SyntaxError) -> Statement {
    let start = start
    advance()
    let name = parseTransactionName()
    return .commit(Commit(name: name, span: span(from: start)))
  }

  /// Reads `ROLLBACK …`.
  mutating func parseRollback() throws(SyntaxError) -> Statement {
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
  mutating func parseSavepoint() throws(SyntaxError) -> Statement {
    let start = start
    advance()
    let name = try parseName()
    return .savepoint(Savepoint(name: name, span: span(from: start)))
  }

  /// Reads `RELEASE …`.
  mutating func parseRelease() throws(SyntaxError) -> Statement {
    let start = start
    advance()
    _ = accept(.savepoint)
    let name = try parseName()
    return .release(Savepoint(name: name, span: span(from: start)))
  }

  /// Reads `TRANSACTION [name]`, if present.
  private mutating func parseTransactionName() -> Identifier? {
    guard accept(.transaction), isAtName else { return nil }
    return consumeIdentifier()
  }
}

extension Parser {
  /// Reads `PRAGMA …`.
  mutating func parsePragma() throws(SyntaxError) -> Statement {
    let start = start
    advance()
    let name = try parseQualifiedName()
    var value: Pragma.Value?
    var isCall = false
    if accept(.equal) {
      value = try parsePragmaValue()
    } else if accept(.leftParenthesis) {
      value = try parsePragmaValue()
      isCall = true
      try expect(.rightParenthesis)
    }
    return .pragma(Pragma(name: name, value: value, isCall: isCall, span: span(from: start)))
  }

  private mutating func parsePragmaValue() throws(SyntaxError) -> Pragma.Value {
    switch kind {
    case .integer, .real, .plus, .minus: return .number(try parseSignedNumber())
    case .on, .delete, .default: return .name(consumeIdentifier())
    default:
      guard isAtName else { throw unexpected(.pragmaValue) }
      return .name(consumeIdentifier())
    }
  }

  /// Reads `ATTACH …`.
  mutating func parseAttach() throws(SyntaxError) -> Statement {
    let start = start
    advance()
    _ = accept(.database)
    let file = try parseExpression(symbols: 2)
    try expect(.as)
    let schema = try parseExpression(symbols: 4)
    let key = accept(.key) ? try parseExpression(symbols: 6) : nil
    return .attach(Attach(file: file, schema: schema, key: key, span: span(from: start)))
  }

  /// Reads `DETACH …`.
  mutating func parseDetach() throws(SyntaxError) -> Statement {
    let start = start
    advance()
    _ = accept(.database)
    let schema = try parseExpression(symbols: 2)
    return .detach(Detach(schema: schema, span: span(from: start)))
  }

  /// Reads `ANALYZE …`.
  mutating func parseAnalyze() throws(SyntaxError) -> Statement {
    let start = start
    advance()
    let name = isAtName ? try parseQualifiedName() : nil
    return .analyze(Analyze(name: name, span: span(from: start)))
  }

  /// Reads `REINDEX …`.
  mutating func parseReindex() throws(SyntaxError) -> Statement {
    let start = start
    advance()
    let name = isAtName ? try parseQualifiedName() : nil
    return .reindex(Reindex(name: name, span: span(from: start)))
  }

  /// Reads `VACUUM …`.
  mutating func parseVacuum() throws(SyntaxError) -> Statement {
    let start = start
    advance()
    let schema = isAtName ? consumeIdentifier() : nil
    let file = accept(.into) ? try parseExpression(symbols: 2) : nil
    return .vacuum(Vacuum(schema: schema, into: file, span: span(from: start)))
  }
}
