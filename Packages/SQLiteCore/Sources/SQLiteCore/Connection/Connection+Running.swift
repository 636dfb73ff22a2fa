extension Statement {
  /// What running a statement came to.
  public struct Changes: Hashable, Sendable {
    /// The number of rows that the statement itself inserted, updated or deleted.
    public let count: Int
    /// The key of the row that the connection inserted last.
    public let lastInsertedRowID: RowID

    @usableFromInline
    init(count: Int, lastInsertedRowID: RowID) {
      self.count = count
      self.lastInsertedRowID = lastInsertedRowID
    }
  }
}

extension Connection {
  /// Runs one statement for its effect.
  ///
  /// ```swift
  /// try connection.run("UPDATE player SET score = score + ? WHERE id = ?", 10, 42)
  /// ```
  ///
  /// - Returns: How many rows it changed. Rows that it gives are left.
  /// - Throws: ``SQLiteError`` as ``prepare(_:)`` where the text is not one statement; with code
  ///   ``SQLiteError/Code/parameterCount`` where the numbers of values and parameters differ; with
  ///   what the statement fails with: ``SQLiteError/Code/constraint`` and its kinds,
  ///   ``SQLiteError/Code/busy``, ``SQLiteError/Code/readOnly``, say. Changing no row is not an
  ///   error.
  @discardableResult
  @inlinable
  public func run<each Value: SQLiteBindable>(
    _ sql: SQL, _ values: repeat each Value
  ) throws(SQLiteError) -> Statement.Changes {
    let statement = try takeStatement(sql, repeat each values)
    defer { putBack(statement) }
    return try finish(statement)
  }

  /// Runs one statement for its effect, with the parts of a value.
  ///
  /// ```swift
  /// try connection.run("INSERT INTO player (id, name) VALUES (?, ?)", of: player)
  /// ```
  ///
  /// - Throws: As ``run(_:_:)``; what `value` throws as it is bound.
  @discardableResult
  @inlinable
  public func run<Value: RowEncodable & ~Copyable>(
    _ sql: SQL, of value: borrowing Value
  ) throws -> Statement.Changes {
    let statement = try takeStatementWithoutValues(sql)
    defer { putBack(statement) }
    try statement.bindAll(of: value)
    return try finish(statement)
  }

  /// Runs one statement for each of `values`, with its parts: the fastest way to insert many rows.
  ///
  /// In one transaction it is faster still, and all or nothing.
  ///
  /// ```swift
  /// try connection.transaction {
  ///   try connection.run("INSERT INTO player (id, name) VALUES (?, ?)", ofEach: players)
  /// }
  /// ```
  ///
  /// - Returns: How many rows were changed in all, and the key that was inserted last.
  /// - Throws: As ``run(_:of:)``, at the first value that fails. Those before it are written, unless a
  ///   transaction around it is rolled back.
  @discardableResult
  public func run<Value: RowEncodable>(
    _ sql: SQL, ofEach values: [Value]
  ) throws -> Statement.Changes {
    try run(sql, ofEach: ContiguousArray(values).span)
  }

  /// Runs one statement for each of `values`, with its parts.
  ///
  /// Not specialized for the type of the values, which are lent and never copied: a copy of a value
  /// counts a reference for each of its texts and blobs.
  ///
  /// - Throws: As ``run(_:_:)``; what `value` throws as it is bound.
  @discardableResult
  public func run<Value: RowEncodable & ~Copyable>(
    _ sql: SQL, ofEach values: Span<Value>
  ) throws -> Statement.Changes {
    let statement = try takeStatementWithoutValues(sql)
    defer { putBack(statement) }
    var count = 0
    for index in values.indices {
      try statement.bindAll(of: values[index])
      count += try changes(by: statement)
    }
    return Statement.Changes(count: count, lastInsertedRowID: lastInsertedRowID)
  }

  /// Runs one statement for its effect, with as many values as a list holds.
  ///
  /// - Throws: As ``run(_:_:)``.
  @discardableResult
  public func run(_ sql: SQL, values: [any SQLiteBindable]) throws(SQLiteError) -> Statement.Changes
  {
    let statement = try takeStatement(sql, values: values)
    defer { putBack(statement) }
    return try finish(statement)
  }

  @usableFromInline
  func finish(_ statement: Statement) throws(SQLiteError) -> Statement.Changes {
    Statement.Changes(count: try changes(by: statement), lastInsertedRowID: lastInsertedRowID)
  }

  /// How many rows the statement changes as it runs.
  private func changes(by statement: Statement) throws(SQLiteError) -> Int {
    let before = handle.totalChangeCount
    try statement.run()
    // The engine's count is the last writing statement's, which this one may not be.
    return handle.totalChangeCount != before ? Int(handle.changeCount) : 0
  }
}
