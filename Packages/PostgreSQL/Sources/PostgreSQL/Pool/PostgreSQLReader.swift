/// The state of the data that reads see, if standbys can answer them.
public enum PostgreSQLReadConsistency: Hashable, Sendable {
  /// The reads run on the primary, and see every transaction that was committed before.
  case primary
  /// The reads run on a standby, if one is available.
  ///
  /// Without a maximum lag, they see an earlier state, usually by milliseconds, without a bound. With one, they see every
  /// transaction that was committed longer ago than the lag, or run on the primary.
  case eventual(maximumLag: Duration? = nil)
  /// The reads see every transaction that the same ``PostgreSQLDatabase`` has committed before.
  ///
  /// They run on a standby that has replayed these transactions. If no standby has done so within the time, they run
  /// on the primary.
  case afterOwnWrites(timeout: Duration = .milliseconds(100))
}

/// Reads of a database, which run on standbys if the chosen consistency allows it.
///
/// ```swift
/// let reader = database.reader(.afterOwnWrites())
/// let names = try await reader.values(String.self, "SELECT name FROM player")
/// ```
///
/// Writes throw an error with code ``PostgreSQLError/Code/readOnlyTransaction``, on the primary, too. A standby also refuses
/// temporary tables, sequences, `FOR UPDATE`, `LISTEN`, and serializable transactions. It can cancel a statement that conflicts
/// with a change of the primary, with code ``PostgreSQLError/Code/serializationFailure``.
public struct PostgreSQLReader: PostgreSQLAccess {
  let replicas: Replicas
  /// The state of the data that the reads see.
  public let consistency: PostgreSQLReadConsistency

  /// Lends a connection to a standby or to the primary to `body`.
  ///
  /// - Throws: The errors of ``PostgreSQLDatabase/withConnection(_:)``. If a standby must have replayed transactions, the
  ///   primary is asked for its position, and an error is thrown if it is not available.
  public func withConnection<Result: Sendable>(
    _ body: @Sendable (PostgreSQLConnection) async throws -> Result
  ) async throws -> Result {
    let (pool, session) = try await replicas.acquire(consistency)
    return try await pool.lend(session, to: body)
  }
}

extension PostgreSQLDatabase {
  /// Returns access to the same database for reads, which run on standbys if the consistency allows it.
  ///
  /// The hosts of the configuration are the primary and its standbys, in any order; ``PostgreSQLConfiguration/targetSession``
  /// should be ``PostgreSQLConfiguration/TargetSession/primary``. Standbys are selected randomly for each connection.
  /// Connections for reads are separate from the others: there are at most
  /// ``PostgreSQLConfiguration/maximumConnectionCount`` to standbys, and as many to the primary.
  public func reader(_ consistency: PostgreSQLReadConsistency) -> PostgreSQLReader {
    PostgreSQLReader(replicas: replicas, consistency: consistency)
  }
}
