/// What the original wrote without quotes.
extension Scanner {
  /// Reads a text that stands unquoted after `=`, up to the next pair or the object's end (L2).
  ///
  /// The original wrote a text that begins with `@obj` or `@array[` as it was. Where such a text has
  /// a `>`, or a space and what looks as a key, it can't be told from the end: it is cut there.
  mutating func unquotedText(
    _ pair: Token, in bytes: Span<UInt8>, from start: Int, isLast: Bool
  ) throws(ScanFailure) -> Token {
    var end = start
    var seen = SeenBytes()
    scan: while true {
      guard end < bytes.count else { return try cut(bytes, isLast: isLast) }
      switch bytes[end] {
      case Byte.greater: break scan
      case Byte.space:
        guard let isPair = Self.isPair(bytes, from: end + 1) else {
          return try cut(bytes, isLast: isLast)
        }
        if isPair { break scan }
      default: break
      }
      seen.note(bytes[end])
      end += 1
    }
    try checkLength(end - start, of: "value", at: start)
    var token = pair
    token.kind = .string
    token.start = start
    token.length = end - start
    token.mayHaveEscapes = seen.ampersand
    try checkText(token, seen, in: bytes)
    return finish(token, next: end)
  }

  /// Whether a key, `=` and a value begin here; `nil` where the bytes end before it is known.
  private static func isPair(_ bytes: Span<UInt8>, from start: Int) -> Bool? {
    var at = start
    while at < bytes.count {
      switch bytes[at] {
      case Byte.equals:
        guard at + 1 < bytes.count else { return nil }
        return at > start && (bytes[at + 1] == Byte.backtick || bytes[at + 1] == Byte.at)
      case Byte.backtick, Byte.less, Byte.greater, Byte.openBracket, Byte.closeBracket, Byte.space:
        return false
      default: at += 1
      }
    }
    return nil
  }
}
