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
