/// The encoder that a value of a whole row finds.
class RowWriter: Encoder, SingleValueEncodingContainer {
  let settings: RowEncoder
  private var columns: [(name: String, content: Written)] = []
  /// Whether something was written that is no column with a name.
  private(set) var isUnnamed = false
  private let lender = Lender<RowWriter>(pool)
  private let lent = UncheckedBox(LentContainers())
  /// Whether the value is another one by now that is encoded, or none.
  private(set) var hasEnded = false

  private static let pool = LoanPool<RowWriter>()

  private enum Written {
    case content(any SQLiteBindable)
    /// A value that is written piece by piece, and known at the end.
    case pieces(ColumnWriter)
  }

  init(settings: RowEncoder) {
    self.settings = settings
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

  /// Goes on to the next value, while nobody keeps the encoder.
  func endRow() {
    isUnnamed = false
    if lent.value.mayBeKept() { recallContainers() }
  }

  var codingPath: [any CodingKey] { [] }

  var userInfo: [CodingUserInfoKey: Any] { settings.userInfo }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    if let first = lent.value.first, first.hasKeys(type) {
      return first.encodingContainer(keyedBy: type)
    }
    let container = KeyedEncodingContainer(KeyedRowWriter<Key>(loan: lender.lend(self)))
    if lent.value.first == nil, let object = ContainerObject(container) {
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

  func write(_ value: SQLiteValue, for key: String) throws {
    write(.content(value), for: key)
  }

  func write<T: Encodable>(encodable value: T, for key: String) throws {
    write(.content(try settings.content(value)), for: key)
  }

  final func refuseKept() throws {
    if hasEnded { throw Self.expired() }
  }

  @inline(never)
  static func expired() -> SQLiteError {
    SQLiteError(
      code: .misuse,
      message: "the encoder or its container was kept, and is used after its value was encoded")
  }

  /// The encoder of a column that is written piece by piece.
  func pieces(for key: some CodingKey) -> ColumnWriter {
    let writer = ColumnWriter(settings: settings, key: key)
    write(.pieces(writer), for: key.stringValue)
    return writer
  }

  private func write(_ content: Written, for key: String) {
    let name = settings.keyEncodingStrategy.column(of: key)
    if let index = columns.firstIndex(where: { $0.name == name }) {
      // A type and its superclass may have a key in common.
      columns[index].content = content
    } else {
      columns.append((name, content))
    }
  }

  func row() throws -> [(name: String, content: any SQLiteBindable)] {
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

  func encodeNil(forKey key: Key) throws { try with { try $0.write(.null, for: key.stringValue) } }

  // The types that rows are mostly made of need not be asked what they are.

  func encode(_ value: Bool, forKey key: Key) throws {
    try with { try $0.write(.integer(value ? 1 : 0), for: key.stringValue) }
  }
  func encode(_ value: Int, forKey key: Key) throws {
    try with { try $0.write(.integer(Int64(value)), for: key.stringValue) }
  }
  func encode(_ value: Int64, forKey key: Key) throws {
    try with { try $0.write(.integer(value), for: key.stringValue) }
  }
  func encode(_ value: Double, forKey key: Key) throws {
    try with { try $0.write(.real(value), for: key.stringValue) }
  }
  func encode(_ value: Float, forKey key: Key) throws {
    try with { try $0.write(.real(Double(value)), for: key.stringValue) }
  }
  func encode(_ value: String, forKey key: Key) throws {
    try with { try $0.write(.text(value), for: key.stringValue) }
  }

  func encodeIfPresent(_ value: Bool?, forKey key: Key) throws {
    try with { try $0.write(value.map { .integer($0 ? 1 : 0) } ?? .null, for: key.stringValue) }
  }
  func encodeIfPresent(_ value: Int?, forKey key: Key) throws {
    try with { try $0.write(value.map { .integer(Int64($0)) } ?? .null, for: key.stringValue) }
  }
  func encodeIfPresent(_ value: Int64?, forKey key: Key) throws {
    try with { try $0.write(value.map { .integer($0) } ?? .null, for: key.stringValue) }
  }
  func encodeIfPresent(_ value: Double?, forKey key: Key) throws {
    if let value {
      try with { try $0.write(.real(value), for: key.stringValue) }
    } else {
      try encodeNil(forKey: key)
    }
  }
  func encodeIfPresent(_ value: String?, forKey key: Key) throws {
    try with { try $0.write(value.map { .text($0) } ?? .null, for: key.stringValue) }
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
    try with { try $0.write(encodable: value, for: key.stringValue) }
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
