/// Tests of the eight bytes of a word at once.
///
/// Each result has the highest bit of every byte that the test holds for. Unless stated otherwise, bits above the lowest
/// one that is set may be set in error, so that only the first byte found is certain.
public enum ByteWord {
  @inlinable public static var ones: UInt64 { 0x0101_0101_0101_0101 }
  @inlinable public static var highs: UInt64 { 0x8080_8080_8080_8080 }

  /// A byte eight times.
  @inlinable @inline(__always)
  public static func filled(_ byte: UInt8) -> UInt64 { ones &* UInt64(byte) }

  /// The bytes that equal those of `filled`; other bits than the highest of each are not cleared.
  @inlinable @inline(__always)
  public static func matches(_ word: UInt64, _ filled: UInt64) -> UInt64 {
    let difference = word ^ filled
    return (difference &- ones) & ~difference
  }

  /// The bytes that are zero, and these alone.
  @inlinable @inline(__always)
  public static func zeros(_ word: UInt64) -> UInt64 {
    ~((word & ~highs) &+ ~highs | word) & highs
  }

  /// The bytes below 0x20; other bits than the highest of each are not cleared.
  @inlinable @inline(__always)
  public static func controls(_ word: UInt64) -> UInt64 { (word &- filled(0x20)) & ~word }

  /// All bits of the bytes below the lowest one that a result has.
  @inlinable @inline(__always)
  public static func below(_ result: UInt64) -> UInt64 {
    ((result & (0 &- result)) &>> 7) &- 1
  }
}

extension Span<UInt8> {
  /// The eight bytes from `offset`, the first one lowest. They must lie within the span.
  @inlinable @inline(__always)
  public func word(at offset: Int) -> UInt64 {
    // Compiled to one load if the caller has compared the offset with the count.
    let bytes = extracting(offset..<(offset &+ 8))
    return UInt64(bytes[0]) | UInt64(bytes[1]) << 8 | UInt64(bytes[2]) << 16
      | UInt64(bytes[3]) << 24 | UInt64(bytes[4]) << 32 | UInt64(bytes[5]) << 40
      | UInt64(bytes[6]) << 48 | UInt64(bytes[7]) << 56
  }

  /// The first byte from `start` on that a test holds for, or the end of the bytes.
  ///
  /// - Parameters:
  ///   - seen: Gets the bits of all bytes before it.
  ///   - test: A test of eight bytes at once, as ``ByteWord`` has them.
  @inlinable @inline(__always)
  public func first(
    from start: Int, seen: inout UInt64, where test: (UInt64) -> UInt64
  ) -> Int {
    var at = start
    while at < count {
      let isWhole = at &+ 8 <= count
      let word = isWhole ? self.word(at: at) : lastWord(at: at)
      let found = test(word) & ByteWord.highs
      if found != 0 {
        seen |= word & ByteWord.below(found)
        return Swift.min(at &+ found.trailingZeroBitCount &>> 3, count)
      }
      seen |= word
      guard isWhole else { return count }
      at &+= 8
    }
    return at
  }

  /// Fewer than eight bytes at the end, followed by zeros.
  @inlinable
  func lastWord(at offset: Int) -> UInt64 {
    var word: UInt64 = 0
    for index in offset..<count { word |= UInt64(self[index]) &<< UInt64((index &- offset) &* 8) }
    return word
  }
}
