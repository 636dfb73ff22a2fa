/// Reading rows as values that are `Decodable`, with a decoder of the caller's.
///
/// A type that is ``RowDecodable`` needs none of these: ``Connection/fetchAll(_:_:_:)`` reads it.
extension Connection {
  /// Reads every row as a value, a column for each key.
  ///
  /// ```swift
  /// var decoder = RowDecoder()
  /// decoder.keyDecodingStrategy = .convertFromSnakeCase
  /// let players = try connection.fetchAll(
  ///   decoding: Player.self, with: decoder, "SELECT * FROM player WHERE score > ?", values: [100])
  /// ```
  ///
  /// - Parameters:
  ///   - type: The type of the values.
  ///   - decoder: How rows become values: see ``RowDecoder`` for the rules.
  ///   - sql: One statement.
  ///   - values: The values of its parameters, in their order.
  /// - Throws: ``SQLiteError`` if the statement does not compile or fails; with code
  ///   ``SQLiteError/Code/parameterCount`` if the numbers of values and parameters differ, with
  ///   ``SQLiteError/Code/unknownColumn``, ``SQLiteError/Code/columnTypeMismatch`` or
  ///   ``SQLiteError/Code/unexpectedNull`` if the columns do not suit the type; what `Value` itself
  ///   throws. No row is not an error.
  public func fetchAll<Value: Decodable>(
    decoding type: Value.Type, with decoder: RowDecoder = RowDecoder(), _ sql: SQL,
    values: [any SQLiteBindable]
  ) throws -> [Value] {
    let statement = try takeStatement(sql, values: values)
    defer { putBack(statement) }
    return try statement.remainingRows(decoding: type, with: decoder)
  }

  /// Passes each row to `body` as a value, together with the row, which may have further columns.
  ///
  /// ```swift
  /// try connection.forEachRow(
  ///   decoding: Player.self, "SELECT team, player.* FROM player", values: []
  /// ) { player, row in
  ///   teams[try row.read(Int.self, at: 0), default: []].append(player)
  /// }
  /// ```
  ///
  /// - Throws: What `body` throws, which ends the iteration; as ``fetchAll(decoding:with:_:values:)``.
  public func forEachRow<Value: Decodable>(
    decoding type: Value.Type, with decoder: RowDecoder = RowDecoder(), _ sql: SQL,
    values: [any SQLiteBindable], body: (Value, borrowing Row) throws -> Void
  ) throws {
    let statement = try takeStatement(sql, values: values)
    defer { putBack(statement) }
    try statement.forEachRow(decoding: type, with: decoder, body)
  }
}
