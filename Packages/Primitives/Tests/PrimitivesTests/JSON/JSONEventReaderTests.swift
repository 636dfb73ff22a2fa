import Primitives
import Testing

/// The grammar, numbers, keys, partial input and malicious input are tested in `Tests/ProvidersTests/JSON`.
@Suite struct `JSON events` {
  private func events(_ text: String, _ reader: inout JSONEventReader) throws -> [String] {
    let bytes = Array(text.utf8)
    var events: [String] = []
    while true {
      let event = try reader.next(in: bytes.elementSpan)
      if event == .end { return events }
      let key = reader.key < 0 ? "" : reader.keys[reader.key] + ":"
      switch event {
      case .string, .number: events.append(key + "\(event) " + reader.text(in: bytes.elementSpan))
      case .integer: events.append(key + "\(reader.integer)")
      case .double: events.append(key + "\(reader.double)")
      case .bool: events.append(key + "\(reader.bool)")
      default: events.append(key + "\(event)")
      }
    }
  }

  @Test func `contain the values of a text, with their keys`() throws {
    var reader = JSONEventReader()
    let text = #" {"a":[1,-2.5,"x\n\ud83d\udc0e",null],"b":{"c":true,"d":18446744073709551616}} "#
    #expect(
      try events(text, &reader) == [
        "beginObject", "a:beginArray", "1", "-2.5", "string x\n🐎", "null", "endArray",
        "b:beginObject", "c:true", "d:number 18446744073709551616", "endObject", "endObject",
      ])
  }

  @Test func `of several texts share a key table`() throws {
    var reader = JSONEventReader()
    #expect(try events(#"{"a":1,"b":{"a":2}}"#, &reader).count == 6)
    reader.restart()
    #expect(throws: JSONFailure.self) { try events(#"{"b":{"a":[1"#, &reader) }
    for _ in 0..<3 {
      reader.restart()
      #expect(try events(#"{"b":1,"a":2}"#, &reader) == ["beginObject", "b:1", "a:2", "endObject"])
    }
    #expect(reader.keys.count == 2)
    reader.restart()
    let failure = #expect(throws: JSONFailure.self) { try events(#"{"a":1,"a":2}"#, &reader) }
    #expect(failure?.position.byteOffset == 7)
  }

  @Test(arguments: [
    ("[1,\n 2,]", JSONFailure.Code.malformed, 7, 2, 4), ("[1", .truncated, 2, 1, 3),
    ("\"\\ud800\"", .invalidEncoding, 1, 1, 2), ("[[[[1]]]]", .tooDeep, 3, 1, 4),
    (#"["123456789"]"#, .tooLong, 2, 1, 3), ("nulL", .malformed, 0, 1, 1),
  ])
  func `fail with a position`(
    text: String, code: JSONFailure.Code, offset: Int, line: Int, column: Int
  ) {
    var reader = JSONEventReader(JSONReadingOptions(depth: 3, length: 8))
    let failure = #expect(throws: JSONFailure.self) { try events(text, &reader) }
    #expect(failure?.code == code)
    #expect(failure?.position == .init(byteOffset: offset, line: line, column: column))
  }

  @Test func `contain the offset of a key`() throws {
    let bytes = Array(#"[{ "a" : 1}]"#.utf8)
    var reader = JSONEventReader()
    for _ in 0..<3 { _ = try reader.next(in: bytes.elementSpan) }
    #expect(reader.keyOffset == 3)
    #expect(reader.range == 9..<10)
  }
}

@Suite struct `A JSON string` {
  @Test(arguments: [
    ("", #""""#), ("plain é 🐎", #""plain é 🐎""#), (#"a"b\c/"#, #""a\"b\\c/""#),
    ("\u{8}\t\n\u{C}\r", #""\b\t\n\f\r""#),
    ("\0\u{1}\u{1F}\u{7F}", "\"\\u0000\\u0001\\u001f\u{7F}\""),
    ("eight by\"nine byte\n", #""eight by\"nine byte\n""#),
  ])
  func `escapes only the necessary characters`(text: String, json: String) {
    #expect(JSONText.quoted(text) == json)
    let bytes = Array(text.utf8)
    var buffer = Array("[".utf8)
    JSONText.append(quoted: bytes.elementSpan, to: &buffer)
    #expect(String(decoding: buffer, as: UTF8.self) == "[" + json)
  }

  @Test func `for a line escapes all characters that can end a line`() {
    #expect(
      JSONText.quotedForLine("a\u{7F}\u{85}\u{9B}\u{2028}\u{2029}é\n")
        == #""a\u007f\u0085\u009b\u2028\u2029é\n""#)
  }
}
