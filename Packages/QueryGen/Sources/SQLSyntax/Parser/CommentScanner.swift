/// Reads the header of a query in a comment: `-- name: Name :many`, `/* name: Name :many */`.
struct CommentScanner {
  private let source: SourceText
  private var position: Int
  private let end: Int

  init(_ source: SourceText, _ comment: ByteSpan) {
    self.source = source
    position = comment.start.value + 2
    var end = comment.end.value
    if source.bytes[comment.start.value] == UInt8(ascii: "/"), end - position >= 2,
      source.bytes[end - 1] == UInt8(ascii: "/"), source.bytes[end - 2] == UInt8(ascii: "*")
    {
      end -= 2
    }
    self.end = max(end, position)
  }

  /// Whether nothing but spaces is left.
  var isAtEnd: Bool {
    source.bytes[position..<end].allSatisfy(Lexer.isSpace)
  }

  /// Whether a `:` comes next.
  var isAtCommand: Bool {
    source.bytes[position..<end].first { !Lexer.isSpace($0) } == UInt8(ascii: ":")
  }

  /// Goes past `name:`.
  ///
  /// - Returns: Whether it was there.
  mutating func skipHeaderStart() -> Bool {
    skipSpace()
    let word = Array("name:".utf8)
    guard end - position >= word.count,
      source.bytes[position..<position + word.count].elementsEqual(word)
    else { return false }
    position += word.count
    return true
  }

  /// Reads letters, digits and underscores.
  mutating func readWord() -> ByteSpan? {
    skipSpace()
    let start = position
    while position < end, Lexer.isIdentifierByte(source.bytes[position]) { position += 1 }
    return position > start ? ByteSpan(start..<position) : nil
  }

  /// Reads `:word`; the span leaves out the colon.
  mutating func readCommand() -> ByteSpan? {
    skipSpace()
    guard position < end, source.bytes[position] == UInt8(ascii: ":") else { return nil }
    position += 1
    return readWord()
  }

  private mutating func skipSpace() {
    while position < end, Lexer.isSpace(source.bytes[position]) { position += 1 }
  }
}
