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
  ///
  /// A chain of operators may be too long for recursion.
  func isNullable(_ expression: TypedExpression) -> Bool {
    var open = [expression]
    while let next = open.popLast() {
      guard let parts = strictParts(of: next) else { return true }
      open += parts
    }
    return false
  }

  /// Returns the parts that make an expression `NULL` if one of them is `NULL`; `nil` if the
  /// expression can be `NULL` for another reason.
  private func strictParts(of expression: TypedExpression) -> [TypedExpression]? {
    func unless(_ isNullable: Bool, _ parts: TypedExpression...) -> [TypedExpression]? {
      isNullable ? nil : parts
    }
    switch expression.kind {
    case .unknown, .null, .parameter: return nil
    case .literal, .identity, .isNull, .exists, .raise: return []
    case .column(let reference): return unless(isNullable(reference))
    case .merged(let parts, _): return unless(parts.allSatisfy(isNullable))
    case .negation(let inner), .not(let inner), .cast(let inner, _), .collate(let inner, _):
      return [inner]
    case .arithmetic(let name, let left, let right):
      return unless(TypedExpression.mayBeNaN(name, left, right), left, right)
    case .comparison(_, let left, let right), .and(let left, let right), .or(let left, let right):
      return [left, right]
    case .division(let name, let left, let right):
      // The operands of `%` are converted to integers, so 0.5 becomes zero.
      guard let divisor = right.literalMagnitude, divisor.isFinite else { return nil }
      return unless(name == "%" ? divisor < 1 : divisor == 0, left)
    case .between(let value, let low, let high, _): return [value, low, high]
    case .inList(let value, let list, _): return list.isEmpty ? [] : [value] + list
    case .inSelect(let value, let isElementNullable, _):
      return unless(isElementNullable || !groupedAsOne.isEmpty, value)
    case .inParameter(let value, _, _): return unless(!groupedAsOne.isEmpty, value)
    case .cases(let base, let branches, let otherwise):
      guard let otherwise else { return nil }
      let isNullable = branches.contains {
        base == nil ? self.isNullable($0.then, given: $0.when) : self.isNullable($0.then)
      }
      return unless(isNullable, otherwise)
    case .function(let function, let arguments):
      return unless(isNullable(function, arguments))
    case .aggregate(let function, let arguments, _, let isFiltered):
      switch function.null {
      case .group, .textOfGroup: return !isGrouped || isFiltered ? nil : arguments
      case .sumOfGroup:
        return !isGrouped || isFiltered || arguments.contains(where: \.mayBeInfinite)
          ? nil : arguments
      default: return unless(isNullable(function, arguments))
      }
    case .window(let function, let arguments, let frameMayBeEmpty):
      switch function.null {
      case .group: return frameMayBeEmpty ? nil : arguments
      case .sumOfGroup:
        return frameMayBeEmpty || arguments.contains(where: \.mayBeInfinite) ? nil : arguments
      case .neighbour: return arguments.count < 3 ? nil : [arguments[0], arguments[2]]
      default: return unless(isNullable(function, arguments))
      }
    case .subquery(let isNullable, let isCorrelated, _):
      return unless(isNullable || (isCorrelated && !groupedAsOne.isEmpty))
    case .row(let parts): return parts
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

  private func isNullable(_ function: FunctionSignature, _ arguments: [TypedExpression]) -> Bool {
    switch function.null {
    case .never: false
    case .always, .group, .textOfGroup, .sumOfGroup, .neighbour: true
    case .anyArgument: arguments.contains(where: isNullable)
    case .firstArgument: arguments.first.map(isNullable) ?? true
    case .allArguments: arguments.allSatisfy(isNullable)
    case .arguments(let start): arguments.dropFirst(start).contains(where: isNullable)
    case .numericArgument:
      arguments.contains { isNullable($0) || !($0.type?.isNumber ?? false) }
    case .finiteArgument:
      arguments.contains {
        isNullable($0) || !($0.type?.isNumber ?? false) || $0.mayBeInfinite
      }
    case .total: arguments.contains(where: \.mayBeInfinite)
    case .unlessPositiveLiterals: !arguments.allSatisfy(\.isPositiveLiteral)
    case .sliced:
      arguments.contains(where: isNullable) || arguments[0].type == .blob
        || arguments[0].type == .any
    case .document: arguments.first.map(isNullable) ?? true || !replacesWithinDocument(arguments)
    case .formatted: !(arguments.first.map(Self.isNeverEmpty) ?? false)
    case .timeValue(let position): !Self.isValidTime(arguments, from: position)
    }
  }
}
