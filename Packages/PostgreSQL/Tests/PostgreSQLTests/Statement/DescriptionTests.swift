import PostgreSQL
import Testing

@Suite(.needsServer, .timeLimit(.minutes(2))) struct `Descriptions of statements` {
  @Test func `contain the types and origins, and run nothing`() async throws {
    try await withDatabase { (database) async throws -> Void in
      try await database.execute("CREATE TABLE book (id int, title varchar(8) NOT NULL)")
      let found = try await database.describe(
        "INSERT INTO book VALUES ($1, $2) RETURNING title, id + 1 AS next")
      #expect(found.parameterTypes == [.int4, .varchar])
      #expect(found.columns.map(\.name) == ["title", "next"])
      #expect(found.columns.map(\.type) == [.varchar, .int4])
      #expect(found.columns.map(\.typeModifier) == [12, nil])
      let table = try await database.value(UInt32.self, "SELECT 'book'::regclass::oid")
      #expect(found.columns[0].origin == .init(table: try #require(table), column: 2))
      #expect(found.columns[1].origin == nil)
      #expect(try await database.values(Int.self, "SELECT id FROM book") == [])

      let nothing = try await database.describe("DELETE FROM book WHERE id = ANY ($1)")
      #expect(nothing.parameterTypes == [PostgreSQLType(rawValue: 1_007)])
      #expect(nothing.columns == [])
    }
  }

  @Test func `of invalid statements fail with the position`() async throws {
    try await withDatabase { (database) async throws -> Void in
      let error = try await #require(throws: PostgreSQLError.self) {
        try await database.describe("SELECT 1,\n  nmae")
      }
      #expect(error.code == .undefinedColumn)
      #expect(error.place.position?.line == 2)
      #expect(error.place.position?.column == 3)
    }
  }
}
