internal import Primitives

/// Contents, by their designators (FORMAT.md, S1 to S12).
extension Scanner {
  /// Reads the content of a scalar, and notes its value where it fits in 64 bits.
  func read(
    _ mark: Mark, into token: inout Token, _ seen: SeenBytes, in bytes: Span<UInt8>
  ) throws(ScanFailure) {
    let content = token.content
    switch mark {
    case .string:
      token.kind = .string
      try checkText(token, seen, in: bytes)
    case .opaque:
      token.kind = Self.isNull(bytes, content) ? .null : .opaque
      try checkText(token, seen, in: bytes)
    case .bool:
      token.kind = .bool
      token.bits = try Numbers.bool(bytes, content) ? 1 : 0
    case .integer:
      let integer = try Numbers.integer(bytes, content)
      token.kind = integer.isUnsigned ? .unsigned : .integer
      token.bits = integer.bits
    case .float:
      token.kind = .float
      token.bits = UInt64(try Numbers.float(bytes, content).bitPattern)
    case .double:
      token.kind = .double
      token.bits = try Numbers.double(bytes, content).bitPattern
    case .data:
      token.kind = .data
      do {
        try Base64.check(bytes.extracting(content))
      } catch {
        throw ScanFailure(
          .invalidBase64, error.message, at: content.lowerBound + error.offset)
      }
    case .decimal:
      token.kind = .decimal
      try Numbers.checkDecimal(bytes, content)
    case .instant:
      token.kind = .instant
      _ = try InstantText.read(bytes, content)
    case .null:
      token.kind = .null
      guard content.isEmpty else {
        throw ScanFailure(.invalidNull, "a null has no content", at: content.lowerBound)
      }
    }
  }

  /// Checks a content that is text.
  func checkText(
    _ token: Token, _ seen: SeenBytes, in bytes: Span<UInt8>
  ) throws(ScanFailure) {
    if seen.union >= 0x80 { try ScanFailure.checkUTF8(bytes, token.content) }
    if seen.ampersand, level == 2 { try Escapes.check(bytes, token.content) }
  }

  /// Whether a content is `<null>`, as the original wrote a nil.
  private static func isNull(_ bytes: Span<UInt8>, _ content: Range<Int>) -> Bool {
    guard content.count == 6, bytes[content.lowerBound] == Byte.less else { return false }
    var at = content.lowerBound
    for byte in "<null>".utf8 {
      guard bytes[at] == byte else { return false }
      at += 1
    }
    return true
  }
}
