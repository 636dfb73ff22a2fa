internal import Observe
internal import SQLiteCore

/// Converts filters to row predicates, which Observe evaluates for a commit's rows.
///
/// Each predicate holds at least for the rows for which SQLite's condition does; `nil` means every row. `LIKE` and
/// `GLOB` are assumed to be SQLite's own, which are never true for NULL.
struct RowPredicateBuilder {
  let table: TableSchema

  /// Returns a predicate that holds for each row for which a filter is true.
  func mayHold(_ filter: DatabaseRoute.Filter) -> Region.RowPredicate? {
    switch filter.form {
    case .all, .tooDeep: nil
    case .not(let filter): mayFail(filter)
    case .and(let filters): Self.all(filters.map(mayHold))
    case .or(let filters): any(filters.map(mayHold))
    case .comparison(let comparison): outcome(comparison).isTrue
    }
  }

  /// Returns a predicate that holds for each row for which a filter is false, and not unknown.
  func mayFail(_ filter: DatabaseRoute.Filter) -> Region.RowPredicate? {
    switch filter.form {
    case .all: none
    case .tooDeep: nil
    case .not(let filter): mayHold(filter)
    case .and(let filters): any(filters.map(mayFail))
    case .or(let filters): Self.all(filters.map(mayFail))
    case .comparison(let comparison): outcome(comparison).isFalse
    }
  }

  /// A predicate that holds for no row.
  private var none: Region.RowPredicate? {
    table.columns.first.map { .column(Region.ColumnName($0.name), in: []) }
  }

  private static func all(_ predicates: [Region.RowPredicate?]) -> Region.RowPredicate? {
    let known = predicates.compactMap { $0 }
    return known.dropFirst().reduce(known.first) { joined, next in joined.map { $0 && next } }
  }

  private func any(_ predicates: [Region.RowPredicate?]) -> Region.RowPredicate? {
    let known = predicates.compactMap { $0 }
    guard known.count == predicates.count else { return nil }
    guard let first = known.first else { return none }
    return known.dropFirst().reduce(first) { $0 || $1 }
  }
}

// MARK: Conditions

extension RowPredicateBuilder {
  /// Predicates for the rows for which a condition is true, and for those for which it is false.
  private struct Outcome {
    var isTrue: Region.RowPredicate?
    var isFalse: Region.RowPredicate?

    static let unknown = Outcome()

    /// Creates the outcome of a condition that is equivalent to a predicate.
    init(_ predicate: Region.RowPredicate) {
      isTrue = predicate
      isFalse = !predicate
    }

    init(isTrue: Region.RowPredicate? = nil, isFalse: Region.RowPredicate? = nil) {
      self.isTrue = isTrue
      self.isFalse = isFalse
    }

    var opposite: Outcome { Outcome(isTrue: isFalse, isFalse: isTrue) }
  }

  private func outcome(_ comparison: DatabaseRoute.Comparison) -> Outcome {
    guard comparison.column.path.isEmpty,
      let column = try? table.routeColumn(comparison.column.name)
    else { return .unknown }
    switch comparison.operand {
    case .none: return test(column, comparison.operator)
    case .value(let value): return compare(column, comparison.operator, value)
    case .list(let values):
      switch comparison.operator {
      case .in: return list(column, values)
      case .notIn: return list(column, values).opposite
      default: return notNull(column)
      }
    case .any(let values):
      let each = values.map { compare(column, comparison.operator, $0) }
      return Outcome(isTrue: any(each.map(\.isTrue)), isFalse: Self.all(each.map(\.isFalse)))
    case .each(let values):
      let each = values.map { compare(column, comparison.operator, $0) }
      return Outcome(isTrue: Self.all(each.map(\.isTrue)), isFalse: any(each.map(\.isFalse)))
    }
  }

  private func test(_ column: TableSchema.Column, _ operator: DatabaseRoute.Operator) -> Outcome {
    let name = Region.ColumnName(column.name)
    // A true value is not 0, and a false value is not 1, regardless of the column's type. Neither test is ever unknown.
    let isTrue = Region.RowPredicate.column(name, .notEqual, 0)
    let isFalse = Region.RowPredicate.column(name, .notEqual, 1)
    let isNull = Region.RowPredicate.isNull(name)
    switch `operator` {
    case .isNull: return Outcome(isNull)
    case .isNotNull: return Outcome(!isNull)
    case .isTrue: return Outcome(isTrue: isTrue, isFalse: isNull || isFalse)
    case .isFalse: return Outcome(isTrue: isFalse, isFalse: isNull || isTrue)
    default: return .unknown
    }
  }

  private func compare(
    _ column: TableSchema.Column, _ operator: DatabaseRoute.Operator, _ value: SQLiteValue
  ) -> Outcome {
    let name = Region.ColumnName(column.name)
    switch `operator` {
    case .equals: return Outcome(.column(name, .equal, value))
    case .notEquals: return Outcome(.column(name, .notEqual, value))
    case .greaterThan: return Outcome(.column(name, .greater, value))
    case .greaterThanOrEquals: return Outcome(.column(name, .greaterOrEqual, value))
    case .lessThan: return Outcome(.column(name, .less, value))
    case .lessThanOrEquals: return Outcome(.column(name, .lessOrEqual, value))
    case .isNotDistinct: return same(name, value)
    case .isDistinct: return same(name, value).opposite
    case .like, .iLike: return notNull(column)
    default: return .unknown
    }
  }

  /// `IS`, which is never unknown.
  private func same(_ name: Region.ColumnName, _ value: SQLiteValue) -> Outcome {
    if value.isBoundAsNull { return Outcome(.isNull(name)) }
    return Outcome(
      isTrue: .column(name, equals: value),
      isFalse: .isNull(name) || .column(name, .notEqual, value))
  }

  /// `IN` with a list that is a table's column: unlike in a comparison with a value, a number is not converted to a
  /// text.
  private func list(_ column: TableSchema.Column, _ values: [SQLiteValue]) -> Outcome {
    let name = Region.ColumnName(column.name)
    let isInteger = column.declaredType.uppercased().contains("INT")
    let certain = values.filter { value in
      switch value {
      case .text, .blob: true
      default: isInteger
      }
    }
    return Outcome(isTrue: .column(name, in: values), isFalse: !.column(name, in: certain))
  }

  private func notNull(_ column: TableSchema.Column) -> Outcome {
    let isNotNull = Region.RowPredicate.isNotNull(Region.ColumnName(column.name))
    return Outcome(isTrue: isNotNull, isFalse: isNotNull)
  }
}

// MARK: Failures

extension RowPredicateBuilder {
  /// Returns whether SQLite can evaluate a filter for every row. Otherwise, a row that another condition excludes may
  /// still make the route fail.
  func neverFails(_ filter: DatabaseRoute.Filter) -> Bool {
    switch filter.form {
    case .all: true
    case .tooDeep: false
    case .not(let filter): neverFails(filter)
    case .and(let filters), .or(let filters): filters.allSatisfy(neverFails)
    case .comparison(let comparison):
      neverFails(comparison.column)
        && (Self.safe.contains(comparison.operator) || isShortPattern(comparison))
    }
  }

  /// Returns whether reading a column never fails. Reading a part of JSON fails for invalid JSON, and a computed column
  /// may fail.
  func neverFails(_ column: DatabaseRoute.Column) -> Bool {
    guard column.path.isEmpty, let schema = try? table.routeColumn(column.name) else {
      return false
    }
    return schema.kind == .stored || schema.kind == .storedGenerated
  }

  /// Returns whether a condition is a pattern within SQLite's complexity limit.
  private func isShortPattern(_ comparison: DatabaseRoute.Comparison) -> Bool {
    guard [.like, .iLike].contains(comparison.operator) else { return false }
    let patterns: [SQLiteValue] =
      switch comparison.operand {
      case .none: []
      case .value(let value): [value]
      case .list(let values), .any(let values), .each(let values): values
      }
    return patterns.allSatisfy { pattern in
      if case .text(let text) = pattern { text.utf8.count < 4096 } else { false }
    }
  }

  private static let safe: Set<DatabaseRoute.Operator> = [
    .equals, .notEquals, .greaterThan, .greaterThanOrEquals, .lessThan, .lessThanOrEquals, .isNull,
    .isNotNull, .isTrue, .isFalse, .isDistinct, .isNotDistinct, .in, .notIn, .contains,
    .containedBy, .overlaps,
  ]
}
