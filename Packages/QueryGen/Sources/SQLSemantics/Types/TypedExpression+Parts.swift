internal import QueryModel

extension TypedExpression {
  /// The expressions that it is made of, those inside subqueries left out.
  var parts: [TypedExpression] {
    switch kind {
    case .unknown, .null, .literal, .column, .parameter, .subquery, .exists, .raise: []
    case .merged(let parts), .row(let parts): parts
    case .negation(let inner), .not(let inner), .cast(let inner, _), .collate(let inner, _),
      .isNull(let inner, _), .inSelect(let inner, _, _), .inParameter(let inner, _, _):
      [inner]
    case .arithmetic(_, let left, let right), .division(_, let left, let right),
      .comparison(_, let left, let right), .and(let left, let right), .or(let left, let right),
      .identity(let left, let right, _):
      [left, right]
    case .between(let value, let low, let high, _): [value, low, high]
    case .inList(let value, let list, _): [value] + list
    case .cases(let base, let branches, let otherwise):
      (base.map { [$0] } ?? []) + branches.flatMap { [$0.when, $0.then] }
        + (otherwise.map { [$0] } ?? [])
    case .function(_, let arguments), .aggregate(_, let arguments, _, _),
      .window(_, let arguments, _):
      arguments
    }
  }

  /// The sources whose columns it reads, those read inside subqueries left out.
  var sources: Set<SourceID> {
    if case .column(let column) = kind { return [column.source] }
    return parts.reduce(into: []) { $0.formUnion($1.sources) }
  }

  /// The columns that it reads, those read inside subqueries left out.
  var columns: [ResolvedColumn] {
    if case .column(let column) = kind { return [column] }
    return parts.flatMap(\.columns)
  }

  /// Whether it is the literal 0.
  var isZero: Bool {
    if case .literal(.integer(0)) = kind { type == .integer } else { false }
  }

  /// Forgets aggregates and windows that are never computed.
  mutating func forgetAggregates() {
    aggregateScopes = []
    hasWindow = false
  }

  /// The conditions that `AND` joins.
  var conjuncts: [TypedExpression] {
    var result: [TypedExpression] = []
    var rest = [self]
    while let next = rest.popLast() {
      if case .and(let left, let right) = next.kind {
        rest.append(right)
        rest.append(left)
      } else {
        result.append(next)
      }
    }
    return result
  }

  /// The collation by which SQLite compares the expression, and whether it is written there.
  var collation: (name: String, isExplicit: Bool)? {
    switch kind {
    case .collate(_, let name): (name, true)
    case .column(let column): (column.collation, false)
    case .cast(let inner, _): inner.collation
    case .merged(let parts): parts.first?.collation
    default: parts.lazy.compactMap(\.collation).first { $0.isExplicit }
    }
  }
}
