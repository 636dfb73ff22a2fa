/// The statement that reads rows of a table, by the parts that a caller gives.
struct ObjectQuery {
  var filter: String?
  var order: String?
  var start = 0
  /// The most rows that are wanted; all where it is zero.
  var limit = 0

  /// What follows on `FROM table`.
  ///
  /// Each part is on lines of its own, so that a comment at its end does not take what follows with it.
  var sql: String {
    var sql = ""
    if let filter = Self.meaningful(filter) { sql += " WHERE (\n\(filter)\n)" }
    if let order = Self.meaningful(order) { sql += " ORDER BY\n\(order)\n" }
    if start > 0 || limit > 0 { sql += " LIMIT \(limit > 0 ? limit : -1)" }
    if start > 0 { sql += " OFFSET \(start)" }
    return sql
  }

  /// A part that is no more than space is none.
  private static func meaningful(_ part: String?) -> String? {
    guard let part, part.contains(where: { !$0.isWhitespace }) else { return nil }
    return part
  }
}
