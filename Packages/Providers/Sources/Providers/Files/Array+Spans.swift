extension [UInt8] {
  /// Appends bytes that are lent.
  mutating func append(_ bytes: Span<UInt8>) {
    unsafe bytes.withUnsafeBufferPointer { unsafe append(contentsOf: $0) }
  }
}
