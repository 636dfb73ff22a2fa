extension RowReader {
  @inline(never)
  func expired() -> SQLiteError {
    SQLiteError(
      code: .decoderExpired,
      message: "the decoder or its container was kept, and is used after its row was decoded")
  }

  /// The error of a key that is the name of no column.
  @inline(never)
  func unknownColumn(_ key: String) -> SQLiteError {
    let tables = Set((0..<row.columnCount).compactMap { row.columns.describe($0).table })
    let name = prefix + key
    return SQLiteError(
      code: .unknownColumn, message: "the result has no column for the key \(name)",
      sql: row.columns.sql,
      column: .init(name: name, table: tables.count == 1 ? tables.first : nil, origin: nil))
  }

  /// The error of a list that is read past the last column.
  func noColumn(_ index: Int) -> SQLiteError {
    SQLiteError(
      code: .unknownColumn,
      message: "the result has \(row.columnCount) columns, and none with number \(index)",
      sql: row.columns.sql)
  }

  /// What to throw for what a type threw that read one column.
  ///
  /// The library's errors of raw values and of JSON know no column and no statement. What a type of
  /// the user's throws by itself is left as it is.
  func translated(_ error: any Error, of type: Any.Type, at column: Int) -> any Error {
    guard let error = error as? DecodingError else { return error }
    let index = ColumnIndex(column)
    switch error {
    case .dataCorrupted(let context):
      guard type is any RawRepresentable.Type, !hasOpenedJSON, context.underlyingError == nil else {
        return error
      }
      return row.outOfRange(for: "\(type)", at: index)
    case .keyNotFound(let key, let context):
      return hasOpenedJSON
        ? unfitJSON("there is no key \(key.stringValue)", context, at: index) : error
    case .valueNotFound(let type, let context):
      return hasOpenedJSON ? unfitJSON("there is no \(type)", context, at: index) : error
    case .typeMismatch(let type, let context):
      return hasOpenedJSON ? unfitJSON("the value is no \(type)", context, at: index) : error
    @unknown default: return error
    }
  }

  private func unfitJSON(
    _ message: String, _ context: DecodingError.Context, at index: ColumnIndex
  ) -> SQLiteError {
    let path = KeyPathText(path: context.codingPath).description
    return row.unreadable(
      "the JSON does not fit: \(message)\(path.isEmpty ? "" : " at \(path)")", code: .invalidJSON,
      at: index)
  }
}
