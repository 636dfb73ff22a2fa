internal import CSQLite
internal import Primitives

/// Owns one open `sqlite3 *`. The pointer never leaves this folder.
///
/// A statement keeps its handle alive, so that a statement which outlives its connection is still
/// finalized on a database that exists.
@safe final class ConnectionHandle {
  /// Closes the database and forgets the pointer; interrupting from another thread meets it here.
  let interrupter: Interrupter
  /// Everything that wants to hear of events, and what they left to be told.
  let hooks = Hooks()
  /// Whether errors carry the values that were bound.
  let showsValuesInErrors: Bool
  /// Whether the database was opened as one in memory or on the disk that has no name to share it by.
  let isUnnamed: Bool
  /// Where the accesses of each statement that runs are collected, while someone asks.
  var accessRecorder: AccessRecorder?
  /// What those who make values of rows are told by those who read these.
  var rowContext: AnyObject?
  private var busyWait: BusyWait?
  private let controls = TransactionControls()
  /// How many calls that began a transaction or savepoint have yet to end it.
  private(set) var scopeDepth = 0
  /// The savepoints that statements have opened, and how many such calls each was opened in.
  private var savepoints: [(depth: Int, name: String)] = []
  /// How often the statements that stood at a row were reset, so that a transaction could be undone.
  private(set) var forcedResets = 0
  /// How many statements have lent a column of their rows.
  var loanCount = 0
  /// How many sessions and backups use the database.
  var dependentCount = 0
  /// Whether a backup is writing over one of the databases: nothing else is to use them.
  var isBeingReplaced = false
  private var lastStatementNumber: UInt64 = 0
  /// How many steps of statements that write are under way, one inside another.
  var writingSteps = 0
  /// How many blobs are open.
  var blobCount = 0
  /// The statements that are alive. SQLite's own list also has those that virtual tables keep for
  /// themselves until the database is closed.
  var statements = unsafe Set<OpaquePointer>()
  /// The modules that are registered, by their names in lower case.
  var modules: [String: RegisteredModule] = [:]
  /// The thread that may use the connection.
  let owner = ThreadOwner()
  /// Work that other threads left for the connection's owner: see ``whenAccessible(_:)``.
  let deferredWork = Mutex<[DeferredWork]>([])
  let hasDeferredWork = Atomic<Bool>(false)
  /// The number of subscriptions that the hooks had when the connection was opened.
  var openingSubscriptionCount = 0
  /// The number of statements that stand at a row.
  var runningStatementCount = 0
  private(set) var db: OpaquePointer?

  init(
    path: String, flags: Int32, virtualFileSystem: String?, showsValuesInErrors: Bool
  ) throws(SQLiteError) {
    guard !path.utf8.contains(0) else {
      throw SQLiteError(code: .cannotOpen, message: "the path holds a NUL character")
    }
    guard virtualFileSystem != nil || !FileKind.isPipe(path) else {
      throw SQLiteError(code: .cannotOpen, message: "unable to open a pipe: \(path)")
    }
    var opened: OpaquePointer?
    let rc = unsafe sqlite3_open_v2(
      path, &opened, flags | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_URI, virtualFileSystem)
    guard rc == SQLITE_OK, let db = unsafe opened else {
      // A failed open still allocates a handle, and the message lives on it.
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

  /// Whether no statement may begin: asked for each one, and so without counting a reference.
  @inline(__always)
  var isCancelled: Bool {
    unsafe Unmanaged.passUnretained(interrupter)._withUnsafeGuaranteedRef { $0.isCancelled }
  }

  deinit {
    owner.share()
    runDeferredWork()
    interrupter.forget()
    // A statement that is finalized later keeps the engine's side alive, but not the arbiter.
    if let db = unsafe db {
      unsafe hooks.deleteDiscardedSessions(of: db)
      unsafe Hooks.detach(from: db)
    }
    controls.finalize()
    unsafe sqlite3_close_v2(db)
  }

  var isOpen: Bool { unsafe db != nil }

  /// The pointer, for this folder alone.
  func pointer() throws(SQLiteError) -> OpaquePointer {
    try requireAccess()
    guard let db = unsafe db else { throw Self.closed }
    return unsafe db
  }

  private static var closed: SQLiteError {
    SQLiteError(code: .closed, message: "the connection is closed")
  }

  /// Closes the database. Statements that are alive make it fail, and leave it open.
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
    guard hooks.callDepth == 0, unsafe Self.runningStatement(of: db) == nil else {
      throw SQLiteError(code: .busy, message: "the connection is closed by what it calls itself")
    }
    hooks.deleteDiscardedSessions()
    controls.finalize()
    interrupter.forget()
    let rc = unsafe sqlite3_close(db)
    guard rc == SQLITE_OK else {
      unsafe interrupter.remember(db)
      throw error(rc, sql: nil)
    }
    unsafe self.db = nil
    hooks.settle(on: self)
    hooks.letGo()
  }

  /// A statement that runs or stands at a row.
  static func runningStatement(of db: OpaquePointer) -> OpaquePointer? {
    var statement = unsafe sqlite3_next_stmt(db, nil)
    while let next = unsafe statement {
      if unsafe sqlite3_stmt_busy(next) != 0 { return unsafe next }
      unsafe statement = sqlite3_next_stmt(db, next)
    }
    return nil
  }

  /// The failure that the engine just reported: read before any other call.
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

  /// Runs a statement that takes no values, past every check: to begin, end and undo.
  func control(_ sql: String) throws(SQLiteError) {
    unmute()
    let rc = unsafe sqlite3_exec(try pointer(), sql, nil, nil, nil)
    let failure = rc == SQLITE_OK ? nil : error(rc, sql: sql)
    hooks.settle(on: self)
    if let failure { throw failure }
  }

  /// As ``control(_:)``, and not to be stopped: to undo.
  func controlUninterrupted(_ sql: String) throws(SQLiteError) {
    try uninterrupted { () throws(SQLiteError) in try control(sql) }
  }

  /// Begins or ends a transaction, past every check. The calling thread owns the connection.
  func control(_ control: TransactionControl) throws(SQLiteError) {
    guard let db = unsafe db else { throw Self.closed }
    // A full-text table writes what it has kept back when its transaction is committed.
    unmute()
    let rc = unsafe controls.run(control, on: db, isAttached: hooks.state.hasAttached)
    let failure = rc == SQLITE_OK ? nil : error(rc, sql: control.sql)
    hooks.settle(on: self)
    if let failure { throw failure }
  }

  /// As ``control(_:)``, and not to be stopped: to undo.
  ///
  /// A rollback that a statement in the midst of a step stands in the way of is made when it is over.
  func controlUninterrupted(_ control: TransactionControl) throws(SQLiteError) {
    do throws(SQLiteError) {
      try uninterrupted { () throws(SQLiteError) in try self.control(control) }
    } catch {
      if control == .rollback, isInTransaction, !canResetStatements {
        hooks.state.isUndoDue = true
        hooks.state.hasNews = true
      }
      throw error
    }
  }

  /// An interruption holds as long as any statement stands at a row; those that do are then reset.
  /// More than one may come, some milliseconds from each other.
  private func uninterrupted(_ control: () throws(SQLiteError) -> Void) throws(SQLiteError) {
    for _ in 0..<16 {
      do throws(SQLiteError) {
        return try control()
      } catch {
        guard error.code.primary == .interrupt, canResetStatements else { throw error }
        try resetRunningStatements()
      }
    }
    try control()
  }

  /// Has statements that would write refused, or not any more.
  ///
  /// Each change has SQLite compile every statement anew as it is next run. While it is on, no other
  /// `PRAGMA query_only` can turn it off.
  func setQueryOnly(_ isOn: Bool) throws(SQLiteError) {
    guard isOn != hooks.state.isQueryOnly else { return }
    hooks.state.isQueryOnly = nil
    try controlUninterrupted(isOn ? "PRAGMA query_only = 1" : "PRAGMA query_only = 0")
    hooks.state.isQueryOnly = isOn
  }

  /// Whether no statement is in the midst of a step, as one is whose function or hook is called: it
  /// runs, and has no row. What an open blob keeps seems to as well, but has no SQL.
  var canResetStatements: Bool {
    guard hooks.callDepth == 0, let db = unsafe db else { return false }
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
    try refuseWhileLent()
    unsafe resetRunningStatements(of: db)
  }

  /// Resets every statement that stands at a row: its next step is an error.
  func resetRunningStatements(of db: OpaquePointer) {
    forcedResets += 1
    runningStatementCount = 0
    var statement = unsafe sqlite3_next_stmt(db, nil)
    while let running = unsafe statement {
      if unsafe sqlite3_stmt_busy(running) != 0 { unsafe sqlite3_reset(running) }
      unsafe statement = sqlite3_next_stmt(db, running)
    }
  }

  /// Refuses what might have to reset every statement, as undoing a transaction does.
  func refuseWhileLent() throws(SQLiteError) {
    guard loanCount > 0 else { return }
    throw SQLiteError(
      code: .columnLent, message: "no transaction or savepoint begins while a column is lent")
  }

  /// Runs a part of a transaction, which statements inside it can't end.
  func inScope<Result>(_ body: () throws -> Result) rethrows -> Result {
    enterScope()
    defer { leaveScope() }
    return try body()
  }

  /// Begins what ``inScope(_:)`` is for, where that can't enclose it.
  func enterScope() { scopeDepth += 1 }

  func leaveScope() {
    scopeDepth -= 1
    while let last = savepoints.last, last.depth > scopeDepth { savepoints.removeLast() }
  }

  /// Whether a statement may open or end a savepoint: one that was opened outside of the innermost
  /// scope would take that scope's own with it. It is then taken note of.
  func admits(_ event: Hooks.SavepointEvent) -> Bool {
    guard event.kind != .begin else {
      savepoints.append((scopeDepth, event.name))
      return true
    }
    let place = savepoints.lastIndex {
      $0.depth == scopeDepth && $0.name.isEqualIgnoringASCIICase(event.name)
    }
    guard let place else { return false }
    savepoints.removeSubrange((event.kind == .release ? place : place + 1)...)
    return true
  }

  /// The error of what would be no part of the transaction that it was meant for.
  func leavesScope(sql: String? = nil) -> SQLiteError {
    if isBeingReplaced {
      return SQLiteError(
        code: .databaseInUse, message: "the connection is the destination of a backup", sql: sql)
    }
    return SQLiteError(
      code: .transactionEnded,
      message: isInTransaction
        ? "the transaction is ended by the call that began it, not by a statement inside it"
        : "the transaction has been rolled back", sql: sql)
  }

  func set(_ option: ConnectionOption, _ value: Bool) throws(SQLiteError) {
    let rc = unsafe holt_db_config(try pointer(), option.code, value ? 1 : 0)
    // A release that does not know an option has not the behaviour that it would switch.
    guard rc == SQLITE_OK || rc == SQLITE_ERROR else { throw error(rc, sql: nil) }
  }

  func setBusyPolicy(_ policy: Configuration.BusyPolicy) throws(SQLiteError) {
    let db = unsafe try pointer()
    let wait = BusyWait(policy, interrupter: interrupter)
    unsafe wait.attach(to: db)
    busyWait = wait
  }

  /// Repeats `body` while another connection's lock fails it, where SQLite itself does not wait.
  func retryingWhileBusy<Result>(
    _ policy: Configuration.BusyPolicy, _ body: () throws(SQLiteError) -> Result
  ) throws(SQLiteError) -> Result {
    let wait = BusyWait(policy, interrupter: interrupter)
    while true {
      do throws(SQLiteError) {
        return try body()
      } catch {
        guard error.code.primary == .busy, wait.again() else { throw error }
      }
    }
  }

  var isInTransaction: Bool { unsafe db.map { unsafe sqlite3_get_autocommit($0) == 0 } ?? false }

  var lastInsertedRowID: Int64 { unsafe db.map { unsafe sqlite3_last_insert_rowid($0) } ?? 0 }

  var changeCount: Int64 { unsafe db.map { unsafe sqlite3_changes64($0) } ?? 0 }

  var totalChangeCount: Int64 { unsafe db.map { unsafe sqlite3_total_changes64($0) } ?? 0 }
}

/// What `sqlite3_db_config` switches.
enum ConnectionOption {
  case foreignKeys, defensive, doubleQuotedStringsInQueries, doubleQuotedStringsInSchema
  case trustedSchema

  fileprivate var code: Int32 {
    switch self {
    case .foreignKeys: Int32(holt_dbconfig_enable_fkey)
    case .defensive: Int32(holt_dbconfig_defensive)
    case .doubleQuotedStringsInQueries: Int32(holt_dbconfig_dqs_dml)
    case .doubleQuotedStringsInSchema: Int32(holt_dbconfig_dqs_ddl)
    case .trustedSchema: Int32(holt_dbconfig_trusted_schema)
    }
  }
}

/// Facts about the engine that this process runs on.
enum Engine {
  static var version: String { unsafe String(cString: sqlite3_libversion()) }
}
