/// Blocks of statements, `BEGIN …; …; END`, which a query executes in one transaction.
extension Parser {
  /// Reads the statement or the block of a query, or reports an error and skips it.
  mutating func parseBody() -> [Statement]? {
    guard tokens.startsBlock(at: index) else { return parseWholeStatement().map { [$0] } }
    let first = index
    advance()
    var statements: [Statement] = []
    var isValid = true
    repeat {
      // Without its `END`, a block would contain the next query.
      if startsLine(index), startsHeader(index) {
        _ = unexpected(.token(.end))
        return nil
      }
      if let statement = parseBlockStatement() {
        statements.append(statement)
      } else {
        isValid = false
        if kind == .semicolon { advance() }
      }
    } while kind != .end && kind != .endOfText && !diagnostics.isFull
    if isValid, kind != .end { _ = unexpected(.token(.end)) }
    isValid = isValid && accept(.end)
    if isValid, kind != .semicolon, kind != .endOfText {
      _ = unexpected(.endOfStatement)
      isValid = false
    }
    if !isValid { skipStatement(from: first) }
    return isValid ? statements : nil
  }

  /// Reads a statement of a block with its `;`, or reports an error and advances to the `;`.
  private mutating func parseBlockStatement() -> Statement? {
    stackDepth = 0
    isInTrigger = false
    let first = index
    do throws(SyntaxError) {
      switch kind {
      case .select, .values, .with, .insert, .replace, .update, .delete: break
      default: throw unexpected(.triggerStatement)
      }
      let statement = try parseStatement()
      try expect(.semicolon)
      return statement
    } catch {
      if index == first, kind == .end { return nil }
      while kind != .semicolon, kind != .endOfText { advance() }
      return nil
    }
  }
}

extension [Token] {
  /// Returns whether a block begins at an index, rather than the statement `BEGIN`.
  public func startsBlock(at index: Int) -> Bool {
    guard index + 1 < count, self[index].kind == .begin else { return false }
    switch self[index + 1].kind {
    case .semicolon, .colon, .endOfText, .deferred, .immediate, .exclusive, .transaction:
      return false
    default: return true
    }
  }

  /// Returns the index of the `END` of the block that begins at an index; `nil` if the header of
  /// another query precedes it. Any other `END` does not follow a `;`.
  public func endOfBlock(from begin: Int) -> Int? {
    guard startsBlock(at: begin) else { return nil }
    for index in begin + 1..<count where index == begin + 1 || self[index - 1].kind == .semicolon {
      if self[index].kind == .end { return index }
      guard index + 1 < count else { return nil }
      let next = self[index + 1].kind
      if next == .colon || next == .query && self[index].kind == .identifier { return nil }
    }
    return nil
  }
}
