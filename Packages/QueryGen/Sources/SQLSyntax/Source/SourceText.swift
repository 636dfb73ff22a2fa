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

extension SourceText {
  /// The text of a comment, line by line, without its markers and the spaces around.
  public func commentLines(_ comment: ByteSpan) -> [String] {
    let text = self[comment]
    if text.hasPrefix("--") { return [Self.trimmed(text.drop { $0 == "-" })] }
    let inner = text.dropFirst(2).dropLast(text.hasSuffix("*/") && text.utf8.count >= 4 ? 2 : 0)
    let lines = inner.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      Self.trimmed(Self.trimmed(line).drop { $0 == "*" })
    }
    guard let first = lines.firstIndex(where: { !$0.isEmpty }),
      let last = lines.lastIndex(where: { !$0.isEmpty })
    else { return [] }
    return Array(lines[first...last])
  }

  private static func trimmed(_ text: some StringProtocol) -> String {
    let isSpace: (Character) -> Bool = { $0 == " " || $0 == "\t" || $0 == "\r" || $0 == "\r\n" }
    let start = text.drop(while: isSpace)
    guard let last = start.lastIndex(where: { !isSpace($0) }) else { return "" }
    return String(start[...last])
  }
}
