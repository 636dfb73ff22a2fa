// Prints: one book, or no server: true
import PostgreSQL
import PostgreSQLTesting

/// Tests of an app that use PostgreSQLTesting.
enum PostgreSQLTestingConsumer {
  static func run() async throws -> String {
    guard PostgreSQLTestServer.isInstalled else { return "one book, or no server: true" }
    let count = try await PostgreSQLTestServer().withDatabase { database in
      try await database.execute("CREATE TABLE book AS SELECT 1 AS id")
      return try await database.values(Int.self, "SELECT count(*) FROM book")
    }
    return "one book, or no server: \(count == [1])"
  }
}
