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

extension Statement {
  /// What SQLite counts of a statement while it runs.
  public enum Counter: Int32, Hashable, Sendable, CaseIterable {
    /// Rows that a scan of a whole table went over: an index may be missing.
    case fullScanSteps = 1
    /// Sorts: an index may be missing.
    case sorts = 2
    /// Rows that were put into an index made for the run alone.
    case automaticIndexRows = 3
    /// Instructions of SQLite's machine.
    case machineSteps = 4
    /// How often it was compiled anew, as the schema had changed.
    case recompilations = 5
    /// How often it was run.
    case runs = 6
    /// Rows that a join's filter let pass to a lookup. Since SQLite 3.38.
    case filterMisses = 7
    /// Rows that a join's filter spared a lookup. Since SQLite 3.38.
    case filterHits = 8
    /// The bytes of memory that the compiled statement takes: no counter, and never set back.
    case memoryUsed = 99
  }
}

extension Statement {
  /// The text with a `?` in place of each literal, and space and case made uniform: statements that differ in
  /// nothing else have one, to be counted or logged without their values.
  ///
  /// ```swift
  /// let find = try connection.prepare("select * from player where name = 'Ada'")
  /// print(try find.normalizedSQL)  // SELECT*FROM player WHERE name=?;
  /// ```
  ///
  /// - Throws: ``SQLiteError`` with code ``SQLiteError/Code/unsupported`` where this SQLite was built
  ///   without it: see ``SQLiteLibrary/Feature/normalizedSQL``.
  public var normalizedSQL: String {
    get throws(SQLiteError) {
      try SQLiteLibrary.require(.normalizedSQL, sql: sql)
      try connection.requireAccess(sql: sql)
      guard let text = handle.cursor.normalizedSQL else {
        throw SQLiteError(
          code: .outOfMemory, message: "there is no memory for the normalized SQL", sql: sql)
      }
      return text
    }
  }

  /// What has been counted since the statement was compiled, or since the count was set back.
  ///
  /// A statement out of the cache has the counts of its earlier uses too.
  ///
  /// ```swift
  /// let find = try connection.prepare("SELECT * FROM player WHERE name = 'Ada'")
  /// try find.run()
  /// if try find.count(of: .fullScanSteps) > 0 { print("no index on player.name") }
  /// ```
  ///
  /// - Parameters:
  ///   - counter: What is asked for.
  ///   - resetting: Whether the count begins anew; without effect on ``Statement/Counter/recompilations`` and
  ///     ``Statement/Counter/memoryUsed``.
  /// - Throws: ``SQLiteError`` with code ``SQLiteError/Code/unsupported`` where this SQLite does not
  ///   count it.
  public func count(
    of counter: Counter, resetting: Bool = false
  ) throws(SQLiteError) -> Int {
    if counter == .filterHits || counter == .filterMisses {
      try SQLiteLibrary.require(.filterCounts)
    }
    try connection.requireAccess(sql: sql)
    // The count of recompilations is what the statement itself notices them by.
    let isKept = counter == .recompilations || counter == .memoryUsed
    return handle.cursor.count(counter.rawValue, resetting: resetting && !isKept)
  }
}

extension Statement {
  /// Binds a list, for `holt_array` to give its values.
  ///
  /// The engine keeps the list until something else is bound there, the values are cleared, or the
  /// statement is gone.
  func bindList(_ values: ListValues, at index: ParameterIndex) throws(SQLiteError) {
    try bindList(ValueList(values), at: index)
  }

  func bindList(_ list: ValueList, at index: ParameterIndex) throws(SQLiteError) {
    try check(handle.cursor.bind(list, at: prepared(index)))
  }
}
