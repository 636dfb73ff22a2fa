import SQLiteCore

/// Convenience methods for the tests of ``RowDecoder``.
extension Connection {
  func fetchAll<Value: Decodable, each Argument: SQLiteBindable>(
    decoding type: Value.Type, with decoder: RowDecoder = RowDecoder(), _ sql: SQL,
    _ arguments: repeat each Argument
  ) throws -> [Value] {
    var values: [any SQLiteBindable] = []
    repeat values.append(each arguments)
    return try fetchAll(decoding: type, with: decoder, sql, values: values)
  }

  /// Returns the first row, which is decoded before the statement is reset. Later rows are not read.
  func fetchOne<Value: Decodable>(
    decoding type: Value.Type, with decoder: RowDecoder = RowDecoder(), _ sql: SQL,
    values: [any SQLiteBindable]
  ) throws -> Value? {
    let statement = try prepare(sql)
    if !values.isEmpty { try statement.bindAll(values) }
    return try statement.step() ? decoder.decode(type, from: statement.row) : nil
  }

  func fetchOne<Value: Decodable, each Argument: SQLiteBindable>(
    decoding type: Value.Type, with decoder: RowDecoder = RowDecoder(), _ sql: SQL,
    _ arguments: repeat each Argument
  ) throws -> Value? {
    var values: [any SQLiteBindable] = []
    repeat values.append(each arguments)
    return try fetchOne(decoding: type, with: decoder, sql, values: values)
  }

  func forEach<Value: Decodable>(
    decoding type: Value.Type, with decoder: RowDecoder = RowDecoder(), _ sql: SQL,
    values: [any SQLiteBindable] = [], body: (Value) throws -> Void
  ) throws {
    try forEachRow(decoding: type, with: decoder, sql, values: values) { value, _ in
      try body(value)
    }
  }
}
