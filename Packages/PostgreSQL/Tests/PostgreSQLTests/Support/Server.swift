import PostgreSQL
import PostgreSQLTesting
import Testing

/// Passes a new database of the shared server to `body`.
func withDatabase<Result: Sendable>(
  _ change: (inout PostgreSQLConfiguration) -> Void = { _ in },
  _ body: (PostgreSQLDatabase) async throws -> Result
) async throws -> Result {
  try await #require(PostgreSQLTestServer.shared).withDatabase(change, body)
}

extension Trait where Self == ConditionTrait {
  /// Skips tests if no server is installed.
  static var needsServer: Self {
    .enabled(if: PostgreSQLTestServer.isInstalled, "no PostgreSQL server is installed")
  }
}

/// Returns the error that `body` throws.
func postgreSQLError<Result>(_ body: () async throws -> Result) async -> PostgreSQLError? {
  do {
    _ = try await body()
    return nil
  } catch {
    return error as? PostgreSQLError
  }
}
