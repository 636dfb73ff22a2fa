internal import SQLiteCore

/// A value whose properties may be embedded rows.
struct WithEmbeds<Value: Decodable>: Decodable {
  let value: Value

  init(from decoder: any Decoder) throws {
    guard let key = EmbedReader.key, let reader = decoder.userInfo[key] as? EmbedReader else {
      value = try Value(from: decoder)
      return
    }
    value = try Value(
      from: EmbedDecoder(base: decoder, reader: reader, fields: reader.takePending()))
  }
}

/// The decoder of a row, but for the columns that hold embedded rows.
private struct EmbedDecoder: Decoder {
  let base: any Decoder
  let reader: EmbedReader
  let fields: [EmbeddedField]

  var codingPath: [any CodingKey] { base.codingPath }
  var userInfo: [CodingUserInfoKey: Any] { base.userInfo }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    KeyedDecodingContainer(
      KeyedEmbeds(base: try base.container(keyedBy: type), reader: reader, fields: fields))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer { try base.unkeyedContainer() }

  func singleValueContainer() throws -> any SingleValueDecodingContainer {
    SingleEmbed(base: try base.singleValueContainer(), decoder: self)
  }
}

private struct KeyedEmbeds<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let base: KeyedDecodingContainer<Key>
  let reader: EmbedReader
  let fields: [EmbeddedField]

  var codingPath: [any CodingKey] { base.codingPath }
  var allKeys: [Key] { base.allKeys }
  func contains(_ key: Key) -> Bool { base.contains(key) }
  func decodeNil(forKey key: Key) throws -> Bool { try base.decodeNil(forKey: key) }

  func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
    guard let field = fields.first(where: { $0.key.isSameName(as: key.stringValue) }),
      !(type is any SQLiteReadable.Type)
    else { return try base.decode(type, forKey: key) }
    switch field.value {
    case .value: return try base.decode(type, forKey: key)
    case .row(let row, _): return try reader.value(type, from: row)
    case .rows(let rows, _):
      return try T(from: RowsDecoder(rows: rows, reader: reader, codingPath: codingPath + [key]))
    }
  }

  func nestedContainer<NestedKey: CodingKey>(
    keyedBy type: NestedKey.Type, forKey key: Key
  ) throws -> KeyedDecodingContainer<NestedKey> {
    try base.nestedContainer(keyedBy: type, forKey: key)
  }

  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    try base.nestedUnkeyedContainer(forKey: key)
  }

  /// A superclass finds its embedded rows in the same row.
  func superDecoder() throws -> any Decoder {
    EmbedDecoder(base: try base.superDecoder(), reader: reader, fields: fields)
  }

  func superDecoder(forKey key: Key) throws -> any Decoder { try base.superDecoder(forKey: key) }
}

private struct SingleEmbed: SingleValueDecodingContainer {
  let base: any SingleValueDecodingContainer
  let decoder: EmbedDecoder

  var codingPath: [any CodingKey] { base.codingPath }
  func decodeNil() -> Bool { base.decodeNil() }

  func decode<T: Decodable>(_ type: T.Type) throws -> T {
    type is any SQLiteReadable.Type ? try base.decode(type) : try T(from: decoder)
  }
}

/// The decoder of rows of another table, each of which has its own.
private struct RowsDecoder: Decoder, SingleValueDecodingContainer {
  let rows: [EmbeddedRow]
  let reader: EmbedReader
  let codingPath: [any CodingKey]

  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    throw DecodingError.typeMismatch(
      [String: Any].self,
      .init(codingPath: codingPath, debugDescription: "these are rows, and not one"))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    Rows(rows: rows, reader: reader, codingPath: codingPath)
  }

  func singleValueContainer() throws -> any SingleValueDecodingContainer { self }

  func decodeNil() -> Bool { false }
  func decode<T: Decodable>(_ type: T.Type) throws -> T { try T(from: self) }
}

private struct Rows: UnkeyedDecodingContainer {
  let rows: [EmbeddedRow]
  let reader: EmbedReader
  let codingPath: [any CodingKey]
  private(set) var currentIndex = 0

  init(rows: [EmbeddedRow], reader: EmbedReader, codingPath: [any CodingKey]) {
    self.rows = rows
    self.reader = reader
    self.codingPath = codingPath
  }

  var count: Int? { rows.count }
  var isAtEnd: Bool { currentIndex >= rows.count }
  mutating func decodeNil() throws -> Bool { false }

  mutating func decode<T: Decodable>(_ type: T.Type) throws -> T {
    guard currentIndex < rows.count else {
      throw DecodingError.valueNotFound(
        type, .init(codingPath: codingPath, debugDescription: "there is no further row"))
    }
    let value = try reader.value(type, from: rows[currentIndex])
    currentIndex += 1
    return value
  }

  mutating func nestedContainer<NestedKey: CodingKey>(
    keyedBy type: NestedKey.Type
  ) throws -> KeyedDecodingContainer<NestedKey> {
    throw unsupported()
  }

  mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
    throw unsupported()
  }

  mutating func superDecoder() throws -> any Decoder { throw unsupported() }

  /// A container of one row would outlive the statement that stands at it.
  private func unsupported() -> DecodingError {
    .dataCorrupted(
      .init(codingPath: codingPath, debugDescription: "embedded rows are decoded as whole values"))
  }
}
