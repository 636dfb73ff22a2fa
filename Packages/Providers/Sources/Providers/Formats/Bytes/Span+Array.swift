extension Span<UInt8> {
  /// The bytes of a range, copied.
  func array(_ range: Range<Int>) -> [UInt8] {
    var copy: [UInt8] = []
    copy.reserveCapacity(range.count)
    for index in range { copy.append(self[index]) }
    return copy
  }
}
