/// Validation of UTF-8 according to table 3-7 of the Unicode Standard.
extension Span<UInt8> {
  /// Returns the offset of the first byte in `range` that does not begin or continue a scalar, or `nil` if the bytes
  /// are well-formed.
  ///
  /// A sequence that is truncated by the end of the range is not well-formed: its first byte's offset is returned.
  public func firstInvalidUTF8(in range: Range<Int>) -> Int? {
    var at = range.lowerBound
    let end = range.upperBound
    while at < end {
      if at &+ 8 <= end, word(at: at) & ByteWord.highs == 0 {
        at &+= 8
        continue
      }
      let length = scalarLength(at, end)
      guard length > 0 else { return at }
      at &+= length
    }
    return nil
  }

  /// Returns the length of the scalar at an offset, or 0 if it is not well-formed.
  @inline(__always)
  private func scalarLength(_ at: Int, _ end: Int) -> Int {
    let first = self[at]
    if first < 0x80 { return 1 }
    guard at &+ 1 < end else { return 0 }
    let second = self[at &+ 1]
    if first < 0xE0 { return first >= 0xC2 && second.isTrail ? 2 : 0 }
    guard at &+ 2 < end, second.isTrail, self[at &+ 2].isTrail else { return 0 }
    if first < 0xF0 {
      if first == 0xE0 { return second >= 0xA0 ? 3 : 0 }
      if first == 0xED { return second < 0xA0 ? 3 : 0 }
      return 3
    }
    guard at &+ 3 < end, self[at &+ 3].isTrail else { return 0 }
    if first == 0xF0 { return second >= 0x90 ? 4 : 0 }
    if first == 0xF4 { return second < 0x90 ? 4 : 0 }
    return first < 0xF4 ? 4 : 0
  }
}

extension UInt8 {
  @inline(__always)
  fileprivate var isTrail: Bool { self & 0xC0 == 0x80 }
}

extension String {
  /// Creates a string from UTF-8, or returns `nil` if the bytes are not well-formed. `init(validating:as:)` requires
  /// macOS 15.
  public init?(wellFormed bytes: [UInt8]) {
    guard bytes.elementSpan.firstInvalidUTF8(in: 0..<bytes.count) == nil else { return nil }
    self.init(decoding: bytes, as: UTF8.self)
  }
}
