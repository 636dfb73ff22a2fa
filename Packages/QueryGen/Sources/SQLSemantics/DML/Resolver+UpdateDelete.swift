internal import QueryModel
internal import SQLSyntax

extension Resolver {
  mutating func resolve(
    _ update: Update, root: Scope? = nil, outer: CommonTables? = nil
  ) -> ResolvedDML {
    let commonTables = makeCommonTables(update.with, parent: root, outer: outer)
    var from = ResolvedFrom()
    if let clause = update.from {
      let inner = resolveFrom(clause, parent: root, commonTables: commonTables)
      if inner.sources.count == 1 {
        from = inner
      } else {
        from.sources = [
          makeGroup(
            inner, nil, &from, parent: root, commonTables, isOptional: false, at: clause.span)
        ]
      }
    }
    let table = findTarget(update.table, for: .update)
    let target =
      table.map {
        makeTarget($0, alias: update.table.alias, at: update.table.name.span)
      } ?? unknownSource(update.table.alias?.text ?? update.table.name.name.text)
    let scope = Scope(
      id: makeScopeID(), parent: root, sources: [target] + from.sources,
      commonTables: commonTables)
    trace?.scope(update.span, scope)
    if let clause = update.from,
      let source = from.sources.flatMap(\.leaves).first(where: { $0.isTarget(target) })
    {
      report(
        .prohibitedHere, at: clause.span,
        "target object/alias may not appear in FROM clause: `\(source.label)`")
    }
    if let clause = update.from,
      from.sources.flatMap(\.leaves).count >= Self.maximumJoinedTables
    {
      checkTableCount(scope.sources.tableCount, at: clause.span)
    }
    from.resolveArguments(&self, in: scope)
    from.resolveConditions(&self, in: scope)
    var written: [NameKey: SelectColumn] = [:]
    if let table {
      written = resolveAssignments(
        update.assignments, of: table, columns: target.columns, in: scope)
    } else {
      for assignment in update.assignments { _ = resolve(assignment.value, in: scope) }
    }
    let condition = update.where.map { resolveScalar($0, in: scope) }
    checkJoins(of: from, condition: condition, target: target, in: scope.id)
    var nullability = from.nullability
    if let condition { nullability.assume(condition) }
    if let table {
      checkAssignments(
        update.assignments, written, required: requiredColumns(of: table, update.conflict),
        nullability)
    }
    checkNullArguments(condition?.conjuncts ?? [], nullability)
    resolveBounds(update.orderBy, update.limit, in: scope, commonTables: commonTables)
    guard let table else { return ResolvedDML() }
    if !table.isView || update.from != nil {
      checkBounds("UPDATE", update.orderBy, update.limit)
    }
    var result = resolveReturning(
      update.returning, of: table, by: .update, span: update.table.name.span,
      commonTables: commonTables, written: written)
    result.rowCount = changedRows(target, condition, otherSources: from.sources)
    checkTriggers(
      of: table, for: .update, columns: update.assignments.flatMap(\.columns),
      at: update.table.name.span)
    return result
  }

  mutating func resolve(
    _ delete: Delete, root: Scope? = nil, outer: CommonTables? = nil
  ) -> ResolvedDML {
    let commonTables = makeCommonTables(delete.with, parent: root, outer: outer)
    let table = findTarget(delete.table, for: .delete)
    let target =
      table.map {
        makeTarget($0, alias: delete.table.alias, at: delete.table.name.span)
      } ?? unknownSource(delete.table.alias?.text ?? delete.table.name.name.text)
    let scope = Scope(
      id: makeScopeID(), parent: root, sources: [target], commonTables: commonTables)
    trace?.scope(delete.span, scope)
    let condition = delete.where.map { resolveScalar($0, in: scope) }
    checkNullArguments(condition?.conjuncts ?? [], Nullability())
    resolveBounds(delete.orderBy, delete.limit, in: scope, commonTables: commonTables)
    guard let table else { return ResolvedDML() }
    if !table.isView { checkBounds("DELETE", delete.orderBy, delete.limit) }
    var result = resolveReturning(
      delete.returning, of: table, by: .delete, span: delete.table.name.span,
      commonTables: commonTables)
    result.rowCount = changedRows(target, condition)
    checkTriggers(of: table, for: .delete, columns: [], at: delete.table.name.span)
    return result
  }

  private mutating func resolveBounds(
    _ orderBy: [OrderingTerm], _ limit: LimitClause?, in scope: Scope,
    commonTables: CommonTables?
  ) {
    _ = resolveOrder(orderBy, columns: [], in: scope)
    _ = resolveLimit(limit, in: scope, commonTables: commonTables)
  }

  /// Reports `ORDER BY` without `LIMIT`. It is only allowed for a view, whose triggers process the
  /// rows in order.
  private mutating func checkBounds(
    _ statement: String, _ orderBy: [OrderingTerm], _ limit: LimitClause?
  ) {
    guard limit == nil, let first = orderBy.first, let last = orderBy.last else { return }
    report(
      .orderWithoutLimit, at: first.span.union(last.span),
      "ORDER BY on \(statement) needs a LIMIT")
  }

  private func changedRows(
    _ target: Source, _ condition: TypedExpression?, otherSources others: [Source] = []
  ) -> RowCountBounds {
    guard let condition else { return .many }
    return SingleRowAnalysis(conditions: [condition]).hasAtMostOneRow(
      [target], otherSources: others)
      ? .optional : .many
  }
}

extension Source {
  /// Returns whether the source is the target of an `UPDATE` under the same name, which SQLite
  /// rejects.
  fileprivate func isTarget(_ target: Source) -> Bool {
    guard let table, let other = target.table else { return false }
    return table.database == other.database && table.name == other.name
      && (hasAlias ? name : nil) == (target.hasAlias ? target.name : nil)
  }
}
