internal import Primitives

/// An asynchronous access, which waits, runs on a connection's thread, and ends exactly once.
///
/// `@unchecked Sendable`: `arrival` is guarded by the pool's lock. The other properties are used by one thread at a
/// time, ordered by the transfer of the connection, except `interrupter`, which is written before `phase` becomes
/// `running` and read only afterwards.
class Access: Waiter, @unchecked Sendable {
  private enum Phase {
    static let new: UInt8 = 0
    static let waiting: UInt8 = 1
    static let running: UInt8 = 2
    /// A flag that can be combined with each of the phases, at any time.
    static let cancelled: UInt8 = 4
  }

  let pool: ConnectionPool
  let id: UInt64
  let priority: AccessPriority
  /// Indicates whether a connection may be opened for the access when the pool is at its capacity.
  let isBeyondCapacity: Bool
  /// The access's position in the queue, or `nil` if it has not waited.
  var arrival: Arrival?
  private let phase = Atomic<UInt8>(Phase.new)
  private let isFinished = Atomic<Bool>(false)
  private var interrupter: Interrupter?
  private var outcome: Outcome?
  /// The thread of the connection that the access opens.
  private var thread: WorkerThread?

  init(
    in pool: ConnectionPool, priority: AccessPriority = .current, beyondCapacity: Bool = false
  ) {
    self.pool = pool
    self.priority = priority
    isBeyondCapacity = beyondCapacity
    id = Database.nextAccessID()
  }

  // MARK: Work

  /// Runs the access on the connection's thread, and ends it.
  ///
  /// - Returns: The access that uses the connection next, or `nil`.
  func perform(on pooled: PooledConnection) -> Access? { pool.release(pooled) }

  /// Ends the access without running it.
  func fail(_ error: any Error) {}

  // MARK: Waiting

  /// Enters the queue. Must be called once. A task that was cancelled before fails immediately.
  ///
  /// - Returns: `true` if the caller may spin until the end of the access: it has a connection, and no other access is
  ///   waiting.
  @discardableResult
  final func enqueue() -> Bool {
    let old = phase.bitwiseOr(Phase.waiting, ordering: .acquiringAndReleasing).oldValue
    guard old & Phase.cancelled == 0 else {
      fail(CancellationError())
      return false
    }
    let isAlone = pool.enqueue(self)
    // A cancellation before the access was enqueued did not find it in the queue.
    if isCancelled { cancelWaiting() }
    return isAlone
  }

  /// Spins until the access ends, or for a limited time. A task that has its result before it is suspended continues
  /// without a thread switch.
  final func spinUntilFinished() { pool.spinWait.wait { isFinished.load(ordering: .acquiring) } }

  /// Records that the task has its result.
  final func finish() { isFinished.store(true, ordering: .releasing) }

  #if THREAD_SANITIZER
    final func waitUntilFinished() { while !isFinished.load(ordering: .acquiring) {} }
  #endif

  final var isCancelled: Bool {
    phase.load(ordering: .acquiring) & Phase.cancelled != 0
  }

  /// Cancels the access while it waits or runs. May be called from any thread at any time.
  func cancel() {
    let old = phase.bitwiseOr(Phase.cancelled, ordering: .acquiringAndReleasing).oldValue
    switch old & ~Phase.cancelled {
    case Phase.waiting: cancelWaiting()
    case Phase.running: interrupter?.cancel(id)
    default: return
    }
  }

  private func cancelWaiting() {
    if pool.cancel(self) { fail(CancellationError()) }
  }

  // MARK: Running

  override final func begin(_ outcome: Outcome) {
    switch outcome {
    case .connection(let pooled):
      self.outcome = outcome
      pooled.thread.post(self)
    case .open:
      // Opening may wait for the disk or a lock, and is done on the new connection's thread too.
      self.outcome = outcome
      let thread = pool.makeThread()
      self.thread = thread
      thread.post(self)
    case .closed: fail(pool.closed)
    }
  }

  override final func grant(_ pooled: PooledConnection) -> Access? {
    outcome = .connection(pooled)
    return self
  }

  /// Posts the access to its connection's thread. Called by the thread that released the connection.
  final func start() {
    if case .connection(let pooled) = outcome { pooled.thread.post(self) }
  }

  override final func run() -> WorkerThread.Work? {
    priority.taskPriority.applyToCurrentThread()
    defer { (outcome, thread) = (nil, nil) }
    switch outcome {
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

  /// Marks the access as running, unless its task was cancelled while it waited.
  final func beginRunning(on pooled: PooledConnection) -> Bool {
    interrupter = pooled.interrupter
    pooled.begin(id)
    let (shouldRun, _) = phase.compareExchange(
      expected: Phase.waiting, desired: Phase.running, ordering: .acquiringAndReleasing)
    if !shouldRun { pooled.end() }
    return shouldRun
  }

  /// Returns the error to throw to the task: `CancellationError` if the cancellation caused `error`, otherwise `error`.
  final func taskError(_ error: any Error) -> any Error {
    guard isCancelled, let failure = error as? SQLiteError else { return error }
    // A table-valued function compiles and runs its own statements. If the interrupt ends one of these, SQLite passes
    // on its message with SQLITE_ERROR.
    let isOfInnerStatement =
      failure.message == "interrupted" || failure.message.hasPrefix("vtable constructor failed")
    guard isOfInnerStatement || [.interrupt, .busy].contains(failure.code.primary) else {
      return error
    }
    return CancellationError()
  }
}

/// The priority of an access, derived from its task's priority.
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

  /// The priority of the current task, or of the current thread outside a task.
  static var current: AccessPriority { AccessPriority(Task.currentPriority) }

  static func < (a: AccessPriority, b: AccessPriority) -> Bool { a.rawValue < b.rawValue }
}

/// Tracks the tasks that hold a connection between their accesses.
final class TaskReentrancyGuard: Sendable {
  private let counts = Mutex<[Int: Int]>([:])
  private let isEmpty = Atomic<Bool>(true)

  /// Indicates whether the current task holds a connection.
  var containsCurrentTask: Bool {
    guard !isEmpty.load(ordering: .acquiring), let id = Task.currentID else { return false }
    return counts.withLock { $0[id] != nil }
  }

  /// Adds the current task.
  ///
  /// - Returns: The task's identifier, to be passed to ``remove(_:)``.
  func addCurrentTask() -> Int? {
    guard let id = Task.currentID else { return nil }
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
