internal import CSQLite

/// Event delivery.
extension Hooks {
  /// Delivers the events that SQLite reported during the call that has just returned.
  ///
  /// The commit hook runs before the commit, which may still fail: a commit has happened when the
  /// connection is back in autocommit mode.
  @inline(__always)
  func deliverEvents(on handle: ConnectionHandle) {
    if hasPendingEvents.value { deliverPendingEvents(on: handle) }
  }

  private func deliverPendingEvents(on handle: ConnectionHandle) {
    hasPendingEvents.value = false
    moduleFailure = nil
    deleteDiscardedSessions()
    rollBackIfPending()
    if transactionTimestamp != nil { clearEndedTransactionTimestamp() }
    if hasVacuumed {
      hasVacuumed = false
      observers.forEach { $0.schemaDidChange() }
    }
    if let outcome {
      self.outcome = nil
      declinedStatement.value.statement = nil
      switch outcome {
      case .rollback: observers.forEach { $0.didRollback() }
      case .commit:
        if handle.isOpen, !handle.isInTransaction { observers.forEach { $0.didCommit() } }
      }
    }
    if !pendingWALCommits.isEmpty {
      let commits = pendingWALCommits
      pendingWALCommits = []
      for commit in commits {
        walCommits.forEach { $0(commit.schema, commit.pages) }
        let isLong = automaticCheckpointPages > 0 && commit.pages >= automaticCheckpointPages
        if isLong, let db = unsafe try? connection() {
          unsafe sqlite3_wal_checkpoint_v2(db, commit.schema, SQLITE_CHECKPOINT_PASSIVE, nil, nil)
        }
      }
    }
  }

  /// Performs a rollback that was deferred because a statement was mid-step.
  private func rollBackIfPending() {
    guard isRollbackPending else { return }
    guard let handle = openHandle, handle.canResetStatements else {
      hasPendingEvents.value = true
      return
    }
    isRollbackPending = false
    if handle.isInTransaction { try? handle.executeUninterrupted(.rollback) }
  }

  private func clearEndedTransactionTimestamp() {
    guard let db = unsafe try? connection(), unsafe sqlite3_get_autocommit(db) == 0 else {
      transactionTimestamp = nil
      return
    }
    // Check again after the next call.
    hasPendingEvents.value = true
  }

  /// Notifies the observers of a statement that has completed or failed.
  func statementDidRun(_ access: Statement.Access, failed: Bool) {
    declinedStatement.value.statement = nil
    if access.isAdministrative { observers.forEach { $0.statementDidRun(access) } }
    if failed {
      observers.forEach { $0.statementDidFail() }
    } else {
      if let savepoint = access.savepoint {
        observers.forEach { $0.savepointDidChange(savepoint) }
      }
      if access.changesSchema { observers.forEach { $0.schemaDidChange() } }
    }
  }

  /// Returns the error of the last `willCommit` that threw, and clears it.
  func takeVeto() -> (any Error)? {
    defer { veto = nil }
    return veto
  }

  fileprivate func authorizationCode(for request: AuthorizationRequest) -> Int32 {
    if isAuthorizerBypassed { return SQLITE_OK }
    // The kind of an access determines `query_only`; statements must not change it.
    if isQueryOnly == true, request.setsQueryOnly { return SQLITE_DENY }
    record(request)
    if authorizers.isEmpty { return SQLITE_OK }
    var code = SQLITE_OK
    inCallback {
      authorizers.forEach { decide in
        switch decide(request) {
        case .allow: break
        case .ignore: if code == SQLITE_OK { code = SQLITE_IGNORE }
        case .deny: code = SQLITE_DENY
        }
      }
    }
    return code
  }

  func tableName(
    _ schema: UnsafePointer<CChar>, _ table: UnsafePointer<CChar>
  ) -> TableName {
    let last = lastTable
    let isSame = unsafe last.name.withCString { unsafe sqlite3_stricmp($0, table) } == 0
    if isSame, unsafe last.schema.withCString({ unsafe sqlite3_stricmp($0, schema) }) == 0 {
      return last
    }
    lastTable = unsafe TableName(schema: String(cString: schema), String(cString: table))
    return lastTable
  }

  fileprivate func mayCommit() -> Bool {
    do {
      try observers.forEach { try $0.willCommit() }
      outcome = .commit
      return true
    } catch {
      veto = error
      return false
    }
  }

  fileprivate func mayContinue() -> Bool {
    var shouldContinue = true
    // Since SQLite 3.41, this is also called while a statement is compiled.
    inCallback { progress.forEach { if !$0() { shouldContinue = false } } }
    return shouldContinue
  }
}

/// The hooks that a callback's context points to.
func hooks(_ context: UnsafeMutableRawPointer?) -> Hooks? {
  unsafe context.map { unsafe Unmanaged<Hooks>.fromOpaque($0).takeUnretainedValue() }
}

func authorizeCallback(
  context: UnsafeMutableRawPointer?, action: Int32, first: UnsafePointer<CChar>?,
  second: UnsafePointer<CChar>?, schema: UnsafePointer<CChar>?, cause: UnsafePointer<CChar>?
) -> Int32 {
  guard let hooks = unsafe hooks(context) else { return SQLITE_OK }
  let request = unsafe Hooks.AuthorizationRequest(
    action: action, first: first.map { unsafe String(cString: $0) },
    second: second.map { unsafe String(cString: $0) },
    schema: schema.map { unsafe String(cString: $0) },
    cause: cause.map { unsafe String(cString: $0) })
  return hooks.authorizationCode(for: request)
}

func preupdateCallback(
  context: UnsafeMutableRawPointer?, db: OpaquePointer?, operation: Int32,
  schema: UnsafePointer<CChar>?, table: UnsafePointer<CChar>?, oldRowID: Int64, newRowID: Int64
) {
  guard let hooks = unsafe hooks(context), let db = unsafe db, let schema = unsafe schema,
    let table = unsafe table
  else { return }
  let change = unsafe Hooks.RowChange(
    kind: Hooks.RowChange.Kind(operation: operation), table: hooks.tableName(schema, table),
    oldRowID: RowID(rawValue: oldRowID),
    newRowID: RowID(rawValue: newRowID), db: db)
  hooks.observers.forEach { $0.willChange(change) }
  // If an observer ended its subscription in this call, the sessions must still receive the change.
  unsafe hooks.sessions.willChange(db, operation, schema, table, oldRowID, newRowID)
}

func commitCallback(context: UnsafeMutableRawPointer?) -> Int32 {
  guard let hooks = unsafe hooks(context) else { return 0 }
  return hooks.mayCommit() ? 0 : 1
}

func rollbackCallback(context: UnsafeMutableRawPointer?) {
  guard let hooks = unsafe hooks(context) else { return }
  hooks.outcome = .rollback
}

func traceCallback(
  kind: UInt32, context: UnsafeMutableRawPointer?, statement: UnsafeMutableRawPointer?,
  detail: UnsafeMutableRawPointer?
) -> Int32 {
  guard let hooks = unsafe hooks(context), let statement = unsafe statement else { return 0 }
  if let observer = hooks.queryObserver {
    hooks.inCallback {
      unsafe hooks.report(kind, of: OpaquePointer(statement), text: detail, to: observer)
    }
  }
  if kind != UInt32(SQLITE_TRACE_PROFILE) {
    hooks.inCallback { unsafe hooks.trace(kind, of: OpaquePointer(statement), detail: detail) }
    return 0
  }
  guard !hooks.profilers.isEmpty, let detail = unsafe detail else { return 0 }
  let nanoseconds = unsafe detail.load(as: Int64.self)
  let sql = unsafe Hooks.sql(of: OpaquePointer(statement))
  let profile = Statement.Profile(sql: sql, duration: .nanoseconds(nanoseconds))
  hooks.inCallback { hooks.profilers.forEach { $0(profile) } }
  return 0
}

func progressCallback(context: UnsafeMutableRawPointer?) -> Int32 {
  guard let hooks = unsafe hooks(context) else { return 0 }
  return hooks.mayContinue() ? 0 : 1
}

func walCallback(
  context: UnsafeMutableRawPointer?, db: OpaquePointer?, schema: UnsafePointer<CChar>?,
  pages: Int32
) -> Int32 {
  guard let hooks = unsafe hooks(context), let schema = unsafe schema else { return SQLITE_OK }
  hooks.pendingWALCommits.append((unsafe String(cString: schema), Int(pages)))
  return SQLITE_OK
}
