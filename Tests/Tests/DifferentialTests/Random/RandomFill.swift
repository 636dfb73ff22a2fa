import QueryModel
import SQLSemantics
import SQLiteCore

/// Fills a schema's tables with random rows that satisfy the declarations.
struct RandomFill {
  var random: RandomSource
  /// The possible row counts of a table.
  var rowCounts = [0, 1, 2, 8, 24]
  /// Indicates whether a third of the numbers are infinite or so large that arithmetic with them
  /// exceeds 64 bits.
  var isExtreme = false

  /// Empties every table, and fills it with rows unless `isEmpty` is true.
  mutating func refill(_ connection: Connection, isEmpty: Bool) throws {
    let tables = try connection.rows(
      "SELECT name FROM pragma_table_list WHERE type = 'table' AND schema = 'main' "
        + "AND name NOT LIKE 'sqlite_%' ORDER BY name"
    ).compactMap { if case .text(let name) = $0[0] { name } else { nil } }
    for table in tables { try connection.run("DELETE FROM \(unsafe: table)") }
    guard !isEmpty else { return }
    for table in tables { try fill(table, connection) }
  }

  private mutating func fill(_ table: String, _ connection: Connection) throws {
    let columns = try connection.rows("PRAGMA table_xinfo(\(unsafe: table))").compactMap(
      Column.init)
    let names = columns.map { "\"\($0.name)\"" }.joined(separator: ", ")
    let marks = columns.map { _ in "?" }.joined(separator: ", ")
    let sql = "INSERT OR IGNORE INTO \(table) (\(names)) VALUES (\(marks))"
    for _ in 0..<random.pick(rowCounts) {
      let values = columns.map { column in
        column.isNullable && random.isOne(in: 3)
          ? SQLiteValue.null : value(of: column.type, named: column.name)
      }
      do {
        try connection.run(SQL(unsafe: sql), values: values)
      } catch {
        // `AUTOINCREMENT` has no number after the largest one.
        guard error.code == .full else { throw error }
      }
    }
  }

  /// Returns a value of a type from a small set, so that values match in joins and groups.
  mutating func value(of type: ValueType, named name: String = "") -> SQLiteValue {
    if isExtreme, random.isOne(in: 3), let value = extremeValue(of: type) { return value }
    return switch type {
    case .integer: .integer(random.pick([0, 1, 2, 3, 4, 5, -1, -7, 40, 1_000_000_007]))
    case .boolean: .integer(random.pick([0, 1]))
    case .real: .real(random.pick([0, 1, -1.5, 2.25, 100, 0.1, -0.0, 1e10]))
    case .numeric: random.isOne(in: 2) ? value(of: .integer) : value(of: .real)
    case .blob: .blob(random.pick([[], [0], [0x61, 0x62], [0xFF, 0xFE], Array("12".utf8)]))
    case .text: .text(random.pick(name.hasPrefix("json") ? Self.documents : Self.texts))
    case .any, .swift:
      random.isOne(in: 6)
        ? .null : value(of: random.pick([.integer, .real, .text, .blob]), named: name)
    }
  }

  private mutating func extremeValue(of type: ValueType) -> SQLiteValue? {
    switch type {
    case .integer: .integer(random.pick([.max, .min, 1 << 62, -(1 << 62), 1 << 53 + 1]))
    case .real:
      .real(random.pick([.infinity, -.infinity, 1e308, -1e308, .leastNonzeroMagnitude, 1e19]))
    case .numeric, .any, .swift: extremeValue(of: random.pick([.integer, .real]))
    case .text: .text(random.pick(["9e999", "-9e999", "9223372036854775807"]))
    case .boolean, .blob: nil
    }
  }

  /// Returns a value of the inferred type for each parameter.
  mutating func values(for analysis: StatementAnalysis) -> [SQLiteValue] {
    var values = [SQLiteValue](repeating: .null, count: analysis.parameterCount)
    for parameter in analysis.parameters {
      let isNull = parameter.isNullable && random.isOne(in: 3)
      values[parameter.index - 1] = isNull ? .null : value(of: parameter.type)
    }
    return values
  }

  private static let texts = [
    "", "a", "A", "ab", "b%", "12", "1.5x", " x ", "Ünï", "0", "2024-02-29", "12:30", "x'y",
  ]
  private static let documents = [
    "{}", "[]", "[1, null, \"a\"]", "{\"a\": 1, \"b\": [true, 2.5]}", "{\"a\": null}", "null", "7",
    "\"text\"",
  ]

  private struct Column {
    let name: String
    let type: ValueType
    let isNullable: Bool

    /// Creates a column from a row of `PRAGMA table_xinfo`; `nil` for a generated or hidden column.
    init?(_ row: [SQLiteValue]) {
      guard case .text(let name) = row[1], case .text(let declared) = row[2],
        row[6] == .integer(0)
      else { return nil }
      self.name = name
      type = declared == "ANY" ? .any : ValueType(declaredType: declared)
      isNullable = row[3] == .integer(0)
    }
  }
}
