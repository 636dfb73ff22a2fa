internal import CSQLite
internal import Primitives

/// Owns one open `sqlite3 *`. The pointer never leaves this folder.
///
/// A statement retains its connection's handle, so that a statement that outlives its connection is
/// still finalized on an existing database.
@safe final class ConnectionHandle {
  /// Interrupts the connection from other threads. Closing the connection clears its pointer.
  let interrupter: Interrupter
  /// The subscribers to the connection's events, and the events that are not yet delivered.
  let hooks = Hooks()
  /// A Boolean value that indicates whether errors include bound values.
  let showsValuesInErrors: Bool
  /// A Boolean value that indicates whether the database is an in-memory or temporary database
  /// without a name that other connections could open.
  let isUnnamed: Bool
  /// Collects the accesses of all statements that run, if a caller has requested them.
  var recordedAccess: UncheckedBox<Statement.Access>?
  /// The context that row decoding receives from its caller.
  var rowContext: AnyObject?
  private var busyWait: BusyWait?
  private let controls = TransactionControls()
  /// The number of open scopes: calls that began a transaction or savepoint and have not yet ended
  /// it.
  private(set) var scopeDepth = 0
  /// The savepoints opened by statements, each with the scope depth at which it was opened.
  private var savepoints: [(depth: Int, name: String)] = []
  /// The number of times that running statements were reset so that a transaction could be rolled
  /// back.
  private(set) var forcedResets = 0
  /// The number of statements with a borrowed column.
  var borrowedStatementCount = 0
  /// The number of sessions and backups that use the database.
  var dependentCount = 0
  /// A Boolean value that indicates whether a backup is overwriting one of the databases, which
  /// must not be used otherwise during the backup.
  var isBackupDestination = false
  private var lastStatementNumber: UInt64 = 0
  /// The number of nested steps of writing statements.
  var writingSteps = 0
  /// The number of open blobs.
  var blobCount = 0
  /// The statements that are not finalized. SQLite's own list also contains statements that virtual
  /// tables keep until the database is closed.
  var statements = unsafe Set<OpaquePointer>()
  /// The registered modules by lowercase name.
  var modules: [String: RegisteredModule] = [:]
  /// The thread that may use the connection.
  let owner = OwnerThread()
  /// Work that other threads deferred to the connection's owner: see ``whenAccessible(_:)``.
  let deferredWork = Mutex<[DeferredWork]>([])
  let hasDeferredWork = Atomic<Bool>(false)
  /// The number of hook subscriptions when the connection was opened.
  var openingSubscriptionCount = 0
  /// The number of statements that have returned a row and are not at their end.
  var runningStatementCount = 0
  private(set) var db: OpaquePointer?

  init(
    path: String, flags: Int32, virtualFileSystem: String?, showsValuesInErrors: Bool
  ) throws(SQLiteError) {
    guard !path.utf8.contains(0) else {
      throw SQLiteError(code: .cannotOpen, message: "the path contains a NUL character")
    }
    guard virtualFileSystem != nil || !OpenedFile.isPipe(path) else {
      throw SQLiteError(code: .cannotOpen, message: "unable to open a pipe: \(path)")
    }
    var opened: OpaquePointer?
    let rc = unsafe sqlite3_open_v2(
      path, &opened, flags | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_URI, virtualFileSystem)
    guard rc == SQLITE_OK, let db = unsafe opened else {
      // A failed open still allocates a handle, which holds the message.
      defer { unsafe sqlite3_close_v2(opened) }
      let extended = unsafe opened == nil ? rc : sqlite3_extended_errcode(opened)
      let message = unsafe String(cString: sqlite3_errmsg(opened))
      throw SQLiteError(code: .init(rawValue: extended), message: "\(message): \(path)")
    }
    unsafe sqlite3_extended_result_codes(db, 1)
    unsafe self.db = db
    unsafe self.interrupter = Interrupter(db)
    self.showsValuesInErrors = showsValuesInErrors
    isUnnamed = path.isEmpty || path == ":memory:"
    hooks.attach(to: self)
    try registerListTable()
  }

  func nextStatementNumber() -> Statement.ID {
    lastStatementNumber += 1
    return Statement.ID(rawValue: lastStatementNumber)
  }

  /// A Boolean value that indicates whether no statement may start. Checked before every statement,
  /// and therefore without retaining the interrupter.
  @inline(__always)
  var isCancelled: Bool {
    unsafe Unmanaged.passUnretained(interrupter)._withUnsafeGuaranteedRef { $0.isCancelled }
  }

  deinit {
    owner.share()
    runDeferredWork()
    interrupter.clearAddress()
    // A statement that is finalized later keeps the `sqlite3` alive, but not `hooks`.
    if let db = unsafe db {
      unsafe hooks.deleteDiscardedSessions(of: db)
      unsafe Hooks.detach(from: db)
    }
    controls.finalize()
    unsafe sqlite3_close_v2(db)
  }

  var isOpen: Bool { unsafe db != nil }

  /// The pointer. For use in this folder only.
  func pointer() throws(SQLiteError) -> OpaquePointer {
    try requireAccess()
    guard let db = unsafe db else { throw Self.closed }
    return unsafe db
  }

  private static var closed: SQLiteError {
    SQLiteError(code: .closed, message: "the connection is closed")
  }

  /// Closes the database. If statements are not finalized, this throws and leaves the database
  /// open.
  func close() throws(SQLiteError) {
    guard let db = unsafe db else { return }
    if let alive = unsafe statements.first {
      throw SQLiteError(
        code: .busy, message: "the connection has statements that are not finalized",
        sql: unsafe sqlite3_sql(alive).map { unsafe String(cString: $0) })
    }
    guard blobCount == 0 else {
      throw SQLiteError(code: .busy, message: "the connection has a blob that is not closed")
    }
    guard dependentCount == 0 else {
      throw SQLiteError(
        code: .busy, message: "the connection has a session, or a backup that is not finished")
    }
    guard hooks.callbackDepth == 0, unsafe Self.runningStatement(of: db) == nil else {
      throw SQLiteError(
        code: .busy,
        message: "the connection can't be closed from a function or hook that it is calling")
    }
    hooks.deleteDiscardedSessions()
    controls.finalize()
    interrupter.clearAddress()
    let rc = unsafe sqlite3_close(db)
    guard rc == SQLITE_OK else {
      unsafe interrupter.setAddress(db)
      throw error(rc, sql: nil)
    }
    unsafe self.db = nil
    hooks.deliverEvents(on: self)
    hooks.removeAllSubscriptions()
  }

  /// Returns a statement that is running or has returned a row.
  static func runningStatement(of db: OpaquePointer) -> OpaquePointer? {
    var statement = unsafe sqlite3_next_stmt(db, nil)
    while let next = unsafe statement {
      if unsafe sqlite3_stmt_busy(next) != 0 { return unsafe next }
      unsafe statement = sqlite3_next_stmt(db, next)
    }
    return nil
  }

  /// Returns the error that SQLite just reported. Must be called before any other SQLite call.
  func error(_ rc: Int32, sql: String?, expanded: String? = nil) -> SQLiteError {
    guard let db = unsafe db else {
      return SQLiteError(code: .init(rawValue: rc), message: "the connection is closed", sql: sql)
    }
    let extended = unsafe sqlite3_extended_errcode(db)
    let belongs = extended & 0xff == rc & 0xff
    let code = SQLiteError.Code(rawValue: belongs && rc & 0xff == rc ? extended : rc)
    let message =
      unsafe belongs
      ? String(cString: sqlite3_errmsg(db)) : String(cString: sqlite3_errstr(rc))
    if let failure = hooks.takeModuleFailure(rc, message) {
      return SQLiteError(
        code: failure.code, message: failure.message, sql: sql, expandedSQL: expanded)
    }
    let offset = unsafe sql == nil ? -1 : Int(holt_error_offset(db))
    return SQLiteError(
      code: code, message: message, sql: sql,
      offset: offset < 0 ? nil : SQLiteError.ByteOffset(rawValue: offset), expandedSQL: expanded)
  }

  /// Runs a statement without parameters and without the scope and cancellation checks of
  /// ``Statement``, to begin, end or roll back transactions.
  func execute(_ sql: String) throws(SQLiteError) {
    enablePreupdateHook()
    let rc = unsafe sqlite3_exec(try pointer(), sql, nil, nil, nil)
    let failure = rc == SQLITE_OK ? nil : error(rc, sql: sql)
    hooks.deliverEvents(on: self)
    if let failure { throw failure }
  }

  /// Like ``execute(_:)``, but not interruptible, for rollbacks.
  func executeUninterrupted(_ sql: String) throws(SQLiteError) {
    try uninterrupted { () throws(SQLiteError) in try execute(sql) }
  }

  /// Begins or ends a transaction without any checks. The calling thread must own the connection.
  func execute(_ control: TransactionControl) throws(SQLiteError) {
    guard let db = unsafe db else { throw Self.closed }
    // Full-text tables write pending changes when the transaction commits.
    enablePreupdateHook()
    let rc = unsafe controls.run(control, on: db, hasAttached: hooks.hasAttached)
    let failure = rc == SQLITE_OK ? nil : error(rc, sql: control.sql)
    hooks.deliverEvents(on: self)
    if let failure { throw failure }
  }

  /// Like ``execute(_:)``, but not interruptible, for rollbacks.
  ///
  /// If a statement is mid-step, the rollback is deferred until the step returns.
  func executeUninterrupted(_ control: TransactionControl) throws(SQLiteError) {
    do throws(SQLiteError) {
      try uninterrupted { () throws(SQLiteError) in try self.execute(control) }
    } catch {
      if control == .rollback, isInTransaction, !canResetStatements {
        hooks.isRollbackPending = true
        hooks.hasPendingEvents.value = true
      }
      throw error
    }
  }

  /// An interrupt stays in effect while any statement is running; running statements are therefore
  /// reset. Several interrupts may arrive, a few milliseconds apart.
  private func uninterrupted(_ execute: () throws(SQLiteError) -> Void) throws(SQLiteError) {
    for _ in 0..<16 {
      do throws(SQLiteError) {
        return try execute()
      } catch {
        guard error.code.primary == .interrupt, canResetStatements else { throw error }
        try resetRunningStatements()
      }
    }
    try execute()
  }

  /// Sets or clears `PRAGMA query_only`, which rejects writing statements.
  ///
  /// Each change makes SQLite recompile every statement at its next run. While it is set,
  /// statements can't clear it.
  func setQueryOnly(_ isOn: Bool) throws(SQLiteError) {
    guard isOn != hooks.isQueryOnly else { return }
    hooks.isQueryOnly = nil
    try executeUninterrupted(isOn ? "PRAGMA query_only = 1" : "PRAGMA query_only = 0")
    hooks.isQueryOnly = isOn
  }

  /// A Boolean value that indicates whether no statement is mid-step, as a statement is that calls
  /// a function or hook: it is busy and has no row. The statement of an open blob looks the same
  /// but has no SQL.
  var canResetStatements: Bool {
    guard hooks.callbackDepth == 0, let db = unsafe db else { return false }
    var statement = unsafe sqlite3_next_stmt(db, nil)
    while let next = unsafe statement {
      let isStepping =
        unsafe sqlite3_stmt_busy(next) != 0 && sqlite3_data_count(next) == 0
        && sqlite3_sql(next) != nil
      if isStepping { return false }
      unsafe statement = sqlite3_next_stmt(db, next)
    }
    return true
  }

  private func resetRunningStatements() throws(SQLiteError) {
    let db = unsafe try pointer()
    try checkNoColumnBorrowed()
    unsafe resetRunningStatements(of: db)
  }

  /// Resets every running statement. Its next step throws an error.
  func resetRunningStatements(of db: OpaquePointer) {
    forcedResets += 1
    runningStatementCount = 0
    var statement = unsafe sqlite3_next_stmt(db, nil)
    while let running = unsafe statement {
      if unsafe sqlite3_stmt_busy(running) != 0 { unsafe sqlite3_reset(running) }
      unsafe statement = sqlite3_next_stmt(db, running)
    }
  }

  /// Throws if a column is borrowed, because rolling back might have to reset its statement.
  func checkNoColumnBorrowed() throws(SQLiteError) {
    guard borrowedStatementCount > 0 else { return }
    throw SQLiteError(
      code: .columnBorrowed,
      message: "no transaction or savepoint can begin while a column is borrowed")
  }

  /// Begins a scope that statements inside it can't end.
  func enterScope() { scopeDepth += 1 }

  func leaveScope() {
    scopeDepth -= 1
    while let last = savepoints.last, last.depth > scopeDepth { savepoints.removeLast() }
  }

  /// Returns whether a statement may open or end a savepoint, and records the savepoint if so. A
  /// savepoint that was opened outside the innermost scope can't be ended, because that would also
  /// end the scope's own savepoint.
  func allowsSavepoint(_ event: Hooks.SavepointEvent) -> Bool {
    guard event.kind != .begin else {
      savepoints.append((scopeDepth, event.name))
      return true
    }
    let index = savepoints.lastIndex {
      $0.depth == scopeDepth && $0.name.isEqualIgnoringASCIICase(event.name)
    }
    guard let index else { return false }
    savepoints.removeSubrange((event.kind == .release ? index : index + 1)...)
    return true
  }

  /// The error for a statement that would not run inside the transaction that it was meant for.
  func scopeError(sql: String? = nil) -> SQLiteError {
    if isBackupDestination {
      return SQLiteError(
        code: .databaseInUse, message: "the connection is the destination of a backup", sql: sql)
    }
    return SQLiteError(
      code: .transactionEnded,
      message: isInTransaction
        ? "a statement inside the transaction can't end it: the call that began it does"
        : "the transaction has been rolled back", sql: sql)
  }

  func setBusyPolicy(_ policy: Configuration.BusyPolicy) throws(SQLiteError) {
    let db = unsafe try pointer()
    let wait = BusyWait(policy, interrupter: interrupter)
    unsafe wait.attach(to: db)
    busyWait = wait
  }

  /// Retries `body` while another connection holds a lock, for calls that do not use SQLite's busy
  /// handler.
  func retryingWhileBusy<Result>(
    _ policy: Configuration.BusyPolicy, _ body: () throws(SQLiteError) -> Result
  ) throws(SQLiteError) -> Result {
    let wait = BusyWait(policy, interrupter: interrupter)
    while true {
      do throws(SQLiteError) {
        return try body()
      } catch {
        guard error.code.primary == .busy, wait.waitAgain() else { throw error }
      }
    }
  }

  var isInTransaction: Bool { unsafe db.map { unsafe sqlite3_get_autocommit($0) == 0 } ?? false }

  var lastInsertedRowID: Int64 { unsafe db.map { unsafe sqlite3_last_insert_rowid($0) } ?? 0 }

  var changeCount: Int64 { unsafe db.map { unsafe sqlite3_changes64($0) } ?? 0 }

  var totalChangeCount: Int64 { unsafe db.map { unsafe sqlite3_total_changes64($0) } ?? 0 }
}
