internal import Primitives

extension Connection {
  /// The time at which a transaction acquires its locks.
  public enum TransactionKind: String, Hashable, Sendable, CaseIterable {
    /// Acquires locks at the first read and at the first write. The write can fail if the database has changed since
    /// the read.
    case deferred = "DEFERRED"
    /// Acquires the write lock immediately.
    case immediate = "IMMEDIATE"
    /// Acquires an exclusive lock immediately, which also prevents other connections from reading, except with a
    /// write-ahead log.
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
  /// Runs `body` in a transaction, which is committed when `body` returns and rolled back if it throws.
  ///
  /// Inside another transaction, `body` runs in a ``savepoint(_:)``. An error that `body` throws is rethrown after the
  /// rollback; an error of the rollback itself is ignored.
  ///
  /// - Throws: Any error that `body` or an observer's veto throws; ``SQLiteError`` for a failed commit, or with code
  ///   ``SQLiteError/Code/transactionEnded`` for a statement in `body` that would end the transaction or an outer
  ///   savepoint, or that runs after SQLite has rolled the transaction back. All changes are rolled back then. With
  ///   code ``SQLiteError/Code/columnBorrowed`` while a column is borrowed: see `Row.withText(at:_:)`.
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

  /// Runs `body` in a savepoint, which is rolled back if `body` throws. The enclosing transaction continues.
  ///
  /// Outside a transaction, `body` runs in a deferred transaction.
  ///
  /// - Throws: The same errors as ``transaction(_:_:)``; ``SQLiteError`` with code ``SQLiteError/Code/busy`` while a
  ///   blob is open for writing, or ``SQLiteError/Code/columnBorrowed`` while a column is borrowed.
  @discardableResult
  public func savepoint<Result>(_ body: () throws -> Result) throws -> Result {
    try handle.requireAccess()
    guard handle.isInTransaction else { return try transaction(.deferred, body) }
    try beginSavepoint()
    let result: Result
    do {
      result = try body()
    } catch {
      rollBackToSavepoint()
      throw error
    }
    try releaseSavepoint()
    return result
  }

  /// Begins a transaction, which only ``commit()`` or ``rollBack()`` ends.
  func begin(_ kind: TransactionKind) throws(SQLiteError) {
    try checkScopeNotEnded()
    try checkNotSuspended()
    try handle.checkNoColumnBorrowed()
    try handle.execute(kind.begin)
    handle.enterScope()
  }

  /// Throws an error inside a transaction that SQLite has rolled back. A new transaction would commit a part of its
  /// changes without the rest.
  private func checkScopeNotEnded() throws(SQLiteError) {
    if handle.scopeDepth > 0 { throw handle.scopeError() }
  }

  /// Rolls back the transaction, unless SQLite has already done so.
  func rollBack() {
    handle.leaveScope()
    if isInTransaction { try? handle.executeUninterrupted(.rollback) }
  }

  /// Commits the transaction, and rolls it back if that fails.
  func commit() throws {
    handle.leaveScope()
    try completing(undo: { try? handle.executeUninterrupted(.rollback) }) {
      () throws(SQLiteError) in try handle.execute(.commit)
    }
  }

  /// Calls `commit`, and calls `undo` on failure, unless SQLite has already rolled back.
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
    // The veto of an earlier commit is not the cause of a failure of this one.
    _ = handle.hooks.takeVeto()
    do throws(SQLiteError) {
      try commit()
    } catch {
      if handle.isInTransaction { undo() }
      throw handle.hooks.takeVeto() ?? error
    }
  }

  // MARK: Savepoints

  /// Begins a savepoint, which only ``releaseSavepoint()`` or ``rollBackToSavepoint()`` ends.
  func beginSavepoint() throws(SQLiteError) {
    try handle.checkNoColumnBorrowed()
    let name = savepointName(savepointDepth + 1)
    try handle.execute("SAVEPOINT \(name)")
    notifyHooks(.begin, name)
    savepointDepth += 1
    handle.enterScope()
  }

  /// Releases the innermost savepoint, and rolls it back if that fails. It has ended in either case.
  func releaseSavepoint() throws {
    let name = leaveSavepoint()
    try completing(undo: { undo(name) }) { () throws(SQLiteError) in
      try handle.execute("RELEASE \(name)")
      notifyHooks(.release, name)
    }
  }

  /// Rolls back the innermost savepoint, unless SQLite has already done so.
  func rollBackToSavepoint() {
    let name = leaveSavepoint()
    if handle.isInTransaction { undo(name) }
  }

  /// Marks the innermost savepoint as ended without a statement, since the whole transaction is rolled back.
  func discardSavepoint() { _ = leaveSavepoint() }

  private func leaveSavepoint() -> String {
    handle.leaveScope()
    defer { savepointDepth -= 1 }
    return savepointName(savepointDepth)
  }

  /// Rolls back a savepoint, or the whole transaction if that fails, so that no change of failed code remains.
  private func undo(_ name: String) {
    do throws(SQLiteError) {
      try handle.executeUninterrupted("ROLLBACK TO \(name)")
      notifyHooks(.rollback, name)
      try handle.executeUninterrupted("RELEASE \(name)")
      notifyHooks(.release, name)
    } catch {
      try? handle.executeUninterrupted(.rollback)
    }
  }

  private func notifyHooks(_ kind: Hooks.SavepointEvent.Kind, _ name: String) {
    var access = Statement.Access()
    access.savepoint = Hooks.SavepointEvent(kind: kind, name: name)
    handle.hooks.statementDidRun(access, failed: false)
  }
}

/// Suspension, which releases locks: iOS terminates an app that holds a file lock while it is suspended.
extension Connection {
  /// Indicates whether the connection is suspended.
  public var isSuspended: Bool { handle.interrupter.isSuspended }

  /// Interrupts running statements, and prevents new ones that could acquire a lock, until ``resume()``.
  ///
  /// Statements and ``transaction(_:_:)`` fail with ``SQLiteError/Code/interrupt``, and a transaction that such a
  /// method has opened is rolled back when its next statement fails. A transaction opened with a bare `BEGIN` keeps its
  /// locks. From another thread, use ``interruptHandle``; for all connections of a database, ``Database/suspend()``.
  public func suspend() { handle.interrupter.suspend() }

  /// Ends the suspension. Does nothing if the connection is not suspended.
  public func resume() { handle.interrupter.resume() }

  func checkNotSuspended() throws(SQLiteError) {
    if isSuspended { throw SQLiteError.suspended("the connection") }
  }
}

extension Connection.InterruptHandle {
  /// Indicates whether the connection is suspended.
  public var isSuspended: Bool { interrupter.isSuspended }

  /// Interrupts running statements, and prevents new ones that could acquire a lock: see ``Connection/suspend()``.
  public func suspend() { interrupter.suspend() }

  /// Ends the suspension.
  public func resume() { interrupter.resume() }
}

extension SQLiteError {
  static func suspended(_ subject: String) -> SQLiteError {
    SQLiteError(code: .suspended, message: "\(subject) is suspended")
  }
}

extension Connection {
  /// A part of a connection's work that other threads can cancel separately.
  @_spi(Observing) public struct CancellationScope: Sendable {
    fileprivate let interrupter: Interrupter
    fileprivate let id: UInt64

    fileprivate static let lastID = Atomic<UInt64>(0)

    /// Interrupts the running statement, and prevents new ones until the scope ends. Does nothing after the end.
    public func cancel() { interrupter.cancelScope(id) }
  }
}

extension Connection {
  /// Runs `body`, whose statements fail with ``SQLiteError/Code/interrupt`` after the scope is cancelled.
  ///
  /// Scopes can't be nested.
  @_spi(Observing) public func withCancellationScope<Result>(
    _ body: (CancellationScope) throws -> Result
  ) rethrows -> Result {
    let id = CancellationScope.lastID.add(1, ordering: .relaxed).newValue
    let part = CancellationScope(interrupter: handle.interrupter, id: id)
    part.interrupter.beginScope(id)
    defer { part.interrupter.endScope() }
    return try body(part)
  }
}
