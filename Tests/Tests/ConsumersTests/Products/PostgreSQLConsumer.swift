// Prints: SELECT id FROM book WHERE title = $1: no server
import PostgreSQL

/// An app that only uses PostgreSQL. No server has its port.
enum PostgreSQLConsumer {
  static func run() async throws -> String {
    let database = PostgreSQLDatabase(
      try PostgreSQLConfiguration(url: "postgresql://app@127.0.0.1:1/shop"))
    let title = "Emma"
    let query: PostgreSQLQuery = "SELECT id FROM book WHERE title = \(title)"
    do {
      return "\(query.text): \(try await database.values(Int.self, query).count)"
    } catch let error as PostgreSQLError where error.code == .connectionFailed {
      return "\(query.text): no server"
    }
  }
}
