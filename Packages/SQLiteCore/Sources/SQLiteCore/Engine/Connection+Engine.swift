internal import CSQLite

extension Connection {
  /// A setting of one connection that `sqlite3_db_config` turns on and off.
  ///
  /// The SQLite constants are not public, because some of SQLite's options take other arguments.
  public enum Option: String, Hashable, Sendable, CaseIterable {
    /// Foreign keys are enforced.
    case foreignKeys
    /// Triggers fire.
    case triggers
    /// Views can be read.
    case views
    /// Statements that can deliberately corrupt the file are rejected.
    case defensive
    /// The schema table can be written like other tables; ``defensive`` prevents this.
    case writableSchema
    /// The schema may use functions and virtual tables that are not marked as innocuous.
    case trustedSchema
    /// Outside the schema, a double-quoted identifier that matches no name is a string literal.
    case doubleQuotedStringsInQueries
    /// In the schema, a double-quoted identifier that matches no name is a string literal.
    case doubleQuotedStringsInSchema
    /// `ALTER TABLE RENAME` does not change references in triggers and views.
    case legacyAlterTable
    /// New databases have a format that releases before 3.3 can read.
    case legacyFileFormat
    /// The last connection does not checkpoint and delete the write-ahead log when it closes.
    case noCheckpointOnClose
    /// Query plans do not depend on bound values.
    case stableQueryPlans
    /// `EXPLAIN QUERY PLAN` includes the plans of triggers.
    case triggerQueryPlans
    /// SQL may register an FTS3 tokenizer by its address, which is a security risk.
    case fts3Tokenizer
    /// Queries without `ORDER BY` return rows in reverse order. Since SQLite 3.42.
    case reverseScanOrder
    /// `ATTACH` may create a file. Since SQLite 3.49.
    case attachMayCreate
    /// `ATTACH` may open a file for writing. Since SQLite 3.49.
    case attachMayWrite
    /// SQL may contain comments. Since SQLite 3.49.
    case comments
  }
}

extension Connection {
  /// The position of a database's write-ahead log, as shared by all processes. It differs after
  /// each commit.
  @_spi(Observing) public struct WALState: Hashable, Sendable {
    /// The number of commits, modulo 2³². It restarts when the log's index is rebuilt.
    public let number: UInt32
    /// The checksum of the log up to the last commit.
    public let checksum: UInt64

    public init(number: UInt32, checksum: UInt64) {
      self.number = number
      self.checksum = checksum
    }
  }
}

extension ConnectionHandle {
  /// The state of the main database's log; `nil` if the database has no log that processes share.
  func walState() throws(SQLiteError) -> Connection.WALState? {
    var number: UInt32 = 0
    var checksum: UInt64 = 0
    guard unsafe holt_log_state(try pointer(), &number, &checksum) != 0 else { return nil }
    return Connection.WALState(number: number, checksum: checksum)
  }
}

extension Connection {
  /// Returns the state of the main database's write-ahead log; `nil` if there is no log, or no
  /// other process can see it.
  ///
  /// Call this inside a transaction, or in ``TransactionObserver/willCommit()``. The latter returns
  /// the state before the transaction.
  ///
  /// - Throws: ``SQLiteError`` with code ``SQLiteError/Code/closed``.
  @_spi(Observing) public func walState() throws(SQLiteError) -> WALState? {
    try handle.walState()
  }
}

extension Connection {
  /// The extent to which a checkpoint copies a write-ahead log into the database file.
  public enum CheckpointMode: String, Hashable, Sendable, CaseIterable {
    /// Copies as much as possible without waiting.
    case passive
    /// Waits for writers and for readers of older snapshots, and copies the whole log.
    case full
    /// Like ``full``, and waits until readers no longer use the log, so that it restarts from its
    /// beginning.
    case restart
    /// Like ``restart``, and truncates the log file to zero bytes.
    case truncate
  }
}

extension Connection {
  /// The result of a checkpoint.
  public struct CheckpointResult: Hashable, Sendable {
    /// A Boolean value that indicates whether the checkpoint did everything that its mode requires.
    /// Being stopped by other connections' locks is not an error.
    public let isComplete: Bool
    /// The pages in the log; `nil` if the database has no log.
    public let logPages: Int?
    /// The pages of the log that have been copied into the file; `nil` if the database has no log.
    public let checkpointedPages: Int?

    /// A Boolean value that indicates whether other connections' locks kept the checkpoint from
    /// completing.
    public var isBusy: Bool { !isComplete }
  }
}

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
