internal import Dispatch
internal import Synchronization

/// Lends connections, to threads that wait and to tasks that don't.
final class ConnectionPool: Sendable {
  private struct State {
    var queue: LeaseQueue<PooledConnection>
    var waiters: [UInt64: Waiter] = [:]
    /// The threads that now hold a connection: to find an access inside another.
    var holders: [UInt] = []
  }

  /// What happens when a waiter's turn comes.
  private typealias Waiter = @Sendable (Turn) -> Void

  enum Turn: Sendable {
    case connection(PooledConnection)
    /// A connection may be opened in the place of one that could not be.
    case open
    case closed
  }

  private let state: Mutex<State>
  private let name: String
  private let open: @Sendable () throws -> Connection

  init(capacity: Int, name: String, open: @escaping @Sendable () throws -> Connection) {
    state = Mutex(State(queue: LeaseQueue(capacity: capacity)))
    self.name = name
    self.open = open
  }

  /// Whether the calling thread holds one of the connections.
  var isHeldByThisThread: Bool {
    let thread = WorkerThread.currentID
    return state.withLock { $0.holders.contains(thread) }
  }

  /// Adds the first connection, opened elsewhere.
  func seed(_ connection: Connection) {
    let pooled = PooledConnection(connection, thread: nil, name: name)
    state.withLock { state in
      if case .open = state.queue.request(by: 0) { _ = state.queue.giveBack(pooled) }
    }
  }

  // MARK: Threads

  /// Lends a connection to the calling thread, which waits for its turn.
  func withConnection<Result>(
    _ access: UInt64, _ body: (PooledConnection) throws -> Result
  ) throws -> Result {
    let pooled = try acquire(access)
    return try holding(pooled, for: access) { try body(pooled) }
  }

  private func acquire(_ access: UInt64) throws -> PooledConnection {
    let arrival = DispatchSemaphore(value: 0)
    let arrived = Mutex<Turn?>(nil)
    let turn = request(access) { turn in
      arrived.withLock { $0 = turn }
      arrival.signal()
    }
    if let turn { return try take(turn) }
    arrival.wait()
    return try take(arrived.withLock { $0 } ?? .closed)
  }

  // MARK: Tasks

  /// Runs `body` on a connection's own thread, when its turn comes, and then `finish`, after the
  /// connection was given back.
  func enqueue(
    _ access: UInt64,
    _ body: @escaping @Sendable (Result<PooledConnection, any Error>) -> @Sendable () -> Void
  ) {
    let start: @Sendable (Turn) -> Void = { [self] turn in
      switch turn {
      case .connection(let pooled):
        pooled.thread.run { [self] in lend(pooled, to: access, body) }
      case .open:
        // Opening may wait for the disk or a lock: that too is the new connection's thread's work.
        let thread = WorkerThread(name: name)
        thread.run { [self] in
          do {
            lend(try take(.open, thread: thread), to: access, body)
          } catch {
            body(.failure(error))()
          }
        }
      case .closed: body(.failure(Self.closed))()
      }
    }
    if let turn = request(access, start) { start(turn) }
  }

  /// On the connection's thread: runs `body`, and what it leaves to do without the connection.
  private func lend(
    _ pooled: PooledConnection, to access: UInt64,
    _ body: (Result<PooledConnection, any Error>) -> @Sendable () -> Void
  ) {
    let finish = holding(pooled, for: access) { body(.success(pooled)) }
    finish()
  }

  /// Runs `body` with the connection, as the access that others may cancel, and gives it back.
  private func holding<Result>(
    _ pooled: PooledConnection, for access: UInt64, _ body: () throws -> Result
  ) rethrows -> Result {
    let thread = WorkerThread.currentID
    state.withLock { $0.holders.append(thread) }
    pooled.interrupter.beginAccess(access)
    defer {
      pooled.interrupter.endAccess()
      state.withLock { state in
        if let index = state.holders.lastIndex(of: thread) { state.holders.remove(at: index) }
      }
      giveBack(pooled)
    }
    return try body()
  }

  private static let closed = SQLiteError(code: .closed, message: "the database is closed")

  /// Takes a waiter out of the queue; one that is no longer in it is interrupted by its caller.
  ///
  /// - Returns: Whether it was still waiting: its work will not be run.
  func cancel(_ access: UInt64) -> Bool {
    state.withLock { state in
      guard state.queue.cancel(access) else { return false }
      state.waiters[access] = nil
      return true
    }
  }

  // MARK: Lending

  /// The caller's turn, if it is at once; otherwise `waiter` is called when it comes.
  private func request(_ access: UInt64, _ waiter: @escaping Waiter) -> Turn? {
    state.withLock { state in
      switch state.queue.request(by: access) {
      case .granted(let pooled): return .connection(pooled)
      case .open: return .open
      case .closed: return .closed
      case .wait:
        state.waiters[access] = waiter
        return nil
      }
    }
  }

  private func take(_ turn: Turn, thread: WorkerThread? = nil) throws -> PooledConnection {
    switch turn {
    case .connection(let pooled): return pooled
    case .closed: throw Self.closed
    case .open:
      do {
        return PooledConnection(try open(), thread: thread, name: name)
      } catch {
        let next = state.withLock { state in
          state.queue.openingFailed().flatMap { state.waiters.removeValue(forKey: $0) }
        }
        next?(.open)
        throw error
      }
    }
  }

  private func giveBack(_ pooled: PooledConnection) {
    let next = state.withLock { state -> (Waiter, PooledConnection)? in
      guard let grant = state.queue.giveBack(pooled),
        let waiter = state.waiters.removeValue(forKey: grant.waiter)
      else { return nil }
      return (waiter, grant.connection)
    }
    if let (waiter, pooled) = next { waiter(.connection(pooled)) }
  }

  /// Turns away who waits, and closes what is idle; what is in use is closed when it comes back.
  func close() {
    let (idle, waiters) = state.withLock { state -> ([PooledConnection], [Waiter]) in
      let (idle, ids) = state.queue.close()
      return (idle, ids.compactMap { state.waiters.removeValue(forKey: $0) })
    }
    for waiter in waiters { waiter(.closed) }
    // A connection closes when the last reference to it goes; its statements are in its cache.
    for pooled in idle { try? pooled.connection.close() }
  }
}
