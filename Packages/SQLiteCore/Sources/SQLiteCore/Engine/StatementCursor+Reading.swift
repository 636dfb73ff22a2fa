internal import CSQLite

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
