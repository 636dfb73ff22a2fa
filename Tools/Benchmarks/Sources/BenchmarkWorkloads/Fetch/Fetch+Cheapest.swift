internal import CBaseline
internal import Foundation

/// Decodes rows of a `Codable` type with the minimal work, as a lower bound for any decoder.
///
/// The decoder ignores keys and reads the columns in the order in which they are requested. It does
/// not check types or UTF-8, does not throw, and uses the known number of rows. The remaining costs
/// are SQLite, the values, the compiler-generated `Codable` code, and the standard library's
/// containers.
enum MinimalDecoderFetch {
  static func codable(_ path: String, rows: Int) throws -> Work {
    guard let statement = baseline_open_all(path) else { throw BaselineError(code: 1) }
    defer { baseline_close_all(statement) }
    let decoder = MinimalDecoder(statement)
    var items: [PortableItem] = []
    items.reserveCapacity(rows)
    while baseline_step(statement) {
      decoder.next.pointee = 0
      items.append(try PortableItem(from: decoder))
    }
    var sum: UInt64 = 0
    for index in items.indices { sum &+= items[index].weight }
    return Work(checksum: sum)
  }
}

private struct UnsupportedDecoding: Error {}

private final class MinimalDecoder: Decoder {
  let statement: OpaquePointer
  /// The index of the next column to read.
  let next = UnsafeMutablePointer<Int32>.allocate(capacity: 1)
  /// Memory for converting a `Data` to the generic type that is requested.
  let place = UnsafeMutablePointer<Data>.allocate(capacity: 1)
  private var container: AnyObject?

  init(_ statement: OpaquePointer) { self.statement = statement }

  deinit {
    next.deallocate()
    place.deallocate()
  }

  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  /// Returns one container for all rows, since there is only one key type. Holt can't do this, since the standard
  /// library does not guarantee that a container is a single reference.
  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
    if let container { return unsafeBitCast(container, to: KeyedDecodingContainer<Key>.self) }
    let made = KeyedDecodingContainer(
      MinimalColumnContainer<Key>(statement: statement, next: next, place: place))
    container = unsafeBitCast(made, to: AnyObject.self)
    return made
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer { throw UnsupportedDecoding() }
  func singleValueContainer() throws -> any SingleValueDecodingContainer {
    throw UnsupportedDecoding()
  }
}

private struct MinimalColumnContainer<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let statement: OpaquePointer
  let next: UnsafeMutablePointer<Int32>
  let place: UnsafeMutablePointer<Data>

  @inline(__always)
  private func column() -> Int32 {
    defer { next.pointee += 1 }
    return next.pointee
  }

  @inline(__always)
  private func isNull() -> Bool { baseline_is_null(statement, next.pointee) }

  func decode(_: Int64.Type, forKey: Key) -> Int64 { baseline_integer(statement, column()) }

  func decode(_: Double.Type, forKey: Key) -> Double { baseline_real(statement, column()) }

  func decode(_: Bool.Type, forKey: Key) -> Bool { baseline_integer(statement, column()) != 0 }

  func decode(_: String.Type, forKey: Key) -> String {
    let column = column()
    let start = baseline_text_at(statement, column)
    let count = Int(baseline_size(statement, column))
    let bytes = UnsafeBufferPointer(start: start, count: count)
    guard #available(macOS 26, *) else { return String(decoding: bytes, as: UTF8.self) }
    return String(copying: UTF8Span(unchecked: bytes.span, isKnownASCII: true))
  }

  func decodeIfPresent(_ type: Double.Type, forKey key: Key) -> Double? {
    guard isNull() else { return decode(type, forKey: key) }
    next.pointee += 1
    return nil
  }

  func decodeIfPresent(_ type: String.Type, forKey key: Key) -> String? {
    guard isNull() else { return decode(type, forKey: key) }
    next.pointee += 1
    return nil
  }

  func decode<Value: Decodable>(_ type: Value.Type, forKey: Key) throws -> Value {
    guard type == Data.self else { throw UnsupportedDecoding() }
    let column = column()
    guard let start = baseline_blob_at(statement, column) else { throw UnsupportedDecoding() }
    place.initialize(to: Data(bytes: start, count: Int(baseline_size(statement, column))))
    return UnsafeMutableRawPointer(place).assumingMemoryBound(to: Value.self).move()
  }

  // The following requirements are not called.

  var codingPath: [any CodingKey] { [] }
  var allKeys: [Key] { [] }
  func contains(_ key: Key) -> Bool { true }
  func decodeNil(forKey key: Key) -> Bool { isNull() }
  func superDecoder() throws -> any Decoder { throw UnsupportedDecoding() }
  func superDecoder(forKey key: Key) throws -> any Decoder { throw UnsupportedDecoding() }

  func nestedContainer<NestedKey: CodingKey>(
    keyedBy type: NestedKey.Type, forKey key: Key
  ) throws -> KeyedDecodingContainer<NestedKey> { throw UnsupportedDecoding() }

  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    throw UnsupportedDecoding()
  }
}
