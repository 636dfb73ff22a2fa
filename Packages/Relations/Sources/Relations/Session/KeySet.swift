internal import SQLiteCore

/// A condition that holds for the rows of many keys, however many: all keys are one parameter, and the statement is the same for any
/// number of them.
struct KeySet {
  struct Part {
    let condition: String
    let arguments: [QueryArgument]
  }

  /// The columns, as SQL has them.
  private let columns: [String]

  /// - Parameter columns: The columns that hold the key.
  init(columns: [String]) { self.columns = columns.map { SQLName.quoted($0) } }

  /// - Parameter expressions: What the key is compared with, in SQL.
  init(expressions: [String]) { columns = expressions }

  /// - Returns: One; none where there are no keys.
  func conditions(for keys: [[SQLiteValue]]) -> [Part] {
    if keys.isEmpty { return [] }
    return [Part(condition: condition, arguments: [SQLiteArray(keys.joined())])]
  }

  private var condition: String {
    guard columns.count > 1 else { return "\(columns[0]) IN array_each(?)" }
    // The list has the values of one key after those of another.
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
