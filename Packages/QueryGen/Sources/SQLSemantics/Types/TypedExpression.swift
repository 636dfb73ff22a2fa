internal import QueryModel
internal import SQLSyntax

/// An expression whose names are resolved: what it computes, and of which type.
///
/// Nullability is not stored: it depends on what the clause around it has already ruled out, and is
/// asked for with ``NullFacts``.
struct TypedExpression: Sendable {
  var kind: Kind
  /// What every non-null value is; `nil` where there is none, as in `NULL`.
  var type: ValueType?
  /// The affinity by which SQLite compares the expression; `nil` for a computed value.
  var affinity: Affinity?
  /// How many values it makes: more than one for a row value.
  var width = 1
  /// The scopes whose columns it reads.
  var scopes: Set<ScopeID> = []
  /// The scopes whose rows its aggregates range over.
  var aggregateScopes: Set<ScopeID> = []
  /// Whether it holds a window function of the scope it stands in.
  var hasWindow = false
  /// Whether it holds a subquery.
  var hasSubquery = false
  /// For a subquery: where its values are taken from.
  var selected = Provenance.computed
  /// Where it stands in the source.
  var span: ByteSpan

  indirect enum Kind: Sendable {
    /// What stands where an error was reported: nothing is known, nothing more is said.
    case unknown
    case null
    case literal(Literal)
    case column(ResolvedColumn)
    /// A column joined by `USING` across a `FULL JOIN`: the first that is not `NULL`.
    case merged([TypedExpression])
    case parameter(Int)
    case negation(TypedExpression)
    case arithmetic(String, TypedExpression, TypedExpression)
    /// Division and remainder: `NULL` when the divisor is zero.
    case division(String, TypedExpression, TypedExpression)
    case comparison(String, TypedExpression, TypedExpression)
    case and(TypedExpression, TypedExpression)
    case or(TypedExpression, TypedExpression)
    case not(TypedExpression)
    /// `IS`, `IS NOT` and their spellings: never `NULL`.
    case identity(TypedExpression, TypedExpression, negated: Bool)
    case isNull(TypedExpression, negated: Bool)
    case between(TypedExpression, TypedExpression, TypedExpression, negated: Bool)
    case inList(TypedExpression, [TypedExpression], negated: Bool)
    case inSelect(TypedExpression, isElementNullable: Bool, negated: Bool)
    /// `x IN :values`, by the parameter's number.
    case inParameter(TypedExpression, Int, negated: Bool)
    case cases(base: TypedExpression?, [Branch], otherwise: TypedExpression?)
    case cast(TypedExpression, Affinity)
    case collate(TypedExpression, String)
    case function(BuiltinFunction, [TypedExpression])
    case aggregate(BuiltinFunction, [TypedExpression], owner: ScopeID, isFiltered: Bool)
    case window(BuiltinFunction, [TypedExpression], frameMayBeEmpty: Bool)
    case subquery(isNullable: Bool, isCorrelated: Bool, origin: ColumnOrigin?)
    case exists
    case row([TypedExpression])
    case raise
  }

  /// `WHEN … THEN …`
  struct Branch: Sendable {
    let when: TypedExpression
    let then: TypedExpression
  }

  /// A value written in the source.
  enum Literal: Hashable, Sendable {
    case integer(Int64)
    case real(Double)
    case text(String)
    case blob([UInt8])
  }
}

/// The identity of one scope within an analysis.
struct ScopeID: Hashable, Sendable {
  let value: Int
}

/// The identity of one entry of a `FROM` clause within an analysis.
struct SourceID: Hashable, Sendable {
  let value: Int
}

/// A column of one entry of a `FROM` clause.
struct ResolvedColumn: Hashable, Sendable {
  /// The number that stands for the rowid.
  static let rowID = -1

  let source: SourceID
  let column: Int
  /// The column's name, as the schema or the subquery spells it.
  let name: String
  /// Whether the column can be `NULL` in a row that is there.
  let isDeclaredNullable: Bool
  /// Whether an outer join may have found no row for the source.
  let isOptional: Bool
  /// The collation by which it compares.
  let collation: String
  /// The column of a table that it comes from unchanged.
  let origin: ColumnOrigin?
  /// The columns of tables whose values these are, every arm of a compound select seen.
  var provenance = Provenance.computed
  /// Whether the source is a table itself, and no select over it.
  let isOfTable: Bool

  func hash(into hasher: inout Hasher) {
    hasher.combine(source)
    hasher.combine(column)
  }

  static func == (left: ResolvedColumn, right: ResolvedColumn) -> Bool {
    left.source == right.source && left.column == right.column
  }
}

/// A column of a table, as `sqlite3_column_origin_name` tells it.
struct ColumnOrigin: Hashable, Sendable {
  let database: NameKey
  let table: String
  let column: String
}

extension TypedExpression {
  /// The expression that stands where an error was reported.
  static func unknown(_ span: ByteSpan) -> TypedExpression {
    TypedExpression(kind: .unknown, type: .any, affinity: nil, span: span)
  }

  /// The expression without `COLLATE` and the hints that change nothing but the plan.
  var stripped: TypedExpression {
    switch kind {
    case .collate(let inner, _): inner.stripped
    case .function(let function, let arguments)
    where ["likely", "unlikely", "likelihood"].contains(function.name):
      arguments.first?.stripped ?? self
    default: self
    }
  }

  /// The parameter that the expression is, collations aside.
  var parameter: Int? {
    if case .parameter(let number) = stripped.kind { number } else { nil }
  }

  var column: ResolvedColumn? {
    if case .column(let reference) = stripped.kind { reference } else { nil }
  }

  /// Copies what a parent inherits from a part of it.
  mutating func absorb(_ part: TypedExpression) {
    scopes.formUnion(part.scopes)
    aggregateScopes.formUnion(part.aggregateScopes)
    hasWindow = hasWindow || part.hasWindow
    hasSubquery = hasSubquery || part.hasSubquery
  }
}

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
