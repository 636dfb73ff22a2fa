internal import QueryModel
internal import SQLSyntax

extension Resolver {
  /// Resolves a select, which is a subquery if `parent` is not `nil`.
  mutating func resolveSelect(
    _ select: Select, parent: Scope?, commonTables outer: CommonTables?,
    target: InsertTarget? = nil
  ) -> ResolvedSelect {
    cache.selectCount += 1
    guard cache.selectCount <= ResolutionCache.limit else {
      if cache.selectCount == ResolutionCache.limit + 1 {
        report(.tooComplex, at: select.span, "the statement contains too many selects")
      }
      return .unknown
    }
    depth += 2
    defer { depth -= 2 }
    guard checkDepth(at: select.span) else { return .unknown }
    let select = expandOrder(of: select)
    let commonTables = makeCommonTables(select.with, parent: parent, outer: outer)
    let isCompound = select.isCompound
    let arms = select.arms.map {
      resolveArm(
        $0, orderBy: isCompound ? [] : select.orderBy, parent: parent,
        commonTables: commonTables, target: target)
    }
    checkArmCounts(select, arms)
    if isCompound { resolveCompoundOrder(select, arms) }
    let limit = resolveLimit(
      select.limit, in: parent, commonTables: commonTables?.withoutRecursion)
    var result = merge(arms, select.rest.map(\.op))
    limit.apply(to: &result.rowCount)
    if isCompound || select.limit != nil {
      result.tableCount = 1
      result.mergedSelect = nil
    }
    return result
  }

  /// Records that rows are stored in columns.
  private mutating func store(_ rows: [ResolvedArm], in target: InsertTarget) {
    for row in rows {
      for (value, column) in zip(row.result.columns, target.columns) {
        guard let expression = value.expression else { continue }
        store(expression, in: column)
        guard let column else { continue }
        checkNullValue(
          expression, inColumn: column.name, required: target.required, row.nullability)
      }
    }
  }

  /// A resolved arm of a select.
  struct ResolvedArm {
    var result: ResolvedSelect
    var scope: Scope?
    var span: ByteSpan
    /// The known properties of the rows.
    var nullability = Nullability()
  }

  private mutating func resolveArm(
    _ arm: SelectArm, orderBy: [OrderingTerm], parent: Scope?, commonTables: CommonTables?,
    target: InsertTarget?
  ) -> ResolvedArm {
    switch arm {
    case .query(let query):
      let resolved = resolveQuery(
        query, orderBy: orderBy, parent: parent, commonTables: commonTables)
      if let target { store([resolved], in: target) }
      return resolved
    case .values(let values):
      return resolveValues(
        values, orderBy: orderBy, parent: parent, commonTables: commonTables, target: target)
    }
  }

  /// Resolves a `VALUES` clause. Its rows form a single arm, also within a compound select.
  private mutating func resolveValues(
    _ values: ValuesClause, orderBy: [OrderingTerm], parent: Scope?, commonTables: CommonTables?,
    target: InsertTarget?
  ) -> ResolvedArm {
    // A single row of an insert and the rows of a multi-row `VALUES` are not selects.
    let isInsertValues = target?.isValues ?? false
    let isSelect = !isInsertValues && values.rows.count == 1
    let width = values.rows.first?.count ?? 0
    let commonTables = commonTables?.withoutRecursion
    var rows: [ResolvedArm] = []
    for row in values.rows {
      if row.count != width {
        report(
          .columnCount, at: row.last?.span ?? values.span,
          "all VALUES must have the same number of terms")
      }
      let scope = Scope(
        id: makeScopeID(), parent: parent, commonTables: commonTables,
        rules: .init(
          allowsAggregates: isSelect, allowsWindows: isSelect || values.rows.count > 1))
      let nullability = Nullability()
      let columns = row.enumerated().map { index, expression in
        let value = resolveScalar(expression, in: scope)
        let name = "column\(index + 1)"
        return SelectColumn(value, name: name, nullability: nullability)
      }
      checkNullArguments(columns.compactMap(\.expression), nullability)
      if values.rows.count == 1, !orderBy.isEmpty {
        _ = resolveOrder(orderBy, columns: columns, in: scope)
      }
      var result = ResolvedSelect(columns: columns, rowCount: .one)
      result.record(columns.compactMap(\.expression), outside: scope)
      rows.append(ResolvedArm(result: result, scope: scope, span: values.span))
    }
    if let target { store(rows, in: target) }
    let operators = Array(repeating: CompoundOperator.unionAll, count: max(rows.count - 1, 0))
    return ResolvedArm(
      result: merge(rows, operators), scope: rows.first?.scope, span: values.span)
  }

  private mutating func resolveQuery(
    _ query: SelectQuery, orderBy: [OrderingTerm], parent: Scope?, commonTables: CommonTables?
  ) -> ResolvedArm {
    let id = makeScopeID()
    var from = ResolvedFrom()
    if let clause = query.from {
      from = resolveFrom(clause, parent: parent, commonTables: commonTables)
    }
    let commonTables = commonTables?.withoutRecursion
    let windows = resolveWindowDefinitions(query.windows)
    var rules = Scope.Rules(allowsAggregates: true, allowsWindows: true)
    let scope = Scope(
      id: id, parent: parent, sources: from.sources, windows: windows,
      commonTables: commonTables, rules: rules)
    from.resolveArguments(&self, in: scope)
    trace?.declare(query.windows)
    trace?.declareAliases(query.columns, in: scope)
    let items = resolveColumns(query.columns, in: scope)

    let isAggregate =
      !query.groupBy.isEmpty
      || items.contains { $0.expression.aggregateScopes.contains(id) }
    rules.allowsWindows = false
    rules.allowsAggregates = isAggregate
    let aliases = items.compactMap { item in
      (item.alias?.text ?? item.starName).map {
        Scope.Alias(name: NameKey($0), expression: item.expression)
      }
    }
    let later = scope.with(aliases: aliases, rules: rules)
    var having: TypedExpression?
    if let clause = query.having {
      if !isAggregate {
        report(.aggregateMisuse, at: clause.span, "HAVING clause on a non-aggregate query")
      }
      having = resolveScalar(clause, in: later)
    }
    rules.isBeforeGrouping = true
    let filtering = scope.with(aliases: aliases, rules: rules)
    trace?.scope(orderBy.last.map { query.span.union($0.span) } ?? query.span, filtering)
    from.resolveConditions(&self, in: filtering)
    // SQLite counts rows without using the index.
    if query.where == nil, !isAggregate { checkPartialIndex(query.from) }
    let condition = query.where.map { resolveScalar($0, in: filtering) }
    checkJoins(of: from, condition: condition, in: id)

    var nullability = from.nullability
    if let condition { nullability.assume(condition) }
    nullability.isGrouped = !query.groupBy.isEmpty
    if isAggregate, query.groupBy.isEmpty {
      nullability.groupedAsOne = Set(from.sources.flatMap(\.leaves).map(\.id))
    }
    if let having, nullability.isGrouped { nullability.assume(having) }
    let columns = items.map { SelectColumn($0, nullability: nullability, source: source) }
    checkNullArguments(items.map(\.expression) + (condition?.conjuncts ?? []), nullability)

    var ordering = scope.rules
    ordering.allowsAggregates = true
    let ordered = resolveOrder(
      orderBy, columns: columns, in: scope.withoutParent(aliases: aliases, rules: ordering))
    // A single row without a table is not sorted.
    if !isAggregate, !from.sources.isEmpty,
      let first = ordered.first(where: { $0.aggregateScopes.contains(id) })
    {
      report(.aggregateMisuse, at: first.span, "misuse of aggregate function")
    }
    var grouping = scope.rules
    grouping.allowsWindows = false
    let groups = resolveGroups(
      query.groupBy, columns: columns, in: scope.withoutParent(aliases: aliases, rules: grouping))

    if isAggregate {
      checkUngrouped(
        items.map(\.expression) + (having.map { [$0] } ?? []) + (groups.isEmpty ? [] : ordered),
        groups: groups, from: from, condition: condition, in: id)
    }

    var result = ResolvedSelect(columns: columns)
    result.groupKey = Self.groupKey(columns, groups)
    result.record(
      items.map(\.expression) + ordered + groups + [having, condition].compactMap(\.self)
        + from.expressions, outside: scope)
    result.outerScopes.formUnion(from.outerScopes.subtracting([id]))
    result.traits = [
      ResolvedSelect.Traits(
        isAggregate: isAggregate,
        hasWindow: (items.map(\.expression) + ordered).contains(where: \.hasWindow))
    ]
    let isMerged =
      query.quantifier != .distinct && !isAggregate && query.having == nil
      && !result.traits.contains(where: \.hasWindow)
    if isMerged {
      result.tableCount = min(max(from.tableCount, 1), Self.maximumJoinedTables + 1)
    }
    if !isAggregate, !result.traits.contains(where: \.hasWindow) { result.mergedSelect = id }
    recordRowConditions(from, where: condition)
    result.rowCount = rowCount(
      from: from, condition: condition, having: having, isAggregate: isAggregate,
      isGrouped: !query.groupBy.isEmpty)
    result.isUnknown = columns.isEmpty
    // A single column is not the whole table, unless it comes from a star.
    if columns.count > 1 || query.columns.contains(where: \.isStar) {
      result.wholeTable = Self.wholeTable(of: columns, among: from.sources)
    }
    return ResolvedArm(result: result, scope: scope, span: query.span, nullability: nullability)
  }

  /// Returns the table or view whose columns the select returns, all of them in order and under
  /// their own names, from a source that always has a row.
  static func wholeTable(of columns: [SelectColumn], among sources: [Source]) -> String? {
    guard case .column(let first) = columns.first?.expression?.kind, !first.isOptional,
      let source = sources.lazy.flatMap(\.leaves).first(where: { $0.id == first.source }),
      let table = source.table, table.isInSchema
    else { return nil }
    let visible = source.columns.indices.filter { !source.columns[$0].isHidden }
    let isWhole =
      visible.count == columns.count
      && zip(visible, columns).allSatisfy { index, column in
        guard case .column(let found) = column.expression?.kind else { return false }
        return found.source == source.id && found.column == index
          && NameKey(column.name) == source.columns[index].key
      }
    return isWhole ? table.modelName : nil
  }

  private func rowCount(
    from: ResolvedFrom, condition: TypedExpression?, having: TypedExpression?, isAggregate: Bool,
    isGrouped: Bool
  ) -> RowCountBounds {
    if isAggregate, !isGrouped {
      return having == nil ? .one : .optional
    }
    guard !from.sources.isEmpty else { return condition == nil ? .one : .optional }
    return from.hasAtMostOneRow(with: condition) ? .optional : .many
  }

  private mutating func checkArmCounts(_ select: Select, _ arms: [ResolvedArm]) {
    guard var width = arms.first?.result.columns.count else { return }
    for (arm, op) in zip(arms.dropFirst(), select.rest.map(\.op)) {
      let count = arm.result.columns.count
      guard count != width, !arm.result.isUnknown, !arms[0].result.isUnknown else { continue }
      report(
        .columnCount, at: arm.span,
        "SELECTs to the left and right of \(op.rawValue) do not have the same number of result "
          + "columns")
      width = count
    }
  }

  /// Merges the results of all arms, which `operators` combine from the left.
  private func merge(
    _ arms: [ResolvedArm], _ operators: [CompoundOperator]
  ) -> ResolvedSelect {
    guard var result = arms.first?.result else { return .unknown }
    if arms.count > 1 {
      result.mergedSelect = nil
      result.groupKey = nil
    }
    for (arm, op) in zip(arms.dropFirst(), operators) {
      result.traits += arm.result.traits
      result.outerScopes.formUnion(arm.result.outerScopes)
      result.outerAggregateScopes.formUnion(arm.result.outerAggregateScopes)
      switch op {
      case .except: result.rowCount.isAtLeastOne = false
      case .intersect:
        // A row is in both arms, so the guarantees of either arm hold.
        result.rowCount.isAtLeastOne = false
        result.rowCount.isAtMostOne =
          result.rowCount.isAtMostOne || arm.result.rowCount.isAtMostOne
        for (column, other) in zip(result.columns.indices, arm.result.columns)
        where !other.isNullable {
          result.columns[column].isNullable = false
        }
      case .union, .unionAll:
        result.rowCount.isAtMostOne = false
        result.rowCount.isAtLeastOne =
          result.rowCount.isAtLeastOne || arm.result.rowCount.isAtLeastOne
        if result.wholeTable != arm.result.wholeTable { result.wholeTable = nil }
        for (column, other) in zip(result.columns.indices, arm.result.columns) {
          result.columns[column].extend(by: other)
        }
      }
    }
    if let last = arms.last, arms.count > 1 {
      for (column, other) in zip(result.columns.indices, last.result.columns) {
        result.columns[column].innerOrigin = other.innerOrigin
      }
    }
    if operators.contains(where: { $0 == .union || $0 == .unionAll }) {
      // As in SQLite, the origin is the first arm's, but the values come from all arms.
      for index in result.columns.indices { result.columns[index].expression = nil }
    }
    return result
  }
}

extension SelectColumn {
  /// Merges the column with the same column of another arm.
  fileprivate mutating func extend(by other: SelectColumn) {
    type = union(type, other.type)
    isNullable = isNullable || other.isNullable
    provenance = provenance.union(other.provenance)
    hasFraction = hasFraction || other.hasFraction
    exponentBound = union(exponents: exponentBound, other.exponentBound)
    if star != other.star { star = nil }
  }
}

extension ResultColumn {
  /// Indicates whether the item is `*` or `table.*`.
  var isStar: Bool {
    switch kind {
    case .star, .tableStar: true
    case .expression: false
    }
  }
}

extension ResolvedSelect {
  /// Records the outer scopes that expressions in `scope` read.
  mutating func record(_ expressions: [TypedExpression], outside scope: Scope) {
    for expression in expressions {
      outerScopes.formUnion(expression.scopes)
      outerAggregateScopes.formUnion(expression.aggregateScopes)
    }
    outerScopes.remove(scope.id)
    outerAggregateScopes.remove(scope.id)
  }
}
