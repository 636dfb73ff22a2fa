/// Reading rows as values that are `Decodable`, with the values of the parameters by their names.
extension Connection {
  /// Reads every row as a value, a column for each key.
  ///
  /// ```swift
  /// let players = try connection.fetchAll(
  ///   decoding: Player.self, "SELECT * FROM player WHERE score > :least", named: ["least": 100])
  /// ```
  ///
  /// - Throws: ``SQLiteError`` with code ``SQLiteError/Code/unknownParameter`` for a name that the statement
  ///   lacks, with ``SQLiteError/Code/parameterCount`` where a parameter has no value; as
  ///   ``fetchAll(decoding:with:_:values:)``. No row is not an error.
  public func fetchAll<Value: Decodable>(
    decoding type: Value.Type, with decoder: RowDecoder = RowDecoder(), _ sql: String,
    named values: [String: any SQLiteBindable]
  ) throws -> [Value] {
    try withStatement(sql) { statement in
      try statement.bindAll(named: values)
      return try statement.remainingRows(decoding: type, with: decoder)
    }
  }

  /// Reads the first row as a value; `nil` where there is no row.
  ///
  /// - Throws: As ``fetchAll(decoding:with:_:named:)``.
  public func fetchOne<Value: Decodable>(
    decoding type: Value.Type, with decoder: RowDecoder = RowDecoder(), _ sql: String,
    named values: [String: any SQLiteBindable]
  ) throws -> Value? {
    try withStatement(sql) { statement in
      try statement.bindAll(named: values)
      return try statement.firstRow(decoding: type, with: decoder)
    }
  }

  /// Hands each row to `body` as a value, as it is read.
  ///
  /// - Throws: What `body` throws, which ends it; as ``fetchAll(decoding:with:_:named:)``.
  public func forEach<Value: Decodable>(
    decoding type: Value.Type, with decoder: RowDecoder = RowDecoder(), _ sql: String,
    named values: [String: any SQLiteBindable], body: (Value) throws -> Void
  ) throws {
    try withStatement(sql) { statement in
      try statement.bindAll(named: values)
      try statement.forEachRow(decoding: type, with: decoder) { value, _ in try body(value) }
    }
  }
}
