import Relations
import SQLiteCore
import Testing

/// A precomposed and a decomposed `é`: equal in Swift, different in SQLite.
private let (composed, decomposed) = ("caf\u{e9}", "cafe\u{301}")

private final class Café: Model, @unchecked Sendable {
  struct Value: Table {
    static let tableName = "Cafe"
    var id = 0
    var name = ""
    var nickname: String?
  }
  var value: Value
  init(_ value: Value) { self.value = value }
}

private final class DirectCafé: Model, @unchecked Sendable {
  struct Value: Table {
    static let tableName = "Cafe"
    var id = 0
    var name = ""
    var nickname: String?

    init() {}
    init(row: borrowing SQLiteCore.Row) throws(SQLiteError) {
      id = try row.read(at: 0)
      name = try row.read(at: 1)
      nickname = try row.read(at: 2)
    }
    static var properties: [RowProperty<Value>] {
      [
        .init(column: "id") { $0.id }, .init(column: "name") { $0.name },
        .init(column: "nickname") { $0.nickname },
      ]
    }
  }
  var value: Value
  init(_ value: Value) { self.value = value }
}

/// A row that equals all others with the same key, as rows in lists are sometimes declared.
private final class Loose: Model, @unchecked Sendable {
  struct Value: Table {
    static let tableName = "Loose"
    var id = 0
    var count = 0

    static func == (a: Value, b: Value) -> Bool { a.id == b.id }
    func hash(into hasher: inout Hasher) { hasher.combine(id) }
  }
  var value: Value
  init(_ value: Value) { self.value = value }
}

/// A value whose `==` ignores a stored part.
private struct CaseLabel: SQLiteConvertible, Codable, Hashable {
  var text = ""

  init(_ text: String = "") { self.text = text }
  init(from row: borrowing Row, at index: ColumnIndex) throws(SQLiteError) {
    text = try row.read(at: index)
  }
  var sqliteValue: SQLiteValue { .text(text) }
  static func == (a: CaseLabel, b: CaseLabel) -> Bool { a.text.lowercased() == b.text.lowercased() }
  func hash(into hasher: inout Hasher) { hasher.combine(text.lowercased()) }
}

private final class Labelled: Model, @unchecked Sendable {
  struct Value: Table {
    static let tableName = "Labelled"
    var id = 0
    var label = CaseLabel()

    init() {}
    init(row: borrowing SQLiteCore.Row) throws(SQLiteError) {
      id = try row.read(at: 0)
      label = try row.read(at: 1)
    }
    static var properties: [RowProperty<Value>] {
      [.init(column: "id") { $0.id }, .init(column: "label") { $0.label }]
    }
  }
  var value: Value
  init(_ value: Value) { self.value = value }
}

@Suite struct `Changes that are equal in Swift` {
  @Test func `to a string are saved`() async throws {
    try await withFile { session, file in
      let café = try await Café.create()
      (café.value.name, café.value.nickname) = (composed, composed)
      try await session.save(café)
      café.value.name = decomposed
      #expect(session.isChanged(café))
      try await session.save(café)
      café.value.nickname = decomposed
      try await session.saveChanges()
      #expect(!session.isChanged(café))
      let stored = try file.connect().rows("SELECT name, nickname FROM Cafe")
      #expect(stored == [[.text(decomposed), .text(decomposed)]])
    }
  }

  @Test func `to a string of a type with properties are saved`() async throws {
    try await withFile { session, file in
      let café = try await DirectCafé.create()
      (café.value.name, café.value.nickname) = (composed, composed)
      try await session.save(café)
      café.value.name = decomposed
      try await session.saveChanges()
      café.value.nickname = decomposed
      try await session.save(café)
      let stored = try file.connect().rows("SELECT name, nickname FROM Cafe")
      #expect(stored == [[.text(decomposed), .text(decomposed)]])
      café.value.nickname = nil
      try await session.saveChanges()
      #expect(try file.connect().rows("SELECT nickname FROM Cafe") == [[nil]])
      café.value.nickname = ""
      try await session.saveChanges()
      #expect(try file.connect().rows("SELECT nickname FROM Cafe") == [[""]])
    }
  }

  @Test func `by the row's own definition are saved`() async throws {
    try await withFile { session, file in
      let loose = try await Loose.create()
      try await session.save(loose)
      loose.value.count = 5
      try await session.saveChanges()
      #expect(try file.connect().values(Int.self, "SELECT count FROM Loose") == [5])
    }
  }

  @Test func `by a property's own definition are saved`() async throws {
    try await withFile { session, file in
      let labelled = try await Labelled.create()
      labelled.value.label = CaseLabel("a")
      try await session.save(labelled)
      labelled.value.label = CaseLabel("A")
      try await session.saveChanges()
      #expect(try file.connect().values(String.self, "SELECT label FROM Labelled") == ["A"])
    }
  }

  @Test func `by other connections are read`() async throws {
    try await withFile { session, file in
      let café = try await Café.create()
      café.value.name = composed
      try await session.save(café)
      try file.connect().run("UPDATE Cafe SET name = ?", decomposed)
      let read = try await session.fetch(Café.self, café.id)
      #expect(read === café)
      #expect(Array(café.value.name.utf8) == Array(decomposed.utf8))
    }
  }
}
