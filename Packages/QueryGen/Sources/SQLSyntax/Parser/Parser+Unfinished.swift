internal import Primitives

extension Diagnostic.Identity {
  /// A statement that the next one follows without a `;`.
  public static let missingSemicolon = Self(rawValue: "missing-semicolon")
}

/// Statements without a `;` at their end.
extension Parser {
  /// If the statement that begins at `first` has a syntax error because its `;` is missing, reports
  /// this at the statement's end instead, and continues at the next statement.
  ///
  /// - Parameters:
  ///   - first: The index of the statement's first token. The current token is the unexpected one.
  ///   - known: The diagnostics before the statement.
  /// - Returns: `true` if the error was reported; the statement is not `nil` if it lacks nothing but
  ///   its `;`.
  mutating func recoverMissingSemicolon(
    from first: Int, _ known: DiagnosticList
  ) -> (isRecovered: Bool, statement: Statement?) {
    guard let next = startOfNextStatement(after: first) else { return (false, nil) }
    let end = tokens[next - 1].span.end
    var list = TokenList()
    list.tokens = Array(tokens[first..<next]) + [Token(.endOfText, ByteSpan(end, end))]
    var trial = Parser(source, tokens: list, options: options, diagnostics: DiagnosticList())
    let statement = try? trial.parseStatement()
    let isWhole = statement != nil && trial.kind == .endOfText
    guard isWhole || isQueryFile else { return (false, nil) }
    diagnostics = known
    if isWhole {
      diagnostics.append(
        Diagnostic(
          .missingSemicolon, at: ByteSpan(end, end),
          "expected \";\" at the end of this statement, before the next one",
          fixIt: Diagnostic.FixIt(replace: ByteSpan(end, end), with: ";")))
    } else {
      if statement != nil { _ = trial.unexpected(.endOfStatement) }
      for var diagnostic in trial.diagnostics.diagnostics {
        if diagnostic.identity == .unexpectedEnd {
          diagnostic.message.replace("the end of the annotation", with: "the next query")
        }
        diagnostics.append(diagnostic)
      }
    }
    index = next
    kind = tokens[next].kind
    keywordNames.removeAll { $0 >= next }
    return (true, isWhole ? statement : nil)
  }

  /// Returns the first token after `first`, up to the unexpected one, with which another statement
  /// begins. Part of its header may have been parsed as an alias, such as the `DEFINE` of
  /// `FROM t DEFINE QUERY`.
  private func startOfNextStatement(after first: Int) -> Int? {
    guard isQueryFile else {
      return index > first && startsLine(index) && startsStatement(index) ? index : nil
    }
    guard first < index else { return nil }
    return (first + 1...index).first { place in
      hasQueryHeader(above: place) || startsLine(place) && startsHeader(place)
    }
  }

  /// Returns whether the statement that begins at `first` and ends before the current token contains
  /// the header of the next query, as in `INSERT INTO t -- name: b :many SELECT …`.
  func containsNextQuery(from first: Int) -> Bool {
    guard isQueryFile, first < index else { return false }
    let inner = commentIndices(from: tokens[first].span.end, to: previousEnd)
    guard inner.contains(where: { isQueryHeader(comments[$0]) }) else { return false }
    var depth = 0
    for place in first + 1..<index {
      switch tokens[place - 1].kind {
      case .leftParenthesis: depth += 1
      case .rightParenthesis: depth -= 1
      default: break
      }
      if depth == 0, startsLine(place), startsStatement(place), hasQueryHeader(above: place) {
        return true
      }
    }
    return false
  }

  private func hasQueryHeader(above place: Int) -> Bool {
    commentIndices(from: tokens[place - 1].span.end, to: tokens[place].span.start)
      .contains { isQueryHeader(comments[$0]) }
  }

  func startsHeader(_ place: Int) -> Bool {
    guard place + 1 < tokens.count else { return false }
    if tokens[place + 1].kind == .colon { return true }
    return tokens[place].kind == .identifier && tokens[place + 1].kind == .query
      && source[tokens[place].span].asciiLowercased == "define"
  }

  private func startsStatement(_ place: Int) -> Bool {
    switch tokens[place].kind {
    case .create, .insert, .update, .delete, .drop, .alter, .select, .values, .pragma, .with,
      .replace, .begin, .commit:
      true
    default: false
    }
  }

  /// Returns whether a token is the first of its line, except for comments.
  func startsLine(_ place: Int) -> Bool {
    guard place > 0 else { return true }
    return source.bytes[tokens[place - 1].span.end.value..<tokens[place].span.start.value]
      .contains(UInt8(ascii: "\n"))
  }
}
