import Primitives
import Testing

@_spi(Formats) @testable import Providers

/// Returns the records of a text; a `NULL` field is `nil`.
func csv(
  _ text: [UInt8], _ dialect: CSVProvider.Dialect = .init(),
  limits: SourceSession.FormatLimits = .init(),
  chunk: Int? = nil
) throws(ProviderError) -> [[String?]] {
  var reader = CSVReader(dialect, limits: limits)
  var records: [[String?]] = []
  var (from, to) = (0, chunk.map { Swift.min($0, text.count) } ?? text.count)
  while true {
    reader.isComplete = to == text.count
    let bytes = text.elementSpan.extracting(from..<to)
    switch try reader.next(in: bytes) {
    case .end: return records
    case .incomplete:
      let read = reader.position
      reader.discard(read, in: bytes)
      from += read
      to = Swift.min(text.count, to + (chunk ?? 0))
    case .record:
      records.append(
        reader.fields.indices.map {
          reader.fields[$0].isNull ? nil : reader.text(of: $0, in: bytes)
        })
    }
  }
}

@Suite struct `Reading CSV` {
  struct Case: CustomTestStringConvertible, Sendable {
    let text: String
    let records: [[String?]]
    var dialect = CSVProvider.Dialect()
    var testDescription: String { text.debugDescription }

    init(
      _ text: String, _ records: [[String?]], _ dialect: CSVProvider.Dialect = CSVProvider.Dialect()
    ) {
      self.text = text
      self.records = records
      self.dialect = dialect
    }
  }

  @Test(arguments: [
    Case("", []), Case("\n\r\n\n", []), Case("a", [["a"]]),
    Case("a,b\n1,2", [["a", "b"], ["1", "2"]]),
    Case("a,b\r\n1,2\r\n", [["a", "b"], ["1", "2"]]),
    Case("a,b\r1,2\r", [["a", "b"], ["1", "2"]]),
    Case("a,b\n1,2\r3,4\r\n5,6", [["a", "b"], ["1", "2"], ["3", "4"], ["5", "6"]]),
    Case("\u{FEFF}a,b\n", [["a", "b"]]), Case("a,,b\n,,\n", [["a", nil, "b"], [nil, nil, nil]]),
    Case("a,\"\",\n", [["a", "", nil]]), Case("\"a\",\"b,c\"\n", [["a", "b,c"]]),
    Case("\"a\"\"b\",\"\"\"\"\n", [["a\"b", "\""]]),
    Case("\"a\nb\r\nc\",d\n", [["a\nb\r\nc", "d"]]),
    Case("5\" pipe,a\"b\n", [["5\" pipe", "a\"b"]]), Case("a\n\n\nb\n", [["a"], ["b"]]),
    Case("a\n\nb\n", [["a"], [nil], ["b"]], CSVProvider.Dialect(emptyLines: .records)),
    Case("a;b\n1,5;2\n", [["a", "b"], ["1,5", "2"]], CSVProvider.Dialect(delimiter: 0x3B)),
    Case("a\tb\n\t\n", [["a", "b"], [nil, nil]], CSVProvider.Dialect(delimiter: 0x09)),
    Case(" a , b\n", [[" a ", " b"]]),
    Case(" a,  \"b,c\"\n", [["a", "b,c"]], CSVProvider.Dialect(skipsInitialSpaces: true)),
    Case("'a,b','it''s'\n", [["a,b", "it's"]], CSVProvider.Dialect(quote: 0x27)),
    Case("\"a\\\"b\",\"c\\\\\"\n", [["a\"b", "c\\"]], CSVProvider.Dialect(escape: .backslash)),
    Case("a\\,b,c\\\\\n", [["a,b", "c\\"]], CSVProvider.Dialect(escape: .backslash)),
    Case("\"a\",\"b\n", [["\"a\"", "\"b"]], CSVProvider.Dialect(quote: nil)),
    Case("a\\nb,c\n", [["a\\nb", "c"]]),
    Case(
      "# one\na,b\n#two,\"\n1,#2\n", [["a", "b"], ["1", "#2"]], CSVProvider.Dialect(comment: 0x23)),
    Case("a,b\n# end", [["a", "b"]], CSVProvider.Dialect(comment: 0x23)),
    Case("é,漢,🎻\n", [["é", "漢", "🎻"]]),
    Case(
      "a,b\n1\n1,2\n", [["a", "b"], ["1", nil], ["1", "2"]],
      CSVProvider.Dialect(raggedRecords: .padded)),
    Case(
      "a,b\n1\n1,2,3\n", [["a", "b"], ["1"], ["1", "2", "3"]],
      CSVProvider.Dialect(raggedRecords: .kept)),
    Case("\"a\"b,c\n", [["ab", "c"]], CSVProvider.Dialect(keepsTextAfterQuotes: true)),
    Case("a,\"b\"", [["a", "b"]]),
    Case(
      "\"long enough for words, and \"\"more\"\" of it\",x\r\n",
      [["long enough for words, and \"more\" of it", "x"]]),
    Case(",", [[nil, nil]]), Case("\"\"", [[""]]),
    Case("a\u{1}b\u{7F},c\n", [["a\u{1}b\u{7F}", "c"]]),
  ])
  func `returns fields`(_ expected: Case) throws {
    let text = Array(expected.text.utf8)
    #expect(try csv(text, expected.dialect) == expected.records)
    for chunk in 1...9 {
      #expect(try csv(text, expected.dialect, chunk: chunk) == expected.records)
    }
  }

  struct Refusal: CustomTestStringConvertible, Sendable {
    let text: [UInt8]
    let code: ProviderError.Code
    let line: Int, column: Int
    var dialect = CSVProvider.Dialect()
    var testDescription: String { String(decoding: text, as: UTF8.self).debugDescription }

    init(
      _ text: String, _ code: ProviderError.Code, _ line: Int, _ column: Int,
      _ dialect: CSVProvider.Dialect = CSVProvider.Dialect()
    ) {
      self.init(bytes: Array(text.utf8), code, line, column, dialect)
    }

    init(
      bytes: [UInt8], _ code: ProviderError.Code, _ line: Int, _ column: Int,
      _ dialect: CSVProvider.Dialect = CSVProvider.Dialect()
    ) {
      text = bytes
      self.code = code
      self.line = line
      self.column = column
      self.dialect = dialect
    }
  }

  @Test(arguments: [
    Refusal("a,b\n1,\"x\ny\nz", .truncated, 2, 3), Refusal("a,b\n1\n", .malformed, 2, 1),
    Refusal("a,b\r1,2\r\r1,2,3\r", .malformed, 4, 1),
    Refusal("a,b\r\n\"x\"y,1\r\n", .malformed, 2, 4),
    Refusal("a,b\n1,2,3", .malformed, 2, 1, CSVProvider.Dialect(raggedRecords: .padded)),
    Refusal("a,b\n1,x\u{0}y", .malformed, 2, 4), Refusal("a,b\n1,\"x\u{0}y\"", .malformed, 2, 5),
    Refusal("\"a\\\"", .truncated, 1, 1, CSVProvider.Dialect(escape: .backslash)),
    Refusal(bytes: [0x61, 0x0A, 0x62, 0xE9], .invalidEncoding, 2, 2),
    Refusal(bytes: [0x22, 0x61, 0x22, 0x22, 0xC0, 0x22], .invalidEncoding, 1, 5),
    Refusal(bytes: [0xFF, 0xFE, 0x61, 0x00], .invalidEncoding, 1, 1),
    Refusal("\"", .truncated, 1, 1),
  ])
  func `refuses invalid texts with the position`(_ refusal: Refusal) throws {
    for chunk in [nil, 1, 3, 7] {
      let error = #expect(throws: ProviderError.self) {
        try csv(refusal.text, refusal.dialect, chunk: chunk)
      }
      #expect(error?.code == refusal.code)
      #expect(error?.position?.line == refusal.line)
      #expect(error?.position?.column == refusal.column)
    }
  }

  /// Records are read 64 bytes at a time if they resemble the previous record. A new reader reads
  /// its first record byte by byte.
  @Test func `returns each record as a new reader would`() throws {
    let seed: UInt64 = 6_464
    var random = SeededRandom(seed: seed)
    for round in 0..<FormatEffort.count(400) {
      let dialect = CSVProvider.Dialect(
        delimiter: random.oneIn(2) ? 0x2C : 0x09, quote: random.oneIn(5) ? nil : 0x22,
        escape: random.oneIn(4) ? .backslash : .doubled, raggedRecords: .kept,
        emptyLines: random.oneIn(2) ? .skipped : .records,
        keepsTextAfterQuotes: random.oneIn(2))
      let parts = [
        "a", "b", ",", "\t", "\"", "\\", "\n", "\r\n", "\r", "é", "\"a\",", "0123456789", "\0",
      ]
      var bytes: [UInt8] = []
      let kinds = random.oneIn(20) ? parts.count : parts.count - 1
      for _ in 0..<random.below(120) { bytes += parts[random.below(kinds)].utf8 }
      if random.oneIn(20) { bytes.append(0xFF) }
      let text = bytes.span
      var reader = CSVReader(dialect)
      while true {
        let start = reader.position
        var (outcome, fault): (CSVReader.Outcome?, ProviderError?)
        do { outcome = try reader.next(in: text) } catch { fault = error }
        var new = CSVReader(dialect)
        new.fieldCount = reader.fieldCount
        let rest = text.extracting(start..<text.count)
        do {
          let same = try new.next(in: rest)
          try #require(outcome == same, "seed \(seed), round \(round)")
          let isSame = zip(reader.fields, new.fields).allSatisfy { $0.isQuoted == $1.isQuoted }
          let texts = reader.fields.indices.map { reader.text(of: $0, in: text) }
          let newTexts = new.fields.indices.map { new.text(of: $0, in: rest) }
          #expect(outcome == .end || isSame && texts == newTexts, "seed \(seed), round \(round)")
        } catch let error as ProviderError {
          try #require(fault?.code == error.code, "seed \(seed), round \(round)")
        }
        guard outcome == .record else { break }
        #expect(reader.position == start + new.position)
      }
    }
  }

  @Test func `limits the number and length of fields`() throws {
    let limits = SourceSession.FormatLimits(length: 8, fields: 4)
    #expect(throws: Never.self) { try csv(Array("1,2,3,12345678".utf8), limits: limits) }
    for text in ["1,2,3,4,5", "123456789", "\"123456789\"", "\"12345678\"\"\"", ",,,,,,,,,,,"] {
      let error = #expect(throws: ProviderError.self) { try csv(Array(text.utf8), limits: limits) }
      #expect(error?.code == .limitExceeded)
    }
    // A record of delimiters ends at the limit.
    let error = #expect(throws: ProviderError.self) {
      try csv(Array(repeating: 0x2C, count: 4_000_000))
    }
    #expect(error?.code == .limitExceeded)
  }

  @Test func `does not copy a long field`() throws {
    let text = Array(repeating: UInt8(0x61), count: 8_000_000)
    var reader = CSVReader()
    #expect(try reader.next(in: text.elementSpan) == .record)
    #expect(reader.fields[0].range.count == 8_000_000)
    #expect(reader.decoded.capacity == 0)
  }

  @Test func `reads back what was written`() throws {
    var random = SeededRandom(seed: 8_001)
    for _ in 0..<FormatEffort.count(300) {
      let dialect = CSVProvider.Dialect(
        delimiter: [0x2C, 0x3B, 0x09, 0x7C][random.below(4)],
        quote: random.oneIn(2) ? 0x22 : 0x27, escape: random.oneIn(2) ? .doubled : .backslash,
        comment: random.oneIn(2) ? 0x23 : nil, skipsInitialSpaces: random.oneIn(2),
        emptyLines: .records)
      let width = 1 + random.below(5)
      let records = (0..<random.below(6)).map { _ in
        (0..<width).map { _ in random.oneIn(4) ? nil : random.oneIn(8) ? "#\"'" : random.text() }
      }
      let pieces = Pieces()
      var writer = CSVProvider.Writer(
        dialect, lineBreak: ["\n", "\r\n", "\r"][random.below(3)], pieceSize: 1 + random.below(50)
      ) { pieces.bytes += $0 }
      for record in records {
        for field in record { try writer.field(field) }
        try writer.endRecord()
      }
      try writer.finish()
      #expect(try csv(pieces.bytes, dialect) == records)
      #expect(try csv(pieces.bytes, dialect, chunk: 1 + random.below(40)) == records)
      // Changing any byte results in records or in an error with a position, in one piece or in
      // chunks.
      for _ in 0..<4 where !pieces.bytes.isEmpty {
        var wrong = pieces.bytes
        wrong[random.below(wrong.count)] =
          [0x22, 0x2C, 0x0A, 0x0D, 0x5C, 0x27, 0xFF, 0x00][random.below(8)]
        let whole = Result { () throws(ProviderError) in try csv(wrong, dialect) }
        let chunk = 1 + random.below(20)
        let parts = Result { () throws(ProviderError) in try csv(wrong, dialect, chunk: chunk) }
        #expect(whole == parts)
      }
    }
  }
}

@Suite struct `Writing CSV` {
  @Test func `quotes fields if necessary`() throws {
    let pieces = Pieces()
    var writer = CSVProvider.Writer { pieces.bytes += $0 }
    for field in ["a", "", nil, "b,c", "d\"e", "f\ng", " h", "i ", "j;k", "\tl"] {
      try writer.field(field)
    }
    try writer.endRecord()
    try writer.field(Int64.min)
    try writer.field(0.1)
    try writer.endRecord()
    try writer.finish()
    #expect(
      String(decoding: pieces.bytes, as: UTF8.self)
        == "a,\"\",,\"b,c\",\"d\"\"e\",\"f\ng\",\" h\",\"i \",j;k,\"\tl\"\n-9223372036854775808,0.1\n"
    )
  }

  @Test func `refuses fields that would not be read back`() throws {
    var writer = CSVProvider.Writer(CSVProvider.Dialect(quote: nil)) { _ in }
    for text in ["", "a,b", "a\nb", "a\u{0}"] {
      let error = #expect(throws: ProviderError.self) { try writer.field(text) }
      #expect(error?.code == .unrepresentable)
    }
    let error = #expect(throws: ProviderError.self) { try writer.field(Double.nan) }
    #expect(error?.code == .unrepresentable)
  }
}
