extension Connection {
  /// Lends SQLite's own handle, for what this package has no call for.
  ///
  /// ```swift
  /// import SQLite3
  ///
  /// let isAutocommit = try unsafe connection.withUnsafeHandle { unsafe sqlite3_get_autocommit($0) != 0 }
  /// ```
  ///
  /// The handle is valid until `body` returns. Within it, use it as SQLite's documentation says, and
  ///
  /// - leave the connection open, and finalize every statement that you prepare;
  /// - set no hook, authorizer, busy handler or progress handler: the connection has its own, and they are
  ///   replaced without notice;
  /// - end no transaction that you have not begun.
  ///
  /// Observers are notified of rows that `body` changes, and of commits. They don't see its savepoints and `PRAGMA`s.
  /// A ``Database`` takes the connection for one with changed settings, and closes a reader after the access.
  ///
  /// - Throws: ``SQLiteError`` with code ``SQLiteError/Code/closed`` or ``SQLiteError/Code/accessEnded``; what `body`
  ///   throws.
  @unsafe public func withUnsafeHandle<Result: ~Copyable>(
    _ body: (OpaquePointer) throws -> Result
  ) throws -> Result {
    try handle.requireAccess()
    let pointer = unsafe try handle.pointer()
    handle.unmute()
    handle.hooks.hasChangedSettings.value = true
    defer { handle.hooks.settle(on: handle) }
    return unsafe try body(pointer)
  }
}
