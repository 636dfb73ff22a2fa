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

/// A row decoder that decodes columns with embedded rows separately.
private struct EmbedDecoder: Decoder, SingleValueDecodingContainer {
  let base: any Decoder
  let reader: EmbedReader
  let fields: [EmbedReader.Field]

  var codingPath: [any CodingKey] { base.codingPath }
  var userInfo: [CodingUserInfoKey: Any] { base.userInfo }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    KeyedDecodingContainer(
      KeyedEmbeds(base: try base.container(keyedBy: type), reader: reader, fields: fields))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer { try base.unkeyedContainer() }

  func singleValueContainer() throws -> any SingleValueDecodingContainer {
    _ = try base.singleValueContainer()
    return self
  }

  func decodeNil() -> Bool { (try? base.singleValueContainer())?.decodeNil() ?? false }

  func decode<T: Decodable>(_ type: T.Type) throws -> T {
    type is any SQLiteReadable.Type
      ? try base.singleValueContainer().decode(type) : try T(from: self)
  }
}

private struct KeyedEmbeds<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let base: KeyedDecodingContainer<Key>
  let reader: EmbedReader
  let fields: [EmbedReader.Field]

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

  /// A superclass decodes its embedded rows from the same row.
  func superDecoder() throws -> any Decoder {
    EmbedDecoder(base: try base.superDecoder(), reader: reader, fields: fields)
  }

  func superDecoder(forKey key: Key) throws -> any Decoder { try base.superDecoder(forKey: key) }
}

/// A decoder for the embedded rows of another table.
private struct RowsDecoder: Decoder, SingleValueDecodingContainer {
  let rows: [EmbeddedRow]
  let reader: EmbedReader
  let codingPath: [any CodingKey]

  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    throw DecodingError.typeMismatch(
      [String: Any].self,
      .init(
        codingPath: codingPath, debugDescription: "expected one row, but found an array of rows"))
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
        type, .init(codingPath: codingPath, debugDescription: "there are no more rows"))
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

  /// A container for one row would outlive the statement's current row.
  private func unsupported() -> DecodingError {
    .dataCorrupted(
      .init(
        codingPath: codingPath,
        debugDescription: "embedded rows can only be decoded as whole values"))
  }
}

/// Decodes rows that contain embedded rows of other tables, by the rules for database rows, at any depth.
///
/// `pending`, `keys` and `jsonReader` are used only by the thread that decodes the row.
final class EmbedReader: @unchecked Sendable {
  /// An embed's value, and its coding key.
  typealias Field = (key: String, value: EmbeddedValue)

  static let key = CodingUserInfoKey(rawValue: "holt.router.embeds")

  private let decoder: RowDecoder
  private let embeds: [DatabaseRoute.Embed]
  /// The embedded rows of the row that is decoded next.
  private var pending: [Field] = []
  /// The coding keys of column names.
  private var keys: [(name: String, key: String)] = []
  private var jsonReader = EmbeddedJSONReader()

  /// Creates a reader; fails if the type reads no embedded rows: there are none, or it reads only the first column.
  init?(for type: Any.Type, _ decoder: RowDecoder, _ embeds: [DatabaseRoute.Embed]) {
    if embeds.isEmpty || type is any SQLiteReadable.Type { return nil }
    self.decoder = decoder
    self.embeds = embeds
  }

  /// Decodes a row of a route.
  func value<Value: Decodable>(_ type: Value.Type, from row: borrowing Row) throws -> Value {
    let names = row.columnNames
    let end = names.last == StatementText.checkColumn ? names.count - 1 : names.count
    var fields: [Field] = []
    for embed in embeds {
      // Of columns with the same name, the first is read, which may be a column of the row itself.
      guard let index = names.firstIndex(where: { $0.isSameName(as: embed.name) }),
        index >= end - embeds.count,
        let text = try row.read(String?.self, at: ColumnIndex(index)),
        let value = jsonReader.read(text)
      else { continue }
      fields.append((try key(of: names[index]), value))
    }
    return try decode(type, from: row, fields)
  }

  private func decode<Value: Decodable>(
    _ type: Value.Type, from row: borrowing Row, _ fields: [Field]
  ) throws -> Value {
    guard let key = Self.key, !fields.isEmpty else { return try decoder.decode(type, from: row) }
    var decoder = decoder
    decoder.userInfo[key] = self
    pending = fields
    return try decoder.decode(WithEmbeds<Value>.self, from: row).value
  }

  /// Returns the embedded rows of the row for which a decoder was just created.
  func takePending() -> [Field] {
    defer { pending = [] }
    return pending
  }

  func value<Value: Decodable>(_ type: Value.Type, from row: EmbeddedRow) throws -> Value {
    var fields: [Field] = []
    for (name, value) in zip(row.names, row.values) {
      if case .value = value { continue }
      fields.append((try key(of: name), value))
    }
    let columns = Row(columns: row.names, values: row.values.map(\.sqliteValue))
    return try decode(type, from: columns, fields)
  }

  /// Returns the coding key of a column, which only the decoder can determine.
  private func key(of name: String) throws -> String {
    if case .useDefaultKeys = decoder.keyDecodingStrategy { return name }
    if let known = keys.first(where: { $0.name.hasSameBytes(as: name) }) { return known.key }
    let row = Row(columns: [name], values: [.null])
    let key = try decoder.decode(FirstKey.self, from: row).name ?? name
    keys.append((name, key))
    return key
  }
}

private struct FirstKey: Decodable {
  let name: String?

  init(from decoder: any Decoder) throws {
    name = try decoder.container(keyedBy: AnyKey.self).allKeys.first?.stringValue
  }
}

private struct AnyKey: CodingKey {
  let stringValue: String
  let intValue: Int?

  init(stringValue: String) {
    self.stringValue = stringValue
    intValue = nil
  }

  init(intValue: Int) {
    stringValue = String(intValue)
    self.intValue = intValue
  }
}
