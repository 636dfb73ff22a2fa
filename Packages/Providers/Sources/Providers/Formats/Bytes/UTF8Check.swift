/// Whether bytes are well-formed UTF-8, as table 3-7 of the Unicode Standard has it.
enum UTF8Check {
  /// The offset of the first byte in `range` that is not part of a scalar; `nil` where there is none.
  static func firstFault(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Int? {
    var at = range.lowerBound
    let end = range.upperBound
    while at < end {
      if at &+ 8 <= end, bytes.word(at: at) & ByteWord.highs == 0 {
        at &+= 8
        continue
      }
      let length = sequenceLength(bytes, at, end)
      guard length > 0 else { return at }
      at &+= length
    }
    return nil
  }

  /// The length of the sequence that begins at a byte; 0 where it is not one.
  @inline(__always)
  private static func sequenceLength(_ bytes: Span<UInt8>, _ at: Int, _ end: Int) -> Int {
    let first = bytes[at]
    if first < 0x80 { return 1 }
    guard at &+ 1 < end else { return 0 }
    let second = bytes[at &+ 1]
    if first < 0xE0 { return first >= 0xC2 && isTrail(second) ? 2 : 0 }
    guard at &+ 2 < end, isTrail(second), isTrail(bytes[at &+ 2]) else { return 0 }
    if first < 0xF0 {
      if first == 0xE0 { return second >= 0xA0 ? 3 : 0 }
      if first == 0xED { return second < 0xA0 ? 3 : 0 }
      return 3
    }
    guard at &+ 3 < end, isTrail(bytes[at &+ 3]) else { return 0 }
    if first == 0xF0 { return second >= 0x90 ? 4 : 0 }
    if first == 0xF4 { return second < 0x90 ? 4 : 0 }
    return first < 0xF4 ? 4 : 0
  }

  @inline(__always)
  private static func isTrail(_ byte: UInt8) -> Bool { byte & 0xC0 == 0x80 }
}
