internal import CSQLite
internal import Primitives

/// Keeping what belongs to a connection within the accesses that the connection is lent to.
///
/// Swift does not keep a closure from storing its `Connection` elsewhere (decision 46). So whatever
/// reaches the engine checks first that the calling thread owns the connection.
extension ConnectionHandle {
  /// Whether the calling thread may use the connection.
  @inline(__always)
  var isAccessible: Bool { owner.isCurrent }

  /// Refuses a use of the connection by a thread that does not own it.
  @inline(__always)
  func requireAccess(sql: String? = nil) throws(SQLiteError) {
    if !isAccessible { throw accessEnded(sql: sql) }
  }

  /// As ``requireAccess(sql:)``, for what has no way to throw.
  @inline(__always)
  func preconditionAccess() {
    precondition(isAccessible, "a connection was used after the access that it was lent to")
  }

  /// The error of a use after the end of an access, or by another thread than the access's.
  func accessEnded(sql: String?) -> SQLiteError {
    guard interrupter.isOpen else {
      return SQLiteError(code: .closed, message: "the connection is closed", sql: sql)
    }
    return SQLiteError(
      code: .accessEnded,
      message: "the connection was used after the access that it was lent to, or on another thread",
      sql: sql)
  }

  /// Runs `work` now, or at the beginning of the next access if the calling thread does not own the
  /// connection.
  ///
  /// For releasing what belongs to the connection, which may happen on any thread.
  func whenAccessible(_ work: @escaping (ConnectionHandle) -> Void) {
    if isAccessible { return work(self) }
    let deferred = DeferredWork(run: work)
    deferredWork.withLock { $0.append(deferred) }
    hasDeferredWork.store(true, ordering: .releasing)
  }

  /// Makes the calling thread the connection's owner, until ``endAccess()``.
  @inline(__always)
  func beginAccess() {
    owner.take()
    if hasDeferredWork.load(ordering: .acquiring) { runDeferredWork() }
  }

  @inline(__always)
  func endAccess() { owner.drop() }

  /// Runs what other threads left to be done. The calling thread owns the connection.
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
  /// - Returns: Whether the connection is as it was before the access: no transaction is open, no
  ///   setting was changed, and nobody has subscribed to its hooks.
  func resetAfterAccess() -> Bool {
    guard let db = unsafe db else { return false }
    var isReset = true
    // Nothing else keeps a transaction open.
    if runningStatementCount > 0 || blobCount > 0 || dependentCount > 0 || isInTransaction {
      if isInTransaction { try? controlUninterrupted(.rollback) }
      unsafe resetRunningStatements(of: db)
      hooks.settle(on: self)
      isReset = unsafe !Self.hasTransaction(db)
    }
    return isReset && !hooks.hasChangedSettings.value
      && hooks.subscriptionCount == openingSubscriptionCount
  }

  /// Takes the settings that the connection has now for those that ``resetAfterAccess()`` compares with.
  func noteSettings() {
    hooks.hasChangedSettings.value = false
    openingSubscriptionCount = hooks.subscriptionCount
  }

  /// Whether the engine has a transaction open on any of the databases.
  ///
  /// A statement that stands at a row has one, even if `BEGIN` was never run.
  private static func hasTransaction(_ db: OpaquePointer) -> Bool {
    unsafe sqlite3_txn_state(db, nil) > SQLITE_TXN_NONE
  }
}

/// Work for the thread that next owns a connection.
///
/// `@unchecked Sendable`: `run` is called once, by the connection's owner, and by nobody before.
struct DeferredWork: @unchecked Sendable {
  let run: (ConnectionHandle) -> Void
}
