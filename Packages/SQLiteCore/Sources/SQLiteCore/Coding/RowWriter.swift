/// The encoder that a value of a whole row finds.
final class RowWriter: Encoder, SingleValueEncodingContainer {
  let settings: RowEncoder
  private var columns: [(name: String, content: Written)] = []
  /// Whether something was written that is no column with a name.
  private(set) var isUnnamed = false
  /// What the columns are handed to as they come, in the place of ``columns``.
  private let places: ColumnPlaces?
  private let lender = Lender<RowWriter>(pool)
  private let lent = UncheckedBox(LentContainers())
  /// Whether ``places`` are those of another value by now.
  private var hasEnded = false

  private static let pool = LoanPool<RowWriter>()

  private enum Written {
    case content(EncodedContent)
    /// A value that is written piece by piece, and known at the end.
    case pieces(ColumnWriter)
  }

  init(settings: RowEncoder) {
    self.settings = settings
    places = nil
  }

  /// An encoder of values whose columns are known.
  init(places: ColumnPlaces) {
    settings = places.settings
    self.places = places
  }

  /// Refuses all writing from now on.
  func end() {
    hasEnded = true
    recallContainers()
  }

  /// Makes all containers so far find nothing.
  private func recallContainers() {
    lender.recall()
    lent.value = LentContainers()
  }

  /// This encoder, for the next value; `nil` where someone keeps it.
  consuming func readyForNextRow() -> RowWriter? {
    var writer = self
    guard isKnownUniquelyReferenced(&writer) else {
      writer.end()
      return nil
    }
    if writer.lent.value.mayBeKept() { writer.recallContainers() }
    return writer
  }

  var codingPath: [any CodingKey] { [] }

  var userInfo: [CodingUserInfoKey: Any] { settings.userInfo }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    if let first = lent.value.first, first.hasKeys(type) {
      return first.encodingContainer(keyedBy: type)
    }
    let container = KeyedEncodingContainer(KeyedRowWriter<Key>(loan: lender.lend(self)))
    if places != nil, lent.value.first == nil, let object = ContainerObject(container) {
      lent.value.first = object
    } else {
      lent.value.hasOthers = true
    }
    return container
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    isUnnamed = true
    return ColumnWriter(settings: settings).unkeyedContainer()
  }

  func singleValueContainer() -> any SingleValueEncodingContainer { self }

  func encodeNil() throws { throw unnamedColumns() }

  /// A type may be a row by way of a single value that is one.
  func encode<T: Encodable>(_ value: T) throws {
    // What the library encodes as a single value would ask for this container forever.
    if value is any SQLiteBindable { throw unnamedColumns() }
    try value.encode(to: self)
  }

  func unnamedColumns() -> SQLiteError {
    SQLiteError(
      code: .unnamedColumns,
      message: "the value to encode is a single value or a list, and has no names for columns")
  }

  @inline(__always)
  func write(_ value: SQLiteValue, for key: some CodingKey) throws {
    guard let places else { return write(.content(.value(value)), for: key) }
    try places.write(value, for: key)
  }

  @inline(__always)
  func write(_ value: Double, for key: some CodingKey) throws {
    guard let places else { return write(.content(.value(.real(value))), for: key) }
    try places.writeReal(value, for: key)
  }

  func write<T: Encodable>(encodable value: T, for key: some CodingKey) throws {
    guard let places else { return write(.content(try settings.content(value)), for: key) }
    try places.write(encodable: value, for: key)
  }

  @inline(never)
  static func expired() -> SQLiteError {
    SQLiteError(
      code: .misuse,
      message: "the encoder or its container was kept, and is used after its value was encoded")
  }

  /// The encoder of a column that is written piece by piece.
  func pieces(for key: some CodingKey) -> ColumnWriter {
    if let places, !hasEnded { return places.pieces(for: key) }
    let writer = ColumnWriter(settings: settings, key: key)
    write(.pieces(writer), for: key)
    return writer
  }

  private func write(_ content: Written, for key: some CodingKey) {
    let name = settings.keyEncodingStrategy.column(of: key.stringValue)
    if let index = columns.firstIndex(where: { $0.name == name }) {
      // A type and its superclass may have a key in common.
      columns[index].content = content
    } else {
      columns.append((name, content))
    }
  }

  func row() throws -> [(name: String, content: EncodedContent)] {
    if isUnnamed { throw unnamedColumns() }
    return try columns.map { name, written in
      switch written {
      case .content(let content): (name, content)
      case .pieces(let writer): (name, try writer.content())
      }
    }
  }
}

/// The columns of a row that is written, by their names.
struct KeyedRowWriter<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let loan: Loan<RowWriter>

  @inline(__always)
  private func with<Result>(_ body: (RowWriter) throws -> Result) throws -> Result {
    try loan.withObject(else: RowWriter.expired(), body)
  }

  var codingPath: [any CodingKey] { [] }

  func encodeNil(forKey key: Key) throws { try with { try $0.write(.null, for: key) } }

  // The types that rows are mostly made of need not be asked what they are.

  func encode(_ value: Bool, forKey key: Key) throws {
    try with { try $0.write(.integer(value ? 1 : 0), for: key) }
  }
  func encode(_ value: Int, forKey key: Key) throws {
    try with { try $0.write(.integer(Int64(value)), for: key) }
  }
  func encode(_ value: Int64, forKey key: Key) throws {
    try with { try $0.write(.integer(value), for: key) }
  }
  func encode(_ value: Double, forKey key: Key) throws {
    try with { try $0.write(value, for: key) }
  }
  func encode(_ value: Float, forKey key: Key) throws {
    try with { try $0.write(Double(value), for: key) }
  }
  func encode(_ value: String, forKey key: Key) throws {
    try with { try $0.write(.text(value), for: key) }
  }

  func encodeIfPresent(_ value: Bool?, forKey key: Key) throws {
    try with { try $0.write(value.map { .integer($0 ? 1 : 0) } ?? .null, for: key) }
  }
  func encodeIfPresent(_ value: Int?, forKey key: Key) throws {
    try with { try $0.write(value.map { .integer(Int64($0)) } ?? .null, for: key) }
  }
  func encodeIfPresent(_ value: Int64?, forKey key: Key) throws {
    try with { try $0.write(value.map { .integer($0) } ?? .null, for: key) }
  }
  func encodeIfPresent(_ value: Double?, forKey key: Key) throws {
    if let value { try with { try $0.write(value, for: key) } } else { try encodeNil(forKey: key) }
  }
  func encodeIfPresent(_ value: String?, forKey key: Key) throws {
    try with { try $0.write(value.map { .text($0) } ?? .null, for: key) }
  }

  // The library's own would leave a property that is nil out.

  func encodeIfPresent(_ value: Float?, forKey key: Key) throws {
    if let value { try encode(value, forKey: key) } else { try encodeNil(forKey: key) }
  }
  func encodeIfPresent(_ value: Int8?, forKey key: Key) throws { try encode(optional: value, key) }
  func encodeIfPresent(_ value: Int16?, forKey key: Key) throws { try encode(optional: value, key) }
  func encodeIfPresent(_ value: Int32?, forKey key: Key) throws { try encode(optional: value, key) }
  func encodeIfPresent(_ value: UInt?, forKey key: Key) throws { try encode(optional: value, key) }
  func encodeIfPresent(_ value: UInt8?, forKey key: Key) throws { try encode(optional: value, key) }
  func encodeIfPresent(_ value: UInt16?, forKey key: Key) throws {
    try encode(optional: value, key)
  }
  func encodeIfPresent(_ value: UInt32?, forKey key: Key) throws {
    try encode(optional: value, key)
  }
  func encodeIfPresent(_ value: UInt64?, forKey key: Key) throws {
    try encode(optional: value, key)
  }

  func encode<T: Encodable>(_ value: T, forKey key: Key) throws {
    try with { try $0.write(encodable: value, for: key) }
  }

  func encodeIfPresent<T: Encodable>(_ value: T?, forKey key: Key) throws {
    try encode(optional: value, key)
  }

  private func encode<T: Encodable>(optional value: T?, _ key: Key) throws {
    if let value { try encode(value, forKey: key) } else { try encodeNil(forKey: key) }
  }

  func encodeConditional<T: AnyObject & Encodable>(_ object: T, forKey key: Key) throws {
    try encode(object, forKey: key)
  }

  func nestedContainer<NestedKey: CodingKey>(
    keyedBy type: NestedKey.Type, forKey key: Key
  ) -> KeyedEncodingContainer<NestedKey> {
    pieces(key).container(keyedBy: type)
  }

  func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
    pieces(key).unkeyedContainer()
  }

  /// What a superclass has lies in the same row.
  func superEncoder() -> any Encoder {
    (try? with { $0 }) ?? RowWriter(settings: RowEncoder())
  }

  func superEncoder(forKey key: Key) -> any Encoder { pieces(key) }

  /// Of a container that was kept, what is written goes nowhere.
  private func pieces(_ key: Key) -> ColumnWriter {
    (try? with { $0.pieces(for: key) }) ?? ColumnWriter(settings: RowEncoder())
  }
}
