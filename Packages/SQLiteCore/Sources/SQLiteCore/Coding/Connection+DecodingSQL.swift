/// Reading rows as values that are `Decodable`, by statements whose values are interpolated: see ``SQL``.
extension Connection {
  /// Reads every row as a value, a column for each key.
  ///
  /// ```swift
  /// let players = try connection.fetchAll(
  ///   decoding: Player.self, sql: "SELECT * FROM player WHERE score > \(least)")
  /// ```
  ///
  /// - Throws: ``SQLiteError`` with code ``SQLiteError/Code/misplacedInterpolation`` or
  ///   ``SQLiteError/Code/parameterInText`` where the text can't be run with its values; as
  ///   ``fetchAll(decoding:with:_:values:)``. No row is not an error.
  public func fetchAll<Value: Decodable>(
    decoding type: Value.Type, with decoder: RowDecoder = RowDecoder(), sql: SQL
  ) throws -> [Value] {
    try fetchAll(decoding: type, with: decoder, sql.checkedText(), values: sql.values)
  }

  /// Reads the first row as a value; `nil` where there is no row.
  ///
  /// - Throws: As ``fetchAll(decoding:with:sql:)``.
  public func fetchOne<Value: Decodable>(
    decoding type: Value.Type, with decoder: RowDecoder = RowDecoder(), sql: SQL
  ) throws -> Value? {
    try fetchOne(decoding: type, with: decoder, sql.checkedText(), values: sql.values)
  }

  /// Hands each row to `body` as a value, as it is read.
  ///
  /// - Throws: What `body` throws, which ends it; as ``fetchAll(decoding:with:sql:)``.
  public func forEach<Value: Decodable>(
    decoding type: Value.Type, with decoder: RowDecoder = RowDecoder(), sql: SQL,
    body: (Value) throws -> Void
  ) throws {
    try forEach(
      decoding: type, with: decoder, sql.checkedText(), values: sql.values, body: body)
  }
}
