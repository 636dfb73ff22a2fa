/// Reading rows as values that are `Decodable`, with the values of the parameters one by one.
extension Connection {
  /// Reads every row as a value, a column for each key.
  ///
  /// ```swift
  /// let players = try connection.fetchAll(
  ///   decoding: Player.self, "SELECT * FROM player WHERE score > ?", 100)
  /// ```
  ///
  /// - Parameters:
  ///   - type: The type of the values.
  ///   - decoder: How rows become values: see ``RowDecoder`` for the rules.
  ///   - sql: One statement.
  ///   - arguments: The values of its parameters, in their order.
  /// - Throws: ``SQLiteError`` where the statement does not compile or fails; with code
  ///   ``SQLiteError/Code/parameterCount`` where the numbers of values and parameters differ, with
  ///   ``SQLiteError/Code/unknownColumn``, ``SQLiteError/Code/columnTypeMismatch`` or
  ///   ``SQLiteError/Code/unexpectedNull`` where the columns do not suit the type; what `Value` itself
  ///   throws. No row is not an error.
  @inlinable
  public func fetchAll<Value: Decodable, each Argument: SQLiteBindable>(
    decoding type: Value.Type, with decoder: RowDecoder = RowDecoder(), _ sql: SQL,
    _ arguments: repeat each Argument
  ) throws -> [Value] {
    let statement = try takeStatement(sql, repeat each arguments)
    defer { putBack(statement) }
    return try statement.remainingRows(decoding: type, with: decoder)
  }

  /// Reads the first row as a value; `nil` where there is no row.
  ///
  /// - Throws: As ``fetchAll(decoding:with:_:_:)``.
  @inlinable
  public func fetchOne<Value: Decodable, each Argument: SQLiteBindable>(
    decoding type: Value.Type, with decoder: RowDecoder = RowDecoder(), _ sql: SQL,
    _ arguments: repeat each Argument
  ) throws -> Value? {
    let statement = try takeStatement(sql, repeat each arguments)
    defer { putBack(statement) }
    return try statement.firstRow(decoding: type, with: decoder)
  }

  /// Hands each row to `body` as a value, as it is read.
  ///
  /// - Throws: What `body` throws, which ends it; as ``fetchAll(decoding:with:_:_:)``.
  @inlinable
  public func forEach<Value: Decodable, each Argument: SQLiteBindable>(
    decoding type: Value.Type, with decoder: RowDecoder = RowDecoder(), _ sql: SQL,
    _ arguments: repeat each Argument, body: (Value) throws -> Void
  ) throws {
    let statement = try takeStatement(sql, repeat each arguments)
    defer { putBack(statement) }
    guard try statement.step() else { return }
    var fetch = DecodingFetch(statement.row, type, decoder)
    defer { fetch.end() }
    repeat { try body(fetch.value(type)) } while try statement.step()
  }
}

/// Reading rows as values that are `Decodable`, with as many values as a list holds.
extension Connection {
  /// Reads every row as a value, a column for each key.
  ///
  /// - Throws: As ``fetchAll(decoding:with:_:_:)``.
  public func fetchAll<Value: Decodable>(
    decoding type: Value.Type, with decoder: RowDecoder = RowDecoder(), _ sql: SQL,
    values: [any SQLiteBindable]
  ) throws -> [Value] {
    let statement = try takeStatement(sql, values: values)
    defer { putBack(statement) }
    return try statement.remainingRows(decoding: type, with: decoder)
  }

  /// Reads the first row as a value; `nil` where there is no row.
  ///
  /// - Throws: As ``fetchAll(decoding:with:_:_:)``.
  public func fetchOne<Value: Decodable>(
    decoding type: Value.Type, with decoder: RowDecoder = RowDecoder(), _ sql: SQL,
    values: [any SQLiteBindable]
  ) throws -> Value? {
    let statement = try takeStatement(sql, values: values)
    defer { putBack(statement) }
    return try statement.firstRow(decoding: type, with: decoder)
  }

  /// Hands each row to `body` as a value, as it is read.
  ///
  /// - Throws: What `body` throws, which ends it; as ``fetchAll(decoding:with:_:_:)``.
  public func forEach<Value: Decodable>(
    decoding type: Value.Type, with decoder: RowDecoder = RowDecoder(), _ sql: SQL,
    values: [any SQLiteBindable], body: (Value) throws -> Void
  ) throws {
    let statement = try takeStatement(sql, values: values)
    defer { putBack(statement) }
    try statement.forEachRow(decoding: type, with: decoder) { value, _ in try body(value) }
  }

  /// Hands each row to `body` as a value, together with the row, of which there may be columns beside the value's.
  ///
  /// ```swift
  /// try connection.forEachRow(
  ///   decoding: Player.self, "SELECT team, player.* FROM player", values: []
  /// ) { player, row in
  ///   teams[try row.read(Int.self, at: 0), default: []].append(player)
  /// }
  /// ```
  ///
  /// - Throws: What `body` throws, which ends it; as ``fetchAll(decoding:with:_:_:)``.
  public func forEachRow<Value: Decodable>(
    decoding type: Value.Type, with decoder: RowDecoder = RowDecoder(), _ sql: SQL,
    values: [any SQLiteBindable], body: (Value, borrowing Row) throws -> Void
  ) throws {
    let statement = try takeStatement(sql, values: values)
    defer { putBack(statement) }
    try statement.forEachRow(decoding: type, with: decoder, body)
  }
}
