/// Methods that read rows, with parameter values as variadic arguments.
extension Connection {
  /// Reads every row as a value.
  ///
  /// ```swift
  /// let players = try connection.fetchAll(Player.self, "SELECT id, name FROM player")
  /// ```
  ///
  /// - Throws: The errors of ``prepare(_:)``; ``SQLiteError`` with code ``SQLiteError/Code/parameterCount`` if the
  ///   numbers of values and parameters differ, or with the error of the running statement; any error that `Value`
  ///   throws for a row that it can't read. An empty result is not an error.
  @inlinable
  public func fetchAll<Value: RowDecodable, each Argument: SQLiteBindable>(
    _ type: Value.Type, _ sql: SQL, _ arguments: repeat each Argument
  ) throws -> [Value] {
    let statement = try checkoutStatement(sql, repeat each arguments)
    defer { checkinStatement(statement) }
    return try statement.remainingRows()
  }

  /// Reads the first row as a value, or returns `nil` if there is no row.
  ///
  /// - Throws: The same errors as ``fetchAll(_:_:_:)``. An empty result and several rows are not errors.
  @inlinable
  public func fetchOne<Value: RowDecodable, each Argument: SQLiteBindable>(
    _ type: Value.Type, _ sql: SQL, _ arguments: repeat each Argument
  ) throws -> Value? {
    let statement = try checkoutStatement(sql, repeat each arguments)
    defer { checkinStatement(statement) }
    return try statement.firstRow()
  }

  /// Passes each row to `body` while it is current.
  ///
  /// - Throws: Any error that `body` throws, which ends the iteration; the errors of ``fetchAll(_:_:_:)``.
  @inlinable
  public func forEach<each Argument: SQLiteBindable>(
    _ sql: SQL, _ arguments: repeat each Argument, body: (borrowing Row) throws -> Void
  ) throws {
    let statement = try checkoutStatement(sql, repeat each arguments)
    defer { checkinStatement(statement) }
    while try statement.step() { try body(statement.currentRow) }
  }

  /// Reads the first column of the first row, or returns `nil` if there is no row.
  ///
  /// For a nullable column, pass an optional type. The result is then a double optional.
  ///
  /// - Throws: The same errors as ``fetchAll(_:_:_:)``; ``SQLiteError`` with code
  ///   ``SQLiteError/Code/columnTypeMismatch``, ``SQLiteError/Code/unexpectedNull`` or
  ///   ``SQLiteError/Code/valueOutOfRange`` if the value does not fit `type`. An empty result is not an error.
  @inlinable
  public func value<Value: SQLiteReadable, each Argument: SQLiteBindable>(
    _ type: Value.Type, _ sql: SQL, _ arguments: repeat each Argument
  ) throws(SQLiteError) -> Value? {
    let statement = try checkoutStatement(sql, repeat each arguments)
    defer { checkinStatement(statement) }
    return try statement.firstValue()
  }

  /// Reads the first column of every row.
  ///
  /// - Throws: The same errors as ``value(_:_:_:)``.
  @inlinable
  public func values<Value: SQLiteReadable, each Argument: SQLiteBindable>(
    _ type: Value.Type, _ sql: SQL, _ arguments: repeat each Argument
  ) throws(SQLiteError) -> [Value] {
    let statement = try checkoutStatement(sql, repeat each arguments)
    defer { checkinStatement(statement) }
    return try statement.remainingValues()
  }
}

extension Connection {
  /// Runs `body` with an object as the ``Row/context`` of every row that it reads, for initializers that need
  /// information in addition to the row.
  ///
  /// ```swift
  /// struct Player: RowDecodable {
  ///   let name: String
  ///   let team: Team?
  ///   init(row: borrowing Row) throws(SQLiteError) {
  ///     name = try row.read(at: 0)
  ///     team = (row.context as? Teams)?.team(of: name)
  ///   }
  /// }
  /// let players = try connection.withRowContext(teams) {
  ///   try connection.fetchAll(Player.self, "SELECT name FROM player")
  /// }
  /// ```
  ///
  /// In nested calls, the innermost object is used.
  ///
  /// - Parameters:
  ///   - context: The context object, or `nil` for none.
  ///   - body: A closure that reads rows of this connection.
  /// - Throws: Any error that `body` throws.
  public func withRowContext<Result>(
    _ context: AnyObject?, _ body: () throws -> Result
  ) rethrows -> Result {
    handle.preconditionAccess()
    let outer = handle.rowContext
    handle.rowContext = context
    defer { handle.rowContext = outer }
    return try body()
  }
}

/// Methods that read rows, with parameter values as an array.
extension Connection {
  /// Reads every row as a value.
  ///
  /// - Throws: The same errors as ``fetchAll(_:_:_:)``.
  @inlinable
  public func fetchAll<Value: RowDecodable>(
    _ type: Value.Type, _ sql: SQL, values: [any SQLiteBindable]
  ) throws -> [Value] {
    let statement = try checkoutStatement(sql, values: values)
    defer { checkinStatement(statement) }
    return try statement.remainingRows()
  }

  /// Passes each row to `body` while it is current.
  ///
  /// - Throws: The same errors as ``forEach(_:_:body:)``.
  @inlinable
  public func forEach(
    _ sql: SQL, values: [any SQLiteBindable], body: (borrowing Row) throws -> Void
  ) throws {
    let statement = try checkoutStatement(sql, values: values)
    defer { checkinStatement(statement) }
    while try statement.step() { try body(statement.currentRow) }
  }

  /// Passes each row to `body` as a value, together with the row itself, which may have other columns.
  ///
  /// ```swift
  /// try connection.forEachRow(Player.self, "SELECT player.*, team FROM player", values: []) { player, row in
  ///   teams[try row.read(Int.self, at: 2), default: []].append(player)
  /// }
  /// ```
  ///
  /// - Throws: Any error that `body` throws, which ends the iteration; the errors of ``fetchAll(_:_:_:)``.
  @inlinable
  public func forEachRow<Value: RowDecodable>(
    _ type: Value.Type, _ sql: SQL, values: [any SQLiteBindable],
    body: (consuming Value, borrowing Row) throws -> Void
  ) throws {
    let statement = try checkoutStatement(sql, values: values)
    defer { checkinStatement(statement) }
    while try statement.step() { try body(Value(row: statement.currentRow), statement.currentRow) }
  }

  /// Reads the first row as a value, or returns `nil` if there is no row.
  ///
  /// - Throws: The same errors as ``fetchAll(_:_:values:)``.
  public func fetchOne<Value: RowDecodable>(
    _ type: Value.Type, _ sql: SQL, values: [any SQLiteBindable]
  ) throws -> Value? {
    let statement = try checkoutStatement(sql, values: values)
    defer { checkinStatement(statement) }
    return try statement.firstRow()
  }

  /// Reads the first column of the first row, or returns `nil` if there is no row.
  ///
  /// - Throws: The same errors as ``value(_:_:_:)``.
  public func value<Value: SQLiteReadable>(
    _ type: Value.Type, _ sql: SQL, values: [any SQLiteBindable]
  ) throws(SQLiteError) -> Value? {
    let statement = try checkoutStatement(sql, values: values)
    defer { checkinStatement(statement) }
    return try statement.firstValue()
  }

  /// Reads the first column of every row.
  ///
  /// - Throws: The same errors as ``value(_:_:values:)``.
  public func values<Value: SQLiteReadable>(
    _ type: Value.Type, _ sql: SQL, values: [any SQLiteBindable]
  ) throws(SQLiteError) -> [Value] {
    let statement = try checkoutStatement(sql, values: values)
    defer { checkinStatement(statement) }
    return try statement.remainingValues()
  }

  /// Reads every row with all its values, of any type.
  ///
  /// - Throws: The same errors as ``fetchAll(_:_:values:)``; ``SQLiteError`` with code ``SQLiteError/Code/invalidText``
  ///   if a text is not valid UTF-8.
  public func rows(
    _ sql: SQL, values: [any SQLiteBindable] = []
  ) throws(SQLiteError) -> [[SQLiteValue]] {
    let statement = try checkoutStatement(sql, values: values)
    defer { checkinStatement(statement) }
    var result: [[SQLiteValue]] = []
    while try statement.step() { result.append(try statement.row.values) }
    return result
  }
}

/// The common implementation of the methods above, after the values are bound.
extension Statement {
  @inlinable
  func remainingRows<Value: RowDecodable>() throws -> [Value] {
    try collectDecoded { try Value(row: currentRow) }
  }

  /// Decodes the remaining rows with `decode`. Errors that it throws are rethrown unchanged.
  @inlinable @inline(__always)
  func collectDecoded<Value>(_ decode: () throws -> Value) throws -> [Value] {
    var failure: (any Error)?
    do {
      return try collect { () throws(SQLiteError) in
        do {
          return try decode()
        } catch {
          failure = error
          throw SQLiteError.rowNotDecoded
        }
      }
    } catch {
      throw failure ?? error
    }
  }

  @inlinable
  func remainingValues<Value: SQLiteReadable>() throws(SQLiteError) -> [Value] {
    try collect { () throws(SQLiteError) in try Value(from: currentRow, at: 0) }
  }

  /// Collects the results of `make` for the remaining rows.
  @inlinable @inline(__always)
  func collect<Value>(
    _ make: () throws(SQLiteError) -> Value
  ) throws(SQLiteError) -> [Value] {
    var collected: [Value] = []
    if lastRowCount > 0 {
      // The number of rows is probably the same as the last time, and then no element is moved.
      let (elements, isFull) = try RowCollector<Value>.fill(lastRowCount, step, make)
      guard isFull, try step() else {
        let room = lastRowCount
        lastRowCount = elements.count
        // The array must not keep much unused capacity.
        return elements.count * 2 < room ? elements.map { $0 } : elements
      }
      collected = elements
      collected.append(try make())
    }
    var collector = RowCollector<Value>()
    while try step() { try collector.append(make) }
    if collected.isEmpty { collected = collector.finish() } else { collected += collector.finish() }
    lastRowCount = collected.count
    return collected
  }

  @inlinable
  func firstRow<Value: RowDecodable>() throws -> Value? {
    guard try step() else { return nil }
    let value = try Value(row: currentRow)
    try finishWriting()
    return value
  }

  @inlinable
  func firstValue<Value: SQLiteReadable>() throws(SQLiteError) -> Value? {
    guard try step() else { return nil }
    let value = try Value(from: currentRow, at: 0)
    try finishWriting()
    return value
  }
}
