internal import SPON
internal import SQLiteCore

/// Puts rows into a table of the private database.
final class SPONRowInserter {
  let table: String
  private let columns: [Column]
  private let places: [ExactText: Int]
  private let rows: DeclaredTable
  /// The place of the row's number, behind the columns; `nil` where numbers are not given.
  private let numberPlace: Int?
  /// Where the pair that follows is looked for first: rows mostly have the same keys in the same order.
  private var expected = 0

  struct Column {
    /// The key of its pairs.
    let key: String
    let name: String
    let type: SPONColumnType
  }

  /// - Parameter rowID: The name by which rows are numbered, where their numbers are given.
  init(_ table: String, _ columns: [Column], rowID: String?, on connection: Connection) throws {
    self.table = table
    self.columns = columns
    places = Dictionary(
      columns.enumerated().map { (ExactText($1.key), $0) }, uniquingKeysWith: { first, _ in first })
    numberPlace = rowID == nil ? nil : columns.count
    rows = try DeclaredTable(
      table, columns: columns.map(\.name) + (rowID.map { [$0] } ?? []), in: connection)
  }

  /// Sets a column of the row that is put together; `false` where there is no such column.
  func set(_ key: String, _ value: SPONValue) -> Bool {
    guard let place = place(of: key) else { return false }
    rows.set(place, columns[place].type.stored(value))
    return true
  }

  private func place(of key: String) -> Int? {
    if expected < columns.count, columns[expected].key.isExactly(key) {
      expected += 1
      return expected - 1
    }
    guard let place = places[ExactText(key)] else { return nil }
    expected = place + 1
    return place
  }

  /// Puts the row in, with the columns that were set.
  func insert(rowID: Int64?) throws {
    expected = 0
    if let numberPlace, let rowID { rows.set(numberPlace, .integer(rowID)) }
    try rows.endRow()
  }
}

/// Rows that wait until all of them were seen, as texts, one behind the other.
struct SPONStagedRows {
  private var bytes: [UInt8] = []
  private var ends: [Int] = []

  var count: Int { ends.count }

  mutating func append(_ row: SPONValue) throws {
    bytes.append(contentsOf: try row.bytes())
    ends.append(bytes.count)
  }

  func forEach(_ body: (SPONObject) throws -> Void) throws {
    var start = 0
    for end in ends {
      if let row = try SPONValue(parsing: Array(bytes[start..<end])).object { try body(row) }
      start = end
    }
  }
}
