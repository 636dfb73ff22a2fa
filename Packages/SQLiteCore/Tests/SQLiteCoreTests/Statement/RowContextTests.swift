import SQLiteCore
import Testing

/// A row that records its context and its value.
private struct Told: RowDecodable, Equatable {
  var number: Int
  var word: String?

  init(number: Int, word: String?) { (self.number, self.word) = (number, word) }
  init(row: borrowing Row) throws(SQLiteError) {
    number = try row.read(at: 0)
    word = (row.context as? Word)?.text
  }
}

private final class Word {
  let text: String
  init(_ text: String) { self.text = text }
}

@Suite struct `The context of rows` {
  private let sql = "SELECT 1 UNION ALL SELECT 2"

  @Test func `is the object of the innermost enclosing call`() throws {
    let db = try memory()
    func words() throws -> [String?] { try db.fetchAll(Told.self, SQL(unsafe: sql)).map(\.word) }
    #expect(try words() == [nil, nil])
    try db.withRowContext(Word("outer")) { () throws in
      #expect(try words() == ["outer", "outer"])
      #expect(try db.withRowContext(Word("inner")) { try words() } == ["inner", "inner"])
      #expect(try db.withRowContext(nil) { try words() } == [nil, nil])
      #expect(try db.fetchOne(Told.self, SQL(unsafe: sql)) == Told(number: 1, word: "outer"))
    }
    #expect(try words() == [nil, nil])
  }

  @Test func `is restored if reading fails`() throws {
    let db = try memory()
    #expect(throws: SQLiteError.self) {
      try db.withRowContext(Word("lost")) { _ = try db.fetchAll(Told.self, "SELECT 'a'") }
    }
    #expect(try db.fetchAll(Told.self, SQL(unsafe: sql)).map(\.word) == [nil, nil])
  }

  @Test func `is released after the call, and is not visible to another connection`() throws {
    let (db, other) = (try memory(), try memory())
    weak var held: Word?
    try db.withRowContext(Word("held")) {
      try db.forEach(SQL(unsafe: sql)) { held = $0.context as? Word }
      #expect(held?.text == "held")
      #expect(try other.fetchAll(Told.self, SQL(unsafe: sql)).map(\.word) == [nil, nil])
    }
    #expect(held == nil)
  }

  @Test func `is available when rows are passed on one by one with a list of values`() throws {
    let db = try memory()
    var told: [Told] = []
    try db.withRowContext(Word("each")) {
      try db.forEach("SELECT ? UNION ALL SELECT ?", values: [3, 4]) {
        told.append(try Told(row: $0))
      }
      try db.forEachRow(Told.self, "SELECT ?", values: [5]) { value, _ in told.append(value) }
    }
    #expect(told == [3, 4, 5].map { Told(number: $0, word: "each") })
    #expect(throws: SQLiteError.self) { try db.forEach(SQL(unsafe: sql), values: [1]) { _ in } }
  }
}
