import Relations
import SQLiteCore
import Primitives

/// The read statements that a database runs.
final class StatementLog: Sendable {
  private let statements = Mutex<[String]>([])

  var configuration: Configuration {
    var configuration = Configuration()
    configuration.prepare = { connection in
      try connection.hooks.trace { event in
        guard case .statement(let sql, _) = event else { return }
        if sql.hasPrefix("SELECT") || sql.hasPrefix("WITH") {
          self.statements.withLock { $0.append(sql) }
        }
      }
    }
    return configuration
  }

  /// Returns the statements that `body` runs.
  func recordStatements(_ body: () async throws -> Void) async throws -> [String] {
    statements.withLock { $0 = [] }
    try await body()
    return statements.withLock { $0 }
  }
}

/// Calls `body` with a separate in-memory session whose statements are logged.
func withLoggedSession<Result>(
  _ body: (ModelSession, StatementLog) async throws -> Result
) async throws -> Result {
  let log = StatementLog()
  let session = ModelSession(try Database(.memory, configuration: log.configuration))
  return try await session.use { try await body(session, log) }
}
