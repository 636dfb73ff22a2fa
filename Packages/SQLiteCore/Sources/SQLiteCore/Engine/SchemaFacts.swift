internal import CSQLite

/// What the engine knows of a column, and its PRAGMAs don't tell.
struct ColumnFacts {
  let collation: String
  let isAutoincrement: Bool
}

extension ConnectionHandle {
  /// `nil` for a column of a view, or of a table that does not exist.
  func facts(ofColumn column: String, of table: String, in schema: String) -> ColumnFacts? {
    guard let db = unsafe try? pointer() else { return nil }
    var collation: UnsafePointer<CChar>?
    var isAutoincrement: Int32 = 0
    let rc = unsafe sqlite3_table_column_metadata(
      db, schema, table, column, nil, &collation, nil, nil, &isAutoincrement)
    guard rc == SQLITE_OK, let collation = unsafe collation else { return nil }
    return unsafe ColumnFacts(
      collation: String(cString: collation), isAutoincrement: isAutoincrement != 0)
  }
}

extension Engine {
  /// Whether SQLite's grammar gives a word a meaning, so that it is no name unless it is quoted.
  static func isKeyword(_ word: String) -> Bool {
    unsafe sqlite3_keyword_check(word, Int32(clamping: word.utf8.count)) != 0
  }
}
