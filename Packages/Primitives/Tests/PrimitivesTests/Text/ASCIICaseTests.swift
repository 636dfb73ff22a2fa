import Primitives
import Testing

@Suite struct `The case of ASCII letters` {
  @Test(arguments: [
    ("", ""), ("plain", "plain"), ("@AZ[`az{", "@az[`az{"), ("Straße É", "straße É"),
    ("E\u{301}", "e\u{301}"), ("\u{130}K", "\u{130}k"), ("\u{212A}", "\u{212A}"),
  ])
  func `is folded, and the case of other letters is not`(text: String, folded: String) {
    #expect(text.asciiLowercased.utf8.elementsEqual(folded.utf8))
    #expect("(\(text))".dropFirst().dropLast().asciiLowercased.utf8.elementsEqual(folded.utf8))
  }

  @Test func `is folded for each byte`() {
    for byte in UInt8.min...UInt8.max {
      let isUpper = (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
      #expect(byte.asciiLowercased == (isUpper ? byte + 32 : byte))
    }
  }
}
