/// A keyed container, as the object of the library's that it refers to.
///
/// The library makes such an object for each container: an allocation, and two look-ups of generic
/// types, as dear as reading three columns. One that nobody has kept may serve the next row, read or
/// written.
struct ContainerObject {
  // Never `nil`. Of one that is not optional, the check for uniqueness would make a copy.
  private var object: AnyObject?
  private let key: ObjectIdentifier

  /// Fails where the library makes containers in another way than it did so far.
  init?<Key: CodingKey>(_ container: KeyedDecodingContainer<Key>) {
    guard Self.isContainerReference else { return nil }
    object = unsafe unsafeBitCast(container, to: AnyObject.self)
    key = ObjectIdentifier(Key.self)
  }

  /// Fails likewise.
  init?<Key: CodingKey>(_ container: KeyedEncodingContainer<Key>) {
    guard Self.isEncodingContainerReference else { return nil }
    object = unsafe unsafeBitCast(container, to: AnyObject.self)
    key = ObjectIdentifier(Key.self)
  }

  /// Whether it is a container of these keys.
  @inline(__always)
  func hasKeys(_ type: (some CodingKey).Type) -> Bool { key == ObjectIdentifier(type) }

  /// The container, of the keys that it was made for.
  @inline(__always)
  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
    precondition(hasKeys(type), "a container is read by the keys that it was made for")
    return unsafe unsafeBitCast(object, to: KeyedDecodingContainer<Key>.self)
  }

  /// The container, of the keys that it was made for, where it is one to encode.
  @inline(__always)
  func encodingContainer<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    precondition(hasKeys(type), "a container is written by the keys that it was made for")
    return unsafe unsafeBitCast(object, to: KeyedEncodingContainer<Key>.self)
  }

  /// Whether someone else has the container too.
  @inline(__always)
  mutating func isShared() -> Bool { !isKnownUniquelyReferenced(&object) }

  /// Whether a container is a reference to an object and nothing else. The library does not promise
  /// that it is, so it is looked at, once in a process.
  private static let isContainerReference: Bool = {
    let container = KeyedDecodingContainer(NoColumns())
    guard isReference(container) else { return false }
    return unsafe unsafeBitCast(container, to: UInt.self) == address(of: container)
  }()

  private static let isEncodingContainerReference: Bool = {
    let container = KeyedEncodingContainer(NoColumns.Written())
    guard isReference(container) else { return false }
    return unsafe unsafeBitCast(container, to: UInt.self) == address(of: container)
  }()

  /// Whether a container is as large as a reference, and has one part, which is an object.
  private static func isReference<Container>(_ container: Container) -> Bool {
    MemoryLayout<Container>.size == MemoryLayout<UInt>.size && address(of: container) != nil
  }

  /// Where the object is that is a container's only part.
  private static func address(of container: Any) -> UInt? {
    let parts = Array(Mirror(reflecting: container).children)
    guard parts.count == 1, let part = parts.first?.value, Swift.type(of: part) is AnyClass else {
      return nil
    }
    return UInt(bitPattern: ObjectIdentifier(part as AnyObject))
  }
}

/// A container to look at.
private struct NoColumns: KeyedDecodingContainerProtocol {
  enum Key: CodingKey {}

  let codingPath: [any CodingKey] = []
  let allKeys: [Key] = []

  func contains(_ key: Key) -> Bool {}

  func decodeNil(forKey key: Key) throws -> Bool {}

  func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {}

  func nestedContainer<NestedKey: CodingKey>(
    keyedBy type: NestedKey.Type, forKey key: Key
  ) throws -> KeyedDecodingContainer<NestedKey> {}

  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {}

  func superDecoder() throws -> any Decoder { throw CancellationError() }

  func superDecoder(forKey key: Key) throws -> any Decoder {}

  struct Written: KeyedEncodingContainerProtocol {
    let codingPath: [any CodingKey] = []

    func encodeNil(forKey key: NoColumns.Key) throws {}

    func encode<Value: Encodable>(_ value: Value, forKey key: NoColumns.Key) throws {}

    func nestedContainer<NestedKey: CodingKey>(
      keyedBy keyType: NestedKey.Type, forKey key: NoColumns.Key
    ) -> KeyedEncodingContainer<NestedKey> {}

    func nestedUnkeyedContainer(forKey key: NoColumns.Key) -> any UnkeyedEncodingContainer {}

    func superEncoder() -> any Encoder { RowWriter(settings: RowEncoder()) }

    func superEncoder(forKey key: NoColumns.Key) -> any Encoder {}
  }
}
