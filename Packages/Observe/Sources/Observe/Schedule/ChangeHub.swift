@_spi(Observing) internal import SQLiteCore
internal import Primitives

/// The observation state of one database: records its commits, and schedules fetches of stale
/// values.
///
/// It advances the ``Schedule`` under a lock, and performs the resulting actions after releasing
/// the lock. The database retains the hub, so the hub must not retain the database: consumers do.
///
/// The database is an SQLite database, from which connections read values, or a ``ChangeSource``, from which
/// asynchronous functions do.
final class ChangeHub: Database.Service {
  typealias ID = Schedule.ID

  struct State {
    var schedule = Schedule()
    var observers: [ID: any Refreshable] = [:]
    var listeners: [ID: Inbox<ChangeSet>] = [:]
    var eventInboxes: [ID: Inbox<DatabaseObservation.TransactionEvent>] = [:]
    /// Indicates whether the database's own commits are recorded.
    var isRecorded = false
    /// The running fetches, with the scopes that cancel them.
    var runningFetches: [ID: RunningFetch] = [:]
    /// Consumers that deliberately request nothing, with a function that returns whether this is
    /// still true.
    var throttled: [ID: @Sendable () -> Bool] = [:]
    /// The tasks that wait until the hub is idle.
    var idleWaiters: [(inbox: Inbox<Void>, includesConsumers: Bool)] = []
    /// The commits of a ``ChangeSource`` that are not known to be visible.
    var unconfirmed = UnconfirmedCommits()
    var flushRetries = FlushRetries()
  }

  /// Cancels a fetch.
  enum RunningFetch {
    case scope(Connection.CancellationScope)
    case task(Task<LoadedValue, Never>)

    func cancel() {
      switch self {
      case .scope(let scope): scope.cancel()
      case .task(let task): task.cancel()
      }
    }
  }

  let state = Mutex(State())
  struct WeakOrigin: Sendable {
    weak var database: Database?
    weak var source: (any ChangeSource)?
  }

  private var database: Database? { weakOrigin.database }
  private let weakOrigin: WeakOrigin
  /// The source, which is set when it is first observed.
  let weakSource = Mutex(WeakOrigin())
  /// Shares commits between the databases on one file; `nil` if no other database can open the
  /// file.
  let broadcaster: CommitBroadcaster?
  let interest: Hooks.ChangeInterest
  private let installed = Atomic<Bool>(false)
  /// Counts the observers' fetches, and delivers observation events.
  let inspector = Inspector()
  /// Indicates whether the queries of the database's connections are observed.
  private let observesQueries = Mutex(false)

  static let closedError = SQLiteError(code: .closed, message: "the database is closed")

  init(_ database: Database) {
    weakOrigin = WeakOrigin(database: database)
    interest = state.withLock { $0.schedule.interest }
    broadcaster = database.file.flatMap { file in
      file.observer(CommitBroadcaster.self) { CommitBroadcaster(file) { ChangeHub.of($0) } }
    }
  }

  /// Creates the hub of a ``ChangeSource``.
  init() {
    weakOrigin = WeakOrigin()
    interest = state.withLock { $0.schedule.interest }
    broadcaster = nil
  }

  /// Indicates whether the hub receives the commits of its database and of other databases on the
  /// file.
  var isInstalled: Bool { installed.load(ordering: .acquiring) }

  static func of(_ database: Database) -> ChangeHub {
    database.service(ChangeHub.self) { ChangeHub(database) }
  }

  // MARK: Commits

  /// Starts recording the database's commits. Only the first call waits for the writer.
  func install(in database: Database) async throws {
    if isInstalled { return }
    try await record(in: database)
    try await broadcaster?.record(for: self)
    // Set last: until then, every receiver of the broadcaster counts as another database.
    installed.store(true, ordering: .releasing)
  }

  /// Starts recording commits on the writer connection, which one thread accesses at a time.
  func attach(to connection: Connection) throws {
    if state.withLock({ $0.isRecorded }) { return }
    let writer = RecordedWriter(hub: self, broadcaster: broadcaster)
    try connection.hooks.add(try CommitRecorder(connection, delegate: writer))
    state.withLock { $0.isRecorded = true }
  }

  func rollback(_ tables: Set<TableName>) {
    perform(state.withLock { $0.schedule.rollback(tables) })
  }

  func publish(_ changes: ChangeSet) {
    perform(state.withLock { $0.schedule.commit(changes) })
  }

  /// Publishes a region as changed.
  func notify(_ region: Region) {
    let changes = ChangeSet(changing: region)
    if changes.isEmpty { return }
    publish(changes)
    broadcaster?.notify(changes, from: self)
  }

  /// Starts observing the commits of other processes.
  func observe(_ mode: DatabaseObservation.CrossProcess, in database: Database) async throws {
    try await install(in: database)
    try await broadcaster?.observe(mode, with: database)
  }

  /// Checks whether another process has committed.
  func checkForExternalChanges() async { await broadcaster?.check() }

  /// Calls `body` with the current schedule and its log.
  func inspect<Result>(_ body: (Schedule) -> Result) -> Result {
    state.withLock { body($0.schedule) }
  }

  /// Observes the queries of the database's connections while a listener receives repeated queries.
  func updateQueryObservers() {
    // Released after the lock.
    guard let database else { return }
    let makeObserver: @Sendable () -> any Hooks.QueryObserver = { [inspector] in
      RepeatedQueryDetector { inspector.didRepeat($0) }
    }
    observesQueries.withLock { isObserving in
      let isNeeded = inspector.reportsRepeatedQueries
      guard isNeeded != isObserving else { return }
      isObserving = isNeeded
      database.observeQueries(isNeeded ? makeObserver : nil)
    }
  }

  /// The number of the last commit; `nil` while commits are not recorded.
  var position: UInt64? {
    isInstalled ? state.withLock { $0.schedule.log.latest } : nil
  }

  // MARK: Consumers

  func add(
    _ observer: any Refreshable, endsOnFailure: Bool = true, name: String? = nil
  ) -> ID {
    let id = state.withLock { state in
      let id = state.schedule.addObserver(endsOnFailure: endsOnFailure)
      state.observers[id] = observer
      return id
    }
    inspector.didBegin(id, name: name)
    return id
  }

  func add(_ inbox: Inbox<ChangeSet>, region: Region, after sequence: UInt64?) -> ID {
    state.withLock { state in
      let id = state.schedule.addListener(to: region, after: sequence)
      state.listeners[id] = inbox
      return id
    }
  }

  func countSequences(_ difference: Int) {
    state.withLock { $0.schedule.countSequences(difference) }
  }

  func add(_ inbox: Inbox<DatabaseObservation.TransactionEvent>) -> ID {
    state.withLock { state in
      let id = state.schedule.addEventQueue()
      state.eventInboxes[id] = inbox
      return id
    }
  }

  /// Removes a consumer, and cancels its running fetch.
  func remove(_ id: ID) {
    let (released, isLast) = state.withLock { state in
      state.schedule.remove(id)
      state.runningFetches[id]?.cancel()
      state.eventInboxes[id] = nil
      state.throttled[id] = nil
      let released = (
        state.observers.removeValue(forKey: id), state.listeners.removeValue(forKey: id)
      )
      return (released, !state.schedule.hasConsumers)
    }
    if isLast { sourceIfAny?.endObserving() }
    // Objects captured by the closures are released here, and not under the lock.
    withExtendedLifetime(released) {}
    inspector.didEnd(id)
    resumeIdleWaiters()
  }

  func demand(_ id: ID) { perform(state.withLock { $0.schedule.demand(id) }) }

  func pause(_ id: ID, _ reason: Schedule.Pause = .control) {
    state.withLock { $0.schedule.pause(id, reason) }
    resumeIdleWaiters()
  }

  func resume(_ id: ID, _ reason: Schedule.Pause = .control) {
    perform(state.withLock { $0.schedule.resume(id, reason) })
  }

  /// Marks a value as stale.
  func expire(_ id: ID) { perform(state.withLock { $0.schedule.expire(id) }) }

  func databaseDidClose() {
    let actions = state.withLock { state in
      for fetch in state.runningFetches.values { fetch.cancel() }
      return state.schedule.close()
    }
    perform(actions)
    inspector.close()
    resumeIdleWaiters()
  }

  // MARK: Actions

  func perform(_ actions: [Schedule.Action]) {
    defer { resumeIdleWaiters() }
    for action in actions {
      switch action {
      case .flush: flush()
      case .deliver(let changes, let id):
        state.withLock { $0.listeners[id] }?.deliver(changes)
      case .notify(let event, let id):
        state.withLock { $0.eventInboxes[id] }?.deliver(event)
      case .end(let id):
        fail(id, Self.closedError)
      }
    }
  }

  func fail(_ id: ID, _ error: any Error) {
    inspector.didFail(id, error, isLast: !state.withLock { $0.schedule.contains(id) })
    let (observer, listener, events) = state.withLock { state in
      let events = state.eventInboxes.removeValue(forKey: id)
      if state.schedule.contains(id) { return (state.observers[id], state.listeners[id], events) }
      return (
        state.observers.removeValue(forKey: id), state.listeners.removeValue(forKey: id), events
      )
    }
    observer?.fail(error)
    listener?.fail(error)
    events?.fail(error)
  }

  /// Fetches all stale values in one transaction, on a reader's thread.
  private func flush() {
    // Observers retain the database: if it is deallocated, no consumer waits.
    guard let database else {
      if let source = sourceIfAny { flush(from: source) }
      return
    }
    Task.detached { [self] in
      do {
        try await database.read { connection in self.refresh(with: connection) }
        perform(state.withLock { $0.schedule.endFlush() })
      } catch {
        for id in state.withLock({ $0.schedule.flushDidFail() }) { fail(id, error) }
        resumeIdleWaiters()
      }
    }
  }

  private func refresh(with connection: Connection) {
    let (batch, seen) = state.withLock { $0.schedule.beginFlush() }
    let cache = RefreshCache()
    for id in batch {
      connection.withCancellationScope {
        refresh(id, with: connection, in: cache, as: $0, seen: seen)
      }
    }
  }

  private func refresh(
    _ id: ID, with connection: Connection, in cache: RefreshCache,
    as fetch: Connection.CancellationScope,
    seen: UInt64
  ) {
    guard let (observer, scheduled) = beginFetch(id, .scope(fetch)) else { return }
    let cause = inspector.hasListeners ? inspect { $0.log }.cause(of: scheduled, upTo: seen) : nil
    let start = ContinuousClock.now
    let fetched = observer.fetch(.connection(connection), in: cache)
    let duration = start.duration(to: .now)
    if let detector = connection.hooks.queryObserver as? RepeatedQueryDetector {
      inspector.didRepeat(detector.takeRepeatedQueries(), in: id)
    }
    finishFetch(id, scheduled, fetched, cause, duration, seen: seen)
  }

  /// Registers a fetch, unless the observer was removed.
  func beginFetch(_ id: ID, _ fetch: RunningFetch) -> (any Refreshable, Schedule.Observer)? {
    state.withLock { state in
      guard let observer = state.observers[id], let scheduled = state.schedule.observers[id]
      else { return nil }
      state.runningFetches[id] = fetch
      return (observer, scheduled)
    }
  }

  /// Records the result of a fetch, and delivers it.
  func finishFetch(
    _ id: ID, _ scheduled: Schedule.Observer, _ fetched: FetchResult,
    _ cause: DatabaseObservation.Cause?, _ duration: Duration, seen: UInt64
  ) {
    let isWanted = state.withLock { state in
      state.runningFetches[id] = nil
      if let region = fetched.region {
        return state.schedule.didFetch(id, seen: seen, region: region, isNew: fetched.isNew)
      }
      guard state.observers.removeValue(forKey: id) != nil else { return false }
      state.schedule.end(id)
      return true
    }
    guard isWanted else { return }
    // Before the consumer receives the value and continues.
    inspector.didFetch(id, scheduled.trigger, cause, fetched, in: duration)
    fetched.deliver()
  }
}

/// An observer whose value can be fetched again.
protocol Refreshable: AnyObject, Sendable {
  /// Fetches the value, in a read transaction, or takes it from a value that was loaded.
  func fetch(_ input: FetchContext.Input, in cache: RefreshCache) -> FetchResult

  /// Identifies equal values that are loaded once; `nil` if the value is not shared.
  var sharingKey: SharingKey? { get }

  /// Reads the value from the snapshot of a ``ChangeSource``.
  func load(from snapshot: any Sendable) async -> LoadedValue

  /// Notifies the consumer that its value can't be read.
  func fail(_ error: any Error)

  /// Ends the iteration with an error.
  func end(throwing error: any Error)
}

/// The result of a fetch.
struct FetchResult {
  /// The region that the value depends on; `nil` if the fetch failed, and the observer ends.
  var region: Region?
  /// Indicates whether the consumer receives the result.
  var isNew: Bool
  /// The error of a failed fetch.
  var error: (any Error)?
  /// Delivers the value or the error to the consumer.
  var deliver: () -> Void
}
