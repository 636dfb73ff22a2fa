/// Splits a text into tokens, exactly as SQLite 3.40 does.
///
/// It never fails: bytes that begin no token become a token of kind ``TokenKind/illegal``.
public struct Lexer: Sendable {
  let bytes: [UInt8]
  let keywords = KeywordTable.shared
  var position = 0
  /// Whether digits may be set apart by `_`, as SQLite 3.46 takes them.
  var allowsSeparators = false

  /// Prepares to read `source`.
  public init(_ source: SourceText) { bytes = source.bytes }

  /// All tokens of a text.
  ///
  /// - Parameters:
  ///   - source: The text.
  ///   - allowsLabels: Whether a word at the start of a statement may be followed by a `:` of its
  ///     own, which else begins a parameter.
  ///   - allowsSeparators: Whether digits may be set apart by `_`, as SQLite 3.46 takes them.
  /// - Complexity: O(*n*), in time and in memory.
  public static func tokenize(
    _ source: SourceText, allowsLabels: Bool = false, allowsSeparators: Bool = false
  ) -> TokenList {
    var lexer = Lexer(source)
    lexer.allowsSeparators = allowsSeparators
    var list = TokenList()
    list.tokens.reserveCapacity(source.byteCount / 5 + 2)
    var contextual: [Int] = []
    while true {
      lexer.skipSpace()
      let start = lexer.position
      if allowsLabels, lexer.byte(at: start) == UInt8(ascii: ":"),
        endsInLabel(list.tokens, before: lexer.byte(at: start + 1))
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

  /// Why the illegal token at `span` is none.
  public static func fault(at span: ByteSpan, in source: SourceText) -> LexicalFault {
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

  /// The byte at `index`, or zero past the end; a zero byte in a text ends nothing silently, as it
  /// is no token.
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

  /// Skips spaces and byte order marks. A vertical tab counts only after another space.
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

  /// Whether the last token is a word that begins a statement and can be a label, the byte after
  /// its colon being `next`. A parameter can follow only three such words.
  private static func endsInLabel(_ tokens: [Token], before next: UInt8) -> Bool {
    guard let last = tokens.last, last.kind == .identifier || last.kind.isKeyword,
      tokens.count == 1 || tokens[tokens.count - 2].kind == .semicolon
    else { return false }
    let takesParameter = last.kind == .select || last.kind == .attach || last.kind == .detach
    return !takesParameter || !isIdentifierByte(next)
  }

  /// `WINDOW`, `OVER` and `FILTER` are keywords among certain neighbours only.
  private static func resolveContextualKeyword(_ index: Int, in tokens: inout [Token]) {
    func isName(_ offset: Int) -> Bool {
      guard index + offset < tokens.count else { return false }
      let kind = tokens[index + offset].kind
      return kind == .identifier || kind == .string || kind.isJoinWord || kind == .window
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
