internal import SQLiteCore

/// Decides which observers fetch, and when: a state machine without locks, threads or a database.
///
/// Work follows demand. An observer whose consumer is busy has no cost, regardless of the number of
/// commits; when the consumer requests the next value, the log shows whether its value is stale.
/// Observers whose consumers wait are looked up by table at each commit, and all stale observers
/// are fetched together.
struct Schedule {
  typealias ID = UInt64

  /// An action that the owner performs after releasing its lock.
  enum Action: Equatable {
    /// Begin a read transaction, and call ``Schedule/beginFlush()`` within it.
    case flush
    /// Deliver a change set to a listener.
    case deliver(ChangeSet, to: ID)
    /// Deliver a transaction event.
    case notify(DatabaseObservation.TransactionEvent, to: ID)
    /// End this observer or listener, because the database is closed.
    case end(ID)
  }

  enum Phase: Equatable {
    /// The consumer is processing the last value.
    case idle
    /// The consumer waits, and its value is current.
    case waiting
    /// The consumer waits for a fetch that has not begun.
    case queued
    case fetching
  }

  /// The reason why an observer is paused.
  enum Pause {
    /// A ``DatabaseObservation/Control`` paused the observer.
    case control
    /// An expensive fetch is followed by a pause.
    case cooldown
  }

  struct Observer {
    var phase = Phase.idle
    /// The reason for which it was last queued.
    var trigger = DatabaseObservation.Trigger.first
    /// The region that the last value depends on.
    var region = Region.nothing
    /// The last commit that the value is known to show; `nil` before there is a value.
    var seen: UInt64?
    /// Indicates whether the observer ends if its value can't be read. Otherwise it waits for the
    /// next commit.
    var endsOnFailure = true
    /// The active pauses. While there is one, no fetch is scheduled.
    var pauses: Set<Pause> = []
    /// Indicates whether the consumer waits for a value while the observer is paused.
    var hasPendingDemand = false
    /// Indicates whether the value is stale regardless of commits.
    var isExpired = false
  }

  private struct Listener {
    var region: Region
    /// The last delivered commit; `nil` until the consumer's first request.
    var seen: UInt64?
    var isWaiting = false
  }

  private(set) var log: ChangeLog
  private(set) var isClosed = false
  private var lastID: ID = 0
  private(set) var observers: [ID: Observer] = [:]
  private var listeners: [ID: Listener] = [:]
  private var eventQueues: [ID: EventQueue] = [:]
  private var waitingConsumers = RegionIndex()
  /// The number of change sequences that may be iterated.
  private var sequenceCount = 0
  /// Changes whenever the result of ``wantsRows(of:)`` may change.
  let interest = Hooks.ChangeInterest()
  private var queue: [ID] = []
  /// The consumers that were notified of their end, and may not have handled it. They are no longer
  /// in `observers`.
  private var endedConsumers: Set<ID> = []
  /// Indicates whether a flush was requested that has not begun.
  private var isFlushAwaited = false
  /// The last commit at the time of the request.
  private var flushRequestedAt: UInt64 = 0
  private var runningFlushes = 0
  /// The number of flushes that have begun.
  private(set) var flushCount = 0
  /// The total number of observers that commits have queued.
  private(set) var wakeUpCount = 0

  /// The maximum number of concurrent flushes. A second one prevents a slow fetch from delaying all
  /// others.
  private static let maximumFlushes = 2

  init(log: ChangeLog = ChangeLog()) { self.log = log }

  // MARK: Consumers

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

  /// Adds a consumer that receives every transaction from now on.
  mutating func addEventQueue(_ queue: EventQueue = EventQueue()) -> ID {
    lastID += 1
    eventQueues[lastID] = queue
    interest.change()
    return lastID
  }

  mutating func remove(_ id: ID) {
    endedConsumers.remove(id)
    eventQueues[id] = nil
    if let observer = observers.removeValue(forKey: id), observer.phase == .waiting {
      stopWaiting(id, from: observer.region)
    }
    if let listener = listeners.removeValue(forKey: id), listener.isWaiting {
      stopWaiting(id, from: listener.region)
    }
    interest.change()
  }

  /// Ends a consumer. It must be removed when it has handled the end.
  mutating func end(_ id: ID) {
    remove(id)
    endedConsumers.insert(id)
  }

  /// Called when a consumer requests its next element.
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
      startWaiting(id, into: listener.region)
    } else if let observer = observers[id], observer.phase == .idle {
      waitOrEnqueue(id, .caughtUp)
    } else if let event = eventQueues[id]?.next() {
      return [.notify(event, to: id)]
    }
    return flushIfNeeded()
  }

  /// Pauses an observer: neither a commit nor its consumer causes a fetch. A running fetch
  /// continues.
  mutating func pause(_ id: ID, _ reason: Pause = .control) {
    guard var observer = observers[id], observer.pauses.insert(reason).inserted else { return }
    if observer.phase == .waiting { stopWaiting(id, from: observer.region) }
    if observer.phase == .queued { queue.removeAll { $0 == id } }
    if observer.phase == .waiting || observer.phase == .queued {
      observer.phase = .idle
      observer.hasPendingDemand = true
    }
    observers[id] = observer
  }

  /// Ends a pause of an observer, and schedules it if no other pause is active.
  mutating func resume(_ id: ID, _ reason: Pause = .control) -> [Action] {
    guard var observer = observers[id], observer.pauses.remove(reason) != nil else { return [] }
    let isPending = observer.hasPendingDemand && observer.pauses.isEmpty
    if isPending { observer.hasPendingDemand = false }
    observers[id] = observer
    if isPending { waitOrEnqueue(id, .resumed) }
    return flushIfNeeded()
  }

  /// Marks an observer's value as stale regardless of commits. Has no effect if a fetch is queued
  /// or running.
  mutating func expire(_ id: ID) -> [Action] {
    guard let phase = observers[id]?.phase, phase == .idle || phase == .waiting else { return [] }
    observers[id]?.isExpired = true
    if phase == .waiting, let observer = observers[id] {
      stopWaiting(id, from: observer.region)
      waitOrEnqueue(id, .expired)
    }
    return flushIfNeeded()
  }

  /// Returns whether no fetch is queued or running.
  ///
  /// - Parameters:
  ///   - includingConsumers: Whether each consumer must also wait for a commit, or have ended.
  ///   - throttled: The consumers that deliberately request nothing.
  func isIdle(includingConsumers: Bool, throttled: Set<ID> = []) -> Bool {
    if includingConsumers, !endedConsumers.isEmpty { return false }
    if isClosed { return true }
    if isFlushAwaited || runningFlushes > 0 { return false }
    if queue.contains(where: { observers[$0]?.phase == .queued }) { return false }
    guard includingConsumers else { return true }
    // An observer in a cooldown resumes on its own, and may then have to fetch.
    return observers.allSatisfy { id, observer in
      observer.phase == .waiting || observer.hasPendingDemand && observer.pauses.contains(.control)
        || throttled.contains(id)
    }
      && listeners.values.allSatisfy(\.isWaiting) && eventQueues.values.allSatisfy(\.isWaiting)
  }

  // MARK: Commits

  /// Returns whether the rows of a table that the current transaction changes may be needed.
  /// Observers that are added later receive only the table.
  func wantsRows(of table: TableName) -> Bool {
    // A value that is being fetched may depend on any table.
    !listeners.isEmpty || !eventQueues.isEmpty || sequenceCount > 0
      || waitingConsumers.count < observers.count || waitingConsumers.mayBeAffected(by: table)
  }

  /// Counts change sequences, which begin when they are created, before there is a listener.
  mutating func countSequences(_ difference: Int) {
    sequenceCount += difference
    interest.change()
  }

  /// Assigns a number to a commit whose rows were not needed, if no other action is required: if
  /// interest has not changed since, all observers wait for other tables, and none will need the
  /// commit.
  mutating func skipCommit(at interest: UInt64) -> Bool {
    if interest != self.interest.current { return false }
    log.skip()
    return true
  }

  private mutating func startWaiting(_ id: ID, into region: Region) {
    waitingConsumers.insert(id, into: region)
    interest.change()
  }

  private mutating func stopWaiting(_ id: ID, from region: Region) {
    waitingConsumers.remove(id, from: region)
    interest.change()
  }

  mutating func commit(_ changes: ChangeSet) -> [Action] {
    let changes = log.append(changes)
    let trigger = DatabaseObservation.Trigger(changes)
    var actions = notify(.commit(changes))
    for id in waitingConsumers.affected(by: changes) {
      if let observer = observers[id] {
        stopWaiting(id, from: observer.region)
        observers[id]?.phase = .queued
        observers[id]?.trigger = trigger
        wakeUpCount += 1
        queue.append(id)
      } else if let listener = listeners[id] {
        stopWaiting(id, from: listener.region)
        listeners[id]?.isWaiting = false
        listeners[id]?.seen = changes.sequence
        actions.append(.deliver(changes.restricted(to: listener.region), to: id))
      }
    }
    return actions + flushIfNeeded()
  }

  /// Called when a transaction was rolled back that had changed the given tables.
  mutating func rollback(_ tables: Set<TableName>) -> [Action] { notify(.rollback(tables: tables)) }

  private mutating func notify(_ event: DatabaseObservation.TransactionEvent) -> [Action] {
    if eventQueues.isEmpty { return [] }
    return eventQueues.keys.sorted().compactMap { id in
      eventQueues[id]?.add(event).map { .notify($0, to: id) }
    }
  }

  // MARK: Flushes

  /// Called at the start of a read transaction, before the first read: all its reads show commit
  /// `seen`, and possibly later ones.
  mutating func beginFlush() -> (observers: [ID], seen: UInt64) {
    let batch = takeQueue { _ in true }
    return (batch, log.latest)
  }

  /// Called at the start of a read transaction that shows the commits up to `seen`, but possibly not the latest ones.
  ///
  /// An observer that waits for a commit that is not shown remains queued, unless the transaction shows another change of
  /// its value.
  mutating func beginFlush(showing seen: UInt64) -> [ID] {
    if seen >= log.latest { return beginFlush().observers }
    let log = log
    return takeQueue { observer in
      guard let last = observer.seen, !observer.isExpired else { return true }
      return log.overlaps(observer.region, after: last, through: seen)
        || !log.overlaps(observer.region, after: last)
    }
  }

  private mutating func takeQueue(where isIncluded: (Observer) -> Bool) -> [ID] {
    isFlushAwaited = false
    runningFlushes += 1
    flushCount += 1
    var batch: [ID] = []
    var rest: [ID] = []
    for id in queue {
      guard let observer = observers[id], observer.phase == .queued else { continue }
      if isIncluded(observer) { batch.append(id) } else { rest.append(id) }
    }
    queue = rest
    for id in batch {
      observers[id]?.phase = .fetching
      observers[id]?.isExpired = false
    }
    return batch
  }

  /// Queues observers again whose fetches in the current flush did not take place.
  mutating func requeue(_ ids: some Sequence<ID>) {
    for id in ids where observers[id]?.phase == .fetching {
      if observers[id]?.pauses.isEmpty == true {
        observers[id]?.phase = .queued
        queue.append(id)
      } else {
        observers[id]?.phase = .idle
        observers[id]?.hasPendingDemand = true
      }
    }
  }

  /// Indicates whether a fetch is queued.
  var hasQueue: Bool { !queue.isEmpty }

  /// Indicates whether there are consumers.
  var hasConsumers: Bool {
    !observers.isEmpty || !listeners.isEmpty || !eventQueues.isEmpty
  }

  /// Ends all consumers, because their database can no longer be observed.
  mutating func endAll() -> [ID] {
    let all = Array(observers.keys) + listeners.keys + eventQueues.keys
    for id in all { end(id) }
    queue = []
    return all.sorted()
  }

  /// Records a fetched value.
  ///
  /// - Parameters:
  ///   - isNew: Whether the consumer receives the value. Otherwise it continues to wait.
  /// - Returns: Whether the consumer still exists.
  mutating func didFetch(_ id: ID, seen: UInt64, region: Region, isNew: Bool) -> Bool {
    guard observers[id]?.phase == .fetching else { return false }
    observers[id]?.phase = .idle
    observers[id]?.seen = seen
    observers[id]?.region = region
    if !isNew { waitOrEnqueue(id, .caughtUp) }
    return true
  }

  /// Called when a flush has ended.
  mutating func endFlush() -> [Action] {
    runningFlushes -= 1
    return flushIfNeeded()
  }

  /// Called when the requested flush could not begin.
  ///
  /// - Returns: The observers that waited for the flush. Observers that end on failure have been
  ///   removed.
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
        observers[id]?.seen = flushRequestedAt
        observers[id]?.isExpired = false
      }
    }
    return failed
  }

  func contains(_ id: ID) -> Bool {
    observers[id] != nil || listeners[id] != nil || eventQueues[id] != nil
  }

  /// Ends all waiting consumers, because the database is closed.
  mutating func close() -> [Action] {
    isClosed = true
    let waiting =
      observers.filter { $0.value.phase != .idle || $0.value.hasPendingDemand }.map(\.key)
      + listeners.filter(\.value.isWaiting).map(\.key)
      + eventQueues.filter(\.value.isWaiting).map(\.key)
    for id in waiting { end(id) }
    return waiting.sorted().map { .end($0) }
  }

  /// Makes an observer wait for a fetch, or for a commit that requires one.
  ///
  /// - Parameter trigger: The reason of the fetch if the value is stale.
  private mutating func waitOrEnqueue(_ id: ID, _ trigger: DatabaseObservation.Trigger) {
    guard var observer = observers[id] else { return }
    if !observer.pauses.isEmpty {
      observer.hasPendingDemand = true
    } else if !observer.isExpired, let seen = observer.seen,
      !log.overlaps(observer.region, after: seen)
    {
      observer.phase = .waiting
      observer.seen = log.latest
      startWaiting(id, into: observer.region)
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
    flushRequestedAt = log.latest
    return [.flush]
  }
}
