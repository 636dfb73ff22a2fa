extension Lexer {
  /// Reads one token or comment at `position`, which must not be at whitespace.
  ///
  /// - Returns: The token's kind; `nil` for a comment.
  @inline(__always)
  mutating func readToken() -> TokenKind? {
    guard position < bytes.count else { return .endOfText }
    let first = bytes[position]
    switch first {
    case UInt8(ascii: "x"), UInt8(ascii: "X"):
      return byte(at: position + 1) == UInt8(ascii: "'") ? readBlob() : readWord()
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "_"), 0x80...0xFF:
      return readWord()
    case UInt8(ascii: "0")...UInt8(ascii: "9"):
      return readNumber()
    case UInt8(ascii: "'"), UInt8(ascii: "\""), UInt8(ascii: "`"):
      return readQuoted(first)
    case UInt8(ascii: "["):
      return readBracketed()
    case UInt8(ascii: "?"):
      position += 1
      while Self.isDigit(byte(at: position)) { position += 1 }
      return .parameter
    case UInt8(ascii: "$"), UInt8(ascii: "@"), UInt8(ascii: ":"), UInt8(ascii: "#"):
      return readNamedParameter()
    case UInt8(ascii: "."):
      if Self.isDigit(byte(at: position + 1)) { return readNumber() }
      return consume(1, .dot)
    case UInt8(ascii: "-"):
      switch byte(at: position + 1) {
      case UInt8(ascii: "-"): return readLineComment()
      case UInt8(ascii: ">"):
        return byte(at: position + 2) == UInt8(ascii: ">")
          ? consume(3, .doubleArrow) : consume(2, .arrow)
      default: return consume(1, .minus)
      }
    case UInt8(ascii: "/"):
      // `/*` at the very end of a text is two operators.
      if byte(at: position + 1) == UInt8(ascii: "*"), byte(at: position + 2) != 0 {
        return readBlockComment()
      }
      return consume(1, .slash)
    default:
      return readOperator(first)
    }
  }

  @inline(__always)
  private mutating func consume(_ count: Int, _ kind: TokenKind) -> TokenKind {
    position += count
    return kind
  }

  private mutating func readOperator(_ first: UInt8) -> TokenKind {
    let second = byte(at: position + 1)
    switch first {
    case UInt8(ascii: ","): return consume(1, .comma)
    case UInt8(ascii: "("): return consume(1, .leftParenthesis)
    case UInt8(ascii: ")"): return consume(1, .rightParenthesis)
    case UInt8(ascii: ";"): return consume(1, .semicolon)
    case UInt8(ascii: "*"): return consume(1, .star)
    case UInt8(ascii: "+"): return consume(1, .plus)
    case UInt8(ascii: "%"): return consume(1, .percent)
    case UInt8(ascii: "&"): return consume(1, .ampersand)
    case UInt8(ascii: "~"): return consume(1, .tilde)
    case UInt8(ascii: "="): return consume(second == UInt8(ascii: "=") ? 2 : 1, .equal)
    case UInt8(ascii: "|"):
      return second == UInt8(ascii: "|") ? consume(2, .concatenate) : consume(1, .bar)
    case UInt8(ascii: "!"):
      return second == UInt8(ascii: "=") ? consume(2, .notEqual) : consume(1, .illegal)
    case UInt8(ascii: "<"):
      switch second {
      case UInt8(ascii: "="): return consume(2, .lessOrEqual)
      case UInt8(ascii: ">"): return consume(2, .notEqual)
      case UInt8(ascii: "<"): return consume(2, .shiftLeft)
      default: return consume(1, .less)
      }
    case UInt8(ascii: ">"):
      switch second {
      case UInt8(ascii: "="): return consume(2, .greaterOrEqual)
      case UInt8(ascii: ">"): return consume(2, .shiftRight)
      default: return consume(1, .greater)
      }
    default: return consume(1, .illegal)
    }
  }

  @inline(__always)
  private mutating func readWord() -> TokenKind {
    let start = position
    var end = start + 1
    while end < bytes.count, Self.isIdentifierByte(bytes[end]) { end += 1 }
    position = end
    return keywords.kind(of: bytes, from: start, to: end)
  }

  private mutating func readNumber() -> TokenKind {
    let start = position
    if bytes[start] == UInt8(ascii: "0"), byte(at: start + 1) | 0x20 == UInt8(ascii: "x"),
      Self.isHexDigit(byte(at: start + 2))
    {
      position += 3
      while Self.isHexDigit(byte(at: position)) || isDigitSeparator(Self.isHexDigit) {
        position += 1
      }
      // The next byte starts a new token, even if it is a letter.
      return .integer
    }
    var kind = TokenKind.integer
    while Self.isDigit(byte(at: position)) || isDigitSeparator(Self.isDigit) { position += 1 }
    if byte(at: position) == UInt8(ascii: ".") {
      kind = .real
      position += 1
      while Self.isDigit(byte(at: position)) || isDigitSeparator(Self.isDigit) { position += 1 }
    }
    if byte(at: position) | 0x20 == UInt8(ascii: "e") {
      let next = byte(at: position + 1)
      let isSigned = next == UInt8(ascii: "+") || next == UInt8(ascii: "-")
      if Self.isDigit(isSigned ? byte(at: position + 2) : next) {
        kind = .real
        position += 2
        while Self.isDigit(byte(at: position)) || isDigitSeparator(Self.isDigit) { position += 1 }
      }
    }
    while position < bytes.count, Self.isIdentifierByte(bytes[position]) {
      kind = .illegal
      position += 1
    }
    return kind
  }

  /// Returns whether the next byte is a separator between two digits.
  @inline(__always)
  private func isDigitSeparator(_ isDigit: (UInt8) -> Bool) -> Bool {
    allowsDigitSeparators && byte(at: position) == UInt8(ascii: "_")
      && isDigit(byte(at: position + 1))
      && position > 0 && isDigit(bytes[position - 1])
  }

  private mutating func readQuoted(_ quote: UInt8) -> TokenKind {
    position += 1
    while position < bytes.count {
      let current = bytes[position]
      if current == quote {
        position += 1
        guard byte(at: position) == quote else {
          return quote == UInt8(ascii: "'") ? .string : .identifier
        }
      } else if current == 0 {
        return .illegal
      }
      position += 1
    }
    return .illegal
  }

  private mutating func readBracketed() -> TokenKind {
    while position < bytes.count, bytes[position] != 0 {
      position += 1
      if bytes[position - 1] == UInt8(ascii: "]") { return .identifier }
    }
    return .illegal
  }

  private mutating func readBlob() -> TokenKind {
    position += 2
    let digits = position
    while Self.isHexDigit(byte(at: position)) { position += 1 }
    if byte(at: position) == UInt8(ascii: "'"), (position - digits) % 2 == 0 {
      return consume(1, .blob)
    }
    while position < bytes.count, bytes[position] != 0, bytes[position] != UInt8(ascii: "'") {
      position += 1
    }
    if byte(at: position) != 0 { position += 1 }
    return .illegal
  }

  /// Reads a parameter. As in Tcl, its name may contain `::` and end in one parenthesized suffix.
  private mutating func readNamedParameter() -> TokenKind {
    position += 1
    var nameLength = 0
    while position < bytes.count {
      let current = bytes[position]
      if Self.isIdentifierByte(current) {
        nameLength += 1
      } else if current == UInt8(ascii: "("), nameLength > 0 {
        return readParameterSuffix()
      } else if current == UInt8(ascii: ":"), byte(at: position + 1) == UInt8(ascii: ":") {
        position += 1
      } else {
        break
      }
      position += 1
    }
    return nameLength > 0 ? .parameter : .illegal
  }

  private mutating func readParameterSuffix() -> TokenKind {
    repeat {
      position += 1
    } while byte(at: position) != 0 && !Self.isSpace(byte(at: position))
      && byte(at: position) != UInt8(ascii: ")")
    guard byte(at: position) == UInt8(ascii: ")") else { return .illegal }
    position += 1
    return .parameter
  }

  private mutating func readLineComment() -> TokenKind? {
    position += 2
    while position < bytes.count, bytes[position] != UInt8(ascii: "\n"), bytes[position] != 0 {
      position += 1
    }
    return nil
  }

  /// Reads a block comment, which may be unterminated at the end of the text.
  private mutating func readBlockComment() -> TokenKind? {
    position += 2
    while position < bytes.count, bytes[position] != 0 {
      if bytes[position] == UInt8(ascii: "*"), byte(at: position + 1) == UInt8(ascii: "/") {
        position += 2
        return nil
      }
      position += 1
    }
    return nil
  }
}
