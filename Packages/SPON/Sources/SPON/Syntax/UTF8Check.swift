/// Whether bytes are well-formed UTF-8, as table 3-7 of the Unicode Standard has it.
enum UTF8Check {
  static func check(_ bytes: Span<UInt8>, _ range: Range<Int>) throws(ScanFailure) {
    var at = range.lowerBound
    while at < range.upperBound {
      let length = sequenceLength(bytes, at, range.upperBound)
      guard length > 0 else {
        throw ScanFailure(.invalidUTF8, "the bytes are not UTF-8", at: at)
      }
      at += length
    }
  }

  /// The length of the sequence that begins at a byte; 0 where it is not one.
  private static func sequenceLength(_ bytes: Span<UInt8>, _ at: Int, _ end: Int) -> Int {
    let first = bytes[at]
    if first < 0x80 { return 1 }
    let second: ClosedRange<UInt8>
    let length: Int
    switch first {
    case 0xC2...0xDF: (second, length) = (0x80...0xBF, 2)
    case 0xE0: (second, length) = (0xA0...0xBF, 3)
    case 0xED: (second, length) = (0x80...0x9F, 3)
    case 0xE1...0xEF: (second, length) = (0x80...0xBF, 3)
    case 0xF0: (second, length) = (0x90...0xBF, 4)
    case 0xF1...0xF3: (second, length) = (0x80...0xBF, 4)
    case 0xF4: (second, length) = (0x80...0x8F, 4)
    default: return 0
    }
    guard at + length <= end, second.contains(bytes[at + 1]) else { return 0 }
    for index in 2..<Swift.max(length, 2) where bytes[at + index] & 0xC0 != 0x80 { return 0 }
    return length
  }
}
