internal import CSQLite

extension StatementCursor {
  /// Returns one of SQLite's counters. SQLite does not validate the number; the caller does.
  func count(_ counter: Int32, resetting: Bool) -> Int {
    Int(unsafe sqlite3_stmt_status(pointer, counter, resetting ? 1 : 0))
  }

  /// The text with each literal replaced by `?`; `nil` if SQLite does not support it.
  var normalizedSQL: String? {
    unsafe holt_normalized_sql(pointer).map { unsafe String(cString: $0) }
  }
}

/// The current row's columns.
///
/// A column is read with one call for its value, and then reads of that value. The
/// `sqlite3_column_…` functions would look up the column again for its type, its bytes and its
/// size. SQLite calls such a value unprotected, because another thread might use the connection
/// concurrently, which is excluded here.
extension StatementCursor {
  /// Returns the value of a column; NULL if there is no such column or no row.
  @inline(__always)
  func value(at index: Int) -> EngineValue {
    unsafe EngineValue(sqlite3_column_value(pointer, Int32(truncatingIfNeeded: index)))
  }

  /// Makes the connection recover from running out of memory while reading a value.
  ///
  /// SQLite's column functions do this at every call, and make the next step fail, because the run
  /// may be incomplete.
  func endMemoryFailure() { _ = unsafe sqlite3_column_type(pointer, 0) }
}

extension StatementCursor {
  /// Binds `bytes` without a copy while `body` runs.
  ///
  /// Afterwards the statement is reset and the parameter is NULL, so that SQLite no longer refers
  /// to the bytes.
  ///
  /// - Parameter body: Receives the result code of the binding.
  func withBound<Result: ~Copyable, Failure: Error>(
    _ bytes: Span<UInt8>, asText isText: Bool, at index: Int32,
    _ body: (Int32) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try unsafe bytes.withUnsafeBytes { (bytes) throws(Failure) in
      let code = unsafe bind(lent: bytes, asText: isText, at: index)
      defer {
        if code == SQLITE_OK {
          reset()
          _ = bindNull(at: index)
        }
      }
      return try body(code)
    }
  }

  private func bind(
    lent bytes: UnsafeRawBufferPointer, asText isText: Bool, at index: Int32
  ) -> Int32 {
    // An empty span may have no address, and a NULL address would bind NULL.
    guard let start = bytes.baseAddress, unsafe !bytes.isEmpty else {
      return unsafe isText
        ? holt_bind_text(pointer, index, "", 0, 0) : sqlite3_bind_zeroblob(pointer, index, 0)
    }
    return unsafe isText
      ? holt_bind_text(pointer, index, start, UInt64(bytes.count), 1)
      : holt_bind_blob(pointer, index, start, UInt64(bytes.count), 1)
  }
}
