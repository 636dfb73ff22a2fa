/// Who uses a set of connections, and who waits for one: a state machine without locks or threads.
///
/// Whoever comes first is served first. A connection that is given back goes to the first waiter; its
/// owner performs what ``Grant`` says, after letting go of the lock that guards the queue.
struct LeaseQueue<Connection> {
  typealias WaiterID = UInt64

  /// A connection and the waiter that it now belongs to.
  struct Grant {
    var waiter: WaiterID
    var connection: Connection
  }

  enum Answer {
    /// This connection is free, and now the caller's.
    case granted(Connection)
    /// There is room for one more: the caller opens it, and it is then the caller's.
    case open
    /// The caller waits, and will be granted one.
    case wait
    /// The queue is closed.
    case closed
  }

  private let capacity: Int
  private var idle: [Connection] = []
  /// How many exist, or are being opened.
  private var population = 0
  private var waiting: [WaiterID] = []
  /// Where the first waiter stands in `waiting`: those before it are gone.
  private var head = 0
  private(set) var isClosed = false

  init(capacity: Int) { self.capacity = capacity }

  mutating func request(by waiter: WaiterID) -> Answer {
    if isClosed { return .closed }
    if let connection = idle.popLast() { return .granted(connection) }
    if population < capacity {
      population += 1
      return .open
    }
    waiting.append(waiter)
    return .wait
  }

  /// A connection that was granted comes back.
  ///
  /// - Returns: The waiter that it goes to, if there is one; `nil` where it is idle now, or, in a
  ///   closed queue, is to be closed by the caller.
  mutating func giveBack(_ connection: Connection) -> Grant? {
    guard !isClosed else { return nil }
    guard let waiter = nextWaiter() else {
      idle.append(connection)
      return nil
    }
    return Grant(waiter: waiter, connection: connection)
  }

  /// A connection that was to be opened could not be.
  ///
  /// - Returns: A waiter that may try in its place.
  mutating func openingFailed() -> WaiterID? {
    if let waiter = nextWaiter() { return waiter }
    population -= 1
    return nil
  }

  /// Whether the waiter was still waiting; it will then not be granted anything.
  mutating func cancel(_ waiter: WaiterID) -> Bool {
    guard let index = waiting[head...].firstIndex(of: waiter) else { return false }
    waiting.remove(at: index)
    return true
  }

  /// Closes the queue.
  ///
  /// - Returns: The idle connections, which the caller closes, and the waiters, which it turns away.
  mutating func close() -> (idle: [Connection], waiters: [WaiterID]) {
    isClosed = true
    defer {
      idle = []
      waiting = []
      head = 0
    }
    return (idle, Array(waiting[head...]))
  }

  private mutating func nextWaiter() -> WaiterID? {
    guard head < waiting.count else { return nil }
    defer {
      head += 1
      if head > 64 && head * 2 > waiting.count {
        waiting.removeFirst(head)
        head = 0
      }
    }
    return waiting[head]
  }
}
