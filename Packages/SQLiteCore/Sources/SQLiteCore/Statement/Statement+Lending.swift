/// Binding texts and blobs where they are, without a copy.
extension Statement {
  /// Binds bytes as a BLOB for the length of `body`, without a copy: for one that is large.
  ///
  /// The engine reads the bytes where they are while `body` runs the statement. However `body` ends,
  /// the statement is reset afterwards, and the parameter NULL. Other parameters are bound one by one,
  /// before or in `body`.
  ///
  /// ```swift
  /// let insert = try connection.prepare("INSERT INTO file (name, content) VALUES (?1, ?2)")
  /// try insert.bind("map", at: 1)
  /// try insert.withBoundBlob(bytes.span, at: 2) { try insert.run() }
  /// ```
  ///
  /// - Parameters:
  ///   - bytes: The blob, which may be empty.
  ///   - index: The parameter's number, counting from 1 as SQL does.
  ///   - body: Runs the statement, or reads its rows, to the end: leaving a statement that writes at a row
  ///     hides a failure, as ``reset()`` does.
  /// - Throws: What `body` throws; ``SQLiteError`` with code ``SQLiteError/Code/range`` where the
  ///   statement has no such parameter, with ``SQLiteError/Code/tooBig`` where no value can be that
  ///   large. `body` does not run then.
  public func withBoundBlob<Result: ~Copyable>(
    _ bytes: Span<UInt8>, at index: ParameterIndex, _ body: () throws(SQLiteError) -> Result
  ) throws(SQLiteError) -> Result {
    try handle.cursor.withBound(bytes, asText: false, at: prepared(index)) {
      (code) throws(SQLiteError) in
      try check(code)
      defer { endRun() }
      return try body()
    }
  }

  /// Binds bytes as a BLOB for the length of a `body` that throws errors of other types too.
  ///
  /// - Throws: What `body` throws; ``SQLiteError`` with code ``SQLiteError/Code/range`` or
  ///   ``SQLiteError/Code/tooBig``.
  public func withBoundBlob<Result: ~Copyable>(
    _ bytes: Span<UInt8>, at index: ParameterIndex, _ body: () throws -> Result
  ) throws -> Result {
    try handle.cursor.withBound(bytes, asText: false, at: prepared(index)) { code in
      try check(code)
      defer { endRun() }
      return try body()
    }
  }

  /// Binds UTF-8 as a TEXT for the length of `body`, without a copy: for one that is large.
  ///
  /// It is as with a blob: however `body` ends, the statement is reset afterwards, and the parameter
  /// NULL.
  ///
  /// ```swift
  /// try statement.withBoundText(article.utf8.span, at: 1) { try statement.run() }
  /// ```
  ///
  /// - Parameters:
  ///   - utf8: The text, which may be empty.
  ///   - index: The parameter's number, counting from 1 as SQL does.
  ///   - body: Runs the statement, or reads its rows, to the end.
  /// - Throws: What `body` throws; ``SQLiteError`` with code ``SQLiteError/Code/invalidText`` where the
  ///   bytes are not UTF-8, with ``SQLiteError/Code/range`` where the statement has no such parameter,
  ///   with ``SQLiteError/Code/tooBig`` where no value can be that large. `body` does not run then.
  /// - Complexity: O(*n*) in the length of the text, which is looked through once.
  public func withBoundText<Result: ~Copyable>(
    _ utf8: Span<UInt8>, at index: ParameterIndex, _ body: () throws(SQLiteError) -> Result
  ) throws(SQLiteError) -> Result {
    try requireUTF8(utf8)
    return try handle.cursor.withBound(utf8, asText: true, at: prepared(index)) {
      (code) throws(SQLiteError) in
      try check(code)
      defer { endRun() }
      return try body()
    }
  }

  /// Binds UTF-8 as a TEXT for the length of a `body` that throws errors of other types too.
  ///
  /// - Throws: What `body` throws; ``SQLiteError`` with code ``SQLiteError/Code/invalidText``,
  ///   ``SQLiteError/Code/range`` or ``SQLiteError/Code/tooBig``.
  /// - Complexity: O(*n*) in the length of the text, which is looked through once.
  public func withBoundText<Result: ~Copyable>(
    _ utf8: Span<UInt8>, at index: ParameterIndex, _ body: () throws -> Result
  ) throws -> Result {
    try requireUTF8(utf8)
    return try handle.cursor.withBound(utf8, asText: true, at: prepared(index)) { code in
      try check(code)
      defer { endRun() }
      return try body()
    }
  }

  func requireUTF8(_ utf8: Span<UInt8>) throws(SQLiteError) {
    guard utf8.isUTF8 else {
      throw SQLiteError(code: .invalidText, message: "the text is not valid UTF-8", sql: sql)
    }
  }
}
