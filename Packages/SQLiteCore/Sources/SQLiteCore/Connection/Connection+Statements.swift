extension Connection {
  /// Compiles one statement, which is yours: to run it often, or to step through its rows.
  ///
  /// Values that are interpolated are bound.
  ///
  /// - Throws: ``SQLiteError`` if the text does not compile, with the offset of the fault; with code
  ///   ``SQLiteError/Code/trailingSQL`` if a second statement follows, with
  ///   ``SQLiteError/Code/emptyStatement`` if there is none; with code
  ///   ``SQLiteError/Code/misplacedInterpolation`` for an interpolation inside quotes or a comment.
  public func prepare(_ sql: SQL) throws(SQLiteError) -> Statement {
    if sql.isPlain { return try compile(sql.text) }
    // Parameters of the text's own are bound later, by whoever prepares the statement.
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
      throw SQLiteError(code: .emptyStatement, message: "the text holds no statement", sql: sql)
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

  /// Runs `body` with a compiled statement out of the cache, before its first row.
  ///
  /// Values that are interpolated are bound. The statement is put back however `body` ends; don't keep it.
  ///
  /// ```swift
  /// let ids = try connection.withStatement("SELECT id FROM player WHERE team = \(team)") {
  ///   try $0.step() ? [$0.row.read(Int.self, at: 0)] : []
  /// }
  /// ```
  ///
  /// - Complexity: As ``prepare(_:)`` the first time, a dictionary lookup later.
  /// - Throws: What `body` throws; ``SQLiteError`` as ``prepare(_:)``.
  public func withStatement<Result>(
    _ sql: SQL, _ body: (Statement) throws -> Result
  ) throws -> Result {
    let statement = try sql.hasValues ? takeStatement(sql, values: []) : takeStatement(sql)
    defer { putBack(statement) }
    return try body(statement)
  }

  /// Runs `body` with a compiled statement out of the cache, before its first row, with all its values bound.
  ///
  /// - Parameters:
  ///   - sql: One statement.
  ///   - values: The values of the parameters that the text has of its own.
  ///   - body: Runs the statement or reads its rows. Don't keep the statement.
  /// - Throws: As ``withStatement(_:_:)``; ``SQLiteError`` with code ``SQLiteError/Code/parameterCount`` if
  ///   the numbers of values and parameters differ.
  public func withStatement<Result>(
    _ sql: SQL, values: [any SQLiteBindable], _ body: (Statement) throws -> Result
  ) throws -> Result {
    let statement = try takeStatement(sql, values: values)
    defer { putBack(statement) }
    return try body(statement)
  }

  /// How often a statement was found compiled.
  public var statementCacheStatistics: StatementCacheStatistics {
    handle.preconditionAccess()
    return cache.statistics
  }

  /// Takes a statement out of the cache, or compiles it, without binding any value.
  @usableFromInline
  func takeStatement(_ sql: SQL) throws(SQLiteError) -> Statement {
    if !handle.isAccessible { throw handle.accessEnded(sql: sql.text) }
    switch sql.storage {
    case .literal(let literal): return try takeStatement(literal)
    case .text(let text): return try takeStatement(text: text)
    case .composed: return try takeStatement(text: sql.checkedText())
    }
  }

  /// Takes a statement for SQL that must have no interpolated value.
  @usableFromInline
  func takeStatementWithoutValues(_ sql: SQL) throws(SQLiteError) -> Statement {
    if !sql.isPlain { _ = try sql.textWithoutValues() }
    return try takeStatement(sql)
  }

  private func takeStatement(_ literal: StaticString) throws(SQLiteError) -> Statement {
    if let statement = cache.take(literal) { return statement }
    let statement = try takeStatement(text: literal.description)
    statement.cacheState.literal = LiteralAddress(literal)
    return statement
  }

  private func takeStatement(text: String) throws(SQLiteError) -> Statement {
    if let statement = cache.take(text) { return statement }
    return try compile(text)
  }

  /// Takes a statement with its values bound, which ``putBack(_:)`` returns to the cache.
  @inlinable
  func takeStatement<each Value: SQLiteBindable>(
    _ sql: SQL, _ values: repeat each Value
  ) throws(SQLiteError) -> Statement {
    guard sql.isPlain else {
      var list: [any SQLiteBindable] = []
      repeat list.append(each values)
      return try takeStatement(sql, values: list)
    }
    let statement = try takeStatement(sql)
    do throws(SQLiteError) {
      try statement.bindAll(repeat each values)
    } catch {
      putBack(statement)
      throw error
    }
    return statement
  }

  /// Takes a statement with its values bound, which ``putBack(_:)`` returns to the cache.
  @usableFromInline
  func takeStatement(
    _ sql: SQL, values: [any SQLiteBindable]
  ) throws(SQLiteError) -> Statement {
    let statement = try takeStatement(sql)
    do throws(SQLiteError) {
      try statement.bindAll(sql.isPlain ? values : sql.resolved(with: values).values)
    } catch {
      putBack(statement)
      throw error
    }
    return statement
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

/// The texts of statements that insert rows: one for each table and list of columns, so that the
/// statement is found compiled without its text being made again.
final class InsertTexts {
  private var known: [String: (table: String, columns: [String], sql: String)] = [:]

  func sql(for columns: [String], into table: String) -> String {
    // Names that Swift holds equal may be two to SQL.
    if let known = known[table], known.table.hasSameBytes(as: table),
      known.columns.count == columns.count,
      zip(known.columns, columns).allSatisfy({ $0.hasSameBytes(as: $1) })
    {
      return known.sql
    }
    let name = SQLName.quoted(table)
    let names = columns.map(SQLName.quoted).joined(separator: ", ")
    let values = columns.map { _ in "?" }.joined(separator: ", ")
    let sql =
      columns.isEmpty
      ? "INSERT INTO \(name) DEFAULT VALUES" : "INSERT INTO \(name) (\(names)) VALUES (\(values))"
    known[table] = (table, columns, sql)
    return sql
  }
}
