import Primitives
import Testing

@Suite struct `UTF-8 bytes` {
  @Test(arguments: [
    "", "plain", "Zürich", "日本語", "👩‍👩‍👧", "\u{7FF}\u{800}\u{FFFF}\u{10000}\u{10FFFF}", "\0",
  ])
  func `of a text are valid`(text: String) {
    let bytes = Array(text.utf8)
    #expect(bytes.elementSpan.firstInvalidUTF8(in: 0..<bytes.count) == nil)
  }

  /// Each is outside table 3-7 of the Unicode Standard.
  static let faults: [[UInt8]] = [
    [0x80], [0xBF], [0xC0, 0x80], [0xC1, 0xBF], [0xC2], [0xC2, 0x20], [0xC2, 0xC2],
    [0xE0, 0x9F, 0xBF], [0xE0, 0xA0], [0xE1, 0x80, 0x20], [0xED, 0xA0, 0x80], [0xED, 0xBF, 0xBF],
    [0xF0, 0x8F, 0xBF, 0xBF], [0xF0, 0x90, 0x80], [0xF1, 0x80, 0x80, 0x20],
    [0xF4, 0x90, 0x80, 0x80], [0xF5, 0x80, 0x80, 0x80], [0xFF],
  ]

  @Test(arguments: faults)
  func `are refused at the first byte of an invalid sequence`(fault: [UInt8]) {
    for prefix in ["", "é", "seven b", "eight by", "nine byte"] {
      let before = Array(prefix.utf8)
      let bytes = before + fault + Array(" and more text".utf8)
      #expect(bytes.elementSpan.firstInvalidUTF8(in: 0..<bytes.count) == before.count)
    }
    #expect(fault.elementSpan.firstInvalidUTF8(in: 0..<fault.count) == 0)
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test func `agree with the standard library's validation for every sequence of three`() {
    for first in stride(from: UInt8(0x7F), through: 0xFE, by: 1) {
      for second in stride(from: UInt8(0x70), through: 0xF0, by: 8) {
        for third in [0x20, 0x80, 0xBF, 0xC0] as [UInt8] {
          let bytes = [first, second, third]
          let isValid = bytes.elementSpan.firstInvalidUTF8(in: 0..<3) == nil
          let text = String(validating: bytes, as: UTF8.self)
          #expect(isValid == (text != nil))
          #expect(String(wellFormed: bytes) == text)
        }
      }
    }
  }

  @Test func `outside the range are not read`() {
    let bytes: [UInt8] = [0xFF, 0x61, 0xC3, 0xA9, 0xFF]
    #expect(bytes.elementSpan.firstInvalidUTF8(in: 1..<4) == nil)
    #expect(bytes.elementSpan.firstInvalidUTF8(in: 1..<3) == 2)
  }
}
