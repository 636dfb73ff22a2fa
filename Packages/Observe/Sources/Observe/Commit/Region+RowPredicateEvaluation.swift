internal import SQLiteCore

extension Region.RowPredicate {
  /// Returns whether the predicate may hold for a row's values before or after a commit.
  func mayHold(for row: ChangeSet.ChangedRow, layout: ChangeSet.TableLayout) -> Bool {
    if let old = RowImage(row, isOld: true, layout: layout),
      outcomes(for: old).contains(.isTrue)
    {
      return true
    }
    return RowImage(row, isOld: false, layout: layout)
      .map { outcomes(for: $0).contains(.isTrue) } ?? false
  }

  /// Returns the possible results of the predicate in SQLite for a row.
  func outcomes(for row: RowImage) -> Outcomes { term.outcomes(for: row) }

  /// The possible results of a predicate: one if the result is certain, otherwise several.
  struct Outcomes: OptionSet {
    let rawValue: UInt8

    static let isTrue = Outcomes(rawValue: 1)
    static let isFalse = Outcomes(rawValue: 2)
    static let isNull = Outcomes(rawValue: 4)
    static let undecided: Outcomes = [.isTrue, .isFalse, .isNull]

    init(rawValue: UInt8) { self.rawValue = rawValue }

    init(_ value: Bool) { self = value ? .isTrue : .isFalse }

    var negated: Outcomes {
      var negated = intersection(.isNull)
      if contains(.isTrue) { negated.insert(.isFalse) }
      if contains(.isFalse) { negated.insert(.isTrue) }
      return negated
    }

    func and(_ other: Outcomes) -> Outcomes {
      var both = union(other).intersection(.isFalse)
      both.formUnion(intersection(other).intersection([.isTrue, .isNull]))
      if contains(.isTrue), other.contains(.isNull) { both.insert(.isNull) }
      if contains(.isNull), other.contains(.isTrue) { both.insert(.isNull) }
      return both
    }
  }
}

/// The values of a row before or after a commit.
struct RowImage {
  let key: ChangeSet.ChangedRow.Key
  let values: [SQLiteValue]
  /// Indicates whether these are the values before the commit, which the engine does not always
  /// provide.
  let isOld: Bool
  let layout: ChangeSet.TableLayout
  /// The indices of values that the engine did not report.
  let unknown: Set<Int>

  /// Creates the row before or after a change; fails if it did not exist.
  init?(_ row: ChangeSet.ChangedRow, isOld: Bool, layout: ChangeSet.TableLayout) {
    guard let values = isOld ? row.old : row.new else { return nil }
    self.init(
      key: row.key, values: values, isOld: isOld, layout: layout,
      unknown: isOld ? row.unknownOld : row.unknownNew)
  }

  init(
    key: ChangeSet.ChangedRow.Key, values: [SQLiteValue], isOld: Bool,
    layout: ChangeSet.TableLayout, unknown: Set<Int> = []
  ) {
    self.key = key
    self.values = values
    self.isOld = isOld
    self.layout = layout
    self.unknown = unknown
  }

  /// Returns a column's value, or `nil` if it is unknown.
  func value(of column: Int) -> SQLiteValue? {
    // Optional values: `.none` means unknown, `.some(.null)` means NULL.
    guard values.indices.contains(column), unknown.isEmpty || !unknown.contains(column) else {
      return .none
    }
    let value = values[column]
    if isOld && value.isNull && layout.defaulted.contains(column) { return .none }
    guard value.definitelyEquals(value) else { return .none }
    return .some(value)
  }
}

extension Region.RowPredicate.Term {
  fileprivate func outcomes(for row: RowImage) -> Region.RowPredicate.Outcomes {
    switch self {
    case .comparison(let column, let comparison, let value):
      guard let (stored, rule) = row.operand(column), let value = rule.operand(value) else {
        return .undecided
      }
      if stored.isNull || value.isNull { return .isNull }
      return Region.RowPredicate.Outcomes(rule.order(stored, value), comparison)
    case .isIn(let column, let values):
      if values.isEmpty { return .isFalse }
      guard let (stored, rule) = row.operand(column) else { return .undecided }
      return Self.outcomes(of: stored, in: values, rule)
    case .isNull(let column):
      guard let index = row.layout.columns.firstIndex(of: column),
        let value = row.value(of: index)
      else { return .undecided }
      return Region.RowPredicate.Outcomes(value.isNull)
    case .rowIDs(let rowIDs):
      guard case .rowID(let rowID) = row.key else { return .undecided }
      return Region.RowPredicate.Outcomes(rowIDs.contains(rowID))
    case .not(let term): return term.outcomes(for: row).negated
    case .all(let terms):
      return terms.reduce(Region.RowPredicate.Outcomes.isTrue) { $0.and($1.outcomes(for: row)) }
    case .any(let terms):
      return terms.reduce(Region.RowPredicate.Outcomes.isTrue) {
        $0.and($1.outcomes(for: row).negated)
      }.negated
    }
  }

  private static func outcomes(
    of stored: SQLiteValue, in values: Set<SQLiteValue>, _ rule: ChangeSet.ColumnComparison
  ) -> Region.RowPredicate.Outcomes {
    if stored.isNull { return .isNull }
    var outcomes = Region.RowPredicate.Outcomes.isFalse
    for value in values {
      guard let value = rule.operand(value), let order = rule.order(stored, value) else {
        outcomes = .undecided
        continue
      }
      if value.isNull {
        outcomes.insert(.isNull)
        outcomes.remove(.isFalse)
      } else if order == .equal {
        return .isTrue
      }
    }
    return outcomes
  }
}

extension RowImage {
  /// Returns a column's value converted for a comparison, and the column's comparison rules.
  fileprivate func operand(_ column: Region.ColumnName) -> (
    SQLiteValue, ChangeSet.ColumnComparison
  )? {
    guard let index = layout.columns.firstIndex(of: column), let value = value(of: index),
      let operand = layout.comparisons[index].operand(value)
    else { return nil }
    return (operand, layout.comparisons[index])
  }
}

extension Region.RowPredicate.Outcomes {
  fileprivate init(
    _ order: ChangeSet.ColumnComparison.Order?, _ comparison: Region.RowPredicate.Comparison
  ) {
    switch (order, comparison) {
    case (nil, _): self = .undecided
    case (.unequal, .equal): self = .isFalse
    case (.unequal, .notEqual): self = .isTrue
    case (.unequal, _): self = [.isTrue, .isFalse]
    case (let order?, .equal): self.init(order == .equal)
    case (let order?, .notEqual): self.init(order != .equal)
    case (let order?, .less): self.init(order == .less)
    case (let order?, .lessOrEqual): self.init(order != .greater)
    case (let order?, .greater): self.init(order == .greater)
    case (let order?, .greaterOrEqual): self.init(order != .less)
    }
  }
}
