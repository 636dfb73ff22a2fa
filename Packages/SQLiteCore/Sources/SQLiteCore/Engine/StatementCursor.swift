internal import CSQLite

extension StatementCursor {
  /// One of the engine's counters. It does not check the number: the caller does.
  func count(_ counter: Int32, resetting: Bool) -> Int {
    Int(unsafe sqlite3_stmt_status(pointer, counter, resetting ? 1 : 0))
  }

  /// The text with a `?` in place of each literal; `nil` where SQLite does not make it.
  var normalizedSQL: String? {
    unsafe holt_normalized_sql(pointer).map { unsafe String(cString: $0) }
  }
}

/// The current row's columns.
///
/// Each is one call for the column's value, and then reads of that value: those of SQLite's
/// `sqlite3_column_…` functions would look the column up again for its type, its bytes and their
/// number. SQLite calls such a value unprotected, since another thread might use the connection
/// meanwhile: here none does.
extension StatementCursor {
  /// The value of a column; of one that is not there, or where there is no row, a NULL.
  @inline(__always)
  func value(at index: Int) -> EngineValue {
    unsafe EngineValue(sqlite3_column_value(pointer, Int32(truncatingIfNeeded: index)))
  }

  /// Has the connection recover from a lack of memory that reading a value met with.
  ///
  /// SQLite's own functions for columns do so at each call, and let the next step fail, since the run
  /// may have lost something.
  func endMemoryFailure() { _ = unsafe sqlite3_column_type(pointer, 0) }
}

extension StatementCursor {
  /// Has a parameter refer to `bytes` where they are, while `body` runs.
  ///
  /// Afterwards the run is over and the parameter NULL: the engine has no address of them left.
  ///
  /// - Parameter body: Is told the code of binding.
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
    // No bytes have no address to speak of, and a NULL address would bind NULL.
    guard let start = bytes.baseAddress, unsafe !bytes.isEmpty else {
      return unsafe isText
        ? holt_bind_text(pointer, index, "", 0, 0) : sqlite3_bind_zeroblob(pointer, index, 0)
    }
    return unsafe isText
      ? holt_bind_text(pointer, index, start, UInt64(bytes.count), 1)
      : holt_bind_blob(pointer, index, start, UInt64(bytes.count), 1)
  }
}
