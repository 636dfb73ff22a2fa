import Primitives
import Testing

@_spi(Formats) @testable import Providers

@Suite struct `JSON events` {
  @Test func `have the number of their key`() throws {
    let text = Array(
      #"[{"id":1,"a long name":"x","\u0062":null},{"a long name":"y","b":[2]}]"#.utf8)
    var reader = JSONEventReader()
    var seen: [String] = []
    while true {
      let event = try reader.event(in: text.elementSpan)
      if event == .end { break }
      seen.append("\(event)\(reader.key < 0 ? "" : " \(reader.key) \(reader.keys[reader.key])")")
    }
    #expect(
      seen == [
        "beginArray", "beginObject", "integer 0 id", "string 1 a long name", "null 2 b",
        "endObject",
        "beginObject", "string 1 a long name", "beginArray 2 b", "integer", "endArray", "endObject",
        "endArray",
      ])
    #expect(reader.keys.count == 3)
    #expect(reader.keys.id(of: "b") == 2)
    #expect(reader.keys.id(of: "c") == nil)
  }

  @Test func `have the range of a value and its borrowed text`() throws {
    let text = Array(#"{"a":"plain","b":"x\ny"}"#.utf8)
    var reader = JSONEventReader()
    _ = try reader.event(in: text.elementSpan)
    #expect(try reader.event(in: text.elementSpan) == .string)
    #expect(reader.range == 6..<11)
    #expect(!reader.hasEscapes)
    #expect(reader.withText(in: text.elementSpan) { $0.count } == 5)
    #expect(try reader.event(in: text.elementSpan) == .string)
    #expect(reader.hasEscapes)
    #expect(reader.text(in: text.elementSpan) == "x\ny")
    #expect(reader.decoded == Array("x\ny".utf8))
  }

  @Test func `can skip a container, and provide its text`() throws {
    let inner = #"{ "b" : [1, {"c":"]}"}] , "b":2e5 }"#
    let text = Array("{\"a\": \(inner), \"z\": 1}".utf8)
    var reader = JSONEventReader()
    _ = try reader.event(in: text.elementSpan)
    #expect(try reader.event(in: text.elementSpan) == .beginObject)
    let key = reader.key
    let range = try #require(try reader.skippedContainer(in: text.elementSpan))
    #expect(String(decoding: text[range], as: UTF8.self) == inner)
    #expect(reader.keys[key] == "a")
    #expect(try reader.event(in: text.elementSpan) == .integer)
    #expect(reader.keys[reader.key] == "z")
    #expect(reader.keys.count == 2)
    #expect(try reader.event(in: text.elementSpan) == .endObject)
    #expect(try reader.event(in: text.elementSpan) == .end)
  }

  @Test func `check skipped containers`() throws {
    let text = Array(#"[{"a":[1,}]}]"#.utf8)
    var reader = JSONEventReader()
    _ = try reader.event(in: text.elementSpan)
    _ = try reader.event(in: text.elementSpan)
    let error = #expect(throws: ProviderError.self) {
      try reader.skippedContainer(in: text.elementSpan)
    }
    #expect(error?.position?.column == 10)
  }

  @Test func `report duplicate keys on request`() throws {
    let text = Array(#"{"a":1,"b":{"a":2},"a":3}"#.utf8)
    var reader = JSONEventReader(JSONReadingOptions(duplicateKeys: .reported))
    var flags: [Bool] = []
    while true {
      let event = try reader.event(in: text.elementSpan)
      if event == .end { break }
      if reader.key >= 0 { flags.append(reader.isDuplicateKey) }
    }
    #expect(flags == [false, false, false, true])
  }

  @Test(arguments: [
    ("1\n2\n", 2), ("", 0), ("\n\n", 0), ("{\"a\":1}\r\n{\"a\":2}", 2), ("[1]\n\n [2] \n", 2),
    ("\u{FEFF}1\n", 1),
  ])
  func `of lines have a value for each line`(_ text: String, _ count: Int) throws {
    #expect(try JSONTree.all(Array(text.utf8), .init(mode: .lines)).count == count)
  }

  @Test(arguments: [
    ("{\"a\":1}\n{\"a\":\n2}\n", 2), ("1\n2 3\n", 2), ("[1]\n[2,\n", 2), ("{}\n{}\nx\n", 3),
  ])
  func `of lines report the invalid line`(_ text: String, _ line: Int) throws {
    let error = #expect(throws: ProviderError.self) {
      try JSONTree.all(Array(text.utf8), .init(mode: .lines))
    }
    #expect(error?.position?.line == line)
  }

  @Test(arguments: [("{}{}[1] 2\n\n3", 5), ("", 0), (" \"a\"\"b\" ", 2), ("{\n\"a\":\n1}", 1)])
  func `of concatenated values`(_ text: String, _ count: Int) throws {
    #expect(try JSONTree.all(Array(text.utf8), .init(mode: .concatenated)).count == count)
  }

  @Test(arguments: 1...40)
  func `are the same in chunks`(_ chunk: Int) throws {
    let text = Array(
      ("\u{FEFF}{\"id\":12.5e1,\"näme\":\"a\\u00e9\\uD834\\uDD1E\",\"o\":{\"id\":1,\"x\":[true,false,null]},\"long key name\":-0}"
        + "\n[{\"id\":1},{\"id\":2,\"näme\":\"\"}] 123456789012345678901 \"é\"").utf8)
    let options = JSONReadingOptions(mode: .concatenated)
    #expect(try JSONTree.all(text, options, chunk: chunk) == JSONTree.all(text, options))
    // An error has the same position.
    let wrong = text + Array("\n{\"a\":1,\n\"a\":2}".utf8)
    let whole = #expect(throws: ProviderError.self) { try JSONTree.all(wrong, options) }
    let parts = #expect(throws: ProviderError.self) {
      try JSONTree.all(wrong, options, chunk: chunk)
    }
    #expect(whole == parts)
    // A byte order mark is not a part of a line's value.
    let marked = Array("\u{FEFF}x".utf8)
    let error = #expect(throws: ProviderError.self) {
      try JSONTree.all(marked, .init(mode: .lines), chunk: chunk)
    }
    #expect(error?.message == "expected a value")
  }

  @Test func `do not copy a long text`() throws {
    let text = [0x22] + Array(repeating: UInt8(0x61), count: 8_000_000) + [0x22]
    var reader = JSONEventReader()
    #expect(try reader.event(in: text.elementSpan) == .string)
    #expect(reader.range.count == 8_000_000)
    #expect(reader.decoded.capacity == 0)
  }

  @Test func `find each of many keys`() throws {
    let members = (0..<5_000).map { "\"key number \($0)\":\($0)" }.joined(separator: ",")
    let text = Array("[{\(members)},{\(members)}]".utf8)
    var reader = JSONEventReader()
    while true {
      let event = try reader.event(in: text.elementSpan)
      if event == .end { break }
      if event == .integer { #expect(reader.integer == Int64(reader.key)) }
    }
    #expect(reader.keys.count == 5_000)
  }
}
