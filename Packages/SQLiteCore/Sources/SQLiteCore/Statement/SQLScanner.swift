/// Follows quotes and comments through the pieces of a statement's text, and finds parameters.
///
/// It knows as much of SQLite's tokens as it takes to know whether a value can stand at a place:
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

  /// Whether what comes next is neither in quotes nor in a comment.
  var isInCode: Bool { if case .code = place { true } else { false } }

  /// Something has been written that is no part of any token before it or after it.
  mutating func beginToken() { previous = UInt8(ascii: " ") }

  /// Goes on through `text`, which begins at byte `start` of the whole.
  ///
  /// - Returns: Where the first parameter stands; `nil` where there is none.
  mutating func scan(_ text: String, from start: Int) -> Int? {
    var offset = start
    var parameter: Int?
    for byte in text.utf8 {
      if step(over: byte), parameter == nil { parameter = offset }
      offset += 1
    }
    return parameter
  }

  /// Whether the byte begins a parameter.
  private mutating func step(over byte: UInt8) -> Bool {
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
  fileprivate var isPartOfName: Bool {
    switch self {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "$"), 0x80...0xff:
      true
    default: false
    }
  }
}

/// Why a statement's text can't be run with its values.
struct SQLFault: Sendable {
  enum Kind: Sendable { case misplacedInterpolation, parameterInText }

  let kind: Kind
  let offset: Int

  func shifted(by bytes: Int) -> SQLFault { SQLFault(kind: kind, offset: offset + bytes) }

  func error(in text: String) -> SQLiteError {
    let (code, message): (SQLiteError.Code, String) =
      switch kind {
      case .misplacedInterpolation:
        (
          .misplacedInterpolation,
          "something is interpolated inside quotes or a comment, where nothing can be bound"
        )
      case .parameterInText:
        (.parameterInText, "the text has a parameter of its own: interpolate its value instead")
      }
    return SQLiteError(
      code: code, message: message, sql: text, offset: ByteOffset(rawValue: offset))
  }
}
