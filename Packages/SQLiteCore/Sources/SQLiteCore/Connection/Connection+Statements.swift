extension Connection {
  /// Compiles one statement, which is yours: to run it often, or to step through its rows.
  ///
  /// - Throws: ``SQLiteError`` where it does not compile, with the offset of the fault; with code
  ///   ``SQLiteError/Code/trailingSQL`` where a second statement follows, with
  ///   ``SQLiteError/Code/emptyStatement`` where there is none.
  public func prepare(_ sql: String) throws(SQLiteError) -> Statement {
    let text = try SQLText(sql)
    var prepared = try handle.prepare(text, persistent: true)
    guard let statement = prepared.statement.take() else {
      throw SQLiteError(code: .emptyStatement, message: "the text holds no statement", sql: sql)
    }
    let end = prepared.length
    if !isBlank(text, from: end) {
      throw SQLiteError(
        code: .trailingSQL, message: "text follows the statement", sql: sql,
        offset: ByteOffset(rawValue: end))
    }
    return Statement(
      sql: sql, handle: statement, access: prepared.access, connection: handle)
  }

  /// Runs `body` with a compiled statement out of the cache, without values and before its first row.
  ///
  /// It is put back however `body` ends; don't keep it.
  ///
  /// - Complexity: As ``prepare(_:)`` the first time, a look into a dictionary later.
  /// - Throws: What `body` throws; ``SQLiteError`` as ``prepare(_:)``.
  public func withStatement<Result>(
    _ sql: String, _ body: (Statement) throws -> Result
  ) throws -> Result {
    let statement = try takeStatement(sql)
    defer { putBack(statement) }
    return try body(statement)
  }

  /// How often a statement was found compiled.
  public var statementCacheStatistics: StatementCacheStatistics {
    handle.preconditionAccess()
    return cache.statistics
  }

  /// Runs several statements, one after another. They take no values, and their rows are left.
  ///
  /// - Throws: ``SQLiteError`` of the first that fails; those before it stay done, unless a
  ///   transaction around them is rolled back.
  public func execute(_ script: String) throws(SQLiteError) {
    var reader = try ScriptReader(script, handle)
    while let statement = try reader.next() {
      do throws(SQLiteError) {
        try statement.run()
      } catch {
        throw reader.located(error)
      }
    }
  }

  @usableFromInline
  func takeStatement(_ sql: String) throws(SQLiteError) -> Statement {
    try handle.requireAccess(sql: sql)
    if let statement = cache.take(sql) { return statement }
    return try prepare(sql)
  }

  @usableFromInline
  func putBack(_ statement: Statement) { cache.put(statement) }

  /// Whether only space and comments follow: a compiler that finds no statement says so.
  private func isBlank(_ text: SQLText, from start: Int) -> Bool {
    if text.isSpace(from: start) { return true }
    // Comments, then: the compiler finds no statement in them, and fails on anything but one.
    guard let prepared = try? handle.prepare(text, from: start, persistent: false),
      prepared.statement == nil
    else { return false }
    return prepared.length == 0 || isBlank(text, from: start + prepared.length)
  }
}
