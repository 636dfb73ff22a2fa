import QueryGen
import Testing

@Suite struct `Nested rows` {
  private struct Room: Queries.NestingRow, Equatable {
    var name: String
    var books: [String]

    init(_ name: String, _ books: [String]) {
      self.name = name
      self.books = books
    }

    init(row: borrowing Row) throws(SQLiteError) { self.init(try row.read(at: 0), []) }

    static func key(of row: borrowing Row) throws(SQLiteError) -> String { try row.read(at: 0) }

    struct Lists: Queries.NestedLists {
      mutating func append(row: borrowing Row, to room: inout Room, at place: Int) throws {
        if try row.areNull(at: 1, 2) { return }
        room.books.append(try row.read(String?.self, at: 1) ?? "untitled")
      }
    }
  }

  private static let sql: SQL = """
    SELECT column1, column2, column3 FROM (VALUES
      ('hall', 'Emma', 1), ('attic', 'Ulysses', 2), ('hall', NULL, 3), ('cellar', NULL, NULL),
      ('attic', 'Dracula', NULL))
    WHERE column1 <> ?
    """

  private static let rooms = [
    Room("hall", ["Emma", "untitled"]), Room("attic", ["Ulysses", "Dracula"]), Room("cellar", []),
  ]

  @Test func `are merged by key, even if they are not adjacent`() throws {
    let connection = try Connection.inMemory()
    #expect(try connection.fetchNested(Room.self, Self.sql, "none") == Self.rooms)
    #expect(try connection.fetchNested(Room.self, Self.sql, values: ["none"]) == Self.rooms)
  }

  @Test func `are empty if the statement returns no rows`() throws {
    let connection = try Connection.inMemory()
    #expect(
      try connection.fetchNested(Room.self, Self.sql + " AND FALSE", "none") == [])
  }
}
