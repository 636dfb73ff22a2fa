extension Connection {
  /// Compiles a single statement, to run it repeatedly or to step through its rows.
  ///
  /// Interpolated values are bound.
  ///
  /// - Throws: ``SQLiteError`` if the text does not compile, with the offset of the error; with code
  ///   ``SQLiteError/Code/trailingSQL`` if a second statement follows, ``SQLiteError/Code/emptyStatement`` if there is
  ///   no statement, or ``SQLiteError/Code/misplacedInterpolation`` for an interpolation inside quotes or a comment.
  public func prepare(_ sql: SQL) throws(SQLiteError) -> Statement {
    if sql.isPlain { return try compile(sql.text) }
    // Parameters that are written in the text are bound later by the caller.
    let (text, values) = try sql.resolved(
      with: sql.hasValues ? sql.ownParameters().map { _ in SQLiteValue.null } : [])
    let statement = try compile(text)
    if !values.isEmpty { try statement.bindAll(values) }
    return statement
  }

  private func compile(_ sql: String) throws(SQLiteError) -> Statement {
    let text = try SQLText(sql)
    var prepared = try handle.prepare(text, persistent: true)
    guard let statement = prepared.statement.take() else {
      throw SQLiteError(code: .emptyStatement, message: "the text contains no statement", sql: sql)
    }
    let end = prepared.length
    if !isBlank(text, from: end) {
      throw SQLiteError(
        code: .trailingSQL, message: "text follows the statement", sql: sql,
        offset: SQLiteError.ByteOffset(rawValue: end))
    }
    return Statement(
      sql: sql, handle: statement, access: prepared.access, connection: handle)
  }

  /// Runs `body` with a compiled statement from the cache, positioned before its first row.
  ///
  /// Interpolated values are bound. The statement returns to the cache after `body`, even if it
  /// throws; `body` must not keep it.
  ///
  /// ```swift
  /// let ids = try connection.withStatement("SELECT id FROM player WHERE team = \(team)") {
  ///   try $0.step() ? [$0.row.read(Int.self, at: 0)] : []
  /// }
  /// ```
  ///
  /// - Complexity: The same as ``prepare(_:)`` the first time, a dictionary lookup later.
  /// - Throws: Any error that `body` throws; the errors of ``prepare(_:)``.
  public func withStatement<Result>(
    _ sql: SQL, _ body: (Statement) throws -> Result
  ) throws -> Result {
    let statement = try sql.hasValues ? checkoutStatement(sql, values: []) : checkoutStatement(sql)
    defer { checkinStatement(statement) }
    return try body(statement)
  }

  /// Runs `body` with a compiled statement from the cache, positioned before its first row, with all values bound.
  ///
  /// - Parameters:
  ///   - sql: A single statement.
  ///   - values: The values of the parameters that are written in the text.
  ///   - body: Runs the statement or reads its rows. Must not keep the statement.
  /// - Throws: The same errors as ``withStatement(_:_:)``; ``SQLiteError`` with code
  ///   ``SQLiteError/Code/parameterCount`` if the numbers of values and parameters differ.
  public func withStatement<Result>(
    _ sql: SQL, values: [any SQLiteBindable], _ body: (Statement) throws -> Result
  ) throws -> Result {
    let statement = try checkoutStatement(sql, values: values)
    defer { checkinStatement(statement) }
    return try body(statement)
  }

  /// The hits and misses of the statement cache.
  public var statementCacheStatistics: StatementCacheStatistics {
    handle.preconditionAccess()
    return cache.statistics
  }

  /// Takes a statement from the cache, or compiles it, without binding values.
  @usableFromInline
  func checkoutStatement(_ sql: SQL) throws(SQLiteError) -> Statement {
    if !handle.isAccessible { throw handle.accessEnded(sql: sql.text) }
    let statement =
      switch sql.storage {
      case .literal(let literal): try checkoutStatement(literal)
      case .text(let text): try checkoutStatement(text: text)
      case .composed: try checkoutStatement(text: sql.checkedText())
      }
    if let expected = sql.columnCount, statement.columnCount != expected {
      let actual = statement.columnCount
      checkinStatement(statement)
      throw SQLiteError(
        code: .columnCount,
        message: "the result has \(actual) columns, but \(expected) are read; "
          + "generate the code again for the database's schema", sql: sql.text)
    }
    return statement
  }

  /// Takes a statement for SQL that must not contain interpolated values.
  @usableFromInline
  func checkoutStatementWithoutValues(_ sql: SQL) throws(SQLiteError) -> Statement {
    if !sql.isPlain { _ = try sql.textWithoutValues() }
    return try checkoutStatement(sql)
  }

  private func checkoutStatement(_ literal: StaticString) throws(SQLiteError) -> Statement {
    if let statement = cache.checkout(literal) { return statement }
    let statement = try checkoutStatement(text: literal.description)
    statement.cacheState.literal = LiteralAddress(literal)
    return statement
  }

  private func checkoutStatement(text: String) throws(SQLiteError) -> Statement {
    if let statement = cache.checkout(text) { return statement }
    return try compile(text)
  }

  /// Takes a statement with its values bound. ``checkinStatement(_:)`` returns it to the cache.
  @inlinable
  func checkoutStatement<each Value: SQLiteBindable>(
    _ sql: SQL, _ values: repeat each Value
  ) throws(SQLiteError) -> Statement {
    guard sql.isPlain else {
      var list: [any SQLiteBindable] = []
      repeat list.append(each values)
      return try checkoutStatement(sql, values: list)
    }
    let statement = try checkoutStatement(sql)
    do throws(SQLiteError) {
      try statement.bindAll(repeat each values)
    } catch {
      checkinStatement(statement)
      throw error
    }
    return statement
  }

  /// Takes a statement with its values bound. ``checkinStatement(_:)`` returns it to the cache.
  @usableFromInline
  func checkoutStatement(
    _ sql: SQL, values: [any SQLiteBindable]
  ) throws(SQLiteError) -> Statement {
    let statement = try checkoutStatement(sql)
    do throws(SQLiteError) {
      try statement.bindAll(sql.isPlain ? values : sql.resolved(with: values).values)
    } catch {
      checkinStatement(statement)
      throw error
    }
    return statement
  }

  @usableFromInline
  func checkinStatement(_ statement: Statement) { cache.checkin(statement) }

  /// Returns whether only white space and comments follow, for which SQLite compiles no statement.
  private func isBlank(_ text: SQLText, from start: Int) -> Bool {
    if text.isSpace(from: start) { return true }
    // The rest may be comments, for which SQLite compiles no statement. Anything else compiles or fails.
    guard let prepared = try? handle.prepare(text, from: start, persistent: false),
      prepared.statement == nil
    else { return false }
    return prepared.length == 0 || isBlank(text, from: start + prepared.length)
  }
}

extension Connection {
  /// Returns an `INSERT` statement. The SQL is cached by table, which avoids composing it again before the statement
  /// cache is searched.
  func insertSQL(for columns: [String], into table: String) -> String {
    // Names that are equal in Swift can be different in SQL.
    if let cached = cachedInsertSQL[table], cached.table.hasSameBytes(as: table),
      cached.columns.count == columns.count,
      zip(cached.columns, columns).allSatisfy({ $0.hasSameBytes(as: $1) })
    {
      return cached.sql
    }
    let name = SQLName.quoted(table)
    let names = columns.map(SQLName.quoted).joined(separator: ", ")
    let parameters = columns.map { _ in "?" }.joined(separator: ", ")
    let sql =
      columns.isEmpty
      ? "INSERT INTO \(name) DEFAULT VALUES"
      : "INSERT INTO \(name) (\(names)) VALUES (\(parameters))"
    cachedInsertSQL[table] = (table, columns, sql)
    return sql
  }
}
