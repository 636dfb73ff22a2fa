@_spi(Observing) internal import SQLiteCore
internal import Primitives

/// One database's centre of observation: learns of commits, and has stale values fetched.
///
/// It steps the ``Schedule`` under its lock, and performs what that says after letting go. The
/// database keeps it, so that it must not keep the database: those who observe do.
final class ChangeHub: Database.Service {
  typealias ID = Schedule.ID

  struct State {
    var schedule = Schedule()
    var observers: [ID: any Refreshable] = [:]
    var listeners: [ID: Inbox<ChangeSet>] = [:]
    var eventInboxes: [ID: Inbox<DatabaseObservation.TransactionEvent>] = [:]
    /// Whether the database's own commits are recorded.
    var isRecorded = false
    /// The fetches that run now, and what stops them.
    var running: [ID: Connection.CancellationScope] = [:]
    /// Consumers that ask for nothing before it is time, and whether that is so still.
    var resting: [ID: @Sendable () -> Bool] = [:]
    /// Those who wait until nothing is to be done.
    var settlers: [Settler] = []
  }

  let state = Mutex(State())
  private struct WeakDatabase {
    weak var database: Database?
  }

  private var database: Database? { weakDatabase.database }
  private let weakDatabase: WeakDatabase
  /// Where the databases on the same file meet; `nil` where there can be no other.
  let exchange: CommitExchange?
  let interest: Hooks.ChangeInterest
  private let installed = Atomic<Bool>(false)
  /// Keeps what observers cost, and tells why they fetch.
  let inspector = Inspector()

  static let closedError = SQLiteError(code: .closed, message: "the database is closed")

  init(_ database: Database) {
    weakDatabase = WeakDatabase(database: database)
    interest = state.withLock { $0.schedule.interest }
    exchange = database.file.flatMap { file in
      file.following(CommitExchange.self) { CommitExchange(file) { ChangeHub.of($0) } }
    }
  }

  /// Whether it is told of commits: its database's own, and those of others who have opened the file.
  var isInstalled: Bool { installed.load(ordering: .acquiring) }

  static func of(_ database: Database) -> ChangeHub {
    database.service(ChangeHub.self) { ChangeHub(database) }
  }

  // MARK: Commits

  /// Has the database's commits recorded from now on. Only the first call waits for the writer.
  func install(in database: Database) async throws {
    if isInstalled { return }
    try await record(in: database)
    try await exchange?.record(for: self)
    // Not before: until then, whoever is a member of the exchange is somebody else.
    installed.store(true, ordering: .releasing)
  }

  /// Runs on the connection that writes, which one access uses at a time.
  func attach(to connection: Connection) throws {
    if state.withLock({ $0.isRecorded }) { return }
    let writer = RecordedWriter(hub: self, exchange: exchange)
    try connection.hooks.add(try CommitRecorder(connection, follower: writer))
    state.withLock { $0.isRecorded = true }
  }

  func rollback(_ tables: Set<TableName>) {
    perform(state.withLock { $0.schedule.rollback(tables) })
  }

  func publish(_ changes: ChangeSet) {
    perform(state.withLock { $0.schedule.commit(changes) })
  }

  /// Takes a region for changed.
  func notify(_ region: Region) {
    let changes = ChangeSet(changing: region)
    if changes.isEmpty { return }
    publish(changes)
    exchange?.tell(changes, from: self)
  }

  /// Has other processes' commits told of, too.
  func observe(_ others: DatabaseObservation.CrossProcess, in database: Database) async throws {
    try await install(in: database)
    try await exchange?.observe(others, with: database)
  }

  /// Looks whether another process has committed.
  func noticeOthers() async { await exchange?.check() }

  /// What the hub's observers are, and the log, as they are now.
  func inspect<Result>(_ body: (Schedule) -> Result) -> Result {
    state.withLock { body($0.schedule) }
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

  /// Forgets a consumer, and stops its fetch if that runs.
  func remove(_ id: ID) {
    let released = state.withLock { state in
      state.schedule.remove(id)
      state.running[id]?.cancel()
      state.eventInboxes[id] = nil
      state.resting[id] = nil
      return (state.observers.removeValue(forKey: id), state.listeners.removeValue(forKey: id))
    }
    // What the closures hold is let go here, and not under the lock.
    withExtendedLifetime(released) {}
    inspector.didEnd(id)
    releaseSettled()
  }

  func demand(_ id: ID) { perform(state.withLock { $0.schedule.demand(id) }) }

  func pause(_ id: ID, _ reason: Schedule.Pause = .control) {
    state.withLock { $0.schedule.pause(id, reason) }
    releaseSettled()
  }

  func resume(_ id: ID, _ reason: Schedule.Pause = .control) {
    perform(state.withLock { $0.schedule.resume(id, reason) })
  }

  /// Takes a value for stale.
  func expire(_ id: ID) { perform(state.withLock { $0.schedule.expire(id) }) }

  func databaseDidClose() {
    let actions = state.withLock { state in
      for fetch in state.running.values { fetch.cancel() }
      return state.schedule.close()
    }
    perform(actions)
    inspector.close()
    releaseSettled()
  }

  // MARK: Actions

  private func perform(_ actions: [Schedule.Action]) {
    defer { releaseSettled() }
    for action in actions {
      switch action {
      case .flush: flush()
      case .deliver(let changes, let id):
        state.withLock { $0.listeners[id] }?.deliver(changes)
      case .tell(let event, let id):
        state.withLock { $0.eventInboxes[id] }?.deliver(event)
      case .end(let id):
        fail(id, Self.closedError)
      }
    }
  }

  private func fail(_ id: ID, _ error: any Error) {
    inspector.didFail(id, error, isLast: !state.withLock { $0.schedule.knows(id) })
    let (observer, listener, events) = state.withLock { state in
      let events = state.eventInboxes.removeValue(forKey: id)
      if state.schedule.knows(id) { return (state.observers[id], state.listeners[id], events) }
      return (
        state.observers.removeValue(forKey: id), state.listeners.removeValue(forKey: id), events
      )
    }
    observer?.fail(error)
    listener?.fail(error)
    events?.fail(error)
  }

  /// Has a reader fetch everything that is stale, in one transaction, on the reader's thread.
  private func flush() {
    // Who observes keeps the database: where it is gone, nobody waits.
    guard let database else { return }
    Task.detached { [self] in
      do {
        try await database.read { connection in self.refresh(with: connection) }
        perform(state.withLock { $0.schedule.endFlush() })
      } catch {
        for id in state.withLock({ $0.schedule.flushDidFail() }) { fail(id, error) }
        releaseSettled()
      }
    }
  }

  private func refresh(with connection: Connection) {
    let (batch, seen) = state.withLock { $0.schedule.beginFlush() }
    let flush = FlushMemory()
    for id in batch {
      connection.withCancellablePart {
        refresh(id, with: connection, in: flush, as: $0, seen: seen)
      }
    }
  }

  private func refresh(
    _ id: ID, with connection: Connection, in flush: FlushMemory,
    as fetch: Connection.CancellationScope,
    seen: UInt64
  ) {
    let begun = state.withLock { state -> (any Refreshable, Schedule.WakeUp)? in
      guard let observer = state.observers[id], let wakeUp = state.schedule.wakeUp(of: id)
      else { return nil }
      state.running[id] = fetch
      return (observer, wakeUp)
    }
    guard let (observer, wakeUp) = begun else { return }
    let cause = inspector.isWatched ? cause(of: wakeUp, upTo: seen) : nil
    let start = ContinuousClock.now
    let fetched = observer.fetch(from: connection, in: flush)
    let duration = start.duration(to: .now)
    let isWanted = state.withLock { state in
      state.running[id] = nil
      if let region = fetched.region {
        return state.schedule.didFetch(id, seen: seen, region: region, isNew: fetched.isNew)
      }
      guard state.observers.removeValue(forKey: id) != nil else { return false }
      state.schedule.end(id)
      return true
    }
    guard isWanted else { return }
    // Before the consumer has it, and goes on.
    inspector.didFetch(id, wakeUp.trigger, cause, fetched, in: duration)
    fetched.deliver()
  }
}

/// Someone whose value can be fetched anew.
protocol Refreshable: AnyObject, Sendable {
  /// Fetches the value, in a read transaction.
  func fetch(from connection: Connection, in flush: FlushMemory) -> Fetched

  /// Tells the consumer that its value can't be read.
  func fail(_ error: any Error)
}

/// What a fetch came to.
struct Fetched {
  /// What the value depends on; `nil` where the fetch has failed, and that is the end.
  var region: Region?
  /// Whether the consumer gets it.
  var isNew: Bool
  /// Why the fetch has failed.
  var error: (any Error)?
  /// Hands the consumer the value, or the error.
  var deliver: () -> Void
}
