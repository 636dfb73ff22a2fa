internal import Primitives

/// The text of a JSON file that was read before, in parts: white space, punctuation and whole
/// values.
struct JSONTextSource {
  private var window: ByteWindow
  private var at = 0

  init(_ input: SourceSession.ByteInput) throws(ProviderError) { window = try ByteWindow(input) }

  /// The error if the text is not the one that was read.
  static let changed = ProviderError(
    .fileChanged, "the file was changed while it was being written")

  /// The next byte; `nil` at the end.
  mutating func next() throws(ProviderError) -> UInt8? {
    var end = at
    return try hasByte(at: &end) ? window.bytes[at] : nil
  }

  /// Reads a punctuation character.
  mutating func skip(_ byte: UInt8) throws(ProviderError) {
    guard try next() == byte else { throw Self.changed }
    at += 1
  }

  /// Reads the white space before the next token, or before the end.
  mutating func space() throws(ProviderError) -> [UInt8] {
    try read { $0 > 0x20 }
  }

  /// Reads a byte order mark, if there is one.
  mutating func byteOrderMark() throws(ProviderError) -> [UInt8] {
    try next() == 0xEF ? try read { $0 < 0x80 } : []
  }

  private mutating func read(
    until isEnd: (UInt8) -> Bool
  ) throws(ProviderError) -> [UInt8] {
    var end = at
    while try hasByte(at: &end), !isEnd(window.bytes[end]) { end += 1 }
    return take(end)
  }

  /// Reads a value, or the key of a member.
  mutating func value() throws(ProviderError) -> [UInt8] {
    var end = at
    var depth = 0
    var isInString = false
    var isEscaped = false
    scan: while try hasByte(at: &end) {
      let byte = window.bytes[end]
      if isInString {
        end += 1
        if isEscaped {
          isEscaped = false
        } else if byte == 0x5C {
          isEscaped = true
        } else if byte == 0x22 {
          isInString = false
          if depth == 0 { break scan }
        }
        continue
      }
      switch byte {
      case 0x22:
        if depth == 0, end > at { break scan }
        isInString = true
      case 0x7B, 0x5B:
        if depth == 0, end > at { break scan }
        depth += 1
      case 0x7D, 0x5D:
        guard depth > 0 else { break scan }
        depth -= 1
        if depth == 0 {
          end += 1
          break scan
        }
      case 0x2C, 0x3A, 0x00...0x20: if depth == 0 { break scan }
      default: break
      }
      end += 1
    }
    guard end > at else { throw Self.changed }
    return take(end)
  }

  private mutating func take(_ end: Int) -> [UInt8] {
    defer { at = end }
    return Array(window.bytes[at..<end])
  }

  /// Returns whether an offset is before the end. Reads more bytes if necessary, and adjusts the
  /// offset to the bytes that were dropped.
  private mutating func hasByte(at offset: inout Int) throws(ProviderError) -> Bool {
    if offset < window.bytes.count { return true }
    guard !window.isAtEnd else { return false }
    let dropped = at
    try window.refill(dropping: dropped)
    at = 0
    offset -= dropped
    return offset < window.bytes.count
  }
}
