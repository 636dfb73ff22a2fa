import Foundation
import SQLiteCore
import Testing

@Suite struct `JSON documents` {
  @Test(arguments: [
    #"{"b": 1, "a": [2.50, 12345678901234567890], "b": null}"#, "[]", " true ", #""text""#,
  ])
  func `keep their text`(_ text: String) throws {
    let db = try memory("CREATE TABLE t (v TEXT)")
    try db.run("INSERT INTO t VALUES (?)", JSONDocument(text))
    #expect(try db.value(String.self, "SELECT v FROM t") == text)
    #expect(try db.value(JSONDocument.self, "SELECT v FROM t")?.text == text)
  }

  @Test(arguments: ["", "{", "[1,]", "{'a': 1}", "nan", #""\ud800""#, "1 2"])
  func `that are not JSON are rejected, and name the place`(_ text: String) throws {
    let error = #expect(throws: SQLiteError.self) { try JSONDocument(text) }
    #expect(error?.code == .invalidJSON)
    #expect(error?.message.contains("line 1, column") == true)
    let db = try memory("CREATE TABLE t (v TEXT)")
    try db.run("INSERT INTO t VALUES (?)", text)
    let read = #expect(throws: SQLiteError.self) {
      try db.value(JSONDocument.self, "SELECT v FROM t")
    }
    #expect(read?.code == .invalidJSON)
    #expect(read?.column?.name == "v")
  }

  @Test(arguments: [
    ("12", "12"), ("2.5", "2.5"), ("CAST('[1]' AS BLOB)", "[1]"), ("'{}'", "{}"),
  ])
  func `are read from text, blobs and numbers`(_ literal: String, _ text: String) throws {
    let read = try memory().value(JSONDocument.self, "SELECT \(unsafe: literal)")
    #expect(read?.text == text)
  }

  @Test(arguments: ["9e999", "x'ff'", "NULL"])
  func `are not read from other values`(_ literal: String) throws {
    #expect(throws: SQLiteError.self) {
      try memory().forEach("SELECT \(unsafe: literal)") {
        _ = try $0.read(JSONDocument.self, at: 0)
      }
    }
  }

  @Test func `encode and decode values`() throws {
    struct Details: Codable, Equatable { var b: [Int], a: String? }
    let document = try JSONDocument(encoding: Details(b: [1], a: "é/"))
    #expect(document.text == #"{"a":"é/","b":[1]}"#)
    #expect(try document.decoded(as: Details.self) == Details(b: [1], a: "é/"))
    #expect(throws: DecodingError.self) { try document.decoded(as: [Int].self) }
    #expect(throws: SQLiteError.self) { try JSONDocument(encoding: [Double.nan]) }
  }

  @Test func `are equal if their bytes are`() throws {
    #expect(try JSONDocument("[1]") == JSONDocument("[1]"))
    #expect(try JSONDocument("[1]") != JSONDocument("[1 ]"))
    #expect(try JSONDocument("\"\u{E9}\"") != JSONDocument("\"e\u{301}\""))
  }

  @Test func `are encoded as their text`() throws {
    let document = try JSONDocument(#"{"n": 1.50}"#)
    let data = try JSONEncoder().encode([document])
    #expect(try JSONDecoder().decode([String].self, from: data) == [document.text])
    #expect(try JSONDecoder().decode([JSONDocument].self, from: data) == [document])
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode([JSONDocument].self, from: Data(#"["{"]"#.utf8))
    }
  }
}
