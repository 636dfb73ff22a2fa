/// Running statements whose values are interpolated: see ``SQL``.
///
/// All of them throw ``SQLiteError`` with code ``SQLiteError/Code/misplacedInterpolation`` or
/// ``SQLiteError/Code/parameterInText`` where the text can't be run with its values, before anything is
/// run.
extension Connection {
  /// Runs one statement for its effect.
  ///
  /// ```swift
  /// try connection.run(sql: "UPDATE player SET score = score + \(points) WHERE id = \(id)")
  /// ```
  ///
  /// - Returns: How many rows it changed. Rows that it gives are left.
  /// - Throws: ``SQLiteError`` with code ``SQLiteError/Code/misplacedInterpolation`` or
  ///   ``SQLiteError/Code/parameterInText``; as ``run(_:values:)``.
  @discardableResult
  public func run(sql: SQL) throws(SQLiteError) -> Changes {
    try run(sql.checkedText(), values: sql.values)
  }

  /// Reads every row as a value.
  ///
  /// ```swift
  /// let team = try connection.fetchAll(
  ///   Player.self, sql: "SELECT id, name FROM player WHERE team = \(team)")
  /// ```
  ///
  /// - Throws: ``SQLiteError`` with code ``SQLiteError/Code/misplacedInterpolation`` or
  ///   ``SQLiteError/Code/parameterInText``; as ``fetchAll(_:_:values:)``.
  public func fetchAll<Value: RowDecodable>(
    _ type: Value.Type, sql: SQL
  ) throws(SQLiteError) -> [Value] {
    try fetchAll(type, sql.checkedText(), values: sql.values)
  }

  /// Reads the first row as a value; `nil` where there is no row.
  ///
  /// - Throws: As ``fetchAll(_:sql:)``.
  public func fetchOne<Value: RowDecodable>(
    _ type: Value.Type, sql: SQL
  ) throws(SQLiteError) -> Value? {
    try fetchOne(type, sql.checkedText(), values: sql.values)
  }

  /// The first column of the first row; `nil` where there is no row.
  ///
  /// For a value that may be NULL, `type` is an optional, and so is the answer twice.
  ///
  /// - Throws: ``SQLiteError`` with code ``SQLiteError/Code/misplacedInterpolation`` or
  ///   ``SQLiteError/Code/parameterInText``; as ``value(_:_:values:)``.
  public func value<Value: SQLiteReadable>(
    _ type: Value.Type, sql: SQL
  ) throws(SQLiteError) -> Value? {
    try value(type, sql.checkedText(), values: sql.values)
  }

  /// The first column of every row.
  ///
  /// - Throws: As ``value(_:sql:)``.
  public func values<Value: SQLiteReadable>(
    _ type: Value.Type, sql: SQL
  ) throws(SQLiteError) -> [Value] {
    try values(type, sql.checkedText(), values: sql.values)
  }

  /// Every row with every value, whatever they are.
  ///
  /// - Throws: ``SQLiteError`` with code ``SQLiteError/Code/misplacedInterpolation`` or
  ///   ``SQLiteError/Code/parameterInText``; as ``rows(_:values:)``.
  public func rows(sql: SQL) throws(SQLiteError) -> [[SQLiteValue]] {
    try rows(sql.checkedText(), values: sql.values)
  }

  /// Hands each row to `body`, as it is read.
  ///
  /// - Throws: What `body` throws, which ends it; as ``rows(sql:)``.
  public func forEach(sql: SQL, body: (borrowing Row) throws -> Void) throws {
    try withStatement(sql: sql) { statement in
      while try statement.step() { try body(statement.row) }
    }
  }

  /// Compiles one statement, which is yours, and binds its values.
  ///
  /// - Throws: ``SQLiteError`` with code ``SQLiteError/Code/misplacedInterpolation`` or
  ///   ``SQLiteError/Code/parameterInText``; as ``prepare(_:)``.
  public func prepare(sql: SQL) throws(SQLiteError) -> Statement {
    let statement = try prepare(sql.checkedText())
    try statement.bindAll(sql.values)
    return statement
  }

  /// Runs `body` with a compiled statement out of the cache, before its first row, its values bound.
  ///
  /// ```swift
  /// let ids = try connection.withStatement(sql: "SELECT id FROM player WHERE team = \(team)") {
  ///   try $0.step() ? [$0.row.read(Int.self, at: 0)] : []
  /// }
  /// ```
  ///
  /// It is put back however `body` ends; don't keep it.
  ///
  /// - Throws: What `body` throws; ``SQLiteError`` as ``run(sql:)``.
  public func withStatement<Result>(
    sql: SQL, _ body: (Statement) throws -> Result
  ) throws -> Result {
    try withStatement(sql.checkedText()) { statement in
      try statement.bindAll(sql.values)
      return try body(statement)
    }
  }

  /// Runs several statements, one after another. Their rows are left.
  ///
  /// ```swift
  /// try connection.execute(
  ///   sql: "DELETE FROM tag WHERE name = \(old); INSERT INTO tag VALUES (\(new))")
  /// ```
  ///
  /// - Throws: ``SQLiteError`` with code ``SQLiteError/Code/misplacedInterpolation`` or
  ///   ``SQLiteError/Code/parameterInText``, before anything is run; of the first statement that fails, as
  ///   ``execute(_:values:)``.
  public func execute(sql: SQL) throws(SQLiteError) {
    try execute(sql.checkedText(), values: sql.values)
  }
}
