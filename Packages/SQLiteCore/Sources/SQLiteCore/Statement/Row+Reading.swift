extension Row {
  /// Whether a column is NULL.
  public func isNull(at index: ColumnIndex) throws(SQLiteError) -> Bool {
    guard cursor.isNull(at: try checked(index)) else { return false }
    try refuseMissingRow()
    return true
  }

  /// The kind of value that a column holds.
  public func storageClass(at index: ColumnIndex) throws(SQLiteError) -> StorageClass {
    let found = cursor.storageClass(at: try checked(index))
    if found == .null { try refuseMissingRow() }
    return found
  }

  /// A column's INTEGER.
  public func integer(at index: ColumnIndex) throws(SQLiteError) -> Int64 {
    if let value = cursor.integer(at: try checked(index)) { return value }
    throw mismatch(try storageClass(at: index), for: "an integer", at: index)
  }

  /// A column's REAL, or its INTEGER where a `Double` holds it exactly.
  public func real(at index: ColumnIndex) throws(SQLiteError) -> Double {
    let i = try checked(index)
    if let value = cursor.real(at: i) { return value }
    guard let integer = cursor.integer(at: i) else {
      throw mismatch(try storageClass(at: index), for: "a real number", at: index)
    }
    guard let exact = Double(exactly: integer) else { throw outOfRange(for: "Double", at: index) }
    return exact
  }

  /// A column's TEXT, which may hold NUL characters.
  public func text(at index: ColumnIndex) throws(SQLiteError) -> String {
    switch cursor.text(at: try checked(index)) {
    case .text(let text): return text
    case .invalid:
      throw unreadable("the text is not valid UTF-8", code: .invalidText, at: index)
    case .other: throw mismatch(try storageClass(at: index), for: "text", at: index)
    }
  }

  /// A column's BLOB.
  public func blob(at index: ColumnIndex) throws(SQLiteError) -> [UInt8] {
    if let bytes = cursor.blob(at: try checked(index)) { return bytes }
    throw mismatch(try storageClass(at: index), for: "a blob", at: index)
  }

  /// A column's value, whatever it is.
  public func value(at index: ColumnIndex) throws(SQLiteError) -> SQLiteValue {
    switch try storageClass(at: index) {
    case .null: .null
    case .integer: .integer(try integer(at: index))
    case .real: .real(try real(at: index))
    case .text: .text(try text(at: index))
    case .blob: .blob(try blob(at: index))
    }
  }

  /// The engine answers NULL for every column where there is no row: whoever finds one asks.
  private func refuseMissingRow() throws(SQLiteError) {
    guard cursor.dataCount > 0 else {
      throw SQLiteError(code: .noRow, message: "there is no row to read", sql: columns.sql)
    }
  }

  @inline(__always)
  private func checked(_ index: ColumnIndex) throws(SQLiteError) -> Int {
    guard UInt(bitPattern: index.rawValue) < UInt(bitPattern: count) else {
      throw SQLiteError(
        code: .unknownColumn,
        message: "the result has \(count) columns, and none with number \(index.rawValue)",
        sql: columns.sql)
    }
    return index.rawValue
  }
}

/// The errors of reading a column.
extension Row {
  /// The error of a value that is no `wanted`.
  public func mismatch(
    _ found: StorageClass, for wanted: String, at index: ColumnIndex
  ) -> SQLiteError {
    if found == .null { return unexpectedNull(wanted, at: index) }
    return unreadable(
      "the value is \(found.rawValue), not \(wanted)", code: .columnTypeMismatch, at: index)
  }

  /// The error of a NULL that was read as a type without `nil`.
  public func unexpectedNull(_ wanted: String, at index: ColumnIndex) -> SQLiteError {
    unreadable("the value is NULL, not \(wanted)", code: .unexpectedNull, at: index)
  }

  /// The error of a value of the right storage class that `type` has no room for.
  public func outOfRange(for type: String, at index: ColumnIndex) -> SQLiteError {
    unreadable("the value is not one of \(type)", code: .valueOutOfRange, at: index)
  }

  /// An error of reading a column: in your own conformances to ``SQLiteReadable``.
  public func unreadable(
    _ message: String, code: SQLiteError.Code, at index: ColumnIndex
  ) -> SQLiteError {
    SQLiteError(
      code: code, message: message, sql: columns.sql, column: columns.describe(index.rawValue))
  }
}
