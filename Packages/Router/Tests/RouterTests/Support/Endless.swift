import Router

/// A decoder of a value in which every part contains such a value again, like hostile data in
/// another format.
final class Endless: Decoder {
  final class Reads { var count = 0 }

  let keys: [String]
  let reads: Reads
  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  init(keys: [String], reads: Reads = Reads()) {
    self.keys = keys
    self.reads = reads
    reads.count += 1
  }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    KeyedDecodingContainer(Keyed<Key>(decoder: self))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer { List(decoder: self) }

  func singleValueContainer() throws -> any SingleValueDecodingContainer { Single(decoder: self) }

  var again: Endless { Endless(keys: keys, reads: reads) }

  struct Keyed<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let decoder: Endless
    var codingPath: [any CodingKey] { [] }
    var allKeys: [Key] { decoder.keys.compactMap { Key(stringValue: $0) } }

    func contains(_ key: Key) -> Bool { decoder.keys.contains(key.stringValue) }
    func decodeNil(forKey key: Key) throws -> Bool { !contains(key) }
    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
      switch type {
      case is String.Type: if let value = "x" as? Value { return value }
      case is Bool.Type: if let value = false as? Value { return value }
      case is [DatabaseRoute.Column].Type, is [DatabaseRoute.Order].Type:
        if let value = [Never]() as? Value { return value }
      default: break
      }
      return try Value(from: decoder.again)
    }
    func decode(_ type: String.Type, forKey key: Key) throws -> String { "x" }
    func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool { false }
    func nestedContainer<Nested: CodingKey>(
      keyedBy type: Nested.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<Nested> {
      try decoder.again.container(keyedBy: type)
    }
    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
      try decoder.again.unkeyedContainer()
    }
    func superDecoder() throws -> any Decoder { decoder.again }
    func superDecoder(forKey key: Key) throws -> any Decoder { decoder.again }
  }

  struct List: UnkeyedDecodingContainer {
    let decoder: Endless
    var codingPath: [any CodingKey] { [] }
    var count: Int? { nil }
    var isAtEnd: Bool { false }
    var currentIndex: Int { 0 }

    mutating func decodeNil() throws -> Bool { false }
    mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
      try Value(from: decoder.again)
    }
    mutating func nestedContainer<Nested: CodingKey>(
      keyedBy type: Nested.Type
    ) throws -> KeyedDecodingContainer<Nested> {
      try decoder.again.container(keyedBy: type)
    }
    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer { self }
    mutating func superDecoder() throws -> any Decoder { decoder.again }
  }

  struct Single: SingleValueDecodingContainer {
    let decoder: Endless
    var codingPath: [any CodingKey] { [] }

    func decodeNil() -> Bool { false }
    func decode(_ type: String.Type) throws -> String { "x" }
    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
      if let value = "x" as? Value { return value }
      return try Value(from: decoder.again)
    }
  }
}
