/// The tokens of a text of SQL, without space and comments.
///
/// Indexes beyond the tokens are allowed: there is no token, and its text is empty.
public struct SQLTokens: Sendable {
  public let bytes: [UInt8]
  public let tokens: [SQLToken]
  /// Whether the text ends in quotes, or in a comment that the end of a line does not end.
  public let isOpen: Bool

  public init(_ sql: String) {
    let bytes = Array(sql.utf8)
    var (start, tokens, isOpen) = (0, [SQLToken](), false)
    while let token = SQLToken(in: bytes.elementSpan, at: start) {
      if token.kind != .space, token.kind != .comment { tokens.append(token) }
      start = token.range.upperBound
      isOpen = token.isOpen && bytes[token.range.lowerBound] != UInt8(ascii: "-")
    }
    (self.bytes, self.tokens, self.isOpen) = (bytes, tokens, isOpen)
  }

  public var count: Int { tokens.count }

  /// The kind of a token.
  public func kind(_ index: Int) -> SQLToken.Kind? {
    tokens.indices.contains(index) ? tokens[index].kind : nil
  }

  /// The source text of a token.
  public func text(_ index: Int) -> String {
    kind(index) == nil ? "" : String(decoding: bytes[tokens[index].range], as: UTF8.self)
  }

  /// The source text of several tokens, with what is between them.
  public func text(_ range: Range<Int>) -> String {
    guard let first = range.first, let last = range.last, last < count else { return "" }
    return String(
      decoding: bytes[tokens[first].range.lowerBound..<tokens[last].range.upperBound], as: UTF8.self
    )
  }

  /// The source text from a token to the end of the last one.
  public func text(from index: Int) -> String { text(min(index, count)..<count) }

  /// The source text without the space and comments around it, and without the semicolons at its end.
  public var trimmedText: String {
    var end = count
    while end > 0, self.is(end - 1, ";") { end -= 1 }
    return text(0..<end)
  }

  /// Whether a token is this bare word, in either case, or this symbol.
  public func `is`(_ index: Int, _ word: String) -> Bool {
    guard kind(index) == .word || kind(index) == .symbol else { return false }
    return Self.isSame(bytes[tokens[index].range], word.utf8)
  }

  /// Whether the tokens from `index` on are these words and symbols.
  public func are(_ index: Int, _ words: String...) -> Bool {
    words.indices.allSatisfy { self.is(index + $0, words[$0]) }
  }

  /// The name or the text that a token denotes: quotes are removed.
  public func name(_ index: Int) -> String {
    guard kind(index) == .quotedName || kind(index) == .string else { return text(index) }
    let range = tokens[index].range
    let inner = bytes[range.dropFirst().dropLast()]
    let quote = bytes[range.lowerBound]
    // Brackets have no form for one of their own.
    guard quote != UInt8(ascii: "["), inner.contains(quote) else {
      return String(decoding: inner, as: UTF8.self)
    }
    var name: [UInt8] = []
    var isDoubled = false
    for byte in inner {
      isDoubled = byte == quote && !isDoubled
      if byte != quote || isDoubled { name.append(byte) }
    }
    return String(decoding: name, as: UTF8.self)
  }

  /// The index after the token that closes the parenthesis at `index`.
  public func endOfParentheses(from index: Int) -> Int {
    var depth = 0
    for position in index..<max(index, count) {
      if self.is(position, "(") { depth += 1 }
      if self.is(position, ")") { depth -= 1 }
      if depth <= 0 { return position + 1 }
    }
    return count
  }

  /// The parts of a range that commas outside of parentheses separate.
  public func separated(_ range: Range<Int>) -> [Range<Int>] {
    var parts: [Range<Int>] = []
    var start = range.lowerBound
    var index = start
    while index < range.upperBound {
      if self.is(index, "(") {
        index = endOfParentheses(from: index)
        continue
      }
      if self.is(index, ",") {
        parts.append(start..<index)
        start = index + 1
      }
      index += 1
    }
    parts.append(start..<max(start, range.upperBound))
    return parts
  }

  /// Whether some token, bare or quoted, is this name.
  public func mentions(_ name: String) -> Bool {
    (0..<count).contains { index in
      switch tokens[index].kind {
      case .word, .quotedName, .string: Self.isSame(self.name(index).utf8, name.utf8)
      default: false
      }
    }
  }

  /// Whether two names are the same to SQLite, which ignores the case of ASCII letters only.
  private static func isSame(
    _ a: some Collection<UInt8>, _ b: some Collection<UInt8>
  ) -> Bool {
    a.count == b.count
      && zip(a, b).allSatisfy { $0 == $1 || $0 ^ $1 == 0x20 && ($0 | 0x20) &- 0x61 < 26 }
  }
}
