/// Reading of integers in network byte order.
extension Span<UInt8> {
  /// Returns the integer at an offset, or `nil` if the bytes end before it does.
  @inline(__always)
  func integer<Value: FixedWidthInteger>(_ type: Value.Type = Value.self, at offset: Int) -> Value?
  {
    let size = Value.bitWidth / 8
    guard offset >= 0, offset &+ size <= count else { return nil }
    var bits: UInt64 = 0
    for index in offset..<offset &+ size { bits = bits << 8 | UInt64(self[index]) }
    return Value(truncatingIfNeeded: bits)
  }
}

extension [UInt8] {
  /// Appends an integer in network byte order.
  @inline(__always)
  mutating func append(bigEndian value: some FixedWidthInteger) {
    var shift = type(of: value).bitWidth
    while shift > 0 {
      shift -= 8
      append(UInt8(truncatingIfNeeded: value >> shift))
    }
  }

  /// Replaces four bytes by an integer in network byte order.
  mutating func store(bigEndian value: Int32, at offset: Int) {
    for index in 0..<4 {
      self[offset + index] = UInt8(truncatingIfNeeded: value >> (24 - 8 * Int32(index)))
    }
  }
}
