import Testing

@testable import Primitives

@Suite struct `Positions in a text` {
  /// A line ends with LF and, depending on the text, with CRLF or CR.
  private func position(
    of place: Int, in text: [UInt8], carriageReturnsBreak: Bool
  ) -> DataErrorPlace.Position {
    var (line, column) = (1, 1)
    for index in 0..<place {
      let isReturn = carriageReturnsBreak && text[index] == 0x0D
      let isPair =
        carriageReturnsBreak && text[index] == 0x0A && index > 0 && text[index - 1] == 0x0D
      if isPair {
        column = 1
      } else if isReturn || text[index] == 0x0A {
        (line, column) = (line + 1, 1)
      } else {
        column += 1
      }
    }
    return DataErrorPlace.Position(byteOffset: place, line: line, column: column)
  }

  @Test(arguments: [false, true])
  func `do not depend on the pieces in which the text was read`(carriageReturnsBreak: Bool) {
    let alphabet: [UInt8] = [0x61, 0x62, 0x0A, 0x0D, 0x8A, 0x0B]
    var state: UInt64 = 20_261_127
    func random(_ bound: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(state >> 33) % bound
    }
    for _ in 0..<300 {
      let text = (0..<random(80)).map { _ in alphabet[random(random(2) == 0 ? 2 : 6)] }
      var origin = TextOrigin(carriageReturnsBreak: carriageReturnsBreak)
      var start = 0
      while start <= text.count {
        let rest = Array(text[start...])
        let place = random(rest.count + 1)
        let expected = position(
          of: start + place, in: text, carriageReturnsBreak: carriageReturnsBreak)
        #expect(origin.position(of: place, in: rest.span) == expected, "seed 20261127")
        let count = random(rest.count + 1)
        origin.advance(count, in: rest.span)
        start += Swift.max(count, 1)
        if count == 0 { break }
      }
    }
  }

  @Test(arguments: [false, true])
  func `count every line end of a long text`(carriageReturnsBreak: Bool) {
    for count in [2_039, 2_040, 2_041, 5_000] {
      let feeds = Array(repeating: UInt8(0x0A), count: count)
      let pairs = (0..<count).map { $0 % 2 == 0 ? UInt8(0x0D) : 0x0A }
      for text in [feeds, pairs] {
        var origin = TextOrigin(carriageReturnsBreak: carriageReturnsBreak)
        origin.advance(count, in: text.span)
        let rest: [UInt8] = []
        let expected = position(of: count, in: text, carriageReturnsBreak: carriageReturnsBreak)
        #expect(origin.position(of: 0, in: rest.span) == expected)
      }
    }
  }
}
