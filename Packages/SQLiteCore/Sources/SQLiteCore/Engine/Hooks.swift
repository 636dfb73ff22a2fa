internal import CSQLite

/// The one owner of a connection's hooks: whoever wants events subscribes here.
///
/// SQLite has one slot for each hook, and who fills it drives out who was there. This arbiter fills
/// them all, and hands each event to every subscriber, in the order of their subscription. A hook
/// that nobody subscribes to costs nothing, but for the authorizer, which is called while a
/// statement is compiled.
@safe public final class Hooks {
  private weak var handle: ConnectionHandle?
  private var lastID: UInt64 = 0
  /// The number of subscriptions.
  private(set) var subscriptionCount = 0

  var observers = Subscribers<any TransactionObserver>() {
    didSet {
      isObserved = !observers.isEmpty
      interests = observers.only?.interests
      declined.value.statement = nil
    }
  }
  /// Whether there are ``observers``: asked for each statement that runs.
  private(set) var isObserved = false
  /// What the answers of the one observer rest on, where there is one.
  private(set) var interests: ChangeInterests?
  var authorizers = Subscribers<(AuthorizationRequest) -> Authorization>()
  var profilers = Subscribers<(Statement.Profile) -> Void>()
  var progress = Subscribers<() -> Bool>()
  var walCommits = Subscribers<(_ schema: String, _ pages: Int) -> Void>()
  var tracers = Subscribers<Tracer>()
  var updates = Subscribers<(RowChange.Kind, TableName, RowID) -> Void>()
  /// The connection's sessions, which share the preupdate hook's slot with the observers.
  var sessions = SessionSlot()
  var state: HookState
  /// Whether there is anything to tell, as ``state`` knows it: asked after each statement that runs.
  let news = UncheckedBox(false)
  /// Whether the connection differs from one that was just opened: by a `PRAGMA`, a temporary table,
  /// an attached database or a registered function, say. Read after each access.
  let hasChangedSettings = UncheckedBox(false)
  /// The length in pages from which on a log is brought into the file, while commits are reported.
  var automaticCheckpointPages = 0
  /// The one moment of the transaction that is open, once someone has asked for it.
  var transactionMoment: Double? {
    didSet { if transactionMoment != nil { state.hasNews = true } }
  }
  /// Whether the engine tells of no changes, during a step of which nobody wants to know any.
  var isMuted = false
  /// Whether statements were compiled meanwhile.
  var hasCompiledMuted = false
  /// The last run whose changes nobody wanted, until the observers are told of something.
  let declined = UncheckedBox(Declined())
  /// Whether the engine compiles something of this package's own, which is no one's business.
  private(set) var isAskingItself = false
  /// How many calls of the engine have yet to return, of those that it makes while no statement runs.
  private(set) var callDepth = 0

  /// Runs what has the engine compile something of this package's own.
  func askingItself<Result, Failure: Error>(
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let wasAskingItself = isAskingItself
    isAskingItself = true
    defer { isAskingItself = wasAskingItself }
    return try body()
  }

  init() { state = HookState(news: news, hasChangedSettings: hasChangedSettings) }

  /// The context that the engine hands back to its callbacks: the handle keeps this object.
  var context: UnsafeMutableRawPointer {
    unsafe Unmanaged.passUnretained(self).toOpaque()
  }

  func attach(to handle: ConnectionHandle) {
    self.handle = handle
    guard let db = unsafe try? handle.pointer() else { return }
    unsafe sqlite3_set_authorizer(db, authorizeCallback, context)
  }

  /// Empties every slot: the engine calls nobody any more.
  static func detach(from db: OpaquePointer) {
    unsafe sqlite3_busy_handler(db, nil, nil)
    unsafe sqlite3_set_authorizer(db, nil, nil)
    unsafe holt_preupdate_hook(db, nil, nil)
    unsafe sqlite3_commit_hook(db, nil, nil)
    unsafe sqlite3_rollback_hook(db, nil, nil)
    unsafe sqlite3_update_hook(db, nil, nil)
    unsafe sqlite3_trace_v2(db, 0, nil, nil)
    unsafe sqlite3_progress_handler(db, 0, nil, nil)
    unsafe sqlite3_wal_hook(db, nil, nil)
  }

  // MARK: Subscribing

  /// Has `observer` told of changes and transactions, and keeps it until it is removed.
  ///
  /// - Throws: ``SQLiteError`` with code ``SQLiteError/Code/unsupported`` where this SQLite was built
  ///   without the preupdate hook, or where the connection has a ``Changeset/Session`` that observers can't be
  ///   told beside.
  @discardableResult
  public func add(_ observer: any TransactionObserver) throws(SQLiteError) -> Subscription {
    let db = unsafe try connection()
    try SQLiteLibrary.require(.preupdateHook)
    if observers.isEmpty { try admitObservers() }
    let subscription = subscribe(observer, in: \.observers)
    if observers.count == 1 {
      unsafe takePreupdateSlot(of: db)
      unsafe sqlite3_commit_hook(db, commitCallback, context)
      unsafe sqlite3_rollback_hook(db, rollbackCallback, context)
      // Statements that were compiled before may delete whole tables without a word: setting the
      // authorizer has them compiled anew.
      unsafe sqlite3_set_authorizer(db, authorizeCallback, context)
    }
    return subscription
  }

  /// Asks `decide` about each action of each statement that is compiled from now on.
  ///
  /// The strictest answer holds. `decide` must not use the connection.
  ///
  /// - Throws: ``SQLiteError`` with code ``SQLiteError/Code/closed``.
  @discardableResult
  public func authorize(
    _ decide: @escaping (AuthorizationRequest) -> Authorization
  ) throws(SQLiteError) -> Subscription {
    let db = unsafe try connection()
    unsafe sqlite3_set_authorizer(db, authorizeCallback, context)
    return subscribe(decide, in: \.authorizers)
  }

  /// Reports each statement that has run, and how long it took.
  ///
  /// - Throws: ``SQLiteError`` with code ``SQLiteError/Code/closed``.
  @discardableResult
  public func profile(
    _ report: @escaping (Statement.Profile) -> Void
  ) throws(SQLiteError) -> Subscription {
    let db = unsafe try connection()
    let subscription = subscribe(report, in: \.profilers)
    unsafe fillTraceSlot(of: db)
    return subscription
  }

  /// Calls `isToContinue` about every 1,000 steps of SQLite's machine; `false` interrupts.
  ///
  /// - Throws: ``SQLiteError`` with code ``SQLiteError/Code/closed``.
  @discardableResult
  public func progress(
    _ isToContinue: @escaping () -> Bool
  ) throws(SQLiteError) -> Subscription {
    let db = unsafe try connection()
    unsafe sqlite3_progress_handler(db, 1_000, progressCallback, context)
    return subscribe(isToContinue, in: \.progress)
  }

  /// Reports each commit to a write-ahead log: the database's name and the log's length in pages.
  ///
  /// SQLite's automatic checkpoints use the same slot; while anyone is subscribed they are made here.
  ///
  /// - Throws: ``SQLiteError`` with code ``SQLiteError/Code/closed``.
  @discardableResult
  public func walCommit(
    _ report: @escaping (_ schema: String, _ pages: Int) -> Void
  ) throws(SQLiteError) -> Subscription {
    let db = unsafe try connection()
    if walCommits.isEmpty { automaticCheckpointPages = unsafe Self.checkpointPages(of: db) }
    unsafe sqlite3_wal_hook(db, walCallback, context)
    return subscribe(report, in: \.walCommits)
  }

  /// Runs what the engine calls while no statement runs: the connection must not be closed meanwhile.
  func inCall<Result>(_ body: () throws -> Result) rethrows -> Result {
    callDepth += 1
    defer { callDepth -= 1 }
    return try body()
  }

  /// Ends a subscription. One that has ended already is not an error.
  ///
  /// May be called on any thread. If another thread has the connection, or it belongs to a ``Database``
  /// and no access uses it, the subscription ends at the beginning of the next access.
  public func remove(_ subscription: Subscription) {
    guard let handle else { return end(subscription) }
    handle.whenAccessible { $0.hooks.end(subscription) }
  }

  private func end(_ subscription: Subscription) {
    let lostObserver = observers.remove(subscription)
    let lostAuthorizer = authorizers.remove(subscription)
    let lostProfiler = profilers.remove(subscription)
    let lostProgress = progress.remove(subscription)
    let lostWAL = walCommits.remove(subscription)
    let lostTracer = tracers.remove(subscription)
    let lostUpdate = updates.remove(subscription)
    let isLost =
      lostObserver || lostAuthorizer || lostProfiler || lostProgress || lostWAL || lostTracer
      || lostUpdate
    if isLost { subscriptionCount -= 1 }
    guard let db = unsafe try? connection() else { return }
    if lostObserver, observers.isEmpty {
      unsafe leavePreupdateSlot(of: db)
      unsafe sqlite3_commit_hook(db, nil, nil)
      unsafe sqlite3_rollback_hook(db, nil, nil)
    }
    if lostUpdate, updates.isEmpty { unsafe sqlite3_update_hook(db, nil, nil) }
    // What was compiled under its answers is compiled anew.
    if lostAuthorizer { unsafe sqlite3_set_authorizer(db, authorizeCallback, context) }
    if lostProfiler || lostTracer { unsafe fillTraceSlot(of: db) }
    if lostProgress, progress.isEmpty { unsafe sqlite3_progress_handler(db, 0, nil, nil) }
    if lostWAL, walCommits.isEmpty {
      unsafe sqlite3_wal_autocheckpoint(db, Int32(clamping: automaticCheckpointPages))
    }
  }

  /// Ends every subscription: what the closed connection's subscribers keep may be the connection itself.
  func letGo() {
    observers = Subscribers()
    authorizers = Subscribers()
    profilers = Subscribers()
    progress = Subscribers()
    walCommits = Subscribers()
    tracers = Subscribers()
    updates = Subscribers()
    subscriptionCount = 0
  }

  /// The connection, while it is open.
  var openHandle: ConnectionHandle? { handle.flatMap { $0.isOpen ? $0 : nil } }

  func connection() throws(SQLiteError) -> OpaquePointer {
    guard let handle else {
      throw SQLiteError(code: .closed, message: "the connection is closed")
    }
    return unsafe try handle.pointer()
  }

  /// Has the engine report what anyone listens for; one slot serves all kinds of events.
  func fillTraceSlot(of db: OpaquePointer) {
    var mask = profilers.isEmpty ? 0 : UInt32(SQLITE_TRACE_PROFILE)
    tracers.forEach { mask |= $0.events.mask }
    unsafe sqlite3_trace_v2(db, mask, mask == 0 ? nil : traceCallback, context)
  }

  func subscribe<Subscriber>(
    _ subscriber: Subscriber, in list: ReferenceWritableKeyPath<Hooks, Subscribers<Subscriber>>
  ) -> Subscription {
    lastID += 1
    subscriptionCount += 1
    let subscription = Subscription(id: lastID)
    self[keyPath: list].add(subscriber, as: subscription)
    return subscription
  }
}

@available(*, unavailable) extension Hooks: Sendable {}

/// Subscribers in the order in which they came.
struct Subscribers<Subscriber> {
  private var entries: [(subscription: Hooks.Subscription, subscriber: Subscriber)] = []

  var isEmpty: Bool { entries.isEmpty }

  var count: Int { entries.count }

  /// The one that there is; `nil` where there are none or several.
  var only: Subscriber? { entries.count == 1 ? entries[0].subscriber : nil }

  mutating func add(_ subscriber: Subscriber, as subscription: Hooks.Subscription) {
    entries.append((subscription, subscriber))
  }

  /// Whether there was such a subscription.
  @discardableResult mutating func remove(_ subscription: Hooks.Subscription) -> Bool {
    let before = entries.count
    entries.removeAll { $0.subscription == subscription }
    return entries.count < before
  }

  func forEach(_ body: (Subscriber) throws -> Void) rethrows {
    for entry in entries { try body(entry.subscriber) }
  }
}
