/// The tokens of an SQL text, without white space and comments.
///
/// Indexes beyond the last token are allowed, and have no kind and an empty text.
public struct SQLTokens: Sendable {
  public let bytes: [UInt8]
  public let tokens: [SQLToken]
  /// Indicates whether the text ends in quotes or in a block comment.
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

  /// Returns the kind of a token.
  public func kind(_ index: Int) -> SQLToken.Kind? {
    tokens.indices.contains(index) ? tokens[index].kind : nil
  }

  /// Returns the source text of a token.
  public func text(_ index: Int) -> String {
    kind(index) == nil ? "" : String(decoding: bytes[tokens[index].range], as: UTF8.self)
  }

  /// Returns the source text of several tokens, including the text between them.
  public func text(_ range: Range<Int>) -> String {
    guard let first = range.first, let last = range.last, last < count else { return "" }
    return String(
      decoding: bytes[tokens[first].range.lowerBound..<tokens[last].range.upperBound], as: UTF8.self
    )
  }

  /// Returns the source text from a token to the end of the last one.
  public func text(from index: Int) -> String { text(min(index, count)..<count) }

  /// The source text without leading and trailing white space and comments, and without trailing semicolons.
  public var trimmedText: String {
    var end = count
    while end > 0, self.is(end - 1, ";") { end -= 1 }
    return text(0..<end)
  }

  /// Returns whether a token is an unquoted word, compared case-insensitively, or a symbol.
  public func `is`(_ index: Int, _ word: String) -> Bool {
    guard kind(index) == .word || kind(index) == .symbol else { return false }
    return Self.isSame(bytes[tokens[index].range], word.utf8)
  }

  /// Returns whether the tokens from `index` are these words and symbols.
  public func are(_ index: Int, _ words: String...) -> Bool {
    words.indices.allSatisfy { self.is(index + $0, words[$0]) }
  }

  /// Returns the name or string that a token denotes, without quotes.
  public func name(_ index: Int) -> String {
    guard kind(index) == .quotedName || kind(index) == .string else { return text(index) }
    let range = tokens[index].range
    let inner = bytes[range.dropFirst().dropLast()]
    let quote = bytes[range.lowerBound]
    // A closing bracket can't be escaped in brackets.
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

  /// Returns the index after the token that closes the parenthesis at `index`.
  public func endOfParentheses(from index: Int) -> Int {
    var depth = 0
    for position in index..<max(index, count) {
      if self.is(position, "(") { depth += 1 }
      if self.is(position, ")") { depth -= 1 }
      if depth <= 0 { return position + 1 }
    }
    return count
  }

  /// Returns the parts of a range, separated by commas outside parentheses.
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

  /// Returns whether any token, quoted or unquoted, is this name.
  public func mentions(_ name: String) -> Bool {
    (0..<count).contains { index in
      switch tokens[index].kind {
      case .word, .quotedName, .string: Self.isSame(self.name(index).utf8, name.utf8)
      default: false
      }
    }
  }

  /// Returns whether two names are the same in SQLite, which ignores the case of ASCII letters only.
  private static func isSame(
    _ a: some Collection<UInt8>, _ b: some Collection<UInt8>
  ) -> Bool {
    a.count == b.count && zip(a, b).allSatisfy { $0.asciiLowercased == $1.asciiLowercased }
  }
}
