public import Router
public import SQLiteCore

/// Generates random filters, for tests of executors.
///
/// ```swift
/// var random = SeededGenerator(seed: 1)
/// let filters = RandomFilters(columns: [("rank", [0, 1, 2])])
/// let route = DatabaseRoute.fetch(from: "item", filteredBy: filters.filter(depth: 3, &random))
/// ```
public struct RandomFilters: Sendable {
  public typealias Column = DatabaseRoute.Column
  public typealias Filter = DatabaseRoute.Filter

  private let columns: [(column: Column, values: [SQLiteValue])]
  private let hasTruthOfText: Bool
  private let other: @Sendable (inout SeededGenerator) -> Filter?

  /// Creates a generator.
  ///
  /// - Parameters:
  ///   - columns: The columns, at least one, each with the values for comparisons.
  ///   - hasTruthOfText: Whether conditions test if text values are true. Not every engine can do that.
  ///   - other: Returns an additional kind of condition, or `nil` to use one of this type's kinds.
  public init(
    columns: [(column: Column, values: [SQLiteValue])], hasTruthOfText: Bool = true,
    other: @escaping @Sendable (inout SeededGenerator) -> Filter? = { _ in nil }
  ) {
    self.columns = columns
    self.hasTruthOfText = hasTruthOfText
    self.other = other
  }

  /// Returns a filter that is nested up to a depth.
  public func filter(depth: Int, _ random: inout SeededGenerator) -> Filter {
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

  private func condition(_ random: inout SeededGenerator) -> Filter {
    if let filter = other(&random) { return filter }
    guard let (column, values) = columns.randomElement(using: &random) else { return .all }
    let hasTruth =
      hasTruthOfText || values.allSatisfy { if case .text = $0 { false } else { true } }
    func value() -> SQLiteValue { values.randomElement(using: &random) ?? .null }
    let operators: [DatabaseRoute.Operator] = [
      .equals, .notEquals, .lessThan, .lessThanOrEquals, .greaterThan, .greaterThanOrEquals,
    ]
    let list = (0..<Int.random(in: 0...2, using: &random)).map { _ in value() }
    let comparison = operators.randomElement(using: &random) ?? .equals
    switch Int.random(in: 0...17, using: &random) {
    case 0: return column.isNull()
    case 1: return column.isNotNull()
    case 2 where hasTruth: return column.isTrue()
    case 3 where hasTruth: return column.isFalse()
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
