public import SQLSyntax

/// The tokens of a text, and their division into statements, which may have syntax errors.
public struct StatementTokens: Sendable {
  public let tokens: [Token]
  public let comments: [ByteSpan]
  /// The ranges of the statements' and blocks' tokens, each with its header and its `;`.
  public let statements: [Range<Int>]
  /// The ranges of the tokens in blocks, after `BEGIN` and before `END`.
  private let blocks: [Range<Int>]

  public init(_ source: SourceText, isQueryFile: Bool) {
    let list = Lexer.tokenize(source, allowsLabels: isQueryFile, allowsDigitSeparators: true)
    tokens = list.tokens
    comments = list.comments
    var statements: [Range<Int>] = []
    var blocks: [Range<Int>] = []
    var start = 0
    var index = 0
    while index < tokens.count, tokens[index].kind != .endOfText {
      if tokens[index].kind == .create, index == start,
        let end = Self.endOfTrigger(tokens, from: index)
      {
        index = end
        continue
      }
      if isQueryFile, tokens[index].kind == .begin,
        start == index || Self.headerEnd(tokens[start..<index]) == index,
        let end = tokens.endOfBlock(from: index)
      {
        blocks.append(index + 1..<end)
        index = end + 1
        continue
      }
      if tokens[index].kind == .semicolon {
        if index > start { statements.append(start..<index + 1) }
        start = index + 1
      }
      index += 1
    }
    if index > start { statements.append(start..<index) }
    self.statements = statements
    self.blocks = blocks
  }

  /// Returns the index after a query's header, `name:` or `DEFINE QUERY name AS`, with which tokens
  /// begin; the index of the first token if there is none.
  static func headerEnd(_ tokens: ArraySlice<Token>) -> Int {
    let start = tokens.startIndex
    guard tokens.count > 1 else { return start }
    if tokens[start + 1].kind == .colon { return start + 2 }
    guard tokens[start].kind == .identifier, tokens[start + 1].kind == .query,
      let index = tokens.firstIndex(where: { $0.kind == .as })
    else { return start }
    return index + 1
  }

  /// Returns the index after the `END` of a trigger's body; `nil` for any other statement.
  private static func endOfTrigger(_ tokens: [Token], from start: Int) -> Int? {
    let words = tokens[start..<min(start + 3, tokens.count)]
    guard words.contains(where: { $0.kind == .trigger }),
      var index = tokens[start...].firstIndex(where: {
        $0.kind == .begin || $0.kind == .semicolon
      }), tokens[index].kind == .begin
    else { return nil }
    var openCases = 0
    while index < tokens.count, tokens[index].kind != .endOfText {
      index += 1
      guard index < tokens.count else { break }
      switch tokens[index].kind {
      case .case: openCases += 1
      case .end where openCases > 0: openCases -= 1
      case .end: return index + 1
      default: break
      }
    }
    return nil
  }

  /// The span of a statement, including its header and its `;`.
  public func span(of statement: Range<Int>) -> ByteSpan {
    tokens[statement.lowerBound].span.union(tokens[statement.upperBound - 1].span)
  }

  /// Returns the statement that contains an offset, or that ends at the offset without a `;`.
  public func statement(at offset: ByteOffset) -> Range<Int>? {
    var last: Range<Int>?
    for statement in statements {
      let span = span(of: statement)
      if span.start > offset { break }
      last = statement
    }
    guard let last else { return nil }
    let end = tokens[last.upperBound - 1]
    guard end.kind != .semicolon || end.span.end > offset else { return nil }
    return statement(in: last, at: offset)
  }

  /// Returns the statement of a block that contains an offset; the whole range if it is no block, or
  /// if the offset is outside of its statements.
  private func statement(in range: Range<Int>, at offset: ByteOffset) -> Range<Int> {
    guard let block = blocks.first(where: { range.contains($0.lowerBound - 1) }),
      tokens[block.lowerBound - 1].span.end <= offset, offset <= tokens[block.upperBound].span.start
    else { return range }
    var first = block.lowerBound
    for index in block where tokens[index].kind == .semicolon {
      if tokens[index].span.end > offset { return first..<index + 1 }
      first = index + 1
    }
    return first..<block.upperBound
  }

  /// Returns the index of the token that contains or ends at an offset.
  public func token(at offset: ByteOffset) -> Int? {
    var low = 0
    var high = tokens.count
    while low < high {
      let middle = (low + high) / 2
      if tokens[middle].span.end < offset { low = middle + 1 } else { high = middle }
    }
    // At a boundary, a name takes precedence over punctuation.
    let next = low + 1
    if next < tokens.count, tokens[next].span.start == offset, tokens[next].isWord { return next }
    guard low < tokens.count, tokens[low].kind != .endOfText, tokens[low].span.start <= offset
    else { return nil }
    return low
  }

  /// Returns the comment that contains an offset.
  public func comment(at offset: ByteOffset) -> ByteSpan? {
    comments.first { $0.start < offset && offset <= $0.end }
  }
}

extension Token {
  /// Indicates whether the token is a word, a quoted name or a parameter.
  public var isWord: Bool { kind == .identifier || kind == .parameter || kind.isKeyword }
}
