internal import QueryModel
internal import SQLSyntax

/// The result of resolving a select.
struct ResolvedSelect: Sendable {
  var columns: [SelectColumn]
  /// The enclosing scopes whose columns the select reads.
  var outerScopes: Set<ScopeID> = []
  /// The enclosing scopes over whose rows aggregates in the select range.
  var outerAggregateScopes: Set<ScopeID> = []
  var rowCount = RowCountBounds.many
  /// The traits of each arm, to check the restrictions on recursive tables.
  var traits: [Traits] = []
  /// Indicates whether the columns are unknown because an error was reported.
  var isUnknown = false
  /// The table whose columns the select returns, all and in order: `SELECT * FROM t`.
  var wholeTable: String?
  /// The number of tables in a join that has the select as a source. SQLite merges the tables of a
  /// simple select into the join.
  var tableCount = 1
  /// The columns by whose values the select groups, so that they identify a row; `nil` if it does not
  /// group, or if it does not return all of them.
  var groupKey: [Int]?
  /// The scope of a select whose rows are those of its `FROM` clause that satisfy its `WHERE`, so that
  /// a condition on its columns is one on the rows; `nil` for any other select.
  var mergedSelect: ScopeID?

  struct Traits: Sendable {
    let isAggregate: Bool
    let hasWindow: Bool
  }

  static let unknown = ResolvedSelect(columns: [], isUnknown: true)
}

/// A result column of a select.
struct SelectColumn: Sendable {
  /// The name that SQLite reports for the statement's result.
  var name: String
  /// The column's name when the select is a source of rows: an alias, or the name as written.
  var innerName: String
  /// The column's name if the select defines a view or a table: the name as declared.
  var storedName: String
  var type: ValueType?
  var affinity: Affinity?
  var isNullable: Bool
  var collation: String
  var origin: ColumnOrigin?
  /// The origin that SQLite reports when the select is a source of rows: the last arm's origin.
  var innerOrigin: ColumnOrigin?
  var expression: TypedExpression?
  /// The bound of the values, as for ``TypedExpression/exponentBound``.
  var exponentBound: Int?
  /// The table columns whose values the column returns.
  var provenance = Provenance.computed
  /// Indicates whether the values may be numbers with a fraction.
  var hasFraction = false
  /// The `table.*` that the column is part of, if any.
  var star: StarExpansion?
  /// Indicates whether the name is an explicit alias.
  var hasAlias = false
}

/// The `table.*` from which a column was expanded.
struct StarExpansion: Hashable, Sendable {
  /// The position of `table.*` among the result columns.
  let item: Int
  /// The source's name before `.*`.
  let name: String
  /// Indicates whether the name is an alias.
  let hasAlias: Bool
  /// The name in the model of the table or view, and its number of columns.
  let table: String
  let columnCount: Int
  /// Indicates whether an outer join may find no row of the table.
  let isOptional: Bool
}

extension ResolvedSelect {
  /// Returns the columns of the select as a source, with the distinct names that SQLite generates.
  ///
  /// - Parameter isStored: Whether the select defines a view or a table.
  func sourceColumns(names: [String]? = nil, isStored: Bool = false) -> [SourceColumn] {
    let given = columns.enumerated().map { index, column in
      let name =
        names.flatMap { index < $0.count ? $0[index] : nil }
        ?? (isStored ? column.storedName : column.innerName)
      // SQLite avoids names that are also values.
      return ["true", "false"].contains(NameKey(name)) ? "column\(index + 1)" : name
    }
    return zip(columns, Self.distinct(given)).map { column, name in
      SourceColumn(
        name: name, key: NameKey(name), type: column.type, affinity: column.affinity,
        isNullable: column.isNullable, collation: column.collation,
        origin: column.innerOrigin, path: path(of: column), provenance: column.provenance,
        hasFraction: column.hasFraction, exponentBound: column.exponentBound)
    }
  }

  private func path(of column: SelectColumn) -> ScanPath? {
    guard let mergedSelect, case .column(let inner) = column.expression?.kind else { return nil }
    return inner.path?.passing(through: mergedSelect)
  }

  /// Returns distinct names: the second of two equal names becomes `name:1`.
  static func distinct(_ names: [String]) -> [String] {
    var used: Set<NameKey> = []
    // The last number used for each name; all smaller numbers are taken.
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

  /// Returns the names that SQLite tries before the distinct name of a column.
  static func rejectedNames(before name: String, of given: String) -> Set<NameKey> {
    guard name != given else { return [] }
    let base = base(of: name)
    let number = Int(name[base.endIndex...].dropFirst()) ?? 1
    return Set([NameKey(given)] + (1..<max(number, 1)).map { NameKey("\(base):\($0)") })
  }

  /// Returns whether SQLite may give a column another name each time: it numbers the sixth and later
  /// columns of one name at random.
  static func isNumberedAtRandom(_ name: String) -> Bool {
    let base = base(of: name)
    guard base.endIndex < name.endIndex else { return false }
    return Int(name[base.endIndex...].dropFirst()).map { $0 > 4 } ?? true
  }

  /// Returns the name without a suffix number.
  private static func base(of name: String) -> Substring {
    guard let colon = name.lastIndex(of: ":") else { return name[...] }
    let digits = name[name.index(after: colon)...]
    return digits.allSatisfy { $0.isASCII && $0.isNumber } ? name[..<colon] : name[...]
  }
}

/// The columns that store the rows of a select.
struct InsertTarget {
  /// The columns in order. An element is `nil` if the column is unknown.
  let columns: [SourceColumn?]
  /// Indicates whether the select can be a `VALUES` clause of the insert itself.
  let isValues: Bool
  /// The columns in which a `NULL` fails the statement.
  let required: Set<NameKey>
}

/// A resolved `FROM` clause. Resolution has two steps: first the sources, then, in a scope that
/// contains them, the expressions of the clause.
struct ResolvedFrom {
  var sources: [Source] = []
  /// The enclosing scopes whose columns the clause's subqueries read.
  var outerScopes: Set<ScopeID> = []
  private var pendingConditions: [PendingCondition] = []
  private var pendingArguments: [(arguments: [Expression], table: Table)] = []
  /// The resolved conditions of joins.
  private var conditions: [(right: SourceID, isOuter: Bool, expression: TypedExpression)] = []
  private(set) var argumentExpressions: [TypedExpression] = []
  private var hasRightJoin = false
  /// The nullability that follows from conditions inside parentheses.
  private var innerNullability = Nullability()
  private var innerConditions: [TypedExpression] = []
  /// The conditions of all joins in parentheses, including outer joins.
  private var groupConditions: [TypedExpression] = []
  /// The joins whose operator requires a condition for a useful result, but that have none.
  var unconstrainedJoins: [(operatorSpan: ByteSpan, right: Source)] = []

  private struct PendingCondition {
    let expression: Expression
    /// The source on the right, and the sources before it.
    let right: Source
    let left: [Source]
    let isOuter: Bool
  }

  /// All expressions of the clause.
  var expressions: [TypedExpression] { conditions.map(\.expression) + argumentExpressions }

  /// The conditions of all joins, including those in parentheses.
  var allConditions: [TypedExpression] { conditions.map(\.expression) + groupConditions }

  mutating func add(condition: Expression, right: Source, left: [Source], isOuter: Bool) {
    pendingConditions.append(
      PendingCondition(expression: condition, right: right, left: left, isOuter: isOuter))
  }

  /// Adds the equality of two columns that `USING` or `NATURAL` joins.
  mutating func add(equality: TypedExpression, right: Source, isOuter: Bool) {
    conditions.append((right: right.id, isOuter: isOuter, expression: equality))
  }

  mutating func add(arguments: [Expression], of table: Table) {
    pendingArguments.append((arguments, table))
  }

  mutating func recordRightJoin() { hasRightJoin = true }

  /// The number of tables in the join, including those of selects that SQLite merges into it.
  var tableCount: Int { hasRightJoin ? sources.flatMap(\.leaves).count : sources.tableCount }

  /// Adopts the nullability and conditions of sources in parentheses.
  mutating func adopt(_ inner: ResolvedFrom, isOptional: Bool) {
    outerScopes.formUnion(inner.outerScopes)
    groupConditions += inner.allConditions
    unconstrainedJoins += inner.unconstrainedJoins
    if !isOptional {
      innerNullability.add(inner.nullability.nonNull)
      innerConditions.append(contentsOf: inner.innerConditions + inner.certainConditions)
    }
  }

  /// Resolves the arguments of table-valued functions, in which the other sources are visible.
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
        (right: pending.right.id, isOuter: pending.isOuter, expression: expression))
      guard pending.isOuter || hasRightJoin else { continue }
      let visibleSources = Set((pending.left + [pending.right]).flatMap(\.leaves).map(\.id))
      let all = Set(scope.sources.flatMap(\.leaves).map(\.id))
      if !expression.sources.intersection(all).isSubset(of: visibleSources) {
        resolver.report(
          .invalidJoin, at: pending.expression.span,
          "ON clause references tables to its right")
      }
    }
    pendingConditions = []
  }

  /// Returns the conditions of joins that a row of an entry must satisfy to contribute to a row of the
  /// clause, except as its absence.
  func conditions(on source: Source) -> [TypedExpression] {
    hasRightJoin
      ? [] : conditions.filter { !$0.isOuter || $0.right == source.id }.map(\.expression)
  }

  /// Conditions that hold for every row of the clause.
  private var certainConditions: [TypedExpression] {
    hasRightJoin ? [] : conditions.filter { !$0.isOuter }.map(\.expression)
  }

  /// The nullability that follows from the join conditions.
  var nullability: Nullability {
    var nullability = hasRightJoin ? Nullability() : innerNullability
    for condition in certainConditions { nullability.assume(condition) }
    return nullability
  }

  /// Returns whether the join of all sources has at most one row.
  func hasAtMostOneRow(with condition: TypedExpression?) -> Bool {
    // The conditions of an outer join in parentheses are not known here.
    let hasInnerOuterJoin = sources.contains {
      $0.isGroup && !$0.isOptional && $0.leaves.contains(where: \.isOptional)
    }
    guard !hasRightJoin, !hasInnerOuterJoin else { return false }
    let counter = SingleRowAnalysis(
      conditions: certainConditions + innerConditions + (condition.map { [$0] } ?? []))
    let inner = sources.flatMap(\.leaves).filter { !$0.isOptional }
    guard counter.hasAtMostOneRow(inner) else { return false }
    var known = Set(inner.map(\.id))
    for source in sources where source.isOptional {
      let own = conditions.filter { $0.right == source.id }.map(\.expression)
      guard SingleRowAnalysis(conditions: own).hasAtMostOneRow(source.leaves, given: known) else {
        return false
      }
      known.formUnion(source.leaves.map(\.id))
    }
    return true
  }
}
