/// A position in a source text, counted in UTF-8 bytes from its start.
public struct ByteOffset: Hashable, Sendable, Comparable {
  @usableFromInline let storage: UInt32

  /// Creates an offset.
  ///
  /// - Parameter value: Bytes from the start of the text; at most ``SourceText/maximumByteCount``.
  @inlinable public init(_ value: Int) { storage = UInt32(truncatingIfNeeded: value) }

  /// Bytes from the start of the text.
  @inlinable public var value: Int { Int(storage) }

  /// The offset `count` bytes further on.
  @inlinable public func advanced(by count: Int) -> ByteOffset { ByteOffset(value + count) }

  @inlinable public static func < (left: ByteOffset, right: ByteOffset) -> Bool {
    left.storage < right.storage
  }
}

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

/// Where a syntax node stands in its text, kept out of `==`.
///
/// Two trees are equal when they mean the same, wherever they were written: a tree equals the tree
/// that its own printed form parses to.
@propertyWrapper
public struct SourceSpan: Equatable, Sendable {
  /// The span.
  public var wrappedValue: ByteSpan

  /// Wraps a span.
  @inlinable public init(wrappedValue: ByteSpan) { self.wrappedValue = wrappedValue }

  /// Always `true`: place is no part of meaning.
  @inlinable public static func == (left: SourceSpan, right: SourceSpan) -> Bool { true }
}
