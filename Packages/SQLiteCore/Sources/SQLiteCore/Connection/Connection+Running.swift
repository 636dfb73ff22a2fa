/// What running a statement came to.
public struct Changes: Hashable, Sendable {
  /// The number of rows that the statement itself inserted, updated or deleted.
  public let count: Int
  /// The key of the row that the connection inserted last.
  public let lastInsertedRowID: RowID
}

extension Connection {
  /// Runs one statement for its effect.
  ///
  /// ```swift
  /// try connection.run("UPDATE player SET score = score + ? WHERE id = ?", 10, 42)
  /// ```
  ///
  /// - Returns: How many rows it changed. Rows that it gives are left.
  @discardableResult
  @inlinable
  public func run<each Value: SQLiteBindable>(
    _ sql: String, _ values: repeat each Value
  ) throws(SQLiteError) -> Changes {
    let statement = try takeStatement(sql)
    defer { putBack(statement) }
    try statement.bindAll(repeat each values)
    return try finish(statement)
  }

  /// Runs one statement for its effect, with as many values as a list holds.
  @discardableResult
  public func run(_ sql: String, values: [any SQLiteBindable]) throws(SQLiteError) -> Changes {
    let statement = try takeStatement(sql)
    defer { putBack(statement) }
    try statement.bindAll(values)
    return try finish(statement)
  }

  /// Runs one statement for its effect, with its values by name.
  @discardableResult
  public func run(
    _ sql: String, named values: [String: any SQLiteBindable]
  ) throws(SQLiteError) -> Changes {
    let statement = try takeStatement(sql)
    defer { putBack(statement) }
    try statement.bindAll(named: values)
    return try finish(statement)
  }

  @usableFromInline
  func finish(_ statement: Statement) throws(SQLiteError) -> Changes {
    let before = handle.totalChangeCount
    try statement.run()
    // The engine's count is the last writing statement's, which this one may not be.
    let didChange = handle.totalChangeCount != before
    return Changes(
      count: didChange ? Int(handle.changeCount) : 0, lastInsertedRowID: lastInsertedRowID)
  }

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
    var result: [Value] = []
    result.reserveCapacity(statement.lastRowCount)
    while try statement.step() { result.append(try Value(row: statement.row)) }
    statement.lastRowCount = result.count
    return result
  }

  /// Reads the first row as a value; `nil` where there is no row.
  @inlinable
  public func fetchOne<Value: RowDecodable, each Argument: SQLiteBindable>(
    _ type: Value.Type, _ sql: String, _ arguments: repeat each Argument
  ) throws(SQLiteError) -> Value? {
    let statement = try takeStatement(sql)
    defer { putBack(statement) }
    try statement.bindAll(repeat each arguments)
    guard try statement.step() else { return nil }
    let value = try Value(row: statement.row)
    try statement.finishWriting()
    return value
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
    guard try statement.step() else { return nil }
    let value = try statement.row.read(Value.self, at: 0)
    try statement.finishWriting()
    return value
  }

  /// The first column of every row.
  @inlinable
  public func values<Value: SQLiteReadable, each Argument: SQLiteBindable>(
    _ type: Value.Type, _ sql: String, _ arguments: repeat each Argument
  ) throws(SQLiteError) -> [Value] {
    let statement = try takeStatement(sql)
    defer { putBack(statement) }
    try statement.bindAll(repeat each arguments)
    var result: [Value] = []
    while try statement.step() { result.append(try statement.row.read(Value.self, at: 0)) }
    return result
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
