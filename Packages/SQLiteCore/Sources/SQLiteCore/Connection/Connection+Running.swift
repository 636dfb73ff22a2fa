extension Statement {
  /// The changes that a statement made.
  public struct Changes: Hashable, Sendable {
    /// The number of rows that the statement itself inserted, updated or deleted.
    public let count: Int
    /// The rowid of the connection's last inserted row.
    public let lastInsertedRowID: RowID

    @usableFromInline
    init(count: Int, lastInsertedRowID: RowID) {
      self.count = count
      self.lastInsertedRowID = lastInsertedRowID
    }
  }
}

extension Connection {
  /// Executes a single statement.
  ///
  /// ```swift
  /// try connection.run("UPDATE player SET score = score + ? WHERE id = ?", 10, 42)
  /// ```
  ///
  /// - Returns: The number of changed rows. Result rows are ignored.
  /// - Throws: The errors of ``prepare(_:)``; ``SQLiteError`` with code ``SQLiteError/Code/parameterCount`` if the
  ///   numbers of values and parameters differ, or with the error of the statement, such as
  ///   ``SQLiteError/Code/constraint`` and its subcodes, ``SQLiteError/Code/busy`` or ``SQLiteError/Code/readOnly``.
  ///   Changing no row is not an error.
  @discardableResult
  @inlinable
  public func run<each Value: SQLiteBindable>(
    _ sql: SQL, _ values: repeat each Value
  ) throws(SQLiteError) -> Statement.Changes {
    let statement = try checkoutStatement(sql, repeat each values)
    defer { checkinStatement(statement) }
    return try finish(statement)
  }

  /// Executes a single statement with a value's columns as its parameters.
  ///
  /// ```swift
  /// try connection.run("INSERT INTO player (id, name) VALUES (?, ?)", of: player)
  /// ```
  ///
  /// - Throws: The same errors as ``run(_:_:)``; any error that binding a value throws.
  @discardableResult
  @inlinable
  public func run<Value: RowEncodable & ~Copyable>(
    _ sql: SQL, of value: borrowing Value
  ) throws -> Statement.Changes {
    let statement = try checkoutStatementWithoutValues(sql)
    defer { checkinStatement(statement) }
    try statement.bindAll(of: value)
    return try finish(statement)
  }

  /// Executes a single statement for each of `values`, with the value's columns as parameters: the fastest way to
  /// insert many rows.
  ///
  /// Inside a transaction it is even faster, and atomic.
  ///
  /// ```swift
  /// try connection.transaction {
  ///   try connection.run("INSERT INTO player (id, name) VALUES (?, ?)", ofEach: players)
  /// }
  /// ```
  ///
  /// - Returns: The total number of changed rows, and the rowid of the last inserted row.
  /// - Throws: The errors of ``run(_:of:)`` for the first value that fails. The values before it are written, unless an
  ///   enclosing transaction is rolled back.
  @discardableResult
  public func run<Value: RowEncodable>(
    _ sql: SQL, ofEach values: [Value]
  ) throws -> Statement.Changes {
    try run(sql, ofEach: ContiguousArray(values).span)
  }

  /// Executes a single statement for each of `values`, with the value's columns as parameters.
  ///
  /// Not specialized for the type of the values, which are borrowed and not copied: copying a value retains each of its
  /// strings and blobs.
  ///
  /// - Throws: The same errors as ``run(_:_:)``; any error that binding a value throws.
  @discardableResult
  public func run<Value: RowEncodable & ~Copyable>(
    _ sql: SQL, ofEach values: Span<Value>
  ) throws -> Statement.Changes {
    let statement = try checkoutStatementWithoutValues(sql)
    defer { checkinStatement(statement) }
    var count = 0
    for index in values.indices {
      try statement.bindAll(of: values[index])
      count += try changes(by: statement)
    }
    return Statement.Changes(count: count, lastInsertedRowID: lastInsertedRowID)
  }

  /// Executes a single statement, with parameter values as an array.
  ///
  /// - Throws: The same errors as ``run(_:_:)``.
  @discardableResult
  public func run(_ sql: SQL, values: [any SQLiteBindable]) throws(SQLiteError) -> Statement.Changes
  {
    let statement = try checkoutStatement(sql, values: values)
    defer { checkinStatement(statement) }
    return try finish(statement)
  }

  @usableFromInline
  func finish(_ statement: Statement) throws(SQLiteError) -> Statement.Changes {
    Statement.Changes(count: try changes(by: statement), lastInsertedRowID: lastInsertedRowID)
  }

  /// Runs the statement and returns the number of rows that it changed.
  private func changes(by statement: Statement) throws(SQLiteError) -> Int {
    let before = handle.totalChangeCount
    try statement.run()
    // SQLite counts for the last statement that wrote, which may be another one.
    return handle.totalChangeCount != before ? Int(handle.changeCount) : 0
  }
}
