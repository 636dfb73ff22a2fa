internal import Primitives
internal import QueryModel
internal import SQLSyntax

extension Resolver {
  /// Resolves an expression, which may be a row value.
  mutating func resolve(_ expression: Expression, in scope: Scope) -> TypedExpression {
    StepCounter.step()
    depth += 1
    defer { depth -= 1 }
    guard checkDepth(at: expression.span) else { return .unknown(expression.span) }
    var result = resolveFilter(expression, in: scope) ?? resolveNode(expression, in: scope)
    let condition = dynamicParts.condition(of: expression)
    if !condition.isEmpty { result.condition = condition.compactMap { number(of: $0) } }
    return result
  }

  private mutating func resolveNode(
    _ expression: Expression, in scope: Scope
  ) -> TypedExpression {
    switch expression {
    case .literal(let node):
      checkTime(node, in: scope)
      return resolve(node)
    case .parameter(let node): return resolve(node, in: scope)
    case .column(let node): return resolve(node, in: scope)
    case .unary(let node): return resolve(node, in: scope)
    case .binary(let node): return resolve(node, in: scope)
    case .collate(let node): return resolve(node, in: scope)
    case .match(let node): return resolve(node, in: scope)
    case .nullTest(let node):
      return nullTest(
        resolve(node.operand, in: scope), isNegated: node.isNegated, span: node.span)
    case .between(let node): return resolve(node, in: scope)
    case .in(let node): return resolve(node, in: scope)
    case .case(let node): return resolve(node, in: scope)
    case .cast(let node): return resolve(node, in: scope)
    case .exists(let node): return resolve(node, in: scope)
    case .subquery(let node): return resolve(node, in: scope)
    case .function(let node): return resolve(node, in: scope)
    case .row(let node): return resolve(node, in: scope)
    case .parenthesized(let node): return resolve(node.inner, in: scope)
    case .raise(let node):
      if !isInTrigger,
        scope.innermostDefinition.map({ $0 == .index || $0 == .partialIndex })
          ?? true
      {
        report(
          .prohibitedHere, at: node.span, "RAISE() may only be used within a trigger-program")
      }
      if case .expression(let message) = node.action.message {
        _ = resolveScalar(message, in: scope)
      }
      return TypedExpression(kind: .raise, type: nil, span: node.span)
    }
  }

  /// Resolves an expression that must be a single value.
  mutating func resolveScalar(_ expression: Expression, in scope: Scope) -> TypedExpression {
    let result = resolve(expression, in: scope)
    return checkScalar(result) ? result : .unknown(result.span)
  }

  /// Reports a row value that is used as a single value.
  @discardableResult
  mutating func checkScalar(_ expression: TypedExpression) -> Bool {
    guard expression.width != 1 else { return true }
    if case .subquery = expression.kind {
      report(
        .columnCount, at: expression.span,
        "sub-select returns \(expression.width) columns, expected 1")
    } else {
      report(.rowValueMisuse, at: expression.span, "row value misused")
    }
    return false
  }

  private mutating func resolve(_ node: LiteralExpression) -> TypedExpression {
    func make(
      _ kind: TypedExpression.Kind, _ type: ValueType?
    ) -> TypedExpression {
      TypedExpression(kind: kind, type: type, span: node.span)
    }
    switch node.value {
    case .null: return make(.null, nil)
    case .integer:
      if let value = node.value.integerValue { return make(.literal(.integer(value)), .integer) }
      return make(.literal(.real(node.value.realValue ?? 0)), .real)
    case .real: return make(.literal(.real(node.value.realValue ?? 0)), .real)
    case .string(let text): return make(.literal(.text(text)), .text)
    case .blob(let bytes): return make(.literal(.blob(bytes)), .blob)
    case .currentTime: return currentTime("current_time", node.span)
    case .currentDate: return currentTime("current_date", node.span)
    case .currentTimestamp: return currentTime("current_timestamp", node.span)
    }
  }

  /// Reports the current time in a definition that requires deterministic expressions.
  private mutating func checkTime(_ node: LiteralExpression, in scope: Scope) {
    guard let place = scope.innermostDefinition, place != .check else { return }
    switch node.value {
    case .currentTime, .currentDate, .currentTimestamp:
      report(
        .prohibitedHere, at: node.span,
        "non-deterministic functions prohibited in \(place.rawValue)")
    default: break
    }
  }

  private func currentTime(_ name: NameKey, _ span: ByteSpan) -> TypedExpression {
    guard case .found(let function) = catalog.functions.find(name, argumentCount: 0) else {
      return .unknown(span)
    }
    return TypedExpression(kind: .function(function, []), type: .text, span: span)
  }

  private mutating func resolve(_ node: Parameter, in scope: Scope) -> TypedExpression {
    if let place = scope.innermostDefinition {
      report(.prohibitedHere, at: node.span, "parameters prohibited in \(place.rawValue)")
      return .unknown(node.span)
    }
    if let parameterErrorMessage {
      report(.prohibitedHere, at: node.span, parameterErrorMessage)
      return .unknown(node.span)
    }
    guard let number = parameters.number(node) else {
      report(
        .invalidParameter, at: node.span,
        "variable number must be between ?1 and ?\(ParameterTable.limit)")
      return .unknown(node.span)
    }
    return TypedExpression(kind: .parameter(number), type: .any, span: node.span)
  }

  private mutating func resolve(_ node: CollateExpression, in scope: Scope) -> TypedExpression {
    let operand = resolveScalar(node.operand, in: scope)
    // SQLite compiles a `CHECK` constraint only when a row is written.
    if scope.innermostDefinition != .check { checkCollation(node.collation) }
    var result = TypedExpression(
      kind: .collate(operand, node.collation.text), type: operand.type,
      affinity: operand.affinity, span: node.span)
    result.absorb(operand)
    return result
  }

  /// Reports an unknown collation.
  mutating func checkCollation(_ name: Identifier) {
    guard !catalog.collations.contains(NameKey(name.text)) else { return }
    reportUnknown(
      .unknownCollation, "collation sequence", name.text, at: name.span,
      candidates: catalog.collations.map { $0.folded.uppercased() })
    hintDeclaration("collation", name.text.nameInSQL)
  }

  private mutating func resolve(_ node: CaseExpression, in scope: Scope) -> TypedExpression {
    let base = node.base.map { resolve($0, in: scope) }
    var branches: [TypedExpression.Branch] = []
    for branch in node.branches {
      let when = resolve(branch.condition, in: scope)
      if let base, base.width != when.width, !base.isUnknown, !when.isUnknown {
        report(.rowValueMisuse, at: when.span, "row value misused")
      } else if base == nil {
        checkScalar(when)
      }
      let then = resolveScalar(branch.result, in: scope)
      branches.append(TypedExpression.Branch(when: when, then: then))
    }
    let otherwise = node.otherwise.map { resolveScalar($0, in: scope) }
    let results = branches.map(\.then) + (otherwise.map { [$0] } ?? [])
    let type = results.reduce(nil) { union($0, $1.type) }
    for branch in branches {
      if let base {
        recordComparison(base, branch.when)
      } else {
        hint(branch.when, type: .boolean)
      }
    }
    checkNullBranches(node)
    hintAlternatives(results)
    var result = TypedExpression(
      kind: .cases(base: base, branches, otherwise: otherwise), type: type, span: node.span)
    for part in results + branches.map(\.when) + (base.map { [$0] } ?? []) { result.absorb(part) }
    return result
  }

  private mutating func resolve(_ node: CastExpression, in scope: Scope) -> TypedExpression {
    let operand = resolveScalar(node.operand, in: scope)
    let name = node.type?.name ?? ""
    // A column without a type has no affinity, but a cast to an unnamed type yields a number.
    let affinity = name.isEmpty ? .numeric : Affinity(declaredType: name)
    hint(operand, type: affinity == .numeric ? nil : ValueType.any.cast(to: affinity))
    var result = TypedExpression(
      kind: .cast(operand, affinity), type: (operand.type ?? .any).cast(to: affinity),
      affinity: affinity, span: node.span)
    result.absorb(operand)
    return result
  }

  private mutating func resolve(_ node: RowExpression, in scope: Scope) -> TypedExpression {
    let parts = node.elements.map { resolveScalar($0, in: scope) }
    var result = TypedExpression(kind: .row(parts), type: .any, span: node.span)
    result.width = parts.count
    for part in parts { result.absorb(part) }
    return result
  }
}

extension Scope {
  /// The definition that the expression belongs to; `nil` for an expression of a statement.
  var innermostDefinition: Definition? {
    rules.definition ?? parent?.innermostDefinition
  }
}
