internal import Primitives

/// The current row of a statement, or a row in memory.
///
/// A statement's row is a view that can't outlive the step that produced it. Reading a column by
/// index allocates only the value itself; reading by name uses a table that is built once per
/// statement.
public struct Row: ~Copyable {
  let cursor: StatementCursor
  let columns: ResultColumns

  init(cursor: StatementCursor, columns: ResultColumns) {
    self.cursor = cursor
    self.columns = columns
  }

  /// Creates a row in memory.
  ///
  /// ```swift
  /// let row = Row(columns: ["id", "name"], values: [1, "Ada"])
  /// let player = try RowDecoder().decode(Player.self, from: row)
  /// ```
  ///
  /// - Parameters:
  ///   - columns: The column names.
  ///   - values: A value for each column. Reading a column without a value throws an error with
  ///     code ``SQLiteError/Code/unknownColumn``.
  ///   - context: The row's ``context``.
  public init(columns: [String], values: [SQLiteValue], context: AnyObject? = nil) {
    self.init(cursor: .none, columns: ResultColumns(names: columns, context: context))
    self.columns.storedValues = values
  }

  /// Reads rows in memory, one after the other.
  ///
  /// The columns are looked up once for all rows.
  ///
  /// - Parameters:
  ///   - columns: The column names.
  ///   - rows: The rows, each with a value for each column.
  ///   - body: Reads one row.
  /// - Throws: The error of `body`, which ends the iteration.
  public static func forEach(
    columns: [String], in rows: some Sequence<[SQLiteValue]>,
    _ body: (borrowing Row) throws -> Void
  ) rethrows {
    let row = Row(columns: columns, values: [])
    for values in rows {
      row.columns.storedValues = values
      try body(row)
    }
  }

  /// The number of columns.
  public var columnCount: Int { columns.count }

  /// The column names.
  public var columnNames: [String] { columns.names }

  /// The context that row decoding receives from its caller: see
  /// ``Connection/withRowContext(_:_:)``.
  public var context: AnyObject? { columns.context }

  /// Reads one column, counting from 0.
  ///
  /// - Throws: ``SQLiteError``, with the column's name, if the value can't be read as `type`: see
  ///   ``SQLiteReadable``.
  @inlinable
  public func read<Value: SQLiteReadable>(
    _ type: Value.Type = Value.self, at index: ColumnIndex
  ) throws(SQLiteError) -> Value {
    try Value(from: self, at: index)
  }

  /// Reads the first column of this name.
  ///
  /// - Throws: ``SQLiteError`` with code ``SQLiteError/Code/unknownColumn`` if there is no such
  ///   column; the errors of ``read(_:at:)-3o01l``.
  public func read<Value: SQLiteReadable>(
    _ type: Value.Type = Value.self, named name: String
  ) throws(SQLiteError) -> Value {
    guard let index = columns.index(named: name) else {
      throw SQLiteError(
        code: .unknownColumn, message: "the result has no column \(name)", sql: columns.sql)
    }
    return try Value(from: self, at: ColumnIndex(index))
  }

  /// The value of a column. NULL if there is no such column, or if its text is not valid UTF-8;
  /// reading the column as ``SQLiteValue`` distinguishes these cases.
  public subscript(index: ColumnIndex) -> SQLiteValue { (try? value(at: index)) ?? .null }

  /// The value of the first column of this name; `nil` if there is no such column.
  public subscript(name: String) -> SQLiteValue? {
    columns.index(named: name).flatMap { try? value(at: ColumnIndex($0)) }
  }

  /// All values, in column order.
  ///
  /// - Throws: ``SQLiteError`` with code ``SQLiteError/Code/noRow`` if there is no current row;
  ///   with ``SQLiteError/Code/invalidText`` if a text is not valid UTF-8.
  public var values: [SQLiteValue] {
    get throws(SQLiteError) {
      var values: [SQLiteValue] = []
      values.reserveCapacity(columnCount)
      for index in 0..<columnCount { values.append(try value(at: ColumnIndex(index))) }
      return values
    }
  }
}

/// Reading TEXT and BLOB columns without a copy.
extension Row {
  /// Calls `body` with the bytes of a column's BLOB, without a copy.
  ///
  /// The bytes belong to SQLite, and are valid while `body` runs. Until `body` returns, the
  /// statement can't be stepped or bound, and no transaction or savepoint can begin on the
  /// connection. Resetting the statement or clearing its bindings takes effect after `body` has
  /// returned. Other columns can be read, and other statements can run.
  ///
  /// ```swift
  /// try connection.forEach("SELECT name, content FROM file") { row in
  ///   let zeros = try row.withBlob(at: 1) { bytes in
  ///     bytes.indices.count { bytes[$0] == 0 }
  ///   }
  ///   print(try row.text(at: 0), zeros)
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - index: The column, counting from 0.
  ///   - body: Reads the bytes, which it can't store. They are empty for an empty blob.
  /// - Throws: The errors of `body` and of ``blob(at:)``. Inside `body`, operations that are not
  ///   allowed throw ``SQLiteError/Code/columnBorrowed``.
  public func withBlob<Result: ~Copyable>(
    at index: ColumnIndex, _ body: (Span<UInt8>) throws(SQLiteError) -> Result
  ) throws(SQLiteError) -> Result {
    try requireBlob(try storageClass(at: index), at: index)
    return try withBytes(at: index, body)
  }

  /// Calls `body`, which may throw any error, with the bytes of a column's BLOB.
  ///
  /// ```swift
  /// try row.withBlob(at: 0) { bytes in
  ///   guard bytes.count == 16 else { throw MalformedKey() }
  ///   try file.append(bytes)
  /// }
  /// ```
  ///
  /// - Throws: The errors of `body` and of ``blob(at:)``.
  public func withBlob<Result: ~Copyable>(
    at index: ColumnIndex, _ body: (Span<UInt8>) throws -> Result
  ) throws -> Result {
    try requireBlob(try storageClass(at: index), at: index)
    return try withBytes(at: index, body)
  }

  /// Calls `body` with the bytes of a column's BLOB, without a copy. If the column is NULL, returns
  /// `nil` without calling `body`.
  ///
  /// - Throws: The errors of `body` and of ``optionalBlob(at:)``.
  public func withOptionalBlob<Result: ~Copyable>(
    at index: ColumnIndex, _ body: (Span<UInt8>) throws(SQLiteError) -> Result
  ) throws(SQLiteError) -> Result? {
    let found = try storageClass(at: index)
    if found == .null { return nil }
    try requireBlob(found, at: index)
    return try withBytes(at: index, body)
  }

  /// Calls `body`, which may throw any error, with the bytes of a column's BLOB. If the column is
  /// NULL, returns `nil` without calling `body`.
  ///
  /// - Throws: The errors of `body` and of ``optionalBlob(at:)``.
  public func withOptionalBlob<Result: ~Copyable>(
    at index: ColumnIndex, _ body: (Span<UInt8>) throws -> Result
  ) throws -> Result? {
    let found = try storageClass(at: index)
    if found == .null { return nil }
    try requireBlob(found, at: index)
    return try withBytes(at: index, body)
  }

  /// Calls `body` with the UTF-8 bytes of a column's TEXT, without a copy. The rules of
  /// `withBlob(at:_:)` apply.
  ///
  /// The bytes have been validated.
  ///
  /// ```swift
  /// let lines = try row.withText(at: 2) { utf8 in
  ///   utf8.indices.count { utf8[$0] == UInt8(ascii: "\n") }
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - index: The column, counting from 0.
  ///   - body: Reads the bytes, which it can't store. They are empty for an empty text.
  /// - Throws: The errors of `body` and of ``text(at:)``. Inside `body`, operations that are not
  ///   allowed throw ``SQLiteError/Code/columnBorrowed``.
  /// - Complexity: O(*n*) in the length of the text, which is validated once.
  public func withText<Result: ~Copyable>(
    at index: ColumnIndex, _ body: (Span<UInt8>) throws(SQLiteError) -> Result
  ) throws(SQLiteError) -> Result {
    try requireText(try storageClass(at: index), at: index)
    return try withBytes(at: index, body)
  }

  /// Calls `body`, which may throw any error, with the UTF-8 bytes of a column's TEXT.
  ///
  /// - Throws: The errors of `body` and of ``text(at:)``.
  /// - Complexity: O(*n*) in the length of the text, which is validated once.
  public func withText<Result: ~Copyable>(
    at index: ColumnIndex, _ body: (Span<UInt8>) throws -> Result
  ) throws -> Result {
    try requireText(try storageClass(at: index), at: index)
    return try withBytes(at: index, body)
  }

  /// Calls `body` with the UTF-8 bytes of a column's TEXT, without a copy. If the column is NULL,
  /// returns `nil` without calling `body`.
  ///
  /// - Throws: The errors of `body` and of ``optionalText(at:)``.
  public func withOptionalText<Result: ~Copyable>(
    at index: ColumnIndex, _ body: (Span<UInt8>) throws(SQLiteError) -> Result
  ) throws(SQLiteError) -> Result? {
    let found = try storageClass(at: index)
    if found == .null { return nil }
    try requireText(found, at: index)
    return try withBytes(at: index, body)
  }

  /// Calls `body`, which may throw any error, with the UTF-8 bytes of a column's TEXT. If the
  /// column is NULL, returns `nil` without calling `body`.
  ///
  /// - Throws: The errors of `body` and of ``optionalText(at:)``.
  public func withOptionalText<Result: ~Copyable>(
    at index: ColumnIndex, _ body: (Span<UInt8>) throws -> Result
  ) throws -> Result? {
    let found = try storageClass(at: index)
    if found == .null { return nil }
    try requireText(found, at: index)
    return try withBytes(at: index, body)
  }

  private func requireBlob(_ found: SQLiteValue.StorageClass, at index: ColumnIndex)
    throws(SQLiteError)
  {
    guard found == .blob else { throw mismatch(found, for: "a blob", at: index) }
    if columns.storedValues != nil { return }
    guard cursor.value(at: index.rawValue).isMaterialized else { throw outOfMemory(at: index) }
  }

  private func requireText(_ found: SQLiteValue.StorageClass, at index: ColumnIndex)
    throws(SQLiteError)
  {
    guard found == .text else { throw mismatch(found, for: "text", at: index) }
    if columns.storedValues != nil { return }
    guard cursor.value(at: index.rawValue).isMaterialized else { throw outOfMemory(at: index) }
    // No user code runs here that could invalidate the row.
    guard cursor.value(at: index.rawValue).withBytes({ $0.isUTF8 }) else {
      throw unreadable("the text is not valid UTF-8", code: .invalidText, at: index)
    }
  }

  private func withBytes<Result: ~Copyable, Failure: Error>(
    at index: ColumnIndex, _ body: (Span<UInt8>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    if let values = columns.storedValues {
      return try body(values[index.rawValue].bytes.elementSpan)
    }
    let statement = columns.statement
    statement?.beginBorrow()
    defer { statement?.endBorrow() }
    return try cursor.value(at: index.rawValue).withBytes(body)
  }
}
