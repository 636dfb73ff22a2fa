internal import QueryModel
internal import SQLSyntax

/// An expression with resolved names and a type.
///
/// Nullability is not stored, because it depends on the conditions of the surrounding clauses;
/// ``Nullability`` computes it.
struct TypedExpression: Sendable {
  var kind: Kind
  /// The type of all non-null values; `nil` if the expression is always `NULL`.
  var type: ValueType?
  /// The affinity with which SQLite compares the expression; `nil` for a computed value.
  var affinity: Affinity?
  /// The number of values; more than one for a row value.
  var width = 1
  /// The scopes whose columns the expression reads.
  var scopes: Set<ScopeID> = []
  /// The scopes over whose rows the expression's aggregates range.
  var aggregateScopes: Set<ScopeID> = []
  /// Indicates whether the expression contains a window function that belongs to its own scope.
  var hasWindow = false
  /// Indicates whether the expression contains a subquery.
  var hasSubquery = false
  /// The provenance of a subquery's values.
  var subqueryProvenance = Provenance.computed
  /// Indicates whether a subquery's values may be numbers with a fraction.
  var subqueryHasFraction = false
  /// The exponent of a power of two that exceeds the value's magnitude; `nil` if the value, converted
  /// to a number, may be infinite.
  var exponentBound: Int?
  /// The expression's span in the source text.
  var span: ByteSpan
  /// The numbers of the parameters without which the expression, a term of a condition, is absent.
  var condition: [Int] = []

  init(kind: Kind, type: ValueType?, affinity: Affinity? = nil, span: ByteSpan) {
    self.kind = kind
    self.type = type
    self.affinity = affinity
    self.span = span
    exponentBound = Self.exponentBound(of: kind, type: type)
  }

  indirect enum Kind: Sendable {
    /// An erroneous expression, for which no further errors are reported.
    case unknown
    case null
    case literal(Literal)
    case column(ResolvedColumn)
    /// A column that a `FULL JOIN` merges by `USING`: the first value that is not `NULL`. Has a name
    /// if it is a column of a join in parentheses.
    case merged([TypedExpression], name: String?)
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
    case function(FunctionSignature, [TypedExpression])
    case aggregate(FunctionSignature, [TypedExpression], owner: ScopeID, isFiltered: Bool)
    case window(FunctionSignature, [TypedExpression], frameMayBeEmpty: Bool)
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

  /// A literal value.
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
  /// The column index that represents the rowid.
  static let rowID = -1

  let source: SourceID
  let column: Int
  /// The column's name, in the spelling of the schema or subquery.
  let name: String
  /// The column's name in a join in parentheses, if it is part of one.
  var groupName: String?
  /// Indicates whether the column can be `NULL` in an existing row of the source.
  let isDeclaredNullable: Bool
  /// Indicates whether an outer join may find no row of the source.
  var isOptional: Bool
  /// The collation with which the column is compared.
  let collation: String
  /// The table column whose value is returned unchanged, if any.
  let origin: ColumnOrigin?
  /// The entry that contains the origin, if the selects between it and this column keep its rows.
  var path: ScanPath?
  /// The table columns whose values the column returns, from all arms of a compound select.
  var provenance = Provenance.computed
  /// Indicates whether the values may be numbers with a fraction.
  var hasFraction = false
  /// The bound of the column's values, as for ``TypedExpression/exponentBound``.
  var exponentBound: Int?
  /// Indicates whether the source is a table itself rather than a select.
  let isTableColumn: Bool

  func hash(into hasher: inout Hasher) {
    hasher.combine(source)
    hasher.combine(column)
  }

  static func == (left: ResolvedColumn, right: ResolvedColumn) -> Bool {
    left.source == right.source && left.column == right.column
  }
}

/// An entry of a `FROM` clause that is a table, and the selects that return its columns unchanged.
struct ScanPath: Hashable, Sendable {
  /// A longer path is not recorded, so that chains of views need linear time.
  private static let maximumLength = 16

  let scan: SourceID
  /// The selects from the one that contains the entry outward.
  private(set) var selects: [ScopeID] = []

  /// Returns the path of the columns of a select; `nil` if it is too long.
  func passing(through select: ScopeID) -> ScanPath? {
    guard selects.count < Self.maximumLength else { return nil }
    var path = self
    path.selects.append(select)
    return path
  }
}

/// A table column, as `sqlite3_column_origin_name` reports it.
struct ColumnOrigin: Hashable, Sendable {
  let database: NameKey
  let table: String
  let column: String
}

extension TypedExpression {
  /// Creates an erroneous expression.
  static func unknown(_ span: ByteSpan) -> TypedExpression {
    TypedExpression(kind: .unknown, type: .any, affinity: nil, span: span)
  }

  /// The expression without `COLLATE` and without planner hints such as `likely()`.
  var stripped: TypedExpression {
    switch kind {
    case .collate(let inner, _): inner.stripped
    case .function(let function, let arguments)
    where ["likely", "unlikely", "likelihood"].contains(function.name):
      arguments.first?.stripped ?? self
    default: self
    }
  }

  /// The number of the parameter, ignoring collations; `nil` for any other expression.
  var parameter: Int? {
    if case .parameter(let number) = stripped.kind { number } else { nil }
  }

  var column: ResolvedColumn? {
    if case .column(let reference) = stripped.kind { reference } else { nil }
  }

  /// Adds the scopes and flags that the expression inherits from one of its parts.
  mutating func absorb(_ part: TypedExpression) {
    scopes.formUnion(part.scopes)
    aggregateScopes.formUnion(part.aggregateScopes)
    hasWindow = hasWindow || part.hasWindow
    hasSubquery = hasSubquery || part.hasSubquery
  }
}

extension TypedExpression {
  /// The direct subexpressions, excluding those inside subqueries.
  var parts: [TypedExpression] {
    switch kind {
    case .unknown, .null, .literal, .column, .parameter, .subquery, .exists, .raise: []
    case .merged(let parts, _), .row(let parts): parts
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

  /// The expression and all its subexpressions outside of subqueries, each before its own parts.
  private var tree: [TypedExpression] {
    var result: [TypedExpression] = []
    var open = [self]
    while let next = open.popLast() {
      result.append(next)
      open += next.parts.reversed()
    }
    return result
  }

  /// The sources of the columns that the expression reads outside of subqueries.
  var sources: Set<SourceID> { Set(columns.map(\.source)) }

  /// The columns that the expression reads outside of subqueries.
  var columns: [ResolvedColumn] {
    tree.compactMap { if case .column(let column) = $0.kind { column } else { nil } }
  }

  /// Indicates whether the expression is the literal 0.
  var isZero: Bool {
    if case .literal(.integer(0)) = kind { type == .integer } else { false }
  }

  /// Discards aggregates and windows that are never evaluated.
  mutating func removeAggregates() {
    aggregateScopes = []
    hasWindow = false
  }

  /// The operands of a chain of `AND`.
  var conjuncts: [TypedExpression] { if case .and = kind { chain } else { [self] } }

  /// The operands of a chain of `AND` or of `OR`, in order.
  var chain: [TypedExpression] {
    var result: [TypedExpression] = []
    var rest = [self]
    while let next = rest.popLast() {
      switch (kind, next.kind) {
      case (.and, .and(let left, let right)), (.or, .or(let left, let right)):
        for var operand in [right, left] {
          operand.condition += next.condition
          rest.append(operand)
        }
      default: result.append(next)
      }
    }
    return result
  }

  /// The collation with which SQLite compares the expression, and whether it is explicit.
  var collation: (name: String, isExplicit: Bool)? {
    switch kind {
    case .collate(_, let name): (name, true)
    case .column(let column): (column.collation, false)
    case .cast(let inner, _): inner.collation
    case .merged(let parts, _): parts.first?.collation
    default:
      tree.lazy.compactMap { part -> (name: String, isExplicit: Bool)? in
        if case .collate(_, let name) = part.kind { (name, true) } else { nil }
      }.first
    }
  }
}
