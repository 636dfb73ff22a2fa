/// A token of PostgreSQL's SQL.
///
/// QueryGen does not parse this language: the server does. Only what is needed to split files into statements and to
/// find parameters is distinguished.
struct PostgreSQLToken: Hashable, Sendable {
  enum Kind: Hashable, Sendable {
    /// A keyword or a name without quotes.
    case word
    /// A string, a quoted name, or a number.
    case literal
    /// `:name`
    case namedParameter
    /// `$1`
    case numberedParameter
    case semicolon
    /// A string, a quoted name or a comment without its end.
    case unterminated
    /// Any other character, or `::`.
    case symbol
  }

  var kind: Kind
  var span: ByteSpan
}

/// Splits a text of PostgreSQL into tokens and comments.
///
/// https://www.postgresql.org/docs/current/sql-syntax-lexical.html
struct PostgreSQLLexer {
  private let bytes: [UInt8]
  private var position = 0
  private(set) var tokens: [PostgreSQLToken] = []
  private(set) var comments: [ByteSpan] = []
  /// The number of open square brackets.
  private var bracketDepth = 0
  /// The number of tokens since the last semicolon.
  private var statementTokenCount = 0

  init(_ source: SourceText) {
    bytes = source.bytes
    while let token = next() {
      tokens.append(token)
      statementTokenCount = token.kind == .semicolon ? 0 : statementTokenCount + 1
    }
  }

  private func byte(_ offset: Int) -> UInt8 { offset < bytes.count ? bytes[offset] : 0 }

  private func token(_ kind: PostgreSQLToken.Kind, from start: Int) -> PostgreSQLToken {
    PostgreSQLToken(kind: kind, span: ByteSpan(start..<position))
  }

  private mutating func next() -> PostgreSQLToken? {
    while position < bytes.count {
      let start = position
      let first = bytes[position]
      if Lexer.isSpace(first) {
        position += 1
        continue
      }
      if first == UInt8(ascii: "-"), byte(position + 1) == first {
        position = bytes[position...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
        comments.append(ByteSpan(start..<position))
        continue
      }
      if first == UInt8(ascii: "/"), byte(position + 1) == UInt8(ascii: "*") {
        guard skipBlockComment() else { return token(.unterminated, from: start) }
        comments.append(ByteSpan(start..<position))
        continue
      }
      return token(first, from: start)
    }
    return nil
  }

  private mutating func token(_ first: UInt8, from start: Int) -> PostgreSQLToken {
    switch first {
    case UInt8(ascii: "'"), UInt8(ascii: "\""):
      let isComplete = skipQuoted(first, hasEscapes: false)
      return token(isComplete ? .literal : .unterminated, from: start)
    case UInt8(ascii: "$"): return dollar(from: start)
    case UInt8(ascii: ":"): return colon(from: start)
    case UInt8(ascii: ";"):
      position += 1
      bracketDepth = 0
      return token(.semicolon, from: start)
    case UInt8(ascii: "0")...UInt8(ascii: "9"):
      return number(from: start)
    case _ where Self.isNameStart(first):
      position += 1
      if first | 0x20 == UInt8(ascii: "e"), byte(position) == UInt8(ascii: "'") {
        let isComplete = skipQuoted(UInt8(ascii: "'"), hasEscapes: true)
        return token(isComplete ? .literal : .unterminated, from: start)
      }
      while position < bytes.count, Self.isNamePart(bytes[position]) { position += 1 }
      return token(.word, from: start)
    default:
      if first == UInt8(ascii: "[") { bracketDepth += 1 }
      if first == UInt8(ascii: "]"), bracketDepth > 0 { bracketDepth -= 1 }
      position += 1
      return token(.symbol, from: start)
    }
  }

  /// Reads digits, a fraction and an exponent. Two periods after digits are an operator of PL/pgSQL, not a fraction.
  private mutating func number(from start: Int) -> PostgreSQLToken {
    while position < bytes.count {
      let next = bytes[position]
      let isSign =
        (next == UInt8(ascii: "+") || next == UInt8(ascii: "-"))
        && bytes[position - 1] | 0x20 == UInt8(ascii: "e") && byte(start + 1) | 0x20 != 0x78
      guard isSign || next == UInt8(ascii: ".") || Self.isNamePart(next) else { break }
      position += 1
    }
    return token(.literal, from: start)
  }

  /// Skips a comment, which may contain others.
  ///
  /// - Returns: `false` if the text ends before the comment.
  private mutating func skipBlockComment() -> Bool {
    var depth = 0
    while position + 1 < bytes.count {
      switch (bytes[position], bytes[position + 1]) {
      case (UInt8(ascii: "/"), UInt8(ascii: "*")):
        depth += 1
        position += 2
      case (UInt8(ascii: "*"), UInt8(ascii: "/")):
        depth -= 1
        position += 2
        if depth == 0 { return true }
      default: position += 1
      }
    }
    position = bytes.count
    return false
  }

  /// Skips a string or a quoted name, in which two quotes stand for one.
  private mutating func skipQuoted(_ quote: UInt8, hasEscapes: Bool) -> Bool {
    position += 1
    while position < bytes.count {
      let current = bytes[position]
      if hasEscapes, current == UInt8(ascii: "\\") {
        position += 2
      } else if current != quote {
        position += 1
      } else if byte(position + 1) == quote {
        position += 2
      } else {
        position += 1
        return true
      }
    }
    position = bytes.count
    return false
  }

  /// Reads `$1`, or a string such as `$$…$$` and `$tag$…$tag$`.
  private mutating func dollar(from start: Int) -> PostgreSQLToken {
    position += 1
    if Self.isDigit(byte(position)) {
      while Self.isDigit(byte(position)) { position += 1 }
      return token(.numberedParameter, from: start)
    }
    var end = position
    if Self.isNameStart(byte(end)) {
      while end < bytes.count, Self.isNamePart(bytes[end]), bytes[end] != UInt8(ascii: "$") {
        end += 1
      }
    }
    guard byte(end) == UInt8(ascii: "$"), end < bytes.count else {
      return token(.symbol, from: start)
    }
    let tag = bytes[start...end]
    position = end + 1
    guard let closing = bytes[position...].firstRange(of: tag) else {
      position = bytes.count
      return token(.unterminated, from: start)
    }
    position = closing.upperBound
    return token(.literal, from: start)
  }

  /// Reads `::`, `:=`, `:name` or `:`.
  ///
  /// The colon after the first word of a statement belongs to a label. In `a[1:n]`, a colon after a value separates the
  /// bounds of a slice.
  private mutating func colon(from start: Int) -> PostgreSQLToken {
    position += 1
    let next = byte(position)
    if next == UInt8(ascii: ":") || next == UInt8(ascii: "=") {
      position += 1
      return token(.symbol, from: start)
    }
    let previous = tokens.last
    let isLabel = statementTokenCount == 1 && previous?.kind == .word
    let isSlice =
      bracketDepth > 0 && previous.map { endsValue($0) && $0.span.end.value == start } ?? false
    guard Self.isNameStart(next), !isLabel, !isSlice else { return token(.symbol, from: start) }
    while position < bytes.count, Self.isNamePart(bytes[position]),
      bytes[position] != UInt8(ascii: "$")
    {
      position += 1
    }
    return token(.namedParameter, from: start)
  }

  /// Indicates whether the token can be the last one of a value.
  private func endsValue(_ token: PostgreSQLToken) -> Bool {
    switch token.kind {
    case .word, .literal, .namedParameter, .numberedParameter: true
    case .symbol: [UInt8(ascii: ")"), UInt8(ascii: "]")].contains(bytes[token.span.start.value])
    case .semicolon, .unterminated: false
    }
  }

  static func isDigit(_ byte: UInt8) -> Bool { byte >= 0x30 && byte <= 0x39 }

  static func isNameStart(_ byte: UInt8) -> Bool {
    byte | 0x20 >= 0x61 && byte | 0x20 <= 0x7A || byte == UInt8(ascii: "_") || byte >= 0x80
  }

  static func isNamePart(_ byte: UInt8) -> Bool {
    isNameStart(byte) || isDigit(byte) || byte == UInt8(ascii: "$")
  }
}
