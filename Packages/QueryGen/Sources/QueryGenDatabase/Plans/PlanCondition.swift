internal import SQLSyntax

/// A condition on the rows of one source.
enum PlanCondition {
  /// `column = x`, `column IN (…)`, `column IS NULL`
  case equality(String)
  /// `column < x`, `column BETWEEN x AND y`
  case range(String)
  /// `column LIKE x`, `column GLOB x`
  case pattern(String, MatchExpression)
  /// A comparison of an expression that contains only this column.
  case expression(Expression, column: String, columnSpan: ByteSpan)
}

extension StatementFacts {
  /// Returns the conditions of a select on one of its sources that an index could make fast.
  func conditions(on label: String, in select: Select) -> [PlanCondition] {
    var found = select.conditions.compactMap { condition($0, on: label) }
    found += select.pushed.filter { $0.label == label }.map(\.condition)
    for (index, source) in select.sources.enumerated() {
      // USING compares the columns of both sides.
      if source.label == label { found += source.joined.map { .equality($0) } }
      if select.sources[..<index].contains(where: { $0.label == label }) {
        found += source.joined.map { .equality($0) }
      }
    }
    return found
  }

  private func condition(_ expression: Expression, on label: String) -> PlanCondition? {
    switch expression {
    case .binary(let node):
      guard node.op.isComparison else { return nil }
      for (side, other) in [(node.left, node.right), (node.right, node.left)]
      where !columns(in: other.span).contains(where: { $0.label == label }) {
        if let condition = comparison(of: side, on: label, isEquality: node.op.isEquality) {
          return condition
        }
      }
      return nil
    case .between(let node) where !node.isNegated:
      return comparison(of: node.operand, on: label, isEquality: false)
    case .in(let node) where !node.isNegated:
      return comparison(of: node.operand, on: label, isEquality: true)
    case .nullTest(let node) where !node.isNegated:
      return comparison(of: node.operand, on: label, isEquality: true)
    case .match(let node) where !node.isNegated && (node.op == .like || node.op == .glob):
      guard let column = column(node.operand), column.label == label else {
        return comparison(of: node.operand, on: label, isEquality: false)
      }
      return .pattern(column.name, node)
    default: return nil
    }
  }

  private func comparison(
    of expression: Expression, on label: String, isEquality: Bool
  ) -> PlanCondition? {
    if let column = column(expression) {
      guard column.label == label else { return nil }
      return isEquality ? .equality(column.name) : .range(column.name)
    }
    let inner = expression.unparenthesized
    let columns = columns(in: inner.span)
    guard columns.count == 1, columns[0].label == label, inner.isComputation else { return nil }
    return .expression(inner, column: columns[0].name, columnSpan: columns[0].span)
  }

  /// Returns whether conditions connect a source with others, directly or through further ones.
  ///
  /// - Parameter includesCross: Whether sources without a condition count as connected if all
  ///   combinations are wanted.
  func isConnected(
    _ label: String, with others: [String], in select: Select, includesCross: Bool = false
  ) -> Bool {
    var groups = select.conditions.map { Set(columns(in: $0.span).map(\.label)) }
    for (index, source) in select.sources.enumerated() where index > 0 {
      if source.isConnected || includesCross && source.isCross {
        groups.append([source.label, select.sources[index - 1].label])
      }
    }
    var reached: Set<String> = [label]
    while let index = groups.firstIndex(where: { !$0.isDisjoint(with: reached) }) {
      reached.formUnion(groups.remove(at: index))
    }
    return others.contains(where: reached.contains)
  }
}

extension BinaryExpression.Operator {
  fileprivate var isEquality: Bool {
    switch self {
    case .equal, .is, .isNotDistinctFrom: true
    default: false
    }
  }

  fileprivate var isComparison: Bool {
    switch self {
    case .less, .lessOrEqual, .greater, .greaterOrEqual: true
    default: isEquality
    }
  }
}

extension Expression {
  /// Indicates whether the expression computes a value: a call, a cast or an operation.
  fileprivate var isComputation: Bool {
    switch self {
    case .function(let node): node.over == nil && node.filter == nil
    case .cast, .unary: true
    case .binary(let node):
      switch node.op {
      case .add, .subtract, .multiply, .divide, .remainder, .concatenate, .extractJSON,
        .extractValue, .bitAnd, .bitOr, .shiftLeft, .shiftRight:
        true
      default: false
      }
    default: false
    }
  }
}
