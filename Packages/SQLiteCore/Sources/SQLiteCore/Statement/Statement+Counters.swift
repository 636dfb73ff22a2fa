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
