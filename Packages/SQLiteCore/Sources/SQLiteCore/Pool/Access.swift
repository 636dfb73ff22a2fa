internal import Primitives

/// One asynchronous access: it waits, runs on a connection's thread, and ends exactly once.
///
/// `@unchecked Sendable`: `arrival` is guarded by the pool's lock. The rest is used by one thread at a
/// time, which the handing over of the connection puts in order, but for `interrupter`: it is written
/// before `phase` says that the access runs, and read after.
class Access: Waiter, @unchecked Sendable {
  private enum Phase {
    static let new: UInt8 = 0
    static let waiting: UInt8 = 1
    static let running: UInt8 = 2
    /// Added to each of them, at any time.
    static let cancelled: UInt8 = 4
  }

  let pool: ConnectionPool
  let id: UInt64
  let priority: AccessPriority
  /// Whether a connection may be opened for it though there are as many as there should be.
  let isBeyondCapacity: Bool
  /// Where it waits.
  var arrival: Arrival?
  private let phase = Atomic<UInt8>(Phase.new)
  private let isOver = Atomic<Bool>(false)
  private var interrupter: Interrupter?
  private var turn: Turn?
  /// The thread of the connection that it opens.
  private var thread: WorkerThread?

  init(
    in pool: ConnectionPool, priority: AccessPriority = .current, beyondCapacity: Bool = false
  ) {
    self.pool = pool
    self.priority = priority
    isBeyondCapacity = beyondCapacity
    id = Database.nextAccess()
  }

  // MARK: What an access does

  /// Runs on the connection's thread, and ends.
  ///
  /// - Returns: The access that goes on with the connection.
  func perform(on pooled: PooledConnection) -> Access? { pool.giveBack(pooled) }

  /// Ends without having run.
  func fail(_ error: any Error) {}

  // MARK: Waiting

  /// Begins to wait; to be called once. A task that was cancelled before does not.
  ///
  /// - Returns: Whether its end may be looked out for: it need not wait, and it is alone.
  @discardableResult
  final func enter() -> Bool {
    let old = phase.bitwiseOr(Phase.waiting, ordering: .acquiringAndReleasing).oldValue
    guard old & Phase.cancelled == 0 else {
      fail(CancellationError())
      return false
    }
    let isAlone = pool.enqueue(self)
    // It may have been cancelled before it was in the queue, where nobody looked for it.
    if isCancelled { leave() }
    return isAlone
  }

  /// Looks out for the end, which may come at once: a task that has its result before it is suspended
  /// goes on without another thread.
  final func lookOut() { pool.lookout.wait { isOver.load(ordering: .acquiring) } }

  /// Notes that the task has its result.
  final func finish() { isOver.store(true, ordering: .releasing) }

  #if THREAD_SANITIZER
    final func waitUntilOver() { while !isOver.load(ordering: .acquiring) {} }
  #endif

  final var isCancelled: Bool {
    phase.load(ordering: .acquiring) & Phase.cancelled != 0
  }

  /// Stops the access, wherever it is. May be called at any time.
  func cancel() {
    let old = phase.bitwiseOr(Phase.cancelled, ordering: .acquiringAndReleasing).oldValue
    switch old & ~Phase.cancelled {
    case Phase.waiting: leave()
    case Phase.running: interrupter?.cancel(id)
    default: return
    }
  }

  private func leave() {
    if pool.cancel(self) { fail(CancellationError()) }
  }

  // MARK: Running

  override final func begin(_ turn: Turn) {
    switch turn {
    case .connection(let pooled):
      self.turn = turn
      pooled.thread.post(self)
    case .open:
      // Opening may wait for the disk or a lock: that too is the new connection's thread's work.
      self.turn = turn
      let thread = pool.makeThread()
      self.thread = thread
      thread.post(self)
    case .closed: fail(pool.closed)
    }
  }

  override final func take(_ pooled: PooledConnection) -> Access? {
    turn = .connection(pooled)
    return self
  }

  /// Goes on where another thread gave its connection back.
  final func start() {
    if case .connection(let pooled) = turn { pooled.thread.post(self) }
  }

  override final func run() -> WorkerThread.Work? {
    ThreadPriority.adopt(priority.taskPriority)
    defer { (turn, thread) = (nil, nil) }
    switch turn {
    case .connection(let pooled): return perform(on: pooled)
    case .open:
      do {
        return perform(on: try pool.opened(thread))
      } catch {
        fail(error)
        return nil
      }
    case .closed, nil: return nil
    }
  }

  /// Begins to run, unless the task was cancelled while it waited.
  final func beginRunning(on pooled: PooledConnection) -> Bool {
    interrupter = pooled.interrupter
    pooled.begin(id)
    let (isToRun, _) = phase.compareExchange(
      expected: Phase.waiting, desired: Phase.running, ordering: .acquiringAndReleasing)
    if !isToRun { pooled.end() }
    return isToRun
  }

  /// What the task is told in place of `error`: a failure that the cancellation caused is told as one.
  final func told(_ error: any Error) -> any Error {
    guard isCancelled, let failure = error as? SQLiteError else { return error }
    // A table-valued function compiles and runs statements of its own. Where the interrupt ends one of
    // these, SQLite passes on its message, with SQLITE_ERROR.
    let isOfInnerStatement =
      failure.message == "interrupted" || failure.message.hasPrefix("vtable constructor failed")
    guard isOfInnerStatement || [.interrupt, .busy].contains(failure.code.primary) else {
      return error
    }
    return CancellationError()
  }
}

/// How urgent an access is: what its task's priority comes to.
enum AccessPriority: Int, Comparable, CaseIterable, Sendable {
  case background, low, medium, high

  init(_ priority: TaskPriority) {
    self =
      switch priority {
      case .high...: .high
      case .medium...: .medium
      case .low...: .low
      default: .background
      }
  }

  var taskPriority: TaskPriority {
    switch self {
    case .background: .background
    case .low: .low
    case .medium: .medium
    case .high: .high
    }
  }

  /// That of the task that runs, or of the thread where none does.
  static var current: AccessPriority { AccessPriority(Task.currentPriority) }

  static func < (a: AccessPriority, b: AccessPriority) -> Bool { a.rawValue < b.rawValue }
}

/// The tasks that keep a connection between their accesses.
final class TaskHolders: Sendable {
  private let counts = Mutex<[Int: Int]>([:])
  private let isEmpty = Atomic<Bool>(true)

  /// Whether the task that runs is one of them.
  var includeCurrent: Bool {
    guard !isEmpty.load(ordering: .acquiring), let id = CurrentTask.id else { return false }
    return counts.withLock { $0[id] != nil }
  }

  /// Adds the task that runs.
  ///
  /// - Returns: What ``remove(_:)`` takes.
  func addCurrent() -> Int? {
    guard let id = CurrentTask.id else { return nil }
    counts.withLock { counts in
      counts[id, default: 0] += 1
      isEmpty.store(false, ordering: .releasing)
    }
    return id
  }

  func remove(_ id: Int?) {
    guard let id else { return }
    counts.withLock { counts in
      let count = (counts[id] ?? 0) - 1
      counts[id] = count > 0 ? count : nil
      isEmpty.store(counts.isEmpty, ordering: .releasing)
    }
  }
}
