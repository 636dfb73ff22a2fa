/// SQL as SQLite reads it best: its bytes, ended by a NUL, so that the engine makes no copy for each
/// statement in it.
struct SQLText {
  let sql: String
  let bytes: ContiguousArray<CChar>

  /// - Throws: ``SQLiteError`` where the text holds a NUL character: the engine would take it for
  ///   the text's end, and leave the rest without a word.
  init(_ sql: String) throws(SQLiteError) {
    self.sql = sql
    bytes = sql.utf8CString
    if let nul = bytes.firstIndex(of: 0), nul < bytes.count - 1 {
      throw SQLiteError(
        code: .error, message: "the SQL holds a NUL character", sql: sql,
        offset: SQLiteError.ByteOffset(rawValue: nul))
    }
  }

  /// The number of bytes without the NUL at the end.
  var count: Int { bytes.count - 1 }

  /// Whether nothing but space and semicolons stands from a byte on.
  func isSpace(from start: Int) -> Bool {
    bytes[start..<count].allSatisfy { $0 == 32 || (9...13).contains($0) || $0 == 59 }
  }

  /// Where the first byte that is no space stands, from `start` on.
  func skippingSpace(from start: Int) -> Int {
    bytes[start..<count].firstIndex { $0 != 32 && !(9...13).contains($0) } ?? start
  }
}
