/// A connection in an open read transaction, kept from one access to the next.
///
/// Accesses to it take turns. It goes back when the last reference goes, or at ``close()``, or, while
/// an access runs, at that one's end.
final class KeptReader: Sendable {
  let pool: ConnectionPool

  /// Takes a connection, whose transaction sees the last commit.
  ///
  /// A task that keeps one already is not made to wait for a second: it might wait for itself.
  static func take(from database: Database) async throws -> KeptReader {
    try database.refuseWaitingForOwnTask()
    let access = ResultAccess<Void>(
      in: database.keepers, keepsConnection: true,
      beyondCapacity: database.holders.includeCurrent
    ) { try $0.beginReadingNow() }
    try await access.result()
    guard let pooled = access.kept else { throw ConnectionPool.closed() }
    return KeptReader(pooled, from: database)
  }

  private init(_ pooled: PooledConnection, from database: Database) {
    let (source, holders) = (database.keepers, database.holders)
    let holder = holders.addCurrent()
    pool = ConnectionPool(
      lending: pooled, name: "Holt keeper", closed: ConnectionPool.closed("the snapshot")
    ) { pooled in
      holders.remove(holder)
      pooled.withConnection { $0.endReading() }
      source.giveBack(pooled)?.start()
    }
  }

  deinit { close() }

  func close() { pool.close() }

  /// Runs `body` on the connection, in its turn.
  func perform<Result>(
    _ body: @escaping @Sendable (Connection) throws -> sending Result
  ) async throws -> sending Result {
    try await ResultAccess(in: pool, body).result()
  }
}

extension Connection {
  /// As ``beginReading()``, and fixes at once what the transaction sees: SQLite by itself does that at
  /// its first read.
  func beginReadingNow() throws(SQLiteError) {
    try beginReading()
    do throws(SQLiteError) {
      _ = try value(Int.self, "PRAGMA main.schema_version")
    } catch {
      endReading()
      throw error
    }
  }
}
