/// Base64 of RFC 4648, section 4: the standard alphabet, with padding.
enum Base64 {
  static func check(_ bytes: Span<UInt8>, _ range: Range<Int>) throws(ScanFailure) {
    guard range.count % 4 == 0 else {
      throw ScanFailure(
        .invalidBase64, "expected groups of four characters of Base64", at: range.lowerBound)
    }
    let padding = paddingLength(bytes, range)
    for at in range.lowerBound..<range.upperBound - padding where value(bytes[at]) == nil {
      throw ScanFailure(.invalidBase64, "expected a character of Base64", at: at)
    }
    let unused: UInt8 = padding == 2 ? 0x0F : padding == 1 ? 0x03 : 0
    let last = range.upperBound - padding - 1
    if unused != 0, let value = value(bytes[last]), value & unused != 0 {
      throw ScanFailure(.invalidBase64, "the last character of Base64 has bits too many", at: last)
    }
  }

  /// The bytes that a checked range stands for.
  static func decoded(_ bytes: Span<UInt8>, _ range: Range<Int>) -> [UInt8] {
    let padding = paddingLength(bytes, range)
    let count = range.count / 4 * 3 - padding
    var result: [UInt8] = []
    result.reserveCapacity(count)
    var at = range.lowerBound
    while at < range.upperBound {
      let group =
        UInt32(value(bytes[at]) ?? 0) << 18 | UInt32(value(bytes[at + 1]) ?? 0) << 12
        | UInt32(value(bytes[at + 2]) ?? 0) << 6 | UInt32(value(bytes[at + 3]) ?? 0)
      result.append(UInt8(truncatingIfNeeded: group >> 16))
      if result.count < count { result.append(UInt8(truncatingIfNeeded: group >> 8)) }
      if result.count < count { result.append(UInt8(truncatingIfNeeded: group)) }
      at += 4
    }
    return result
  }

  /// Appends the characters that stand for bytes.
  static func append(_ data: [UInt8], to text: inout [UInt8]) {
    text.reserveCapacity(text.count + (data.count + 2) / 3 * 4)
    var at = 0
    while at + 2 < data.count {
      append(UInt32(data[at]) << 16 | UInt32(data[at + 1]) << 8 | UInt32(data[at + 2]), 4, &text)
      at += 3
    }
    switch data.count - at {
    case 1:
      append(UInt32(data[at]) << 16, 2, &text)
      text.append(Byte.equals)
      text.append(Byte.equals)
    case 2:
      append(UInt32(data[at]) << 16 | UInt32(data[at + 1]) << 8, 3, &text)
      text.append(Byte.equals)
    default: break
    }
  }

  private static func append(_ group: UInt32, _ count: Int, _ text: inout [UInt8]) {
    var shift: UInt32 = 18
    for _ in 0..<count {
      text.append(character(UInt8(truncatingIfNeeded: group >> shift) & 0x3F))
      shift &-= 6
    }
  }

  private static func paddingLength(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Int {
    guard !range.isEmpty, bytes[range.upperBound - 1] == Byte.equals else { return 0 }
    return bytes[range.upperBound - 2] == Byte.equals ? 2 : 1
  }

  @inline(__always)
  private static func value(_ byte: UInt8) -> UInt8? {
    switch byte {
    case 0x41...0x5A: byte &- 0x41
    case 0x61...0x7A: byte &- 0x61 &+ 26
    case 0x30...0x39: byte &- 0x30 &+ 52
    case 0x2B: 62
    case 0x2F: 63
    default: nil
    }
  }

  @inline(__always)
  private static func character(_ value: UInt8) -> UInt8 {
    switch value {
    case 0..<26: value &+ 0x41
    case 26..<52: value &- 26 &+ 0x61
    case 52..<62: value &- 52 &+ 0x30
    case 62: 0x2B
    default: 0x2F
    }
  }
}
