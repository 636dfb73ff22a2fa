import Primitives
import Testing

@_spi(Formats) @testable import Providers

@Suite struct `The grammar of JSON` {
  @Test(arguments: [
    "[]", " [ ] ", "{}", "null", "true", "false", "0", "-1", "\"\"", "\"a\"", "[[]]", "[1,2]",
    "[1, \"2\" ,null]",
    "{\"a\":1}", "{ \"a\" : { \"b\" : [ ] } }", "\u{FEFF}[1]", "[1.5e3,1E+2,1e-2,0.0]",
    "\"\\u0000\"",
    "\"\\uD834\\uDD1E\"", "\"\u{7F}\"", "\"\u{2028}\"", "\n\r\t 1\n", "[-0,-0.0]", "{\"\":0}",
    "\"\\/\\b\\f\\n\\r\\t\"",
    "[1e999]", "[123456789012345678901234567890]", "\"é漢🎻\"", "{\"a\":[{\"a\":1},{\"a\":2}]}",
  ])
  func `accepts valid texts`(_ text: String) throws {
    #expect(try JSONTree.all(Array(text.utf8)).count == 1)
  }

  struct Refusal: CustomTestStringConvertible, Sendable {
    let text: String
    let code: ProviderError.Code
    let line: Int, column: Int
    var testDescription: String { text.debugDescription }

    init(_ text: String, _ column: Int) { self.init(text, .malformed, 1, column) }

    init(_ text: String, _ code: ProviderError.Code, _ line: Int, _ column: Int) {
      self.text = text
      self.code = code
      self.line = line
      self.column = column
    }
  }

  @Test(arguments: [
    Refusal("", .truncated, 1, 1), Refusal("  \n", .truncated, 2, 1),
    Refusal("[", .truncated, 1, 2),
    Refusal("[1", .truncated, 1, 3), Refusal("[1,", .truncated, 1, 4),
    Refusal("{", .truncated, 1, 2),
    Refusal("{\"a\"", .truncated, 1, 5), Refusal("{\"a\":", .truncated, 1, 6),
    Refusal("{\"a\":1", .truncated, 1, 7), Refusal("\"a", .truncated, 1, 3),
    Refusal("\"a\\", .truncated, 1, 4), Refusal("\"\\u12", .truncated, 1, 6),
    Refusal("tru", .truncated, 1, 4),
    Refusal("-", .truncated, 1, 2), Refusal("1.", .truncated, 1, 3),
    Refusal("1e", .truncated, 1, 3),
    Refusal("[1,]", 4), Refusal("[,1]", 2), Refusal("[1 2]", 4), Refusal("{\"a\":1,}", 8),
    Refusal("{,}", 2),
    Refusal("{a:1}", 2), Refusal("{'a':1}", 2), Refusal("{\"a\" 1}", 6), Refusal("{1:1}", 2),
    Refusal("[1}", 3),
    Refusal("{\"a\":1]", 7), Refusal("]", 1), Refusal("[] []", 4), Refusal("1 2", 3),
    Refusal("[]x", 3),
    Refusal("01", 1), Refusal("-01", 1), Refusal("00", 1), Refusal("+1", 1), Refusal(".5", 1),
    Refusal("1.e2", 3),
    Refusal("1e+", .truncated, 1, 4), Refusal("[1e+]", 5), Refusal("[-]", 3), Refusal("[--1]", 3),
    Refusal("NaN", 1), Refusal("[Infinity]", 2), Refusal("[-Infinity]", 3), Refusal("nan", 1),
    Refusal("0x1", 2),
    Refusal("True", 1), Refusal("[nul]", 2), Refusal("[nulll]", 6), Refusal("// a\n1", 1),
    Refusal("[1/**/]", 3),
    Refusal("\"\\x\"", 2), Refusal("\"\\u12G4\"", 2), Refusal("\"\\'\"", 2), Refusal("\"a\nb\"", 3),
    Refusal("\"\t\"", 2), Refusal("\"a\u{0}\"", 3), Refusal("\"\u{0}\"", .invalidEncoding, 1, 1),
    Refusal("\u{A0}1", 1), Refusal("[1]\u{0}", 4),
    Refusal("\"\\uD800\"", .invalidEncoding, 1, 2), Refusal("\"a\\uDC00\"", .invalidEncoding, 1, 3),
    Refusal("\"\\uD800\\uD800\"", .invalidEncoding, 1, 2),
    Refusal("\"\\uD800x\"", .invalidEncoding, 1, 2),
    Refusal("\"\\uD800\\n\"", .invalidEncoding, 1, 2),
    Refusal("[1,\n  2,\n  x]", .malformed, 3, 3), Refusal("{\"a\":1,\n\"a\":2}", .malformed, 2, 1),
    Refusal("{\"a\":1,\"\\u0061\":2}", .malformed, 1, 8),
    Refusal("{\"a\":1,\"b\":{\"a\":{\"a\":0}},\"a\":3}", .malformed, 1, 26),
    Refusal("[{\"a\":1,\"b\":[{\"b\":1}],\"b\":0}]", .malformed, 1, 23),
  ])
  func `refuses invalid texts with the position`(_ refusal: Refusal) throws {
    let error = #expect(throws: ProviderError.self) {
      try JSONTree.all(Array(refusal.text.utf8))
    }
    #expect(error?.code == refusal.code)
    #expect(error?.position?.line == refusal.line)
    #expect(error?.position?.column == refusal.column)
  }

  @Test(
    arguments: [
      [0x22, 0x80, 0x22], [0x22, 0xC0, 0xAF, 0x22], [0x22, 0xED, 0xA0, 0x80, 0x22],
      [0x22, 0xF4, 0x90, 0x80, 0x80, 0x22],
      [0x22, 0xC3, 0x22], [0x22, 0x61, 0x5C, 0x6E, 0xFF, 0x22], [0xFF, 0xFE, 0x31, 0x00],
      [0xFE, 0xFF, 0x00, 0x31],
      [0x5B, 0x00, 0x5D, 0x00], [0x00, 0x5B, 0x00, 0x5D], [0x22, 0xE0, 0x80, 0x80, 0x22],
      [0x22, 0xF0, 0x80, 0x80, 0x80, 0x22], [0x22, 0xF5, 0x80, 0x80, 0x80, 0x22],
      [0x22, 0xE2, 0x82, 0x22],
    ] as [[UInt8]])
  func `refuses bytes that are not UTF-8`(_ bytes: [UInt8]) throws {
    let error = #expect(throws: ProviderError.self) { try JSONTree.all(bytes) }
    #expect(error?.code == .invalidEncoding)
  }

  @Test func `permits a nesting depth of 512`() throws {
    let deepest = String(repeating: "[", count: 512) + String(repeating: "]", count: 512)
    #expect(try JSONTree.one(deepest) != nil)
    let error = #expect(throws: ProviderError.self) {
      try JSONTree.all(Array(repeating: 0x5B, count: 1_000_000))
    }
    #expect(error?.code == .limitExceeded)
    #expect(error?.position?.byteOffset == 512)
  }

  @Test(arguments: [
    "\"aaaaaaaaaaaaaaaaa\"", "[11111111111111111111111]", "\"aaaaaaaa\\naaaaaaaaaa\"",
    "{\"aaaaaaaaaaaaaaaaa\":1}",
  ])
  func `limits the length of texts and numbers`(_ text: String) {
    let options = JSONReadingOptions(limits: SourceSession.FormatLimits(length: 16))
    let error = #expect(throws: ProviderError.self) { try JSONTree.all(Array(text.utf8), options) }
    #expect(error?.code == .limitExceeded)
  }
}
