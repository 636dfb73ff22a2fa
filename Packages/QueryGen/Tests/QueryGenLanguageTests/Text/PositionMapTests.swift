import QueryGenLanguage
import QueryGenTestSupport
import SQLSyntax
import Testing

@Suite struct `Positions in a text` {
  @Test(arguments: [PositionEncoding.utf8, .utf16])
  func `count the code units of the encoding`(_ encoding: PositionEncoding) {
    let text = "aé🙂b"
    let map = PositionMap(Array(text.utf8), encoding: encoding)
    let expected = encoding == .utf8 ? [0, 1, 3, 7, 8] : [0, 1, 2, 4, 5]
    for (offset, character) in zip([0, 1, 3, 7, 8], expected) {
      let position = TextPosition(line: 0, character: character)
      #expect(map.position(of: ByteOffset(offset)) == position)
      #expect(map.offset(of: position) == ByteOffset(offset))
    }
  }

  @Test func `end lines at every kind of line break`() {
    let map = PositionMap(Array("a\nb\r\nc\rd\r\n".utf8), encoding: .utf16)
    #expect(map.lineCount == 5)
    #expect((0..<5).map { map.content(ofLine: $0) } == [0..<1, 2..<3, 5..<6, 7..<8, 10..<10])
    #expect(map.position(of: ByteOffset(7)) == TextPosition(line: 3, character: 0))
    // The end of a line is before its line break.
    #expect(map.offset(of: TextPosition(line: 1, character: 9)) == ByteOffset(3))
    #expect(map.position(of: ByteOffset(4)) == TextPosition(line: 1, character: 1))
  }

  @Test func `outside of the text are clamped`() {
    let map = PositionMap(Array("ab\nc".utf8), encoding: .utf16)
    #expect(map.offset(of: TextPosition(line: 9, character: 0)) == ByteOffset(4))
    #expect(map.offset(of: TextPosition(line: -1, character: 3)) == ByteOffset(0))
    #expect(map.offset(of: TextPosition(line: 0, character: -3)) == ByteOffset(0))
    #expect(map.position(of: ByteOffset(99)) == TextPosition(line: 1, character: 1))
  }

  @Test func `within a character are its start`() {
    let map = PositionMap(Array("🙂b".utf8), encoding: .utf16)
    #expect(map.offset(of: TextPosition(line: 0, character: 1)) == ByteOffset(0))
  }

  @Test func `count each invalid byte as one unit`() {
    let bytes: [UInt8] = [0x61, 0xFF, 0xC3, 0xE2, 0x82, 0xED, 0xA0, 0x80, 0x62]
    let map = PositionMap(bytes, encoding: .utf16)
    #expect(map.position(of: ByteOffset(8)) == TextPosition(line: 0, character: 8))
  }

  @Test func `survive the way to an offset and back`() {
    var random = SeededGenerator(seed: 7)
    let pieces = ["a", "é", "🙂", "\n", "\r", "\r\n", " ", "漢"]
    for _ in 0..<300 {
      let text = (0..<12).map { _ in random.pick(pieces) }.joined()
      for encoding in [PositionEncoding.utf8, .utf16] {
        let map = PositionMap(Array(text.utf8), encoding: encoding)
        var offset = 0
        for scalar in text.unicodeScalars {
          let position = map.position(of: ByteOffset(offset))
          let isWithinLineBreak =
            scalar == "\n" && offset > 0
            && Array(text.utf8)[offset - 1] == 13
          if !isWithinLineBreak { #expect(map.offset(of: position) == ByteOffset(offset)) }
          offset += String(scalar).utf8.count
        }
      }
    }
  }
}
