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
