/// Reads the values of an array in order.
struct UnkeyedReader: UnkeyedDecodingContainer {
  private let session: DecodingSession
  private let array: Int
  /// The entry of the next value.
  private var next: Int
  private(set) var currentIndex = 0

  init(_ session: DecodingSession, _ index: Int) throws {
    guard session.entries[index].kind == .array else { throw session.mismatch(index, [Any].self) }
    self.session = session
    array = index
    next = index + 1
  }

  var codingPath: [any CodingKey] { session.path(to: array) }

  var count: Int? { session.entries[array].count }

  var isAtEnd: Bool { next >= session.entries[array].end }

  /// Returns the entry of the next value. `pass()` moves past it once the value is read.
  private func current(_ type: Any.Type) throws -> Int {
    guard !isAtEnd else {
      throw session.endOfArray(array, currentIndex, type)
    }
    return next
  }

  private mutating func pass() {
    next = session.tape.end(of: next)
    currentIndex += 1
  }

  mutating func decodeNil() throws -> Bool {
    let isNull = session.entries[try current(Any?.self)].kind == .null
    if isNull { pass() }
    return isNull
  }

  mutating func decode(_ type: Bool.Type) throws -> Bool {
    let value = try session.bool(at: current(type))
    pass()
    return value
  }

  mutating func decode(_ type: String.Type) throws -> String {
    let value = try session.string(at: current(type))
    pass()
    return value
  }

  mutating func decode(_ type: Double.Type) throws -> Double {
    let value = try session.double(at: current(type))
    pass()
    return value
  }

  mutating func decode(_ type: Float.Type) throws -> Float {
    let value = try session.float(at: current(type))
    pass()
    return value
  }

  mutating func decode(_ type: Int.Type) throws -> Int { try integer(type) }
  mutating func decode(_ type: Int8.Type) throws -> Int8 { try integer(type) }
  mutating func decode(_ type: Int16.Type) throws -> Int16 { try integer(type) }
  mutating func decode(_ type: Int32.Type) throws -> Int32 { try integer(type) }
  mutating func decode(_ type: Int64.Type) throws -> Int64 { try integer(type) }
  mutating func decode(_ type: UInt.Type) throws -> UInt { try integer(type) }
  mutating func decode(_ type: UInt8.Type) throws -> UInt8 { try integer(type) }
  mutating func decode(_ type: UInt16.Type) throws -> UInt16 { try integer(type) }
  mutating func decode(_ type: UInt32.Type) throws -> UInt32 { try integer(type) }
  mutating func decode(_ type: UInt64.Type) throws -> UInt64 { try integer(type) }
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  mutating func decode(_ type: Int128.Type) throws -> Int128 { try integer(type) }
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  mutating func decode(_ type: UInt128.Type) throws -> UInt128 { try integer(type) }

  mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
    let value = try session.decode(type, at: current(type))
    pass()
    return value
  }

  private mutating func integer<Integer: FixedWidthInteger>(
    _ type: Integer.Type
  ) throws -> Integer {
    let value = try session.integer(at: current(type), type)
    pass()
    return value
  }

  // MARK: Containers

  mutating func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type
  ) throws -> KeyedDecodingContainer<Nested> {
    let reader = try KeyedReader<Nested>(session, current([String: Any].self), nil)
    pass()
    return KeyedDecodingContainer(reader)
  }

  mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
    let reader = try UnkeyedReader(session, current([Any].self))
    pass()
    return reader
  }

  mutating func superDecoder() throws -> any Decoder {
    let decoder = ValueDecoder(session: session, index: try current((any Decoder).self), type: nil)
    pass()
    return decoder
  }
}

/// The decoder that a type receives. It reads one value of the tape.
struct ValueDecoder: Decoder {
  let session: DecodingSession
  let index: Int
  /// The type being decoded.
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
