internal import CSQLite
internal import Primitives

/// Confines a connection and its dependent objects to the accesses that the connection is lent to.
///
/// Swift can't keep a closure from storing its `Connection` elsewhere (decision 46). Every call
/// into SQLite therefore first checks that the calling thread owns the connection.
extension ConnectionHandle {
  /// A Boolean value that indicates whether the calling thread may use the connection.
  @inline(__always)
  var isAccessible: Bool { owner.isCurrent }

  /// Throws if the calling thread does not own the connection.
  @inline(__always)
  func requireAccess(sql: String? = nil) throws(SQLiteError) {
    if !isAccessible { throw accessEnded(sql: sql) }
  }

  /// Like ``requireAccess(sql:)``, for callers that can't throw.
  @inline(__always)
  func preconditionAccess() {
    precondition(isAccessible, "a connection was used after the end of its access")
  }

  /// The error for a use after the end of the access, or on another thread than the access's.
  func accessEnded(sql: String?) -> SQLiteError {
    guard interrupter.isOpen else {
      return SQLiteError(code: .closed, message: "the connection is closed", sql: sql)
    }
    return SQLiteError(
      code: .accessEnded,
      message: "the connection was used after the end of its access, or on another thread",
      sql: sql)
  }

  /// Runs `work` immediately, or at the start of the next access if the calling thread does not own
  /// the connection.
  ///
  /// Used to release the connection's dependent objects, which may happen on any thread.
  func whenAccessible(_ work: @escaping (ConnectionHandle) -> Void) {
    if isAccessible { return work(self) }
    let deferred = DeferredWork(run: work)
    deferredWork.withLock { $0.append(deferred) }
    hasDeferredWork.store(true, ordering: .releasing)
  }

  /// Makes the calling thread the connection's owner, until ``endAccess()``.
  @inline(__always)
  func beginAccess() {
    owner.acquire()
    if hasDeferredWork.load(ordering: .acquiring) { runDeferredWork() }
  }

  @inline(__always)
  func endAccess() { owner.release() }

  /// Runs the work that other threads have deferred. The calling thread owns the connection.
  func runDeferredWork() {
    let work = deferredWork.withLock { deferred in
      hasDeferredWork.store(false, ordering: .relaxed)
      defer { deferred = [] }
      return deferred
    }
    for item in work { item.run(self) }
  }

  /// Resets the statements and blobs that an access left open.
  ///
  /// - Returns: Whether the connection is in the state before the access: no transaction is open,
  ///   no setting has changed, and no subscription to its hooks was added.
  func resetAfterAccess() -> Bool {
    guard let db = unsafe db else { return false }
    var isReset = true
    // Only these can keep a transaction open.
    if runningStatementCount > 0 || blobCount > 0 || dependentCount > 0 || isInTransaction {
      if isInTransaction { try? executeUninterrupted(.rollback) }
      unsafe resetRunningStatements(of: db)
      hooks.deliverEvents(on: self)
      isReset = unsafe !Self.hasTransaction(db)
    }
    return isReset && !hooks.hasChangedSettings.value
      && hooks.subscriptionCount == openingSubscriptionCount
  }

  /// Records the current settings as the baseline for ``resetAfterAccess()``.
  func recordSettingsBaseline() {
    hooks.hasChangedSettings.value = false
    openingSubscriptionCount = hooks.subscriptionCount
  }

  /// Returns whether a transaction is open on any of the databases.
  ///
  /// A statement that has returned a row holds a transaction open even if `BEGIN` was never run.
  private static func hasTransaction(_ db: OpaquePointer) -> Bool {
    unsafe sqlite3_txn_state(db, nil) > SQLITE_TXN_NONE
  }
}

/// Work for the next thread that owns the connection.
///
/// `@unchecked Sendable`: `run` is called once, by the connection's owner.
struct DeferredWork: @unchecked Sendable {
  let run: (ConnectionHandle) -> Void
}
