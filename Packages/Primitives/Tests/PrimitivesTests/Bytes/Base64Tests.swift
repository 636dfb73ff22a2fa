import Primitives
import Testing

@Suite struct `Base64 text` {
  /// The test vectors of RFC 4648, section 10, and two with the last characters of the alphabet.
  static let vectors: [(bytes: [UInt8], text: String)] = [
    ([], ""), (Array("f".utf8), "Zg=="), (Array("fo".utf8), "Zm8="), (Array("foo".utf8), "Zm9v"),
    (Array("foob".utf8), "Zm9vYg=="), (Array("fooba".utf8), "Zm9vYmE="),
    (Array("foobar".utf8), "Zm9vYmFy"), ([0xFB, 0xEF, 0xBE], "++++"), ([0xFF, 0xFF, 0xFF], "////"),
  ]

  @Test(arguments: vectors)
  func `encodes and decodes the vectors of the standard`(bytes: [UInt8], text: String) throws {
    #expect(Base64.encoded(bytes.elementSpan) == Array(text.utf8))
    let text = Array(text.utf8)
    #expect(try Base64.decoded(text.elementSpan) == bytes)
  }

  @Test func `is decoded to the bytes that were encoded`() throws {
    var generator = SystemRandomNumberGenerator()
    for count in 0..<200 {
      let bytes = (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
      let text = Base64.encoded(bytes.elementSpan)
      #expect(text.count == (count + 2) / 3 * 4)
      #expect(try Base64.decoded(text.elementSpan) == bytes)
    }
  }

  @Test func `is appended to other text`() {
    var text = Array("*".utf8)
    let bytes: [UInt8] = [1]
    Base64.append(bytes.elementSpan, to: &text)
    #expect(text == Array("*AQ==".utf8))
  }

  @Test(arguments: [
    ("A", 0), ("AA=", 0), ("AAAAA", 0), ("A===", 1), ("====", 0), ("AA=A", 2), ("AA==AAAA", 2),
    ("AA-_", 2), ("AA A", 2), ("AA\nA", 2), ("AAé", 2), ("AB==", 1), ("AAB=", 2), ("AAAAAP==", 5),
  ])
  func `refuses other characters, missing padding and unused bits`(text: String, offset: Int) {
    let bytes = Array(text.utf8)
    for decodes in [true, false] {
      let failure = #expect(throws: Base64.Failure.self) {
        if decodes {
          _ = try Base64.decoded(bytes.elementSpan)
        } else {
          try Base64.check(bytes.elementSpan)
        }
      }
      #expect(failure?.offset == offset)
    }
  }
}
