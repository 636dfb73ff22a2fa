extension Connection {
  /// Passes the `sqlite3` handle to `body`, for SQLite functions that this package does not cover.
  ///
  /// ```swift
  /// import SQLite3
  ///
  /// let isAutocommit = try unsafe connection.withUnsafeHandle { unsafe sqlite3_get_autocommit($0) != 0 }
  /// ```
  ///
  /// The handle is valid until `body` returns. Use it as SQLite's documentation describes, and
  /// follow these rules:
  ///
  /// - keep the connection open, and finalize every statement that you prepare;
  /// - don't set hooks, an authorizer, a busy handler or a progress handler: they would silently
  ///   replace the connection's own;
  /// - don't end a transaction that you did not begin.
  ///
  /// Observers are notified of rows that `body` changes and of commits, but not of its savepoints
  /// and `PRAGMA`s. A ``Database`` treats the connection as one with changed settings, and closes a
  /// reader after the access.
  ///
  /// - Throws: ``SQLiteError`` with code ``SQLiteError/Code/closed`` or
  ///   ``SQLiteError/Code/accessEnded``, and errors that `body` throws.
  @unsafe public func withUnsafeHandle<Result: ~Copyable>(
    _ body: (OpaquePointer) throws -> Result
  ) throws -> Result {
    try handle.requireAccess()
    let pointer = unsafe try handle.pointer()
    handle.enablePreupdateHook()
    handle.hooks.hasChangedSettings.value = true
    defer { handle.hooks.deliverEvents(on: handle) }
    return unsafe try body(pointer)
  }
}
