internal import Dispatch

/// What a pool's queue tells that its turn has come.
///
/// `@unchecked Sendable`: one thread uses it at a time, and the pool's lock, or what wakes the next
/// thread, stands between one and the next. What may be called at any time says so.
class Waiter: WorkerThread.Work, @unchecked Sendable {
  enum Turn {
    case connection(PooledConnection)
    /// A connection may be opened, in the place of one that could not be.
    case open
    case closed
  }

  /// Its turn has come, on any thread, once.
  func begin(_ turn: Turn) {}

  /// As ``begin(_:)`` with a connection, from where that was given back.
  ///
  /// - Returns: The access that goes on with it on its thread, if it is one.
  func take(_ pooled: PooledConnection) -> Access? {
    begin(.connection(pooled))
    return nil
  }
}

/// A thread that waits for its turn.
///
/// `@unchecked Sendable`: the semaphore stands between who writes `turn` and who reads it.
final class WaitingThread: Waiter, @unchecked Sendable {
  private let arrival = DispatchSemaphore(value: 0)
  private var turn: Turn?

  override func begin(_ turn: Turn) {
    self.turn = turn
    arrival.signal()
  }

  func wait(for pool: ConnectionPool) throws -> PooledConnection {
    arrival.wait()
    switch turn {
    case .connection(let pooled): return pooled
    case .open: return try pool.opened()
    case .closed, nil: throw pool.closed
    }
  }
}
