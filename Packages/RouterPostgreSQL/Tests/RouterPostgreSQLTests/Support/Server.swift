import PostgreSQL
import PostgreSQLTesting
import Testing

extension PostgreSQLTestServer {
  /// Passes a new database of the shared server, with the given tables, to `body`.
  static func withDatabase(
    _ schema: String, connections: Int = 4, _ body: (PostgreSQLDatabase) async throws -> Void
  ) async throws {
    try await #require(shared).withDatabase {
      $0.maximumConnectionCount = connections
    } _: { database in
      try await database.execute(PostgreSQLQuery(unsafe: schema))
      try await body(database)
    }
  }

  /// The options of `psql` for output that ``rows(_:)-(String)`` reads.
  private static let options = [
    "-q", "-A", "-t", "-F", "\u{1F}", "-R", "\u{1E}", "-P", "null=\u{18}",
  ]

  /// Runs statements, and returns the rows of the only one that has rows.
  func rows(_ statements: [String]) throws -> [[String?]] {
    var text = try psql(statements, options: Self.options)
    if text.last == "\n" { text.removeLast() }
    if text.isEmpty { return [] }
    return text.split(separator: "\u{1E}", omittingEmptySubsequences: false).map { row in
      row.split(separator: "\u{1F}", omittingEmptySubsequences: false)
        .map { $0 == "\u{18}" ? nil : String($0) }
    }
  }
}

extension Trait where Self == ConditionTrait {
  /// Skips tests if no server is installed.
  static var needsServer: Self {
    .enabled(if: PostgreSQLTestServer.isInstalled, "no PostgreSQL server is installed")
  }
}
