internal import Primitives

extension String {
  /// The text in UTF-8, for as long as `body` runs.
  @inline(__always)
  mutating func withUTF8Bytes<Result>(
    _ body: (Span<UInt8>) throws -> Result
  ) rethrows -> Result {
    if #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) {
      return try body(utf8Span.span)
    }
    return try body([UInt8](utf8).elementSpan)
  }
}
