extension Row {
  /// Returns whether a column is NULL.
  ///
  /// - Throws: ``SQLiteError`` with code ``SQLiteError/Code/unknownColumn``, or with
  ///   ``SQLiteError/Code/noRow`` if there is no current row.
  public func isNull(at index: ColumnIndex) throws(SQLiteError) -> Bool {
    guard let value = column(index) else { return try storedValue(at: index).isNull }
    return try isNull(value)
  }

  /// Returns the storage class of a column's value.
  ///
  /// - Throws: The same errors as ``isNull(at:)``.
  public func storageClass(at index: ColumnIndex) throws(SQLiteError) -> SQLiteValue.StorageClass {
    guard let value = column(index) else { return try storedValue(at: index).storageClass }
    let found = value.storageClass
    if found == .null { try checkHasRow() }
    return found
  }

  /// Returns a column's INTEGER, or in a row of `RETURNING` the integer that its REAL represents.
  ///
  /// `RETURNING` converts a table's integers to REAL in SQLite 3.40 if the table's first column is a
  /// `REAL`. A REAL beyond 2^53 may have been rounded and is an error.
  ///
  /// - Throws: ``SQLiteError`` with code ``SQLiteError/Code/columnTypeMismatch`` if the value has
  ///   another storage class; with ``SQLiteError/Code/unexpectedNull`` if it is NULL; as
  ///   ``isNull(at:)``.
  public func integer(at index: ColumnIndex) throws(SQLiteError) -> Int64 {
    guard let value = column(index) else { return try storedInteger(at: index) }
    if let integer = value.integer { return integer }
    return try exactInteger(at: index)
  }

  /// Returns a column's REAL, or its INTEGER if a `Double` represents it exactly.
  ///
  /// - Throws: The same errors as ``integer(at:)``; with code ``SQLiteError/Code/valueOutOfRange``
  ///   if no `Double` represents the INTEGER exactly.
  public func real(at index: ColumnIndex) throws(SQLiteError) -> Double {
    guard let value = column(index) else { return try storedReal(at: index) }
    if let real = value.real { return real }
    return try exactReal(value.integer, at: index)
  }

  /// Returns a column's TEXT, which may contain NUL characters.
  ///
  /// - Throws: The same errors as ``integer(at:)``; with code ``SQLiteError/Code/invalidText`` if
  ///   the text is not valid UTF-8; with ``SQLiteError/Code/outOfMemory`` if it is UTF-16 and too
  ///   long to be converted to UTF-8.
  public func text(at index: ColumnIndex) throws(SQLiteError) -> String {
    guard let value = column(index) else { return try storedText(at: index) }
    switch value.text {
    case .text(let text): return text
    case .invalid: throw invalidText(at: index)
    case .outOfMemory: throw outOfMemory(at: index)
    case .other: throw notText(at: index)
    }
  }

  /// Returns a column's BLOB.
  ///
  /// - Throws: The same errors as ``integer(at:)``; with code ``SQLiteError/Code/outOfMemory`` if
  ///   the blob is a zeroblob that is too large to be expanded.
  public func blob(at index: ColumnIndex) throws(SQLiteError) -> [UInt8] {
    guard let value = column(index) else { return try storedBlob(at: index) }
    switch value.blob {
    case .blob(let bytes): return bytes
    case .outOfMemory: throw outOfMemory(at: index)
    case .other: throw notBlob(at: index)
    }
  }

  /// Returns a column's INTEGER, or `nil` if the column is NULL.
  ///
  /// - Throws: ``SQLiteError`` with code ``SQLiteError/Code/columnTypeMismatch`` if the value has
  ///   another storage class; the errors of ``isNull(at:)``.
  public func optionalInteger(at index: ColumnIndex) throws(SQLiteError) -> Int64? {
    guard let value = column(index) else {
      return try storedValue(at: index).isNull ? nil : try storedInteger(at: index)
    }
    if let integer = value.integer { return integer }
    if try isNull(value) { return nil }
    return try exactInteger(at: index)
  }

  /// Returns a column's REAL, or its INTEGER if a `Double` represents it exactly; `nil` if the
  /// column is NULL.
  ///
  /// - Throws: The same errors as ``optionalInteger(at:)``; with code
  ///   ``SQLiteError/Code/valueOutOfRange`` if no `Double` represents the INTEGER exactly.
  public func optionalReal(at index: ColumnIndex) throws(SQLiteError) -> Double? {
    guard let value = column(index) else {
      return try storedValue(at: index).isNull ? nil : try storedReal(at: index)
    }
    if let real = value.real { return real }
    if try isNull(value) { return nil }
    return try exactReal(value.integer, at: index)
  }

  /// Returns a column's TEXT, or `nil` if the column is NULL.
  ///
  /// - Throws: The same errors as ``optionalInteger(at:)``; with code
  ///   ``SQLiteError/Code/invalidText`` if the text is not valid UTF-8.
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

  /// Returns a column's BLOB, or `nil` if the column is NULL.
  ///
  /// - Throws: The same errors as ``optionalInteger(at:)``.
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

  /// Returns a column's value of any storage class.
  ///
  /// - Throws: The same errors as ``isNull(at:)``; with code ``SQLiteError/Code/invalidText`` if a
  ///   text is not valid UTF-8.
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

  /// Returns SQLite's value of a column; `nil` if the cursor has no such column, as for a row in
  /// memory.
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
    try checkHasRow()
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

  /// Returns the integer that a REAL of `RETURNING` represents exactly.
  @inline(never)
  private func exactInteger(at index: ColumnIndex) throws(SQLiteError) -> Int64 {
    guard !cursor.isReadOnly, try storageClass(at: index) == .real,
      let exact = Int64(exactly: try real(at: index)), exact.magnitude <= 1 << 53
    else { throw notInteger(at: index) }
    return exact
  }

  /// Throws if there is no current row. SQLite then returns NULL for every column, so this is only
  /// checked for NULLs.
  private func checkHasRow() throws(SQLiteError) {
    guard cursor.dataCount > 0 else {
      throw SQLiteError(code: .noRow, message: "the statement has no current row", sql: columns.sql)
    }
  }
}

/// Rows in memory. Reading a column that does not exist in a statement's row also ends up here,
/// which keeps the code for existing columns short.
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
      return try exactInteger(at: index)
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
/// These functions are not inlined, so that rare errors don't slow down reading.
extension Row {
  @inline(never)
  private func unknownColumn(_ index: ColumnIndex) -> SQLiteError {
    SQLiteError(
      code: .unknownColumn,
      message: "no column \(index.rawValue): the result has \(columnCount) columns",
      sql: columns.sql)
  }

  @inline(never)
  private func notInteger(at index: ColumnIndex) -> SQLiteError {
    storageClassMismatch(for: "an integer", index)
  }

  @inline(never)
  private func notText(at index: ColumnIndex) -> SQLiteError {
    storageClassMismatch(for: "text", index)
  }

  @inline(never)
  private func notBlob(at index: ColumnIndex) -> SQLiteError {
    storageClassMismatch(for: "a blob", index)
  }

  /// The error for a value that there was no memory to read.
  @inline(never)
  func outOfMemory(at index: ColumnIndex) -> SQLiteError {
    cursor.endMemoryFailure()
    return unreadable("out of memory while reading the value", code: .outOfMemory, at: index)
  }

  @inline(never)
  private func invalidText(at index: ColumnIndex) -> SQLiteError {
    unreadable("the text is not valid UTF-8", code: .invalidText, at: index)
  }

  /// The error for a value of the wrong storage class, or for a missing row.
  private func storageClassMismatch(for wanted: String, _ index: ColumnIndex) -> SQLiteError {
    do throws(SQLiteError) {
      return mismatch(try storageClass(at: index), for: wanted, at: index)
    } catch {
      return error
    }
  }

  /// The error for a value of the wrong storage class.
  public func mismatch(
    _ found: SQLiteValue.StorageClass, for wanted: String, at index: ColumnIndex
  ) -> SQLiteError {
    if found == .null { return unexpectedNull(wanted, at: index) }
    return unreadable(
      "the value is \(found.rawValue), not \(wanted)", code: .columnTypeMismatch, at: index)
  }

  /// The error for a NULL that was read as a non-optional type.
  public func unexpectedNull(_ wanted: String, at index: ColumnIndex) -> SQLiteError {
    unreadable("the value is NULL, not \(wanted)", code: .unexpectedNull, at: index)
  }

  /// The error for a value of the right storage class that `type` can't represent.
  public func outOfRange(for type: String, at index: ColumnIndex) -> SQLiteError {
    unreadable("the value is not a valid \(type)", code: .valueOutOfRange, at: index)
  }

  /// Creates an error for a column that can't be read, for use in implementations of
  /// ``SQLiteReadable``.
  public func unreadable(
    _ message: String, code: SQLiteError.Code, at index: ColumnIndex
  ) -> SQLiteError {
    SQLiteError(
      code: code, message: message, sql: columns.sql, column: columns.describe(index.rawValue),
      row: columns.statement?.rowNumber)
  }
}
