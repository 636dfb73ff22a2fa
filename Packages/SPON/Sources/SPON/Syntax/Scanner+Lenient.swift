/// What the original wrote without quotes.
extension Scanner {
  /// Reads a text that stands unquoted after `=`, up to the next pair or the object's end (N1).
  ///
  /// The original wrote a text that begins with `@obj` or `@array[` as it was. Where such a text has
  /// a `>`, or a space and what looks as a key, it can't be told from the end: it is cut there.
  mutating func unquotedText(
    _ pair: Token, in bytes: Span<UInt8>, from start: Int, isLast: Bool
  ) throws(ScanFailure) -> Token {
    var (end, seen) = resumed(from: start)
    scan: while true {
      try checkLength(end - start, of: "value", at: start)
      guard end < bytes.count else {
        suspend(end, seen)
        return try cut(bytes, isLast: isLast)
      }
      switch bytes[end] {
      case Byte.greater: break scan
      case Byte.space:
        guard let isPair = isPair(bytes, from: end + 1) else {
          suspend(end, seen)
          return try cut(bytes, isLast: isLast)
        }
        if isPair { break scan }
      default: break
      }
      seen.note(bytes[end])
      end += 1
    }
    var token = pair
    token.kind = .string
    token.start = start
    token.length = end - start
    token.mayHaveEscapes = seen.ampersand
    try checkText(token, seen, in: bytes)
    return finish(token, next: end)
  }

  /// Whether a container's head begins here, and not a text that begins as one; `nil` where the bytes
  /// end before it is known.
  static func beginsContainer(
    in bytes: Span<UInt8>, from start: Int, isLast: Bool
  ) -> Bool? {
    switch head(in: bytes, from: start) {
    case .other: return false
    case .incomplete: return nil
    case .array(let end): return end < bytes.count ? bytes[end] == Byte.openBracket : nil
    case .object(let end):
      guard end < bytes.count, bytes[end] == Byte.colon else {
        return end < bytes.count ? bytes[end] == Byte.less : nil
      }
      var (hasSpace, hasComma) = (false, false)
      // Or texts that are elements would be searched to the end of the document, each of them.
      let searchedEnd = Swift.min(bytes.count, end + Self.longestName)
      for at in end..<searchedEnd {
        switch bytes[at] {
        case Byte.less: return true
        case Byte.greater, Byte.backtick: return false
        case Byte.equals where hasSpace: return false  // of the next pair
        default:
          hasSpace = hasSpace || bytes[at] == Byte.space
          hasComma = hasComma || bytes[at] == Byte.comma
        }
      }
      if searchedEnd < bytes.count { return !hasComma }
      return isLast ? false : nil
    }
  }

  /// Up to so many bytes behind `@obj`, it is asked whether they are the name of a type.
  private static let longestName = 1_024

  /// Whether a key, `=` and a value begin here; `nil` where the bytes end before it is known.
  private mutating func isPair(_ bytes: Span<UInt8>, from start: Int) -> Bool? {
    var at = Swift.max(start, position + partial.ahead)
    partial.ahead = 0
    // What is longer than a key may be is none.
    while at < bytes.count, at - start <= limits.length {
      switch bytes[at] {
      case Byte.equals where at + 1 < bytes.count:
        return at > start && (bytes[at + 1] == Byte.backtick || bytes[at + 1] == Byte.at)
      case Byte.equals:
        partial.ahead = at - position
        return nil
      case Byte.backtick, Byte.less, Byte.greater, Byte.openBracket, Byte.closeBracket, Byte.space:
        return false
      default: at += 1
      }
    }
    guard at >= bytes.count else { return false }
    partial.ahead = at - position
    return nil
  }
}
