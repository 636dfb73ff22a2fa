/// The columns of a row, one after another.
struct PositionedColumns: UnkeyedDecodingContainer {
  let reader: RowReader
  private let columns: [Int]
  private(set) var currentIndex = 0

  init(reader: RowReader) {
    self.reader = reader
    columns = reader.columns
  }

  var codingPath: [any CodingKey] { reader.codingPath }

  var count: Int? { columns.count }

  var isAtEnd: Bool { currentIndex >= columns.count }

  /// The column that is next to be read.
  private func current() throws(SQLiteError) -> Int {
    guard reader.isLive else { throw reader.expired() }
    guard !isAtEnd else { throw reader.noColumn(currentIndex) }
    return columns[currentIndex]
  }

  mutating func decodeNil() throws -> Bool {
    guard try reader.row.isNull(at: ColumnIndex(current())) else { return false }
    currentIndex += 1
    return true
  }

  mutating func decode<T: Decodable>(_ type: T.Type) throws -> T {
    let value = try reader.value(type, at: current(), access: reader.access(to: type))
    currentIndex += 1
    return value
  }

  mutating func decodeIfPresent<T: Decodable>(_ type: T.Type) throws -> T? {
    if isAtEnd { return nil }
    let value = try reader.optional(type, at: current(), access: reader.access(to: type))
    currentIndex += 1
    return value
  }

  mutating func nestedContainer<NestedKey: CodingKey>(
    keyedBy type: NestedKey.Type
  ) throws -> KeyedDecodingContainer<NestedKey> {
    let container = try column().container(keyedBy: type)
    currentIndex += 1
    return container
  }

  mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
    let container = try column().unkeyedContainer()
    currentIndex += 1
    return container
  }

  mutating func superDecoder() throws -> any Decoder {
    let decoder = try column()
    currentIndex += 1
    return decoder
  }

  private func column() throws(SQLiteError) -> ColumnDecoder {
    ColumnDecoder(reader: reader, column: try current())
  }
}
