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

  @Test func `is stored by its raw value`() throws {
    typealias Format = Queries.RawValueFormat<Suit>
    #expect(try stored(Queries.Formatted<Format>(.spades)) == .integer(2))
    #expect(try read(Queries.Formatted<Format>.self, .integer(1))?.value == .hearts)
    let error = #expect(throws: SQLiteError.self) {
      try read(Queries.Formatted<Format>.self, .integer(3))
    }
    #expect(error?.code == .valueOutOfRange)
    #expect(error?.column?.name == "x")
  }

  @Test func `is stored as JSON, always the same for the same value`() throws {
    typealias Format = Queries.JSONFormat<Point>
    #expect(try stored(Queries.Formatted<Format>(Point(x: 1, y: 2))) == .text(#"{"x":1,"y":2}"#))
    #expect(
      try read(Queries.Formatted<Format>.self, .text(#"{"y":2, "x":1}"#))?.value
        == Point(x: 1, y: 2))
    #expect(
      try read(Queries.Formatted<Format>.self, .blob(Array(#"{"y":2, "x":1}"#.utf8)))?.value
        == Point(x: 1, y: 2))
    #expect(try read(Queries.Formatted<Format>?.self, .null).map { $0?.value } == .some(nil))
    // So many keys are in their order by chance once in 10! times.
    let counts = Dictionary(uniqueKeysWithValues: "abcdefghij".map { (String($0), 1) })
    let sorted = "{" + "abcdefghij".map { "\"\($0)\":1" }.joined(separator: ",") + "}"
    #expect(
      try stored(Queries.Formatted<Queries.JSONFormat<[String: Int]>>(counts)) == .text(sorted))
  }

  @Test(arguments: ["", "{", "[]", #"{"x":1}"#, #"{"x":1,"y":"secret"}"#])
  func `tells what JSON does not fit, and not what it is`(_ text: String) throws {
    let error = #expect(throws: SQLiteError.self) {
      try read(Queries.Formatted<Queries.JSONFormat<Point>>.self, .text(text))
    }
    #expect(error?.code == .invalidJSON)
    #expect(error?.column?.name == "x")
    #expect(error?.message.contains("secret") == false)
  }

  @Test func `that is no JSON is not bound`() throws {
    let error = #expect(throws: SQLiteError.self) {
      try stored(Queries.Formatted<Queries.JSONFormat<[Double]>>([.infinity]))
    }
    #expect(error?.code == .valueOutOfRange)
  }

  @Test func `needs a value where a column is NULL`() throws {
    let error = #expect(throws: SQLiteError.self) {
      try read(Queries.Formatted<Queries.JSONFormat<Point>>.self, .null)
    }
    #expect(error?.code == .unexpectedNull)
  }
}
