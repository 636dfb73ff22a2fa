internal import Dispatch
internal import Primitives

/// Lends connections to threads, which block, and to tasks, which do not.
final class ConnectionPool: Sendable {
  private struct State {
    var queue: PoolStateMachine<PooledConnection, Waiter>
    /// All open connections, for operations on every connection.
    var connections: [OpenConnection] = []
    /// Creates the query observer of each connection, if queries are observed.
    var makeQueryObserver: (@Sendable () -> any Hooks.QueryObserver)?
    /// Indicates whether connections must not acquire locks.
    var isSuspended = false
    /// The number of consecutive task accesses that found no other connection in use, up to 4.
    var consecutiveSoleAccesses = 0
    /// The number of connections that were released while the pool is paused and are being closed.
    var closingCount = 0
    /// Signaled when a connection is closed, while ``ConnectionPool/pause()`` waits.
    var removalSignal: DispatchSemaphore?

    /// Records the latest access, and returns whether it and the last few were the only ones.
    mutating func isAlone() -> Bool {
      consecutiveSoleAccesses =
        queue.connectionCount - queue.idle.count == 1 ? min(consecutiveSoleAccesses + 1, 4) : 0
      return consecutiveSoleAccesses == 4
    }
  }

  /// An open connection, which may be in use.
  ///
  /// `@unchecked Sendable`: `handle` is used only to defer work to the thread that uses the connection, which any
  /// thread may do.
  private struct OpenConnection: @unchecked Sendable {
    let interrupter: Interrupter
    private weak var handle: ConnectionHandle?

    init(_ pooled: PooledConnection) {
      interrupter = pooled.interrupter
      handle = pooled.connection.handle
    }

    func observeQueries(_ makeObserver: (@Sendable () -> any Hooks.QueryObserver)?) {
      handle?.whenAccessible { $0.setQueryObserver(makeObserver?()) }
    }
  }

  private let state: Mutex<State>
  /// The spin wait for results of accesses that have no competitors.
  let spinWait = SpinWait(.task)
  private let name: String
  /// The identifier of the database, shared by its pools. A nested access is detected by it.
  let group: UInt64
  private let open: @Sendable () throws -> Connection
  /// The error of accesses after the pool is closed.
  let closed: SQLiteError
  /// Disposes of a released connection that the pool does not keep.
  private let onRemoval: @Sendable (PooledConnection) -> Void
  /// The treatment of released connections.
  private let policy: ReturnPolicy

  /// The treatment of a released connection.
  enum ReturnPolicy {
    /// The connection is lent again unchanged, since it is inside a transaction.
    case keep
    /// Open statements are reset.
    case reset
    /// Open statements are reset. A connection with changed settings is closed and later replaced by a new one.
    case resetOrReplace
  }

  init(
    capacity: Int, group: UInt64, name: String, policy: ReturnPolicy = .resetOrReplace,
    open: @escaping @Sendable () throws -> Connection
  ) {
    self.policy = policy
    state = Mutex(State(queue: PoolStateMachine(capacity: capacity)))
    self.group = group
    self.name = name
    self.open = open
    closed = Self.closed()
    // If closing fails now, the connection closes with its last reference.
    onRemoval = { pooled in try? pooled.withConnection { try $0.closeHandle() } }
  }

  /// Creates a pool that lends one connection, borrowed from another pool, until ``close()``.
  init(
    lending pooled: PooledConnection, name: String, closed: SQLiteError,
    release: @escaping @Sendable (PooledConnection) -> Void
  ) {
    var queue = PoolStateMachine<PooledConnection, Waiter>(capacity: 1)
    _ = queue.request(.high) { Waiter() }
    _ = queue.release(pooled)
    state = Mutex(State(queue: queue, connections: [OpenConnection(pooled)]))
    group = pooled.group
    self.name = name
    self.closed = closed
    open = { throw Self.closed() }
    onRemoval = release
    policy = .keep
  }

  static func closed(_ subject: String = "the database") -> SQLiteError {
    SQLiteError(code: .closed, message: "\(subject) is closed")
  }

  /// Adds the first connection, which the caller has opened.
  func addFirst(_ connection: Connection) {
    let pooled = PooledConnection(connection, group: group, thread: nil, name: name)
    state.withLock { state in
      if case .open = state.queue.request(.high, waiter: { Waiter() }) {
        _ = state.queue.release(pooled)
        state.connections.append(OpenConnection(pooled))
      }
    }
  }

  // MARK: Threads

  /// Runs `body` with a connection on the calling thread, which blocks until the pool grants a connection.
  func withConnection<Result>(
    _ access: UInt64, _ body: (Connection) throws -> Result
  ) throws -> Result {
    let pooled = try acquire()
    pooled.begin(access)
    defer {
      pooled.end()
      release(pooled)?.start()
    }
    return try body(pooled.connection)
  }

  /// Acquires a connection for the calling thread, which blocks until the pool grants a connection.
  func acquire(beyondCapacity: Bool = false) throws -> PooledConnection {
    var waiter: WaitingThread?
    let result = state.withLock { state in
      state.queue.request(.current, beyondCapacity: beyondCapacity) {
        let thread = WaitingThread()
        waiter = thread
        return thread
      }
    }
    switch result {
    case .granted(let pooled): return pooled
    case .open: return try opened()
    case .wait: return try waiter?.wait(for: self) ?? opened()
    case .closed: throw closed
    }
  }

  // MARK: Tasks

  /// Starts `access` on a connection's thread when one is available.
  ///
  /// - Returns: `true` if the access has a connection, and no other access has or recently had one.
  func enqueue(_ access: Access) -> Bool {
    let (result, isAlone) = state.withLock { state in
      let result = state.queue.request(
        access.priority, beyondCapacity: access.isBeyondCapacity
      ) { access }
      if case .wait(let arrival) = result { access.arrival = arrival }
      return (result, state.isAlone())
    }
    switch result {
    case .granted(let pooled):
      access.begin(.connection(pooled))
      return isAlone
    case .open: access.begin(.open)
    case .wait: break
    case .closed: access.begin(.closed)
    }
    return false
  }

  /// Removes a waiting access from the queue. The caller interrupts an access that is no longer waiting.
  ///
  /// - Returns: `true` if the access was still waiting, and will not begin.
  func cancel(_ access: Access) -> Bool {
    state.withLock { state in
      guard let arrival = access.arrival else { return false }
      return state.queue.cancel(arrival) != nil
    }
  }

  /// Raises the priority of a waiting access.
  func raise(_ access: Access, to priority: AccessPriority) {
    state.withLock { state in
      guard let arrival = access.arrival else { return }
      state.queue.raise(arrival, to: priority)
    }
  }

  // MARK: Lending

  /// Opens a connection for a slot that was granted.
  func opened(_ thread: WorkerThread? = nil) throws -> PooledConnection {
    do {
      guard !isSuspended else { throw SQLiteError.suspended("the database") }
      let pooled = PooledConnection(try open(), group: group, thread: thread, name: name)
      state.withLock { state in
        state.connections.removeAll { !$0.interrupter.isOpen }
        let connection = OpenConnection(pooled)
        state.connections.append(connection)
        if state.isSuspended { pooled.interrupter.suspend() }
        if let makeObserver = state.makeQueryObserver { connection.observeQueries(makeObserver) }
      }
      return pooled
    } catch {
      releaseSlot()
      throw error
    }
  }

  func makeThread() -> WorkerThread { WorkerThread(name: name) }

  /// Releases a connection.
  ///
  /// - Returns: The access that uses the connection next, on its thread. The caller starts it.
  func release(_ pooled: PooledConnection) -> Access? {
    if policy != .keep {
      let isReset = pooled.resetAfterAccess()
      if !isReset, policy == .resetOrReplace {
        onRemoval(pooled)
        releaseSlot()
        return nil
      }
    }
    let result = state.withLock { state in
      let result = state.queue.release(pooled)
      if case .surplus = result { state.closingCount += 1 }
      return result
    }
    switch result {
    case .granted(let waiter): return waiter.grant(pooled)
    case .idle: return nil
    case .surplus:
      onRemoval(pooled)
      let removalSignal = state.withLock { state in
        state.closingCount -= 1
        return state.removalSignal
      }
      removalSignal?.signal()
      return nil
    }
  }

  /// Releases the slot of a connection that no longer exists.
  private func releaseSlot() {
    let (waiter, removalSignal) = state.withLock { ($0.queue.releaseSlot(), $0.removalSignal) }
    waiter?.begin(.open)
    removalSignal?.signal()
  }

  // MARK: All connections

  /// Fails the waiting accesses and closes the idle connections. Connections in use are closed when they are released.
  func close() {
    let (idle, waiters) = state.withLock { $0.queue.close() }
    for waiter in waiters { waiter.begin(.closed) }
    for pooled in idle { onRemoval(pooled) }
  }

  /// Indicates whether the pool is open, or one of its connections is.
  var isInUse: Bool {
    state.withLock { !$0.queue.isClosed || $0.connections.contains(where: \.interrupter.isOpen) }
  }

  /// Closes the idle connections. New ones are opened when they are needed.
  func releaseIdle() {
    for pooled in state.withLock({ $0.queue.releaseIdle() }) { onRemoval(pooled) }
  }

  /// Closes every connection, those in use when they are released, and lets new accesses wait until ``unpause()``.
  ///
  /// Blocks the calling thread until all connections are closed. Only one caller at a time may pause the pool.
  func pause() {
    let removalSignal = DispatchSemaphore(value: 0)
    let idle = state.withLock { state in
      state.removalSignal = removalSignal
      return state.queue.pause()
    }
    for pooled in idle { onRemoval(pooled) }
    while state.withLock({ $0.queue.connectionCount > 0 || $0.closingCount > 0 }) {
      removalSignal.wait()
    }
  }

  /// Pauses the pool as ``pause()`` does, unless a connection is in use.
  ///
  /// - Returns: Whether the pool is paused.
  func pauseIfUnused() -> Bool {
    let idle: [PooledConnection]? = state.withLock { state in
      guard state.queue.connectionCount == state.queue.idle.count, state.closingCount == 0 else {
        return nil
      }
      return state.queue.pause()
    }
    for pooled in idle ?? [] { onRemoval(pooled) }
    return idle != nil
  }

  /// Ends the pause. The waiting accesses open connections.
  func unpause() {
    let waiters = state.withLock { state in
      state.removalSignal = nil
      return state.queue.resume()
    }
    for waiter in waiters { waiter.begin(.open) }
  }

  /// Interrupts the running statements of all connections.
  func interrupt() {
    for connection in state.withLock({ $0.connections }) { connection.interrupter.interrupt() }
  }

  var isSuspended: Bool { state.withLock(\.isSuspended) }

  /// Interrupts the running statements of all connections, and prevents new ones that could acquire a lock.
  func suspend() {
    state.withLock { state in
      state.isSuspended = true
      for connection in state.connections { connection.interrupter.suspend() }
    }
  }

  func resume() {
    state.withLock { state in
      state.isSuspended = false
      for connection in state.connections { connection.interrupter.resume() }
    }
  }

  /// Sets the function that creates the query observer of each connection, or removes all observers.
  func observeQueries(_ makeObserver: (@Sendable () -> any Hooks.QueryObserver)?) {
    let connections = state.withLock { state in
      state.makeQueryObserver = makeObserver
      return state.connections
    }
    for connection in connections { connection.observeQueries(makeObserver) }
  }

  var statistics: Database.Statistics.Connections {
    state.withLock { state in
      let idle = state.queue.idle.count
      return .init(
        inUse: state.queue.connectionCount - idle, idle: idle, waiting: state.queue.waitingCount)
    }
  }
}
