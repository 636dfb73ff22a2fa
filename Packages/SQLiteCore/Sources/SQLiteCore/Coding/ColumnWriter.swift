/// The encoder of a value in a single column: a single value, or JSON.
///
/// Values are stored unencoded until the end, and then bound or encoded as JSON.
final class ColumnWriter: Encoder, SingleValueEncodingContainer, Encodable {
  let settings: RowEncoder
  let codingPath: [any CodingKey]
  private var written = Written.nothing

  private enum Written {
    case nothing
    case null
    case content(any SQLiteBindable)
    /// A single value that is encoded as JSON.
    case single(any Encodable)
    case keyed([(key: any CodingKey, value: any Encodable)])
    case list([any Encodable])
  }

  init(settings: RowEncoder, key: (any CodingKey)? = nil, in path: [any CodingKey] = []) {
    self.settings = settings
    codingPath = key.map { path + [$0] } ?? path
  }

  var userInfo: [CodingUserInfoKey: Any] { settings.userInfo }

  /// Indicates whether the value is nested in another one, and so in its JSON.
  private var isNested = false

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    if case .keyed = written {} else { written = .keyed([]) }
    return KeyedEncodingContainer(KeyedJSONWriter<Key>(writer: self))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    if case .list = written {} else { written = .list([]) }
    return JSONListWriter(writer: self)
  }

  func singleValueContainer() -> any SingleValueEncodingContainer { self }

  func encodeNil() throws { written = .null }

  func encode<T: Encodable>(_ value: T) throws {
    written = isNested ? .single(value) : .content(try settings.content(value))
  }

  // MARK: Nested values

  func append(_ value: any Encodable, for key: any CodingKey) {
    guard case .keyed(var pairs) = written else { return }
    written = .nothing
    pairs.removeAll { $0.key.stringValue == key.stringValue }
    pairs.append((key, value))
    written = .keyed(pairs)
  }

  func append(_ value: any Encodable) {
    guard case .list(var list) = written else { return }
    written = .nothing
    list.append(value)
    written = .list(list)
  }

  var listCount: Int { if case .list(let list) = written { list.count } else { 0 } }

  /// Returns the encoder of a value that is nested in this one's JSON.
  func nested(_ key: any CodingKey) -> ColumnWriter {
    let writer = ColumnWriter(settings: settings, key: key, in: codingPath)
    writer.isNested = true
    return writer
  }

  // MARK: Result

  /// Returns the column's value. The result is NULL if no value was encoded.
  func content() throws -> any SQLiteBindable {
    switch written {
    case .nothing, .null: SQLiteValue.null
    case .content(let content): content
    case .single, .keyed, .list: try settings.json(self)
    }
  }

  /// Encodes the written value with a JSON encoder.
  func encode(to encoder: any Encoder) throws {
    switch written {
    case .nothing: _ = encoder.container(keyedBy: ColumnKey.self)
    case .null, .content:
      var container = encoder.singleValueContainer()
      try container.encodeNil()
    case .single(let value): try value.encode(to: encoder)
    case .keyed(let pairs):
      var container = encoder.container(keyedBy: ColumnKey.self)
      for (key, value) in pairs {
        try container.encode(value, forKey: ColumnKey(stringValue: key.stringValue))
      }
    case .list(let list):
      var container = encoder.unkeyedContainer()
      for value in list { try container.encode(value) }
    }
  }
}

/// A keyed container of a column's JSON.
struct KeyedJSONWriter<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let writer: ColumnWriter

  var codingPath: [any CodingKey] { writer.codingPath }

  func encodeNil(forKey key: Key) throws { writer.append(Bool?.none, for: key) }

  func encode<T: Encodable>(_ value: T, forKey key: Key) throws { writer.append(value, for: key) }

  func nestedContainer<NestedKey: CodingKey>(
    keyedBy type: NestedKey.Type, forKey key: Key
  ) -> KeyedEncodingContainer<NestedKey> {
    nested(key).container(keyedBy: type)
  }

  func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
    nested(key).unkeyedContainer()
  }

  func superEncoder() -> any Encoder { nested(ColumnKey.superKey) }

  func superEncoder(forKey key: Key) -> any Encoder { nested(key) }

  private func nested(_ key: any CodingKey) -> ColumnWriter {
    let nested = writer.nested(key)
    writer.append(nested, for: key)
    return nested
  }
}

/// An unkeyed container of a column's JSON.
struct JSONListWriter: UnkeyedEncodingContainer {
  let writer: ColumnWriter

  var codingPath: [any CodingKey] { writer.codingPath }

  var count: Int { writer.listCount }

  func encodeNil() throws { writer.append(Bool?.none) }

  func encode<T: Encodable>(_ value: T) throws { writer.append(value) }

  func nestedContainer<NestedKey: CodingKey>(
    keyedBy type: NestedKey.Type
  ) -> KeyedEncodingContainer<NestedKey> {
    nested().container(keyedBy: type)
  }

  func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { nested().unkeyedContainer() }

  func superEncoder() -> any Encoder { nested() }

  private func nested() -> ColumnWriter {
    let nested = writer.nested(ColumnKey(intValue: count))
    writer.append(nested)
    return nested
  }
}
