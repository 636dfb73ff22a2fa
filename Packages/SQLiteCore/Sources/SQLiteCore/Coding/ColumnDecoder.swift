/// The decoder of a value in a single column: a single value, or JSON.
struct ColumnDecoder: Decoder, SingleValueDecodingContainer {
  let reader: RowReader
  let column: Int

  private var index: ColumnIndex { ColumnIndex(column) }

  /// Empty if the decoder outlives its row, since the statement that has the name may be released.
  var codingPath: [any CodingKey] {
    reader.isLive ? [ColumnKey(stringValue: reader.row.columns.describe(column).name)] : []
  }

  var userInfo: [CodingUserInfoKey: Any] { reader.userInfo }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    try checkLive()
    return try reader.jsonContainer(keyedBy: type, at: column)
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    try checkLive()
    return try reader.unkeyedJSONContainer(at: column)
  }

  func singleValueContainer() throws -> any SingleValueDecodingContainer {
    try checkLive()
    return self
  }

  private func checkLive() throws(SQLiteError) {
    if !reader.isLive { throw reader.expired() }
  }

  func decodeNil() -> Bool { reader.isLive && (try? reader.row.isNull(at: index)) == true }

  private func read<Value: SQLiteReadable>() throws(SQLiteError) -> Value {
    try checkLive()
    return try Value(from: reader.row, at: index)
  }

  func decode(_: Bool.Type) throws -> Bool { try read() }
  func decode(_: String.Type) throws -> String { try read() }
  func decode(_: Double.Type) throws -> Double { try read() }
  func decode(_: Float.Type) throws -> Float { try read() }
  func decode(_: Int.Type) throws -> Int { try read() }
  func decode(_: Int8.Type) throws -> Int8 { try read() }
  func decode(_: Int16.Type) throws -> Int16 { try read() }
  func decode(_: Int32.Type) throws -> Int32 { try read() }
  func decode(_: Int64.Type) throws -> Int64 { try read() }
  func decode(_: UInt.Type) throws -> UInt { try read() }
  func decode(_: UInt8.Type) throws -> UInt8 { try read() }
  func decode(_: UInt16.Type) throws -> UInt16 { try read() }
  func decode(_: UInt32.Type) throws -> UInt32 { try read() }
  func decode(_: UInt64.Type) throws -> UInt64 { try read() }

  func decode<T: Decodable>(_ type: T.Type) throws -> T {
    try checkLive()
    return try reader.value(type, at: column, access: reader.access(to: type))
  }
}

/// A row as a single-value container: the first column for a type that a column can hold, otherwise the row.
struct SingleValueRow: SingleValueDecodingContainer {
  let reader: RowReader

  var codingPath: [any CodingKey] { reader.codingPath }

  private var first: ColumnDecoder {
    // An ended reader looks up no column, since reading one throws an error.
    ColumnDecoder(reader: reader, column: reader.isLive ? reader.columns.first ?? 0 : 0)
  }

  /// Returns whether every column is NULL.
  func decodeNil() -> Bool { (try? reader.isAllNull()) ?? false }

  func decode(_ type: Bool.Type) throws -> Bool { try first.decode(type) }
  func decode(_ type: String.Type) throws -> String { try first.decode(type) }
  func decode(_ type: Double.Type) throws -> Double { try first.decode(type) }
  func decode(_ type: Float.Type) throws -> Float { try first.decode(type) }
  func decode(_ type: Int.Type) throws -> Int { try first.decode(type) }
  func decode(_ type: Int8.Type) throws -> Int8 { try first.decode(type) }
  func decode(_ type: Int16.Type) throws -> Int16 { try first.decode(type) }
  func decode(_ type: Int32.Type) throws -> Int32 { try first.decode(type) }
  func decode(_ type: Int64.Type) throws -> Int64 { try first.decode(type) }
  func decode(_ type: UInt.Type) throws -> UInt { try first.decode(type) }
  func decode(_ type: UInt8.Type) throws -> UInt8 { try first.decode(type) }
  func decode(_ type: UInt16.Type) throws -> UInt16 { try first.decode(type) }
  func decode(_ type: UInt32.Type) throws -> UInt32 { try first.decode(type) }
  func decode(_ type: UInt64.Type) throws -> UInt64 { try first.decode(type) }

  func decode<T: Decodable>(_ type: T.Type) throws -> T {
    if case .coded = reader.access(to: type) {
      guard reader.isLive else { throw reader.expired() }
      return try T(from: reader)
    }
    return try first.decode(type)
  }
}
