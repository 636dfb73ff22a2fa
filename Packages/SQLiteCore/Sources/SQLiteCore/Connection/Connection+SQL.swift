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
  public func fetchAll<Value: RowDecodable>(
    _ type: Value.Type, sql: SQL
  ) throws(SQLiteError) -> [Value] {
    try fetchAll(type, sql.checkedText(), values: sql.values)
  }

  /// Reads the first row as a value; `nil` where there is no row.
  public func fetchOne<Value: RowDecodable>(
    _ type: Value.Type, sql: SQL
  ) throws(SQLiteError) -> Value? {
    try fetchOne(type, sql.checkedText(), values: sql.values)
  }

  /// The first column of the first row; `nil` where there is no row.
  ///
  /// For a value that may be NULL, `type` is an optional, and so is the answer twice.
  public func value<Value: SQLiteReadable>(
    _ type: Value.Type, sql: SQL
  ) throws(SQLiteError) -> Value? {
    try value(type, sql.checkedText(), values: sql.values)
  }

  /// The first column of every row.
  public func values<Value: SQLiteReadable>(
    _ type: Value.Type, sql: SQL
  ) throws(SQLiteError) -> [Value] {
    try values(type, sql.checkedText(), values: sql.values)
  }

  /// Every row with every value, whatever they are.
  public func rows(sql: SQL) throws(SQLiteError) -> [[SQLiteValue]] {
    try rows(sql.checkedText(), values: sql.values)
  }

  /// Hands each row to `body`, as it is read.
  public func forEach(sql: SQL, body: (borrowing Row) throws -> Void) throws {
    try withStatement(sql.checkedText()) { statement in
      try statement.bindAll(sql.values)
      while try statement.step() { try body(statement.row) }
    }
  }

  /// Compiles one statement, which is yours, and binds its values.
  public func prepare(sql: SQL) throws(SQLiteError) -> Statement {
    let statement = try prepare(sql.checkedText())
    try statement.bindAll(sql.values)
    return statement
  }
}
