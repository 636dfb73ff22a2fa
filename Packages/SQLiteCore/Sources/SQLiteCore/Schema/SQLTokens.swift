/// The words of one SQL statement: what comparing, renaming and taking apart a `CREATE` needs.
///
/// It knows how words end, and no grammar: https://sqlite.org/lang_keywords.html and `tokenize.c`.
struct SQLTokens {
  enum Kind { case word, quoted, string, number, symbol }

  struct Token {
    let kind: Kind
    /// Its bytes in ``SQLTokens/bytes``.
    let range: Range<Int>
  }

  let bytes: [UInt8]
  private(set) var tokens: [Token] = []

  init(_ sql: String) {
    bytes = Array(sql.utf8)
    var start = 0
    while let token = next(from: &start) { tokens.append(token) }
  }

  var count: Int { tokens.count }

  /// The source text of a token; empty past the end.
  func text(_ index: Int) -> String {
    index < count ? String(decoding: bytes[tokens[index].range], as: UTF8.self) : ""
  }

  /// The source text of several tokens, with what stands between them.
  func text(_ range: Range<Int>) -> String {
    guard let first = range.first, let last = range.last, last < count else { return "" }
    return String(
      decoding: bytes[tokens[first].range.lowerBound..<tokens[last].range.upperBound], as: UTF8.self
    )
  }

  /// The text from a token to the statement's end.
  func text(from index: Int) -> String { text(min(index, count)..<count) }

  /// Whether a token is this bare word or symbol, in either case.
  func `is`(_ index: Int, _ word: String) -> Bool {
    guard index < count, tokens[index].kind == .word || tokens[index].kind == .symbol else {
      return false
    }
    let range = tokens[index].range
    return range.count == word.utf8.count
      && zip(bytes[range], word.utf8).allSatisfy { $0.asciiLowercased == $1.asciiLowercased }
  }

  /// Whether the tokens from `index` on are these words.
  func are(_ index: Int, _ words: String...) -> Bool {
    words.indices.allSatisfy { self.is(index + $0, words[$0]) }
  }

  /// The name that a token stands for: quotes are taken off.
  func name(_ index: Int) -> String {
    guard index < count else { return "" }
    let kind = tokens[index].kind
    guard kind == .quoted || kind == .string, let open = text(index).utf8.first else {
      return text(index)
    }
    let inner = tokens[index].range.dropFirst().dropLast()
    let close = open == 0x5b ? 0x5d : open
    var name: [UInt8] = []
    var skips = false
    for byte in bytes[inner] {
      // A quote inside is written twice.
      if byte == close, open != 0x5b, !skips {
        skips = true
        name.append(byte)
        continue
      }
      if !skips || byte != close { name.append(byte) }
      skips = false
    }
    return String(decoding: name, as: UTF8.self)
  }

  /// The token after the one that closes the parenthesis at `index`.
  func endOfParentheses(from index: Int) -> Int {
    var depth = 0
    for position in index..<max(index, count) {
      if self.is(position, "(") { depth += 1 }
      if self.is(position, ")") { depth -= 1 }
      if depth <= 0 { return position + 1 }
    }
    return count
  }

  /// Parts of a range that commas separate, those inside parentheses not counted.
  func separated(_ range: Range<Int>) -> [Range<Int>] {
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

  /// Tokens in the one form that all their spellings have: no comments, one space, names unquoted
  /// where they can be, letters small.
  ///
  /// - Parameter isName: Whether quotes are always those of a name. What stands in the quotes of a
  ///   module's argument may be a text.
  func canonical(_ range: Range<Int>, isName: Bool = true) -> String {
    range.map { canonical($0, isName: isName) }.joined(separator: " ")
  }

  func canonical(_ index: Int, isName: Bool = true) -> String {
    switch tokens[index].kind {
    case .string, .symbol: return text(index)
    case .word, .number: return text(index).asciiLowercased
    case .quoted:
      let quoted = name(index)
      let name = quoted.asciiLowercased
      let isPlain =
        !name.isEmpty
        && name.utf8.allSatisfy {
          (0x61...0x7a).contains($0) || (0x30...0x39).contains($0) || $0 == 0x5f
        } && !(name.utf8.first.map { (0x30...0x39).contains($0) } ?? false)
      if isPlain, !Engine.isKeyword(name) { return name }
      return SQLName.quoted(isName ? name : quoted)
    }
  }

  /// Whether some token of the statement, bare or quoted, is this name.
  func mentions(_ name: String) -> Bool {
    (0..<count).contains { index in
      switch tokens[index].kind {
      case .word, .quoted, .string: self.name(index).isEqualIgnoringASCIICase(name)
      case .number, .symbol: false
      }
    }
  }

  // MARK: Scanning

  private func next(from start: inout Int) -> Token? {
    skipSpace(&start)
    guard start < bytes.count else { return nil }
    let begin = start
    let kind: Kind
    switch bytes[start] {
    case 0x27: (kind, start) = (.string, endOfQuotes(from: start, close: 0x27))
    case 0x22, 0x60: (kind, start) = (.quoted, endOfQuotes(from: start, close: bytes[start]))
    case 0x5b: (kind, start) = (.quoted, endOfQuotes(from: start, close: 0x5d))
    case 0x78 where peek(start + 1) == 0x27, 0x58 where peek(start + 1) == 0x27:
      (kind, start) = (.string, endOfQuotes(from: start + 1, close: 0x27))
    case 0x30...0x39,
      0x2e where (0x30...0x39).contains(peek(start + 1) ?? 0):
      kind = .number
      start += 1
      while start < bytes.count, isNumberPart(at: start) { start += 1 }
    case let byte where isWordPart(byte):
      kind = .word
      while start < bytes.count, isWordPart(bytes[start]) { start += 1 }
    default:
      kind = .symbol
      start += 1
    }
    return Token(kind: kind, range: begin..<start)
  }

  private func peek(_ index: Int) -> UInt8? { index < bytes.count ? bytes[index] : nil }

  private func skipSpace(_ start: inout Int) {
    while start < bytes.count {
      if bytes[start] == 0x20 || (9...13).contains(bytes[start]) {
        start += 1
      } else if bytes[start] == 0x2d, peek(start + 1) == 0x2d {
        while start < bytes.count, bytes[start] != 0x0a { start += 1 }
      } else if bytes[start] == 0x2f, peek(start + 1) == 0x2a {
        start += 2
        while start < bytes.count, !(bytes[start] == 0x2a && peek(start + 1) == 0x2f) { start += 1 }
        start = min(start + 2, bytes.count)
      } else if bytes[start...].starts(with: [0xef, 0xbb, 0xbf]) {
        // A byte order mark is space to SQLite, wherever it stands.
        start += 3
      } else {
        return
      }
    }
  }

  private func endOfQuotes(from start: Int, close: UInt8) -> Int {
    var index = start + 1
    while index < bytes.count {
      if bytes[index] == close {
        guard close != 0x5d, peek(index + 1) == close else { return index + 1 }
        index += 1
      }
      index += 1
    }
    return bytes.count
  }

  private func isWordPart(_ byte: UInt8) -> Bool {
    (0x61...0x7a).contains(byte) || (0x41...0x5a).contains(byte) || (0x30...0x39).contains(byte)
      || byte == 0x5f || byte == 0x24 || byte >= 0x80
  }

  /// Digits, a point, letters of any kind, and the sign of an exponent.
  private func isNumberPart(at index: Int) -> Bool {
    let byte = bytes[index]
    if isWordPart(byte) || byte == 0x2e { return true }
    let follows = bytes[index - 1].asciiLowercased == 0x65
    return (byte == 0x2b || byte == 0x2d) && follows
  }
}

/// A text that is equal to one of the same bytes alone: Swift holds texts equal that SQL tells apart.
struct ExactText: Hashable {
  let text: String

  init(_ text: String) { self.text = text }

  static func == (a: ExactText, b: ExactText) -> Bool { a.text.hasSameBytes(as: b.text) }
}
