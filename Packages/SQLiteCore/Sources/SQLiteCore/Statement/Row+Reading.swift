extension Row {
  /// Whether a column is NULL.
  ///
  /// - Throws: ``SQLiteError`` with code ``SQLiteError/Code/unknownColumn``, or with
  ///   ``SQLiteError/Code/noRow`` where there is no row.
  public func isNull(at index: ColumnIndex) throws(SQLiteError) -> Bool {
    guard let value = column(index) else { return try storedValue(at: index).isNull }
    return try isNull(value)
  }

  /// The kind of value that a column holds.
  ///
  /// - Throws: As ``isNull(at:)``.
  public func storageClass(at index: ColumnIndex) throws(SQLiteError) -> SQLiteValue.StorageClass {
    guard let value = column(index) else { return try storedValue(at: index).storageClass }
    let found = value.storageClass
    if found == .null { try refuseMissingRow() }
    return found
  }

  /// A column's INTEGER.
  ///
  /// - Throws: ``SQLiteError`` with code ``SQLiteError/Code/columnTypeMismatch`` where the value is
  ///   something else, with ``SQLiteError/Code/unexpectedNull`` where it is NULL; as
  ///   ``isNull(at:)``.
  public func integer(at index: ColumnIndex) throws(SQLiteError) -> Int64 {
    guard let value = column(index) else { return try storedInteger(at: index) }
    if let integer = value.integer { return integer }
    throw notInteger(at: index)
  }

  /// A column's REAL, or its INTEGER where a `Double` holds it exactly.
  ///
  /// - Throws: As ``integer(at:)``; with code ``SQLiteError/Code/valueOutOfRange`` where no
  ///   `Double` is the INTEGER.
  public func real(at index: ColumnIndex) throws(SQLiteError) -> Double {
    guard let value = column(index) else { return try storedReal(at: index) }
    if let real = value.real { return real }
    return try exactReal(value.integer, at: index)
  }

  /// A column's TEXT, which may hold NUL characters.
  ///
  /// - Throws: As ``integer(at:)``; with code ``SQLiteError/Code/invalidText`` where the text is
  ///   not UTF-8, with ``SQLiteError/Code/outOfMemory`` where it is UTF-16 and too long to be turned
  ///   into UTF-8.
  public func text(at index: ColumnIndex) throws(SQLiteError) -> String {
    guard let value = column(index) else { return try storedText(at: index) }
    switch value.text {
    case .text(let text): return text
    case .invalid: throw invalidText(at: index)
    case .outOfMemory: throw outOfMemory(at: index)
    case .other: throw notText(at: index)
    }
  }

  /// A column's BLOB.
  ///
  /// - Throws: As ``integer(at:)``; with code ``SQLiteError/Code/outOfMemory`` where it consists of
  ///   zeros that were not yet written out, and are too many.
  public func blob(at index: ColumnIndex) throws(SQLiteError) -> [UInt8] {
    guard let value = column(index) else { return try storedBlob(at: index) }
    switch value.blob {
    case .blob(let bytes): return bytes
    case .outOfMemory: throw outOfMemory(at: index)
    case .other: throw notBlob(at: index)
    }
  }

  /// A column's INTEGER; `nil` where the column is NULL.
  ///
  /// - Throws: ``SQLiteError`` with code ``SQLiteError/Code/columnTypeMismatch`` where the value is
  ///   something else; as ``isNull(at:)``.
  public func optionalInteger(at index: ColumnIndex) throws(SQLiteError) -> Int64? {
    guard let value = column(index) else {
      return try storedValue(at: index).isNull ? nil : try storedInteger(at: index)
    }
    if let integer = value.integer { return integer }
    if try isNull(value) { return nil }
    throw notInteger(at: index)
  }

  /// A column's REAL, or its INTEGER where a `Double` holds it exactly; `nil` where it is NULL.
  ///
  /// - Throws: As ``optionalInteger(at:)``; with code ``SQLiteError/Code/valueOutOfRange`` where no
  ///   `Double` is the INTEGER.
  public func optionalReal(at index: ColumnIndex) throws(SQLiteError) -> Double? {
    guard let value = column(index) else {
      return try storedValue(at: index).isNull ? nil : try storedReal(at: index)
    }
    if let real = value.real { return real }
    if try isNull(value) { return nil }
    return try exactReal(value.integer, at: index)
  }

  /// A column's TEXT; `nil` where the column is NULL.
  ///
  /// - Throws: As ``optionalInteger(at:)``; with code ``SQLiteError/Code/invalidText`` where the
  ///   text is not UTF-8.
  public func optionalText(at index: ColumnIndex) throws(SQLiteError) -> String? {
    guard let value = column(index) else {
      return try storedValue(at: index).isNull ? nil : try storedText(at: index)
    }
    switch value.text {
    case .text(let text): return text
    case .invalid: throw invalidText(at: index)
    case .outOfMemory: throw outOfMemory(at: index)
    case .other:
      if try isNull(value) { return nil }
      throw notText(at: index)
    }
  }

  /// A column's BLOB; `nil` where the column is NULL.
  ///
  /// - Throws: As ``optionalInteger(at:)``.
  public func optionalBlob(at index: ColumnIndex) throws(SQLiteError) -> [UInt8]? {
    guard let value = column(index) else {
      return try storedValue(at: index).isNull ? nil : try storedBlob(at: index)
    }
    switch value.blob {
    case .blob(let bytes): return bytes
    case .outOfMemory: throw outOfMemory(at: index)
    case .other:
      if try isNull(value) { return nil }
      throw notBlob(at: index)
    }
  }

  /// A column's value, whatever it is.
  ///
  /// - Throws: As ``isNull(at:)``; with code ``SQLiteError/Code/invalidText`` where a text is not
  ///   UTF-8.
  public func value(at index: ColumnIndex) throws(SQLiteError) -> SQLiteValue {
    if columns.storedValues != nil { return try storedValue(at: index) }
    return switch try storageClass(at: index) {
    case .null: .null
    case .integer: .integer(try integer(at: index))
    case .real: .real(try real(at: index))
    case .text: .text(try text(at: index))
    case .blob: .blob(try blob(at: index))
    }
  }

  /// The engine's value of a column; `nil` if the cursor has no such column, as for a row in memory.
  @inline(__always)
  private func column(_ index: ColumnIndex) -> EngineValue? {
    guard UInt(bitPattern: index.rawValue) < UInt(bitPattern: columns.cursorCount) else {
      return nil
    }
    return cursor.value(at: index.rawValue)
  }

  @inline(__always)
  private func isNull(_ value: EngineValue) throws(SQLiteError) -> Bool {
    guard value.isNull else { return false }
    try refuseMissingRow()
    return true
  }

  private func exactReal(
    _ integer: Int64?, at index: ColumnIndex
  ) throws(SQLiteError) -> Double {
    guard let integer else {
      throw mismatch(try storageClass(at: index), for: "a real number", at: index)
    }
    guard let exact = Double(exactly: integer) else { throw outOfRange(for: "Double", at: index) }
    return exact
  }

  /// The engine answers NULL for every column where there is no row: whoever finds one asks.
  private func refuseMissingRow() throws(SQLiteError) {
    guard cursor.dataCount > 0 else {
      throw SQLiteError(code: .noRow, message: "there is no row to read", sql: columns.sql)
    }
  }
}

/// Rows in memory. A column that a statement's row lacks ends up here too, out of the way of those that it
/// has.
extension Row {
  @inline(never)
  private func storedValue(at index: ColumnIndex) throws(SQLiteError) -> SQLiteValue {
    guard let values = columns.storedValues, values.indices.contains(index.rawValue) else {
      throw unknownColumn(index)
    }
    return values[index.rawValue]
  }

  @inline(never)
  private func storedInteger(at index: ColumnIndex) throws(SQLiteError) -> Int64 {
    guard case .integer(let integer) = try storedValue(at: index) else {
      throw notInteger(at: index)
    }
    return integer
  }

  @inline(never)
  private func storedReal(at index: ColumnIndex) throws(SQLiteError) -> Double {
    switch try storedValue(at: index) {
    case .real(let real): return real
    case .integer(let integer): return try exactReal(integer, at: index)
    default: return try exactReal(nil, at: index)
    }
  }

  @inline(never)
  private func storedText(at index: ColumnIndex) throws(SQLiteError) -> String {
    guard case .text(let text) = try storedValue(at: index) else { throw notText(at: index) }
    return text
  }

  @inline(never)
  private func storedBlob(at index: ColumnIndex) throws(SQLiteError) -> [UInt8] {
    guard case .blob(let bytes) = try storedValue(at: index) else { throw notBlob(at: index) }
    return bytes
  }
}

/// The errors of reading a column.
///
/// None is made in line where a column is read, for what is rare would then be in the way.
extension Row {
  @inline(never)
  private func unknownColumn(_ index: ColumnIndex) -> SQLiteError {
    SQLiteError(
      code: .unknownColumn,
      message: "the result has \(columnCount) columns, and none with number \(index.rawValue)",
      sql: columns.sql)
  }

  @inline(never)
  private func notInteger(at index: ColumnIndex) -> SQLiteError { unfit(for: "an integer", index) }

  @inline(never)
  private func notText(at index: ColumnIndex) -> SQLiteError { unfit(for: "text", index) }

  @inline(never)
  private func notBlob(at index: ColumnIndex) -> SQLiteError { unfit(for: "a blob", index) }

  /// The error of a value whose bytes there was no memory for.
  @inline(never)
  func outOfMemory(at index: ColumnIndex) -> SQLiteError {
    cursor.endMemoryFailure()
    return unreadable("there is no memory to read the value", code: .outOfMemory, at: index)
  }

  @inline(never)
  private func invalidText(at index: ColumnIndex) -> SQLiteError {
    unreadable("the text is not valid UTF-8", code: .invalidText, at: index)
  }

  /// The error of a value that is not of the wanted storage class, or of a row that is not there.
  private func unfit(for wanted: String, _ index: ColumnIndex) -> SQLiteError {
    do throws(SQLiteError) {
      return mismatch(try storageClass(at: index), for: wanted, at: index)
    } catch {
      return error
    }
  }

  /// The error of a value that is no `wanted`.
  public func mismatch(
    _ found: SQLiteValue.StorageClass, for wanted: String, at index: ColumnIndex
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
