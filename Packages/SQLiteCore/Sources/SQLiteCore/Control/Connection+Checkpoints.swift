/// Bringing a write-ahead log into its file.
extension Connection {
  /// Brings the write-ahead log into the file, now.
  ///
  /// A database without a log is left as it is, which is not an error; nor is it one where other
  /// connections' locks are in the way: the result says so.
  ///
  /// ```swift
  /// let result = try connection.checkpoint(.truncate)
  /// if result.isBusy { print("\(result.logPages ?? 0) pages are left in the log") }
  /// ```
  ///
  /// - Parameters:
  ///   - mode: How hard it tries. All but ``Connection/CheckpointMode/passive`` wait for others' locks as the
  ///     ``Configuration/BusyPolicy`` says.
  ///   - schema: The database; `nil` for all, whereof the result shows `main`'s pages.
  /// - Throws: ``SQLiteError`` with code ``SQLiteError/Code/locked`` where this connection itself is
  ///   in a transaction that writes; ``SQLiteError/Code/unknownSchema``.
  @discardableResult
  public func checkpoint(
    _ mode: CheckpointMode = .passive, schema: String? = "main"
  ) throws(SQLiteError) -> CheckpointResult {
    if let schema { try requireSchema(schema) }
    return try handle.checkpoint(mode, schema: schema)
  }

  /// The length in pages from which on a commit brings the write-ahead log into the file; 0 for
  /// never.
  ///
  /// - Throws: ``SQLiteError`` with code ``SQLiteError/Code/closed``.
  public var automaticCheckpointPages: Int {
    get throws(SQLiteError) { try handle.automaticCheckpointPages() }
  }

  /// Sets from which length on a commit brings the write-ahead log into the file; 0 for never.
  ///
  /// It holds whether or not someone has subscribed to ``Hooks/walCommit(_:)``. SQL's own
  /// `PRAGMA wal_autocheckpoint` would drive such subscribers out.
  ///
  /// - Throws: ``SQLiteError`` with code ``SQLiteError/Code/closed``.
  public func setAutomaticCheckpoint(pages: Int) throws(SQLiteError) {
    try handle.setAutomaticCheckpoint(pages: pages)
  }

  /// The bytes that the file of a journal or log may keep when it is no longer needed; `nil` for no
  /// limit.
  ///
  /// - Throws: ``SQLiteError`` with code ``SQLiteError/Code/unknownSchema``.
  public func journalSizeLimit(in schema: String = "main") throws(SQLiteError) -> Int? {
    let limit = try pragma("journal_size_limit", as: Int.self, schema: schema) ?? -1
    return limit < 0 ? nil : limit
  }

  /// Sets the bytes that the file of a journal or log may keep when it is no longer needed; `nil` for
  /// no limit.
  ///
  /// - Throws: ``SQLiteError`` with code ``SQLiteError/Code/unknownSchema``.
  public func setJournalSizeLimit(_ bytes: Int?, in schema: String = "main") throws(SQLiteError) {
    let value = SQLiteValue.integer(Int64(max(-1, bytes ?? -1)))
    try setPragma("journal_size_limit", to: value, schema: schema)
  }
}
