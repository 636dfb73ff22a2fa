internal import QueryModel
internal import SQLSyntax

/// The bounds of the number of rows that a select returns.
struct RowCountBounds: Hashable, Sendable {
  var isAtLeastOne: Bool
  var isAtMostOne: Bool

  static let many = RowCountBounds(isAtLeastOne: false, isAtMostOne: false)
  static let one = RowCountBounds(isAtLeastOne: true, isAtMostOne: true)
  static let optional = RowCountBounds(isAtLeastOne: false, isAtMostOne: true)

  var cardinality: Cardinality {
    isAtMostOne ? (isAtLeastOne ? .one : .optional) : .many
  }
}

/// An analysis of whether conditions select at most one row of some sources.
struct SingleRowAnalysis {
  /// A condition of the form `column = value`.
  private struct Equality {
    let column: ResolvedColumn
    let affinity: Affinity?
    let value: TypedExpression
    let collation: String
  }

  private var equalities: [Equality] = []

  init(conditions: [TypedExpression]) {
    for condition in conditions.flatMap(\.conjuncts) where condition.condition.isEmpty {
      add(condition)
    }
  }

  private mutating func add(_ condition: TypedExpression) {
    switch condition.kind {
    case .comparison("=", let left, let right):
      if case .row(let lefts) = left.kind, case .row(let rights) = right.kind {
        for (left, right) in zip(lefts, rights) { add(left, right) }
      } else {
        add(left, right)
      }
    case .identity(let left, let right, negated: false) where !Nullability().isNullable(right):
      add(left, right)
    case .inList(let value, let list, negated: false) where list.count == 1:
      add(value, list[0])
    case .collate(let inner, _): add(inner)
    default: break
    }
  }

  private mutating func add(_ left: TypedExpression, _ right: TypedExpression) {
    let collation =
      [left, right].compactMap(\.collation).first { $0.isExplicit }
      ?? left.collation ?? right.collation ?? ("BINARY", false)
    for (side, other) in [(left, right), (right, left)] {
      guard let column = side.column, !other.hasSubqueryOverRows else { continue }
      equalities.append(
        Equality(
          column: column, affinity: side.affinity, value: other, collation: collation.name))
    }
  }

  /// Returns whether at most one combination of the sources' rows satisfies the conditions.
  ///
  /// - Parameters:
  ///   - sources: The sources.
  ///   - given: The sources whose row is already determined.
  ///   - others: Further sources, whose rows vary and are not counted.
  func hasAtMostOneRow(
    _ sources: [Source], given: Set<SourceID> = [], otherSources others: [Source] = []
  ) -> Bool {
    var known = given
    var open = sources
    let all = Set((sources + others).map(\.id)).union(given)
    while !open.isEmpty {
      guard let next = open.firstIndex(where: { hasAtMostOneRow($0, known: known, among: all) })
      else {
        return false
      }
      known.insert(open.remove(at: next).id)
    }
    return true
  }

  private func hasAtMostOneRow(
    _ source: Source, known: Set<SourceID>, among all: Set<SourceID>
  ) -> Bool {
    if source.isSingleRow { return true }
    func isFixed(_ column: Int, collation: String?) -> Bool {
      equalities.contains { equality in
        guard equality.column.source == source.id, equality.column.column == column,
          equality.value.sources.intersection(all).isSubset(of: known),
          collation == nil || NameKey(equality.collation) == NameKey(collation ?? "")
        else { return false }
        // Different strings can be equal when compared as numbers.
        return equality.affinity?.isNumeric ?? false
          || !(equality.value.affinity?.isNumeric ?? false)
      }
    }
    if source.hasRowID, isFixed(source.rowIDAlias ?? ResolvedColumn.rowID, collation: nil) {
      return true
    }
    return (source.table?.keys ?? []).contains { key in
      key.condition == nil
        && key.parts.allSatisfy { part in
          part.column.map {
            isFixed(
              $0, collation: source.columns[$0].affinity == .text ? part.collation : nil)
          } ?? false
        }
    }
  }
}

extension TypedExpression {
  /// Indicates whether the value may depend on a row through a correlated subquery, which its
  /// columns don't show.
  var hasSubqueryOverRows: Bool { hasSubquery && !scopes.isEmpty }
}

/// The conditions that a table's rows must satisfy to affect a select: the parts of its `WHERE`
/// that involve only that table.
///
/// A row that doesn't satisfy the conditions contributes to no row of the result, regardless of
/// joins. Tables that an outer join makes optional are excluded.
struct RowPredicateBuilder: Sendable {
  private(set) var tables: [AccessLog.TableKey: RowCondition] = [:]

  /// A table in a `FROM` clause and its comparable columns.
  fileprivate struct Target {
    let source: SourceID
    let columns: Set<Int>
  }

  init(_ condition: TypedExpression, of sources: [Source]) {
    for source in sources.flatMap(\.leaves) where !source.isOptional {
      guard let table = source.table, case .table = table.kind else { continue }
      // Generated columns are computed when they are read, and are missing from changed rows.
      let stored = Set(table.columns.indices.filter { !table.columns[$0].isGenerated })
      let target = Target(source: source.id, columns: stored)
      let parts = condition.conjuncts.compactMap { part in
        RowCondition(part, on: target).map {
          part.condition.isEmpty ? $0 : .ifPresent(part.condition, $0)
        }
      }
      guard !parts.isEmpty else { continue }
      tables[AccessLog.TableKey(database: table.database, name: table.name)] =
        parts.count == 1 ? parts[0] : .all(parts)
    }
  }
}

extension RowCondition {
  /// Creates a condition that can be evaluated without SQLite; `nil` for any other expression.
  fileprivate init?(_ expression: TypedExpression, on target: RowPredicateBuilder.Target) {
    func column(_ expression: TypedExpression) -> String? {
      guard case .column(let column) = expression.kind, column.source == target.source,
        target.columns.contains(column.column)
      else { return nil }
      return column.name
    }
    switch expression.kind {
    case .comparison(let op, let left, let right):
      guard let comparison = Comparison(rawValue: op) else { return nil }
      if let column = column(left), let value = Value(right) {
        self = .comparison(column: column, comparison, value)
      } else if let column = column(right), let value = Value(left) {
        self = .comparison(column: column, comparison.mirrored, value)
      } else {
        return nil
      }
    case .between(let value, let low, let high, negated: false):
      guard let column = column(value), let low = Value(low), let high = Value(high) else {
        return nil
      }
      self = .all([
        .comparison(column: column, .greaterOrEqual, low),
        .comparison(column: column, .lessOrEqual, high),
      ])
    case .inList(let value, let list, negated: false):
      let values = list.compactMap(Value.init)
      guard let column = column(value), !list.isEmpty, values.count == list.count else {
        return nil
      }
      self = .isIn(column: column, values)
    case .inParameter(let value, let number, negated: false):
      guard let column = column(value) else { return nil }
      self = .isInList(column: column, parameter: number)
    case .isNull(let value, let isNegated):
      guard let column = column(value) else { return nil }
      self = isNegated ? .isNotNull(column: column) : .isNull(column: column)
    case .identity(let value, let other, let isNegated):
      guard let column = column(value), case .null = other.kind else { return nil }
      self = isNegated ? .isNotNull(column: column) : .isNull(column: column)
    case .and:
      // Each side is also a necessary condition by itself.
      let parts = expression.chain.compactMap { RowCondition($0, on: target) }
      guard let first = parts.first else { return nil }
      self = parts.count == 1 ? first : .all(parts)
    case .or:
      let sides = expression.chain
      let parts = sides.compactMap { RowCondition($0, on: target) }
      guard parts.count == sides.count else { return nil }
      self = .any(parts)
    default: return nil
    }
  }
}

extension RowCondition.Value {
  fileprivate init?(_ expression: TypedExpression) {
    switch expression.kind {
    case .parameter(let number): self = .parameter(number)
    case .literal(.integer(let value)): self = .integer(value)
    case .literal(.real(let value)): self = .real(value)
    case .literal(.text(let value)): self = .text(value)
    case .literal(.blob(let value)): self = .blob(value)
    default: return nil
    }
  }
}

extension RowCondition.Comparison {
  /// The comparison with its sides exchanged.
  fileprivate var mirrored: Self {
    switch self {
    case .equal, .notEqual: self
    case .less: .greater
    case .lessOrEqual: .greaterOrEqual
    case .greater: .less
    case .greaterOrEqual: .lessOrEqual
    }
  }
}
