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
