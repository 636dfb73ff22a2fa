// Prints: 2026-11-27; no server
import PostgreSQL
import QueryGen
import QueryGenPostgreSQL

/// An app with generated queries on PostgreSQL. No server has its port.
enum QueryGenPostgreSQLConsumer {
  static func run() async throws -> String {
    let day: any Query<Void, PostgreSQLDate?> = Queries.Just(PostgreSQLDate("2026-11-27"))
    let date = try await day.execute()?.description ?? ""
    let configuration = PostgreSQLConfiguration(
      host: "127.0.0.1", port: 1, database: "app", user: "app")
    do {
      try await PostgreSQLDatabase(configuration).migrate([])
      return date
    } catch let error as PostgreSQLError where error.code == .connectionFailed {
      return "\(date); no server"
    }
  }
}
