internal import SQLiteCore

/// The cases that a filter distinguishes: which columns are NULL, the interval of each other
/// column's value, and the results of conditions that are not evaluated.
///
/// A filter excludes no row if it is false in none of the cases. A result that is unknown because
/// of NULL is not false: `a <= 5 || a >= 3` counts as a filter that excludes no row, although it
/// does not select rows in which `a` is NULL.
///
/// The cases may include some that no row can have, but include all that a row can have.
/// Therefore, a filter that excludes some row is never mistaken for one that does not; the reverse
/// can happen.
struct FilterTautologyAnalysis {
  /// The possible results of a condition.
  struct Outcomes: OptionSet {
    let rawValue: UInt8

    static let isTrue = Outcomes(rawValue: 1)
    static let isFalse = Outcomes(rawValue: 2)
    static let isUnknown = Outcomes(rawValue: 4)
    static let any: Outcomes = [.isTrue, .isFalse, .isUnknown]

    var negated: Outcomes {
      var negated = intersection(.isUnknown)
      if contains(.isTrue) { negated.insert(.isFalse) }
      if contains(.isFalse) { negated.insert(.isTrue) }
      return negated
    }

    func and(_ other: Outcomes) -> Outcomes {
      var both = union(other).intersection(.isFalse)
      if contains(.isTrue), other.contains(.isTrue) { both.insert(.isTrue) }
      let (mayPass, otherMayPass) = (!isSubset(of: .isFalse), !other.isSubset(of: .isFalse))
      if mayPass, otherMayPass, union(other).contains(.isUnknown) { both.insert(.isUnknown) }
      return both
    }
  }

  indirect enum Node {
    case fixed(Outcomes)
    case not(Node)
    case and([Node])
    /// The result of a condition on a column: `ifNull` if the column is NULL, and `otherwise` if
    /// not.
    case column(isNull: Int, ifNull: Outcomes, otherwise: Node)
    /// True in some of a variable's states, and false in the others.
    case states(Int, Set<Int>)
    /// A condition that is not evaluated: false, true or unknown in a variable's states 0, 1 and 2.
    case undecided(Int)
  }

  /// The meaning of a variable's states.
  enum Subject: Hashable {
    /// 0 if the column is NULL, and 1 otherwise.
    case isNull(DatabaseRoute.Column)
    /// The intervals and single values of a column, as numbered by ``ValueIntervals``. `apart` is a
    /// value that can't be ordered relative to the others.
    case regions(DatabaseRoute.Column, apart: SQLiteValue?)
    /// The truth value of a text or a blob.
    case truth(DatabaseRoute.Column)
    case condition(DatabaseRoute.Comparison)
  }

  /// The states that a variable can have, and the variable whose state must be 1 for it to be used.
  typealias Variable = (states: [Int], isNull: Int?)

  let table: TableSchema
  private let rules: (TableSchema.Column?) -> ComparisonRules
  var regions: [Subject: ValueIntervals] = [:]
  var indices: [Subject: Int] = [:]
  var variables: [Variable] = []
  /// A number for each column, by the variables of its values. At most one of a column's variables is in its state 1,
  /// the value itself.
  var exactGroups: [Int: Int] = [:]
  private var root = Node.fixed(.any)

  /// - Parameters:
  ///   - filter: The filter to analyze.
  ///   - table: The schema of the filtered table.
  ///   - rules: Returns the rules for comparisons with a column; with a part of JSON for `nil`.
  init(
    _ filter: DatabaseRoute.Filter, of table: TableSchema,
    rules: @escaping (TableSchema.Column?) -> ComparisonRules
  ) {
    self.table = table
    self.rules = rules
    collect(filter)
    root = node(filter)
  }

  /// Returns whether the filter is false for no row that the table can hold.
  ///
  /// - Parameter steps: The maximum number of evaluated conditions. A filter that takes more counts
  ///   as one that excludes some row.
  func isTautology(within steps: Int = 500_000) -> Bool {
    var remainingSteps = steps
    return isTautology(root, &remainingSteps)
  }

  /// Each part of a conjunction is checked separately: the conjunction is false if one of them is.
  private func isTautology(_ node: Node, _ remainingSteps: inout Int) -> Bool {
    if case .and(let nodes) = node { return nodes.allSatisfy { isTautology($0, &remainingSteps) } }
    var assigned = [Int?](repeating: nil, count: variables.count)
    var used: Set<Int> = []
    Self.collect(node, &used)
    return isNeverFalse(node, used.sorted(), &assigned, &remainingSteps)
  }

  /// Collects the variables that a node depends on.
  private static func collect(_ node: Node, _ used: inout Set<Int>) {
    switch node {
    case .fixed: break
    case .not(let node): collect(node, &used)
    case .and(let nodes): for node in nodes { collect(node, &used) }
    case .column(let isNull, _, let node):
      used.insert(isNull)
      collect(node, &used)
    case .states(let variable, _), .undecided(let variable): used.insert(variable)
    }
  }

  private func isNeverFalse(
    _ node: Node, _ used: [Int], _ assigned: inout [Int?], _ remainingSteps: inout Int
  ) -> Bool {
    let outcomes = outcomes(node, assigned, &remainingSteps)
    guard remainingSteps >= 0 else { return false }
    if !outcomes.contains(.isFalse) { return true }
    guard outcomes != .isFalse, let next = next(of: used, assigned) else { return false }
    defer { assigned[next] = nil }
    for state in variables[next].states {
      if state == 1, let group = exactGroups[next],
        exactGroups.contains(where: { $0.value == group && assigned[$0.key] == 1 })
      {
        continue
      }
      assigned[next] = state
      guard isNeverFalse(node, used, &assigned, &remainingSteps) else { return false }
    }
    return true
  }

  /// Returns the variable to assign next: first those that indicate NULLs.
  private func next(of used: [Int], _ assigned: [Int?]) -> Int? {
    used.first { assigned[$0] == nil && variables[$0].isNull == nil }
      ?? used.first { variable in
        assigned[variable] == nil && variables[variable].isNull.map { assigned[$0] == 1 } ?? false
      }
  }

  private func outcomes(_ node: Node, _ assigned: [Int?], _ remainingSteps: inout Int) -> Outcomes {
    remainingSteps -= 1
    guard remainingSteps >= 0 else { return .any }
    switch node {
    case .fixed(let outcomes): return outcomes
    case .not(let node): return outcomes(node, assigned, &remainingSteps).negated
    case .and(let nodes):
      var all = Outcomes.isTrue
      for node in nodes where all != .isFalse {
        all = all.and(outcomes(node, assigned, &remainingSteps))
      }
      return all
    case .column(let isNull, let ifNull, let otherwise):
      switch assigned[isNull] {
      case 0: return ifNull
      case nil where variables[isNull].states.contains(0):
        return ifNull.union(outcomes(otherwise, assigned, &remainingSteps))
      default: return outcomes(otherwise, assigned, &remainingSteps)
      }
    case .states(let variable, let states):
      return assigned[variable].map { states.contains($0) ? .isTrue : .isFalse }
        ?? [.isTrue, .isFalse]
    case .undecided(let variable):
      return switch assigned[variable] {
      case 0: .isFalse
      case 1: .isTrue
      case 2: .isUnknown
      default: .any
      }
    }
  }
}

// MARK: Compared values

extension FilterTautologyAnalysis {
  /// Collects the values that each column is compared with, which bound its intervals.
  private mutating func collect(_ filter: DatabaseRoute.Filter) {
    switch filter.form {
    case .all, .tooDeep: break
    case .not(let filter): collect(filter)
    case .and(let filters), .or(let filters): for filter in filters { collect(filter) }
    case .comparison(let comparison):
      guard let (column, rules) = column(of: comparison) else { return }
      func add(_ values: [SQLiteValue]) {
        regions[.regions(column, apart: nil), default: ValueIntervals(rules)].add(values)
      }
      switch comparison.operand {
      case .none where comparison.operator == .isTrue || comparison.operator == .isFalse:
        add([.integer(0), .text(""), .blob([])])
      case .none: break
      case .list(let values): add(values.compactMap { rules.element($0) })
      case .value(let value): add([rules.operand(value)].compactMap(\.self))
      case .any(let values), .each(let values): add(values.compactMap { rules.operand($0) })
      }
    }
  }

  /// Returns the column of a condition, with its comparison rules.
  func column(
    of comparison: DatabaseRoute.Comparison
  ) -> (DatabaseRoute.Column, ComparisonRules)? {
    guard let schema = try? table.routeColumn(comparison.column.name) else { return nil }
    let isPlain = comparison.column.path.isEmpty
    return (
      isPlain ? .init(schema.name) : comparison.column,
      rules(isPlain ? schema : nil)
    )
  }
}
