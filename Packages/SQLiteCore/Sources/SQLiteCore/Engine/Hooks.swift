internal import CSQLite

/// The owner of a connection's hooks, through which all subscribers receive events.
///
/// SQLite has one slot for each hook, and setting a hook replaces the previous one. This class
/// occupies all slots, and passes each event to every subscriber in the order of subscription.
/// Hooks without subscribers cost nothing, except the authorizer, which is called while statements
/// are compiled.
@safe public final class Hooks {
  private weak var handle: ConnectionHandle?
  private var lastID: UInt64 = 0
  /// The number of subscriptions.
  private(set) var subscriptionCount = 0

  var observers = Subscribers<any TransactionObserver>() {
    didSet {
      isObserved = !observers.isEmpty
      interests = observers.only?.interests
      declinedStatement.value.statement = nil
    }
  }
  /// A Boolean value that indicates whether there are ``observers``. Read for every statement that
  /// runs.
  private(set) var isObserved = false
  /// The versioned interests of the observer, if there is exactly one.
  private(set) var interests: ChangeInterests?
  var authorizers = Subscribers<(AuthorizationRequest) -> Authorization>()
  var profilers = Subscribers<(Statement.Profile) -> Void>()
  var progress = Subscribers<() -> Bool>()
  var walCommits = Subscribers<(_ schema: String, _ pages: Int) -> Void>()
  var tracers = Subscribers<Tracer>()
  /// The observer of the connection's queries. Read at the end of each access.
  @_spi(Observing) public internal(set) var queryObserver: (any QueryObserver)?
  var updates = Subscribers<(RowChange.Kind, TableName, RowID) -> Void>()
  /// The connection's sessions, which share the preupdate hook's slot with the observers.
  var sessions = SessionHook()
  /// A Boolean value that indicates whether there are events to deliver. Read after every statement
  /// that runs.
  let hasPendingEvents = UncheckedBox(false)
  /// The outcome of a transaction that ended during the current call.
  var outcome: TransactionOutcome? {
    didSet { if outcome != nil { hasPendingEvents.value = true } }
  }
  enum TransactionOutcome { case commit, rollback }
  /// The commits to write-ahead logs during the current call.
  var pendingWALCommits: [(schema: String, pages: Int)] = [] {
    didSet { if !pendingWALCommits.isEmpty { hasPendingEvents.value = true } }
  }
  /// The error that a module threw during the current call.
  var moduleFailure: ModuleFailure? {
    didSet { if moduleFailure != nil { hasPendingEvents.value = true } }
  }
  /// The error that `willCommit` threw, which is the reason for the following rollback.
  var veto: (any Error)?
  /// A Boolean value that indicates whether the transaction must be rolled back as soon as no
  /// statement is mid-step.
  var isRollbackPending = false
  /// A Boolean value that indicates whether a `VACUUM` has run and observers were not yet notified.
  var hasVacuumed = false {
    didSet { if hasVacuumed { hasPendingEvents.value = true } }
  }
  /// The access of the statement that is being compiled.
  var compiledAccess = Statement.Access()
  var isRecording = false
  /// A Boolean value that indicates whether an `ATTACH` statement was compiled.
  var hasAttached = false
  /// A Boolean value that indicates whether `PRAGMA query_only` is set; `nil` if user code may have
  /// changed it.
  var isQueryOnly: Bool? = false
  /// The table of the last change, cached because successive changes mostly affect the same table.
  var lastTable = TableName("")
  /// A Boolean value that indicates whether the connection differs from a newly opened one, for
  /// example by a `PRAGMA`, a temporary table, an attached database or a registered function. Read
  /// after each access.
  let hasChangedSettings = UncheckedBox(false)
  /// The log length in pages at which the log is checkpointed while WAL commits are reported.
  var automaticCheckpointPages = 0
  /// The timestamp of the open transaction, if it was requested.
  var transactionTimestamp: Double? {
    didSet { if transactionTimestamp != nil { hasPendingEvents.value = true } }
  }
  /// A Boolean value that indicates whether the preupdate hook is removed because no observer wants
  /// the current changes.
  var isPreupdateHookDisabled = false
  /// A Boolean value that indicates whether statements were recompiled without the preupdate hook.
  var hasCompiledWithoutPreupdateHook = false
  /// The last run that the observer did not want, until the next event.
  let declinedStatement = UncheckedBox(DeclinedStatement())
  /// A Boolean value that indicates whether SQLite is compiling an internal statement of this
  /// package, which authorizers must not see.
  private(set) var isAuthorizerBypassed = false
  /// The nesting depth of callbacks that SQLite makes while no statement runs.
  private(set) var callbackDepth = 0

  /// Runs `body` without calling authorizers, for internal statements of this package.
  func bypassingAuthorizer<Result, Failure: Error>(
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let wasBypassed = isAuthorizerBypassed
    isAuthorizerBypassed = true
    defer { isAuthorizerBypassed = wasBypassed }
    return try body()
  }

  /// The context that SQLite passes to the callbacks. The connection's handle retains this object.
  var context: UnsafeMutableRawPointer {
    unsafe Unmanaged.passUnretained(self).toOpaque()
  }

  func attach(to handle: ConnectionHandle) {
    self.handle = handle
    guard let db = unsafe try? handle.pointer() else { return }
    unsafe sqlite3_set_authorizer(db, authorizeCallback, context)
  }

  /// Clears every hook.
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

  /// Notifies `observer` of changes and transactions, and retains it until it is removed.
  ///
  /// - Throws: ``SQLiteError`` with code ``SQLiteError/Code/unsupported`` if SQLite was built
  ///   without the preupdate hook, or if the connection has a ``Changeset/Session`` that can't
  ///   share the hook with observers.
  @discardableResult
  public func add(_ observer: any TransactionObserver) throws(SQLiteError) -> Subscription {
    let db = unsafe try connection()
    try SQLiteLibrary.require(.preupdateHook)
    if observers.isEmpty { try checkObserversAllowed() }
    let subscription = subscribe(observer, in: \.observers)
    if observers.count == 1 {
      unsafe installPreupdateHook(of: db)
      unsafe sqlite3_commit_hook(db, commitCallback, context)
      unsafe sqlite3_rollback_hook(db, rollbackCallback, context)
      // Statements that were compiled earlier may truncate whole tables without reporting rows.
      // Setting the authorizer makes SQLite recompile them.
      unsafe sqlite3_set_authorizer(db, authorizeCallback, context)
    }
    return subscription
  }

  /// Calls `decide` for each action of each statement that is compiled from now on.
  ///
  /// The strictest decision applies. `decide` must not use the connection.
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

  /// Reports each statement that has run and its duration.
  ///
  /// - Throws: ``SQLiteError`` with code ``SQLiteError/Code/closed``.
  @discardableResult
  public func profile(
    _ report: @escaping (Statement.Profile) -> Void
  ) throws(SQLiteError) -> Subscription {
    let db = unsafe try connection()
    let subscription = subscribe(report, in: \.profilers)
    unsafe updateTraceHook(of: db)
    return subscription
  }

  /// Calls `shouldContinue` about every 1,000 virtual machine instructions. Returning `false`
  /// interrupts the statement.
  ///
  /// - Throws: ``SQLiteError`` with code ``SQLiteError/Code/closed``.
  @discardableResult
  public func progress(
    _ shouldContinue: @escaping () -> Bool
  ) throws(SQLiteError) -> Subscription {
    let db = unsafe try connection()
    unsafe sqlite3_progress_handler(db, 1_000, progressCallback, context)
    return subscribe(shouldContinue, in: \.progress)
  }

  /// Reports each commit to a write-ahead log: the database's name and the log's length in pages.
  ///
  /// SQLite's automatic checkpoints use the same hook. While there are subscriptions, this class
  /// runs the checkpoints.
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

  /// Runs a callback that SQLite makes while no statement runs. The connection can't be closed
  /// during the callback.
  func inCallback<Result>(_ body: () throws -> Result) rethrows -> Result {
    callbackDepth += 1
    defer { callbackDepth -= 1 }
    return try body()
  }

  /// Ends a subscription. Ending it twice is not an error.
  ///
  /// Can be called on any thread. If another thread owns the connection, or the connection belongs
  /// to a ``Database`` and no access uses it, the subscription ends at the start of the next
  /// access.
  public func remove(_ subscription: Subscription) {
    guard let handle else { return end(subscription) }
    handle.whenAccessible { $0.hooks.end(subscription) }
  }

  private func end(_ subscription: Subscription) {
    let removedObserver = observers.remove(subscription)
    let removedAuthorizer = authorizers.remove(subscription)
    let removedProfiler = profilers.remove(subscription)
    let removedProgress = progress.remove(subscription)
    let removedWAL = walCommits.remove(subscription)
    let removedTracer = tracers.remove(subscription)
    let removedUpdate = updates.remove(subscription)
    let isRemoved =
      removedObserver || removedAuthorizer || removedProfiler || removedProgress || removedWAL
      || removedTracer
      || removedUpdate
    if isRemoved { subscriptionCount -= 1 }
    guard let db = unsafe try? connection() else { return }
    if removedObserver, observers.isEmpty {
      unsafe removePreupdateHook(of: db)
      unsafe sqlite3_commit_hook(db, nil, nil)
      unsafe sqlite3_rollback_hook(db, nil, nil)
    }
    if removedUpdate, updates.isEmpty { unsafe sqlite3_update_hook(db, nil, nil) }
    // Statements that were compiled under its decisions are recompiled.
    if removedAuthorizer { unsafe sqlite3_set_authorizer(db, authorizeCallback, context) }
    if removedProfiler || removedTracer { unsafe updateTraceHook(of: db) }
    if removedProgress, progress.isEmpty { unsafe sqlite3_progress_handler(db, 0, nil, nil) }
    if removedWAL, walCommits.isEmpty {
      unsafe sqlite3_wal_autocheckpoint(db, Int32(clamping: automaticCheckpointPages))
    }
  }

  /// Ends every subscription, because subscribers may retain the closed connection.
  func removeAllSubscriptions() {
    observers = Subscribers()
    authorizers = Subscribers()
    profilers = Subscribers()
    progress = Subscribers()
    walCommits = Subscribers()
    tracers = Subscribers()
    queryObserver = nil
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

  /// Makes SQLite report the events that have subscribers. All kinds share one hook.
  func updateTraceHook(of db: OpaquePointer) {
    var mask = profilers.isEmpty ? 0 : UInt32(SQLITE_TRACE_PROFILE)
    tracers.forEach { mask |= $0.events.mask }
    if queryObserver != nil {
      mask |= UInt32(SQLITE_TRACE_STMT | SQLITE_TRACE_ROW | SQLITE_TRACE_PROFILE)
    }
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

/// Subscribers in the order of their subscription.
struct Subscribers<Subscriber> {
  private var entries: [(subscription: Hooks.Subscription, subscriber: Subscriber)] = []

  var isEmpty: Bool { entries.isEmpty }

  var count: Int { entries.count }

  /// The only subscriber; `nil` if the number of subscribers is not 1.
  var only: Subscriber? { entries.count == 1 ? entries[0].subscriber : nil }

  mutating func add(_ subscriber: Subscriber, as subscription: Hooks.Subscription) {
    entries.append((subscription, subscriber))
  }

  /// Removes a subscription. Returns whether it existed.
  @discardableResult mutating func remove(_ subscription: Hooks.Subscription) -> Bool {
    let before = entries.count
    entries.removeAll { $0.subscription == subscription }
    return entries.count < before
  }

  func forEach(_ body: (Subscriber) throws -> Void) rethrows {
    for entry in entries { try body(entry.subscriber) }
  }

  func contains(where condition: (Subscriber) -> Bool) -> Bool {
    entries.contains { condition($0.subscriber) }
  }
}
