/// Binding TEXT and BLOB values without a copy.
extension Statement {
  /// Binds bytes as a BLOB without a copy while `body` runs. Use it for large blobs.
  ///
  /// SQLite reads the bytes in place while `body` runs the statement. After `body`, even if it
  /// throws, the statement is reset and the parameter is NULL. Other parameters are bound one by
  /// one, before or inside `body`.
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
  ///   - body: Runs the statement, or reads its rows, to the end. Stopping a writing statement
  ///     early hides its errors, as ``reset()`` does.
  /// - Throws: Errors of `body`; ``SQLiteError`` with code ``SQLiteError/Code/range`` if the
  ///   statement has no such parameter, with ``SQLiteError/Code/tooBig`` if the blob exceeds
  ///   SQLite's limit. `body` does not run then.
  public func withBoundBlob<Result: ~Copyable>(
    _ bytes: Span<UInt8>, at index: ParameterIndex, _ body: () throws(SQLiteError) -> Result
  ) throws(SQLiteError) -> Result {
    try handle.cursor.withBound(bytes, asText: false, at: beginBinding(at: index)) {
      (code) throws(SQLiteError) in
      try check(code)
      defer { endRun() }
      return try body()
    }
  }

  /// Binds bytes as a BLOB without a copy while `body`, which may throw any error, runs.
  ///
  /// - Throws: Errors of `body`; ``SQLiteError`` with code ``SQLiteError/Code/range`` or
  ///   ``SQLiteError/Code/tooBig``.
  public func withBoundBlob<Result: ~Copyable>(
    _ bytes: Span<UInt8>, at index: ParameterIndex, _ body: () throws -> Result
  ) throws -> Result {
    try handle.cursor.withBound(bytes, asText: false, at: beginBinding(at: index)) { code in
      try check(code)
      defer { endRun() }
      return try body()
    }
  }

  /// Binds UTF-8 bytes as TEXT without a copy while `body` runs. Use it for large strings.
  ///
  /// After `body`, even if it throws, the statement is reset and the parameter is NULL.
  ///
  /// ```swift
  /// try statement.withBoundText(article.utf8.span, at: 1) { try statement.run() }
  /// ```
  ///
  /// - Parameters:
  ///   - utf8: The text, which may be empty.
  ///   - index: The parameter's number, counting from 1 as SQL does.
  ///   - body: Runs the statement, or reads its rows, to the end.
  /// - Throws: Errors of `body`; ``SQLiteError`` with code ``SQLiteError/Code/invalidText`` if the
  ///   bytes are not valid UTF-8, with ``SQLiteError/Code/range`` if the statement has no such
  ///   parameter, with ``SQLiteError/Code/tooBig`` if the text exceeds SQLite's limit. `body` does
  ///   not run then.
  /// - Complexity: O(*n*) in the length of the text, which is validated once.
  public func withBoundText<Result: ~Copyable>(
    _ utf8: Span<UInt8>, at index: ParameterIndex, _ body: () throws(SQLiteError) -> Result
  ) throws(SQLiteError) -> Result {
    try requireUTF8(utf8)
    return try handle.cursor.withBound(utf8, asText: true, at: beginBinding(at: index)) {
      (code) throws(SQLiteError) in
      try check(code)
      defer { endRun() }
      return try body()
    }
  }

  /// Binds UTF-8 bytes as TEXT without a copy while `body`, which may throw any error, runs.
  ///
  /// - Throws: Errors of `body`; ``SQLiteError`` with code ``SQLiteError/Code/invalidText``,
  ///   ``SQLiteError/Code/range`` or ``SQLiteError/Code/tooBig``.
  /// - Complexity: O(*n*) in the length of the text, which is validated once.
  public func withBoundText<Result: ~Copyable>(
    _ utf8: Span<UInt8>, at index: ParameterIndex, _ body: () throws -> Result
  ) throws -> Result {
    try requireUTF8(utf8)
    return try handle.cursor.withBound(utf8, asText: true, at: beginBinding(at: index)) { code in
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

extension Statement {
  /// A counter that SQLite maintains for a statement.
  public enum Counter: Int32, Hashable, Sendable, CaseIterable {
    /// Rows visited by full table scans: an index may be missing.
    case fullScanSteps = 1
    /// Sort operations: an index may be missing.
    case sorts = 2
    /// Rows inserted into automatic indexes, which exist for one run only.
    case automaticIndexRows = 3
    /// Instructions of SQLite's virtual machine.
    case machineSteps = 4
    /// Recompilations because of schema changes.
    case recompilations = 5
    /// Runs of the statement.
    case runs = 6
    /// Rows for which a join's Bloom filter did not avoid a lookup. Since SQLite 3.38.
    case filterMisses = 7
    /// Rows for which a join's Bloom filter avoided a lookup. Since SQLite 3.38.
    case filterHits = 8
    /// The bytes of memory that the compiled statement uses. Not a counter, and never reset.
    case memoryUsed = 99
  }
}

extension Statement {
  /// The text with each literal replaced by `?`, and with uniform whitespace and case. Statements
  /// that differ only in these have the same normalized text, so that they can be counted or logged
  /// without values.
  ///
  /// ```swift
  /// let find = try connection.prepare("select * from player where name = 'Ada'")
  /// print(try find.normalizedSQL)  // SELECT*FROM player WHERE name=?;
  /// ```
  ///
  /// - Throws: ``SQLiteError`` with code ``SQLiteError/Code/unsupported`` if SQLite was built
  ///   without this feature: see ``SQLiteLibrary/Feature/normalizedSQL``.
  public var normalizedSQL: String {
    get throws(SQLiteError) {
      try SQLiteLibrary.require(.normalizedSQL, sql: sql)
      try connection.requireAccess(sql: sql)
      guard let text = handle.cursor.normalizedSQL else {
        throw SQLiteError(
          code: .outOfMemory, message: "out of memory while normalizing the SQL", sql: sql)
      }
      return text
    }
  }

  /// Returns a counter's value since the statement was compiled, or since the counter was reset.
  ///
  /// A cached statement includes the counts of its earlier uses.
  ///
  /// ```swift
  /// let find = try connection.prepare("SELECT * FROM player WHERE name = 'Ada'")
  /// try find.run()
  /// if try find.count(of: .fullScanSteps) > 0 { print("no index on player.name") }
  /// ```
  ///
  /// - Parameters:
  ///   - counter: The counter.
  ///   - resetting: Whether to reset the counter. Has no effect on
  ///     ``Statement/Counter/recompilations`` and ``Statement/Counter/memoryUsed``.
  /// - Throws: ``SQLiteError`` with code ``SQLiteError/Code/unsupported`` if this SQLite does not
  ///   have the counter.
  public func count(
    of counter: Counter, resetting: Bool = false
  ) throws(SQLiteError) -> Int {
    if counter == .filterHits || counter == .filterMisses {
      try SQLiteLibrary.require(.filterCounts)
    }
    try connection.requireAccess(sql: sql)
    // The statement itself detects recompilations by this counter, which is therefore not reset.
    let isKept = counter == .recompilations || counter == .memoryUsed
    return handle.cursor.count(counter.rawValue, resetting: resetting && !isKept)
  }
}

extension Statement {
  /// Binds a list whose values `array_each` returns.
  ///
  /// SQLite retains the list until the parameter is bound again, the bindings are cleared, or the
  /// statement is finalized.
  func bindList(_ values: ListValues, at index: ParameterIndex) throws(SQLiteError) {
    try bindList(ValueList(values), at: index)
  }

  func bindList(_ list: ValueList, at index: ParameterIndex) throws(SQLiteError) {
    try check(handle.cursor.bind(list, at: beginBinding(at: index)))
  }
}
