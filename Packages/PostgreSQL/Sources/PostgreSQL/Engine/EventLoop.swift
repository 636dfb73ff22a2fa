internal import CLibPQ
internal import Primitives

/// The thread that waits for the sockets of all connections, and for their deadlines.
///
/// It only resumes tasks: libpq is called by the task that uses the connection, on its own thread. A
/// socket's interest ends with its first event, so the loop never sees a socket that is being read.
final class EventLoop: Sendable {
  static let shared = EventLoop()

  private struct State {
    var waiters: [UInt64: Waiter] = [:]
    /// The waiters with a deadline, which are few: most waits for a socket have none.
    var deadlines: [UInt64: (deadline: UInt64, waiter: Waiter)] = [:]
    var lastID: UInt64 = 0
    /// The time until which the loop sleeps at most.
    var wakeTime = UInt64.max
  }

  private let queue: holt_poll_queue
  private let state = Mutex(State())
  private let waitingThreads = Atomic(0)
  private let maximumWaitingThreads = max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)) / 2)
  /// False if the process had no file descriptor left when the loop was created: no connection works then.
  private let isOpen: Bool

  private init() {
    var queue = holt_poll_queue(queue: -1, wake: -1)
    isOpen = unsafe holt_poll_open(&queue) == 0
    self.queue = queue
    if isOpen { BlockingThread.start { self.run() } }
  }

  /// The current time in nanoseconds.
  static var now: UInt64 { holt_monotonic_time() }

  /// Returns the time after a duration; the end of time if there is none.
  static func time(after duration: Duration?) -> UInt64 {
    guard let duration else { return .max }
    return now &+ nanoseconds(duration)
  }

  static func nanoseconds(_ duration: Duration) -> UInt64 {
    let (seconds, attoseconds) = duration.components
    return UInt64(min(max(seconds, 0), 1_000_000_000)) * 1_000_000_000
      + UInt64(max(attoseconds, 0) / 1_000_000_000)
  }

  static func milliseconds(_ duration: Duration) -> Int64 {
    let (seconds, attoseconds) = duration.components
    return min(max(seconds, 0), 1_000_000) * 1_000 + attoseconds / 1_000_000_000_000_000
  }

  /// Returns an identifier for a socket or a deadline.
  func register(_ waiter: Waiter) -> UInt64 {
    state.withLock { state in
      state.lastID += 1
      state.waiters[state.lastID] = waiter
      return state.lastID
    }
  }

  func unregister(_ id: UInt64) {
    state.withLock { state in
      state.waiters[id] = nil
      state.deadlines[id] = nil
    }
  }

  /// Waits for input of a socket on the current thread, for a moment. Returns whether there is input.
  func waitBriefly(for socket: Int32) -> Bool {
    // A thread that waits here can't run other tasks, so that only some of a small number of threads do.
    guard waitingThreads.add(1, ordering: .relaxed).oldValue < maximumWaitingThreads else {
      waitingThreads.subtract(1, ordering: .relaxed)
      return false
    }
    defer { waitingThreads.subtract(1, ordering: .relaxed) }
    return holt_poll_briefly(socket, Int(BriefWaiting.limit)) == 1
  }

  /// Requests one event of a socket. Returns whether the system accepted the request.
  func arm(_ id: UInt64, socket: Int32, _ interest: Waiter.Interest) -> Bool {
    isOpen && holt_poll_arm(queue, socket, id, interest.rawValue) == 0
  }

  /// Sets the time at which a waiter is resumed.
  func setDeadline(_ deadline: UInt64, of waiter: Waiter, _ id: UInt64) {
    let isEarlier = state.withLock { state in
      state.deadlines[id] = (deadline, waiter)
      guard deadline < state.wakeTime else { return false }
      state.wakeTime = deadline
      return true
    }
    if isEarlier { holt_poll_wake(queue) }
  }

  private func run() {
    var ids = [UInt64](repeating: 0, count: 64)
    while true {
      let count = unsafe ids.withUnsafeMutableBufferPointer {
        unsafe holt_poll_wait(queue, $0.baseAddress, 64, milliseconds())
      }
      if count > 0 { resume(ids[0..<Int(count)]) }
      expireDeadlines()
    }
  }

  private func resume(_ ids: ArraySlice<UInt64>) {
    for id in ids where id != 0 {
      let waiter = state.withLock { $0.waiters[id] }
      waiter?.resume(.ready)
    }
  }

  /// The time to sleep; -1 without a deadline.
  private func milliseconds() -> Int32 {
    let wakeTime = state.withLock { $0.wakeTime }
    guard wakeTime < .max else { return -1 }
    let now = Self.now
    guard wakeTime > now else { return 0 }
    return Int32(min((wakeTime - now) / 1_000_000 + 1, 60_000))
  }

  private func expireDeadlines() {
    let now = Self.now
    let expired: [Waiter] = state.withLock { state in
      guard state.wakeTime <= now else { return [] }
      var expired: [Waiter] = []
      var next = UInt64.max
      for (id, entry) in state.deadlines {
        if entry.deadline <= now {
          state.deadlines[id] = nil
          expired.append(entry.waiter)
        } else {
          next = min(next, entry.deadline)
        }
      }
      state.wakeTime = next
      return expired
    }
    for waiter in expired { waiter.expire(now: now) }
  }
}

/// A place where one task at a time waits for a socket, for another task, or for a deadline.
final class Waiter: Sendable {
  /// The reason why a wait ended.
  enum Wake: Sendable {
    /// The socket may be ready, or another task called ``Waiter/resume(_:)``. Can be spurious.
    case ready
    case timedOut
    /// ``Waiter/interrupt()`` was called.
    case interrupted
    /// The system can't wait for the socket.
    case failed
  }

  struct Interest: OptionSet, Sendable {
    let rawValue: Int32

    static let read = Interest(rawValue: HOLT_POLL_READ)
    static let write = Interest(rawValue: HOLT_POLL_WRITE)
  }

  @safe fileprivate struct State {
    var continuation: UnsafeContinuation<Wake, Never>?
    var isInterrupted = false
    /// A wake that arrived while no task was waiting, if it must not be lost.
    var pending: Wake?
    var deadline = UInt64.max
  }

  private let state = Mutex(State())
  private let id = Mutex<UInt64>(0)
  /// Indicates whether ``resume(_:)`` ends the next wait if no task is waiting. Events of a socket are not kept, because
  /// each wait requests its own.
  private let keepsWakes: Bool

  /// Creates a waiter for a socket.
  static func forSocket() -> Waiter { Waiter(keepsWakes: false) }

  /// Creates a waiter for another task.
  static func forTask() -> Waiter { Waiter(keepsWakes: true) }

  private init(keepsWakes: Bool) { self.keepsWakes = keepsWakes }

  /// Ends the registration with the event loop.
  func close() {
    let id = id.withLock { id in
      defer { id = 0 }
      return id
    }
    if id != 0 { EventLoop.shared.unregister(id) }
  }

  private func registeredID() -> UInt64 {
    id.withLock { id in
      if id == 0 { id = EventLoop.shared.register(self) }
      return id
    }
  }

  /// Waits for an event of a socket, or for ``resume(_:)``.
  func wait(
    for interest: Interest = [], of socket: Int32? = nil, until deadline: UInt64 = .max
  ) async -> Wake {
    let id = socket != nil || deadline < .max ? registeredID() : 0
    return await unsafe withUnsafeContinuation { continuation in
      let immediate: Wake? = state.withLock { state in
        if state.isInterrupted {
          state.isInterrupted = false
          return .interrupted
        }
        if let pending = state.pending {
          state.pending = nil
          return pending
        }
        unsafe state.continuation = continuation
        state.deadline = deadline
        if let socket {
          guard EventLoop.shared.arm(id, socket: socket, interest) else {
            unsafe state.continuation = nil
            return .failed
          }
        }
        return nil
      }
      if let immediate {
        unsafe continuation.resume(returning: immediate)
      } else if deadline < .max {
        EventLoop.shared.setDeadline(deadline, of: self, id)
      }
    }
  }

  /// Ends the wait of a task.
  func resume(_ wake: Wake) {
    state.withLock { state in
      if keepsWakes, unsafe state.continuation == nil { state.pending = wake }
      return state.takeResumption()
    }(wake)
  }

  /// Ends the wait of a task, or the next wait if no task is waiting.
  func interrupt() {
    state.withLock { state in
      state.isInterrupted = unsafe state.continuation == nil
      return state.takeResumption()
    }(.interrupted)
  }

  /// Indicates whether the next wait ends with an interruption.
  var isInterrupted: Bool { state.withLock { $0.isInterrupted } }

  /// Forgets an interruption that no wait has received.
  func clearInterruption() { state.withLock { $0.isInterrupted = false } }

  /// Ends a wait whose deadline has passed. A later wait can have another one.
  fileprivate func expire(now: UInt64) {
    state.withLock { state in
      state.deadline <= now ? state.takeResumption() : unsafe Resumption(nil)
    }(.timedOut)
  }
}

extension Waiter {
  /// A continuation that was taken from the state under its lock, and is resumed after that.
  @safe fileprivate struct Resumption: Sendable {
    private let continuation: UnsafeContinuation<Wake, Never>?

    init(_ continuation: UnsafeContinuation<Wake, Never>?) {
      unsafe self.continuation = continuation
    }

    func callAsFunction(_ wake: Wake) { unsafe continuation?.resume(returning: wake) }
  }
}

extension Waiter.State {
  fileprivate mutating func takeResumption() -> Waiter.Resumption {
    defer { unsafe continuation = nil }
    return unsafe Waiter.Resumption(continuation)
  }
}

/// Decides whether a task waits for an answer on its own thread for a moment, instead of suspending.
///
/// Two threads are woken to resume a suspended task, which costs more than a lookup. A thread that waits uses no CPU, but
/// it runs no other task, so that a connection whose answers take longer than the limit stops doing this.
struct BriefWaiting {
  /// The time in nanoseconds that a thread waits at most.
  static let limit: UInt64 = 50_000
  private static let maximumMisses = 3
  /// The number of waits in sequence that were too long.
  private var misses = 0

  /// Indicates whether the next wait should begin on the thread.
  var isWorthwhile: Bool { misses < Self.maximumMisses }

  /// Notes the outcome of a wait on the thread.
  mutating func note(isAnswered: Bool) { misses = isAnswered ? 0 : misses + 1 }

  /// Notes the duration of a wait that suspended the task. After a short one, a wait on the thread is tried again.
  mutating func note(suspendedFor time: UInt64) {
    if time < 2 * Self.limit { misses = min(misses, Self.maximumMisses - 1) }
  }
}
