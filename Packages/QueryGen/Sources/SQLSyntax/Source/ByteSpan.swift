/// A position in a source text, counted in UTF-8 bytes from its start.
public struct ByteOffset: Hashable, Sendable, Comparable {
  @usableFromInline let storage: UInt32

  /// Creates an offset.
  ///
  /// - Parameter value: The number of bytes from the start of the text, at most
  ///   ``SourceText/maximumByteCount``.
  @inlinable public init(_ value: Int) { storage = UInt32(truncatingIfNeeded: value) }

  /// The number of bytes from the start of the text.
  @inlinable public var value: Int { Int(storage) }

  /// Returns the offset `count` bytes after this one.
  @inlinable public func advanced(by count: Int) -> ByteOffset { ByteOffset(value + count) }

  @inlinable public static func < (left: ByteOffset, right: ByteOffset) -> Bool {
    left.storage < right.storage
  }
}

/// A span of a source text, from `start` up to but not including `end`.
public struct ByteSpan: Hashable, Sendable {
  /// The offset of the first byte.
  public var start: ByteOffset
  /// The offset after the last byte.
  public var end: ByteOffset

  /// Creates a span from its start and end.
  @inlinable public init(_ start: ByteOffset, _ end: ByteOffset) {
    self.start = start
    self.end = end
  }

  /// Creates a span from a range of byte positions.
  @inlinable public init(_ range: Range<Int>) {
    self.init(ByteOffset(range.lowerBound), ByteOffset(range.upperBound))
  }

  /// The number of bytes in the span.
  @inlinable public var count: Int { max(0, end.value - start.value) }

  /// Indicates whether the span contains no bytes.
  @inlinable public var isEmpty: Bool { end <= start }

  /// The range of byte positions.
  @inlinable public var range: Range<Int> { start.value..<max(start.value, end.value) }

  /// Returns the smallest span that covers both spans.
  @inlinable public func union(_ other: ByteSpan) -> ByteSpan {
    ByteSpan(min(start, other.start), max(end, other.end))
  }

  /// Returns whether the span contains `offset`.
  @inlinable public func contains(_ offset: ByteOffset) -> Bool { start <= offset && offset < end }
}

/// A syntax node's span in its source text, ignored by `==`.
///
/// Trees are compared by meaning, not by position, so a tree equals the tree that its printed form
/// parses to.
@propertyWrapper
public struct SourceSpan: Equatable, Sendable {
  /// The span.
  public var wrappedValue: ByteSpan

  /// Wraps a span.
  @inlinable public init(wrappedValue: ByteSpan) { self.wrappedValue = wrappedValue }

  /// Returns `true`: the position is not part of a node's meaning.
  @inlinable public static func == (left: SourceSpan, right: SourceSpan) -> Bool { true }
}
