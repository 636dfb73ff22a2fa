extension Connection {
  /// How a transaction takes its locks.
  public enum TransactionKind: String, Hashable, Sendable, CaseIterable {
    /// At the first read, and again at the first write, which may find the database changed and fail.
    case deferred = "DEFERRED"
    /// The write lock at once.
    case immediate = "IMMEDIATE"
    /// The write lock at once, and no one reads either, except through a write-ahead log.
    case exclusive = "EXCLUSIVE"

    fileprivate var begin: TransactionControl {
      switch self {
      case .deferred: .beginDeferred
      case .immediate: .beginImmediate
      case .exclusive: .beginExclusive
      }
    }
  }
}

extension Connection {
  /// Runs `body` in a transaction: all that it does becomes permanent, or none of it.
  ///
  /// Inside another transaction it is a ``savepoint(_:)``. What `body` throws is thrown again, after
  /// everything was rolled back, and the first failure is the one that is told: one that occurs while
  /// rolling back is not.
  ///
  /// - Throws: What `body` throws, or what an observer's veto did; ``SQLiteError`` of the commit, or
  ///   with code ``SQLiteError/Code/transactionEnded`` of a statement in `body` that would commit or
  ///   roll back, or end a savepoint that was opened outside, or that comes after SQLite has rolled
  ///   back by itself. Nothing is kept then. With code ``SQLiteError/Code/columnLent`` while a column
  ///   is lent: see `Row.withText(at:_:)`.
  @discardableResult
  public func transaction<Result>(
    _ kind: TransactionKind = .immediate, _ body: () throws -> Result
  ) throws -> Result {
    try handle.requireAccess()
    if handle.isInTransaction { return try savepoint(body) }
    try begin(kind)
    let result: Result
    do {
      result = try body()
    } catch {
      rollBack()
      throw error
    }
    try commit()
    return result
  }

  /// Runs `body` in a savepoint: what it does is undone where it throws, and the transaction around
  /// it goes on.
  ///
  /// Outside of a transaction it is one itself.
  ///
  /// - Throws: As ``transaction(_:_:)``; ``SQLiteError`` with code ``SQLiteError/Code/busy`` while
  ///   a blob is open for writing, with ``SQLiteError/Code/columnLent`` while a column is lent.
  @discardableResult
  public func savepoint<Result>(_ body: () throws -> Result) throws -> Result {
    try handle.requireAccess()
    guard handle.isInTransaction else { return try transaction(.deferred, body) }
    try beginSavepoint()
    let result: Result
    do {
      result = try body()
    } catch {
      undoSavepoint()
      throw error
    }
    try releaseSavepoint()
    return result
  }

  /// Begins a transaction that ``commit()`` or ``rollBack()`` ends, and nothing else.
  func begin(_ kind: TransactionKind) throws(SQLiteError) {
    try refuseInEndedScope()
    try refuseWhileSuspended()
    try handle.refuseWhileLent()
    try handle.control(kind.begin)
    handle.enterScope()
  }

  /// Refuses to begin anew inside a transaction that SQLite has rolled back: what was to be a part
  /// of it would be kept without the rest.
  private func refuseInEndedScope() throws(SQLiteError) {
    if handle.scopeDepth > 0 { throw handle.leavesScope() }
  }

  /// Rolls back what the engine has not rolled back itself.
  func rollBack() {
    handle.leaveScope()
    if isInTransaction { try? handle.controlUninterrupted(.rollback) }
  }

  /// Commits; whatever fails, rolls back.
  func commit() throws {
    handle.leaveScope()
    try completing(undo: { try? handle.controlUninterrupted(.rollback) }) {
      () throws(SQLiteError) in try handle.control(.commit)
    }
  }

  /// Commits what has been done; whatever fails, undoes what the engine has not undone itself.
  private func completing(undo: () -> Void, commit: () throws(SQLiteError) -> Void) throws {
    do throws(SQLiteError) {
      guard handle.isInTransaction else {
        throw SQLiteError(code: .transactionEnded, message: "the transaction has been rolled back")
      }
      if handle.interrupter.isCancelled {
        throw SQLiteError(code: .interrupt, message: "the access was cancelled")
      }
    } catch {
      if handle.isInTransaction { undo() }
      throw error
    }
    // One that an earlier commit left is not the reason of a failure of this one.
    _ = handle.hooks.takeVeto()
    do throws(SQLiteError) {
      try commit()
    } catch {
      if handle.isInTransaction { undo() }
      throw handle.hooks.takeVeto() ?? error
    }
  }

  // MARK: Savepoints

  /// Begins a part of a transaction that ``releaseSavepoint()`` or ``undoSavepoint()`` ends, and nothing else.
  func beginSavepoint() throws(SQLiteError) {
    try handle.refuseWhileLent()
    let name = savepointName(savepointDepth + 1)
    try handle.control("SAVEPOINT \(name)")
    tell(.begin, name)
    savepointDepth += 1
    handle.enterScope()
  }

  /// Ends it, and leaves what it did to what is around it; whatever fails, undoes it. It is over either way.
  func releaseSavepoint() throws {
    let name = leaveSavepoint()
    try completing(undo: { undo(name) }) { () throws(SQLiteError) in
      try handle.control("RELEASE \(name)")
      tell(.release, name)
    }
  }

  /// Ends it, and undoes what SQLite has not undone itself.
  func undoSavepoint() {
    let name = leaveSavepoint()
    if handle.isInTransaction { undo(name) }
  }

  /// Takes one for over that is undone with all that is around it.
  func forgetSavepoint() { _ = leaveSavepoint() }

  private func leaveSavepoint() -> String {
    handle.leaveScope()
    defer { savepointDepth -= 1 }
    return savepointName(savepointDepth)
  }

  /// Undoes a savepoint, or failing that everything: what threw must leave no trace.
  private func undo(_ name: String) {
    do throws(SQLiteError) {
      try handle.controlUninterrupted("ROLLBACK TO \(name)")
      tell(.rollback, name)
      try handle.controlUninterrupted("RELEASE \(name)")
      tell(.release, name)
    } catch {
      try? handle.controlUninterrupted(.rollback)
    }
  }

  private func tell(_ kind: Hooks.SavepointEvent.Kind, _ name: String) {
    var access = Statement.Access()
    access.savepoint = Hooks.SavepointEvent(kind: kind, name: name)
    handle.hooks.statementDidRun(access, failed: false)
  }
}
