import Primitives
import SQLiteCore
import Testing

@_spi(Formats) @testable import Providers

@Suite struct `Hostile files in JSON` {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  struct Case: CustomTestStringConvertible, Sendable {
    let text: String, code: ProviderError.Code, place: String?
    var testDescription: String { text }

    init(_ text: String, _ code: ProviderError.Code, _ place: String?) {
      self.text = text
      self.code = code
      self.place = place
    }
  }

  @Test(arguments: [
    Case("", .malformed, nil), Case(" \n\t", .malformed, nil), Case("\u{FEFF}", .malformed, nil),
    Case("[{\"a\":1},\n{\"a\" 2}]", .malformed, "2:6"),
    Case("[{\"a\":1},\n{\"a\":2", .truncated, "2:7"),
    Case("[{\"a\":1,\"a\":2}]", .malformed, "1:9"),
    Case("[{\"a\":1}]]", .malformed, "1:10"), Case("[{\"a\":1}", .truncated, "1:9"),
    Case("{\"a\":[{]}", .malformed, "1:8"), Case("[{\"a\":tru}]", .malformed, "1:7"),
    Case("[{\"a\":\"\\ud800\"}]", .invalidEncoding, "1:8"),
  ])
  func `Invalid files are refused with the position`(expected: Case) throws {
    let error = try folder.refusal(of: expected.text)
    #expect(error.code == expected.code)
    #expect(error.position?.description == expected.place)
    #expect(error.file == folder.path("people.json"))
    #expect(try folder.text(of: "people.json") == expected.text)
  }

  @Test func `An empty file of lines has no rows`() throws {
    #expect(try folder.open("", as: "log.jsonl").tableNames().isEmpty)
  }

  @Test func `An invalid line is reported with its number`() throws {
    let error = try folder.refusal(of: "{\"a\":1}\n{\"a\":\n2}\n", as: "log.jsonl")
    #expect(error.position?.line == 2)
  }

  @Test(arguments: ["\u{FEFF}[{\"a\":1}]", "\u{FEFF}{\"a\":1}\n{\"a\":2}\n"])
  func `A byte order mark is skipped`(text: String) throws {
    #expect(try folder.open(text).rows("SELECT a FROM people LIMIT 1") == "1")
  }

  @Test func `UTF-16 is refused`() throws {
    try folder.write([0xFF, 0xFE, 0x5B, 0, 0x5D, 0], to: "wide.json")
    let error = try #require(throws: ProviderError.self) {
      try JSONProvider().openSource(atPath: folder.path("wide.json"))
    }
    #expect(error.code == .invalidEncoding)
    #expect(error.message.contains("UTF-16"))
  }

  @Test(arguments: [
    (JSONProvider.Options.DuplicateKeys.first, #"[{"a":1,"o":{"x":1}}]"#),
    (.last, #"[{"a":2,"o":{"y":2}}]"#),
  ])
  func `Duplicate keys are handled as requested`(
    policy: JSONProvider.Options.DuplicateKeys, expected: String
  ) throws {
    let text = #"[{"a":1,"o":{"x":1},"a":2,"o":{"y":2}}]"#
    #expect(try folder.changed(text, JSONProvider.Options(duplicateKeys: policy)) == expected)
  }

  @Test(arguments: ["[", "{\"a\":", "[{\"a\":"])
  func `Deep nesting is refused`(opening: String) throws {
    let text = String(repeating: opening, count: 100_000)
    for nesting in [JSONProvider.Options.Nesting.columns, .tables, .json] {
      #expect(
        try folder.refusal(of: text, JSONProvider.Options(nesting: nesting)).code == .limitExceeded)
    }
  }

  @Test func `Too many columns are refused, and can be JSON`() throws {
    let text = "[{\"o\":{" + (0..<2_001).map { "\"k\($0)\":1" }.joined(separator: ",") + "}}]"
    let error = try folder.refusal(of: text)
    #expect(error.code == .limitExceeded)
    #expect(error.position != nil)
    let provider = try folder.open(text, JSONProvider.Options(nesting: .json))
    #expect(try provider.rows("SELECT json_extract(o, '$.k2000') FROM people") == "1")
  }

  @Test func `Objects with endless different members are refused`() throws {
    let text = "[{" + (0..<40_000).map { "\"k\($0)\":{}" }.joined(separator: ",") + "}]"
    #expect(try folder.refusal(of: text).code == .limitExceeded)
  }

  @Test func `A line of ten megabytes is read and written`() throws {
    let long = String(repeating: "0123456789", count: FormatEffort.isFull ? 1_000_000 : 100_000)
    let text = "[{\"a\":\"\(long)\",\"b\":[\"\(long)\"]},{\"a\":\"x\"}]"
    let provider = try folder.open(text)
    #expect(
      try provider.rows("SELECT length(a), length(b) FROM people")
        == "\(long.utf8.count), \(long.utf8.count + 4)\n1, NULL")
    try provider.saveSource(atPath: folder.path("out.json"))
    #expect(try folder.bytes(of: "out.json") == Array(text.utf8))
  }

  /// Reads bytes in pieces as a file, and returns the bytes that are written.
  private func rewritten(
    _ bytes: [UInt8], piece: Int, _ options: JSONProvider.Options = .init(), name: String = "data"
  ) throws -> [UInt8] {
    let pieces = stride(from: 0, to: bytes.count, by: piece).map {
      Array(bytes[$0..<min($0 + piece, bytes.count)])
    }
    let format = JSONFormat(options)
    let written = Pieces()
    let connection = try Connection.inMemory()
    var known: [TableCollector.InferredTable] = []
    while true {
      let tables = TableCollector(connection, known: known)
      let layout: JSONLayout
      do {
        layout = try format.read(SourceSession.ByteInput(pieces, name: name), into: tables)
        if let learnt = try tables.finish() {
          known = learnt
          try connection.resetDatabase()
          continue
        }
      } catch is TableCollector.RestartPass {
        known = tables.inferenceResult
        try connection.resetDatabase()
        continue
      }
      _ = try format.write(
        connection, as: layout, to: SourceSession.ByteOutput { written.bytes += $0 })
      return written.bytes
    }
  }

  private static let samples = [
    #"[{"id":1,"a":{"b":[1,{"c":"\u00e9\n"}],"d":null}},{"a":{"d":-1.5e3}},7,[true]]"#,
    "{\"a\":1}\n{\"b\":\"x\"}\n", #"{"n":1,"t":[{"x":1},{"x":2}],"e":[]}"#,
    #"{"holt":{"version":1},"tables":[{"name":"t","columns":[{"name":"a","type":"TEXT"}],"rows":[{"a":"x"},{"a":{"blob":"AA=="}}]}]}"#,
  ]

  @Test(arguments: samples)
  func `A truncated file is refused`(text: String) throws {
    let bytes = Array(text.utf8)
    for count in 0..<bytes.count {
      do {
        // A truncated file can be valid: with fewer lines, or without the last line break.
        let whole = try rewritten(Array(bytes[..<count]), piece: 1_000)
        #expect(text.hasPrefix("{\"a\":1}\n"), "\(String(decoding: whole, as: UTF8.self))")
      } catch let error as ProviderError {
        #expect(error.code == .truncated || error.code == .malformed, "\(count): \(error)")
      }
    }
  }

  @Test(arguments: samples)
  func `Files in small pieces are read in the same way`(text: String) throws {
    let bytes = Array(text.utf8)
    for nesting in [JSONProvider.Options.Nesting.columns, .tables, .json] {
      let options = JSONProvider.Options(nesting: nesting)
      let whole = try rewritten(bytes, piece: bytes.count, options)
      for piece in [1, 2, 3, 7] {
        #expect(try rewritten(bytes, piece: piece, options) == whole)
      }
    }
  }

  @Test func `Random bytes are refused or read`() throws {
    var random = SeededRandom(seed: 20_261_122)
    for _ in 0..<FormatEffort.count(60) {
      var bytes = Array((Self.samples.randomElement(using: &random) ?? "").utf8)
      for _ in 0...random.below(4) {
        let place = random.below(bytes.count)
        switch random.below(3) {
        case 0: bytes[place] = UInt8(truncatingIfNeeded: random.next())
        case 1: bytes.remove(at: place)
        default: bytes.insert(Array("{}[],:\"\\0e".utf8)[random.below(10)], at: place)
        }
      }
      do {
        _ = try rewritten(bytes, piece: 1 + random.below(40))
      } catch let error as ProviderError {
        #expect(!error.message.isEmpty)
      }
    }
  }

  // MARK: Writing

  @Test(arguments: [JSONProvider.Options.Nesting.columns, .tables, .json])
  func `Random documents are preserved when read and written`(
    nesting: JSONProvider.Options.Nesting
  ) throws {
    var random = SeededRandom(seed: 5_062_026)
    for _ in 0..<FormatEffort.count(30) {
      var roots = [JSONTree]()
      var isSequence = false
      switch random.below(4) {
      case 0: roots = [.array(random.objects())]
      case 1:
        let members = (0..<random.below(5)).map { index in
          JSONMember("m\(index)", random.oneIn(2) ? .array(random.objects()) : random.tree(3))
        }
        roots = [.object(members)]
      case 2: roots = [random.tree(1)]
      default:
        roots = random.objects() + [random.tree(2), .integer(1)]
        isSequence = true
      }
      let style: JSONProvider.Formatting =
        isSequence ? .lines : random.oneIn(2) ? .compact : .pretty
      let pieces = Pieces()
      var writer = JSONProvider.EventWriter(style) { pieces.bytes += $0 }
      for root in roots { try root.write(&writer) }
      try writer.finish()
      let mode = JSONReadingOptions(mode: isSequence ? .lines : .single)
      let text = String(decoding: pieces.bytes, as: UTF8.self)
      do {
        let written = try rewritten(
          pieces.bytes, piece: 1 + random.below(300), JSONProvider.Options(nesting: nesting))
        let before = try JSONTree.all(pieces.bytes, mode).map(\.normalized)
        #expect(
          try JSONTree.all(written, mode).map(\.normalized) == before,
          "\(text)\n\(String(decoding: written, as: UTF8.self))")
      } catch {
        Issue.record("\(error) in \(text)")
      }
    }
  }
}

extension SeededRandom {
  /// Objects with common members, and some other values.
  mutating func objects() -> [JSONTree] {
    let keys = (0..<1 + below(5)).map { _ in oneIn(4) ? text() : "k\(below(9))" }
    return (0..<below(8)).map { _ in
      if oneIn(12) { return tree(3) }
      var seen: Set<String> = []
      return .object(
        keys.compactMap { key in
          guard !oneIn(4), seen.insert(key).inserted else { return nil }
          return JSONMember(key, member())
        })
    }
  }

  private mutating func member() -> JSONTree {
    switch below(8) {
    case 0: .null
    case 1: .object((0..<below(3)).map { JSONMember("n\($0)", tree(4)) })
    case 2: .array((0..<below(3)).map { .object([JSONMember("c\($0 % 2)", tree(4))]) })
    case 3: tree(3)
    case 4: .string(text())
    case 5: .double(finite())
    default: .integer(Int64(below(100)))
    }
  }
}
