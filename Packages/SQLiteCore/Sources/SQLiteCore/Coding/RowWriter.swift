/// The encoder that is passed to row types.
class RowWriter: Encoder, SingleValueEncodingContainer {
  let settings: RowEncoder
  private var columns: [(name: String, content: Written)] = []
  /// Indicates whether a value without a column name was written.
  private(set) var isUnnamed = false
  /// Indicates whether the encoding of the value has ended.
  private(set) var hasEnded = false

  private enum Written {
    case content(any SQLiteBindable)
    /// A value that is written through a nested container and is complete at the end.
    case nestedWriter(ColumnWriter)
  }

  init(settings: RowEncoder) {
    self.settings = settings
  }

  /// Ends the encoder: further writes throw an error.
  func end() { hasEnded = true }

  /// Begins the next value. Called if the encoder and its containers are no longer referenced.
  func endRow() { isUnnamed = false }

  var codingPath: [any CodingKey] { [] }

  var userInfo: [CodingUserInfoKey: Any] { settings.userInfo }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    KeyedEncodingContainer(KeyedRowWriter<Key>(writer: self))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    isUnnamed = true
    return ColumnWriter(settings: settings).unkeyedContainer()
  }

  func singleValueContainer() -> any SingleValueEncodingContainer { self }

  func encodeNil() throws { throw unnamedColumns() }

  /// Encodes a single value that is itself a row.
  func encode<T: Encodable>(_ value: T) throws {
    // A type that the standard library encodes as a single value would request this container
    // recursively.
    if value is any SQLiteBindable { throw unnamedColumns() }
    try value.encode(to: self)
  }

  func unnamedColumns() -> SQLiteError {
    SQLiteError(
      code: .unnamedColumns,
      message: "the value encodes a single value or a list, which has no column names")
  }

  func write(_ value: SQLiteValue, for key: String) throws {
    write(.content(value), for: key)
  }

  func write<T: Encodable>(encodable value: T, for key: String) throws {
    write(.content(try settings.content(value)), for: key)
  }

  @inline(never)
  final func expired() -> SQLiteError {
    SQLiteError(
      code: .misuse,
      message: "the encoder or its container was used after its value was encoded")
  }

  /// Returns the encoder of a column that is written through nested containers.
  func nestedWriter(for key: some CodingKey) -> ColumnWriter {
    let writer = ColumnWriter(settings: settings, key: key)
    if !hasEnded { write(.nestedWriter(writer), for: key.stringValue) }
    return writer
  }

  private func write(_ content: Written, for key: String) {
    let name = settings.keyEncodingStrategy.column(of: key)
    if let index = columns.firstIndex(where: { $0.name == name }) {
      // A type and its superclass can have the same key.
      columns[index].content = content
    } else {
      columns.append((name, content))
    }
  }

  func row() throws -> [(name: String, content: any SQLiteBindable)] {
    if isUnnamed { throw unnamedColumns() }
    return try columns.map { name, written in
      switch written {
      case .content(let content): (name, content)
      case .nestedWriter(let writer): (name, try writer.content())
      }
    }
  }
}

/// A keyed container that writes a row's columns.
struct KeyedRowWriter<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let writer: RowWriter

  @inline(__always)
  private func with<Result>(_ body: (RowWriter) throws -> Result) throws -> Result {
    if writer.hasEnded { throw writer.expired() }
    return try body(writer)
  }

  var codingPath: [any CodingKey] { [] }

  func encodeNil(forKey key: Key) throws { try with { try $0.write(.null, for: key.stringValue) } }

  // The overloads for common types avoid a dynamic type check.

  func encode(_ value: Bool, forKey key: Key) throws {
    try with { try $0.write(.integer(value ? 1 : 0), for: key.stringValue) }
  }
  func encode(_ value: Int, forKey key: Key) throws {
    try with { try $0.write(.integer(Int64(value)), for: key.stringValue) }
  }
  func encode(_ value: Int64, forKey key: Key) throws {
    try with { try $0.write(.integer(value), for: key.stringValue) }
  }
  func encode(_ value: Double, forKey key: Key) throws {
    try with { try $0.write(.real(value), for: key.stringValue) }
  }
  func encode(_ value: Float, forKey key: Key) throws {
    try with { try $0.write(.real(Double(value)), for: key.stringValue) }
  }
  func encode(_ value: String, forKey key: Key) throws {
    try with { try $0.write(.text(value), for: key.stringValue) }
  }

  func encodeIfPresent(_ value: Bool?, forKey key: Key) throws {
    try with { try $0.write(value.map { .integer($0 ? 1 : 0) } ?? .null, for: key.stringValue) }
  }
  func encodeIfPresent(_ value: Int?, forKey key: Key) throws {
    try with { try $0.write(value.map { .integer(Int64($0)) } ?? .null, for: key.stringValue) }
  }
  func encodeIfPresent(_ value: Int64?, forKey key: Key) throws {
    try with { try $0.write(value.map { .integer($0) } ?? .null, for: key.stringValue) }
  }
  func encodeIfPresent(_ value: Double?, forKey key: Key) throws {
    if let value {
      try with { try $0.write(.real(value), for: key.stringValue) }
    } else {
      try encodeNil(forKey: key)
    }
  }
  func encodeIfPresent(_ value: String?, forKey key: Key) throws {
    try with { try $0.write(value.map { .text($0) } ?? .null, for: key.stringValue) }
  }

  // The standard library's implementations would omit a property that is `nil`.

  func encodeIfPresent(_ value: Float?, forKey key: Key) throws {
    if let value { try encode(value, forKey: key) } else { try encodeNil(forKey: key) }
  }
  func encodeIfPresent(_ value: Int8?, forKey key: Key) throws { try encode(optional: value, key) }
  func encodeIfPresent(_ value: Int16?, forKey key: Key) throws { try encode(optional: value, key) }
  func encodeIfPresent(_ value: Int32?, forKey key: Key) throws { try encode(optional: value, key) }
  func encodeIfPresent(_ value: UInt?, forKey key: Key) throws { try encode(optional: value, key) }
  func encodeIfPresent(_ value: UInt8?, forKey key: Key) throws { try encode(optional: value, key) }
  func encodeIfPresent(_ value: UInt16?, forKey key: Key) throws {
    try encode(optional: value, key)
  }
  func encodeIfPresent(_ value: UInt32?, forKey key: Key) throws {
    try encode(optional: value, key)
  }
  func encodeIfPresent(_ value: UInt64?, forKey key: Key) throws {
    try encode(optional: value, key)
  }

  func encode<T: Encodable>(_ value: T, forKey key: Key) throws {
    try with { try $0.write(encodable: value, for: key.stringValue) }
  }

  func encodeIfPresent<T: Encodable>(_ value: T?, forKey key: Key) throws {
    try encode(optional: value, key)
  }

  private func encode<T: Encodable>(optional value: T?, _ key: Key) throws {
    if let value { try encode(value, forKey: key) } else { try encodeNil(forKey: key) }
  }

  func encodeConditional<T: AnyObject & Encodable>(_ object: T, forKey key: Key) throws {
    try encode(object, forKey: key)
  }

  func nestedContainer<NestedKey: CodingKey>(
    keyedBy type: NestedKey.Type, forKey key: Key
  ) -> KeyedEncodingContainer<NestedKey> {
    nestedWriter(key).container(keyedBy: type)
  }

  func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
    nestedWriter(key).unkeyedContainer()
  }

  /// Returns the same encoder: a superclass writes its columns into the same row.
  func superEncoder() -> any Encoder { writer }

  func superEncoder(forKey key: Key) -> any Encoder { nestedWriter(key) }

  /// Values that a container writes after its value was encoded are discarded.
  private func nestedWriter(_ key: Key) -> ColumnWriter { writer.nestedWriter(for: key) }
}
