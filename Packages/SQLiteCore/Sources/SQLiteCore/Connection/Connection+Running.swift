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
}
