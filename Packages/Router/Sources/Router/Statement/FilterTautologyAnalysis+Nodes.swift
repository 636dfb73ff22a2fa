internal import SQLiteCore

extension FilterTautologyAnalysis {
  mutating func node(_ filter: DatabaseRoute.Filter) -> Node {
    switch filter.form {
    case .all: return .fixed(.isTrue)
    case .tooDeep: return .fixed(.any)
    case .not(let filter): return .not(node(filter))
    case .and(let filters): return .and(filters.map { node($0) })
    case .or(let filters): return Self.or(filters.map { node($0) })
    case .comparison(let comparison):
      switch comparison.operand {
      case .any(let values): return Self.or(each(comparison, values))
      case .each(let values): return .and(each(comparison, values))
      default: return node(comparison)
      }
    }
  }

  private static func or(_ nodes: [Node]) -> Node { .not(.and(nodes.map { .not($0) })) }

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
    guard let (column, rules) = column(of: comparison) else { return .fixed(.any) }
    let isNull = variable(.isNull(column), states: rules.canBeNull ? [0, 1] : [1])
    func node(_ otherwise: Node, ifNull: Outcomes = .isUnknown) -> Node {
      .column(isNull: isNull, ifNull: ifNull, otherwise: otherwise)
    }
    switch (comparison.operator, comparison.operand) {
    case (.isNull, .none), (.isNotDistinct, .value(.null)):
      return node(.fixed(.isFalse), ifNull: .isTrue)
    case (.isNotNull, .none), (.isDistinct, .value(.null)):
      return node(.fixed(.isTrue), ifNull: .isFalse)
    case (.isTrue, .none): return node(truth(column, isNull), ifNull: .isFalse)
    case (.isFalse, .none): return node(.not(truth(column, isNull)), ifNull: .isFalse)
    case (.in, .list([])): return .fixed(.isFalse)
    case (.notIn, .list([])): return .fixed(.isTrue)
    case (.in, .list(let values)): return node(isIn(column, rules, values, isNull))
    case (.notIn, .list(let values)): return node(.not(isIn(column, rules, values, isNull)))
    // A JSON array contains all values of an empty list; for other values the condition is unknown.
    case (.contains, .list([])): return node(.fixed([.isTrue, .isUnknown]))
    case (.like, .value(.text(let pattern))) where Self.matchesAll(pattern),
      (.iLike, .value(.text(let pattern))) where Self.matchesAll(pattern):
      return node(.fixed(.isTrue))
    case (let name, .value(let value)) where !value.isBoundAsNull && Self.positions[name] != nil:
      let comparison = compared(name, value, column, rules, isNull)
      return switch name {
      case .isDistinct: node(comparison, ifNull: .isTrue)
      case .isNotDistinct: node(comparison, ifNull: .isFalse)
      default: node(comparison)
      }
    default:
      var condition = comparison
      condition.column = column
      return node(.undecided(variable(.condition(condition), states: [0, 1, 2], of: isNull)))
    }
  }

  /// The positions of a column's value relative to the compared value for which an operator is
  /// true.
  private static let positions: [DatabaseRoute.Operator: ValueIntervals.Position] = [
    .lessThan: .less, .lessThanOrEquals: [.less, .equal], .equals: .equal, .isNotDistinct: .equal,
    .greaterThanOrEquals: [.equal, .greater], .greaterThan: .greater,
    .notEquals: [.less, .greater], .isDistinct: [.less, .greater],
  ]

  private mutating func compared(
    _ name: DatabaseRoute.Operator, _ value: SQLiteValue, _ column: DatabaseRoute.Column,
    _ rules: ComparisonRules, _ isNull: Int
  ) -> Node {
    let subject: Subject
    let operand: SQLiteValue
    if let ordered = rules.operand(value) {
      (subject, operand) = (.regions(column, apart: nil), ordered)
    } else {
      (subject, operand) = (.regions(column, apart: value), value)
      var apart = ValueIntervals(.unordered)
      apart.add([value])
      regions[subject] = apart
    }
    let known = regions[subject] ?? ValueIntervals(rules)
    let states = known.regions(Self.positions[name] ?? [], operand)
    let node = self.states(states, of: subject, known, isNull)
    if rules.isExact, let variable = indices[subject] { exactGroups[variable] = isNull }
    return node
  }

  private mutating func isIn(
    _ column: DatabaseRoute.Column, _ rules: ComparisonRules, _ values: [SQLiteValue], _ isNull: Int
  ) -> Node {
    let operands = values.compactMap { rules.element($0) }
    if rules.isExact {
      return Self.or(values.map { compared(.equals, $0, column, rules, isNull) })
    }
    guard operands.count == values.count else {
      // One condition, independent of the order of its values.
      let sorted = Set(values).sorted { "\($0)" < "\($1)" }
      let condition = DatabaseRoute.Comparison(
        column: column, operator: .in, operand: .list(sorted))
      let variable = variable(.condition(condition), states: [0, 1], of: isNull)
      return .states(variable, [1])
    }
    let subject = Subject.regions(column, apart: nil)
    let known = regions[subject] ?? ValueIntervals(rules)
    let states = operands.reduce(into: Set()) { $0.formUnion(known.regions(.equal, $1)) }
    return self.states(states, of: subject, known, isNull)
  }

  /// Returns whether a value other than NULL counts as true: a number other than 0, or a text that
  /// begins with such a number.
  private mutating func truth(_ column: DatabaseRoute.Column, _ isNull: Int) -> Node {
    let subject = Subject.regions(column, apart: nil)
    guard let known = regions[subject] else { return .fixed([.isTrue, .isFalse]) }
    let numbers = known.regions(.less, .text(""))
    let isNumber = states(numbers, of: subject, known, isNull)
    let isTrueNumber = states(
      numbers.subtracting(known.regions(.equal, .integer(0))), of: subject, known, isNull)
    let truth = variable(.truth(column), states: [0, 1], of: isNull)
    return Self.or([isTrueNumber, .and([.not(isNumber), .states(truth, [1])])])
  }

  /// Returns a condition that is true in some of a column's regions.
  private mutating func states(
    _ states: Set<Int>, of subject: Subject, _ known: ValueIntervals, _ isNull: Int
  ) -> Node {
    let variable = variable(subject, states: known.all, of: isNull)
    if states.isSuperset(of: known.all) { return .fixed(.isTrue) }
    return states.isDisjoint(with: known.all) ? .fixed(.isFalse) : .states(variable, states)
  }

  private mutating func variable(
    _ subject: Subject, states: [Int], of isNull: Int? = nil
  ) -> Int {
    if let known = indices[subject] { return known }
    let variable = variables.count
    indices[subject] = variable
    variables.append((states, isNull))
    return variable
  }

  /// Returns whether a pattern consists only of `%`.
  private static func matchesAll(_ pattern: String) -> Bool {
    !pattern.isEmpty && pattern.utf8.allSatisfy { $0 == UInt8(ascii: "%") }
  }
}
