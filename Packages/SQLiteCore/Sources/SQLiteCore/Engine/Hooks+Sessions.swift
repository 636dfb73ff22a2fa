internal import CSQLite

/// The sessions of a connection, which share the preupdate hook's slot with the observers.
///
/// A session sets the hook to the session extension's callback with its own address as the context,
/// and links the previous context as the next session of a list. Sessions may therefore be created
/// and deleted only while no other context is in the slot. While there are observers, ``Hooks``
/// occupies the slot, stores the head of the list, and calls the extension's callback after the
/// observers (decision 11).
@safe struct SessionHook {
  /// The number of sessions.
  var count = 0
  /// The head of the list while ``Hooks`` occupies the slot, and for the change during which it
  /// leaves.
  fileprivate(set) var head: UnsafeMutableRawPointer?
  /// Released sessions that could not be deleted during a callback, with their filters.
  fileprivate var discarded: [(session: OpaquePointer, filter: TableFilter?)] = unsafe []
  /// Set by tests to simulate that the session extension's callback was not found.
  var isUnshareable = false

  /// The session extension's callback; `nil` if it can't be found.
  fileprivate static let callback = unsafe holt_find_session_callback()

  /// A Boolean value that indicates whether sessions and observers may share the slot.
  fileprivate var isShareable: Bool { unsafe !isUnshareable && Self.callback != nil }

  /// Passes a change to the sessions.
  func willChange(
    _ db: OpaquePointer, _ operation: Int32, _ schema: UnsafePointer<CChar>,
    _ table: UnsafePointer<CChar>, _ oldRowID: Int64, _ newRowID: Int64
  ) {
    guard let head = unsafe head, let callback = unsafe Self.callback else { return }
    unsafe callback(head, db, operation, schema, table, oldRowID, newRowID)
  }
}

extension Hooks {
  /// Throws if observers would keep changes from the sessions.
  func checkObserversAllowed() throws(SQLiteError) {
    guard sessions.count == 0 || sessions.isShareable else {
      throw SQLiteError(
        code: .unsupported,
        message: "observers can't be added to a connection that has a session: "
          + "SQLite \(SQLiteLibrary.version) does not let both use the preupdate hook")
    }
  }

  /// Throws if a session would keep changes from the observers.
  func checkSessionAllowed() throws(SQLiteError) {
    guard observers.isEmpty || sessions.isShareable else {
      throw SQLiteError(
        code: .unsupported,
        message: "a session can't be created on a connection that has observers: "
          + "use a connection without observers")
    }
  }

  /// Installs ``Hooks`` in the slot, and stores the previous context.
  func installPreupdateHook(of db: OpaquePointer) {
    unsafe sessions.head = holt_preupdate_hook(db, preupdateCallback, context)
  }

  /// Restores the slot for the session extension, or clears it if there is no session.
  func removePreupdateHook(of db: OpaquePointer) {
    let head = unsafe sessions.head
    unsafe holt_preupdate_hook(db, head == nil ? nil : SessionHook.callback, head)
  }

  /// Runs `body`, which creates or deletes a session, with the slot in the state that the session
  /// extension expects.
  func withSessionHook(of db: OpaquePointer, _ body: () -> Int32) -> Int32 {
    guard !observers.isEmpty else {
      unsafe sessions.head = nil
      return body()
    }
    isPreupdateHookDisabled = false
    declinedStatement.value.statement = nil
    unsafe removePreupdateHook(of: db)
    defer { unsafe installPreupdateHook(of: db) }
    return body()
  }

  /// Deletes a session, or defers this until no callback is running, because a callback may be
  /// using the session.
  func discard(_ session: OpaquePointer, _ filter: TableFilter?) {
    unsafe sessions.discarded.append((session, filter))
    guard callbackDepth > 0 else {
      // The connection stays open while a session exists.
      if let db = unsafe try? connection() { unsafe deleteDiscardedSessions(of: db) }
      return
    }
    unsafe holt_session_enable(session, 0)
    hasPendingEvents.value = true
  }

  /// Deletes the released sessions, or defers this while a callback is running.
  func deleteDiscardedSessions() {
    guard unsafe !sessions.discarded.isEmpty else { return }
    guard callbackDepth == 0, let db = unsafe try? connection() else {
      hasPendingEvents.value = true
      return
    }
    unsafe deleteDiscardedSessions(of: db)
  }

  func deleteDiscardedSessions(of db: OpaquePointer) {
    let discarded = unsafe sessions.discarded
    unsafe sessions.discarded = []
    for index in unsafe discarded.indices {
      let session = unsafe discarded[index].session
      _ = unsafe withSessionHook(of: db) {
        unsafe holt_session_delete(session)
        return SQLITE_OK
      }
      sessions.count -= 1
    }
  }

  /// Makes SQLite recompile every statement before its next run.
  func expireStatements(of db: OpaquePointer) {
    unsafe sqlite3_set_authorizer(db, authorizeCallback, context)
  }

  /// Notifies observers that the database's content was replaced as a whole, as a commit that
  /// changes the schema.
  func databaseWasReplaced() {
    guard !observers.isEmpty else { return }
    var access = Statement.Access()
    access.changesSchema = true
    statementDidRun(access, failed: false)
    outcome = .commit
    if let handle = openHandle { deliverEvents(on: handle) }
  }
}

extension Hooks {
  /// Reports each inserted, updated or deleted row with SQLite's update hook. This is the cheapest
  /// way to observe changes, but it is incomplete.
  ///
  /// It does not report changes of tables without rowids, of SQLite's own tables and of virtual
  /// tables, rows deleted by `REPLACE`, and a `DELETE` without `WHERE`, which truncates the table
  /// unless the connection also has observers. It reports no values and no rollbacks. Add a
  /// ``TransactionObserver`` to receive every change.
  ///
  /// ```swift
  /// let subscription = try connection.hooks.update { kind, table, rowID in
  ///   print(kind, table, rowID.rawValue)
  /// }
  /// try connection.run("INSERT INTO book (title) VALUES (?)", "Emma")
  /// connection.hooks.remove(subscription)
  /// ```
  ///
  /// - Parameter report: Receives the kind of the change, the table and the rowid; after an update
  ///   of the rowid, the new one. It is called while SQLite is changing the row, and must not use
  ///   the connection.
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
  /// The kind for SQLite's operation code.
  init(operation: Int32) {
    switch operation {
    case SQLITE_INSERT: self = .insert
    case SQLITE_DELETE: self = .delete
    default: self = .update
    }
  }
}
