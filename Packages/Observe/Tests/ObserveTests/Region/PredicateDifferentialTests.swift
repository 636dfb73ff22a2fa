import Foundation
import SQLiteCore
import Testing

@testable import Observe

/// Predicates are evaluated by Observe and by SQLite, for the same rows.
@Suite struct `Row predicates, evaluated natively` {
  static let types = [
    "", "INTEGER", "INT", "TEXT", "VARCHAR(10)", "REAL", "DOUBLE", "NUMERIC", "DECIMAL(5,2)",
    "BLOB",
    "ANY", "FLOATING POINT",
  ]
  static let collations = ["", "COLLATE BINARY", "COLLATE NOCASE", "COLLATE RTRIM"]
  static let encodings = ["UTF-8", "UTF-8", "UTF-8", "UTF-16le"]

  static let values: [SQLiteValue] = [
    .null, 0, 1, -1, 2, 5, 10, .integer(.max), .integer(.min), 9_007_199_254_740_993, 0.0, -0.0,
    1.0,
    1.5, -2.5, 1e300, .real(.infinity), 9_007_199_254_740_992.0, 9.3e18, "", "a", "A", "ab", "AB",
    "a ", "a  ", " a", "b", "é", "e\u{301}", "É", "ß", "zz", "1", "01", " 1 ", "+1", "-1", "1.0",
    "1.5",
    "1e3", "0x1", "1a", "-", "10", "9223372036854775807", "9223372036854775808", "1_0", "[", "`",
    "\u{1F600}",
    "\u{FFFF}", .blob([]), .blob([0]), .blob([97]), .blob([97, 0]), .blob([255]), .blob([49]),
  ]

  static func predicate(_ depth: Int, _ generator: inout SeededGenerator) -> Region.RowPredicate {
    let column = Region.ColumnName("c\(Int.random(in: 0..<4, using: &generator))")
    func value() -> SQLiteValue { values.randomElement(using: &generator) ?? .null }
    switch Int.random(in: depth > 0 ? 0..<9 : 3..<9, using: &generator) {
    case 0: return predicate(depth - 1, &generator) && predicate(depth - 1, &generator)
    case 1: return predicate(depth - 1, &generator) || predicate(depth - 1, &generator)
    case 2: return !predicate(depth - 1, &generator)
    case 3:
      return .column(
        column, in: (0..<Int.random(in: 0...4, using: &generator)).map { _ in value() })
    case 4: return .isNull(column)
    case 5:
      return .rowIDs((0..<3).map { _ in RowID(rawValue: .random(in: 1...12, using: &generator)) })
    default:
      let comparison =
        Region.RowPredicate.Comparison.allCases.randomElement(using: &generator) ?? .equal
      return .column(column, comparison, value())
    }
  }

  /// The predicate as SQL with bound values: a literal would have an affinity.
  static func sql(_ term: Region.RowPredicate.Term, _ bound: inout [SQLiteValue]) -> String {
    func parameter(_ value: SQLiteValue) -> String {
      bound.append(value)
      return "?\(bound.count)"
    }
    switch term {
    case .comparison(let column, let comparison, let value):
      return "\(column) \(comparison.rawValue) \(parameter(value))"
    case .isIn(let column, let values):
      if values.count == 1, let value = values.first { return "\(column) = \(parameter(value))" }
      return "\(column) IN (\(values.map { parameter($0) }.joined(separator: ", ")))"
    case .isNull(let column): return "\(column) IS NULL"
    case .rowIDs(let ids):
      return "rowid IN (\(ids.map { "\($0.rawValue)" }.joined(separator: ", ")))"
    case .not(let term): return "NOT (\(sql(term, &bound)))"
    case .all(let terms): return terms.map { "(\(sql($0, &bound)))" }.joined(separator: " AND ")
    case .any(let terms): return terms.map { "(\(sql($0, &bound)))" }.joined(separator: " OR ")
    }
  }

  static let tables = ProcessInfo.processInfo.environment["HOLT_SEEDS"] == nil ? 40 : 2_000

  @Test func `agree with SQLite, or are undecided`() throws {
    let seed: UInt64 = 20_261_121
    print("row predicates: seed \(seed)")
    var generator = SeededGenerator(seed: seed)
    var decided = 0
    var all = 0
    for number in 0..<Self.tables {
      let connection = try Connection.inMemory()
      let encoding = Self.encodings[number % Self.encodings.count]
      try connection.execute("PRAGMA encoding = '\(unsafe: encoding)'")
      let hasKey = number % 5 == 0
      let columns = (0..<4).map { index in
        if index == 0 && hasKey { return "c0 INTEGER PRIMARY KEY" }
        let type = Self.types.randomElement(using: &generator) ?? ""
        let collation = Self.collations.randomElement(using: &generator) ?? ""
        return "c\(index) \(type) \(collation)"
      }
      let schema = "CREATE TABLE t (\(columns.joined(separator: ", ")))"
      try connection.execute(SQL(unsafe: schema))
      // A text that contains U+FFFF can't be stored as UTF-16.
      let stored = Self.values.filter { $0 != "\u{FFFF}" || encoding == "UTF-8" }
      for _ in 0..<12 {
        let row = (0..<4).map { index -> SQLiteValue in
          index == 0 && hasKey ? .null : stored.randomElement(using: &generator) ?? .null
        }
        try connection.run("INSERT INTO t VALUES (?1, ?2, ?3, ?4)", values: row)
      }
      let layout = try #require(
        ChangeSet.TableLayout(
          try connection.columns(of: "t"), isWithoutRowID: false, isUTF8: encoding == "UTF-8"))
      let rows = try connection.rows("SELECT rowid, * FROM t ORDER BY rowid")
      for _ in 0..<25 {
        let predicate = Self.predicate(3, &generator)
        var bound: [SQLiteValue] = []
        let sql = Self.sql(predicate.term, &bound)
        let expected = try connection.rows(
          "SELECT \(unsafe: sql) FROM t ORDER BY rowid", values: bound)
        for (row, expected) in zip(rows, expected) {
          guard case .integer(let id) = row[0] else { continue }
          let outcomes = predicate.outcomes(
            for: RowImage(
              key: .rowID(RowID(rawValue: id)), values: Array(row[1...]), isOld: true,
              layout: layout))
          let truth: Region.RowPredicate.Outcomes =
            switch expected[0] {
            case .null: .isNull
            case .integer(0): .isFalse
            default: .isTrue
            }
          #expect(
            outcomes.contains(truth), "\(schema), \(encoding): \(predicate) for \(row): \(expected)"
          )
          all += 1
          if outcomes == truth { decided += 1 }
        }
      }
    }
    print("row predicates: \(all) cases, of which \(decided) were decided")
    #expect(decided * 100 > all * 80)
  }
}
