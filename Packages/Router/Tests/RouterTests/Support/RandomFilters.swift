import Router
import SQLiteCore

/// A generator of reproducible random numbers.
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

/// Generates random filters.
struct RandomFilters: Sendable {
  /// The columns, each with the values for comparisons.
  let columns: [(column: Column, values: [SQLiteValue])]
  /// Returns an additional kind of condition, or `nil` to use one of this type's kinds.
  var other: @Sendable (inout Seeded) -> Filter? = { _ in nil }

  /// Returns a filter that is nested up to a depth.
  func filter(depth: Int, _ random: inout Seeded) -> Filter {
    let kind = depth == 0 ? 0 : Int.random(in: 0...7, using: &random)
    func parts() -> [Filter] {
      (0...Int.random(in: 1...2, using: &random)).map { _ in
        filter(depth: depth - 1, &random)
      }
    }
    switch kind {
    case 0, 1: return condition(&random)
    case 2: return !filter(depth: depth - 1, &random)
    case 3: return .and(parts())
    default: return .or(parts())
    }
  }

  private func condition(_ random: inout Seeded) -> Filter {
    if let filter = other(&random) { return filter }
    let (column, values) = columns.randomElement(using: &random) ?? columns[0]
    func value() -> SQLiteValue { values.randomElement(using: &random) ?? .null }
    let operators: [DatabaseRoute.Operator] = [
      .equals, .notEquals, .lessThan, .lessThanOrEquals, .greaterThan, .greaterThanOrEquals,
    ]
    let list = (0..<Int.random(in: 0...2, using: &random)).map { _ in value() }
    let comparison = operators.randomElement(using: &random) ?? .equals
    switch Int.random(in: 0...17, using: &random) {
    case 0: return column.isNull()
    case 1: return column.isNotNull()
    case 2: return column.isTrue()
    case 3: return column.isFalse()
    case 4: return column.in(list)
    case 5: return column.notIn(list)
    case 6: return column.isDistinct(from: value())
    case 7: return column.isNotDistinct(from: value())
    case 8: return column.any(comparison, list)
    case 9: return column.each(comparison, list)
    case 10: return column.isDistinct(from: SQLiteValue.null)
    case 11: return column.isNotDistinct(from: SQLiteValue.null)
    default: return Filter(column: column, operator: comparison, value: value())
    }
  }
}
