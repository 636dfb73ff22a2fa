internal import Dispatch

/// Who uses a set of connections, and who waits for one: a state machine without locks or threads.
///
/// The most urgent waiter is served first, and among equals whoever came first. So that nobody waits
/// for ever, at least one in ``patience`` grants goes to whoever has waited longest. The queue's owner
/// performs what it is told after letting go of the lock that guards the queue.
struct LeaseQueue<Connection, Waiter> {
  enum Answer {
    /// This connection is free, and now the caller's.
    case granted(Connection)
    /// There is room for one more: the caller opens it, and it is then the caller's.
    case open
    /// The caller waits, and will be granted one.
    case wait(Arrival)
    /// The queue is closed.
    case closed
  }

  /// What becomes of a connection that came back.
  enum Return {
    /// It is this waiter's now.
    case granted(Waiter)
    case idle
    /// The caller closes it.
    case surplus
  }

  let capacity: Int
  private(set) var idle: [Connection] = []
  /// How many exist, or are being opened.
  private(set) var population = 0
  private var lines = [WaitingLine<Waiter>](
    repeating: WaitingLine(), count: AccessPriority.allCases.count)
  private var lastArrival = Arrival(rawValue: 0)
  /// How many grants went past the waiter that has waited longest.
  private var passedOver = 0
  private(set) var isClosed = false

  /// Of as many grants in a row, one goes to whoever has waited longest.
  static var patience: Int { 8 }

  init(capacity: Int) { self.capacity = capacity }

  var waitingCount: Int { lines.reduce(0) { $0 + $1.count } }

  /// Asks for a connection.
  ///
  /// - Parameters:
  ///   - beyondCapacity: Whether it may be opened though there are as many as there should be.
  ///   - waiter: Makes the one that is to be told, if there is none now.
  mutating func request(
    _ priority: @autoclosure () -> AccessPriority, beyondCapacity: Bool = false,
    waiter: () -> Waiter
  ) -> Answer {
    if isClosed { return .closed }
    if let connection = idle.popLast() { return .granted(connection) }
    if population < capacity || beyondCapacity {
      population += 1
      return .open
    }
    lastArrival.rawValue += 1
    lines[priority().rawValue].insert(waiter(), lastArrival)
    return .wait(lastArrival)
  }

  /// A connection that was granted comes back.
  mutating func giveBack(_ connection: Connection) -> Return {
    guard !isClosed, population <= capacity else {
      population -= 1
      return .surplus
    }
    if let waiter = nextWaiter() { return .granted(waiter) }
    idle.append(connection)
    return .idle
  }

  /// Takes note that a connection which was granted does not exist: it could not be opened, or was closed.
  ///
  /// - Returns: A waiter that may open one in its place.
  mutating func leaveVacant() -> Waiter? {
    if population <= capacity, let waiter = nextWaiter() { return waiter }
    population -= 1
    return nil
  }

  /// Takes a waiter out of the queue, if it still waits: it will then not be granted anything.
  ///
  /// - Complexity: O(log *n*), but now and then O(*n*).
  mutating func cancel(_ arrival: Arrival) -> Waiter? {
    for index in lines.indices {
      if let waiter = lines[index].remove(arrival) { return waiter }
    }
    return nil
  }

  /// Makes a waiter more urgent. It keeps its place among those that are as urgent.
  mutating func raise(_ arrival: Arrival, to priority: AccessPriority) {
    for index in lines.indices.prefix(priority.rawValue) {
      guard let waiter = lines[index].remove(arrival) else { continue }
      lines[priority.rawValue].insert(waiter, arrival)
      return
    }
  }

  /// Takes the idle connections out, which the caller closes: others may be opened in their place.
  mutating func releaseIdle() -> [Connection] {
    defer { idle = [] }
    population -= idle.count
    return idle
  }

  /// Closes the queue.
  ///
  /// - Returns: The idle connections, which the caller closes, and the waiters, which it turns away.
  mutating func close() -> (idle: [Connection], waiters: [Waiter]) {
    isClosed = true
    let waiters = lines.flatMap(\.all).sorted { $0.arrival < $1.arrival }.map(\.waiter)
    for index in lines.indices { lines[index] = WaitingLine() }
    return (releaseIdle(), waiters)
  }

  private mutating func nextWaiter() -> Waiter? {
    guard let urgent = lines.indices.last(where: { lines[$0].count > 0 }) else { return nil }
    // An empty line's first is later than any.
    let never = Arrival(rawValue: .max)
    let oldest = lines.indices.min { lines[$0].first ?? never < lines[$1].first ?? never }
    guard let oldest, oldest != urgent else {
      passedOver = 0
      return lines[urgent].popFirst()
    }
    passedOver += 1
    if passedOver < Self.patience { return lines[urgent].popFirst() }
    passedOver = 0
    return lines[oldest].popFirst()
  }
}

/// Waiters of one priority, in the order in which they came.
struct WaitingLine<Waiter> {
  private struct Entry {
    var arrival: Arrival
    /// `nil` for one that has left.
    var waiter: Waiter?
  }

  private var entries: [Entry] = []
  /// Where the first waiter stands: those before it are gone.
  private var head = 0
  private(set) var count = 0

  /// When the first waiter came; `nil` where nobody waits.
  var first: Arrival? { count == 0 ? nil : entries[head].arrival }

  /// Adds a waiter where it belongs: at the end, unless it comes from another line.
  mutating func insert(_ waiter: Waiter, _ arrival: Arrival) {
    let index =
      entries.last.map { $0.arrival < arrival } ?? true ? entries.count : place(of: arrival)
    entries.insert(Entry(arrival: arrival, waiter: waiter), at: index)
    head = min(head, index)
    count += 1
  }

  mutating func popFirst() -> Waiter? {
    guard count > 0 else { return nil }
    defer { leave(head) }
    return entries[head].waiter
  }

  /// Takes a waiter out of the line.
  ///
  /// - Complexity: O(log *n*), but now and then O(*n*).
  mutating func remove(_ arrival: Arrival) -> Waiter? {
    let index = place(of: arrival)
    guard index < entries.count, entries[index].arrival == arrival,
      let waiter = entries[index].waiter
    else { return nil }
    leave(index)
    return waiter
  }

  var all: [(arrival: Arrival, waiter: Waiter)] {
    entries.compactMap { entry in entry.waiter.map { (entry.arrival, $0) } }
  }

  private mutating func leave(_ index: Int) {
    entries[index].waiter = nil
    count -= 1
    while head < entries.count, entries[head].waiter == nil { head += 1 }
    if entries.count > 64, count * 2 < entries.count {
      entries.removeAll { $0.waiter == nil }
      head = 0
    }
  }

  /// Where `arrival` stands, or would: arrivals ascend.
  private func place(of arrival: Arrival) -> Int {
    var (low, high) = (head, entries.count)
    while low < high {
      let middle = (low + high) / 2
      if entries[middle].arrival < arrival { low = middle + 1 } else { high = middle }
    }
    return low
  }
}

/// When a waiter came: the lower, the earlier.
struct Arrival: RawRepresentable, Hashable, Comparable, Sendable {
  var rawValue: UInt64

  static func < (a: Arrival, b: Arrival) -> Bool { a.rawValue < b.rawValue }
}

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
