/// A compiled statement, with its bindings and its current row.
///
/// A statement is used like its ``Connection``: on the same thread and during the same access. The
/// current row is valid until the next ``step()`` or ``reset()``.
///
/// ```swift
/// let find = try connection.prepare("SELECT id, name FROM player WHERE score > ?1")
/// try find.bind(100, at: 1)
/// while try find.step() {
///   print(try find.row.read(String.self, at: 1))
/// }
/// ```
public final class Statement {
  /// The text that was compiled.
  public let sql: String
  /// A Boolean value that indicates whether the statement does not change the database, as SQLite
  /// defines it: `true` for a `BEGIN`.
  public let isReadOnly: Bool
  /// The number of parameters: the largest parameter number.
  public let parameterCount: Int
  let connection: ConnectionHandle
  let handle: StatementHandle
  let columns: ResultColumns
  private(set) var storedAccess: Access
  private var number: Statement.ID
  private var phase = Phase.ready
  @usableFromInline let currentRow: Row
  /// The last known number of recompilations by SQLite.
  private var recompilationCount = 0
  /// The value of ``ConnectionHandle/forcedResets`` when the run began.
  private var forcedResets = 0
  /// The memory for strings and blobs while all parameters are bound together.
  let arena = BindingArena()
  /// The number of values bound since ``beginBindingAll()``.
  var boundCount = 0
  /// A bit mask of the parameters bound since then, for the first 64 parameters.
  var bound: UInt64 = 0
  /// The value of ``bound`` when every parameter is bound; 0 if there are more than 64 parameters.
  let completeBoundMask: UInt64
  /// A Boolean value that indicates whether the statement controls a transaction or savepoint.
  /// Cached because computing it from ``storedAccess`` is slower.
  private var controlsTransaction: Bool
  /// A Boolean value that indicates whether observers are notified when the statement has run.
  private var isReportedToObservers: Bool
  /// The state of borrowed columns: see ``beginBorrow()``.
  private(set) var borrow = ColumnBorrow()
  /// Used by the statement cache only.
  var cacheState = StatementCacheState()
  /// The position of the current row in the run, counting from 1.
  private(set) var rowNumber = 0
  /// The number of rows of the last complete fetch, used as the expected number for the next one.
  @usableFromInline var lastRowCount = 0

  private enum Phase {
    /// Not stepped since it was compiled or reset.
    case ready
    case row
    /// Mid-step. Callbacks must not use the statement.
    case stepping
    /// At its end. The next step starts a new run.
    case done
  }

  init(
    sql: String, handle: consuming StatementHandle, access: Access,
    connection: ConnectionHandle
  ) {
    self.sql = sql
    self.handle = handle
    self.connection = connection
    storedAccess = access
    number = connection.nextStatementNumber()
    controlsTransaction = access.controlsTransaction
    isReportedToObservers = access.isReportedToObservers
    let cursor = self.handle.cursor
    isReadOnly = cursor.isReadOnly
    parameterCount = cursor.parameterCount
    completeBoundMask = parameterCount > 64 ? 0 : ~0 >> UInt64(64 - parameterCount)
    columns = ResultColumns(cursor: cursor, sql: sql, connection: connection)
    currentRow = Row(cursor: cursor, columns: columns)
    columns.statement = self
  }

  // A writing statement that is released before its end takes effect here.
  deinit {
    columns.cachedFetch = nil
    if connection.isAccessible { endRun() }
  }

  /// The tables and columns that the statement reads and writes.
  public var access: Access { storedAccess }

  /// The row that the last ``step()`` returned.
  ///
  /// Before the first step and after the last row, reading a column throws an error.
  public var row: Row {
    _read {
      connection.preconditionAccess()
      yield currentRow
    }
  }

  /// Advances to the next row.
  ///
  /// - Returns: Whether there is a next row. After the last row the statement is reset, and the
  ///   next step would run it again with the same values.
  /// - Throws: ``SQLiteError`` if the statement fails. The statement is reset then.
  public func step() throws(SQLiteError) -> Bool {
    try connection.requireAccess(sql: sql)
    let isFirst = phase != .row
    if isFirst {
      try begin()
    } else if forcedResets != connection.forcedResets {
      throw interruptedRunError()
    }
    phase = .stepping
    var outcome = isReadOnly ? handle.cursor.step() : writingStep()
    if isFirst, case .failed(SQLiteError.Code.schema.rawValue) = outcome { outcome = stepAgain() }
    switch outcome {
    case .row:
      phase = .row
      rowNumber = isFirst ? 1 : rowNumber + 1
      if isFirst {
        connection.runningStatementCount += 1
        checkForRecompilation()
      }
      return true
    case .done:
      phase = .done
      if isFirst { checkForRecompilation() } else { recordEndOfRun() }
      handle.cursor.reset()
      didRun()
      return false
    case .failed(let code):
      if !isFirst { recordEndOfRun() }
      throw failed(code)
    }
  }

  /// Records that the statement no longer has a row. A statement that was reset by force is not
  /// counted.
  private func recordEndOfRun() {
    if forcedResets == connection.forcedResets { connection.runningStatementCount -= 1 }
  }

  /// Runs the statement again after `SQLITE_SCHEMA`: another connection changed the schema while
  /// SQLite recompiled the statement, and the statement has not run.
  private func stepAgain() -> StatementCursor.Step {
    for _ in 1..<ConnectionHandle.maximumCompilations {
      handle.cursor.reset()
      let outcome = isReadOnly ? handle.cursor.step() : writingStep()
      guard case .failed(SQLiteError.Code.schema.rawValue) = outcome else { return outcome }
    }
    return .failed(SQLiteError.Code.schema.rawValue)
  }

  /// Performs a step that may change rows. Nested statements must not hide the changes.
  @inline(__always)
  private func writingStep() -> StatementCursor.Step {
    connection.writingSteps += 1
    defer { connection.writingSteps -= 1 }
    return handle.cursor.step()
  }

  /// Notifies observers of a run that has ended or was reset early.
  @inline(__always)
  private func didRun() {
    if isReportedToObservers, connection.hooks.isObserved {
      connection.hooks.statementDidRun(storedAccess, failed: false)
    }
    connection.hooks.deliverEvents(on: connection)
  }

  /// Ends a run that has failed.
  private func failed(_ code: Int32) -> SQLiteError {
    phase = .done
    let failure = error(code)
    handle.cursor.reset()
    if !isReadOnly, connection.hooks.isObserved {
      // Changes made before the failure may persist.
      checkForRecompilation()
      connection.hooks.statementDidRun(storedAccess, failed: true)
    }
    connection.hooks.deliverEvents(on: connection)
    return failure
  }

  /// Runs the statement to its end, and ignores its rows.
  ///
  /// - Throws: The errors of ``step()``, for example ``SQLiteError/Code/constraint`` and its
  ///   kinds, ``SQLiteError/Code/busy``, ``SQLiteError/Code/readOnly`` or
  ///   ``SQLiteError/Code/interrupt``. Returning rows is not an error.
  public func run() throws(SQLiteError) {
    try connection.requireAccess(sql: sql)
    endRun()
    while try step() {}
  }

  /// Resets the statement to before its first row. The bindings are kept.
  ///
  /// A writing statement with `RETURNING` makes all changes in its first step; resetting it early
  /// does not undo them. Outside a transaction, the reset commits, and an error of the commit is
  /// not reported. Step to the end to receive it.
  ///
  /// Has no effect after the end of the access that the connection was lent to, which has reset the
  /// statement.
  public func reset() { if connection.isAccessible { endRun() } }

  /// Resets the statement. The calling thread owns the connection.
  @inline(__always)
  func endRun() { if phase != .ready { resetRun() } }

  private func resetRun() {
    let last = phase
    precondition(last != .stepping, "a statement can't be used by a function or hook that it calls")
    phase = .ready
    if last == .row { resetAtRow() }
  }

  private func resetAtRow() {
    if borrow.isActive { return deferReset() }
    recordEndOfRun()
    handle.cursor.reset()
    didRun()
  }

  /// Steps a writing statement to its end, because its transaction may still fail to commit.
  @usableFromInline func finishWriting() throws(SQLiteError) {
    if !isReadOnly { while phase == .row, try step() {} }
  }

  private func reentrantUseError() -> SQLiteError {
    SQLiteError(
      code: .misuse,
      message: "a statement can't be used by a function or hook that it calls", sql: sql)
  }

  /// The error for continuing a run that a rollback has ended: it must not silently restart.
  private func interruptedRunError() -> SQLiteError {
    if borrow.isActive { return columnBorrowedError() }
    phase = .done
    return SQLiteError(
      code: .abort,
      message: "the statement was reset because its transaction was rolled back", sql: sql)
  }

  /// Prevents changes of the current row while its columns are borrowed, until the matching number
  /// of ``endBorrow()`` calls.
  ///
  /// Steps are rejected by the comparison of forced resets that they make anyway.
  func beginBorrow() {
    if !borrow.isActive {
      borrow.forcedResets = forcedResets
      forcedResets = -1
      connection.borrowedStatementCount += 1
    }
    borrow.count += 1
  }

  /// Ends a borrow. After the last one, performs the deferred reset and clearing.
  func endBorrow() {
    borrow.count -= 1
    guard !borrow.isActive else { return }
    let ended = borrow
    borrow = ColumnBorrow()
    forcedResets = ended.forcedResets
    connection.borrowedStatementCount -= 1
    if let savedArena = ended.arena { arena.swapContents(with: savedArena) }
    if ended.isResetPending { endRun() }
    if ended.isClearPending { clearValues() }
  }

  /// A reset would free the borrowed bytes, and is deferred. No value can be bound until then, but
  /// an attempt must not overwrite the arena, which the row may refer to.
  private func deferReset() {
    phase = .row
    borrow.isResetPending = true
    guard borrow.arena == nil else { return }
    let savedArena = BindingArena()
    savedArena.swapContents(with: arena)
    borrow.arena = savedArena
  }

  func deferClearing() { borrow.isClearPending = true }

  /// Begins a run. The connection is open, because it can't close while it has statements.
  @inline(__always)
  private func begin() throws(SQLiteError) {
    if phase == .stepping { throw reentrantUseError() }
    if connection.isCancelled { throw cancelled() }
    if connection.scopeDepth > 0, controlsTransaction || !connection.isInTransaction, endsScope {
      throw connection.scopeError(sql: sql)
    }
    forcedResets = connection.forcedResets
    if connection.recordedAccess != nil { connection.recordedAccess?.value.formUnion(storedAccess) }
    if controlsTransaction { connection.enablePreupdateHook() }
    if !isReadOnly, connection.hooks.isObserved {
      connection.beginRun(of: number, storedAccess)
    }
  }

  /// A Boolean value that indicates whether the statement would end the current scope's
  /// transaction, or would run outside it.
  private var endsScope: Bool {
    if storedAccess.endsTransaction || !connection.isInTransaction { return true }
    return storedAccess.savepoint.map { !connection.allowsSavepoint($0) } ?? false
  }

  private func cancelled() -> SQLiteError {
    SQLiteError(code: .interrupt, message: "the access was cancelled", sql: sql)
  }

  /// SQLite recompiles a statement when the schema has changed, which may change its access.
  @inline(__always)
  private func checkForRecompilation() {
    let count = handle.cursor.recompilationCount
    if count != recompilationCount { applyRecompilation(count) }
  }

  private func applyRecompilation(_ count: Int) {
    recompilationCount = count
    if connection.hooks.isPreupdateHookDisabled {
      connection.hooks.didCompileWithoutPreupdateHook()
    }
    number = connection.nextStatementNumber()
    columns.invalidate()
    guard let prepared = try? connection.prepare(SQLText(sql), persistent: false) else {
      // Forces another attempt, so that the outdated access is not relied on.
      recompilationCount = -1
      return
    }
    storedAccess = prepared.access
    controlsTransaction = prepared.access.controlsTransaction
    isReportedToObservers = prepared.access.isReportedToObservers
    connection.recordedAccess?.value.formUnion(storedAccess)
  }

  func error(_ code: Int32) -> SQLiteError {
    if borrow.isActive { return columnBorrowedError() }
    let failure = connection.error(
      code, sql: sql, expanded: connection.showsValuesInErrors ? handle.cursor.expandedSQL : nil)
    guard failure.code == .constraintCommitHook, let veto = connection.hooks.takeVeto() else {
      return failure
    }
    return failure.replacingMessage("\(veto)")
  }
}

@available(*, unavailable) extension Statement: Sendable {}

extension Statement {
  /// The number of columns of the result; 0 for a statement without rows.
  public var columnCount: Int { columns.count }

  /// The column names of the result.
  public var columnNames: [String] {
    connection.preconditionAccess()
    return columns.names
  }

  /// Returns the declared type of the table column that a result column comes from; `nil` for an
  /// expression, a column without a declared type, and an index out of range.
  public func declaredType(at index: ColumnIndex) -> String? {
    connection.preconditionAccess()
    guard index.rawValue >= 0, index.rawValue < columns.count else { return nil }
    return handle.cursor.declaredType(at: index.rawValue)
  }

  /// The parameter names, as the statement spells them; `nil` for a parameter without a name.
  public var parameterNames: [String?] {
    connection.preconditionAccess()
    return (0..<parameterCount).map { handle.cursor.parameterName(at: $0 + 1) }
  }
}
