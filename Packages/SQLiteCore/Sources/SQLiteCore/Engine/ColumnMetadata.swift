internal import CSQLite

/// Column metadata that no `PRAGMA` returns.
struct ColumnMetadata {
  let collation: String
  let isAutoincrement: Bool
}

extension ConnectionHandle {
  /// Returns `nil` for a column of a view, or if the column does not exist.
  func columnMetadata(ofColumn column: String, of table: String, in schema: String)
    -> ColumnMetadata?
  {
    guard let db = unsafe try? pointer() else { return nil }
    var collation: UnsafePointer<CChar>?
    var isAutoincrement: Int32 = 0
    let rc = unsafe sqlite3_table_column_metadata(
      db, schema, table, column, nil, &collation, nil, nil, &isAutoincrement)
    guard rc == SQLITE_OK, let collation = unsafe collation else { return nil }
    return unsafe ColumnMetadata(
      collation: String(cString: collation), isAutoincrement: isAutoincrement != 0)
  }
}

extension Engine {
  /// Returns whether a word is an SQL keyword, which must be quoted when used as a name.
  static func isKeyword(_ word: String) -> Bool {
    unsafe sqlite3_keyword_check(word, Int32(clamping: word.utf8.count)) != 0
  }
}
