/// A keyed container of a row's columns.
///
/// The methods for primitive types read the row without a dynamic type check.
struct KeyedColumns<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let reader: RowReader

  @inline(__always)
  private func with<Result>(_ body: (RowReader) throws -> Result) throws -> Result {
    guard reader.isLive else { throw reader.expired() }
    return try body(reader)
  }

  var codingPath: [any CodingKey] { (try? with { $0.codingPath }) ?? [] }

  var allKeys: [Key] { (try? with { $0.keys.compactMap { Key(stringValue: $0) } }) ?? [] }

  func contains(_ key: Key) -> Bool {
    (try? with { $0.column(key) != nil || $0.child(key.stringValue) != nil }) ?? false
  }

  func decodeNil(forKey key: Key) throws -> Bool {
    try with { reader in
      if let column = reader.column(key) { return try reader.row.isNull(at: ColumnIndex(column)) }
      guard let child = reader.child(key.stringValue) else {
        throw reader.unknownColumn(key.stringValue)
      }
      return try child.isAllNull()
    }
  }

  @inline(__always)
  private func read<Value: SQLiteReadable>(_ key: Key) throws -> Value {
    try with { reader in
      guard let column = reader.column(key) else { throw reader.unknownColumn(key.stringValue) }
      return try Value(from: reader.row, at: ColumnIndex(column))
    }
  }

  @inline(__always)
  private func readIfPresent<Value: SQLiteReadable>(_ key: Key) throws -> Value? {
    try with { reader in
      guard let column = reader.column(key) else { return nil }
      return try Value?(from: reader.row, at: ColumnIndex(column))
    }
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

  func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
    try with { reader in
      let slot = reader.slot(key)
      guard let column = reader.column(ofSlot: slot) else {
        guard let child = reader.child(key.stringValue) else {
          guard reader.replacement(of: type) != nil else {
            throw reader.unknownColumn(key.stringValue)
          }
          return try reader.replaced(type, key: key.stringValue, at: nil)
        }
        return try T(from: child)
      }
      return try reader.value(type, at: column, access: reader.access(to: type, slot: slot))
    }
  }

  func decodeIfPresent<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T? {
    try with { reader in
      let slot = reader.slot(key)
      guard let column = reader.column(ofSlot: slot) else {
        guard let child = reader.child(key.stringValue), try !child.isAllNull() else { return nil }
        return try T(from: child)
      }
      return try reader.optional(type, at: column, access: reader.access(to: type, slot: slot))
    }
  }

  func nestedContainer<NestedKey: CodingKey>(
    keyedBy type: NestedKey.Type, forKey key: Key
  ) throws -> KeyedDecodingContainer<NestedKey> {
    try superDecoder(forKey: key).container(keyedBy: type)
  }

  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    try superDecoder(forKey: key).unkeyedContainer()
  }

  /// Returns the same decoder: a superclass reads its columns from the same row.
  func superDecoder() throws -> any Decoder { try with { $0 } }

  func superDecoder(forKey key: Key) throws -> any Decoder {
    try with { reader in
      if let column = reader.column(key) { return ColumnDecoder(reader: reader, column: column) }
      guard let child = reader.child(key.stringValue) else {
        throw reader.unknownColumn(key.stringValue)
      }
      return child
    }
  }
}

/// An unkeyed container of a row's columns.
struct UnkeyedColumns: UnkeyedDecodingContainer {
  let reader: RowReader
  private let columns: [Int]
  private(set) var currentIndex = 0

  init(reader: RowReader) {
    self.reader = reader
    columns = reader.columns
  }

  var codingPath: [any CodingKey] { reader.codingPath }

  var count: Int? { columns.count }

  var isAtEnd: Bool { currentIndex >= columns.count }

  /// Returns the next column.
  private func current() throws(SQLiteError) -> Int {
    guard reader.isLive else { throw reader.expired() }
    guard !isAtEnd else { throw reader.columnIndexError(currentIndex) }
    return columns[currentIndex]
  }

  mutating func decodeNil() throws -> Bool {
    guard try reader.row.isNull(at: ColumnIndex(current())) else { return false }
    currentIndex += 1
    return true
  }

  mutating func decode<T: Decodable>(_ type: T.Type) throws -> T {
    let value = try reader.value(type, at: current(), access: reader.access(to: type))
    currentIndex += 1
    return value
  }

  mutating func decodeIfPresent<T: Decodable>(_ type: T.Type) throws -> T? {
    if isAtEnd { return nil }
    let value = try reader.optional(type, at: current(), access: reader.access(to: type))
    currentIndex += 1
    return value
  }

  mutating func nestedContainer<NestedKey: CodingKey>(
    keyedBy type: NestedKey.Type
  ) throws -> KeyedDecodingContainer<NestedKey> {
    let container = try column().container(keyedBy: type)
    currentIndex += 1
    return container
  }

  mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
    let container = try column().unkeyedContainer()
    currentIndex += 1
    return container
  }

  mutating func superDecoder() throws -> any Decoder {
    let decoder = try column()
    currentIndex += 1
    return decoder
  }

  private func column() throws(SQLiteError) -> ColumnDecoder {
    ColumnDecoder(reader: reader, column: try current())
  }
}
