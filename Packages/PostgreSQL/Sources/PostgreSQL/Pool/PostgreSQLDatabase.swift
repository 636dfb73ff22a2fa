/// A pool of connections to a database.
///
/// ```swift
/// let database = PostgreSQLDatabase(configuration)
/// let names = try await database.values(String.self, "SELECT name FROM player WHERE team = $1", 3)
/// try await database.transaction { connection in
///   try await connection.run("UPDATE player SET score = 0")
/// }
/// ```
///
/// Connections are opened when they are first needed. A task that needs one waits in the order of arrival if all are in
/// use. A connection is closed instead of used again if it has failed, or if it is older than
/// ``PostgreSQLConfiguration/maximumConnectionAge``. A transaction that a task leaves open is rolled back, and settings
/// of the session are reset.
public final class PostgreSQLDatabase: PostgreSQLAccess {
  let pool: ConnectionPool
  let replicas: Replicas

  /// Creates a pool. It opens no connection yet.
  public init(_ configuration: PostgreSQLConfiguration) {
    pool = ConnectionPool(configuration)
    replicas = Replicas(pool)
  }

  /// The configuration of the pool's connections.
  public var configuration: PostgreSQLConfiguration { pool.configuration }

  /// Lends a connection to `body`.
  ///
  /// - Throws: The error of `body`; ``PostgreSQLError`` with code ``PostgreSQLError/Code/timedOut`` if no connection
  ///   becomes available in time, or ``PostgreSQLError/Code/connectionFailed``; `CancellationError`.
  public func withConnection<Result: Sendable>(
    _ body: @Sendable (PostgreSQLConnection) async throws -> Result
  ) async throws -> Result {
    try await pool.lend(pool.acquire(), to: body)
  }

  /// Runs `body` in a transaction of a connection: see ``PostgreSQLConnection/transaction(_:_:)``.
  ///
  /// - Throws: The errors of ``withConnection(_:)`` and ``PostgreSQLConnection/transaction(_:_:)``.
  @concurrent @discardableResult
  public func transaction<Result: Sendable>(
    _ options: PostgreSQLTransactionOptions = PostgreSQLTransactionOptions(),
    _ body: @Sendable (PostgreSQLConnection) async throws -> Result
  ) async throws -> Result {
    try await withConnection { try await $0.transaction(options, body) }
  }

  /// Opens connections until there are ``PostgreSQLConfiguration/minimumConnectionCount``, and closes connections that were not
  /// used for ``PostgreSQLConfiguration/maximumIdleTime``. A pool in use does this itself.
  public func maintain() async { await pool.maintain() }

  /// Closes the connections that are not in use, and the others after their use. Tasks that wait for a connection, and
  /// later calls, throw an error with code ``PostgreSQLError/Code/closed``.
  public func close() {
    pool.close()
    replicas.close()
  }

  /// The numbers of connections and of waiting tasks.
  public var statistics: Statistics { pool.statistics }

  public struct Statistics: Hashable, Sendable {
    /// The number of connections that are open or being opened.
    public let connectionCount: Int
    /// The number of connections that are not in use.
    public let idleCount: Int
    /// The number of tasks that wait for a connection.
    public let waitingCount: Int

    public init(connectionCount: Int, idleCount: Int, waitingCount: Int) {
      self.connectionCount = connectionCount
      self.idleCount = idleCount
      self.waitingCount = waitingCount
    }
  }
}
