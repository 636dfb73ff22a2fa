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
