import SQLiteCore

/// The distribution of a column's values.
struct ColumnSummary {
  let table: String
  let column: String
  /// The declared type, or the storage classes of the values.
  let type: String
  let rowCount: Int
  let nullCount: Int
  let distinctCount: Int
  let minimum: SQLiteValue
  let quartiles: [SQLiteValue]
  let maximum: SQLiteValue
  /// The number of values in equal parts of a numeric column's range, or the numbers of the most
  /// frequent values of another column.
  let histogram: [Int]

  private static let barCount = 8

  /// Reads a column in one sorted pass.
  init(_ connection: Connection, _ table: TableSchema, _ column: TableSchema.Column) throws {
    self.table = table.name.name
    self.column = column.name
    let name = SQLName.quoted(column.name)
    let rows = SQLName.quoted(table.name.name)
    var classes: [String] = []
    var quartiles: [SQLiteValue] = [.null, .null, .null]
    var values: [SQLiteValue] = []
    try connection.forEach(
      """
      SELECT count(*), count(\(unsafe: name)), min(\(unsafe: name)), max(\(unsafe: name)),
        count(\(unsafe: name)) = sum(typeof(\(unsafe: name)) IN ('integer', 'real')),
        group_concat(DISTINCT typeof(\(unsafe: name))) FROM \(unsafe: rows)
      """
    ) { row in
      values = try row.values
    }
    rowCount = Self.integer(values[0])
    nullCount = rowCount - Self.integer(values[1])
    (minimum, maximum) = (values[2], values[3])
    let isNumeric = values[4] == .integer(1) && nullCount < rowCount
    let (low, high) = (Self.real(values[2]), Self.real(values[3]))
    if case .text(let text) = values[5] {
      classes = text.split(separator: ",").map(String.init).filter { $0 != "null" }
    }
    type =
      column.declaredType.isEmpty ? classes.sorted().joined(separator: ", ") : column.declaredType
    let count = rowCount - nullCount
    let positions = (1...3).map { (count - 1) * $0 / 4 }
    let isRanked = isNumeric || column.declaredType.contains("DATE")
    var (index, run) = (0, 0)
    var last: SQLiteValue?
    var runs: [Int] = []
    var distinct = 0
    var bars = Array(repeating: 0, count: Self.barCount)
    try connection.forEach(
      "SELECT \(unsafe: name) FROM \(unsafe: rows) WHERE \(unsafe: name) IS NOT NULL ORDER BY \(unsafe: name) COLLATE BINARY"
    ) { row in
      let value = try row.value(at: 0)
      if last.map({ ValueOrder.compare($0, value) == 0 }) ?? false {
        run += 1
      } else {
        if run > 0 { Self.keep(run, in: &runs) }
        (run, last) = (1, value)
        distinct += 1
      }
      if isRanked {
        for (quartile, position) in positions.enumerated() where position == index {
          quartiles[quartile] = value
        }
      }
      if isNumeric {
        let place = high > low ? (Self.real(value) - low) / (high - low) : 0
        bars[min(Self.barCount - 1, max(0, Int(place * Double(Self.barCount))))] += 1
      }
      index += 1
    }
    if run > 0 { Self.keep(run, in: &runs) }
    distinctCount = distinct
    self.quartiles = quartiles
    histogram = isNumeric ? (high > low ? bars : [count]) : runs
  }

  /// Keeps the largest numbers, in descending order.
  private static func keep(_ number: Int, in largest: inout [Int]) {
    guard largest.count < barCount || number > largest[barCount - 1] else { return }
    let index = largest.firstIndex { $0 < number } ?? largest.count
    largest.insert(number, at: index)
    if largest.count > barCount { largest.removeLast() }
  }

  private static func integer(_ value: SQLiteValue) -> Int {
    if case .integer(let number) = value { Int(number) } else { 0 }
  }

  private static func real(_ value: SQLiteValue) -> Double {
    switch value {
    case .integer(let number): Double(number)
    case .real(let number): number
    default: 0
    }
  }

  /// The histogram as bars of block characters.
  var bars: String {
    let highest = histogram.max() ?? 0
    let blocks = Array("▁▂▃▄▅▆▇█")
    return String(
      histogram.map { count in
        count == 0 ? " " : blocks[min(7, max(0, (count * 8 - 1) / max(1, highest)))]
      })
  }
}
