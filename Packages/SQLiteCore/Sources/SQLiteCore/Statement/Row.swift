internal import Primitives

/// A row: the current one of a statement, or one in memory, which is read by the same rules.
///
/// A statement's row is a view that can't be kept past the step that made it. Columns are read by number
/// without allocation beyond the value itself; by name through a table that is built once for each
/// statement.
public struct Row: ~Copyable {
  let cursor: StatementCursor
  let columns: ResultColumns

  init(cursor: StatementCursor, columns: ResultColumns) {
    self.cursor = cursor
    self.columns = columns
  }

  /// A row in memory.
  ///
  /// ```swift
  /// let row = Row(columns: ["id", "name"], values: [1, "Ada"])
  /// let player = try RowDecoder().decode(Player.self, from: row)
  /// ```
  ///
  /// - Parameters:
  ///   - columns: The names of the columns.
  ///   - values: A value for each. Reading a column that has none is an error of code
  ///     ``SQLiteError/Code/unknownColumn``.
  ///   - context: The row's ``context``.
  public init(columns: [String], values: [SQLiteValue], context: AnyObject? = nil) {
    self.init(cursor: .none, columns: ResultColumns(names: columns, context: context))
    self.columns.storedValues = values
  }

  /// Reads rows in memory, one after another.
  ///
  /// The columns are looked up once for all rows.
  ///
  /// - Parameters:
  ///   - columns: The names of the columns.
  ///   - rows: The rows: for each, a value for each column.
  ///   - body: Reads one row.
  /// - Throws: What `body` throws, which ends it.
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

  /// The names of the columns.
  public var columnNames: [String] { columns.names }

  /// What those who make values of the row are told by whoever reads it: see ``Connection/withRowContext(_:_:)``.
  public var context: AnyObject? { columns.context }

  /// Reads one column, counting from 0.
  ///
  /// - Throws: ``SQLiteError`` that names the column, where the value is not one of `type`: see
  ///   ``SQLiteReadable`` for what each type reads.
  @inlinable
  public func read<Value: SQLiteReadable>(
    _ type: Value.Type = Value.self, at index: ColumnIndex
  ) throws(SQLiteError) -> Value {
    try Value(from: self, at: index)
  }

  /// Reads the first column of this name.
  ///
  /// - Throws: ``SQLiteError`` with code ``SQLiteError/Code/unknownColumn`` where there is none,
  ///   besides what ``read(_:at:)`` throws.
  public func read<Value: SQLiteReadable>(
    _ type: Value.Type = Value.self, named name: String
  ) throws(SQLiteError) -> Value {
    guard let index = columns.index(named: name) else {
      throw SQLiteError(
        code: .unknownColumn, message: "the result has no column \(name)", sql: columns.sql)
    }
    return try Value(from: self, at: ColumnIndex(index))
  }

  /// The value of a column, whatever it is; NULL where there is no such column, or where its text is
  /// not valid UTF-8: reading it as ``SQLiteValue`` tells these apart.
  public subscript(index: ColumnIndex) -> SQLiteValue { (try? value(at: index)) ?? .null }

  /// The value of the first column of this name; `nil` where there is none.
  public subscript(name: String) -> SQLiteValue? {
    columns.index(named: name).flatMap { try? value(at: ColumnIndex($0)) }
  }

  /// All values, in the order of the columns.
  ///
  /// - Throws: ``SQLiteError`` with code ``SQLiteError/Code/noRow`` where there is no row, with
  ///   ``SQLiteError/Code/invalidText`` where a text is not UTF-8.
  public var values: [SQLiteValue] {
    get throws(SQLiteError) {
      var values: [SQLiteValue] = []
      values.reserveCapacity(columnCount)
      for index in 0..<columnCount { values.append(try value(at: ColumnIndex(index))) }
      return values
    }
  }
}

/// Reading texts and blobs where they are, without a copy.
extension Row {
  /// Lends the bytes of a column's BLOB to `body`, without a copy.
  ///
  /// The bytes are the engine's, and stay in place while `body` runs. The row stays too: until `body`
  /// returns, the statement can't be stepped or bound, and no transaction or savepoint can be begun on the
  /// connection. Resetting the statement or clearing its values takes effect when `body` has returned.
  /// Other columns can be read, and other statements be run.
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
  ///   - body: Reads the bytes, none where the blob is empty. They can't be kept.
  /// - Throws: What `body` throws; ``SQLiteError`` as ``blob(at:)``. Inside `body`, what can't be done
  ///   is ``SQLiteError/Code/columnLent``.
  public func withBlob<Result: ~Copyable>(
    at index: ColumnIndex, _ body: (Span<UInt8>) throws(SQLiteError) -> Result
  ) throws(SQLiteError) -> Result {
    try requireBlob(try storageClass(at: index), at: index)
    return try lend(index, body)
  }

  /// Lends the bytes of a column's BLOB to a `body` that throws errors of other types too.
  ///
  /// ```swift
  /// try row.withBlob(at: 0) { bytes in
  ///   guard bytes.count == 16 else { throw MalformedKey() }
  ///   try file.append(bytes)
  /// }
  /// ```
  ///
  /// - Throws: What `body` throws; ``SQLiteError`` as ``blob(at:)``.
  public func withBlob<Result: ~Copyable>(
    at index: ColumnIndex, _ body: (Span<UInt8>) throws -> Result
  ) throws -> Result {
    try requireBlob(try storageClass(at: index), at: index)
    return try lend(index, body)
  }

  /// Lends the bytes of a column's BLOB to `body`, without a copy; where the column is NULL, `body` does not
  /// run, and the answer is `nil`.
  ///
  /// - Throws: What `body` throws; ``SQLiteError`` as ``optionalBlob(at:)``.
  public func withOptionalBlob<Result: ~Copyable>(
    at index: ColumnIndex, _ body: (Span<UInt8>) throws(SQLiteError) -> Result
  ) throws(SQLiteError) -> Result? {
    let found = try storageClass(at: index)
    if found == .null { return nil }
    try requireBlob(found, at: index)
    return try lend(index, body)
  }

  /// The same, for a `body` that throws errors of other types too.
  ///
  /// - Throws: What `body` throws; ``SQLiteError`` as ``optionalBlob(at:)``.
  public func withOptionalBlob<Result: ~Copyable>(
    at index: ColumnIndex, _ body: (Span<UInt8>) throws -> Result
  ) throws -> Result? {
    let found = try storageClass(at: index)
    if found == .null { return nil }
    try requireBlob(found, at: index)
    return try lend(index, body)
  }

  /// Lends the UTF-8 of a column's TEXT to `body`, without a copy, by the rules of lending a blob.
  ///
  /// The bytes have been found to be valid UTF-8.
  ///
  /// ```swift
  /// let lines = try row.withText(at: 2) { utf8 in
  ///   utf8.indices.count { utf8[$0] == UInt8(ascii: "\n") }
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - index: The column, counting from 0.
  ///   - body: Reads the bytes, none where the text is empty. They can't be kept.
  /// - Throws: What `body` throws; ``SQLiteError`` as ``text(at:)``. Inside `body`, what can't be done
  ///   is ``SQLiteError/Code/columnLent``.
  /// - Complexity: O(*n*) in the length of the text, which is looked through once.
  public func withText<Result: ~Copyable>(
    at index: ColumnIndex, _ body: (Span<UInt8>) throws(SQLiteError) -> Result
  ) throws(SQLiteError) -> Result {
    try requireText(try storageClass(at: index), at: index)
    return try lend(index, body)
  }

  /// Lends the UTF-8 of a column's TEXT to a `body` that throws errors of other types too.
  ///
  /// - Throws: What `body` throws; ``SQLiteError`` as ``text(at:)``.
  /// - Complexity: O(*n*) in the length of the text, which is looked through once.
  public func withText<Result: ~Copyable>(
    at index: ColumnIndex, _ body: (Span<UInt8>) throws -> Result
  ) throws -> Result {
    try requireText(try storageClass(at: index), at: index)
    return try lend(index, body)
  }

  /// Lends the UTF-8 of a column's TEXT to `body`, without a copy; where the column is NULL, `body` does not
  /// run, and the answer is `nil`.
  ///
  /// - Throws: What `body` throws; ``SQLiteError`` as ``optionalText(at:)``.
  public func withOptionalText<Result: ~Copyable>(
    at index: ColumnIndex, _ body: (Span<UInt8>) throws(SQLiteError) -> Result
  ) throws(SQLiteError) -> Result? {
    let found = try storageClass(at: index)
    if found == .null { return nil }
    try requireText(found, at: index)
    return try lend(index, body)
  }

  /// The same, for a `body` that throws errors of other types too.
  ///
  /// - Throws: What `body` throws; ``SQLiteError`` as ``optionalText(at:)``.
  public func withOptionalText<Result: ~Copyable>(
    at index: ColumnIndex, _ body: (Span<UInt8>) throws -> Result
  ) throws -> Result? {
    let found = try storageClass(at: index)
    if found == .null { return nil }
    try requireText(found, at: index)
    return try lend(index, body)
  }

  private func requireBlob(_ found: SQLiteValue.StorageClass, at index: ColumnIndex)
    throws(SQLiteError)
  {
    guard found == .blob else { throw mismatch(found, for: "a blob", at: index) }
    if columns.storedValues != nil { return }
    guard cursor.value(at: index.rawValue).isAtHand else { throw outOfMemory(at: index) }
  }

  private func requireText(_ found: SQLiteValue.StorageClass, at index: ColumnIndex)
    throws(SQLiteError)
  {
    guard found == .text else { throw mismatch(found, for: "text", at: index) }
    if columns.storedValues != nil { return }
    guard cursor.value(at: index.rawValue).isAtHand else { throw outOfMemory(at: index) }
    // No code of the user's runs here: nothing could take the row away.
    guard cursor.value(at: index.rawValue).withBytes({ $0.isUTF8 }) else {
      throw unreadable("the text is not valid UTF-8", code: .invalidText, at: index)
    }
  }

  private func lend<Result: ~Copyable, Failure: Error>(
    _ index: ColumnIndex, _ body: (Span<UInt8>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    if let values = columns.storedValues {
      return try body(values[index.rawValue].bytes.elementSpan)
    }
    let statement = columns.statement
    statement?.beginLoan()
    defer { statement?.endLoan() }
    return try cursor.value(at: index.rawValue).withBytes(body)
  }
}
