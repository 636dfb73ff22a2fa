internal import CSQLite

/// What stands in the preupdate hook's slot beside the observers: the list of a connection's sessions.
///
/// A session fills the slot with a callback of the session extension and with its own address, and takes
/// what stood there for the next session of the list. So it may be made and deleted only while no one
/// else's context is in the slot. While there are observers, the arbiter is in the slot, keeps the
/// head of the list, and calls the extension's callback after the observers (decision 11).
@safe struct SessionSlot {
  /// How many sessions there are.
  var count = 0
  /// The list's head, while the arbiter is in its place; what it was, when that has just left.
  fileprivate(set) var head: UnsafeMutableRawPointer?
  /// The sessions that were let go while the engine was in the midst of a call, and what each asks.
  fileprivate var discarded: [(session: OpaquePointer, filter: TableFilter?)] = unsafe []
  /// Set by a test: as if the session extension's callback could not be found.
  var isUnshareable = false

  /// The session extension's callback; `nil` where it can't be found.
  fileprivate static let callback = unsafe holt_find_session_callback()

  /// Whether sessions and observers may share the slot.
  fileprivate var isShareable: Bool { unsafe !isUnshareable && Self.callback != nil }

  /// Tells the sessions of a change.
  func willChange(
    _ db: OpaquePointer, _ operation: Int32, _ schema: UnsafePointer<CChar>,
    _ table: UnsafePointer<CChar>, _ oldRowID: Int64, _ newRowID: Int64
  ) {
    guard let head = unsafe head, let callback = unsafe Self.callback else { return }
    unsafe callback(head, db, operation, schema, table, oldRowID, newRowID)
  }
}

extension Hooks {
  /// Refuses observers that would take the changes away from the sessions.
  func admitObservers() throws(SQLiteError) {
    guard sessions.count == 0 || sessions.isShareable else {
      throw SQLiteError(
        code: .unsupported,
        message: "this connection has a session, which observers would make deaf: "
          + "SQLite \(Engine.version) shows no way for both to share the preupdate hook")
    }
  }

  /// Refuses a session that would take the changes away from the observers.
  func admitSession() throws(SQLiteError) {
    guard observers.isEmpty || sessions.isShareable else {
      throw SQLiteError(
        code: .unsupported,
        message: "this connection has observers, which a session would make deaf: "
          + "record it on a connection that nobody observes")
    }
  }

  /// Puts the arbiter into the slot, and keeps what was there.
  func takePreupdateSlot(of db: OpaquePointer) {
    unsafe sessions.head = holt_preupdate_hook(db, preupdateCallback, context)
  }

  /// Leaves the slot as the session extension filled it: empty, where there is no session.
  func leavePreupdateSlot(of db: OpaquePointer) {
    let head = unsafe sessions.head
    unsafe holt_preupdate_hook(db, head == nil ? nil : SessionSlot.callback, head)
  }

  /// Runs `body`, which makes or deletes a session, with the slot as the session extension wants it.
  func withSessionSlot(of db: OpaquePointer, _ body: () -> Int32) -> Int32 {
    guard !observers.isEmpty else {
      unsafe sessions.head = nil
      return body()
    }
    isMuted = false
    declined.value.statement = nil
    unsafe leavePreupdateSlot(of: db)
    defer { unsafe takePreupdateSlot(of: db) }
    return body()
  }

  /// Deletes a session, once the engine is in no call of its own: one of those may lead to the session.
  func discard(_ session: OpaquePointer, _ filter: TableFilter?) {
    unsafe sessions.discarded.append((session, filter))
    guard callDepth > 0 else {
      // The connection can't be closed while a session is alive.
      if let db = unsafe try? connection() { unsafe deleteDiscardedSessions(of: db) }
      return
    }
    unsafe holt_session_enable(session, 0)
    state.hasNews = true
  }

  /// Deletes the sessions that were let go; those whose turn has not come are asked for again.
  func deleteDiscardedSessions() {
    guard unsafe !sessions.discarded.isEmpty else { return }
    guard callDepth == 0, let db = unsafe try? connection() else {
      state.hasNews = true
      return
    }
    unsafe deleteDiscardedSessions(of: db)
  }

  func deleteDiscardedSessions(of db: OpaquePointer) {
    let discarded = unsafe sessions.discarded
    unsafe sessions.discarded = []
    for index in unsafe discarded.indices {
      let session = unsafe discarded[index].session
      _ = unsafe withSessionSlot(of: db) {
        unsafe holt_session_delete(session)
        return SQLITE_OK
      }
      sessions.count -= 1
    }
  }

  /// Has every statement compiled anew before it runs next.
  func expireStatements(of db: OpaquePointer) {
    unsafe sqlite3_set_authorizer(db, authorizeCallback, context)
  }

  /// Tells that the database's content was replaced as a whole, with a commit of its own.
  func databaseWasReplaced() {
    guard !observers.isEmpty else { return }
    var access = Statement.Access()
    access.changesSchema = true
    statementDidRun(access, failed: false)
    state.outcome = .commit
    if let handle = openHandle { settle(on: handle) }
  }
}

extension Hooks {
  /// Reports each row that was inserted, updated or deleted, by SQLite's update hook: the cheapest way
  /// to hear of changes, and one with gaps.
  ///
  /// It misses tables without rowids, SQLite's own tables and virtual ones, rows that a `REPLACE` displaces, and
  /// a `DELETE` without `WHERE`, which empties the table at once, unless someone observes the connection
  /// as well. It knows nothing of values, nor of a rollback that undoes the changes. Who may miss nothing
  /// adds a ``TransactionObserver``.
  ///
  /// ```swift
  /// let subscription = try connection.hooks.update { kind, table, rowID in
  ///   print(kind, table, rowID.rawValue)
  /// }
  /// try connection.run("INSERT INTO book (title) VALUES (?)", "Emma")
  /// connection.hooks.remove(subscription)
  /// ```
  ///
  /// - Parameter report: Takes what was done, the table, and the row's key: the new one where an update
  ///   changed it. It is called in the middle of SQLite's work, and must not use the connection.
  /// - Throws: ``SQLiteError`` with code ``SQLiteError/Code/closed``.
  @discardableResult
  public func update(
    _ report: @escaping (_ kind: RowChange.Kind, _ table: TableName, _ rowID: RowID) -> Void
  ) throws(SQLiteError) -> Subscription {
    let db = unsafe try connection()
    unsafe sqlite3_update_hook(db, updateCallback, context)
    return subscribe(report, in: \.updates)
  }
}

private func updateCallback(
  context: UnsafeMutableRawPointer?, operation: Int32, schema: UnsafePointer<CChar>?,
  table: UnsafePointer<CChar>?, rowID: Int64
) {
  guard let hooks = unsafe hooks(context), let schema = unsafe schema, let table = unsafe table
  else { return }
  let name = unsafe hooks.tableName(schema, table)
  let kind = Hooks.RowChange.Kind(operation: operation)
  hooks.updates.forEach { $0(kind, name, RowID(rawValue: rowID)) }
}

extension Hooks.RowChange.Kind {
  /// The kind that one of the engine's three codes stands for.
  init(operation: Int32) {
    switch operation {
    case SQLITE_INSERT: self = .insert
    case SQLITE_DELETE: self = .delete
    default: self = .update
    }
  }
}
