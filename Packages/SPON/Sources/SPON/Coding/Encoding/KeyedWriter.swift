/// Writes the pairs of an object.
struct KeyedWriter<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let node: EncodingNode
  /// The serial number of the object.
  let object: Int

  var codingPath: [any CodingKey] { node.path(toContainer: object) }

  mutating func encodeNil(forKey key: Key) throws {
    try node.key(key.stringValue, in: object)
    try node.scalar { $0.null(isPair: $1) }
  }

  mutating func encode(_ value: Bool, forKey key: Key) throws {
    try node.pair(key.stringValue, in: object, value)
  }

  mutating func encode(_ value: String, forKey key: Key) throws {
    try node.pair(key.stringValue, in: object, value)
  }

  mutating func encode(_ value: Double, forKey key: Key) throws {
    try node.pair(key.stringValue, in: object, value)
  }

  mutating func encode(_ value: Float, forKey key: Key) throws {
    try node.key(key.stringValue, in: object)
    try node.scalar { $0.float(value, isPair: $1) }
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
    let before = try node.key(key.stringValue, in: object)
    do {
      try ValueEncoder(node: node, depth: before.depth, type: Value.self).write(value)
    } catch {
      node.undo(to: before)
      throw error
    }
  }

  private func integer(_ value: Int64, _ key: Key) throws {
    try node.pair(key.stringValue, in: object, value)
  }

  private func unsigned(_ value: UInt64, _ key: Key) throws {
    guard let value = Int64(exactly: value) else {
      try node.key(key.stringValue, in: object)
      return try node.scalar { $0.unsigned(value, isPair: $1) }
    }
    try integer(value, key)
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  mutating func encode(_ value: Int128, forKey key: Key) throws {
    try node.key(key.stringValue, in: object)
    try node.scalar { $0.wide(value, isPair: $1) }
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  mutating func encode(_ value: UInt128, forKey key: Key) throws {
    try node.key(key.stringValue, in: object)
    try node.scalar { $0.wide(value, isPair: $1) }
  }

  // MARK: Containers that may be written to at any time

  mutating func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type, forKey key: Key
  ) -> KeyedEncodingContainer<Nested> {
    let name = key.stringValue
    if let (inner, serial) = node.nested(name, in: object, isObject: true) {
      return KeyedEncodingContainer(KeyedWriter<Nested>(node: inner, object: serial))
    }
    let inner = childNode(name)
    return KeyedEncodingContainer(
      KeyedWriter<Nested>(node: inner, object: inner.object(at: 0, type: nil, keys: type)))
  }

  mutating func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
    let name = key.stringValue
    if let (inner, serial) = node.nested(name, in: object, isObject: false) {
      return UnkeyedWriter(node: inner, array: serial)
    }
    let inner = childNode(name)
    return UnkeyedWriter(node: inner, array: inner.array(at: 0))
  }

  mutating func superEncoder() -> any Encoder {
    ValueEncoder(node: childNode("super"), depth: 0, type: nil)
  }

  mutating func superEncoder(forKey key: Key) -> any Encoder {
    ValueEncoder(node: childNode(key.stringValue), depth: 0, type: nil)
  }

  private func childNode(_ name: String) -> EncodingNode {
    do {
      try node.key(name, in: object)
    } catch {
      node.session.fail(error)
    }
    return node.childNode(in: object, key: name)
  }
}

/// Writes the elements of an array.
struct UnkeyedWriter: UnkeyedEncodingContainer {
  let node: EncodingNode
  /// The serial number of the array.
  let array: Int

  var codingPath: [any CodingKey] { node.path(toContainer: array) }

  var count: Int { node.count(of: array) }

  mutating func encodeNil() throws {
    try node.element(in: array)
    try node.scalar { $0.null(isPair: $1) }
  }

  mutating func encode(_ value: Bool) throws {
    try node.element(in: array)
    try node.scalar { $0.bool(value, isPair: $1) }
  }

  mutating func encode(_ value: String) throws {
    try node.element(in: array)
    try node.scalar { $0.string(value, isPair: $1) }
  }

  mutating func encode(_ value: Double) throws {
    try node.element(in: array)
    try node.scalar { $0.double(value, isPair: $1) }
  }

  mutating func encode(_ value: Float) throws {
    try node.element(in: array)
    try node.scalar { $0.float(value, isPair: $1) }
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
    try node.element(in: array)
    try node.scalar { $0.wide(value, isPair: $1) }
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  mutating func encode(_ value: UInt128) throws {
    try node.element(in: array)
    try node.scalar { $0.wide(value, isPair: $1) }
  }

  mutating func encode<Value: Encodable>(_ value: Value) throws {
    let before = try node.element(in: array)
    do {
      try ValueEncoder(node: node, depth: before.depth, type: Value.self).write(value)
    } catch {
      node.undo(to: before)
      throw error
    }
  }

  private func integer(_ value: Int64) throws {
    try node.element(in: array)
    try node.scalar { $0.integer(value, isPair: $1) }
  }

  private func unsigned(_ value: UInt64) throws {
    try node.element(in: array)
    try node.scalar { $0.unsigned(value, isPair: $1) }
  }

  // MARK: Containers that may be written to at any time

  mutating func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type
  ) -> KeyedEncodingContainer<Nested> {
    let inner = childNode()
    return KeyedEncodingContainer(
      KeyedWriter<Nested>(
        node: inner,
        object: inner.object(at: 0, type: nil, keys: type)))
  }

  mutating func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
    let inner = childNode()
    return UnkeyedWriter(
      node: inner, array: inner.array(at: 0))
  }

  mutating func superEncoder() -> any Encoder {
    ValueEncoder(node: childNode(), depth: 0, type: nil)
  }

  private func childNode() -> EncodingNode {
    do {
      try node.element(in: array)
    } catch {
      node.session.fail(error)
    }
    return node.childNode(in: array)
  }
}
