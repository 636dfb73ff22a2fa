extension Parser {
  /// Reads `PRAGMA …`.
  mutating func parsePragma() throws(SyntaxFailure) -> Statement {
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

  private mutating func parsePragmaValue() throws(SyntaxFailure) -> Pragma.Value {
    switch kind {
    case .integer, .real, .plus, .minus: return .number(try parseSignedNumber())
    case .on, .delete, .default: return .name(takeIdentifier())
    default:
      guard isAtName else { throw unexpected(.pragmaValue) }
      return .name(takeIdentifier())
    }
  }

  /// Reads `ATTACH …`.
  mutating func parseAttach() throws(SyntaxFailure) -> Statement {
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
  mutating func parseDetach() throws(SyntaxFailure) -> Statement {
    let start = start
    advance()
    _ = accept(.database)
    let schema = try parseExpression(symbols: 2)
    return .detach(Detach(schema: schema, span: span(from: start)))
  }

  /// Reads `ANALYZE …`.
  mutating func parseAnalyze() throws(SyntaxFailure) -> Statement {
    let start = start
    advance()
    let name = isAtName ? try parseQualifiedName() : nil
    return .analyze(Analyze(name: name, span: span(from: start)))
  }

  /// Reads `REINDEX …`.
  mutating func parseReindex() throws(SyntaxFailure) -> Statement {
    let start = start
    advance()
    let name = isAtName ? try parseQualifiedName() : nil
    return .reindex(Reindex(name: name, span: span(from: start)))
  }

  /// Reads `VACUUM …`.
  mutating func parseVacuum() throws(SyntaxFailure) -> Statement {
    let start = start
    advance()
    let schema = isAtName ? takeIdentifier() : nil
    let file = accept(.into) ? try parseExpression(symbols: 2) : nil
    return .vacuum(Vacuum(schema: schema, into: file, span: span(from: start)))
  }
}
