import SQLSyntax
import Testing

@Suite struct `A source text` {
  @Test func `returns the original text of any span`() {
    let source = SourceText("SELECT 'é' -- x\n")
    #expect(source[ByteSpan(7..<11)] == "'é'")
    #expect(source[source.span] == "SELECT 'é' -- x\n")
  }

  @Test func `clamps a span that extends past its end`() {
    #expect(SourceText("abc")[ByteSpan(1..<99)] == "bc")
  }

  @Test func `accepts invalid UTF-8`() {
    let source = SourceText(bytes: [0x61, 0xFF, 0x62])
    #expect(source.byteCount == 3)
    #expect(source[source.span] == "a\u{FFFD}b")
  }

  @Test(
    arguments: [
      ("", "", true), ("", "a", false), ("SELECT Name", "name", true), ("name", "NAME", true),
      ("nam", "name", false), ("aab", "ab", true), ("x.É", "É", true), ("x.É", "é", false),
      ("a_name_b", "_NAME_", true), ("@", "`", false), ("[", "{", false),
    ] as [(String, String, Bool)])
  func `finds words in both cases of ASCII letters`(
    _ text: String, _ word: String, _ isFound: Bool
  ) {
    #expect(SourceText(text).mentions(word) == isFound)
  }

  @Test func `has a hash that depends on every byte`() {
    let bytes = Array(UInt8(0)..<21)
    var hashes: Set = [SourceText(bytes: bytes).hashValue]
    for index in bytes.indices {
      var changed = bytes
      changed[index] ^= 0x80
      hashes.insert(SourceText(bytes: changed).hashValue)
      hashes.insert(SourceText(bytes: Array(bytes[..<index])).hashValue)
    }
    #expect(hashes.count == 1 + 2 * bytes.count)
    #expect(SourceText(bytes: bytes).hashValue == SourceText(bytes: bytes + []).hashValue)
  }
}

@Suite struct `A line table` {
  struct Place: CustomTestStringConvertible, Sendable {
    let offset: Int, line: Int, column: Int
    var testDescription: String { "\(offset)" }
  }

  @Test(arguments: [
    Place(offset: 0, line: 1, column: 1), Place(offset: 2, line: 1, column: 3),
    Place(offset: 3, line: 2, column: 1), Place(offset: 6, line: 2, column: 4),
    Place(offset: 7, line: 3, column: 1), Place(offset: 8, line: 4, column: 1),
    Place(offset: 99, line: 4, column: 1),
  ])
  func `counts lines and bytes from one`(_ place: Place) {
    let lines = SourceText("ab\né\r\n\n").lineTable()
    #expect(
      lines.position(of: ByteOffset(place.offset))
        == LineColumn(line: place.line, column: place.column))
  }

  @Test func `returns the bytes of a line, including its line break`() {
    let lines = SourceText("ab\ncd").lineTable()
    #expect(lines.lineCount == 2)
    #expect(lines.span(ofLine: 1) == ByteSpan(0..<3))
    #expect(lines.span(ofLine: 2) == ByteSpan(3..<5))
    #expect(lines.span(ofLine: 3) == nil)
    #expect(lines.span(ofLine: 0) == nil)
  }
}

@Suite struct `A span` {
  @Test func `contains both spans of a union`() {
    #expect(ByteSpan(2..<4).union(ByteSpan(7..<9)) == ByteSpan(2..<9))
  }

  @Test func `contains its start but not its end`() {
    let span = ByteSpan(2..<4)
    #expect(span.contains(ByteOffset(2)))
    #expect(!span.contains(ByteOffset(4)))
    #expect(span.count == 2)
    #expect(ByteSpan(2..<2).isEmpty)
  }
}
