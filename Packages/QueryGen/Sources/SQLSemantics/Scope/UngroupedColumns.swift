internal import QueryModel
internal import SQLSyntax

/// A search for columns whose values come from an arbitrary row of each group.
///
/// A column has one value in a group if the query groups on it, if it equals such a column, or if its
/// table has one row in a group. See https://www.sqlite.org/lang_select.html#bareagg.
struct UngroupedColumns {
  /// The terms of `GROUP BY`.
  private let groups: [TypedExpression]
  /// The columns with one value in each group.
  private var fixed: Set<ResolvedColumn> = []
  /// The sources with several rows in a group.
  private var varying: Set<SourceID>

  /// - Parameters:
  ///   - sources: The sources of the query, without groups in parentheses.
  ///   - groups: The terms of `GROUP BY`.
  ///   - conditions: The conditions of `WHERE` and of the joins.
  init(_ sources: [Source], groups: [TypedExpression], conditions: [TypedExpression]) {
    self.groups = groups
    varying = Set(sources.map(\.id))
    let equalities = conditions.flatMap(\.conjuncts).compactMap(\.equality)
    var fixedValues = groups.flatMap { group -> [TypedExpression] in
      if case .merged(let parts, _) = group.stripped.kind { parts } else { [group.stripped] }
    }
    fixed = Set(fixedValues.compactMap(\.column))
    var open = sources
    var isChanged = true
    while isChanged {
      isChanged = false
      for (left, right) in equalities + equalities.map({ ($0.1, $0.0) }) {
        guard let column = left.column, !fixed.contains(column), hasOneValue(right) else {
          continue
        }
        fixed.insert(column)
        fixedValues.append(left)
        isChanged = true
      }
      let rows = SingleRowAnalysis(conditions: fixedValues.map(\.equalToConstant))
      for index in open.indices.reversed()
      where rows.hasAtMostOneRow([open[index]]) || isDetermined(open[index]) {
        varying.remove(open.remove(at: index).id)
        isChanged = true
      }
    }
  }

  /// Returns whether the columns by which a subquery or view groups have one value each.
  private func isDetermined(_ source: Source) -> Bool {
    source.groupKey?.allSatisfy { fixed.contains(source.resolved($0)) } ?? false
  }

  private func hasOneValue(_ value: TypedExpression) -> Bool {
    !value.hasSubqueryOverRows
      && value.columns.allSatisfy { fixed.contains($0) || !varying.contains($0.source) }
  }

  /// Returns the first such column outside of the expression's aggregates.
  func first(in expression: TypedExpression) -> TypedExpression? {
    if groups.contains(where: { $0.stripped.isSameExpression(as: expression.stripped) }) {
      return nil
    }
    switch expression.kind {
    case .aggregate: return nil
    case .column(let column):
      return varying.contains(column.source) && !fixed.contains(column) ? expression : nil
    default:
      for part in expression.parts {
        if let column = first(in: part) { return column }
      }
      return nil
    }
  }
}

extension TypedExpression {
  /// The sides of an equality.
  fileprivate var equality: (TypedExpression, TypedExpression)? {
    switch kind {
    case .comparison("=", let left, let right), .identity(let left, let right, negated: false):
      (left.stripped, right.stripped)
    case .inList(let value, let list, negated: false) where list.count == 1:
      (value.stripped, list[0].stripped)
    case .collate(let inner, _): inner.equality
    default: nil
    }
  }

  /// A condition that fixes the expression's value.
  fileprivate var equalToConstant: TypedExpression {
    let constant = TypedExpression(kind: .literal(.integer(0)), type: .integer, span: span)
    return TypedExpression(
      kind: .comparison("=", self, constant), type: .boolean, span: span)
  }

  /// The aggregates of the expression that range over the rows of a scope.
  fileprivate func aggregates(of scope: ScopeID) -> [TypedExpression] {
    if case .aggregate(_, _, scope, _) = kind { return [self] }
    return parts.flatMap { $0.aggregates(of: scope) }
  }
}

extension Resolver {
  /// Returns the columns that contain the terms of `GROUP BY`, or `nil` if a term is not a column.
  static func groupKey(_ columns: [SelectColumn], _ groups: [TypedExpression]) -> [Int]? {
    guard !groups.isEmpty else { return nil }
    var key: [Int] = []
    for group in groups {
      let column = columns.firstIndex { column in
        column.expression?.stripped.isSameExpression(as: group.stripped) == true
      }
      guard let column else { return nil }
      key.append(column)
    }
    return key
  }

  /// Warns about columns that are neither grouped nor aggregated in a query with aggregates or
  /// groups.
  ///
  /// Beside exactly one `min()` or `max()`, SQLite takes the columns from the row with the minimum or
  /// maximum.
  ///
  /// - Parameters:
  ///   - clauses: The expressions that are evaluated once for each group.
  ///   - groups: The terms of `GROUP BY`.
  ///   - from: The query's sources.
  ///   - condition: The condition of `WHERE`.
  ///   - scope: The query's scope.
  mutating func checkUngrouped(
    _ clauses: [TypedExpression], groups: [TypedExpression], from: ResolvedFrom,
    condition: TypedExpression?, in scope: ScopeID
  ) {
    let sources = from.sources.flatMap(\.leaves)
    guard !sources.contains(where: \.isUnknown) else { return }
    var extremes: [TypedExpression] = []
    for aggregate in clauses.flatMap({ $0.aggregates(of: scope) }) {
      guard case .aggregate(let function, _, _, _) = aggregate.kind,
        function.name == "min" || function.name == "max",
        !extremes.contains(where: { $0.isSameExpression(as: aggregate) })
      else { continue }
      extremes.append(aggregate)
    }
    guard extremes.count != 1 else { return }
    let search = UngroupedColumns(
      sources, groups: groups,
      conditions: from.allConditions + (condition.map { [$0] } ?? []))
    for clause in clauses {
      guard let column = search.first(in: clause), let name = column.column?.name else { continue }
      warn(
        .ungroupedColumn, at: column.span,
        groups.isEmpty
          ? "`\(name)` is not in an aggregate, so its value comes from an arbitrary row; "
            + "aggregate it, or add GROUP BY"
          : "`\(name)` is neither in GROUP BY nor in an aggregate, so its value comes from an "
            + "arbitrary row of each group")
    }
  }
}
