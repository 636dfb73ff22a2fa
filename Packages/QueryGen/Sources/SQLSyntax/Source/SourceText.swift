internal import Primitives

/// An SQL text, as UTF-8 bytes.
///
/// Syntax nodes store ``ByteSpan``s into the text, so `source[node.span]` returns the original
/// text, including comments and spacing.
public struct SourceText: Hashable, Sendable {
  /// The text's UTF-8 bytes, unchanged. They need not be valid UTF-8.
  public let bytes: [UInt8]

  /// The maximum length of a parsed text, which is SQLite's own limit. A longer text is an error.
  public static let maximumByteCount = 1_000_000_000

  /// Creates a source text from the bytes of a file.
  public init(bytes: [UInt8]) { self.bytes = bytes }

  /// Creates a source text from a string.
  ///
  /// - Complexity: O(*n*); the text is copied.
  public init(_ text: String) { bytes = Array(text.utf8) }

  /// The number of bytes.
  public var byteCount: Int { bytes.count }

  /// The span of the whole text.
  public var span: ByteSpan { ByteSpan(0..<bytes.count) }

  /// Returns the text of a span. Invalid UTF-8 is replaced by U+FFFD.
  ///
  /// - Complexity: O(*n*) in the span's length; the bytes are copied.
  public subscript(span: ByteSpan) -> String {
    let range = span.range.clamped(to: 0..<bytes.count)
    return String(decoding: bytes[range], as: UTF8.self)
  }

  /// Returns the line table of the text.
  ///
  /// - Complexity: O(*n*). Keep the result for repeated lookups.
  public func lineTable() -> LineTable { LineTable(bytes) }
}

extension SourceText {
  /// Hashes the bytes eight at a time, since the standard library hashes them one by one.
  public func hash(into hasher: inout Hasher) {
    let span = bytes.elementSpan
    hasher.combine(span.count)
    var offset = 0
    while offset + 8 <= span.count {
      hasher.combine(span.word(at: offset))
      offset += 8
    }
    while offset < span.count {
      hasher.combine(span[offset])
      offset += 1
    }
  }

  /// Returns whether a word occurs in the text, also as a part of another word. ASCII letters are
  /// equal in both cases.
  ///
  /// - Complexity: O(*n*) in the length of the text, for a word of limited length.
  public func mentions(_ word: String) -> Bool {
    let word = word.utf8.map(\.asciiLowercased)
    guard let first = word.first else { return true }
    let span = bytes.elementSpan
    var start = 0
    while start <= span.count - word.count {
      if span[start].asciiLowercased == first {
        var length = 1
        while length < word.count, span[start + length].asciiLowercased == word[length] {
          length += 1
        }
        if length == word.count { return true }
      }
      start += 1
    }
    return false
  }
}

extension SourceText {
  /// Returns a comment's lines, without comment markers and surrounding whitespace. Annotations for
  /// plans are omitted.
  public func commentLines(_ comment: ByteSpan) -> [String] {
    allCommentLines(comment).filter { !$0.hasPrefix("plan: allow ") }
  }

  private func allCommentLines(_ comment: ByteSpan) -> [String] {
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
