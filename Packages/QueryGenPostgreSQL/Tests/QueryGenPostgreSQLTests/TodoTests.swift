import PostgreSQL
import PostgreSQLTesting
import QueryGen
import QueryGenPostgreSQL
import Testing

/// The samples of the documentation.
@Suite(.enabled(if: PostgreSQLTestServer.isInstalled, "no PostgreSQL server is installed"))
struct `The todos of the documentation` {
  /// Passes the configuration of a new database to `body`.
  private func withConfiguration(
    _ body: (PostgreSQLConfiguration) async throws -> Void
  ) async throws {
    let server = try #require(PostgreSQLTestServer.shared)
    try await server.withDatabase { (database) async throws -> Void in
      let name = try await database.value(String.self, "SELECT current_database()::text")
      try await body(server.configuration(database: try #require(name)))
    }
  }

  @Test func `are added and read`() async throws {
    try await withConfiguration { (configuration) async throws -> Void in
      let db = try await DB.open(configuration)
      let id = try await db.addTodo.execute(title: "Buy milk", priority: .high)
      for todo in try await db.openTodos.execute([.high]) { print(todo.title) }
      #expect(try await db.openTodos.execute([.high]).map(\.id) == [id])
      db.database.close()
    }
  }

  @Test func `are added in a transaction`() async throws {
    try await withConfiguration { (configuration) async throws -> Void in
      let db = try await DB.open(configuration)
      let id = try await db.addTodo.execute(title: "Buy milk", priority: .high)
      try await db.database.transaction { connection in
        _ = try await db.addTodo.execute(title: "Drink it", priority: .low, in: connection)
      }
      #expect(
        try await db.openTodos.execute([.low, .high]).map(\.title) == ["Buy milk", "Drink it"])
      #expect(try await db.openTodos.execute([.high]).map(\.id) == [id])
      db.database.close()
    }
  }
}
