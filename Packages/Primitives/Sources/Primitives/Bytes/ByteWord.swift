/// Parallel tests of the eight bytes of a word.
///
/// A result has the highest bit set of every byte that passes the test. Bits above the lowest set bit can be wrong, so
/// only the first byte found is certain.
public enum ByteWord {
  @inlinable public static var ones: UInt64 { 0x0101_0101_0101_0101 }
  @inlinable public static var highs: UInt64 { 0x8080_8080_8080_8080 }

  /// Returns a word that contains a byte eight times.
  @inlinable @inline(__always)
  public static func filled(_ byte: UInt8) -> UInt64 { ones &* UInt64(byte) }

  /// Finds the bytes that are equal to the byte of `filled`. Other bits than the highest of each byte are not cleared.
  @inlinable @inline(__always)
  public static func matches(_ word: UInt64, _ filled: UInt64) -> UInt64 {
    let difference = word ^ filled
    return (difference &- ones) & ~difference
  }

  /// Finds the bytes below 0x20. Other bits than the highest of each byte are not cleared.
  @inlinable @inline(__always)
  public static func controls(_ word: UInt64) -> UInt64 { (word &- filled(0x20)) & ~word }

  /// Returns a mask of all bytes below the lowest one of a result.
  @inlinable @inline(__always)
  public static func below(_ result: UInt64) -> UInt64 {
    ((result & (0 &- result)) &>> 7) &- 1
  }
}

extension Span<UInt8> {
  /// Returns the eight bytes at `offset` as a little-endian word. They must be within the span.
  @inlinable @inline(__always)
  public func word(at offset: Int) -> UInt64 {
    // Compiled to one load if the caller has checked the offset.
    let bytes = extracting(offset..<(offset &+ 8))
    return UInt64(bytes[0]) | UInt64(bytes[1]) << 8 | UInt64(bytes[2]) << 16
      | UInt64(bytes[3]) << 24 | UInt64(bytes[4]) << 32 | UInt64(bytes[5]) << 40
      | UInt64(bytes[6]) << 48 | UInt64(bytes[7]) << 56
  }

  /// Returns the offset of the first byte from `start` that passes a test, or the end of the bytes.
  ///
  /// - Parameters:
  ///   - start: The offset of the first tested byte.
  ///   - seen: Receives the union of the bits of all bytes before it.
  ///   - test: A parallel test of eight bytes, such as those of ``ByteWord``.
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

  /// Returns the remaining bytes, fewer than eight, padded with zeros.
  @inlinable
  func lastWord(at offset: Int) -> UInt64 {
    var word: UInt64 = 0
    for index in offset..<count { word |= UInt64(self[index]) &<< UInt64((index &- offset) &* 8) }
    return word
  }
}
