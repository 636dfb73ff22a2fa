import PostgreSQL
import PostgreSQLTesting
import Testing

@Suite(.enabled(if: PostgreSQLTestServer.isInstalled))
struct `The library` {
  @Test func `has no books at first`() async throws {
    let server = try #require(PostgreSQLTestServer.shared)
    try await server.withDatabase { database in
      try await database.execute("CREATE TABLE book (id bigint PRIMARY KEY, title text)")
      #expect(try await database.values(Int.self, "SELECT count(*) FROM book") == [0])
    }
  }
}
