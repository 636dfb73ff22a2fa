/// Reading rows, with the values of the parameters one by one.
extension Connection {
  /// Reads every row as a value.
  ///
  /// ```swift
  /// let players = try connection.fetchAll(Player.self, "SELECT id, name FROM player")
  /// ```
  ///
  /// - Throws: ``SQLiteError`` as ``prepare(_:)`` where the text is not one statement; with code
  ///   ``SQLiteError/Code/parameterCount`` where the numbers of values and parameters differ; with
  ///   what the statement fails with as it runs; what `Value` throws of a row that it can't read.
  ///   No row is not an error.
  @inlinable
  public func fetchAll<Value: RowDecodable, each Argument: SQLiteBindable>(
    _ type: Value.Type, _ sql: SQL, _ arguments: repeat each Argument
  ) throws -> [Value] {
    let statement = try takeStatement(sql, repeat each arguments)
    defer { putBack(statement) }
    return try statement.remainingRows()
  }

  /// Reads the first row as a value; `nil` where there is no row.
  ///
  /// - Throws: As ``fetchAll(_:_:_:)``. No row is not an error, nor are more rows
  ///   than one.
  @inlinable
  public func fetchOne<Value: RowDecodable, each Argument: SQLiteBindable>(
    _ type: Value.Type, _ sql: SQL, _ arguments: repeat each Argument
  ) throws -> Value? {
    let statement = try takeStatement(sql, repeat each arguments)
    defer { putBack(statement) }
    return try statement.firstRow()
  }

  /// Hands each row to `body`, as it is read.
  ///
  /// - Throws: What `body` throws, which ends it; ``SQLiteError`` as
  ///   ``fetchAll(_:_:_:)``.
  @inlinable
  public func forEach<each Argument: SQLiteBindable>(
    _ sql: SQL, _ arguments: repeat each Argument, body: (borrowing Row) throws -> Void
  ) throws {
    let statement = try takeStatement(sql, repeat each arguments)
    defer { putBack(statement) }
    while try statement.step() { try body(statement.currentRow) }
  }

  /// The first column of the first row; `nil` where there is no row.
  ///
  /// For a value that may be NULL, `type` is an optional, and so is the answer twice.
  ///
  /// - Throws: As ``fetchAll(_:_:_:)``; with code
  ///   ``SQLiteError/Code/columnTypeMismatch``, ``SQLiteError/Code/unexpectedNull`` or
  ///   ``SQLiteError/Code/valueOutOfRange`` where the value is none of `type`. No row is not an
  ///   error.
  @inlinable
  public func value<Value: SQLiteReadable, each Argument: SQLiteBindable>(
    _ type: Value.Type, _ sql: SQL, _ arguments: repeat each Argument
  ) throws(SQLiteError) -> Value? {
    let statement = try takeStatement(sql, repeat each arguments)
    defer { putBack(statement) }
    return try statement.firstValue()
  }

  /// The first column of every row.
  ///
  /// - Throws: As ``value(_:_:_:)``.
  @inlinable
  public func values<Value: SQLiteReadable, each Argument: SQLiteBindable>(
    _ type: Value.Type, _ sql: SQL, _ arguments: repeat each Argument
  ) throws(SQLiteError) -> [Value] {
    let statement = try takeStatement(sql, repeat each arguments)
    defer { putBack(statement) }
    return try statement.remainingValues()
  }
}

extension Connection {
  /// Runs `body`, and has each row that is read meanwhile carry an object as its ``Row/context``: for what an initializer
  /// of a row needs to know besides the row.
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
  /// Within another call it is that call's object that counts, and then the outer one's again.
  ///
  /// - Parameters:
  ///   - context: The object; `nil` for none.
  ///   - body: What reads rows of this connection.
  /// - Throws: What `body` throws.
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

/// Reading rows, with as many values as a list holds.
extension Connection {
  /// Reads every row as a value.
  ///
  /// - Throws: As ``fetchAll(_:_:_:)``.
  @inlinable
  public func fetchAll<Value: RowDecodable>(
    _ type: Value.Type, _ sql: SQL, values: [any SQLiteBindable]
  ) throws -> [Value] {
    let statement = try takeStatement(sql, values: values)
    defer { putBack(statement) }
    return try statement.remainingRows()
  }

  /// Hands each row to `body`, as it is read.
  ///
  /// - Throws: As ``forEach(_:_:body:)``.
  @inlinable
  public func forEach(
    _ sql: SQL, values: [any SQLiteBindable], body: (borrowing Row) throws -> Void
  ) throws {
    let statement = try takeStatement(sql, values: values)
    defer { putBack(statement) }
    while try statement.step() { try body(statement.currentRow) }
  }

  /// Hands each row to `body` as a value, with the row itself, which may have other columns beside those of the value.
  ///
  /// ```swift
  /// try connection.forEachRow(Player.self, "SELECT player.*, team FROM player", values: []) { player, row in
  ///   teams[try row.read(Int.self, at: 2), default: []].append(player)
  /// }
  /// ```
  ///
  /// - Throws: What `body` throws, which ends it; as ``fetchAll(_:_:_:)``.
  @inlinable
  public func forEachRow<Value: RowDecodable>(
    _ type: Value.Type, _ sql: SQL, values: [any SQLiteBindable],
    body: (consuming Value, borrowing Row) throws -> Void
  ) throws {
    let statement = try takeStatement(sql, values: values)
    defer { putBack(statement) }
    while try statement.step() { try body(Value(row: statement.currentRow), statement.currentRow) }
  }

  /// Reads the first row as a value; `nil` where there is no row.
  ///
  /// - Throws: As ``fetchAll(_:_:values:)``.
  public func fetchOne<Value: RowDecodable>(
    _ type: Value.Type, _ sql: SQL, values: [any SQLiteBindable]
  ) throws -> Value? {
    let statement = try takeStatement(sql, values: values)
    defer { putBack(statement) }
    return try statement.firstRow()
  }

  /// The first column of the first row; `nil` where there is no row.
  ///
  /// - Throws: As ``value(_:_:_:)``.
  public func value<Value: SQLiteReadable>(
    _ type: Value.Type, _ sql: SQL, values: [any SQLiteBindable]
  ) throws(SQLiteError) -> Value? {
    let statement = try takeStatement(sql, values: values)
    defer { putBack(statement) }
    return try statement.firstValue()
  }

  /// The first column of every row.
  ///
  /// - Throws: As ``value(_:_:values:)``.
  public func values<Value: SQLiteReadable>(
    _ type: Value.Type, _ sql: SQL, values: [any SQLiteBindable]
  ) throws(SQLiteError) -> [Value] {
    let statement = try takeStatement(sql, values: values)
    defer { putBack(statement) }
    return try statement.remainingValues()
  }

  /// Every row with every value, whatever they are.
  ///
  /// - Throws: As ``fetchAll(_:_:values:)``; with code ``SQLiteError/Code/invalidText`` where a
  ///   text is not UTF-8.
  public func rows(
    _ sql: SQL, values: [any SQLiteBindable] = []
  ) throws(SQLiteError) -> [[SQLiteValue]] {
    let statement = try takeStatement(sql, values: values)
    defer { putBack(statement) }
    var result: [[SQLiteValue]] = []
    while try statement.step() { result.append(try statement.row.values) }
    return result
  }
}

/// What the functions above have in common, once the values are bound.
extension Statement {
  @inlinable
  func remainingRows<Value: RowDecodable>() throws -> [Value] {
    try collectDecoded { try Value(row: currentRow) }
  }

  /// What `decode` makes of each row that is left. What it throws is passed on unchanged.
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

  /// What `make` makes of each row that is left.
  @inlinable @inline(__always)
  func collect<Value>(
    _ make: () throws(SQLiteError) -> Value
  ) throws(SQLiteError) -> [Value] {
    var collected: [Value] = []
    if lastRowCount > 0 {
      // As many as the last time, very likely, and then none is moved.
      let (elements, isFull) = try RowCollector<Value>.fill(lastRowCount, step, make)
      guard isFull, try step() else {
        let room = lastRowCount
        lastRowCount = elements.count
        // An array must not keep room for many more than it has.
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
