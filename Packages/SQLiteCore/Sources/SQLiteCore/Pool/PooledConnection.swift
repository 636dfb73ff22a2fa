/// A connection of a database, and the thread that it works on when it is asked asynchronously.
///
/// `@unchecked Sendable`: the pool lends it to one access at a time, and the lock of the pool's queue
/// stands between one access and the next.
final class PooledConnection: @unchecked Sendable {
  /// Guarded by the lease: only the access that holds this object uses it.
  let connection: Connection
  /// Immutable; stops what the connection runs, from any thread.
  let interrupter: Interrupter
  /// Guarded by the lease: made when it is first needed.
  private(set) lazy var thread = WorkerThread(name: name)
  private let name: String

  init(_ connection: Connection, thread: WorkerThread?, name: String) {
    self.connection = connection
    self.name = name
    interrupter = connection.handle.interrupter
    if let thread { self.thread = thread }
  }
}
