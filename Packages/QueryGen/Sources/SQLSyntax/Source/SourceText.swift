/// A text of SQL, as UTF-8 bytes.
///
/// Syntax nodes hold ``ByteSpan``s into it, so what was written, comments and spacing included,
/// can always be read back: `source[node.span]`.
public struct SourceText: Hashable, Sendable {
  /// The text's UTF-8 bytes, unchanged. They need not be valid UTF-8.
  public let bytes: [UInt8]

  /// The largest text that is parsed, which is SQLite's own limit; a longer one is a diagnostic.
  public static let maximumByteCount = 1_000_000_000

  /// Takes the bytes of a file.
  public init(bytes: [UInt8]) { self.bytes = bytes }

  /// Takes a string.
  ///
  /// - Complexity: O(*n*); the text is copied.
  public init(_ text: String) { bytes = Array(text.utf8) }

  /// The number of bytes.
  public var byteCount: Int { bytes.count }

  /// The span of the whole text.
  public var span: ByteSpan { ByteSpan(0..<bytes.count) }

  /// The text of a span; bytes that are no UTF-8 become U+FFFD.
  ///
  /// - Complexity: O(*n*) in the span's length, which is copied.
  public subscript(span: ByteSpan) -> String {
    let range = span.range.clamped(to: 0..<bytes.count)
    return String(decoding: bytes[range], as: UTF8.self)
  }

  /// The table of its lines.
  ///
  /// - Complexity: O(*n*); keep the result where many positions are asked for.
  public func lineTable() -> LineTable { LineTable(bytes) }
}
