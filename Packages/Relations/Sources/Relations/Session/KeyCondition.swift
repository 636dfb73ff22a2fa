internal import SQLiteCore

/// A condition that selects rows by any number of keys. All keys are bound to one parameter, so the
/// statement is the same for any number of keys.
struct KeyCondition {
  let sql: String
  let arguments: [QueryArgument]

  /// Creates a condition on columns.
  ///
  /// - Parameters:
  ///   - columns: The names of the columns that hold the key.
  ///   - keys: The keys.
  /// - Returns: `nil` if there are no keys.
  init?(columns: [String], in keys: [[SQLiteValue]]) {
    self.init(expressions: columns.map { SQLName.quoted($0) }, in: keys)
  }

  /// Creates a condition on expressions.
  ///
  /// - Parameters:
  ///   - columns: The SQL expressions to compare with the key.
  ///   - keys: The keys.
  /// - Returns: `nil` if there are no keys.
  init?(expressions columns: [String], in keys: [[SQLiteValue]]) {
    if keys.isEmpty { return nil }
    arguments = [SQLiteArray(keys.joined())]
    guard columns.count > 1 else {
      sql = "\(columns[0]) IN array_each(?)"
      return
    }
    // The array holds the values of each key consecutively.
    let values = columns.indices.map { place in
      place == 0 ? "value AS v0" : "lead(value, \(place)) OVER (ORDER BY rowid) AS v\(place)"
    }
    let names = columns.indices.map { "v\($0)" }.joined(separator: ", ")
    sql = """
      (\(columns.joined(separator: ", "))) IN (SELECT \(names) FROM (\
      SELECT rowid AS place, \(values.joined(separator: ", ")) FROM array_each(?)) \
      WHERE place % \(columns.count) = 1)
      """
  }
}
