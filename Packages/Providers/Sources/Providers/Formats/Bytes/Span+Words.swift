/// Eight bytes at a time.
extension Span<UInt8> {
  /// The eight bytes from `at`, the first one lowest. They must lie within the span.
  @inline(__always)
  func word(at offset: Int) -> UInt64 {
    // Compiled to one load where the caller has compared the offset with the count.
    let bytes = extracting(offset..<(offset &+ 8))
    return UInt64(bytes[0]) | UInt64(bytes[1]) << 8 | UInt64(bytes[2]) << 16
      | UInt64(bytes[3]) << 24 | UInt64(bytes[4]) << 32 | UInt64(bytes[5]) << 40
      | UInt64(bytes[6]) << 48 | UInt64(bytes[7]) << 56
  }

  /// The bytes of a range, copied.
  func array(_ range: Range<Int>) -> [UInt8] {
    var copy: [UInt8] = []
    copy.reserveCapacity(range.count)
    for index in range { copy.append(self[index]) }
    return copy
  }
}

/// Questions about the eight bytes of a word. Each answer has the highest bit of every byte that is meant;
/// bits above the lowest one that is set may be set in error.
enum ByteWord {
  static let ones: UInt64 = 0x0101_0101_0101_0101
  static let highs: UInt64 = 0x8080_8080_8080_8080

  /// A byte eight times.
  @inline(__always)
  static func filled(_ byte: UInt8) -> UInt64 { ones &* UInt64(byte) }

  /// The bytes that equal those of `filled`; other bits than the highest of each are not cleared.
  @inline(__always)
  static func matches(_ word: UInt64, _ filled: UInt64) -> UInt64 {
    let difference = word ^ filled
    return (difference &- ones) & ~difference
  }

  /// The bytes that are zero, and these alone.
  @inline(__always)
  static func zeros(_ word: UInt64) -> UInt64 {
    ~((word & ~highs) &+ ~highs | word) & highs
  }

  /// The bytes below 0x20; other bits than the highest of each are not cleared.
  @inline(__always)
  static func controls(_ word: UInt64) -> UInt64 { (word &- filled(0x20)) & ~word }

  /// All bits of the bytes below the lowest one that an answer means.
  @inline(__always)
  static func below(_ answer: UInt64) -> UInt64 { ((answer & (0 &- answer)) &>> 7) &- 1 }
}
