/// Tracks quotes and comments through the pieces of a statement's text, and finds parameters.
///
/// It distinguishes as many of SQLite's tokens as it takes to decide whether a value can be bound at a place:
/// https://www.sqlite.org/lang_comment.html, https://www.sqlite.org/lang_keywords.html
struct SQLScanner: Sendable {
  private enum Place {
    case code
    /// In quotes that end at this byte. A doubled one ends them and begins others, which is the same.
    case quotes(end: UInt8)
    case lineComment
    case blockComment
  }

  private var place = Place.code
  private var previous = UInt8(ascii: " ")

  /// Whether the next byte is outside quotes and comments.
  var isInCode: Bool { if case .code = place { true } else { false } }

  /// Begins a token that its neighbors do not extend.
  mutating func beginToken() { previous = UInt8(ascii: " ") }

  /// Scans the next piece of the text.
  ///
  /// - Returns: Whether a parameter begins in it.
  mutating func scan(_ text: String) -> Bool {
    var hasParameter = false
    for byte in text.utf8 where step(over: byte) { hasParameter = true }
    return hasParameter
  }

  /// Whether the byte begins a parameter.
  mutating func step(over byte: UInt8) -> Bool {
    let before = previous
    previous = byte
    switch place {
    case .quotes(let end):
      if byte == end { place = .code }
    case .lineComment:
      if byte == UInt8(ascii: "\n") { place = .code }
    case .blockComment:
      if before == UInt8(ascii: "*"), byte == UInt8(ascii: "/") { endComment() }
    case .code: return stepInCode(over: byte, after: before)
    }
    return false
  }

  private mutating func stepInCode(over byte: UInt8, after before: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "'"), UInt8(ascii: "\""), UInt8(ascii: "`"): place = .quotes(end: byte)
    case UInt8(ascii: "["): place = .quotes(end: UInt8(ascii: "]"))
    case UInt8(ascii: "-") where before == UInt8(ascii: "-"): place = .lineComment
    case UInt8(ascii: "*") where before == UInt8(ascii: "/"):
      place = .blockComment
      // The star that begins a comment does not end it.
      previous = UInt8(ascii: " ")
    case UInt8(ascii: "?"), UInt8(ascii: ":"), UInt8(ascii: "@"), UInt8(ascii: "#"): return true
    case UInt8(ascii: "$"): return !before.isPartOfName
    default: break
    }
    return false
  }

  private mutating func endComment() {
    place = .code
    previous = UInt8(ascii: " ")
  }
}

extension UInt8 {
  var isPartOfName: Bool {
    switch self {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "$"), 0x80...0xff:
      true
    default: false
    }
  }
}
