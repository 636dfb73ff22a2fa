import Observe
import ObserveTesting
import Router
import SQLiteCore
import Testing

/// Each operator, on columns of each kind, with a commit for each value.
@Suite struct `Conditions of live routes` {
  static let declarations = [
    "INTEGER", "TEXT", "TEXT COLLATE NOCASE", "VARCHAR(9) COLLATE RTRIM", "REAL", "NUMERIC",
    "BLOB", "", "BOOLEAN", "COLLATE NOCASE", "AS (y) STORED", "AS (y || '')",
  ]

  static let literals: [SQLiteValue] = [0, 1, 1.5, "a", "A", "1", "a ", .blob([0x61])]

  static let filters: [Filter] = {
    let column = Column("x")
    var filters: [Filter] = [
      column.isNull(), column.isNotNull(), column.isTrue(), column.isFalse(),
      column.isDistinct(from: Int?.none), column.isNotDistinct(from: Int?.none),
      column.in([0, 1]), column.in(["1", "a"]), column.in([Int]()), column.notIn([0, 1]),
      column.notIn(["1", "a"]), column.notIn([Int]()), column.any(.equals, [0, 1]),
      column.each(.notEquals, [0, 1]), column.any(.isDistinct, [1]), column.each(.equals, [Int]()),
      column.any(.equals, [Int]()), column.hasPrefix("a"), column.iLike("A%"),
      column.contains([1]), .all,
    ]
    for value in literals {
      filters += [
        column.equals(value), column.notEquals(value), column.greaterThan(value),
        column.lessThanOrEquals(value), column.isDistinct(from: value),
        column.isNotDistinct(from: value),
      ]
    }
    return filters.flatMap { [$0, !$0] } + [
      column.equals(1) || column.isNull(), !(column.equals(1) || column.isNull()),
      column.greaterThan(0) && column.lessThan("a"), !(column.greaterThan(0) && column.lessThan(2)),
    ]
  }()

  /// By default, some of the conditions on each kind of column, and some of the values.
  static func cases(_ declaration: String) -> (filters: [Filter], values: [String]) {
    guard !`Live routes under random commits`.isFull else { return (filters, LiveWorld.values) }
    let first = declarations.firstIndex(of: declaration) ?? 0
    let some = stride(from: first % 5, to: filters.count, by: 5).map { filters[$0] }
    return (some, ["0", "1", "NULL", "'1'", "2", "'A'", "'a '", "x'61'"])
  }

  @Test(arguments: declarations)
  func `miss no row, for a column declared as`(_ declaration: String) async throws {
    let database = try database("CREATE TABLE t (y, x \(declaration), n INTEGER PRIMARY KEY)")
    let executor = SQLiteRouteExecutor(database)
    let (filters, values) = Self.cases(declaration)
    let routes = filters.map { DatabaseRoute.count(from: "t", filteredBy: [$0]) }
    var counts: [Recording<Int>] = []
    for route in routes {
      counts.append(await Recording(executor.observeValue(Int.self, for: route), of: database))
    }
    let column = declaration.hasPrefix("AS") ? "y" : "x"
    for value in values {
      try await database.run("INSERT INTO t (\(column)) VALUES (\(value))")
      await database.waitUntilIdle(includingConsumers: true)
      let fresh = try await executor.run(routes).map { $0.rows[0][0] }
      let live = counts.map { $0.values.last.map { .integer(Int64($0)) } ?? DataValue.null }
      for (index, route) in routes.enumerated() where live[index] != fresh[index] {
        Issue.record("\(value) in \(declaration): \(route)")
      }
    }
    let isWorthIt = database.fetchCount < routes.count * values.count * 3 / 4
    #expect(isWorthIt || declaration.hasSuffix("'')"))
  }
}
