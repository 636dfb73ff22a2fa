/// A compiled statement, with its values and its place among its rows.
///
/// It belongs to its ``Connection``, and is used where that is used. Reading a row is valid until the
/// next ``step()`` or ``reset()``; ``Row`` can't be kept longer.
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
  /// Whether the statement leaves the database as it is, as SQLite defines it: a `BEGIN` does.
  public let isReadOnly: Bool
  /// The number of values that it takes: the largest number among its parameters.
  public let parameterCount: Int
  let connection: ConnectionHandle
  let handle: StatementHandle
  let columns: ResultColumns
  private(set) var storedAccess: Access
  private var number: Statement.ID
  private var phase = Phase.ready
  @usableFromInline let currentRow: Row
  /// How often SQLite has compiled the statement anew, as far as is known here.
  private var recompilationCount = 0
  /// What ``ConnectionHandle/forcedResets`` was when the run began.
  private var forcedResets = 0
  /// Where texts and blobs are put while all parameters are bound at once.
  let arena = BindingArena()
  /// How many values have been bound since ``beginBindingAll()``.
  var boundCount = 0
  /// Which parameters have had a value since then: a bit for each of the first 64.
  var bound: UInt64 = 0
  /// What ``bound`` is once each has; none where there are more than 64 of them.
  let boundOnce: UInt64
  /// Whether the statement commits, rolls back, or has to do with a savepoint: ``storedAccess`` says
  /// so too, at a higher price.
  private var controlsTransaction: Bool
  /// Whether observers are told that it has run.
  private var isOfNote: Bool
  /// The columns that are lent: see ``beginLoan()``.
  private(set) var loan = RowLoan()
  /// The cache's alone.
  var cacheState = StatementCacheState()
  /// How many rows the last complete fetch gave: as many may come again.
  @usableFromInline var lastRowCount = 0

  private enum Phase {
    /// Not yet stepped since it was compiled or reset.
    case ready
    case row
    /// In the midst of a step: what SQLite calls meanwhile must leave the statement alone.
    case stepping
    /// At its end: the next step would begin anew.
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
    isOfNote = access.isOfNote
    let cursor = self.handle.cursor
    isReadOnly = cursor.isReadOnly
    parameterCount = cursor.parameterCount
    boundOnce = parameterCount > 64 ? 0 : ~0 >> UInt64(64 - parameterCount)
    columns = ResultColumns(cursor: cursor, sql: sql, connection: connection)
    currentRow = Row(cursor: cursor, columns: columns)
    columns.statement = self
  }

  // A statement that writes and is left at a row has its effects when it is let go.
  deinit {
    columns.keptFetch = nil
    if connection.isAccessible { endRun() }
  }

  /// What the statement reads and writes.
  public var access: Access { storedAccess }

  /// The row that the last ``step()`` arrived at.
  ///
  /// Before the first step and after the last row, reading any column is an error.
  public var row: Row {
    _read {
      connection.preconditionAccess()
      yield currentRow
    }
  }

  /// Goes on to the next row.
  ///
  /// - Returns: Whether there is one. After the last one the statement is reset, and the next step
  ///   would run it anew with the same values.
  /// - Throws: ``SQLiteError`` with whatever the statement failed with. It is reset.
  public func step() throws(SQLiteError) -> Bool {
    try connection.requireAccess(sql: sql)
    let isFirst = phase != .row
    if isFirst {
      try begin()
    } else if forcedResets != connection.forcedResets {
      throw restartRefused()
    }
    phase = .stepping
    var outcome = isReadOnly ? handle.cursor.step() : writingStep()
    if isFirst, case .failed(SQLiteError.Code.schema.rawValue) = outcome { outcome = stepAnew() }
    switch outcome {
    case .row:
      phase = .row
      if isFirst {
        connection.runningStatementCount += 1
        noteRecompilation()
      }
      return true
    case .done:
      phase = .done
      if isFirst { noteRecompilation() } else { noteEndOfRun() }
      handle.cursor.reset()
      didRun()
      return false
    case .failed(let code):
      if !isFirst { noteEndOfRun() }
      throw failed(code)
    }
  }

  /// Notes that the statement stands at a row no longer. One that was reset by force is not counted.
  private func noteEndOfRun() {
    if forcedResets == connection.forcedResets { connection.runningStatementCount -= 1 }
  }

  /// Runs the statement again after `SQLITE_SCHEMA`: another connection changed the schema while SQLite recompiled it, and
  /// nothing of it has run.
  private func stepAnew() -> StatementCursor.Step {
    for _ in 1..<ConnectionHandle.maximumCompilations {
      handle.cursor.reset()
      let outcome = isReadOnly ? handle.cursor.step() : writingStep()
      guard case .failed(SQLiteError.Code.schema.rawValue) = outcome else { return outcome }
    }
    return .failed(SQLiteError.Code.schema.rawValue)
  }

  /// A step that may change rows: what is run within it must not hide them.
  @inline(__always)
  private func writingStep() -> StatementCursor.Step {
    connection.writingSteps += 1
    defer { connection.writingSteps -= 1 }
    return handle.cursor.step()
  }

  /// Tells of a run that has come to its end, or was left.
  @inline(__always)
  private func didRun() {
    if isOfNote, connection.hooks.isObserved {
      connection.hooks.statementDidRun(storedAccess, failed: false)
    }
    connection.hooks.settle(on: connection)
  }

  /// Ends a run that has failed.
  private func failed(_ code: Int32) -> SQLiteError {
    phase = .done
    let failure = error(code)
    handle.cursor.reset()
    if !isReadOnly, connection.hooks.isObserved {
      // What it wrote before it failed may stay.
      noteRecompilation()
      connection.hooks.statementDidRun(storedAccess, failed: true)
    }
    connection.hooks.settle(on: connection)
    return failure
  }

  /// Runs the statement to its end, past any rows that it gives.
  ///
  /// - Throws: ``SQLiteError`` as ``step()``: ``SQLiteError/Code/constraint`` and its kinds,
  ///   ``SQLiteError/Code/busy``, ``SQLiteError/Code/readOnly``, ``SQLiteError/Code/interrupt``,
  ///   say. Rows that it gives are not an error.
  public func run() throws(SQLiteError) {
    try connection.requireAccess(sql: sql)
    endRun()
    while try step() {}
  }

  /// Goes back to before the first row. The values stay bound.
  ///
  /// A statement that writes and returns rows has written them all at its first step; leaving it
  /// early undoes nothing. Outside of a transaction it commits now, and a failure of that is not
  /// told: step to the end to hear of it.
  ///
  /// After the access that the connection was lent to, nothing happens: the statement was reset when
  /// that ended.
  public func reset() { if connection.isAccessible { endRun() } }

  /// Goes back to before the first row. The calling thread owns the connection.
  @inline(__always)
  func endRun() { if phase != .ready { leaveRun() } }

  private func leaveRun() {
    let last = phase
    precondition(last != .stepping, "a statement is not to be used by what it calls")
    phase = .ready
    if last == .row { leaveRow() }
  }

  private func leaveRow() {
    if loan.isOut { return deferReset() }
    noteEndOfRun()
    handle.cursor.reset()
    didRun()
  }

  /// Runs a statement that writes past the rows that are left: what it wrote may be refused yet, as
  /// its transaction commits.
  @usableFromInline func finishWriting() throws(SQLiteError) {
    if !isReadOnly { while phase == .row, try step() {} }
  }

  private func usedWithin() -> SQLiteError {
    SQLiteError(
      code: .misuse, message: "a statement is not to be used by what it calls", sql: sql)
  }

  /// A run that undoing a transaction has ended must not begin anew unseen.
  private func restartRefused() -> SQLiteError {
    if loan.isOut { return columnIsLent() }
    phase = .done
    return SQLiteError(
      code: .abort, message: "the run was ended, so that its transaction could be undone", sql: sql)
  }

  /// Keeps the row where it is, as columns of it are lent, until as many calls of ``endLoan()``.
  ///
  /// Every step finds that it may not go on by what it looks at anyway: the count of forced resets.
  func beginLoan() {
    if !loan.isOut {
      loan.forcedResets = forcedResets
      forcedResets = -1
      connection.loanCount += 1
    }
    loan.count += 1
  }

  /// Gives a column back, and does after the last one what was to be done meanwhile.
  func endLoan() {
    loan.count -= 1
    guard !loan.isOut else { return }
    let ended = loan
    loan = RowLoan()
    forcedResets = ended.forcedResets
    connection.loanCount -= 1
    if let lent = ended.arena { arena.takeOver(lent) }
    if ended.isResetDue { endRun() }
    if ended.isClearingDue { clearValues() }
  }

  /// The engine would free what is lent. No value can be bound until it has been reset, but those
  /// who try must not write over the arena, where the row may have a value from.
  private func deferReset() {
    phase = .row
    loan.isResetDue = true
    guard loan.arena == nil else { return }
    let lent = BindingArena()
    lent.takeOver(arena)
    loan.arena = lent
  }

  func deferClearing() { loan.isClearingDue = true }

  /// A connection does not close while it has statements: one that begins has its connection.
  @inline(__always)
  private func begin() throws(SQLiteError) {
    if phase == .stepping { throw usedWithin() }
    if connection.isCancelled { throw cancelled() }
    if connection.scopeDepth > 0, controlsTransaction || !connection.isInTransaction, leavesScope {
      throw connection.leavesScope(sql: sql)
    }
    forcedResets = connection.forcedResets
    if connection.accessRecorder != nil { connection.accessRecorder?.add(storedAccess) }
    if controlsTransaction { connection.unmute() }
    if !isReadOnly, connection.hooks.isObserved {
      connection.beginRun(of: number, storedAccess)
    }
  }

  /// Whether running the statement would end, or be no part of, what a call has begun.
  private var leavesScope: Bool {
    if storedAccess.endsTransaction || !connection.isInTransaction { return true }
    return storedAccess.savepoint.map { !connection.admits($0) } ?? false
  }

  private func cancelled() -> SQLiteError {
    SQLiteError(code: .interrupt, message: "the access was cancelled", sql: sql)
  }

  /// SQLite compiles a statement anew when the schema has changed; what it touches may differ then.
  @inline(__always)
  private func noteRecompilation() {
    let count = handle.cursor.recompilationCount
    if count != recompilationCount { adoptRecompilation(count) }
  }

  private func adoptRecompilation(_ count: Int) {
    recompilationCount = count
    if connection.hooks.isMuted { connection.hooks.didCompileMuted() }
    number = connection.nextStatementNumber()
    columns.forget()
    guard let prepared = try? connection.prepare(SQLText(sql), persistent: false) else {
      // What it writes is asked for again, and nothing that it is thought not to write is believed till then.
      recompilationCount = -1
      return
    }
    storedAccess = prepared.access
    controlsTransaction = prepared.access.controlsTransaction
    isOfNote = prepared.access.isOfNote
    connection.accessRecorder?.add(storedAccess)
  }

  func error(_ code: Int32) -> SQLiteError {
    if loan.isOut { return columnIsLent() }
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
  /// The number of columns of the result: none for a statement that gives no rows.
  public var columnCount: Int { columns.count }

  /// The names of the result's columns.
  public var columnNames: [String] {
    connection.preconditionAccess()
    return columns.names
  }

  /// The type that the schema declares for the table column behind a result column.
  public func declaredType(at index: ColumnIndex) -> String? {
    connection.preconditionAccess()
    guard index.rawValue >= 0, index.rawValue < columns.count else { return nil }
    return handle.cursor.declaredType(at: index.rawValue)
  }

  /// The names of the parameters, as the statement spells them; `nil` for one without a name.
  public var parameterNames: [String?] {
    connection.preconditionAccess()
    return (0..<parameterCount).map { handle.cursor.parameterName(at: $0 + 1) }
  }
}
