import SQLiteCore
import Testing

@testable import Router
import RouterTesting

/// Refused filters are checked with SQLite: a table has rows with all kinds of values, and a filter
/// that is false for one of them excludes it.
@Suite struct `Filters of a whole table` {
  static let seed: UInt64 = 20_261_123

  /// A column, the values that filters compare it with, and values that represent all storable
  /// values.
  struct Subject: Sendable {
    let column: String
    let declaration: String
    let operands: [SQLiteValue]
    let stored: [SQLiteValue]
  }

  static let subjects: [Subject] = [
    Subject(
      column: "i", declaration: "INTEGER", operands: [3, 5, .real(4.5), "7", "", "x", .blob([])],
      stored: [
        .null, .real(-.infinity), -2, 0, 1, 3, .real(3.5), 4, .real(4.5), .real(4.7), 5, 6, 7, 8,
        .real(.infinity), "", "a", "x", "y", .blob([]), .blob([1]),
      ]),
    Subject(
      column: "n", declaration: "INTEGER NOT NULL", operands: [1, 2],
      stored: [
        .real(-.infinity), 0, 1, .real(1.5), 2, 3, .real(.infinity), "", "y", .blob([]), .blob([1]),
      ]),
    Subject(
      column: "t", declaration: "TEXT", operands: ["", "a", "B", 5, .blob([])],
      stored: [
        .null, "", "\u{1}", "5", "6", "A", "B", "C", "a", "b", .blob([]), .blob([1]),
      ]),
    Subject(
      column: "c", declaration: "TEXT NOT NULL COLLATE NOCASE", operands: ["", "a", "B"],
      stored: ["", "\u{1}", "5", "A", "a", "aa", "AB", "b", "B", "bb", .blob([]), .blob([1])]),
    Subject(
      column: "v", declaration: "", operands: [1, "1", "", .real(-.infinity), .blob([1])],
      stored: [
        .null, .real(-.infinity), 0, 1, 2, "", "0", "1", "2", .blob([]), .blob([0]), .blob([1]),
        .blob([2]), .real(.infinity),
      ]),
    Subject(
      column: "id", declaration: "INTEGER PRIMARY KEY", operands: [2, 3, .real(2.5), "x"],
      stored: [-1, 0, 1, 2, 3, 4, 5]),
  ]

  /// An executor with a table of the subjects, which contains all combinations of their values.
  static func executor(_ subjects: [Subject]) async throws -> SQLiteRouteExecutor {
    let columns = subjects.map { "\($0.column) \($0.declaration)" }.joined(separator: ", ")
    let executor = SQLiteRouteExecutor(try database("CREATE TABLE row (\(columns))"))
    var rows = [Record()]
    for subject in subjects {
      rows = rows.flatMap { row in
        subject.stored.map { value in
          var row = row
          row[.init(subject.column)] = value
          return row
        }
      }
    }
    try await executor.perform(.insert(rows, into: "row", returning: .minimal))
    return executor
  }

  /// Creates the cases of filters of the executor's table.
  static func cases(
    _ executor: SQLiteRouteExecutor
  ) async throws -> @Sendable (Filter) -> FilterTautologyAnalysis {
    try await executor.reader.read { connection in
      let catalog = try SQLiteCatalog(connection, StatementCache(), committedVersion: nil)
      let table = try catalog.table("row")
      let rules = try SQLiteDialect.comparisonRules(of: table, in: catalog)
      return { FilterTautologyAnalysis($0, of: table, rules: rules) }
    }
  }

  /// The number of rows for which a filter is false.
  static func excluded(_ filter: Filter, _ executor: SQLiteRouteExecutor) async throws -> Int {
    try await executor.value(Int.self, for: .count(from: "row", filteredBy: [!filter]))
  }

  static func filters(of subjects: [Subject]) -> RandomFilters {
    RandomFilters(columns: subjects.map { (Column($0.column), $0.operands) })
  }

  @Test(arguments: subjects.indices)
  func `are exactly those that are false for no value of a column`(_ index: Int) async throws {
    let subject = Self.subjects[index]
    let executor = try await Self.executor([subject])
    let cases = try await Self.cases(executor)
    var random = SeededGenerator(seed: Self.seed &+ UInt64(index))
    var found = 0
    for number in 1...400 {
      let filter = Self.filters(of: [subject]).filter(depth: 3, &random)
      let excludesNone = try await Self.excluded(filter, executor) == 0
      if excludesNone { found += 1 }
      let isFound = cases(filter).isTautology()
      // Whether a text is true is not evaluated.
      #expect(
        isFound == excludesNone || (!isFound && filter.testsTruth),
        "seed \(Self.seed), column \(subject.column), filter \(number): \(filter.values)")
    }
    #expect(found > 40 && found < 360, "\(found) of 400")
  }

  @Test(arguments: [[0, 1], [2, 3], [0, 2, 1], [4, 3], [1, 2, 3]])
  func `are exactly those that are false for no row of several columns`(
    _ indices: [Int]
  ) async throws {
    let subjects = indices.map { Self.subjects[$0] }
    let executor = try await Self.executor(subjects)
    let cases = try await Self.cases(executor)
    var random = SeededGenerator(seed: Self.seed &+ UInt64(indices.reduce(7) { $0 * 10 + $1 }))
    var found = 0
    for number in 1...150 {
      let filter = Self.filters(of: subjects).filter(depth: 3, &random)
      let excludesNone = try await Self.excluded(filter, executor) == 0
      if excludesNone { found += 1 }
      let isFound = cases(filter).isTautology()
      // Whether a text is true is not evaluated.
      #expect(
        isFound == excludesNone || (!isFound && filter.testsTruth),
        "seed \(Self.seed), columns \(indices), filter \(number): \(filter.values)")
    }
    #expect(found > 10 && found < 140, "\(found) of 150")
  }

  /// Conditions that are not evaluated. Their results are unknown, and it is also unknown whether
  /// two of them can be true together.
  @Test func `do not include patterns and JSON conditions that exclude a row`() async throws {
    let executor = SQLiteRouteExecutor(
      try database("CREATE TABLE row (id INTEGER PRIMARY KEY, t TEXT, j TEXT)"))
    let texts: [SQLiteValue] = [.null, "", "a", "A", "ab", "b%", "%", "5", #"{"x": 1}"#]
    let arrays: [SQLiteValue] = [.null, "[]", "[1]", "[1, 2]", #"{"x": 1}"#]
    let rows: [Record] = texts.flatMap { text in
      arrays.map { ["t": text, "j": $0] as Record }
    }
    try await executor.perform(.insert(rows, into: "row", returning: .minimal))
    let cases = try await Self.cases(executor)
    let conditions: [Filter] = [
      Column("t").like("a%"), Column("t").iLike("a%"), Column("t").like("%"),
      Column("t").iLike("%%"), Column("t").hasPrefix(""), Column("t").hasSuffix("b"),
      Column("t").containsText("a"), Column("t").like(anyOf: ["a%", "%"]),
      Column("t").like(allOf: ["%", "%b"]), Column("t").like("_%"), Column("t").equals(1.5),
      Column("t").notIn([1.5]), Column("t").lessThan("a"), Column("t").greaterThanOrEquals("a"),
      Column("j").contains([Int]()), Column("j").contains([1]), Column("j").overlaps([1, 2]),
      Column("j").containedBy([1]), Column("j").at("x").isNull(), Column("j").at("x").lessThan(2),
      Column("j").isNull(),
    ]
    var random = SeededGenerator(seed: Self.seed)
    var found = 0
    for number in 1...600 {
      var filter = conditions.randomElement(using: &random) ?? .all
      for _ in 0..<Int.random(in: 0...3, using: &random) {
        let other = conditions.randomElement(using: &random) ?? .all
        switch Int.random(in: 0...4, using: &random) {
        case 0: filter = filter && other
        case 1: filter = !filter
        default: filter = filter || other
        }
      }
      guard cases(filter).isTautology() else { continue }
      found += 1
      #expect(
        try await Self.excluded(filter, executor) == 0,
        "seed \(Self.seed), filter \(number): \(filter.values)")
    }
    #expect(found > 50)
  }

  @Test(
    arguments: [
      Column("t").like("%"), Column("t").iLike("%"), Column("t").iLike("%%%"),
      Column("t").hasPrefix(""), Column("t").hasSuffix(""), Column("t").containsText(""),
      Column("t").like(anyOf: ["x", "%"]), Column("t").like(allOf: ["%", "%%"]),
      Column("t").like("a%") || !Column("t").like("a%"),
      Column("t").matches("a") || !Column("t").matches("a"),
      Column("j").contains([Int]()), Column("t").notIn([1.5, 2.5]) || Column("t").in([2.5, 1.5]),
      Column("t").at("x").lessThanOrEquals(5) || Column("t").at("x").greaterThan(3),
    ] as [Filter])
  func `include patterns that match any text, and a condition or its negation`(_ filter: Filter)
    async throws
  {
    let executor = SQLiteRouteExecutor(try database("CREATE TABLE row (t TEXT, j TEXT)"))
    let cases = try await Self.cases(executor)
    #expect(cases(filter).isTautology(), "\(filter)")
    #expect(!cases(!filter).isTautology(), "not \(filter)")
  }

  @Test func `are not recognized with SQLite-specific value orders`() async throws {
    let schemas = [
      "CREATE TABLE row (t TEXT COLLATE RTRIM)", "CREATE TABLE row (t ANY)",
      "CREATE VIEW row AS SELECT 'x' AS t",
      "PRAGMA encoding = 'UTF-16le'; CREATE TABLE row (t TEXT)",
    ]
    for schema in schemas {
      let executor = SQLiteRouteExecutor(try database(schema))
      let cases = try await Self.cases(executor)
      let column = Column("t")
      #expect(
        !cases(column.lessThan("b") || column.greaterThan("a")).isTautology(),
        "\(schema)")
      #expect(
        cases(column.lessThan("b") || column.greaterThanOrEquals("b"))
          .isTautology(), "\(schema)")
    }
  }

  @Test func `are searched for a limited time`() async throws {
    let executor = SQLiteRouteExecutor(
      try database(
        "CREATE TABLE row (\((0..<20).map { "c\($0) INTEGER" }.joined(separator: ", ")))"))
    let cases = try await Self.cases(executor)
    let pairs = (0..<20).map { Column("c\($0)").lessThan(1) || Column("c\($0)").greaterThan(0) }
    let filter = Column("c0").equals(100) || .and(pairs)
    #expect(cases(.and(pairs)).isTautology(within: 10_000))
    #expect(cases(pairs[0]).isTautology())
    #expect(!cases(filter).isTautology(within: 10_000))
    #expect(cases(filter || .all).isTautology(within: 1_000))
  }
}

extension Filter {
  fileprivate var testsTruth: Bool {
    description.contains("istrue") || description.contains("isfalse")
  }

  /// The filter with its values, for the message of a failed test.
  fileprivate var values: String {
    switch form {
    case .all: "all"
    case .tooDeep: "too deep"
    case .comparison(let comparison):
      "\(comparison.column) \(comparison.operator) \(comparison.operand)"
    case .and(let filters): "(\(filters.map(\.values).joined(separator: " and ")))"
    case .or(let filters): "(\(filters.map(\.values).joined(separator: " or ")))"
    case .not(let filter): "not \(filter.values)"
    }
  }
}
