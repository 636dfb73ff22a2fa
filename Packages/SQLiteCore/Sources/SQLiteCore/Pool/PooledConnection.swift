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
