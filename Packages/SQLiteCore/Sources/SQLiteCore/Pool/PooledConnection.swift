/// A connection of a database, and the thread that it works on when it is asked asynchronously.
///
/// `@unchecked Sendable`: the pool lends it to one access at a time, and the lock of the pool's queue
/// stands between one access and the next.
final class PooledConnection: ThreadLease, @unchecked Sendable {
  /// Guarded by the lease: only the access that holds this object uses it.
  let connection: Connection
  /// Immutable; stops what the connection runs, from any thread.
  let interrupter: Interrupter
  /// The connection's, not counted: it is known by weak references, so that counting takes long.
  private let handle: Uncounted<ConnectionHandle>
  /// Guarded by the lease: made when it is first needed.
  private(set) lazy var thread = WorkerThread(name: name)
  private let name: String

  init(_ connection: Connection, group: UInt64, thread: WorkerThread?, name: String) {
    self.connection = connection
    self.name = name
    interrupter = connection.handle.interrupter
    handle = Uncounted(connection.handle)
    super.init(group: group)
    if let thread { self.thread = thread }
    connection.handle.noteSettings()
    connection.handle.endAccess()
  }

  /// Notes that the calling thread now uses the connection, for an access that others may cancel.
  func begin(_ access: UInt64) {
    beginHolding()
    handle.withObject { $0.beginAccess() }
    interrupter.beginAccess(access)
  }

  func end() {
    interrupter.endAccess()
    handle.withObject { $0.endAccess() }
    endHolding()
  }

  /// Runs `body` with the connection on the calling thread, between two accesses.
  func withConnection<Result>(_ body: (Connection) throws -> Result) rethrows -> Result {
    try asOwner { _ in try body(connection) }
  }

  /// Resets what an access left open: see ``ConnectionHandle/resetAfterAccess()``.
  func resetAfterAccess() -> Bool {
    asOwner { $0.resetAfterAccess() }
  }

  @inline(__always)
  private func asOwner<Result>(_ body: (ConnectionHandle) throws -> Result) rethrows -> Result {
    try handle.withObject { handle in
      handle.beginAccess()
      defer { handle.endAccess() }
      return try body(handle)
    }
  }
}

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
