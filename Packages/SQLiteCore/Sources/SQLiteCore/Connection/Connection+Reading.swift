/// Reading rows, with the values of the parameters one by one.
extension Connection {
  /// Reads every row as a value.
  ///
  /// ```swift
  /// let players = try connection.fetchAll(Player.self, "SELECT id, name FROM player")
  /// ```
  @inlinable
  public func fetchAll<Value: RowDecodable, each Argument: SQLiteBindable>(
    _ type: Value.Type, _ sql: String, _ arguments: repeat each Argument
  ) throws(SQLiteError) -> [Value] {
    let statement = try takeStatement(sql)
    defer { putBack(statement) }
    try statement.bindAll(repeat each arguments)
    return try statement.remainingRows()
  }

  /// Reads the first row as a value; `nil` where there is no row.
  @inlinable
  public func fetchOne<Value: RowDecodable, each Argument: SQLiteBindable>(
    _ type: Value.Type, _ sql: String, _ arguments: repeat each Argument
  ) throws(SQLiteError) -> Value? {
    let statement = try takeStatement(sql)
    defer { putBack(statement) }
    try statement.bindAll(repeat each arguments)
    return try statement.firstRow()
  }

  /// Hands each row to `body`, as it is read.
  @inlinable
  public func forEach<each Argument: SQLiteBindable>(
    _ sql: String, _ arguments: repeat each Argument, body: (borrowing Row) throws -> Void
  ) throws {
    let statement = try takeStatement(sql)
    defer { putBack(statement) }
    try statement.bindAll(repeat each arguments)
    while try statement.step() { try body(statement.row) }
  }

  /// The first column of the first row; `nil` where there is no row.
  ///
  /// For a value that may be NULL, `type` is an optional, and so is the answer twice.
  @inlinable
  public func value<Value: SQLiteReadable, each Argument: SQLiteBindable>(
    _ type: Value.Type, _ sql: String, _ arguments: repeat each Argument
  ) throws(SQLiteError) -> Value? {
    let statement = try takeStatement(sql)
    defer { putBack(statement) }
    try statement.bindAll(repeat each arguments)
    return try statement.firstValue()
  }

  /// The first column of every row.
  @inlinable
  public func values<Value: SQLiteReadable, each Argument: SQLiteBindable>(
    _ type: Value.Type, _ sql: String, _ arguments: repeat each Argument
  ) throws(SQLiteError) -> [Value] {
    let statement = try takeStatement(sql)
    defer { putBack(statement) }
    try statement.bindAll(repeat each arguments)
    return try statement.remainingValues()
  }
}

/// Reading rows, with as many values as a list holds.
extension Connection {
  /// Reads every row as a value.
  public func fetchAll<Value: RowDecodable>(
    _ type: Value.Type, _ sql: String, values: [any SQLiteBindable]
  ) throws(SQLiteError) -> [Value] {
    let statement = try takeStatement(sql)
    defer { putBack(statement) }
    try statement.bindAll(values)
    return try statement.remainingRows()
  }

  /// Reads the first row as a value; `nil` where there is no row.
  public func fetchOne<Value: RowDecodable>(
    _ type: Value.Type, _ sql: String, values: [any SQLiteBindable]
  ) throws(SQLiteError) -> Value? {
    let statement = try takeStatement(sql)
    defer { putBack(statement) }
    try statement.bindAll(values)
    return try statement.firstRow()
  }

  /// The first column of the first row; `nil` where there is no row.
  public func value<Value: SQLiteReadable>(
    _ type: Value.Type, _ sql: String, values: [any SQLiteBindable]
  ) throws(SQLiteError) -> Value? {
    let statement = try takeStatement(sql)
    defer { putBack(statement) }
    try statement.bindAll(values)
    return try statement.firstValue()
  }

  /// The first column of every row.
  public func values<Value: SQLiteReadable>(
    _ type: Value.Type, _ sql: String, values: [any SQLiteBindable]
  ) throws(SQLiteError) -> [Value] {
    let statement = try takeStatement(sql)
    defer { putBack(statement) }
    try statement.bindAll(values)
    return try statement.remainingValues()
  }

  /// Every row with every value, whatever they are.
  public func rows(
    _ sql: String, values: [any SQLiteBindable] = []
  ) throws(SQLiteError) -> [[SQLiteValue]] {
    let statement = try takeStatement(sql)
    defer { putBack(statement) }
    try statement.bindAll(values)
    var result: [[SQLiteValue]] = []
    while try statement.step() { result.append(try statement.row.values) }
    return result
  }
}

/// What the functions above have in common, once the values are bound.
extension Statement {
  @inlinable
  func remainingRows<Value: RowDecodable>() throws(SQLiteError) -> [Value] {
    var result: [Value] = []
    result.reserveCapacity(lastRowCount)
    while try step() { result.append(try Value(row: row)) }
    lastRowCount = result.count
    return result
  }

  @inlinable
  func remainingValues<Value: SQLiteReadable>() throws(SQLiteError) -> [Value] {
    var result: [Value] = []
    while try step() { result.append(try row.read(Value.self, at: 0)) }
    return result
  }

  @inlinable
  func firstRow<Value: RowDecodable>() throws(SQLiteError) -> Value? {
    guard try step() else { return nil }
    let value = try Value(row: row)
    try finishWriting()
    return value
  }

  @inlinable
  func firstValue<Value: SQLiteReadable>() throws(SQLiteError) -> Value? {
    guard try step() else { return nil }
    let value = try row.read(Value.self, at: 0)
    try finishWriting()
    return value
  }
}
