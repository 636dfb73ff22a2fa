internal import Primitives

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
