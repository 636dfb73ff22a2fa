internal import QueryModel
internal import SQLSyntax

/// What a select gives.
struct ResolvedSelect: Sendable {
  var columns: [SelectColumn]
  /// The scopes around it that it reads.
  var outerScopes: Set<ScopeID> = []
  /// The scopes around it that its aggregates range over.
  var outerAggregateScopes: Set<ScopeID> = []
  var rowCount = RowCount.many
  /// What a recursive table must not do, arm by arm.
  var traits: [Traits] = []
  /// Whether its columns are not known, for an error was reported.
  var isUnknown = false
  /// The one table that every column comes from, in its order: `SELECT * FROM t`.
  var wholeTable: String?
  /// What its `WHERE` says of single tables; `nil` where there are several arms.
  var rowConditions: RowConditions?

  struct Traits: Sendable {
    let isAggregate: Bool
    let hasWindow: Bool
  }

  static let unknown = ResolvedSelect(columns: [], isUnknown: true)
}

/// A column that a select gives.
struct SelectColumn: Sendable {
  /// The name as SQLite reports it for the statement's result.
  var name: String
  /// The name under which the column is known where the select is a source of rows.
  var innerName: String
  var type: ValueType?
  var affinity: Affinity?
  var isNullable: Bool
  var collation: String
  var origin: ColumnOrigin?
  /// The origin that SQLite reports where the select is a source of rows: its last arm's.
  var innerOrigin: ColumnOrigin?
  var expression: TypedExpression?
  /// The columns of tables whose values these are.
  var provenance = Provenance.computed
  /// The `table.*` that it is a part of.
  var star: StarPart?
  /// Whether the name is an alias that is written.
  var hasAlias = false
}

/// That a column is one of those that `table.*` stands for.
struct StarPart: Hashable, Sendable {
  /// The position of `table.*` among what is selected.
  let item: Int
  /// The name before `.*`, as the source is called.
  let name: String
  /// The table or view of the schema, and how many columns it has.
  let table: String
  let columnCount: Int
  /// Whether an outer join may have found no row.
  let isOptional: Bool
}

extension ResolvedSelect {
  /// The columns as those of a source, with names that are distinct, as SQLite makes them.
  func sourceColumns(names: [String]? = nil) -> [SourceColumn] {
    let given = columns.enumerated().map { index, column in
      names.flatMap { index < $0.count ? $0[index] : nil } ?? column.innerName
    }
    return zip(columns, Self.distinct(given)).map { column, name in
      SourceColumn(
        name: name, key: NameKey(name), type: column.type, affinity: column.affinity,
        isNullable: column.isNullable, collation: column.collation,
        origin: column.innerOrigin, provenance: column.provenance)
    }
  }

  /// Names that are distinct: of two equal ones, the second is known as `name:1`.
  static func distinct(_ names: [String]) -> [String] {
    var used: Set<NameKey> = []
    // The last number that each name has got: all below are taken.
    var numbers: [NameKey: Int] = [:]
    return names.map { given in
      var name = given
      guard used.contains(NameKey(name)) else {
        used.insert(NameKey(name))
        return name
      }
      let base = String(base(of: name))
      var number = numbers[NameKey(base)] ?? 0
      repeat {
        number += 1
        name = "\(base):\(number)"
      } while used.contains(NameKey(name))
      numbers[NameKey(base)] = number
      used.insert(NameKey(name))
      return name
    }
  }

  /// The name without a number that was added before.
  private static func base(of name: String) -> Substring {
    guard let colon = name.lastIndex(of: ":") else { return name[...] }
    let digits = name[name.index(after: colon)...]
    return digits.allSatisfy { $0.isASCII && $0.isNumber } ? name[..<colon] : name[...]
  }
}

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
