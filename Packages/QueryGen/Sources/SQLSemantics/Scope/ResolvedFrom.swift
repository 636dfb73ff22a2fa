internal import QueryModel
internal import SQLSyntax

/// A `FROM` clause after resolution. What stands in it is resolved in two steps: the sources first,
/// then, when a scope has been made of them, the expressions that see them.
struct ResolvedFrom {
  var sources: [Source] = []
  /// The scopes around the statement that subqueries in the clause read.
  var outerScopes: Set<ScopeID> = []
  private var pendingConditions: [PendingCondition] = []
  private var pendingArguments: [(arguments: [Expression], table: Table)] = []
  /// The resolved conditions of joins.
  private var conditions: [Condition] = []
  private(set) var argumentExpressions: [TypedExpression] = []
  private var hasRightJoin = false
  /// Conditions inside parentheses, which hold wherever the group has a row.
  private var innerFacts = NullFacts()
  private var innerConditions: [TypedExpression] = []

  private struct PendingCondition {
    let expression: Expression
    /// The source on the right, and those up to it.
    let right: Source
    let left: [Source]
    let isOuter: Bool
  }

  private struct Condition {
    let right: SourceID
    let isOuter: Bool
    let expression: TypedExpression
  }

  /// Everything that the clause computes.
  var expressions: [TypedExpression] { conditions.map(\.expression) + argumentExpressions }

  mutating func add(condition: Expression, right: Source, left: [Source], isOuter: Bool) {
    pendingConditions.append(
      PendingCondition(expression: condition, right: right, left: left, isOuter: isOuter))
  }

  /// Adds what `USING` says: two columns are equal.
  mutating func add(equality: TypedExpression, right: Source, isOuter: Bool) {
    conditions.append(Condition(right: right.id, isOuter: isOuter, expression: equality))
  }

  mutating func add(arguments: [Expression], of table: Table) {
    pendingArguments.append((arguments, table))
  }

  mutating func noteRightJoin() { hasRightJoin = true }

  /// Takes over the facts and conditions of sources in parentheses.
  mutating func adopt(_ inner: ResolvedFrom, isOptional: Bool) {
    outerScopes.formUnion(inner.outerScopes)
    if !isOptional {
      innerFacts.add(inner.facts.nonNull)
      innerConditions.append(contentsOf: inner.innerConditions + inner.certainConditions)
    }
  }

  /// Resolves the arguments of table-valued functions, which see the other sources.
  mutating func resolveArguments(_ resolver: inout Resolver, in scope: Scope) {
    let scope = scope.with(rules: Scope.Rules())
    for pending in pendingArguments {
      let arguments = pending.arguments.map { resolver.resolveScalar($0, in: scope) }
      for (argument, column) in zip(arguments, pending.table.columns.filter(\.isHidden)) {
        resolver.hint(argument, type: column.type, name: column.name)
      }
      argumentExpressions.append(contentsOf: arguments)
    }
    pendingArguments = []
  }

  /// Resolves the conditions of joins.
  mutating func resolveConditions(_ resolver: inout Resolver, in scope: Scope) {
    for pending in pendingConditions {
      let expression = resolver.resolveScalar(pending.expression, in: scope)
      conditions.append(
        Condition(right: pending.right.id, isOuter: pending.isOuter, expression: expression))
      guard pending.isOuter || hasRightJoin else { continue }
      let inSight = Set((pending.left + [pending.right]).flatMap(\.leaves).map(\.id))
      let all = Set(scope.sources.flatMap(\.leaves).map(\.id))
      if !expression.sources.intersection(all).isSubset(of: inSight) {
        resolver.report(
          .invalidJoin, at: pending.expression.span,
          "ON clause references tables to its right")
      }
    }
    pendingConditions = []
  }

  /// Conditions that hold for every row of the clause.
  private var certainConditions: [TypedExpression] {
    hasRightJoin ? [] : conditions.filter { !$0.isOuter }.map(\.expression)
  }

  /// What joins say of the rows.
  var facts: NullFacts {
    var facts = hasRightJoin ? NullFacts() : innerFacts
    for condition in certainConditions { facts.assume(condition) }
    return facts
  }

  /// Whether there is at most one row of all sources together.
  func isSingle(with condition: TypedExpression?) -> Bool {
    guard !hasRightJoin else { return false }
    let counter = RowCounter(
      conditions: certainConditions + innerConditions + (condition.map { [$0] } ?? []))
    let inner = sources.flatMap(\.leaves).filter { !$0.isOptional }
    guard counter.isSingle(inner) else { return false }
    var known = Set(inner.map(\.id))
    for source in sources where source.isOptional {
      let own = conditions.filter { $0.right == source.id }.map(\.expression)
      guard RowCounter(conditions: own).isSingle(source.leaves, given: known) else {
        return false
      }
      known.formUnion(source.leaves.map(\.id))
    }
    return true
  }
}
