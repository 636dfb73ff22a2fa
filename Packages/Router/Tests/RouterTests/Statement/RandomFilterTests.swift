import Router
import SQLiteCore
import Testing

/// Random numbers that are the same in each run.
struct Seeded: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var z = state
    z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
    z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
    return z ^ (z >> 31)
  }
}

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
    case .isTrue: value != .null && value != .integer(0)
    default: value == .integer(0)
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

  /// Numbers precede texts.
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

  @Test func `have the meaning of SQL's three-valued logic in SQLite`() async throws {
    var random = Seeded(state: Self.seed)
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
      let filter = Self.filter(depth: 4, &random)
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

  static func filter(depth: Int, _ random: inout Seeded) -> Filter {
    switch Int.random(in: 0...(depth == 0 ? 4 : 9), using: &random) {
    case 5: return .not(filter(depth: depth - 1, &random))
    case 6, 7:
      return .and(
        (0...Int.random(in: 0...2, using: &random)).map { _ in filter(depth: depth - 1, &random) })
    case 8, 9:
      return .or(
        (0...Int.random(in: 0...2, using: &random)).map { _ in filter(depth: depth - 1, &random) })
    default: return condition(&random)
    }
  }

  static func condition(_ random: inout Seeded) -> Filter {
    let column = Column(["a", "b"].randomElement(using: &random) ?? "a")
    let number = Int.random(in: -2...3, using: &random)
    let comparisons: [DatabaseRoute.Operator] = [
      .equals, .notEquals, .lessThan, .lessThanOrEquals, .greaterThan, .greaterThanOrEquals,
    ]
    let comparison = comparisons.randomElement(using: &random) ?? .equals
    let list = (0..<Int.random(in: 0...3, using: &random)).map { _ in
      Int.random(in: -2...3, using: &random)
    }
    switch Int.random(in: 0...13, using: &random) {
    case 0: return column.isNull()
    case 1: return column.isNotNull()
    case 2: return column.isTrue()
    case 3: return column.isFalse()
    case 4: return column.in(list)
    case 5: return column.notIn(list)
    case 6: return column.isDistinct(from: number < 0 ? nil : number)
    case 7: return column.isNotDistinct(from: number < 0 ? nil : number)
    case 8: return column.any(comparison, list)
    case 9: return column.each(comparison, list)
    case 10: return Column("t").like(patterns.randomElement(using: &random) ?? "%")
    case 11: return Column("t").iLike(patterns.randomElement(using: &random) ?? "%")
    case 12:
      return Filter(
        column: "t", operator: comparison, value: texts.randomElement(using: &random) ?? "")
    default: return Filter(column: column, operator: comparison, value: number)
    }
  }
}
