/// A database connection with the thread that runs its asynchronous accesses.
///
/// `@unchecked Sendable`: the pool lends the object to one access at a time; the lock of the pool's queue orders
/// successive accesses.
final class PooledConnection: ThreadAccessScope, @unchecked Sendable {
  /// Used only by the access that has this object.
  let connection: Connection
  /// Interrupts the connection's statements from any thread. Immutable.
  let interrupter: Interrupter
  /// The connection's handle, unretained: weak references to it exist, which make reference counting slow.
  private let handle: UnretainedReference<ConnectionHandle>
  /// Created on first use, by the access that has this object.
  private(set) lazy var thread = WorkerThread(name: name)
  private let name: String

  init(_ connection: Connection, group: UInt64, thread: WorkerThread?, name: String) {
    self.connection = connection
    self.name = name
    interrupter = connection.handle.interrupter
    handle = UnretainedReference(connection.handle)
    super.init(group: group)
    if let thread { self.thread = thread }
    connection.handle.recordSettingsBaseline()
    connection.handle.endAccess()
  }

  /// Records that the calling thread uses the connection, for an access that others can cancel.
  func begin(_ access: UInt64) {
    pushOnThread()
    handle.withObject { $0.beginAccess() }
    interrupter.beginAccess(access)
  }

  func end() {
    interrupter.endAccess()
    handle.withObject { handle in
      handle.hooks.queryObserver?.accessDidEnd()
      handle.endAccess()
    }
    popFromThread()
  }

  /// Runs `body` with the connection on the calling thread, between accesses.
  func withConnection<Result>(_ body: (Connection) throws -> Result) rethrows -> Result {
    try withAccess { _ in try body(connection) }
  }

  /// Resets the state that an access left behind: see ``ConnectionHandle/resetAfterAccess()``.
  func resetAfterAccess() -> Bool {
    withAccess { $0.resetAfterAccess() }
  }

  @inline(__always)
  private func withAccess<Result>(_ body: (ConnectionHandle) throws -> Result) rethrows -> Result {
    try handle.withObject { handle in
      handle.beginAccess()
      defer { handle.endAccess() }
      return try body(handle)
    }
  }
}

/// A connection that stays in a read transaction across accesses.
///
/// Its accesses run one after the other. The connection is released with the last reference or at ``close()``, but not
/// before a running access ends.
final class RetainedReader: Sendable {
  let pool: ConnectionPool

  /// Acquires a connection and begins a read transaction, which sees the last commit.
  ///
  /// A task that already holds such a connection does not wait for a second one, since it could wait for itself.
  static func acquire(from database: Database) async throws -> RetainedReader {
    try database.checkNotReentrant()
    let access = ResultAccess<Void>(
      in: database.retainedReaders, retainsConnection: true,
      beyondCapacity: database.reentrancyGuard.containsCurrentTask
    ) { try $0.beginReadingSnapshot() }
    try await access.result()
    guard let pooled = access.retainedConnection else { throw ConnectionPool.closed() }
    return RetainedReader(pooled, from: database)
  }

  private init(_ pooled: PooledConnection, from database: Database) {
    let (source, reentrancyGuard) = (database.retainedReaders, database.reentrancyGuard)
    let holder = reentrancyGuard.addCurrentTask()
    pool = ConnectionPool(
      lending: pooled, name: "Holt retained", closed: ConnectionPool.closed("the snapshot")
    ) { pooled in
      reentrancyGuard.remove(holder)
      pooled.withConnection { $0.endReading() }
      source.release(pooled)?.start()
    }
  }

  deinit { close() }

  func close() { pool.close() }

  /// Runs `body` on the connection after earlier accesses.
  func perform<Result>(
    _ body: @escaping @Sendable (Connection) throws -> sending Result
  ) async throws -> sending Result {
    try await ResultAccess(in: pool, body).result()
  }
}

extension Connection {
  /// Begins a read transaction whose state is fixed immediately. With ``beginReading()``, SQLite fixes it at the first
  /// read.
  func beginReadingSnapshot() throws(SQLiteError) {
    try beginReading()
    do throws(SQLiteError) {
      _ = try value(Int.self, "PRAGMA main.schema_version")
    } catch {
      endReading()
      throw error
    }
  }
}
