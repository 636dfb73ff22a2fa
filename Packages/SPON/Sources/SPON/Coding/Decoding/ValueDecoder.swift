/// The decoder that a type gets: reads one value of the tape.
struct ValueDecoder: Decoder {
  let session: DecodingSession
  let index: Int
  /// The type that is decoded.
  let type: Any.Type?

  var codingPath: [any CodingKey] { session.path(to: index) }

  var userInfo: [CodingUserInfoKey: Any] { session.options.userInfo }

  func container<Key: CodingKey>(
    keyedBy type: Key.Type
  ) throws -> KeyedDecodingContainer<Key> {
    KeyedDecodingContainer(try KeyedReader<Key>(session, index, self.type))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    try UnkeyedReader(session, index)
  }

  func singleValueContainer() throws -> any SingleValueDecodingContainer { self }
}

extension ValueDecoder: SingleValueDecodingContainer {
  func decodeNil() -> Bool { session.entries[index].kind == .null }
  func decode(_ type: Bool.Type) throws -> Bool { try session.bool(at: index) }
  func decode(_ type: String.Type) throws -> String { try session.string(at: index) }
  func decode(_ type: Double.Type) throws -> Double { try session.double(at: index) }
  func decode(_ type: Float.Type) throws -> Float { try session.float(at: index) }
  func decode(_ type: Int.Type) throws -> Int { try session.integer(at: index, type) }
  func decode(_ type: Int8.Type) throws -> Int8 { try session.integer(at: index, type) }
  func decode(_ type: Int16.Type) throws -> Int16 { try session.integer(at: index, type) }
  func decode(_ type: Int32.Type) throws -> Int32 { try session.integer(at: index, type) }
  func decode(_ type: Int64.Type) throws -> Int64 { try session.integer(at: index, type) }
  func decode(_ type: UInt.Type) throws -> UInt { try session.integer(at: index, type) }
  func decode(_ type: UInt8.Type) throws -> UInt8 { try session.integer(at: index, type) }
  func decode(_ type: UInt16.Type) throws -> UInt16 { try session.integer(at: index, type) }
  func decode(_ type: UInt32.Type) throws -> UInt32 { try session.integer(at: index, type) }
  func decode(_ type: UInt64.Type) throws -> UInt64 { try session.integer(at: index, type) }
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  func decode(_ type: Int128.Type) throws -> Int128 { try session.integer(at: index, type) }
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  func decode(_ type: UInt128.Type) throws -> UInt128 { try session.integer(at: index, type) }

  func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
    try session.decode(type, at: index)
  }
}
