internal import QueryModel
internal import SQLSyntax

/// Inference of parameters' types, nullability and names from their uses.
extension Resolver {
  /// Records a use of a parameter if the expression is a parameter or may return one unchanged.
  mutating func hint(
    _ expression: TypedExpression, type: ValueType?, acceptsNull: Bool? = nil, name: String? = nil,
    provenance: Provenance? = nil
  ) {
    switch expression.kind {
    case .parameter(let number):
      guard type != nil || acceptsNull != nil || name != nil else { return }
      parameters.add(
        .init(
          type: type == .any ? nil : type, acceptsNull: acceptsNull, name: name,
          provenance: provenance ?? (type == nil ? .empty : .computed)), to: number)
    case .collate(let inner, _):
      hint(inner, type: type, acceptsNull: acceptsNull, name: name, provenance: provenance)
    case .cases(_, let branches, let otherwise):
      for value in branches.map(\.then) + (otherwise.map { [$0] } ?? []) {
        hint(value, type: type, acceptsNull: acceptsNull, name: name, provenance: provenance)
      }
    case .function(let function, let arguments) where function.passesThrough:
      for argument in arguments {
        hint(
          argument, type: type, acceptsNull: function.null == .allArguments ? true : acceptsNull,
          name: name, provenance: provenance)
      }
    case .arithmetic(_, let left, let right), .division(_, let left, let right):
      hint(left, type: nil, name: name)
      hint(right, type: nil, name: name)
    case .function(let function, let arguments) where function.name != "count":
      for argument in arguments { hint(argument, type: nil, name: name) }
    case .cast(let inner, _): hint(inner, type: nil, acceptsNull: acceptsNull, name: name)
    default: break
    }
  }

  mutating func hintAll(
    _ expressions: [TypedExpression], type: ValueType?, acceptsNull: Bool? = nil
  ) {
    for expression in expressions { hint(expression, type: type, acceptsNull: acceptsNull) }
  }

  /// Names a parameter after the column with which it is combined.
  mutating func hintName(_ expression: TypedExpression, from other: TypedExpression) {
    if let name = other.nameHint { hint(expression, type: nil, name: name) }
  }

  /// Records that two expressions are compared.
  mutating func recordComparison(
    _ left: TypedExpression, _ right: TypedExpression, isIdentity: Bool = false,
    suffix: String? = nil
  ) {
    if case .row(let lefts) = left.kind, case .row(let rights) = right.kind {
      for (left, right) in zip(lefts, rights) {
        recordComparison(left, right, isIdentity: isIdentity, suffix: suffix)
      }
      return
    }
    let nullability = Nullability()
    func record(_ expression: TypedExpression, comparedWith other: TypedExpression) {
      let name = other.nameHint.map { suffix.map { [name = $0] in joined(name, $0) } ?? $0 }
      // `=` never matches NULL; `IS` matches it if the other side can be NULL.
      let acceptsNull = isIdentity && nullability.isNullable(other)
      let type = other.parameter == nil ? other.type : nil
      // A parameter compared with a computed value has that value's provenance.
      hint(
        expression, type: type, acceptsNull: acceptsNull, name: name,
        provenance: type == nil ? nil : other.provenance)
    }
    record(left, comparedWith: right)
    record(right, comparedWith: left)
  }

  /// Returns the common type of the expressions that are not parameters.
  func knownType(_ expressions: [TypedExpression]) -> ValueType? {
    expressions.filter { $0.parameter == nil }.reduce(nil) { union($0, $1.type) }
  }

  /// Returns a name with a suffix: `created_at` and `lower` become `created_at_lower`, `age` and
  /// `lower` become `ageLower`.
  private func joined(_ name: String, _ suffix: String) -> String {
    name.contains("_")
      ? "\(name)_\(suffix)"
      : name + suffix.prefix(1).uppercased()
        + suffix.dropFirst()
  }

  /// Returns the plural of a name, for a list parameter.
  func plural(_ name: String) -> String {
    let lower = name.lowercased()
    if lower.hasSuffix("s") || lower.hasSuffix("x") || lower.hasSuffix("ch")
      || lower.hasSuffix("sh")
    {
      return name + "es"
    }
    if lower.hasSuffix("y"), let before = lower.dropLast().last, !"aeiou".contains(before) {
      return String(name.dropLast()) + "ies"
    }
    return name + "s"
  }
}

extension BuiltinFunction {
  /// Indicates whether the result is one of the arguments, so that hints for the result apply to
  /// them.
  var passesThrough: Bool {
    guard kind == .scalar else { return false }
    switch type {
    case .argument, .union: return true
    default: return false
    }
  }
}

extension TypedExpression {
  /// The name of the column that the expression is or is computed from.
  var nameHint: String? {
    switch stripped.kind {
    case .column(let column): column.name
    case .merged(let parts, _): parts.first?.nameHint
    case .cast(let inner, _), .negation(let inner): inner.nameHint
    case .arithmetic(_, let left, let right), .division(_, let left, let right):
      left.nameHint ?? right.nameHint
    case .function(_, let arguments), .aggregate(_, let arguments, _, _):
      arguments.lazy.compactMap(\.nameHint).first
    default: nil
    }
  }
}
