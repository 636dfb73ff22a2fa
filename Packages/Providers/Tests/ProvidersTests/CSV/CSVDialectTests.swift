import Primitives
import Testing

@_spi(Formats) @testable import Providers

@Suite struct `Detecting the CSV dialect` {
  struct Case: CustomTestStringConvertible, Sendable {
    let text: String
    let delimiter: Character
    let hasHeader: Bool
    var quote: Character = "\""
    var escape = CSVProvider.Dialect.Escape.doubled
    var skipsInitialSpaces = false
    var testDescription: String { text.debugDescription }
  }

  @Test(arguments: [
    Case(text: "id,name\n1,Ada\n2,Bob\n", delimiter: ",", hasHeader: true),
    Case(text: "id;price\n1;1,5\n2;2,5\n", delimiter: ";", hasHeader: true),
    Case(text: "1,5;2,5\n3,5;4,5\n", delimiter: ";", hasHeader: false),
    Case(text: "id\tname\n1\tAda, Bob\n2\tEve, Dan\n", delimiter: "\t", hasHeader: true),
    Case(text: "a|b|c\n1|2|3\n", delimiter: "|", hasHeader: true),
    Case(text: "1,2\n3,4\n", delimiter: ",", hasHeader: false),
    Case(text: "name,city\nAda,London\nBob,Paris\n", delimiter: ",", hasHeader: true),
    Case(text: "Ada,London\nBob,Paris\nAda,Rome\n", delimiter: ",", hasHeader: false),
    Case(text: "\"a;b\",\"c;d\"\n\"e;f\",\"g;h\"\n", delimiter: ",", hasHeader: true),
    Case(text: "'a,b','c'\n'1,2','3'\n", delimiter: ",", hasHeader: true, quote: "'"),
    Case(
      text: "id,text\n1,\"say \\\"hi\\\", now\"\n2,\"x\"\n", delimiter: ",", hasHeader: true,
      escape: .backslash),
    Case(
      text: "id, name\n1, Ada\n2, Bob\n", delimiter: ",", hasHeader: true, skipsInitialSpaces: true),
    Case(text: "day,n\n2026-11-22,1\n", delimiter: ",", hasHeader: true),
    Case(
      text: "one word\nanother line, with comma\nthird\nfourth\nfifth\n", delimiter: ",",
      hasHeader: true),
    Case(text: "a,a\n1,2\n", delimiter: ",", hasHeader: true),
    Case(text: "a,\n1,2\n", delimiter: ",", hasHeader: true),
    Case(text: "id,name\n", delimiter: ",", hasHeader: true),
    Case(text: "", delimiter: ",", hasHeader: false),
    Case(text: "zip,town\n01234,Aberdeen\n99999,Zurich\n", delimiter: ",", hasHeader: true),
    Case(text: "it's,fine\n1,2\n", delimiter: ",", hasHeader: true),
  ])
  func `from a sample`(_ expected: Case) throws {
    let dialect = CSVProvider.Dialect.detected(in: Array(expected.text.utf8).elementSpan)
    #expect(dialect.delimiter == expected.delimiter.asciiValue)
    #expect(dialect.quote == expected.quote.asciiValue)
    #expect(dialect.hasHeader == expected.hasHeader)
    #expect(dialect.escape == expected.escape)
    #expect(dialect.skipsInitialSpaces == expected.skipsInitialSpaces)
  }

  @Test func `examines more if the sample has no complete record`() throws {
    let long = String(repeating: "x", count: 5_000)
    let text = Array("a;b\n\(long);\"\(long),\"\n1;2\n".utf8)
    let dialect = CSVProvider.Dialect.detected(in: text.elementSpan, sampleSize: 2)
    #expect(dialect.delimiter == UInt8(ascii: ";"))
  }

  @Test func `finds the dialect of a written text`() throws {
    var random = SeededRandom(seed: 8_101)
    for _ in 0..<FormatEffort.count(40) {
      let dialect = CSVProvider.Dialect(delimiter: [0x2C, 0x3B, 0x09, 0x7C][random.below(4)])
      let pieces = Pieces()
      var writer = CSVProvider.Writer(dialect) { pieces.bytes += $0 }
      for name in ["id", "price", "note"] { try writer.field(name) }
      try writer.endRecord()
      for row in 0..<20 {
        try writer.field(Int64(row))
        try writer.field(Double(random.below(1_000)) / 4)
        try writer.field(random.text())
        try writer.endRecord()
      }
      try writer.finish()
      #expect(
        CSVProvider.Dialect.detected(in: pieces.bytes.elementSpan).delimiter == dialect.delimiter)
    }
  }
}

@Suite struct `Encodings of text` {
  @Test(
    arguments: [
      ([0xEF, 0xBB, 0xBF, 0xC3, 0xA9], CSVProvider.TextEncoding.utf8, "é"),
      ([0xC3, 0xA9], .utf8, "é"),
      ([0xFF, 0xFE, 0xE9, 0x00, 0x3D, 0xD8, 0x00, 0xDE], .utf16LittleEndian, "é😀"),
      ([0xFE, 0xFF, 0x00, 0xE9, 0xD8, 0x3D, 0xDE, 0x00], .utf16BigEndian, "é😀"), ([], .utf8, ""),
    ] as [([UInt8], CSVProvider.TextEncoding, String)])
  func `are detected by their byte order mark`(
    _ bytes: [UInt8], _ encoding: CSVProvider.TextEncoding, _ text: String
  ) throws {
    #expect(try CSVProvider.TextEncoding.detected(in: bytes.elementSpan) == encoding)
    #expect(String(decoding: try encoding.transcoded(bytes.elementSpan), as: UTF8.self) == text)
  }

  @Test func `with single bytes are used if specified`() throws {
    let bytes: [UInt8] = [0x61, 0xE9, 0x80, 0x0A]
    #expect(
      String(
        decoding: try CSVProvider.TextEncoding.windows1252.transcoded(bytes.elementSpan),
        as: UTF8.self)
        == "aé€\n")
    #expect(
      String(
        decoding: try CSVProvider.TextEncoding.latin1.transcoded(bytes.elementSpan), as: UTF8.self)
        == "aé\u{80}\n")
  }

  @Test(
    arguments: [
      (CSVProvider.TextEncoding.utf8, [0x61, 0x0A, 0xE9], 2),
      (.windows1252, [0x0A, 0x0A, 0x81], 3),
      (.utf16LittleEndian, [0x61], 1), (.utf16LittleEndian, [0x0A, 0x00, 0x00, 0xD8], 2),
      (.utf16BigEndian, [0xDC, 0x00], 1),
    ] as [(CSVProvider.TextEncoding, [UInt8], Int)])
  func `refuse invalid bytes`(
    _ encoding: CSVProvider.TextEncoding, _ bytes: [UInt8], _ line: Int
  ) throws {
    let error = #expect(throws: ProviderError.self) { try encoding.transcoded(bytes.elementSpan) }
    #expect(error?.code == .invalidEncoding)
    #expect(error?.position?.line == line)
  }

  @Test(arguments: [[0xFF, 0xFE, 0, 0], [0, 0, 0xFE, 0xFF], [0x61, 0], [0, 0x61]] as [[UInt8]])
  func `that are not supported are refused`(_ bytes: [UInt8]) throws {
    let error = #expect(throws: ProviderError.self) {
      try CSVProvider.TextEncoding.detected(in: bytes.elementSpan)
    }
    #expect(error?.code == .invalidEncoding)
  }
}
