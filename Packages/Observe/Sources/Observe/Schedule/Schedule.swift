internal import SQLiteCore

/// Who fetches, and when: a state machine without locks, threads or a database.
///
/// Work follows demand. An observer whose consumer is busy costs nothing, however much is committed;
/// when the consumer asks for more, the log tells whether its value is stale. Those whose consumers
/// wait are looked up by table at each commit; all that are stale then are fetched together.
struct Schedule {
  typealias ID = UInt64

  /// What the owner does after it has let go of its lock.
  enum Action: Equatable {
    /// Begin a read transaction, and ask ``Schedule/beginFlush()`` in it.
    case flush
    /// Give a listener a change set.
    case deliver(ChangeSet, to: ID)
    /// Tell what became of a transaction.
    case tell(DatabaseObservation.TransactionEvent, to: ID)
    /// The database is closed: end this observer or listener.
    case end(ID)
  }

  enum Phase: Equatable {
    /// The consumer is busy with the last value.
    case idle
    /// The consumer waits, and its value is fresh.
    case waiting
    /// The consumer waits for a fetch that has not begun.
    case queued
    case fetching
  }

  /// Why an observer is left alone.
  enum Pause {
    /// A ``DatabaseObservation/Control`` wants it so.
    case control
    /// It rests after a fetch that was expensive.
    case rest
  }

  struct Observer {
    var phase = Phase.idle
    /// Why it was last queued.
    var trigger = DatabaseObservation.Trigger.first
    /// What the last value depends on.
    var region = Region.nothing
    /// The last commit that the value is known to show; `nil` before there is a value.
    var seen: UInt64?
    /// Whether it is forgotten when its value can't be read, or waits for the next commit.
    var endsOnFailure = true
    /// Why it is left alone, whatever its consumer asks.
    var pauses: Set<Pause> = []
    /// Whether the consumer has asked, and is left to wait.
    var isHeld = false
    /// Whether the value is stale, whatever was committed.
    var isExpired = false
  }

  private struct Listener {
    var region: Region
    /// The last commit that was told; `nil` until the consumer first asks.
    var seen: UInt64?
    var isWaiting = false
  }

  private(set) var log: ChangeLog
  private(set) var isClosed = false
  private var lastID: ID = 0
  private(set) var observers: [ID: Observer] = [:]
  private var listeners: [ID: Listener] = [:]
  private var eventQueues: [ID: EventQueue] = [:]
  private var watchers = Watchers()
  /// How many sequences of changes there are that may be iterated from now on.
  private var sequenceCount = 0
  /// Changes whenever ``wantsRows(of:)`` may have another answer.
  let interest = Hooks.ChangeInterest()
  private var queue: [ID] = []
  /// Those who were told of their end, and may not have dealt with it: they are known no more.
  private var ending: Set<ID> = []
  /// Whether a flush has been asked for that has not begun.
  private var isFlushAwaited = false
  /// The last commit when it was asked for.
  private var flushAskedAt: UInt64 = 0
  private var runningFlushes = 0
  /// How many flushes have begun.
  private(set) var flushCount = 0
  /// How many observers commits have queued, over all.
  private(set) var wakeUpCount = 0

  /// How many flushes run at once: a second one, so that one slow fetch does not hold up all others.
  private static let maximumFlushes = 2

  init(log: ChangeLog = ChangeLog()) { self.log = log }

  // MARK: Consumers come and go

  mutating func addObserver(endsOnFailure: Bool = true) -> ID {
    lastID += 1
    observers[lastID] = Observer(endsOnFailure: endsOnFailure)
    interest.change()
    return lastID
  }

  mutating func addListener(to region: Region, after sequence: UInt64?) -> ID {
    lastID += 1
    listeners[lastID] = Listener(region: region, seen: sequence)
    interest.change()
    return lastID
  }

  /// Someone who is told of each transaction from now on.
  mutating func addEventQueue(_ queue: EventQueue = EventQueue()) -> ID {
    lastID += 1
    eventQueues[lastID] = queue
    interest.change()
    return lastID
  }

  mutating func remove(_ id: ID) {
    ending.remove(id)
    eventQueues[id] = nil
    if let observer = observers.removeValue(forKey: id), observer.phase == .waiting {
      stopWatching(id, from: observer.region)
    }
    if let listener = listeners.removeValue(forKey: id), listener.isWaiting {
      stopWatching(id, from: listener.region)
    }
    interest.change()
  }

  /// A consumer is told that this is the end: it is forgotten, and has to be removed when it knows.
  mutating func end(_ id: ID) {
    remove(id)
    ending.insert(id)
  }

  /// A consumer asks for its next element.
  mutating func demand(_ id: ID) -> [Action] {
    if isClosed {
      remove(id)
      return [.end(id)]
    }
    if var listener = listeners[id] {
      let seen = listener.seen ?? log.latest
      let next = log.next(after: seen, in: listener.region)
      listener.seen = next?.sequence ?? log.latest
      listener.isWaiting = next == nil
      listeners[id] = listener
      if let next { return [.deliver(next.restricted(to: listener.region), to: id)] }
      startWatching(id, into: listener.region)
    } else if let observer = observers[id], observer.phase == .idle {
      settle(id, .caughtUp)
    } else if let event = eventQueues[id]?.next() {
      return [.tell(event, to: id)]
    }
    return flushIfNeeded()
  }

  /// Leaves an observer alone: neither a commit nor its consumer causes a fetch. One that runs goes on.
  mutating func pause(_ id: ID, _ reason: Pause = .control) {
    guard var observer = observers[id], observer.pauses.insert(reason).inserted else { return }
    if observer.phase == .waiting { stopWatching(id, from: observer.region) }
    if observer.phase == .queued { queue.removeAll { $0 == id } }
    if observer.phase == .waiting || observer.phase == .queued {
      observer.phase = .idle
      observer.isHeld = true
    }
    observers[id] = observer
  }

  /// Takes up an observer that was left alone, if nothing else keeps it.
  mutating func resume(_ id: ID, _ reason: Pause = .control) -> [Action] {
    guard var observer = observers[id], observer.pauses.remove(reason) != nil else { return [] }
    let isHeld = observer.isHeld && observer.pauses.isEmpty
    if isHeld { observer.isHeld = false }
    observers[id] = observer
    if isHeld { settle(id, .resumed) }
    return flushIfNeeded()
  }

  /// Takes an observer's value for stale, whatever was committed. One that is about to be fetched, or is
  /// being fetched, is fresh enough.
  mutating func expire(_ id: ID) -> [Action] {
    guard let phase = observers[id]?.phase, phase == .idle || phase == .waiting else { return [] }
    observers[id]?.isExpired = true
    if phase == .waiting, let observer = observers[id] {
      stopWatching(id, from: observer.region)
      settle(id, .expired)
    }
    return flushIfNeeded()
  }

  /// Whether no fetch is asked for or runs.
  ///
  /// - Parameters:
  ///   - includingConsumers: Whether each consumer has to wait for a commit, too, or to have ended.
  ///   - resting: Consumers that ask for nothing before it is time.
  func isSettled(includingConsumers: Bool, resting: Set<ID> = []) -> Bool {
    if includingConsumers, !ending.isEmpty { return false }
    if isClosed { return true }
    if isFlushAwaited || runningFlushes > 0 { return false }
    if queue.contains(where: { observers[$0]?.phase == .queued }) { return false }
    guard includingConsumers else { return true }
    // Who rests after a fetch goes on by itself, and has to fetch then.
    return observers.allSatisfy { id, observer in
      observer.phase == .waiting || observer.isHeld && observer.pauses.contains(.control)
        || resting.contains(id)
    }
      && listeners.values.allSatisfy(\.isWaiting) && eventQueues.values.allSatisfy(\.isWaiting)
  }

  // MARK: Commits

  /// Whether anyone may ask which rows of a table were changed by the transaction that runs. Who comes
  /// later is told the table.
  func wantsRows(of table: TableName) -> Bool {
    // Whose value is being fetched may depend on any table.
    !listeners.isEmpty || !eventQueues.isEmpty || sequenceCount > 0
      || watchers.count < observers.count || watchers.watch(table)
  }

  /// Sequences of changes begin at the moment when they are made, before there is a listener.
  mutating func countSequences(_ difference: Int) {
    sequenceCount += difference
    interest.change()
  }

  /// Numbers a commit of whose rows nobody wanted any, if that is all there is to do: where interest has not
  /// changed since, everyone waits for other tables, and none will ask for it.
  mutating func skipCommit(at interest: UInt64) -> Bool {
    if interest != self.interest.current { return false }
    log.skip()
    return true
  }

  private mutating func startWatching(_ id: ID, into region: Region) {
    watchers.insert(id, into: region)
    interest.change()
  }

  private mutating func stopWatching(_ id: ID, from region: Region) {
    watchers.remove(id, from: region)
    interest.change()
  }

  mutating func commit(_ changes: ChangeSet) -> [Action] {
    let changes = log.append(changes)
    let trigger = DatabaseObservation.Trigger(changes)
    var actions = tell(.commit(changes))
    for id in watchers.affected(by: changes) {
      if let observer = observers[id] {
        stopWatching(id, from: observer.region)
        observers[id]?.phase = .queued
        observers[id]?.trigger = trigger
        wakeUpCount += 1
        queue.append(id)
      } else if let listener = listeners[id] {
        stopWatching(id, from: listener.region)
        listeners[id]?.isWaiting = false
        listeners[id]?.seen = changes.sequence
        actions.append(.deliver(changes.restricted(to: listener.region), to: id))
      }
    }
    return actions + flushIfNeeded()
  }

  /// A transaction that had changed these tables was rolled back.
  mutating func rollback(_ tables: Set<TableName>) -> [Action] { tell(.rollback(tables: tables)) }

  private mutating func tell(_ event: DatabaseObservation.TransactionEvent) -> [Action] {
    if eventQueues.isEmpty { return [] }
    return eventQueues.keys.sorted().compactMap { id in
      eventQueues[id]?.add(event).map { .tell($0, to: id) }
    }
  }

  // MARK: Flushes

  /// A read transaction has begun, and nothing was read in it yet: whatever it reads shows commit
  /// `seen`, and maybe later ones.
  mutating func beginFlush() -> (observers: [ID], seen: UInt64) {
    isFlushAwaited = false
    runningFlushes += 1
    flushCount += 1
    let batch = queue.filter { observers[$0]?.phase == .queued }
    queue = []
    for id in batch {
      observers[id]?.phase = .fetching
      observers[id]?.isExpired = false
    }
    return (batch, log.latest)
  }

  /// A value was fetched.
  ///
  /// - Parameters:
  ///   - isNew: Whether the consumer gets it; otherwise it goes on waiting.
  /// - Returns: Whether there is still a consumer to get it.
  mutating func didFetch(_ id: ID, seen: UInt64, region: Region, isNew: Bool) -> Bool {
    guard observers[id]?.phase == .fetching else { return false }
    observers[id]?.phase = .idle
    observers[id]?.seen = seen
    observers[id]?.region = region
    if !isNew { settle(id, .caughtUp) }
    return true
  }

  /// The flush is over.
  mutating func endFlush() -> [Action] {
    runningFlushes -= 1
    return flushIfNeeded()
  }

  /// The flush that was asked for could not begin.
  ///
  /// - Returns: Those who wait for it. Those whom a failure ends are not known any more.
  mutating func flushDidFail() -> [ID] {
    isFlushAwaited = false
    let failed = queue.filter { observers[$0]?.phase == .queued }
    queue = []
    for id in failed {
      if observers[id]?.endsOnFailure == true {
        end(id)
      } else {
        observers[id]?.phase = .idle
        observers[id]?.region = .everything
        observers[id]?.seen = flushAskedAt
        observers[id]?.isExpired = false
      }
    }
    return failed
  }

  func knows(_ id: ID) -> Bool {
    observers[id] != nil || listeners[id] != nil || eventQueues[id] != nil
  }

  /// The database is closed: everyone who waits has waited long enough.
  mutating func close() -> [Action] {
    isClosed = true
    let waiting =
      observers.filter { $0.value.phase != .idle || $0.value.isHeld }.map(\.key)
      + listeners.filter(\.value.isWaiting).map(\.key)
      + eventQueues.filter(\.value.isWaiting).map(\.key)
    for id in waiting { end(id) }
    return waiting.sorted().map { .end($0) }
  }

  /// Has an observer wait: for a fetch, or for a commit that makes one necessary.
  ///
  /// - Parameter trigger: Why it is fetched where its value is stale.
  private mutating func settle(_ id: ID, _ trigger: DatabaseObservation.Trigger) {
    guard var observer = observers[id] else { return }
    if !observer.pauses.isEmpty {
      observer.isHeld = true
    } else if !observer.isExpired, let seen = observer.seen,
      !log.overlaps(observer.region, after: seen)
    {
      observer.phase = .waiting
      observer.seen = log.latest
      startWatching(id, into: observer.region)
    } else {
      observer.phase = .queued
      observer.trigger = observer.seen == nil ? .first : trigger
      queue.append(id)
    }
    observers[id] = observer
  }

  private mutating func flushIfNeeded() -> [Action] {
    guard !queue.isEmpty, !isFlushAwaited, !isClosed, runningFlushes < Self.maximumFlushes else {
      return []
    }
    isFlushAwaited = true
    flushAskedAt = log.latest
    return [.flush]
  }
}
