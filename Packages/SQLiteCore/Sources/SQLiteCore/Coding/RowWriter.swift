/// The encoder that a value of a whole row finds.
class RowWriter: Encoder, SingleValueEncodingContainer {
  let settings: RowEncoder
  private var columns: [(name: String, content: Written)] = []
  /// Whether something was written that is no column with a name.
  private(set) var isUnnamed = false
  /// Whether the value is another one by now that is encoded, or none.
  private(set) var hasEnded = false

  private enum Written {
    case content(any SQLiteBindable)
    /// A value that is written piece by piece, and known at the end.
    case pieces(ColumnWriter)
  }

  init(settings: RowEncoder) {
    self.settings = settings
  }

  /// Refuses all writing from now on.
  func end() { hasEnded = true }

  /// Goes on to the next value, if nobody keeps the encoder or a container of it.
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

  /// A type may be a row by way of a single value that is one.
  func encode<T: Encodable>(_ value: T) throws {
    // What the library encodes as a single value would ask for this container forever.
    if value is any SQLiteBindable { throw unnamedColumns() }
    try value.encode(to: self)
  }

  func unnamedColumns() -> SQLiteError {
    SQLiteError(
      code: .unnamedColumns,
      message: "the value to encode is a single value or a list, and has no names for columns")
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
      message: "the encoder or its container was kept, and is used after its value was encoded")
  }

  /// The encoder of a column that is written piece by piece.
  func pieces(for key: some CodingKey) -> ColumnWriter {
    let writer = ColumnWriter(settings: settings, key: key)
    if !hasEnded { write(.pieces(writer), for: key.stringValue) }
    return writer
  }

  private func write(_ content: Written, for key: String) {
    let name = settings.keyEncodingStrategy.column(of: key)
    if let index = columns.firstIndex(where: { $0.name == name }) {
      // A type and its superclass may have a key in common.
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
      case .pieces(let writer): (name, try writer.content())
      }
    }
  }
}

/// The columns of a row that is written, by their names.
struct KeyedRowWriter<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let writer: RowWriter

  @inline(__always)
  private func with<Result>(_ body: (RowWriter) throws -> Result) throws -> Result {
    if writer.hasEnded { throw writer.expired() }
    return try body(writer)
  }

  var codingPath: [any CodingKey] { [] }

  func encodeNil(forKey key: Key) throws { try with { try $0.write(.null, for: key.stringValue) } }

  // The types that rows are mostly made of need not be asked what they are.

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

  // The library's own would leave a property that is nil out.

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
    pieces(key).container(keyedBy: type)
  }

  func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
    pieces(key).unkeyedContainer()
  }

  /// What a superclass has lies in the same row.
  func superEncoder() -> any Encoder { writer }

  func superEncoder(forKey key: Key) -> any Encoder { pieces(key) }

  /// Pieces that a container writes after its value was encoded are discarded.
  private func pieces(_ key: Key) -> ColumnWriter { writer.pieces(for: key) }
}
