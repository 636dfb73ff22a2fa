internal import SQLiteCore

/// The cases that there can be of a row, as a filter tells them apart: which columns are NULL, and how each other one
/// compares with each value that the filter names.
///
/// It tells whether a filter is true in all of them. What is not looked into (patterns, full text, JSON, how the
/// values compare with one another) may come to anything, so that a filter that leaves out a row in some case is
/// never taken for one that does not.
struct FilterCases {
  /// What a condition may come to.
  private struct Outcomes: OptionSet {
    let rawValue: UInt8

    static let isTrue = Outcomes(rawValue: 1)
    static let isFalse = Outcomes(rawValue: 2)
    static let isUnknown = Outcomes(rawValue: 4)
    static let any: Outcomes = [.isTrue, .isFalse, .isUnknown]

    var opposite: Outcomes {
      var opposite = intersection(.isUnknown)
      if contains(.isTrue) { opposite.insert(.isFalse) }
      if contains(.isFalse) { opposite.insert(.isTrue) }
      return opposite
    }

    func and(_ other: Outcomes) -> Outcomes {
      var both = union(other).intersection(.isFalse)
      if contains(.isTrue), other.contains(.isTrue) { both.insert(.isTrue) }
      let (mayPass, otherMayPass) = (!isSubset(of: .isFalse), !other.isSubset(of: .isFalse))
      if mayPass, otherMayPass, union(other).contains(.isUnknown) { both.insert(.isUnknown) }
      return both
    }
  }

  private indirect enum Node {
    case fixed(Outcomes)
    case not(Node)
    case and([Node])
    case condition(Condition)
  }

  /// A condition on a column.
  private struct Condition {
    /// The variable that tells whether the column is NULL.
    var column: Int
    var ifNull: Outcomes
    /// The variable that tells how it compares, and of which of its states the condition is true; without one it is
    /// true of whatever is not NULL, or of nothing else.
    var comparison: (variable: Int, states: Set<Int>)?
    var ifNotNull: Outcomes = .isTrue
  }

  /// What the states of a variable are about.
  private enum Subject: Hashable {
    /// 0 where the column is NULL, and 1.
    case isNull(DatabaseRoute.Column)
    /// 0 where it is less than a value, 1 where it is equal, and 2.
    case value(DatabaseRoute.Column, SQLiteValue)
    /// 0 where it is not in a list, and 1.
    case list(DatabaseRoute.Column, [SQLiteValue])
    /// 0 where it is 0, and 1.
    case truth(DatabaseRoute.Column)
  }

  private let facts: TableFacts
  private var variables: [Subject: Int] = [:]
  private var states: [[Int]] = []
  /// Of a variable that tells how a column compares, that which tells whether it is NULL.
  private var columns: [Int?] = []
  private var root = Node.fixed(.any)

  /// - Parameter facts: The table whose rows it is about.
  init(_ filter: DatabaseRoute.Filter, of facts: TableFacts) {
    self.facts = facts
    root = node(filter)
  }

  /// Whether the filter is true of whatever row. Where that takes too many cases to tell, it is not said to be.
  func areAllTrue(lookingAt most: Int = 256) -> Bool {
    var left = most
    var assigned = [Int?](repeating: nil, count: states.count)
    return areAllTrue(&assigned, &left)
  }

  private func areAllTrue(_ assigned: inout [Int?], _ left: inout Int) -> Bool {
    left -= 1
    guard left >= 0 else { return false }
    let outcomes = outcomes(root, assigned)
    if outcomes == .isTrue { return true }
    guard outcomes.contains(.isTrue), let next = next(assigned) else { return false }
    defer { assigned[next] = nil }
    for state in states[next] {
      assigned[next] = state
      guard areAllTrue(&assigned, &left) else { return false }
    }
    return true
  }

  /// The variable that is looked at next. How a NULL compares is no question.
  private func next(_ assigned: [Int?]) -> Int? {
    assigned.indices.first { assigned[$0] == nil && columns[$0] == nil }
      ?? assigned.indices.first { variable in
        assigned[variable] == nil && columns[variable].map { assigned[$0] == 1 } ?? false
      }
  }

  private func outcomes(_ node: Node, _ assigned: [Int?]) -> Outcomes {
    switch node {
    case .fixed(let outcomes): return outcomes
    case .not(let node): return outcomes(node, assigned).opposite
    case .and(let nodes):
      return nodes.reduce(.isTrue) { $0.and(outcomes($1, assigned)) }
    case .condition(let condition):
      var ifNotNull = condition.ifNotNull
      if let (variable, states) = condition.comparison {
        ifNotNull =
          assigned[variable].map { states.contains($0) ? .isTrue : .isFalse }
          ?? [.isTrue, .isFalse]
      }
      switch assigned[condition.column] {
      case 0: return condition.ifNull
      case nil: return condition.ifNull.union(ifNotNull)
      default: return ifNotNull
      }
    }
  }
}

// MARK: Taking apart

extension FilterCases {
  private mutating func node(_ filter: DatabaseRoute.Filter) -> Node {
    switch filter.form {
    case .all: return .fixed(.isTrue)
    case .tooDeep: return .fixed(.any)
    case .not(let filter): return .not(node(filter))
    case .and(let filters): return .and(filters.map { node($0) })
    case .or(let filters): return .not(.and(filters.map { .not(node($0)) }))
    case .comparison(let comparison):
      switch comparison.operand {
      case .any(let values): return .not(.and(each(comparison, values).map { .not($0) }))
      case .each(let values): return .and(each(comparison, values))
      default: return node(comparison)
      }
    }
  }

  private mutating func each(
    _ comparison: DatabaseRoute.Comparison, _ values: [SQLiteValue]
  ) -> [Node] {
    values.map { value in
      var one = comparison
      one.operand = .value(value)
      return node(one)
    }
  }

  private mutating func node(_ comparison: DatabaseRoute.Comparison) -> Node {
    guard let name = try? facts.column(comparison.column.name).name else { return .fixed(.any) }
    let column = comparison.column.path.isEmpty ? .init(name) : comparison.column
    let isNull = variable(.isNull(column), states: canBeNull(column) ? [0, 1] : [1])
    func compared(_ variable: Int, _ states: Set<Int>, ifNull: Outcomes = .isUnknown) -> Node {
      .condition(Condition(column: isNull, ifNull: ifNull, comparison: (variable, states)))
    }
    switch (comparison.operator, comparison.operand) {
    case (.isNull, .none), (.isNotDistinct, .value(.null)):
      return .condition(Condition(column: isNull, ifNull: .isTrue, ifNotNull: .isFalse))
    case (.isNotNull, .none), (.isDistinct, .value(.null)):
      return .condition(Condition(column: isNull, ifNull: .isFalse, ifNotNull: .isTrue))
    case (.isTrue, .none), (.isFalse, .none):
      let truth = variable(.truth(column), states: [0, 1], of: isNull)
      return compared(truth, comparison.operator == .isTrue ? [1] : [0], ifNull: .isFalse)
    case (.in, .list([])): return .fixed(.isFalse)
    case (.notIn, .list([])): return .fixed(.isTrue)
    case (.in, .list(let values)), (.notIn, .list(let values)):
      let list = variable(.list(column, values), states: [0, 1], of: isNull)
      return compared(list, comparison.operator == .in ? [1] : [0])
    case (_, .value(let value)) where !value.isBoundAsNull:
      guard let states = Self.states[comparison.operator] else { return .fixed(.any) }
      let place = variable(.value(column, value), states: [0, 1, 2], of: isNull)
      return switch comparison.operator {
      case .isDistinct: compared(place, states, ifNull: .isTrue)
      case .isNotDistinct: compared(place, states, ifNull: .isFalse)
      default: compared(place, states)
      }
    default: return .fixed(.any)
    }
  }

  /// Where a column stands to a value, that an operator is true of.
  private static let states: [DatabaseRoute.Operator: Set<Int>] = [
    .lessThan: [0], .lessThanOrEquals: [0, 1], .equals: [1], .isNotDistinct: [1],
    .greaterThanOrEquals: [1, 2], .greaterThan: [2], .notEquals: [0, 2], .isDistinct: [0, 2],
  ]

  private mutating func variable(
    _ subject: Subject, states: [Int], of column: Int? = nil
  ) -> Int {
    if let known = variables[subject] { return known }
    let variable = self.states.count
    variables[subject] = variable
    self.states.append(states)
    columns.append(column)
    return variable
  }

  private func canBeNull(_ column: DatabaseRoute.Column) -> Bool {
    guard column.path.isEmpty, let schema = try? facts.column(column.name) else { return true }
    return !facts.isNeverNull(schema)
  }
}
