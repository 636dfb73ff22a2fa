import Router
import RouterTesting
import SQLiteCore
import Testing

/// SQL's three-valued logic, in Swift: `nil` is neither true nor false.
struct Evaluator {
  let row: [String: SQLiteValue]

  func evaluate(_ filter: Filter) -> Bool? {
    switch filter.form {
    case .all: return true
    case .tooDeep: return nil
    case .not(let filter): return evaluate(filter).map { !$0 }
    case .and(let filters):
      let results = filters.map(evaluate)
      return results.contains(false) ? false : results.contains(nil) ? nil : true
    case .or(let filters):
      let results = filters.map(evaluate)
      return results.contains(true) ? true : results.contains(nil) ? nil : false
    case .comparison(let comparison):
      let column = row[comparison.column.name] ?? .null
      switch comparison.operand {
      case .any(let values):
        return evaluate(.or(values.map { one(comparison, $0) } + [Self.never]))
      case .each(let values): return evaluate(.and(values.map { one(comparison, $0) } + [.all]))
      case .value(let value): return compare(column, comparison.operator, value)
      case .list(let values):
        if values.isEmpty { return comparison.operator == .notIn }
        if column.isNull { return nil }
        let isIn = values.contains { order(column, $0) == 0 }
        return comparison.operator == .in ? isIn : !isIn
      case .none: return test(column, comparison.operator)
      }
    }
  }

  private static let never = Filter.not(.all)

  private func one(_ comparison: DatabaseRoute.Comparison, _ value: SQLiteValue) -> Filter {
    var one = comparison
    one.operand = .value(value)
    return .comparison(one)
  }

  private func test(_ value: SQLiteValue, _ operator: DatabaseRoute.Operator) -> Bool? {
    switch `operator` {
    case .isNull: value.isNull
    case .isNotNull: !value.isNull
    case .isTrue: isTrue(value) == true
    default: isTrue(value) == false
    }
  }

  /// Returns the value as a condition. The strings used here are not numbers, so they are false.
  private func isTrue(_ value: SQLiteValue) -> Bool? {
    switch value {
    case .null: nil
    case .integer(let integer): integer != 0
    default: false
    }
  }

  private func compare(
    _ a: SQLiteValue, _ operator: DatabaseRoute.Operator, _ b: SQLiteValue
  ) -> Bool? {
    if `operator` == .isDistinct { return a != b }
    if `operator` == .isNotDistinct { return a == b }
    if a.isNull || b.isNull { return nil }
    if `operator` == .like || `operator` == .iLike {
      guard case .text(let text) = a, case .text(let pattern) = b else { return nil }
      return `operator` == .like
        ? like(Array(text), Array(pattern))
        : like(Array(text.lowercased()), Array(pattern.lowercased()))
    }
    let order = order(a, b)
    return switch `operator` {
    case .equals: order == 0
    case .notEquals: order != 0
    case .lessThan: order < 0
    case .lessThanOrEquals: order <= 0
    case .greaterThan: order > 0
    default: order >= 0
    }
  }

  /// Numbers precede text.
  private func order(_ a: SQLiteValue, _ b: SQLiteValue) -> Int {
    switch (a, b) {
    case (.integer(let a), .integer(let b)): a < b ? -1 : a > b ? 1 : 0
    case (.text(let a), .text(let b)):
      a == b ? 0 : Array(a.utf8).lexicographicallyPrecedes(b.utf8) ? -1 : 1
    case (.integer, _): -1
    default: 1
    }
  }

  private func like(_ text: [Character], _ pattern: [Character]) -> Bool {
    guard let first = pattern.first else { return text.isEmpty }
    let rest = Array(pattern.dropFirst())
    switch first {
    case "%": return (0...text.count).contains { like(Array(text.dropFirst($0)), rest) }
    case "_": return !text.isEmpty && like(Array(text.dropFirst()), rest)
    case "\\":
      return text.first == rest.first && like(Array(text.dropFirst()), Array(rest.dropFirst()))
    default: return text.first == first && like(Array(text.dropFirst()), rest)
    }
  }
}

@Suite struct `Random filters` {
  static let seed: UInt64 = 20_261_122
  static let texts = ["", "a", "A", "ab", "a%b", "a_b", "*", "[a]", "?", "b\\c", "zz"]
  static let patterns = [
    "%", "_", "a%", "%b", "A_", "a\\%b", "a\\_%", "*", "[%", "?", "%\\\\%", "",
  ]

  /// Filters of the numbers `a` and `b` and the text `t`.
  static let filters = RandomFilters(
    columns: ["a", "b", "a", "b", "t"].map { name in
      (Column(name), name == "t" ? texts.map { .text($0) } : (-2...3).map { .integer($0) })
    },
    other: { random in
      guard Int.random(in: 0...6, using: &random) == 0 else { return nil }
      let pattern = patterns.randomElement(using: &random) ?? "%"
      return Bool.random(using: &random) ? Column("t").like(pattern) : Column("t").iLike(pattern)
    })

  @Test func `have the meaning of SQL's three-valued logic in SQLite`() async throws {
    var random = SeededGenerator(seed: Self.seed)
    var rows: [Record] = []
    for id in 1...60 {
      rows.append([
        "id": .integer(Int64(id)),
        "a": Bool.random(using: &random) ? .integer(.random(in: -2...3, using: &random)) : .null,
        "b": .integer(.random(in: 0...2, using: &random)),
        "t": Int.random(in: 0...3, using: &random) == 0
          ? .null : .text(Self.texts.randomElement(using: &random) ?? ""),
      ])
    }
    let executor = SQLiteRouteExecutor(
      try database("CREATE TABLE row (id INTEGER PRIMARY KEY, a INTEGER, b INTEGER, t TEXT)"))
    try await executor.perform(.insert(rows, into: "row"))
    for number in 1...400 {
      let filter = Self.filters.filter(depth: 4, &random)
      let route = DatabaseRoute.fetch(from: "row", filteredBy: filter, order: .ascending("id"))
      let found = try await executor.values(Int.self, for: route.selecting("id"))
      let expected = rows.filter { record in
        let row = Dictionary(uniqueKeysWithValues: record.fields.map { ($0.column.name, $0.value) })
        return Evaluator(row: row).evaluate(filter) == true
      }
      #expect(
        found == expected.map { $0["id"] }.map { Int($0?.description ?? "") },
        "seed \(Self.seed), filter \(number): \(filter)")
    }
  }
}
