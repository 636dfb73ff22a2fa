internal import CSQLite

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
