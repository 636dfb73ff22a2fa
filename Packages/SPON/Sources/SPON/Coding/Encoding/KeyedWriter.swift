/// Writes the pairs of an object.
struct KeyedWriter<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let piece: EncodingNode
  /// The serial number of the object.
  let object: Int

  var codingPath: [any CodingKey] { piece.path(toContainer: object) }

  mutating func encodeNil(forKey key: Key) throws {
    try piece.key(key.stringValue, in: object)
    try piece.scalar { $0.null(isPair: $1) }
  }

  mutating func encode(_ value: Bool, forKey key: Key) throws {
    try piece.pair(key.stringValue, in: object, value)
  }

  mutating func encode(_ value: String, forKey key: Key) throws {
    try piece.pair(key.stringValue, in: object, value)
  }

  mutating func encode(_ value: Double, forKey key: Key) throws {
    try piece.pair(key.stringValue, in: object, value)
  }

  mutating func encode(_ value: Float, forKey key: Key) throws {
    try piece.key(key.stringValue, in: object)
    try piece.scalar { $0.float(value, isPair: $1) }
  }

  mutating func encode(_ value: Int, forKey key: Key) throws {
    try integer(Int64(value), key)
  }

  mutating func encode(_ value: Int8, forKey key: Key) throws {
    try integer(Int64(value), key)
  }

  mutating func encode(_ value: Int16, forKey key: Key) throws {
    try integer(Int64(value), key)
  }

  mutating func encode(_ value: Int32, forKey key: Key) throws {
    try integer(Int64(value), key)
  }

  mutating func encode(_ value: Int64, forKey key: Key) throws {
    try integer(value, key)
  }

  mutating func encode(_ value: UInt, forKey key: Key) throws {
    try unsigned(UInt64(value), key)
  }

  mutating func encode(_ value: UInt8, forKey key: Key) throws {
    try unsigned(UInt64(value), key)
  }

  mutating func encode(_ value: UInt16, forKey key: Key) throws {
    try unsigned(UInt64(value), key)
  }

  mutating func encode(_ value: UInt32, forKey key: Key) throws {
    try unsigned(UInt64(value), key)
  }

  mutating func encode(_ value: UInt64, forKey key: Key) throws {
    try unsigned(value, key)
  }

  mutating func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws {
    let before = try piece.key(key.stringValue, in: object)
    do {
      try ValueEncoder(piece: piece, depth: before.depth, type: Value.self).write(value)
    } catch {
      piece.undo(to: before)
      throw error
    }
  }

  private func integer(_ value: Int64, _ key: Key) throws {
    try piece.pair(key.stringValue, in: object, value)
  }

  private func unsigned(_ value: UInt64, _ key: Key) throws {
    guard let value = Int64(exactly: value) else {
      try piece.key(key.stringValue, in: object)
      return try piece.scalar { $0.unsigned(value, isPair: $1) }
    }
    try integer(value, key)
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  mutating func encode(_ value: Int128, forKey key: Key) throws {
    try piece.key(key.stringValue, in: object)
    try piece.scalar { $0.wide(value, isPair: $1) }
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  mutating func encode(_ value: UInt128, forKey key: Key) throws {
    try piece.key(key.stringValue, in: object)
    try piece.scalar { $0.wide(value, isPair: $1) }
  }

  // MARK: Containers that may be written to at any time

  mutating func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type, forKey key: Key
  ) -> KeyedEncodingContainer<Nested> {
    let name = key.stringValue
    if let (inner, serial) = piece.nested(name, in: object, isObject: true) {
      return KeyedEncodingContainer(KeyedWriter<Nested>(piece: inner, object: serial))
    }
    let inner = childNode(name)
    return KeyedEncodingContainer(
      KeyedWriter<Nested>(piece: inner, object: inner.object(at: 0, type: nil, keys: type)))
  }

  mutating func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
    let name = key.stringValue
    if let (inner, serial) = piece.nested(name, in: object, isObject: false) {
      return UnkeyedWriter(piece: inner, array: serial)
    }
    let inner = childNode(name)
    return UnkeyedWriter(piece: inner, array: inner.array(at: 0))
  }

  mutating func superEncoder() -> any Encoder {
    ValueEncoder(piece: childNode("super"), depth: 0, type: nil)
  }

  mutating func superEncoder(forKey key: Key) -> any Encoder {
    ValueEncoder(piece: childNode(key.stringValue), depth: 0, type: nil)
  }

  private func childNode(_ name: String) -> EncodingNode {
    do {
      try piece.key(name, in: object)
    } catch {
      piece.session.fail(error)
    }
    return piece.childNode(in: object, key: name)
  }
}

/// Writes the elements of an array.
struct UnkeyedWriter: UnkeyedEncodingContainer {
  let piece: EncodingNode
  /// The serial number of the array.
  let array: Int

  var codingPath: [any CodingKey] { piece.path(toContainer: array) }

  var count: Int { piece.count(of: array) }

  mutating func encodeNil() throws {
    try piece.element(in: array)
    try piece.scalar { $0.null(isPair: $1) }
  }

  mutating func encode(_ value: Bool) throws {
    try piece.element(in: array)
    try piece.scalar { $0.bool(value, isPair: $1) }
  }

  mutating func encode(_ value: String) throws {
    try piece.element(in: array)
    try piece.scalar { $0.string(value, isPair: $1) }
  }

  mutating func encode(_ value: Double) throws {
    try piece.element(in: array)
    try piece.scalar { $0.double(value, isPair: $1) }
  }

  mutating func encode(_ value: Float) throws {
    try piece.element(in: array)
    try piece.scalar { $0.float(value, isPair: $1) }
  }

  mutating func encode(_ value: Int) throws { try integer(Int64(value)) }
  mutating func encode(_ value: Int8) throws { try integer(Int64(value)) }
  mutating func encode(_ value: Int16) throws { try integer(Int64(value)) }
  mutating func encode(_ value: Int32) throws { try integer(Int64(value)) }
  mutating func encode(_ value: Int64) throws { try integer(value) }
  mutating func encode(_ value: UInt) throws { try unsigned(UInt64(value)) }
  mutating func encode(_ value: UInt8) throws { try unsigned(UInt64(value)) }
  mutating func encode(_ value: UInt16) throws { try unsigned(UInt64(value)) }
  mutating func encode(_ value: UInt32) throws { try unsigned(UInt64(value)) }
  mutating func encode(_ value: UInt64) throws { try unsigned(value) }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  mutating func encode(_ value: Int128) throws {
    try piece.element(in: array)
    try piece.scalar { $0.wide(value, isPair: $1) }
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  mutating func encode(_ value: UInt128) throws {
    try piece.element(in: array)
    try piece.scalar { $0.wide(value, isPair: $1) }
  }

  mutating func encode<Value: Encodable>(_ value: Value) throws {
    let before = try piece.element(in: array)
    do {
      try ValueEncoder(piece: piece, depth: before.depth, type: Value.self).write(value)
    } catch {
      piece.undo(to: before)
      throw error
    }
  }

  private func integer(_ value: Int64) throws {
    try piece.element(in: array)
    try piece.scalar { $0.integer(value, isPair: $1) }
  }

  private func unsigned(_ value: UInt64) throws {
    try piece.element(in: array)
    try piece.scalar { $0.unsigned(value, isPair: $1) }
  }

  // MARK: Containers that may be written to at any time

  mutating func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type
  ) -> KeyedEncodingContainer<Nested> {
    let inner = childNode()
    return KeyedEncodingContainer(
      KeyedWriter<Nested>(
        piece: inner,
        object: inner.object(at: 0, type: nil, keys: type)))
  }

  mutating func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
    let inner = childNode()
    return UnkeyedWriter(
      piece: inner, array: inner.array(at: 0))
  }

  mutating func superEncoder() -> any Encoder {
    ValueEncoder(piece: childNode(), depth: 0, type: nil)
  }

  private func childNode() -> EncodingNode {
    do {
      try piece.element(in: array)
    } catch {
      piece.session.fail(error)
    }
    return piece.childNode(in: array)
  }
}
