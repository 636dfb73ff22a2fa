internal import SQLiteCore

/// Inserts rows, with their values unchanged, into a table that a file has declared.
final class RowInserter {
  let name: String
  let columns: [String]
  private var keys: RowKeys
  private let statement: Statement
  private let rowIDIndex: ParameterIndex?
  private var isSet: [Bool]

  /// - Parameters:
  ///   - columns: The columns of the values.
  ///   - keys: The file's names of the columns; `nil` if they are the columns' names.
  ///   - rowID: The name of the rowid, if rows are inserted with explicit rowids.
  init(
    _ name: String, columns: [String], keys: [String]? = nil, rowID: String? = nil,
    in connection: Connection
  ) throws {
    self.name = name
    self.columns = columns
    self.keys = RowKeys(keys ?? columns)
    let names = (columns.map(SQLName.quoted) + (rowID.map { [$0] } ?? []))
    let placeholders = Array(repeating: "?", count: names.count).joined(separator: ", ")
    statement = try connection.prepare(
      names.isEmpty
        ? "INSERT INTO \(identifier: name) DEFAULT VALUES"
        : "INSERT INTO \(identifier: name) (\(unsafe: names.joined(separator: ", "))) VALUES (\(unsafe: placeholders))"
    )
    rowIDIndex = rowID == nil ? nil : ParameterIndex(names.count)
    isSet = Array(repeating: false, count: columns.count)
  }

  /// Returns the column of a key; `nil` if there is no such column.
  func column(_ key: Span<UInt8>) -> Int? { keys.number(of: key) }

  func column(_ key: String) -> Int? {
    key.withUTF8Span { column($0) }
  }

  /// Returns whether the current row already has a value in a column.
  func isSet(_ column: Int) -> Bool { isSet[column] }

  /// Sets the value of a column in the current row.
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

  /// Sets the rowid of the current row, if rows are inserted with explicit rowids.
  func setRowID(_ rowID: Int64) throws(SQLiteError) {
    if let rowIDIndex { try statement.bind(rowID, at: rowIDIndex) }
  }

  /// Inserts the current row. Columns without a value are NULL.
  func endRow() throws(SQLiteError) {
    try statement.run()
    statement.clearBindings()
    for index in isSet.indices { isSet[index] = false }
    keys.endRow()
  }
}

/// A table declaration in a file that contains a whole database.
struct TableDeclaration {
  var name = ""
  /// The statement that creates the table; `nil` if ``columns`` and ``primaryKey`` describe it.
  var sql: String?
  var columns: [TableSchema.Column] = []
  var primaryKey: [String] = []
  /// The last key that AUTOINCREMENT assigned.
  var sequence: Int64?
  /// A Boolean value that indicates whether the table is an external content full-text index, whose
  /// rows are rebuilt.
  var isRebuilt = false

  /// Returns the statement that creates the table.
  ///
  /// - Throws: ``ProviderError`` if the declaration has neither a statement nor columns, or if a
  ///   column's type is invalid.
  func statement() throws(ProviderError) -> String {
    if let sql { return sql }
    guard !columns.isEmpty else {
      throw ProviderError(
        .malformed, "expected the table's statement, or its columns, before its rows", table: name)
    }
    var parts = try columns.map { column throws(ProviderError) in
      guard Self.isType(column.declaredType) else {
        throw ProviderError(
          .malformed, "expected a column type", table: name, column: column.name)
      }
      return [SQLName.quoted(column.name), column.declaredType, column.isNotNull ? "NOT NULL" : ""]
        .filter { !$0.isEmpty }.joined(separator: " ")
    }
    if !primaryKey.isEmpty {
      parts.append("PRIMARY KEY (\(primaryKey.map { SQLName.quoted($0) }.joined(separator: ", ")))")
    }
    return "CREATE TABLE \(SQLName.quoted(name)) (\(parts.joined(separator: ", ")))"
  }

  /// Returns whether a string is a type name: words, optionally with a size, as in
  /// `DECIMAL(10, 2)`.
  private static func isType(_ type: String) -> Bool {
    var depth = 0
    var isFirst = true
    for scalar in type.unicodeScalars {
      switch scalar {
      case "(" where isFirst || depth > 0: return false
      case "(": depth += 1
      case ")" where depth == 0: return false
      case ")": depth -= 1
      case "," where depth == 0: return false
      case "0"..."9", "_", " ", ",", "+", "-", ".": break
      default: if !scalar.properties.isAlphabetic { return false }
      }
      isFirst = false
    }
    return depth == 0
  }
}
