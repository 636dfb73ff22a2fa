/// A stretch of a source text, from `start` up to but not including `end`.
public struct ByteSpan: Hashable, Sendable {
  /// The first byte.
  public var start: ByteOffset
  /// One past the last byte.
  public var end: ByteOffset

  /// Creates a span from its two ends.
  @inlinable public init(_ start: ByteOffset, _ end: ByteOffset) {
    self.start = start
    self.end = end
  }

  /// Creates a span from a range of byte positions.
  @inlinable public init(_ range: Range<Int>) {
    self.init(ByteOffset(range.lowerBound), ByteOffset(range.upperBound))
  }

  /// The number of bytes covered.
  @inlinable public var count: Int { max(0, end.value - start.value) }

  /// Whether no byte is covered.
  @inlinable public var isEmpty: Bool { end <= start }

  /// The byte positions covered.
  @inlinable public var range: Range<Int> { start.value..<max(start.value, end.value) }

  /// The smallest span that covers both.
  @inlinable public func union(_ other: ByteSpan) -> ByteSpan {
    ByteSpan(min(start, other.start), max(end, other.end))
  }

  /// Whether `offset` lies inside.
  @inlinable public func contains(_ offset: ByteOffset) -> Bool { start <= offset && offset < end }
}
