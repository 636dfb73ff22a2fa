/// Splits a text into tokens exactly as SQLite 3.40 does.
///
/// The lexer never fails: invalid bytes become a token of kind ``TokenKind/illegal``.
public struct Lexer: Sendable {
  let bytes: [UInt8]
  let keywords = KeywordTable.shared
  var position = 0
  /// Indicates whether `_` may separate digits, as in SQLite 3.46.
  var allowsDigitSeparators = false

  /// Creates a lexer for `source`.
  public init(_ source: SourceText) { bytes = source.bytes }

  /// Returns a text's tokens and comments.
  ///
  /// - Parameters:
  ///   - source: The text.
  ///   - allowsLabels: Whether a word at the start of a statement may be a label, followed by `:`.
  ///     Otherwise the `:` begins a parameter.
  ///   - allowsDigitSeparators: Whether `_` may separate digits, as in SQLite 3.46.
  /// - Complexity: O(*n*), in time and in memory.
  public static func tokenize(
    _ source: SourceText, allowsLabels: Bool = false, allowsDigitSeparators: Bool = false
  ) -> TokenList {
    var lexer = Lexer(source)
    lexer.allowsDigitSeparators = allowsDigitSeparators
    var list = TokenList()
    list.tokens.reserveCapacity(source.byteCount / 5 + 2)
    var contextual: [Int] = []
    while true {
      lexer.skipSpace()
      let start = lexer.position
      if allowsLabels, lexer.byte(at: start) == UInt8(ascii: ":"),
        lexer.endsInLabel(list.tokens)
      {
        lexer.position += 1
        list.tokens.append(Token(.colon, ByteSpan(start..<start + 1)))
        continue
      }
      guard let kind = lexer.readToken() else {
        list.comments.append(ByteSpan(start..<lexer.position))
        continue
      }
      if kind == .window || kind == .over || kind == .filter {
        contextual.append(list.tokens.count)
      }
      list.tokens.append(Token(kind, ByteSpan(start..<lexer.position)))
      if kind == .endOfText { break }
    }
    for index in contextual { resolveContextualKeyword(index, in: &list.tokens) }
    return list
  }

  /// Returns the reason why the token at `span` is illegal.
  public static func fault(at span: ByteSpan, in source: SourceText) -> LexicalError {
    let start = span.start.value
    guard start < source.byteCount else { return .unexpectedCharacter }
    switch source.bytes[start] {
    case UInt8(ascii: "'"): return .unterminatedString
    case UInt8(ascii: "\""), UInt8(ascii: "`"), UInt8(ascii: "["): return .unterminatedName
    case UInt8(ascii: "x"), UInt8(ascii: "X"): return .malformedBlob
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."): return .malformedNumber
    case UInt8(ascii: ":"), UInt8(ascii: "@"), UInt8(ascii: "$"), UInt8(ascii: "#"):
      return .malformedParameter
    default: return .unexpectedCharacter
    }
  }

  /// Returns the byte at `index`, or zero past the end. A zero byte within the text is an illegal
  /// token.
  @inline(__always)
  func byte(at index: Int) -> UInt8 { index < bytes.count ? bytes[index] : 0 }

  @inline(__always)
  static func isIdentifierByte(_ byte: UInt8) -> Bool {
    guard byte < 0x80 else { return true }
    // One bit per byte: digits and `$`, then letters and `_`.
    let mask: UInt64 = byte < 0x40 ? 0x03FF_0010_0000_0000 : 0x07FF_FFFE_87FF_FFFE
    return mask >> UInt64(byte & 0x3F) & 1 != 0
  }

  @inline(__always)
  static func isDigit(_ byte: UInt8) -> Bool { byte &- 0x30 < 10 }

  @inline(__always)
  static func isHexDigit(_ byte: UInt8) -> Bool {
    byte &- 0x30 < 10 || (byte | 0x20) &- 0x61 < 6
  }

  @inline(__always)
  static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte &- 0x09 < 5 }

  /// Skips whitespace and byte order marks. A vertical tab is whitespace only after another space.
  @inline(__always)
  mutating func skipSpace() {
    while position < bytes.count {
      switch bytes[position] {
      case 0x20, 0x09, 0x0A, 0x0C, 0x0D:
        position += 1
        while position < bytes.count, Self.isSpace(bytes[position]) { position += 1 }
      case 0xEF where byte(at: position + 1) == 0xBB && byte(at: position + 2) == 0xBF:
        position += 3
      default:
        return
      }
    }
  }

  /// Returns whether the last token is a label before the colon at `position`. Only three keywords at
  /// the start of a statement can be followed by a parameter instead.
  ///
  /// If the `;` of the previous statement is missing, a word at the start of a line with a colon and
  /// a space after it is a label, because it can't be anything else.
  private func endsInLabel(_ tokens: [Token]) -> Bool {
    guard let last = tokens.last, last.kind == .identifier || last.kind.isKeyword else {
      return false
    }
    let next = byte(at: position + 1)
    guard tokens.count == 1 || tokens[tokens.count - 2].kind == .semicolon else {
      let between = tokens[tokens.count - 2].span.end.value..<last.span.start.value
      return last.span.end.value == position && Self.isSpace(next)
        && bytes[between].contains(UInt8(ascii: "\n"))
    }
    let takesParameter = last.kind == .select || last.kind == .attach || last.kind == .detach
    return !takesParameter || !Self.isIdentifierByte(next)
  }

  /// Turns a `WINDOW`, `OVER` or `FILTER` token into an identifier unless its neighbors make it a
  /// keyword.
  private static func resolveContextualKeyword(_ index: Int, in tokens: inout [Token]) {
    func isName(_ offset: Int) -> Bool {
      guard index + offset < tokens.count else { return false }
      let kind = tokens[index + offset].kind
      return kind == .identifier || kind == .string || kind.isJoinKeyword || kind == .window
        || kind == .over || kind.isFallback
    }
    func follows(_ kind: TokenKind, at offset: Int) -> Bool {
      index + offset < tokens.count && tokens[index + offset].kind == kind
    }
    let afterCall = index > 0 && tokens[index - 1].kind == .rightParenthesis
    let isKeyword =
      switch tokens[index].kind {
      case .window: isName(1) && follows(.as, at: 2)
      case .over: afterCall && (follows(.leftParenthesis, at: 1) || isName(1))
      default: afterCall && follows(.leftParenthesis, at: 1)
      }
    if !isKeyword { tokens[index].kind = .identifier }
  }
}
