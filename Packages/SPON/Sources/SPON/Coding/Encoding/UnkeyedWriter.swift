/// Writes the elements of an array.
struct UnkeyedWriter: UnkeyedEncodingContainer {
  let piece: EncodedPiece
  let container: EncodedPiece.Container

  var codingPath: [any CodingKey] { piece.path }

  var count: Int { piece.count(of: container) }

  mutating func encodeNil() throws {
    try piece.element(in: container)
    try piece.null()
  }

  mutating func encode(_ value: Bool) throws {
    try piece.element(in: container)
    try piece.bool(value)
  }

  mutating func encode(_ value: String) throws {
    try piece.element(in: container)
    try piece.string(value)
  }

  mutating func encode(_ value: Double) throws {
    try piece.element(in: container)
    try piece.double(value)
  }

  mutating func encode(_ value: Float) throws {
    try piece.element(in: container)
    try piece.float(value)
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

  mutating func encode<Value: Encodable>(_ value: Value) throws {
    try piece.element(in: container)
    try ValueEncoder(piece: piece, type: Value.self).encode(value)
  }

  private func integer(_ value: Int64) throws(SPONError) {
    try piece.element(in: container)
    try piece.integer(value)
  }

  private func unsigned(_ value: UInt64) throws(SPONError) {
    try piece.element(in: container)
    try piece.unsigned(value)
  }

  // MARK: Containers that may be written at any time

  mutating func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type
  ) -> KeyedEncodingContainer<Nested> {
    let inner = innerPiece()
    return KeyedEncodingContainer(
      KeyedWriter<Nested>(
        piece: inner,
        container: inner.container(at: 0, isObject: true, type: nil, keys: type)))
  }

  mutating func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
    let inner = innerPiece()
    return UnkeyedWriter(
      piece: inner, container: inner.container(at: 0, isObject: false, type: nil))
  }

  mutating func superEncoder() -> any Encoder { ValueEncoder(piece: innerPiece(), type: nil) }

  private func innerPiece() -> EncodedPiece {
    do {
      try piece.element(in: container)
    } catch {
      piece.session.fail(error)
    }
    return piece.innerPiece()
  }
}
