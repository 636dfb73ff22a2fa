/// A keyed container of a row's columns.
///
/// The methods for primitive types read the row without a dynamic type check.
struct KeyedColumns<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let reader: RowReader

  var codingPath: [any CodingKey] { [] }

  var allKeys: [Key] { reader.columnKeys.compactMap { Key(stringValue: $0) } }

  func contains(_ key: Key) -> Bool { reader.column(key.stringValue) != nil }

  func decodeNil(forKey key: Key) throws -> Bool {
    try reader.isNull(reader.requiredColumn(key.stringValue))
  }

  @inline(__always)
  private func read<Value: PostgreSQLReadable>(_ key: Key) throws -> Value {
    try reader.read(reader.requiredColumn(key.stringValue))
  }

  @inline(__always)
  private func readIfPresent<Value: PostgreSQLReadable>(_ key: Key) throws -> Value? {
    guard let column = reader.column(key.stringValue) else { return nil }
    return try reader.read(column)
  }

  func decode(_: Bool.Type, forKey key: Key) throws -> Bool { try read(key) }
  func decode(_: String.Type, forKey key: Key) throws -> String { try read(key) }
  func decode(_: Double.Type, forKey key: Key) throws -> Double { try read(key) }
  func decode(_: Float.Type, forKey key: Key) throws -> Float { try read(key) }
  func decode(_: Int.Type, forKey key: Key) throws -> Int { try read(key) }
  func decode(_: Int8.Type, forKey key: Key) throws -> Int8 { try read(key) }
  func decode(_: Int16.Type, forKey key: Key) throws -> Int16 { try read(key) }
  func decode(_: Int32.Type, forKey key: Key) throws -> Int32 { try read(key) }
  func decode(_: Int64.Type, forKey key: Key) throws -> Int64 { try read(key) }
  func decode(_: UInt.Type, forKey key: Key) throws -> UInt { try read(key) }
  func decode(_: UInt8.Type, forKey key: Key) throws -> UInt8 { try read(key) }
  func decode(_: UInt16.Type, forKey key: Key) throws -> UInt16 { try read(key) }
  func decode(_: UInt32.Type, forKey key: Key) throws -> UInt32 { try read(key) }
  func decode(_: UInt64.Type, forKey key: Key) throws -> UInt64 { try read(key) }

  func decodeIfPresent(_: Bool.Type, forKey key: Key) throws -> Bool? { try readIfPresent(key) }
  func decodeIfPresent(_: String.Type, forKey key: Key) throws -> String? { try readIfPresent(key) }
  func decodeIfPresent(_: Double.Type, forKey key: Key) throws -> Double? { try readIfPresent(key) }
  func decodeIfPresent(_: Float.Type, forKey key: Key) throws -> Float? { try readIfPresent(key) }
  func decodeIfPresent(_: Int.Type, forKey key: Key) throws -> Int? { try readIfPresent(key) }
  func decodeIfPresent(_: Int8.Type, forKey key: Key) throws -> Int8? { try readIfPresent(key) }
  func decodeIfPresent(_: Int16.Type, forKey key: Key) throws -> Int16? { try readIfPresent(key) }
  func decodeIfPresent(_: Int32.Type, forKey key: Key) throws -> Int32? { try readIfPresent(key) }
  func decodeIfPresent(_: Int64.Type, forKey key: Key) throws -> Int64? { try readIfPresent(key) }
  func decodeIfPresent(_: UInt.Type, forKey key: Key) throws -> UInt? { try readIfPresent(key) }
  func decodeIfPresent(_: UInt8.Type, forKey key: Key) throws -> UInt8? { try readIfPresent(key) }
  func decodeIfPresent(_: UInt16.Type, forKey key: Key) throws -> UInt16? { try readIfPresent(key) }
  func decodeIfPresent(_: UInt32.Type, forKey key: Key) throws -> UInt32? { try readIfPresent(key) }
  func decodeIfPresent(_: UInt64.Type, forKey key: Key) throws -> UInt64? { try readIfPresent(key) }

  func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
    try reader.decode(type, reader.requiredColumn(key.stringValue))
  }

  func decodeIfPresent<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value? {
    guard let column = reader.column(key.stringValue), try !reader.isNull(column) else {
      return nil
    }
    return try reader.decode(type, column)
  }

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type, forKey key: Key
  ) throws -> KeyedDecodingContainer<Nested> {
    throw ColumnDecoder.notNested
  }

  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    throw ColumnDecoder.notNested
  }

  func superDecoder() throws -> any Decoder { reader }
  func superDecoder(forKey key: Key) throws -> any Decoder { reader }
}

/// The decoder of a value in a single column.
struct ColumnDecoder: Decoder, SingleValueDecodingContainer {
  let reader: RowReader
  let column: Int

  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { reader.userInfo }

  static var notNested: PostgreSQLError {
    PostgreSQLError(
      code: .typeMismatch,
      message: "a property with several values needs a column of type json or jsonb")
  }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    throw Self.notNested
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer { throw Self.notNested }

  func singleValueContainer() throws -> any SingleValueDecodingContainer { self }

  func decodeNil() -> Bool { (try? reader.isNull(column)) ?? false }

  func decode(_: Bool.Type) throws -> Bool { try reader.read(column) }
  func decode(_: String.Type) throws -> String { try reader.read(column) }
  func decode(_: Double.Type) throws -> Double { try reader.read(column) }
  func decode(_: Float.Type) throws -> Float { try reader.read(column) }
  func decode(_: Int.Type) throws -> Int { try reader.read(column) }
  func decode(_: Int8.Type) throws -> Int8 { try reader.read(column) }
  func decode(_: Int16.Type) throws -> Int16 { try reader.read(column) }
  func decode(_: Int32.Type) throws -> Int32 { try reader.read(column) }
  func decode(_: Int64.Type) throws -> Int64 { try reader.read(column) }
  func decode(_: UInt.Type) throws -> UInt { try reader.read(column) }
  func decode(_: UInt8.Type) throws -> UInt8 { try reader.read(column) }
  func decode(_: UInt16.Type) throws -> UInt16 { try reader.read(column) }
  func decode(_: UInt32.Type) throws -> UInt32 { try reader.read(column) }
  func decode(_: UInt64.Type) throws -> UInt64 { try reader.read(column) }

  func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
    try reader.decode(type, column)
  }
}
