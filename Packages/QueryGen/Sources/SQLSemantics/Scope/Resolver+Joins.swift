internal import SQLSyntax

extension Join {
  /// Indicates whether the join has neither a condition nor an operator that shows that none is
  /// wanted: a comma or `CROSS JOIN`. The arguments of a table-valued function are a condition.
  var lacksConstraint: Bool {
    guard constraint == nil, !isNatural, kind != .comma, kind != .cross else { return false }
    if case .function = source { return false }
    return true
  }
}

extension Resolver {
  /// Warns about joins that combine all rows of two tables, because no condition of the statement
  /// involves both.
  ///
  /// - Parameters:
  ///   - from: The resolved clause.
  ///   - condition: The statement's `WHERE`.
  ///   - target: The target of an `UPDATE`, which is joined to the clause.
  ///   - scope: The statement's scope.
  mutating func checkJoins(
    of from: ResolvedFrom, condition: TypedExpression?, target: Source? = nil, in scope: ScopeID
  ) {
    guard !from.unconstrainedJoins.isEmpty else { return }
    let leaves = (from.sources + (target.map { [$0] } ?? [])).flatMap(\.leaves)
    guard !leaves.contains(where: \.isUnknown) else { return }
    let conditions = (from.allConditions + (condition.map { [$0] } ?? [])).flatMap(\.conjuncts)
    let rows = SingleRowAnalysis(conditions: conditions)
    for join in from.unconstrainedJoins {
      let right = Set(join.right.leaves.map(\.id))
      let others = leaves.filter { !right.contains($0.id) }
      let otherIDs = Set(others.map(\.id))
      let isConnected = conditions.contains { condition in
        let read = condition.sources
        return condition.isUnknown || condition.hasSubquery && condition.scopes.contains(scope)
          || !read.isDisjoint(with: right) && !read.isDisjoint(with: otherIDs)
      }
      guard !isConnected, !rows.hasAtMostOneRow(join.right.leaves), !rows.hasAtMostOneRow(others)
      else { continue }
      warn(
        .unconstrainedJoin, at: join.operatorSpan,
        "this join has no ON or USING, so it combines every row with every row of "
          + "`\(join.right.label)`; add a condition, or use CROSS JOIN")
    }
  }
}
