extension Array where Element: BitwiseCopyable {
  /// The elements as a span, like `span` on macOS 26 and later.
  @inlinable
  public var elementSpan: Span<Element> {
    @_lifetime(borrow self)
    borrowing get {
      // An array of trivial elements is never bridged, so the buffer is its own storage.
      let buffer = unsafe withUnsafeBufferPointer { unsafe $0 }
      return unsafe _overrideLifetime(Span(_unsafeElements: buffer), borrowing: self)
    }
  }

  /// The elements as a mutable span, like `mutableSpan` on macOS 26 and later.
  @inlinable
  public var mutableElementSpan: MutableSpan<Element> {
    @_lifetime(&self)
    mutating get {
      let buffer = unsafe withUnsafeMutableBufferPointer { unsafe $0 }
      return unsafe _overrideLifetime(MutableSpan(_unsafeElements: buffer), mutating: &self)
    }
  }
}

extension [UInt8] {
  /// Appends a copy of `bytes`.
  public mutating func append(_ bytes: Span<UInt8>) {
    unsafe bytes.withUnsafeBufferPointer { unsafe append(contentsOf: $0) }
  }
}
