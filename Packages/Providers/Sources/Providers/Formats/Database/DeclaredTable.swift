internal import SQLiteCore

/// Inserts rows into a table that a file has declared, with values as they are.
final class DeclaredTable {
  let name: String
  let columns: [String]
  private let keys: [[UInt8]]
  private let statement: Statement
  private let rowIDIndex: ParameterIndex?
  private var isSet: [Bool]
  /// The column that is looked for first: rows mostly have the same columns in the same order.
  private var expected = 0

  /// - Parameters:
  ///   - columns: The columns that rows have values for.
  ///   - keys: The names that the file has for them; `nil` if they are the columns' own.
  ///   - rowID: The name of SQLite's number of a row, if rows are inserted with their numbers.
  init(
    _ name: String, columns: [String], keys: [String]? = nil, rowID: String? = nil,
    in connection: Connection
  ) throws {
    self.name = name
    self.columns = columns
    self.keys = (keys ?? columns).map { Array($0.utf8) }
    let names = (columns.map(SQLName.quoted) + (rowID.map { [$0] } ?? []))
    let marks = Array(repeating: "?", count: names.count).joined(separator: ", ")
    statement = try connection.prepare(
      names.isEmpty
        ? "INSERT INTO \(identifier: name) DEFAULT VALUES"
        : "INSERT INTO \(identifier: name) (\(unsafe: names.joined(separator: ", "))) VALUES (\(unsafe: marks))"
    )
    rowIDIndex = rowID == nil ? nil : ParameterIndex(names.count)
    isSet = Array(repeating: false, count: columns.count)
  }

  /// The column of a key; `nil` if there is none.
  func column(_ key: Span<UInt8>) -> Int? {
    if expected < keys.count, Self.isSame(keys[expected], key) {
      expected += 1
      return expected - 1
    }
    guard let column = keys.firstIndex(where: { Self.isSame($0, key) }) else { return nil }
    expected = column + 1
    return column
  }

  func column(_ key: String) -> Int? {
    var key = key
    return key.withUTF8Bytes { column($0) }
  }

  private static func isSame(_ key: [UInt8], _ other: Span<UInt8>) -> Bool {
    guard key.count == other.count else { return false }
    for index in other.indices where key[index] != other[index] { return false }
    return true
  }

  /// Whether the row has a value of a column already.
  func isSet(_ column: Int) -> Bool { isSet[column] }

  /// Sets a column of the row.
  func set(_ column: Int, _ value: SQLiteValue) throws(SQLiteError) {
    try statement.bind(value, at: index(column))
  }

  func set(_ column: Int, text: Span<UInt8>) throws(SQLiteError) {
    try statement.bindText(text, at: index(column))
  }

  func set(_ column: Int, blob: Span<UInt8>) throws(SQLiteError) {
    try statement.bindBlob(blob, at: index(column))
  }

  private func index(_ column: Int) -> ParameterIndex {
    isSet[column] = true
    return ParameterIndex(column + 1)
  }

  /// Sets SQLite's number of the row, if rows are inserted with their numbers.
  func setRowID(_ rowID: Int64) throws(SQLiteError) {
    if let rowIDIndex { try statement.bind(rowID, at: rowIDIndex) }
  }

  /// Inserts the row. Columns that were not set are NULL.
  func endRow() throws(SQLiteError) {
    try statement.run()
    statement.clearBindings()
    for index in isSet.indices { isSet[index] = false }
    expected = 0
  }
}
