internal import QueryModel

/// The known properties of the rows for which an expression is evaluated, to determine its
/// nullability.
struct Nullability: Sendable {
  /// The columns that are never `NULL`.
  var nonNull: Set<ResolvedColumn> = []
  /// The sources for which an outer join has certainly found a row.
  var present: Set<SourceID> = []
  /// Indicates whether the rows are the groups of a `GROUP BY`, which are never empty.
  var isGrouped = false
  /// The sources whose rows form a single group, which may be empty.
  ///
  /// If the group is empty, a bare column next to `count(*)` is `NULL`.
  var groupedAsOne: Set<SourceID> = []

  mutating func add(_ references: Set<ResolvedColumn>) {
    nonNull.formUnion(references)
    present.formUnion(references.map(\.source))
  }

  /// Adds the consequences of a condition that holds for the rows.
  mutating func assume(_ condition: TypedExpression) {
    add(condition.nonNullColumns(when: true))
  }

  /// Returns whether the expression can be `NULL` in one of the rows.
  func isNullable(_ expression: TypedExpression) -> Bool {
    switch expression.kind {
    case .unknown, .null, .parameter: return true
    case .literal, .identity, .isNull, .exists, .raise: return false
    case .column(let reference): return isNullable(reference)
    case .merged(let parts): return parts.allSatisfy(isNullable)
    case .negation(let inner), .not(let inner), .cast(let inner, _), .collate(let inner, _):
      return isNullable(inner)
    case .arithmetic(_, let left, let right):
      // Infinity minus infinity and infinity times zero are NaN, which SQLite converts to NULL.
      return isNullable(left) || isNullable(right) || left.isInfiniteLiteral
        || right.isInfiniteLiteral
    case .comparison(_, let left, let right):
      return isNullable(left) || isNullable(right)
    case .and(let left, let right), .or(let left, let right):
      return isNullable(left) || isNullable(right)
    case .division(_, let left, let right):
      return isNullable(left) || !right.isNonzeroLiteral || right.isInfiniteLiteral
    case .between(let value, let low, let high, _):
      return isNullable(value) || isNullable(low) || isNullable(high)
    case .inList(let value, let list, _):
      return !list.isEmpty && (isNullable(value) || list.contains(where: isNullable))
    case .inSelect(let value, let isElementNullable, _):
      return isElementNullable || !groupedAsOne.isEmpty || isNullable(value)
    case .inParameter(let value, _, _):
      return !groupedAsOne.isEmpty || isNullable(value)
    case .cases(let base, let branches, let otherwise):
      guard let otherwise else { return true }
      return isNullable(otherwise)
        || branches.contains {
          base == nil ? isNullable($0.then, given: $0.when) : isNullable($0.then)
        }
    case .function(let function, let arguments):
      return isNullable(function, arguments)
    case .aggregate(let function, let arguments, _, let isFiltered):
      guard function.null == .group || function.null == .textOfGroup else {
        return isNullable(function, arguments)
      }
      return !isGrouped || isFiltered || arguments.contains(where: isNullable)
    case .window(let function, let arguments, let frameMayBeEmpty):
      switch function.null {
      case .group: return frameMayBeEmpty || arguments.contains(where: isNullable)
      case .neighbour:
        return arguments.count < 3 || isNullable(arguments[0]) || isNullable(arguments[2])
      default: return isNullable(function, arguments)
      }
    case .subquery(let isNullable, let isCorrelated, _):
      return isNullable || (isCorrelated && !groupedAsOne.isEmpty)
    case .row(let parts): return parts.contains(where: isNullable)
    }
  }

  /// Returns whether a branch of `CASE WHEN condition THEN value` can be `NULL`, given that its
  /// condition holds.
  private func isNullable(_ value: TypedExpression, given condition: TypedExpression) -> Bool {
    var nullability = self
    nullability.assume(condition)
    return nullability.isNullable(value)
  }

  private func isNullable(_ reference: ResolvedColumn) -> Bool {
    if groupedAsOne.contains(reference.source) { return true }
    if nonNull.contains(reference) { return false }
    return reference.isDeclaredNullable
      || (reference.isOptional && !present.contains(reference.source))
  }

  private func isNullable(_ function: BuiltinFunction, _ arguments: [TypedExpression]) -> Bool {
    switch function.null {
    case .never: false
    case .always, .group, .textOfGroup, .neighbour: true
    case .anyArgument: arguments.contains(where: isNullable)
    case .firstArgument: arguments.first.map(isNullable) ?? true
    case .allArguments: arguments.allSatisfy(isNullable)
    case .arguments(let start): arguments.dropFirst(start).contains(where: isNullable)
    case .numericArgument:
      arguments.contains { isNullable($0) || !($0.type?.isNumber ?? false) }
    case .unlessPositiveLiterals: !arguments.allSatisfy(\.isPositiveLiteral)
    case .sliced:
      arguments.contains(where: isNullable) || arguments[0].type == .blob
        || arguments[0].type == .any
    case .document: arguments.first.map(isNullable) ?? true || !replacesWithinDocument(arguments)
    case .formatted: !(arguments.first.map(FormatText.isNeverEmpty) ?? false)
    case .timeValue(let position): !TimeValue.isAlwaysValid(arguments, from: position)
    }
  }
}
