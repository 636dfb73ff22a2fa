/// Reading rows, with the values of the parameters by their names.
///
/// A name is given as the statement spells it, or without its `:`, `@` or `$`. All of them throw
/// ``SQLiteError`` with code ``SQLiteError/Code/unknownParameter`` for a name that the statement lacks, and
/// with ``SQLiteError/Code/parameterCount`` where a parameter has no value, before anything is run.
extension Connection {
  /// Reads every row as a value.
  ///
  /// ```swift
  /// let team = try connection.fetchAll(
  ///   Player.self, "SELECT id, name FROM player WHERE team = :team AND score > :least",
  ///   named: ["team": 3, "least": 100])
  /// ```
  ///
  /// - Throws: ``SQLiteError`` with code ``SQLiteError/Code/unknownParameter`` or
  ///   ``SQLiteError/Code/parameterCount``; as ``fetchAll(_:_:values:)``. No row is not an error.
  public func fetchAll<Value: RowDecodable>(
    _ type: Value.Type, _ sql: String, named values: [String: any SQLiteBindable]
  ) throws(SQLiteError) -> [Value] {
    try reading(sql, named: values) { (statement) throws(SQLiteError) in
      try statement.remainingRows()
    }
  }

  /// Reads the first row as a value; `nil` where there is no row.
  ///
  /// - Throws: As ``fetchAll(_:_:named:)``.
  public func fetchOne<Value: RowDecodable>(
    _ type: Value.Type, _ sql: String, named values: [String: any SQLiteBindable]
  ) throws(SQLiteError) -> Value? {
    try reading(sql, named: values) { (statement) throws(SQLiteError) in try statement.firstRow() }
  }

  /// The first column of the first row; `nil` where there is no row.
  ///
  /// For a value that may be NULL, `type` is an optional, and so is the answer twice.
  ///
  /// - Throws: As ``fetchAll(_:_:named:)``.
  public func value<Value: SQLiteReadable>(
    _ type: Value.Type, _ sql: String, named values: [String: any SQLiteBindable]
  ) throws(SQLiteError) -> Value? {
    try reading(sql, named: values) { (statement) throws(SQLiteError) in
      try statement.firstValue()
    }
  }

  /// The first column of every row.
  ///
  /// - Throws: As ``fetchAll(_:_:named:)``.
  public func values<Value: SQLiteReadable>(
    _ type: Value.Type, _ sql: String, named values: [String: any SQLiteBindable]
  ) throws(SQLiteError) -> [Value] {
    try reading(sql, named: values) { (statement) throws(SQLiteError) in
      try statement.remainingValues()
    }
  }

  /// Every row with every value, whatever they are.
  ///
  /// - Throws: As ``fetchAll(_:_:named:)``.
  public func rows(
    _ sql: String, named values: [String: any SQLiteBindable]
  ) throws(SQLiteError) -> [[SQLiteValue]] {
    try reading(sql, named: values) { (statement) throws(SQLiteError) in
      var result: [[SQLiteValue]] = []
      while try statement.step() { result.append(try statement.row.values) }
      return result
    }
  }

  /// Hands each row to `body`, as it is read.
  ///
  /// - Throws: What `body` throws, which ends it; as ``fetchAll(_:_:named:)``.
  public func forEach(
    _ sql: String, named values: [String: any SQLiteBindable],
    body: (borrowing Row) throws -> Void
  ) throws {
    try withStatement(sql) { statement in
      try statement.bindAll(named: values)
      while try statement.step() { try body(statement.row) }
    }
  }

  private func reading<Result>(
    _ sql: String, named values: [String: any SQLiteBindable],
    _ body: (Statement) throws(SQLiteError) -> Result
  ) throws(SQLiteError) -> Result {
    let statement = try takeStatement(sql)
    defer { putBack(statement) }
    try statement.bindAll(named: values)
    return try body(statement)
  }
}
