internal import Primitives
internal import QueryModel
internal import SQLSyntax

/// Inference of parameters' types, nullability and names from their uses.
extension Resolver {
  /// Records a use of a parameter if the expression is a parameter or may return one unchanged.
  mutating func hint(
    _ expression: TypedExpression, type: ValueType?, acceptsNull: Bool? = nil, name: String? = nil,
    provenance: Provenance? = nil
  ) {
    StepCounter.step()
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
    case .function(let function, let arguments) where function.returnsArgument:
      // The second argument of `nullif` is compared with the first.
      let typed = function.name == "nullif" ? arguments : function.returned(arguments)
      for argument in typed {
        hint(
          argument, type: type, acceptsNull: function.null == .allArguments ? true : acceptsNull,
          name: name, provenance: provenance)
      }
    case .arithmetic, .division:
      guard name != nil else { return }
      for operand in expression.arithmeticOperands { hint(operand, type: nil, name: name) }
    case .function(let function, let arguments) where function.name != "count":
      guard name != nil else { return }
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

  /// Records that an expression returns one of the given expressions, so that parameters among them
  /// have the type of the others.
  mutating func hintAlternatives(_ expressions: [TypedExpression], acceptsNull: Bool? = nil) {
    let type = expressions.reduce(nil) { union($0, $1.knownType) }
    let domain = expressions.reduce(Provenance.empty) { $0.union($1.domain) }
    for expression in expressions {
      hint(
        expression, type: type, acceptsNull: acceptsNull, provenance: type == nil ? nil : domain)
    }
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
      let type = other.knownType
      // A parameter compared with a computed value has that value's provenance.
      hint(
        expression, type: type, acceptsNull: acceptsNull, name: name,
        provenance: type == nil ? nil : other.domain)
    }
    record(left, comparedWith: right)
    record(right, comparedWith: left)
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

extension FunctionSignature {
  /// Indicates whether the result is one of the arguments, so that hints for the result apply to
  /// them.
  var returnsArgument: Bool {
    guard kind == .scalar else { return false }
    switch type {
    case .argument, .union: return true
    default: return false
    }
  }

  /// The arguments of which a scalar function returns one.
  func returned(_ arguments: [TypedExpression]) -> [TypedExpression] {
    switch type {
    case .argument(let index): arguments.indices.contains(index) ? [arguments[index]] : []
    case .union(let first): Array(arguments.dropFirst(first))
    default: []
    }
  }

  /// The arguments of a function such as `iif` that decide which other argument is returned.
  func conditions(_ arguments: [TypedExpression]) -> [TypedExpression] {
    switch type {
    case .argument(let first), .union(let first): Array(arguments.prefix(first))
    default: []
    }
  }
}

extension TypedExpression {
  /// The expressions of which this one returns one; `nil` if it computes a value.
  var alternatives: [TypedExpression]? {
    switch kind {
    case .collate(let inner, _): [inner]
    case .cases(_, let branches, let otherwise):
      branches.map(\.then) + (otherwise.map { [$0] } ?? [])
    case .function(let function, let arguments) where function.returnsArgument:
      function.returned(arguments)
    default: nil
    }
  }

  /// The type of the values that are not parameters; `nil` if there are none.
  var knownType: ValueType? {
    if case .parameter = kind { return nil }
    guard let alternatives else { return type }
    return alternatives.reduce(nil) { union($0, $1.knownType) }
  }

  /// The columns that give the expression's values their meaning, and so the meaning of a parameter
  /// that is compared with them.
  ///
  /// Unlike the provenance, it ignores literals: `role = 'admin'` does not make `role` a plain text.
  var domain: Provenance {
    switch kind {
    case .literal: return .empty
    case .negation(let inner):
      if case .literal = inner.kind { return .empty }
      return .computed
    default: break
    }
    guard let alternatives else { return provenance }
    return alternatives.reduce(.empty) { $0.union($1.domain) }
  }
}

extension TypedExpression {
  /// The name of the column that the expression is or is computed from.
  var nameHint: String? {
    switch stripped.kind {
    case .column(let column): column.name
    case .merged(let parts, _): parts.first?.nameHint
    case .cast(let inner, _), .negation(let inner): inner.nameHint
    case .arithmetic, .division: arithmeticOperands.lazy.compactMap(\.nameHint).first
    case .function(_, let arguments), .aggregate(_, let arguments, _, _):
      arguments.lazy.compactMap(\.nameHint).first
    default: nil
    }
  }
}

extension TypedExpression {
  /// The operands of a chain of arithmetic operators, which may be too long for recursion.
  fileprivate var arithmeticOperands: [TypedExpression] {
    var operands: [TypedExpression] = []
    var rest = self
    while true {
      switch rest.stripped.kind {
      case .arithmetic(_, let left, let right), .division(_, let left, let right):
        operands.append(right)
        rest = left
      default: return [rest] + operands.reversed()
      }
    }
  }
}
