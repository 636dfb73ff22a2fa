extension TypedExpression {
  /// Returns the columns that are not `NULL` in a row for which the expression is true, or false if
  /// `truth` is `false`.
  func nonNullColumns(when truth: Bool) -> Set<ResolvedColumn> {
    guard condition.isEmpty else { return [] }
    switch kind {
    case .and:
      let sides = chain.map { $0.nonNullColumns(when: truth) }
      return truth ? Self.union(sides) : Self.intersection(sides)
    case .or:
      let sides = chain.map { $0.nonNullColumns(when: truth) }
      return truth ? Self.intersection(sides) : Self.union(sides)
    case .not(let inner): return inner.nonNullColumns(when: !truth)
    case .isNull(let inner, let negated): return negated == truth ? inner.strictColumns : []
    case .identity(let left, let right, let negated):
      guard negated != truth else {
        // The general form of `x IS NOT NULL`.
        if right.isNullLiteral { return left.strictColumns }
        return left.isNullLiteral ? right.strictColumns : []
      }
      let nullability = Nullability()
      var columns: Set<ResolvedColumn> = []
      if !nullability.isNullable(right) { columns.formUnion(left.strictColumns) }
      if !nullability.isNullable(left) { columns.formUnion(right.strictColumns) }
      return columns
    case .comparison(let name, let left, let right) where left.width > 1:
      // Row values are equal only if all their parts are equal; a single part can make them
      // unequal.
      let isEquality = name == "=" && truth || name == "<>" && !truth
      return isEquality ? left.strictColumns.union(right.strictColumns) : strictColumns
    case .between(let value, let low, let high, let negated) where value.width > 1:
      return negated == truth
        ? value.firstPart.strictColumns
        : value.firstPart.strictColumns.union(low.firstPart.strictColumns)
          .union(high.firstPart.strictColumns)
    case .between(let value, let low, let high, let negated):
      // A single bound can decide `NOT BETWEEN`.
      return negated == truth
        ? value.strictColumns
        : value.strictColumns.union(low.strictColumns).union(high.strictColumns)
    case .inList(let value, let list, let negated):
      let isRow = value.width > 1
      return negated == truth && (list.isEmpty || isRow) ? [] : value.strictColumns
    case .inSelect(let value, _, let negated), .inParameter(let value, _, let negated):
      // `NULL NOT IN` an empty set is true.
      return negated == truth ? [] : value.strictColumns
    case .collate(let inner, _): return inner.nonNullColumns(when: truth)
    case .function(let function, let arguments)
    where ["likely", "unlikely", "likelihood"].contains(function.name):
      return arguments.first?.nonNullColumns(when: truth) ?? []
    default: return strictColumns
    }
  }

  /// The columns that are not `NULL` if the expression is not `NULL`.
  var strictColumns: Set<ResolvedColumn> {
    var columns: Set<ResolvedColumn> = []
    var open = [self]
    while let next = open.popLast() {
      if case .column(let reference) = next.kind { columns.insert(reference) }
      open += next.strictParts
    }
    return columns
  }

  /// The parts that are not `NULL` if the expression is not `NULL`.
  private var strictParts: [TypedExpression] {
    switch kind {
    case .negation(let inner), .not(let inner), .cast(let inner, _), .collate(let inner, _):
      [inner]
    case .comparison(let name, let left, let right) where left.width > 1:
      // The first parts may decide a comparison by themselves, and any part may decide equality.
      name == "=" || name == "<>" ? [] : [left.firstPart, right.firstPart]
    case .arithmetic(_, let left, let right), .division(_, let left, let right),
      .comparison(_, let left, let right):
      [left, right]
    case .function(let function, let arguments):
      switch function.null {
      case .anyArgument, .numericArgument, .finiteArgument, .sliced: arguments
      case .firstArgument, .formatted: Array(arguments.prefix(1))
      default: []
      }
    case .row(let parts): parts
    default: []
    }
  }

  private static func union(_ sets: [Set<ResolvedColumn>]) -> Set<ResolvedColumn> {
    sets.reduce(into: []) { $0.formUnion($1) }
  }

  private static func intersection(_ sets: [Set<ResolvedColumn>]) -> Set<ResolvedColumn> {
    guard var result = sets.first else { return [] }
    for set in sets.dropFirst() { result.formIntersection(set) }
    return result
  }

  /// The first part of a row value.
  private var firstPart: TypedExpression {
    if case .row(let parts) = stripped.kind, let first = parts.first { first } else { self }
  }

  var isNullLiteral: Bool {
    if case .null = stripped.kind { true } else { false }
  }

  /// Indicates whether the expression is a positive, finite number literal.
  var isPositiveLiteral: Bool {
    switch stripped.kind {
    case .literal(.integer(let value)): value > 0
    case .literal(.real(let value)): value > 0 && value.isFinite
    default: false
    }
  }

  /// Indicates whether the expression is an integer literal so large that arithmetic with it is
  /// likely to exceed 64 bits.
  var isHugeLiteral: Bool {
    if case .literal(.integer(let value)) = stripped.kind {
      value.magnitude >= 1 << 62
    } else {
      false
    }
  }
}
