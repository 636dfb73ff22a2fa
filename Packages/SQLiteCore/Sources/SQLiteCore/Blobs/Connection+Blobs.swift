extension Connection {
  /// Opens a blob or a text of one row, for the length of `body`.
  ///
  /// ```swift
  /// let header = try connection.withBlob(in: "file", column: "content", row: 7) { blob in
  ///   try blob.read(at: 0, count: 16)
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - table: A table with rowids. Names are taken as they are: they are not SQL.
  ///   - column: The column. One of an index or of a foreign key can't be written.
  ///   - row: The row's key.
  ///   - mode: What the blob is opened for.
  ///   - body: Uses the blob, and does not keep it: it is closed afterwards.
  /// - Throws: What `body` throws; as ``blob(in:column:row:mode:)`` and ``Blob/close()``.
  public func withBlob<Result>(
    in table: TableName, column: String, row: RowID, mode: Blob.Mode = .read,
    _ body: (Blob) throws -> Result
  ) throws -> Result {
    let blob = try blob(in: table, column: column, row: row, mode: mode)
    let result: Result
    do {
      result = try body(blob)
    } catch {
      try? blob.close()
      throw error
    }
    try blob.close()
    return result
  }

  /// Opens a blob or a text of one row, which is yours: close it when you are done.
  ///
  /// - Throws: ``SQLiteError`` where there is no such table, column or row; where the value is neither a blob nor
  ///   a text; where the table is a view or has no rowids; with code ``SQLiteError/Code/unknownSchema`` where the
  ///   connection has no such database; with ``SQLiteError/Code/busy`` or
  ///   ``SQLiteError/Code/readOnly`` where it can't be written.
  public func blob(
    in table: TableName, column: String, row: RowID, mode: Blob.Mode = .read
  ) throws(SQLiteError) -> Blob {
    try handle.requireAccess()
    if handle.scopeDepth > 0 && !handle.isInTransaction { throw handle.leavesScope() }
    let blob = try Blob(handle, table: table, column: column, row: row, mode: mode)
    // SQLite's compiler does not tell of blobs, as it does of statements.
    var access = Statement.Access()
    access.reads[table] = [column]
    if mode == .readWrite { access.writes[table, default: .init()].updates = [column] }
    handle.accessRecorder?.add(access)
    return blob
  }
}
