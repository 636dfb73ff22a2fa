internal import SQLiteCore

/// The statement that reads rows of a table, by the parts that a caller gives.
struct ObjectQuery {
  var filter: SQL = ""
  var order: SQL = ""
  var start = 0
  /// The most rows that are wanted; all if it is zero.
  var limit = 0

  /// The text after `FROM table`.
  ///
  /// Each part is on lines of its own, so that a comment at its end does not hide the next part.
  var sql: SQL {
    var sql: SQL = ""
    if !filter.isBlank { sql += "WHERE (\n\(sql: filter)\n)" }
    if !order.isBlank { sql += "ORDER BY\n\(sql: order)\n" }
    if start > 0 || limit > 0 { sql += SQL(unsafe: "LIMIT \(limit > 0 ? limit : -1)") }
    if start > 0 { sql += SQL(unsafe: "OFFSET \(start)") }
    return sql
  }
}
