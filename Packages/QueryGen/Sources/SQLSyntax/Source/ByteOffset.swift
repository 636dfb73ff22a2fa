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
