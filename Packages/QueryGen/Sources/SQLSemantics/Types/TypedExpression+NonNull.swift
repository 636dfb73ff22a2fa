extension TypedExpression {
  /// The columns that are not `NULL` in a row for which the expression is true, or is false.
  func nonNullColumns(when truth: Bool) -> Set<ResolvedColumn> {
    switch kind {
    case .and(let left, let right):
      let both = (left.nonNullColumns(when: truth), right.nonNullColumns(when: truth))
      return truth ? both.0.union(both.1) : both.0.intersection(both.1)
    case .or(let left, let right):
      let both = (left.nonNullColumns(when: truth), right.nonNullColumns(when: truth))
      return truth ? both.0.intersection(both.1) : both.0.union(both.1)
    case .not(let inner): return inner.nonNullColumns(when: !truth)
    case .isNull(let inner, let negated): return negated == truth ? inner.strictColumns : []
    case .identity(let left, let right, let negated):
      guard negated != truth else {
        // `x IS NOT NULL` in its general form.
        if right.isNullLiteral { return left.strictColumns }
        return left.isNullLiteral ? right.strictColumns : []
      }
      let facts = NullFacts()
      var columns: Set<ResolvedColumn> = []
      if !facts.isNullable(right) { columns.formUnion(left.strictColumns) }
      if !facts.isNullable(left) { columns.formUnion(right.strictColumns) }
      return columns
    case .comparison(let name, let left, let right) where left.width > 1:
      // Rows are equal where all their parts are; one part may tell them apart.
      let isEquality = name == "=" && truth || name == "<>" && !truth
      return isEquality ? left.strictColumns.union(right.strictColumns) : strictColumns
    case .between(let value, let low, let high, let negated) where value.width > 1:
      return negated == truth
        ? value.firstPart.strictColumns
        : value.firstPart.strictColumns.union(low.firstPart.strictColumns)
          .union(high.firstPart.strictColumns)
    case .between(let value, let low, let high, let negated):
      // `NOT BETWEEN` holds when one bound alone decides it.
      return negated == truth
        ? value.strictColumns
        : value.strictColumns.union(low.strictColumns).union(high.strictColumns)
    case .inList(let value, let list, let negated):
      let isRow = value.width > 1
      return negated == truth && (list.isEmpty || isRow) ? [] : value.strictColumns
    case .inSelect(let value, _, let negated), .inParameter(let value, _, let negated):
      // `NULL NOT IN (nothing)` is true.
      return negated == truth ? [] : value.strictColumns
    case .collate(let inner, _): return inner.nonNullColumns(when: truth)
    case .function(let function, let arguments)
    where ["likely", "unlikely", "likelihood"].contains(function.name):
      return arguments.first?.nonNullColumns(when: truth) ?? []
    default: return strictColumns
    }
  }

  /// The columns that cannot be `NULL` when the expression is not.
  var strictColumns: Set<ResolvedColumn> {
    switch kind {
    case .column(let reference): return [reference]
    case .negation(let inner), .not(let inner), .cast(let inner, _), .collate(let inner, _):
      return inner.strictColumns
    case .comparison(let name, let left, let right) where left.width > 1:
      // The first parts alone may decide, and of equality any part.
      return name == "=" || name == "<>"
        ? [] : left.firstPart.strictColumns.union(right.firstPart.strictColumns)
    case .arithmetic(_, let left, let right), .division(_, let left, let right),
      .comparison(_, let left, let right):
      return left.strictColumns.union(right.strictColumns)
    case .function(let function, let arguments):
      switch function.null {
      case .anyArgument, .numericArgument, .sliced:
        return arguments.reduce(into: []) { $0.formUnion($1.strictColumns) }
      case .firstArgument, .formatted: return arguments.first?.strictColumns ?? []
      default: return []
      }
    case .row(let parts): return parts.reduce(into: []) { $0.formUnion($1.strictColumns) }
    default: return []
    }
  }

  /// The first part of a row value.
  private var firstPart: TypedExpression {
    if case .row(let parts) = stripped.kind, let first = parts.first { first } else { self }
  }

  var isNullLiteral: Bool {
    if case .null = stripped.kind { true } else { false }
  }

  /// Whether the expression is a number written out whose integer part is not zero.
  var isNonzeroLiteral: Bool {
    switch stripped.kind {
    case .literal(.integer(let value)): value != 0
    case .literal(.real(let value)): value.magnitude >= 1
    case .negation(let inner): inner.isNonzeroLiteral
    default: false
    }
  }

  var isInfiniteLiteral: Bool {
    switch stripped.kind {
    case .literal(.real(let value)): value.isInfinite
    case .negation(let inner): inner.isInfiniteLiteral
    default: false
    }
  }

  var isPositiveLiteral: Bool {
    switch stripped.kind {
    case .literal(.integer(let value)): value > 0
    case .literal(.real(let value)): value > 0
    default: false
    }
  }

  /// Whether the expression is an integer written out with which arithmetic soon leaves 64 bits.
  var isHugeLiteral: Bool {
    if case .literal(.integer(let value)) = stripped.kind {
      value.magnitude >= 1 << 62
    } else {
      false
    }
  }
}
