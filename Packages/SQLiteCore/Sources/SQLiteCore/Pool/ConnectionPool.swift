internal import Primitives

/// Lends connections, to threads that wait and to tasks that don't.
final class ConnectionPool: Sendable {
  private struct State {
    var queue: LeaseQueue<PooledConnection, Waiter>
    /// Every connection that is open, for those who stop them all.
    var members: [Interrupter] = []
    /// Whether no connection may take a lock.
    var isSuspended = false
    /// How many accesses of tasks in a row found that nobody else had a connection.
    var solitude = 0

    /// Whether the access that has just asked is alone, as the last few were.
    mutating func isAlone() -> Bool {
      solitude = queue.population - queue.idle.count == 1 ? min(solitude + 1, 4) : 0
      return solitude == 4
    }
  }

  private let state: Mutex<State>
  /// For the results of accesses that are alone.
  let lookout = Lookout(.task)
  private let name: String
  /// What the connections belong to, with those of other pools: an access inside another is known by it.
  let group: UInt64
  private let open: @Sendable () throws -> Connection
  /// What accesses fail with once the pool is closed.
  let closed: SQLiteError
  /// What becomes of a connection that comes back and is not wanted here.
  private let dispose: @Sendable (PooledConnection) -> Void
  /// The treatment of connections that accesses give back.
  private let policy: ReturnPolicy

  /// The treatment of a connection that an access gives back.
  enum ReturnPolicy {
    /// The connection is lent on as it is: it is in the middle of a transaction.
    case keep
    /// Statements that stand at a row are reset.
    case reset
    /// Statements are reset. A connection with changed settings is closed, and another one opened later.
    case resetOrReplace
  }

  init(
    capacity: Int, group: UInt64, name: String, policy: ReturnPolicy = .resetOrReplace,
    open: @escaping @Sendable () throws -> Connection
  ) {
    self.policy = policy
    state = Mutex(State(queue: LeaseQueue(capacity: capacity)))
    self.group = group
    self.name = name
    self.open = open
    closed = Self.closed()
    // A connection closes when the last reference to it goes, if not now.
    dispose = { pooled in try? pooled.withConnection { try $0.closeHandle() } }
  }

  /// Lends one connection that another pool has lent, until ``close()``.
  init(
    lending pooled: PooledConnection, name: String, closed: SQLiteError,
    giveBack: @escaping @Sendable (PooledConnection) -> Void
  ) {
    var queue = LeaseQueue<PooledConnection, Waiter>(capacity: 1)
    _ = queue.request(.high) { Waiter() }
    _ = queue.giveBack(pooled)
    state = Mutex(State(queue: queue, members: [pooled.interrupter]))
    group = pooled.group
    self.name = name
    self.closed = closed
    open = { throw Self.closed() }
    dispose = giveBack
    policy = .keep
  }

  static func closed(_ subject: String = "the database") -> SQLiteError {
    SQLiteError(code: .closed, message: "\(subject) is closed")
  }

  /// Adds the first connection, opened elsewhere.
  func seed(_ connection: Connection) {
    let pooled = PooledConnection(connection, group: group, thread: nil, name: name)
    state.withLock { state in
      if case .open = state.queue.request(.high, waiter: { Waiter() }) {
        _ = state.queue.giveBack(pooled)
        state.members.append(pooled.interrupter)
      }
    }
  }

  // MARK: Threads

  /// Lends a connection to the calling thread, which waits for its turn.
  func withConnection<Result>(
    _ access: UInt64, _ body: (Connection) throws -> Result
  ) throws -> Result {
    let pooled = try acquire()
    pooled.begin(access)
    defer {
      pooled.end()
      giveBack(pooled)?.start()
    }
    return try body(pooled.connection)
  }

  /// Takes a connection for the calling thread, which waits for its turn.
  func acquire(beyondCapacity: Bool = false) throws -> PooledConnection {
    var waiter: WaitingThread?
    let answer = state.withLock { state in
      state.queue.request(.current, beyondCapacity: beyondCapacity) {
        let made = WaitingThread()
        waiter = made
        return made
      }
    }
    switch answer {
    case .granted(let pooled): return pooled
    case .open: return try opened()
    case .wait: return try waiter?.wait(for: self) ?? opened()
    case .closed: throw closed
    }
  }

  // MARK: Tasks

  /// Has `access` begin when its turn comes, on the connection's own thread.
  ///
  /// - Returns: Whether it has a connection, and nobody else has one or had one lately.
  func enqueue(_ access: Access) -> Bool {
    let (answer, isAlone) = state.withLock { state in
      let answer = state.queue.request(
        access.priority, beyondCapacity: access.isBeyondCapacity
      ) { access }
      if case .wait(let arrival) = answer { access.arrival = arrival }
      return (answer, state.isAlone())
    }
    switch answer {
    case .granted(let pooled):
      access.begin(.connection(pooled))
      return isAlone
    case .open: access.begin(.open)
    case .wait: break
    case .closed: access.begin(.closed)
    }
    return false
  }

  /// Takes a waiter out of the queue; one that is no longer in it is interrupted by its caller.
  ///
  /// - Returns: Whether it was still waiting: it will not begin.
  func cancel(_ access: Access) -> Bool {
    state.withLock { state in
      guard let arrival = access.arrival else { return false }
      return state.queue.cancel(arrival) != nil
    }
  }

  /// Has one that waits wait as long as others of this priority.
  func raise(_ access: Access, to priority: AccessPriority) {
    state.withLock { state in
      guard let arrival = access.arrival else { return }
      state.queue.raise(arrival, to: priority)
    }
  }

  // MARK: Lending

  /// Opens a connection in the place that was granted for it.
  func opened(_ thread: WorkerThread? = nil) throws -> PooledConnection {
    do {
      guard !isSuspended else { throw SQLiteError.suspended("the database") }
      let pooled = PooledConnection(try open(), group: group, thread: thread, name: name)
      state.withLock { state in
        state.members.removeAll { !$0.isOpen }
        state.members.append(pooled.interrupter)
        if state.isSuspended { pooled.interrupter.suspend() }
      }
      return pooled
    } catch {
      state.withLock { $0.queue.leaveVacant() }?.begin(.open)
      throw error
    }
  }

  func makeThread() -> WorkerThread { WorkerThread(name: name) }

  /// Gives a connection back.
  ///
  /// - Returns: The access that goes on with it on its thread, which the caller starts.
  func giveBack(_ pooled: PooledConnection) -> Access? {
    if policy != .keep {
      let isReset = pooled.resetAfterAccess()
      if !isReset, policy == .resetOrReplace {
        dispose(pooled)
        state.withLock { $0.queue.leaveVacant() }?.begin(.open)
        return nil
      }
    }
    switch state.withLock({ $0.queue.giveBack(pooled) }) {
    case .granted(let waiter): return waiter.take(pooled)
    case .idle: return nil
    case .surplus:
      dispose(pooled)
      return nil
    }
  }

  // MARK: All of them

  /// Turns away who waits, and closes what is idle; what is in use is closed when it comes back.
  func close() {
    let (idle, waiters) = state.withLock { $0.queue.close() }
    for waiter in waiters { waiter.begin(.closed) }
    for pooled in idle { dispose(pooled) }
  }

  /// Whether it may lend connections, or one that it has lent is still open.
  var isInUse: Bool {
    state.withLock { !$0.queue.isClosed || $0.members.contains(where: \.isOpen) }
  }

  /// Closes what is idle; others are opened in its place when they are needed.
  func releaseIdle() {
    for pooled in state.withLock({ $0.queue.releaseIdle() }) { dispose(pooled) }
  }

  /// Stops the statements that run on any of the connections.
  func interrupt() {
    for member in state.withLock({ $0.members }) { member.interrupt() }
  }

  var isSuspended: Bool { state.withLock(\.isSuspended) }

  /// Stops what runs on any of the connections, and lets nothing start that might take a lock.
  func suspend() {
    state.withLock { state in
      state.isSuspended = true
      for member in state.members { member.suspend() }
    }
  }

  func resume() {
    state.withLock { state in
      state.isSuspended = false
      for member in state.members { member.resume() }
    }
  }

  var statistics: Database.Statistics.Connections {
    state.withLock { state in
      let idle = state.queue.idle.count
      return .init(
        inUse: state.queue.population - idle, idle: idle, waiting: state.queue.waitingCount)
    }
  }
}
