import Foundation
import QueryGen
import Testing

@Suite struct `A value with a format` {
  enum Suit: Int { case hearts = 1, spades }
  struct Point: Codable, Hashable { var x: Int, y: Int }

  private func stored(_ value: some SQLiteBindable) throws -> SQLiteValue? {
    try Database.inMemory().read { try $0.value(SQLiteValue.self, "SELECT ?", value) }
  }

  private func read<Value: SQLiteReadable>(_ type: Value.Type, _ value: SQLiteValue) throws
    -> Value?
  {
    try Database.inMemory().read { try $0.value(Value.self, "SELECT ? AS x", value) }
  }

  @Test func `is stored as its raw value`() throws {
    typealias Format = Queries.RawValueFormat<Suit>
    #expect(try stored(Queries.Formatted<Format>(.spades)) == .integer(2))
    #expect(try read(Queries.Formatted<Format>.self, .integer(1))?.value == .hearts)
    let error = #expect(throws: SQLiteError.self) {
      try read(Queries.Formatted<Format>.self, .integer(3))
    }
    #expect(error?.code == .valueOutOfRange)
    #expect(error?.column?.name == "x")
  }

  @Test func `is stored as JSON, which is equal for equal values`() throws {
    typealias Format = Queries.JSONFormat<Point>
    #expect(try stored(Queries.Formatted<Format>(Point(x: 1, y: 2))) == .text(#"{"x":1,"y":2}"#))
    #expect(
      try read(Queries.Formatted<Format>.self, .text(#"{"y":2, "x":1}"#))?.value
        == Point(x: 1, y: 2))
    #expect(
      try read(Queries.Formatted<Format>.self, .blob(Array(#"{"y":2, "x":1}"#.utf8)))?.value
        == Point(x: 1, y: 2))
    #expect(try read(Queries.Formatted<Format>?.self, .null).map { $0?.value } == .some(nil))
    // Without sorting, ten keys would be in order by chance only once in 10! runs.
    let counts = Dictionary(uniqueKeysWithValues: "abcdefghij".map { (String($0), 1) })
    let sorted = "{" + "abcdefghij".map { "\"\($0)\":1" }.joined(separator: ",") + "}"
    #expect(
      try stored(Queries.Formatted<Queries.JSONFormat<[String: Int]>>(counts)) == .text(sorted))
  }

  @Test(arguments: ["", "{", "[]", #"{"x":1}"#, #"{"x":1,"y":"secret"}"#])
  func `that is invalid JSON is named in the error, without its content`(_ text: String) throws {
    let error = #expect(throws: SQLiteError.self) {
      try read(Queries.Formatted<Queries.JSONFormat<Point>>.self, .text(text))
    }
    #expect(error?.code == .invalidJSON)
    #expect(error?.column?.name == "x")
    #expect(error?.message.contains("secret") == false)
  }

  @Test func `that can't be encoded as JSON is not bound`() throws {
    let error = #expect(throws: SQLiteError.self) {
      try stored(Queries.Formatted<Queries.JSONFormat<[Double]>>([.infinity]))
    }
    #expect(error?.code == .valueOutOfRange)
  }

  @Test func `throws an error for a column that is NULL`() throws {
    let error = #expect(throws: SQLiteError.self) {
      try read(Queries.Formatted<Queries.JSONFormat<Point>>.self, .null)
    }
    #expect(error?.code == .unexpectedNull)
  }
}
