internal import QueryModel
internal import SQLSyntax

extension Resolver {
  /// Resolves a select inside an expression.
  mutating func resolveSubquery(_ select: Select, in scope: Scope) -> ResolvedSelect {
    resolveSelect(select, parent: scope, commonTables: scope.commonTables)
  }

  mutating func resolve(_ node: SubqueryExpression, in scope: Scope) -> TypedExpression {
    guard allowsSubquery(at: node.span, in: scope) else { return .unknown(node.span) }
    let rows = resolveSubquery(node.select, in: scope)
    guard !rows.isUnknown, let column = rows.columns.first else { return .unknown(node.span) }
    let isNullable = !rows.rowCount.isAtLeastOne || column.isNullable
    var result = TypedExpression(
      kind: .subquery(
        isNullable: isNullable, isCorrelated: !rows.outerScopes.isEmpty, origin: column.origin),
      type: column.type, affinity: column.affinity, span: node.span)
    result.width = rows.columns.count
    result.selected = column.provenance
    result.absorb(rows)
    return result
  }

  mutating func resolve(_ node: ExistsExpression, in scope: Scope) -> TypedExpression {
    guard allowsSubquery(at: node.span, in: scope) else { return .unknown(node.span) }
    let rows = resolveSubquery(node.select, in: scope)
    var result = TypedExpression(kind: .exists, type: .boolean, span: node.span)
    result.absorb(rows)
    return result
  }

  private mutating func allowsSubquery(at span: ByteSpan, in scope: Scope) -> Bool {
    guard let place = scope.innermostDefinition else { return true }
    report(.prohibitedHere, at: span, "subqueries prohibited in \(place.rawValue)")
    return false
  }

  /// The rows of a table named after `IN`.
  mutating func resolveTable(
    _ name: QualifiedName, arguments: [Expression]?, span: ByteSpan, in scope: Scope
  ) -> ResolvedSelect {
    guard allowsSubquery(at: span, in: scope) else { return .unknown }
    var from = ResolvedFrom()
    let source = resolveNamed(
      name, alias: nil, arguments: arguments, &from, commonTables: scope.commonTables)
    guard !source.isUnknown else { return .unknown }
    from.sources = [source]
    let inner = Scope(
      id: makeScopeID(), parent: scope, sources: from.sources, commonTables: scope.commonTables)
    from.resolveArguments(&self, in: inner)
    let items = expand(from.sources, of: nil, span, in: inner)
    let facts = NullFacts()
    return ResolvedSelect(
      columns: items.map { SelectColumn($0, facts: facts, source: self.source) })
  }
}

extension TypedExpression {
  /// Takes over what a subquery reads outside of itself.
  mutating func absorb(_ rows: ResolvedSelect) {
    scopes.formUnion(rows.outerScopes)
    aggregateScopes.formUnion(rows.outerAggregateScopes)
    hasSubquery = true
  }
}
