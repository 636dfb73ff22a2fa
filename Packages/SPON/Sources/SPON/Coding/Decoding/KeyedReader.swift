/// Reads the values of an object by key.
struct KeyedReader<Key: CodingKey>: KeyedDecodingContainerProtocol {
  private let session: DecodingSession
  private let object: Int
  private let matching: DecodingSession.KeyMatching

  init(_ session: DecodingSession, _ index: Int, _ type: Any.Type?) throws {
    guard session.entries[index].kind == .object else {
      throw session.mismatch(index, [String: Any].self)
    }
    self.session = session
    object = index
    matching = DecodingSession.KeyMatching(type, session)
    session.beginObject(index)
  }

  var codingPath: [any CodingKey] { session.path(to: object) }

  var allKeys: [Key] {
    session.children(of: object).compactMap { Key(stringValue: session.key(of: $0, matching)) }
  }

  func contains(_ key: Key) -> Bool {
    session.find(key.stringValue, in: object, matching) >= 0
  }

  func decodeNil(forKey key: Key) throws -> Bool {
    session.entries[try find(key)].kind == .null
  }

  /// Returns the entry of a required key.
  @inline(__always)
  private func find(_ key: Key) throws -> Int {
    let index = session.find(key.stringValue, in: object, matching)
    guard index >= 0 else { throw session.missingKey(key.stringValue, in: object) }
    session.pass(index)
    return index
  }

  /// Returns the entry of an optional key; `nil` if it is missing or null.
  @inline(__always)
  private func findIfPresent(_ key: Key) -> Int? {
    let index = session.find(key.stringValue, in: object, matching)
    guard index >= 0 else { return nil }
    session.pass(index)
    return session.entries[index].kind == .null ? nil : index
  }

  func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool {
    try session.bool(at: find(key))
  }

  func decode(_ type: String.Type, forKey key: Key) throws -> String {
    try session.string(at: find(key))
  }

  func decode(_ type: Double.Type, forKey key: Key) throws -> Double {
    try session.double(at: find(key))
  }

  func decode(_ type: Float.Type, forKey key: Key) throws -> Float {
    try session.float(at: find(key))
  }

  func decode(_ type: Int.Type, forKey key: Key) throws -> Int {
    try session.integer(at: find(key), type)
  }

  func decode(_ type: Int8.Type, forKey key: Key) throws -> Int8 {
    try session.integer(at: find(key), type)
  }

  func decode(_ type: Int16.Type, forKey key: Key) throws -> Int16 {
    try session.integer(at: find(key), type)
  }

  func decode(_ type: Int32.Type, forKey key: Key) throws -> Int32 {
    try session.integer(at: find(key), type)
  }

  func decode(_ type: Int64.Type, forKey key: Key) throws -> Int64 {
    try session.integer(at: find(key), type)
  }

  func decode(_ type: UInt.Type, forKey key: Key) throws -> UInt {
    try session.integer(at: find(key), type)
  }

  func decode(_ type: UInt8.Type, forKey key: Key) throws -> UInt8 {
    try session.integer(at: find(key), type)
  }

  func decode(_ type: UInt16.Type, forKey key: Key) throws -> UInt16 {
    try session.integer(at: find(key), type)
  }

  func decode(_ type: UInt32.Type, forKey key: Key) throws -> UInt32 {
    try session.integer(at: find(key), type)
  }

  func decode(_ type: UInt64.Type, forKey key: Key) throws -> UInt64 {
    try session.integer(at: find(key), type)
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  func decode(_ type: Int128.Type, forKey key: Key) throws -> Int128 {
    try session.integer(at: find(key), type)
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  func decode(_ type: UInt128.Type, forKey key: Key) throws -> UInt128 {
    try session.integer(at: find(key), type)
  }

  func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
    let index = try find(key)
    defer { session.pass(index) }
    return try session.decode(type, at: index)
  }

  // MARK: Optional values, with a single lookup

  func decodeIfPresent(_ type: Bool.Type, forKey key: Key) throws -> Bool? {
    guard let index = findIfPresent(key) else { return nil }
    return try session.bool(at: index)
  }

  func decodeIfPresent(_ type: String.Type, forKey key: Key) throws -> String? {
    guard let index = findIfPresent(key) else { return nil }
    return try session.string(at: index)
  }

  func decodeIfPresent(_ type: Double.Type, forKey key: Key) throws -> Double? {
    guard let index = findIfPresent(key) else { return nil }
    return try session.double(at: index)
  }

  func decodeIfPresent(_ type: Float.Type, forKey key: Key) throws -> Float? {
    guard let index = findIfPresent(key) else { return nil }
    return try session.float(at: index)
  }

  func decodeIfPresent(_ type: Int.Type, forKey key: Key) throws -> Int? {
    guard let index = findIfPresent(key) else { return nil }
    return try session.integer(at: index, type)
  }

  func decodeIfPresent(_ type: Int64.Type, forKey key: Key) throws -> Int64? {
    guard let index = findIfPresent(key) else { return nil }
    return try session.integer(at: index, type)
  }

  func decodeIfPresent<Value: Decodable>(
    _ type: Value.Type, forKey key: Key
  ) throws -> Value? {
    guard let index = findIfPresent(key) else { return nil }
    defer { session.pass(index) }
    return try session.decode(type, at: index)
  }

  // MARK: Containers

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type, forKey key: Key
  ) throws -> KeyedDecodingContainer<Nested> {
    KeyedDecodingContainer(try KeyedReader<Nested>(session, find(key), nil))
  }

  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    try UnkeyedReader(session, find(key))
  }

  func superDecoder() throws -> any Decoder {
    let index = session.find("super", in: object, matching)
    guard index >= 0 else { throw session.missingKey("super", in: object) }
    return ValueDecoder(session: session, index: index, type: nil)
  }

  func superDecoder(forKey key: Key) throws -> any Decoder {
    ValueDecoder(session: session, index: try find(key), type: nil)
  }
}
