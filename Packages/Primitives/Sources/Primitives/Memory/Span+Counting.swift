/// Counting of bytes, 16 at a time.
extension Span<UInt8> {
  /// Returns how often a byte occurs among the first `count` bytes.
  func count(of byte: UInt8, first count: Int) -> Int {
    let raw = unsafe bytes
    return sum(0..<count) { at in
      unsafe raw.unsafeLoadUnaligned(fromByteOffset: at, as: SIMD16<UInt8>.self) .== byte
    } one: {
      self[$0] == byte
    }
  }

  /// Returns how many carriage returns among the first `count` bytes precede a line feed.
  func lineEndPairCount(first count: Int) -> Int {
    let raw = unsafe bytes
    return sum(1..<Swift.max(count, 1)) { at in
      let before = unsafe raw.unsafeLoadUnaligned(fromByteOffset: at - 1, as: SIMD16<UInt8>.self)
      let after = unsafe raw.unsafeLoadUnaligned(fromByteOffset: at, as: SIMD16<UInt8>.self)
      return (before .== 0x0D) .& (after .== 0x0A)
    } one: {
      self[$0 - 1] == 0x0D && self[$0] == 0x0A
    }
  }

  /// Counts the offsets that pass a test.
  @inline(__always)
  private func sum(
    _ range: Range<Int>, _ sixteen: (Int) -> SIMDMask<SIMD16<Int8>>, one: (Int) -> Bool
  ) -> Int {
    var total = 0
    var at = range.lowerBound
    while at &+ 16 <= range.upperBound {
      // A sum of at most 255 ones for each of the 16 positions.
      var sums = SIMD16<UInt8>()
      let end = Swift.min(at &+ 16 &* 255, range.upperBound &- 15)
      while at < end {
        sums &+= SIMD16<UInt8>().replacing(with: 1, where: sixteen(at))
        at &+= 16
      }
      total &+= Int(SIMD16<UInt16>(truncatingIfNeeded: sums).wrappedSum())
    }
    while at < range.upperBound {
      if one(at) { total &+= 1 }
      at &+= 1
    }
    return total
  }
}
