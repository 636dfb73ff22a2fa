internal import Dispatch

/// The state of a connection pool: its idle connections and its waiters. A state machine without locks or threads.
///
/// The waiter with the highest priority is served first, and waiters of equal priority in their order of arrival. To
/// prevent starvation, at least one in ``starvationLimit`` grants serves the waiter that has waited longest. The pool
/// performs the returned actions after it has released the lock that guards this state.
struct PoolStateMachine<Connection, Waiter> {
  enum RequestResult {
    /// The caller receives an idle connection.
    case granted(Connection)
    /// The pool is below its capacity: the caller opens a connection, which it then has.
    case open
    /// The caller waits for a connection.
    case wait(Arrival)
    /// The pool is closed.
    case closed
  }

  /// The action for a released connection.
  enum ReleaseResult {
    /// The caller passes the connection to this waiter.
    case granted(Waiter)
    case idle
    /// The caller closes the connection.
    case surplus
  }

  let capacity: Int
  private(set) var idle: [Connection] = []
  /// The number of connections that are open or being opened.
  private(set) var connectionCount = 0
  private var waitQueues = [WaitQueue<Waiter>](
    repeating: WaitQueue(), count: AccessPriority.allCases.count)
  private var lastArrival = Arrival(rawValue: 0)
  /// The number of consecutive grants that skipped the longest-waiting waiter.
  private var skippedGrants = 0
  private(set) var isClosed = false
  /// Indicates whether the pool grants no connections.
  private(set) var isPaused = false

  /// The number of consecutive grants after which the longest-waiting waiter is served.
  static var starvationLimit: Int { 8 }

  init(capacity: Int) { self.capacity = capacity }

  var waitingCount: Int { waitQueues.reduce(0) { $0 + $1.count } }

  /// Requests a connection.
  ///
  /// - Parameters:
  ///   - beyondCapacity: Whether a connection may be opened when the pool is at its capacity.
  ///   - waiter: Creates the waiter, if no connection is available.
  mutating func request(
    _ priority: @autoclosure () -> AccessPriority, beyondCapacity: Bool = false,
    waiter: () -> Waiter
  ) -> RequestResult {
    if isClosed { return .closed }
    if !isPaused {
      if let connection = idle.popLast() { return .granted(connection) }
      if connectionCount < capacity || beyondCapacity {
        connectionCount += 1
        return .open
      }
    }
    lastArrival.rawValue += 1
    waitQueues[priority().rawValue].insert(waiter(), lastArrival)
    return .wait(lastArrival)
  }

  /// Releases a granted connection.
  mutating func release(_ connection: Connection) -> ReleaseResult {
    guard !isClosed, !isPaused, connectionCount <= capacity else {
      connectionCount -= 1
      return .surplus
    }
    if let waiter = nextWaiter() { return .granted(waiter) }
    idle.append(connection)
    return .idle
  }

  /// Releases the slot of a granted connection that could not be opened or was closed.
  ///
  /// - Returns: A waiter that may open a connection in the slot.
  mutating func releaseSlot() -> Waiter? {
    if !isPaused, connectionCount <= capacity, let waiter = nextWaiter() { return waiter }
    connectionCount -= 1
    return nil
  }

  /// Removes a waiter that is still waiting. It is then not granted a connection.
  ///
  /// - Complexity: O(log *n*), occasionally O(*n*).
  mutating func cancel(_ arrival: Arrival) -> Waiter? {
    for index in waitQueues.indices {
      if let waiter = waitQueues[index].remove(arrival) { return waiter }
    }
    return nil
  }

  /// Raises a waiter's priority. It keeps its order of arrival among waiters of the new priority.
  mutating func raise(_ arrival: Arrival, to priority: AccessPriority) {
    for index in waitQueues.indices.prefix(priority.rawValue) {
      guard let waiter = waitQueues[index].remove(arrival) else { continue }
      waitQueues[priority.rawValue].insert(waiter, arrival)
      return
    }
  }

  /// Removes and returns the idle connections, which the caller closes. New ones can be opened instead.
  mutating func releaseIdle() -> [Connection] {
    defer { idle = [] }
    connectionCount -= idle.count
    return idle
  }

  /// Grants no connection until ``resume()``: new accesses wait, and released connections are surplus.
  ///
  /// - Returns: The idle connections, which the caller closes.
  mutating func pause() -> [Connection] {
    isPaused = true
    return releaseIdle()
  }

  /// Ends the pause.
  ///
  /// - Returns: Waiters that may open a connection each.
  mutating func resume() -> [Waiter] {
    isPaused = false
    var opening: [Waiter] = []
    while connectionCount < capacity, let waiter = nextWaiter() {
      connectionCount += 1
      opening.append(waiter)
    }
    return opening
  }

  /// Closes the pool.
  ///
  /// - Returns: The idle connections, which the caller closes, and the waiters, which the caller rejects.
  mutating func close() -> (idle: [Connection], waiters: [Waiter]) {
    isClosed = true
    let waiters = waitQueues.flatMap(\.all).sorted { $0.arrival < $1.arrival }.map(\.waiter)
    for index in waitQueues.indices { waitQueues[index] = WaitQueue() }
    return (releaseIdle(), waiters)
  }

  private mutating func nextWaiter() -> Waiter? {
    guard let urgent = waitQueues.indices.last(where: { waitQueues[$0].count > 0 }) else {
      return nil
    }
    // An empty queue counts as later than any other.
    let never = Arrival(rawValue: .max)
    let oldest = waitQueues.indices.min {
      waitQueues[$0].first ?? never < waitQueues[$1].first ?? never
    }
    guard let oldest, oldest != urgent else {
      skippedGrants = 0
      return waitQueues[urgent].popFirst()
    }
    skippedGrants += 1
    if skippedGrants < Self.starvationLimit { return waitQueues[urgent].popFirst() }
    skippedGrants = 0
    return waitQueues[oldest].popFirst()
  }
}

/// A queue of the waiters of one priority, in their order of arrival.
struct WaitQueue<Waiter> {

  private var entries: [(arrival: Arrival, waiter: Waiter?)] = []
  /// The index of the first waiter. Earlier entries are empty.
  private var head = 0
  private(set) var count = 0

  /// The arrival of the first waiter, or `nil` if the queue is empty.
  var first: Arrival? { count == 0 ? nil : entries[head].arrival }

  /// Inserts a waiter by its arrival: at the end, unless it comes from another queue.
  mutating func insert(_ waiter: Waiter, _ arrival: Arrival) {
    let index =
      entries.last.map { $0.arrival < arrival } ?? true
      ? entries.count : insertionIndex(of: arrival)
    entries.insert((arrival, waiter), at: index)
    head = min(head, index)
    count += 1
  }

  mutating func popFirst() -> Waiter? {
    guard count > 0 else { return nil }
    defer { removeEntry(at: head) }
    return entries[head].waiter
  }

  /// Removes a waiter.
  ///
  /// - Complexity: O(log *n*), occasionally O(*n*).
  mutating func remove(_ arrival: Arrival) -> Waiter? {
    let index = insertionIndex(of: arrival)
    guard index < entries.count, entries[index].arrival == arrival,
      let waiter = entries[index].waiter
    else { return nil }
    removeEntry(at: index)
    return waiter
  }

  var all: [(arrival: Arrival, waiter: Waiter)] {
    entries.compactMap { entry in entry.waiter.map { (entry.arrival, $0) } }
  }

  private mutating func removeEntry(at index: Int) {
    entries[index].waiter = nil
    count -= 1
    while head < entries.count, entries[head].waiter == nil { head += 1 }
    if entries.count > 64, count * 2 < entries.count {
      entries.removeAll { $0.waiter == nil }
      head = 0
    }
  }

  /// Returns the index of `arrival`, or its insertion index. Entries are sorted by arrival.
  private func insertionIndex(of arrival: Arrival) -> Int {
    var (low, high) = (head, entries.count)
    while low < high {
      let middle = (low + high) / 2
      if entries[middle].arrival < arrival { low = middle + 1 } else { high = middle }
    }
    return low
  }
}

/// The ordinal of a waiter's arrival: a lower number is an earlier arrival.
struct Arrival: RawRepresentable, Hashable, Comparable, Sendable {
  var rawValue: UInt64

  static func < (a: Arrival, b: Arrival) -> Bool { a.rawValue < b.rawValue }
}

/// A waiter in a pool's queue, which is notified when it is granted a connection.
///
/// `@unchecked Sendable`: one thread uses the object at a time, ordered by the pool's lock or by the wakeup of the next
/// thread. Members that may be called at any time document it.
class Waiter: WorkerThread.Work, @unchecked Sendable {
  enum Outcome {
    case connection(PooledConnection)
    /// The waiter may open a connection, since another waiter could not open one.
    case open
    case closed
  }

  /// Notifies the waiter of the result. Called exactly once, on an arbitrary thread.
  func begin(_ outcome: Outcome) {}

  /// Equivalent to ``begin(_:)`` with a connection, called by the thread that released the connection.
  ///
  /// - Returns: The waiter if it is an access, which then runs on the connection's thread.
  func grant(_ pooled: PooledConnection) -> Access? {
    begin(.connection(pooled))
    return nil
  }
}

/// A thread that is blocked until it receives a connection.
///
/// `@unchecked Sendable`: the semaphore orders the write of `outcome` before its read.
final class WaitingThread: Waiter, @unchecked Sendable {
  private let arrival = DispatchSemaphore(value: 0)
  private var outcome: Outcome?

  override func begin(_ outcome: Outcome) {
    self.outcome = outcome
    arrival.signal()
  }

  func wait(for pool: ConnectionPool) throws -> PooledConnection {
    arrival.wait()
    switch outcome {
    case .connection(let pooled): return pooled
    case .open: return try pool.opened()
    case .closed, nil: throw pool.closed
    }
  }
}
