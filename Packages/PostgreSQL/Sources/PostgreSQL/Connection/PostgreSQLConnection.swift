internal import Primitives

/// A connection to a server, or the part of a pool's connection that one access may use.
///
/// A connection runs one statement at a time: if several tasks use it, they take turns. All methods suspend the task
/// while they wait, and never block a thread. Cancelling the task cancels the running statement, which then throws
/// `CancellationError`.
///
/// ```swift
/// let connection = try await PostgreSQLConnection.connect(configuration)
/// let names = try await connection.values(String.self, "SELECT name FROM player")
/// await connection.close()
/// ```
///
/// Most programs use a ``PostgreSQLDatabase`` instead, which has the same methods.
public final class PostgreSQLConnection: PostgreSQLAccess {
  private let session: Session
  private let hasEnded = Atomic(false)

  init(_ session: Session) { self.session = session }

  /// Connects to a server.
  ///
  /// - Throws: ``PostgreSQLError`` with code ``PostgreSQLError/Code/connectionFailed``, whose message lists the failure of
  ///   each host, or ``PostgreSQLError/Code/invalidConfiguration``; `CancellationError`.
  @concurrent
  public static func connect(
    _ configuration: PostgreSQLConfiguration
  ) async throws -> PostgreSQLConnection {
    PostgreSQLConnection(try await Session.connect(configuration, shared: SharedSessionState()))
  }

  /// Closes the connection after the statements of other tasks. A pool replaces it when another one is needed.
  public func close() async {
    end()
    await session.close()
  }

  /// Ends the access: further calls throw an error.
  func end() { hasEnded.store(true, ordering: .releasing) }

  private func checkAccess() throws(PostgreSQLError) {
    guard !hasEnded.load(ordering: .acquiring) else {
      throw PostgreSQLError(
        code: .accessEnded, message: "the connection was used after the end of its access")
    }
  }

  /// Runs `body` in this task's turn.
  func perform<Result>(
    isRequired: Bool = false, _ body: (Session) async throws -> Result
  ) async throws -> Result {
    try checkAccess()
    return try await session.perform(isRequired: isRequired) {
      // The access may have ended while this task waited.
      try checkAccess()
      return try await body(session)
    }
  }

  /// The session for methods that wait for several turns.
  func sessionForTransaction() throws(PostgreSQLError) -> Session {
    try checkAccess()
    return session
  }

  public func withConnection<Result: Sendable>(
    _ body: @Sendable (PostgreSQLConnection) async throws -> Result
  ) async throws -> Result {
    try await body(self)
  }

  /// A value of the server's settings that it reports when a connection begins, such as `server_version`.
  ///
  /// - Throws: ``PostgreSQLError`` if the connection is closed.
  public func serverSetting(_ name: String) async throws -> String? {
    try await perform { try $0.openHandle().parameterStatus(name) }
  }

  /// The identifier of the server process of this connection.
  ///
  /// - Throws: ``PostgreSQLError`` if the connection is closed.
  public func serverProcessID() async throws -> Int32 {
    try await perform { try $0.openHandle().processID }
  }

  /// Indicates whether the connection is encrypted.
  ///
  /// - Throws: ``PostgreSQLError`` if the connection is closed.
  public func usesTLS() async throws -> Bool { try await perform { try $0.openHandle().usesTLS } }

  /// Declares that functions have changed the state of the session, such as `set_config` and `pg_advisory_lock`.
  ///
  /// A pool resets the connection with `DISCARD ALL` before its next use. It does so itself after `SET`, `LISTEN`,
  /// `PREPARE`, `CREATE TABLE` and scripts.
  ///
  /// - Throws: ``PostgreSQLError`` if the connection is closed.
  public func setNeedsReset() async throws { try await perform { $0.isStateChanged = true } }
}
