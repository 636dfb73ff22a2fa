extension Parser {
  /// Reads `RAISE(…)`; the current token is that word.
  mutating func parseRaise() throws(SyntaxFailure) -> Expression {
    height = 1
    let start = start
    advance()
    try expect(.leftParenthesis)
    let word = kind
    guard word == .ignore || word == .rollback || word == .abort || word == .fail else {
      throw unexpected(.raiseAction)
    }
    advance()
    let action: RaiseExpression.Action
    if word == .ignore {
      action = .ignore
    } else {
      try expect(.comma)
      let message = try parseRaiseMessage(from: start)
      action =
        switch word {
        case .rollback: .rollback(message: message)
        case .abort: .abort(message: message)
        default: .fail(message: message)
        }
    }
    try expect(.rightParenthesis)
    return .raise(RaiseExpression(action: action, span: span(from: start)))
  }

  /// Reads the message: since SQLite 3.47 an expression, before that a name or a text.
  private mutating func parseRaiseMessage(
    from start: ByteOffset
  ) throws(SyntaxFailure) -> RaiseExpression.Message {
    let version = SQLiteVersion(3, 47)
    if options.target >= version {
      let expression = try parseExpression(symbols: 4)
      try grow(height, from: start)
      return .expression(expression)
    }
    if isAtName, kind(ahead: 1) == .rightParenthesis { return .name(takeIdentifier()) }
    // Whoever wrote an expression is told of the release, whoever wrote something else of that.
    let messageStart = self.start
    var trial = self
    trial.options.target = version
    if (try? trial.parseExpression(symbols: 4)) != nil, trial.kind == .rightParenthesis {
      try require(
        version, for: "a message that is computed", at: trial.span(from: messageStart))
    }
    return .name(try parseName())
  }
}
