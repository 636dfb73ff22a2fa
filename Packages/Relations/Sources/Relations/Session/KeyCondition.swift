internal import SQLiteCore

/// A condition that selects rows by any number of keys. All keys are bound to one parameter, so the
/// statement is the same for any number of keys.
struct KeyCondition {
  struct Part {
    let condition: String
    let arguments: [QueryArgument]
  }

  /// The column expressions.
  private let columns: [String]

  /// Creates a condition on columns.
  ///
  /// - Parameter columns: The names of the columns that hold the key.
  init(columns: [String]) { self.columns = columns.map { SQLName.quoted($0) } }

  /// Creates a condition on expressions.
  ///
  /// - Parameter expressions: The SQL expressions to compare with the key.
  init(expressions: [String]) { columns = expressions }

  /// Returns one condition, or an empty array if there are no keys.
  func conditions(for keys: [[SQLiteValue]]) -> [Part] {
    if keys.isEmpty { return [] }
    return [Part(condition: condition, arguments: [SQLiteArray(keys.joined())])]
  }

  private var condition: String {
    guard columns.count > 1 else { return "\(columns[0]) IN array_each(?)" }
    // The array holds the values of each key consecutively.
    let values = columns.indices.map { place in
      place == 0 ? "value AS v0" : "lead(value, \(place)) OVER (ORDER BY rowid) AS v\(place)"
    }
    let names = columns.indices.map { "v\($0)" }.joined(separator: ", ")
    return """
      (\(columns.joined(separator: ", "))) IN (SELECT \(names) FROM (\
      SELECT rowid AS place, \(values.joined(separator: ", ")) FROM array_each(?)) \
      WHERE place % \(columns.count) = 1)
      """
  }
}
