/// Counting of bytes, eight at a time: as the bytes of a word, since comparisons of SIMD vectors are
/// compiled to loops over their elements.
extension Span<UInt8> {
  /// Returns how often a byte occurs among the first `count` bytes.
  public func count(of byte: UInt8, first count: Int) -> Int {
    sum(0..<count) {
      matches(of: byte, at: $0)
    } one: {
      self[$0] == byte
    }
  }

  /// Returns the number of Unicode scalars in a range of UTF-8: the bytes that do not continue one.
  public func scalarCount(in range: Range<Int>) -> Int {
    let continuing = sum(range) {
      let word = load(at: $0)
      return word & ~(word &<< 1) & Self.highBits
    } one: {
      self[$0] & 0xC0 == 0x80
    }
    return range.count - continuing
  }

  /// Returns how many carriage returns among the first `count` bytes precede a line feed.
  func lineEndPairCount(first count: Int) -> Int {
    sum(1..<Swift.max(count, 1)) {
      matches(of: 0x0D, at: $0 &- 1) & matches(of: 0x0A, at: $0)
    } one: {
      self[$0 - 1] == 0x0D && self[$0] == 0x0A
    }
  }

  private static var highBits: UInt64 { 0x8080_8080_8080_8080 }

  @inline(__always)
  private func load(at offset: Int) -> UInt64 {
    unsafe bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: UInt64.self)
  }

  /// Returns a word with the highest bit set of every byte that is equal to `byte`, among the eight
  /// at an offset.
  @inline(__always)
  private func matches(of byte: UInt8, at offset: Int) -> UInt64 {
    let difference = load(at: offset) ^ (0x0101_0101_0101_0101 &* UInt64(byte))
    let low = ~Self.highBits
    return ~(((difference & low) &+ low) | difference) & Self.highBits
  }

  /// Counts the offsets that pass a test.
  ///
  /// - Parameter eight: A parallel test, whose result has the highest bit set of every byte that
  ///   passes.
  @inline(__always)
  private func sum(
    _ range: Range<Int>, eight: (Int) -> UInt64, one: (Int) -> Bool
  ) -> Int {
    var total = 0
    var at = range.lowerBound
    while at &+ 8 <= range.upperBound {
      // A sum of at most 255 ones for each of the eight positions.
      var sums: UInt64 = 0
      let end = Swift.min(at &+ 8 &* 255, range.upperBound &- 7)
      while at < end {
        sums &+= eight(at) &>> 7
        at &+= 8
      }
      let pairs = (sums & 0x00FF_00FF_00FF_00FF) &+ (sums &>> 8 & 0x00FF_00FF_00FF_00FF)
      total &+= Int((pairs &* 0x0001_0001_0001_0001) &>> 48)
    }
    while at < range.upperBound {
      if one(at) { total &+= 1 }
      at &+= 1
    }
    return total
  }
}
