internal import Primitives

/// The escapes `&01;`, for a backtick, and `&u…;`, for any Unicode scalar (FORMAT.md, E1 to E4).
///
/// Any other ampersand represents itself. Version 1 supports only the first escape, and only in
/// strings.
enum Escapes {
  enum Found {
    case none
    /// A scalar, and the length of its escape in bytes.
    case scalar(Unicode.Scalar, length: Int)
    /// An escape whose number is not a Unicode scalar.
    case invalid
  }

  /// Returns the escape that begins with the ampersand at `at`. A text of level 0 has no escapes.
  static func escape(_ bytes: Span<UInt8>, at: Int, end: Int, level: UInt8) -> Found {
    guard level > 0, at + 3 < end else { return .none }
    if bytes[at + 1] == 0x30, bytes[at + 2] == 0x31, bytes[at + 3] == Byte.semicolon {
      return .scalar("`", length: 4)
    }
    guard level == 2, bytes[at + 1] == 0x75 else { return .none }
    var value: UInt32 = 0
    var next = at + 2
    while next < end, next < at + 8, let digit = bytes[next].hexadecimalDigit {
      value = value << 4 | digit
      next += 1
    }
    guard next > at + 2, next < end, bytes[next] == Byte.semicolon else { return .none }
    guard let scalar = Unicode.Scalar(value) else { return .invalid }
    return .scalar(scalar, length: next + 1 - at)
  }

  /// Throws if an escape of version 2 is invalid.
  static func check(_ bytes: Span<UInt8>, _ range: Range<Int>) throws(ScanFailure) {
    for at in range where bytes[at] == Byte.ampersand {
      if case .invalid = escape(bytes, at: at, end: range.upperBound, level: 2) {
        throw ScanFailure(.invalidEscape, "the escape is not a valid Unicode scalar", at: at)
      }
    }
  }

  /// Returns a text with its escapes resolved.
  static func text(
    _ range: Range<Int>, in bytes: [UInt8], mayHaveEscapes: Bool, level: UInt8
  ) -> String {
    guard mayHaveEscapes else { return String(decoding: bytes[range], as: UTF8.self) }
    return String(decoding: unescaped(bytes.elementSpan, range, level: level), as: UTF8.self)
  }

  /// Returns the bytes of a text with its escapes resolved.
  static func unescaped(_ bytes: Span<UInt8>, _ range: Range<Int>, level: UInt8) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(range.count)
    var at = range.lowerBound
    while at < range.upperBound {
      if bytes[at] == Byte.ampersand,
        case .scalar(let scalar, let length) = escape(
          bytes, at: at, end: range.upperBound, level: level)
      {
        result.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
        at += length
      } else {
        result.append(bytes[at])
        at += 1
      }
    }
    return result
  }
}
