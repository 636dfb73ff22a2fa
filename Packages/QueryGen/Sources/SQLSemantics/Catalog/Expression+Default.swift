public import SQLSyntax

extension Expression {
  /// Indicates whether SQLite accepts the expression as a default value: it contains no column and
  /// no subquery.
  var isConstantDefault: Bool {
    switch self {
    case .literal, .raise: true
    case .parameter: true
    case .column(let node): node.booleanValue != nil
    case .exists, .subquery: false
    case .function(let node) where node.over != nil || node.filter != nil: false
    case .in(let node):
      if case .list(let list) = node.source {
        node.operand.isConstantDefault && list.allSatisfy(\.isConstantDefault)
      } else {
        false
      }
    default: children.allSatisfy(\.isConstantDefault)
    }
  }

  /// Returns the first called function that is not a scalar function of SQLite.
  func unknownFunction(in functions: FunctionCatalog) -> String? {
    if case .function(let node) = self {
      let count = node.arguments.expressions.count
      guard
        case .found(let function) = functions.find(
          NameKey(node.name.text), argumentCount: count), function.kind == .scalar
      else { return node.name.text }
    }
    for child in children {
      if let name = child.unknownFunction(in: functions) { return name }
    }
    return nil
  }

  /// The span of the first parameter in the expression.
  var firstParameter: ByteSpan? {
    if case .parameter(let node) = self { return node.span }
    for child in children {
      if let place = child.firstParameter { return place }
    }
    return nil
  }

  /// The direct subexpressions, excluding those inside subqueries.
  public var children: [Expression] {
    switch self {
    case .literal, .parameter, .column, .exists, .subquery: []
    case .raise(let node):
      if case .expression(let message) = node.action.message { [message] } else { [] }
    case .unary(let node): [node.operand]
    case .binary(let node): [node.left, node.right]
    case .collate(let node): [node.operand]
    case .match(let node): [node.operand, node.pattern] + (node.escape.map { [$0] } ?? [])
    case .nullTest(let node): [node.operand]
    case .between(let node): [node.operand, node.low, node.high]
    case .in(let node):
      switch node.source {
      case .list(let list), .function(_, let list): [node.operand] + list
      case .select, .table, .parameter: [node.operand]
      }
    case .case(let node):
      (node.base.map { [$0] } ?? []) + node.branches.flatMap { [$0.condition, $0.result] }
        + (node.otherwise.map { [$0] } ?? [])
    case .cast(let node): [node.operand]
    case .function(let node):
      node.arguments.expressions + node.orderBy.map(\.expression)
        + (node.filter.map { [$0] } ?? []) + (node.over?.expressions ?? [])
    case .row(let node): node.elements
    case .parenthesized(let node): [node.inner]
    }
  }
}

extension OverClause {
  fileprivate var expressions: [Expression] {
    switch self {
    case .named: []
    case .specification(let window): window.expressions
    }
  }
}

extension WindowSpecification {
  /// The terms of the window.
  var expressions: [Expression] { partitionBy + orderBy.map(\.expression) }
}

extension DefaultValue {
  /// Indicates whether the value is `NULL`, with or without parentheses.
  var isNull: Bool {
    switch self {
    case .literal(let expression), .expression(let expression):
      if case .literal(let node) = expression.unparenthesized { node.value == .null } else { false }
    case .identifier: false
    }
  }

  /// Indicates whether SQLite treats the value as computed, which is any value other than a literal
  /// with signs and casts.
  var isComputed: Bool {
    switch self {
    case .literal(let expression), .expression(let expression): expression.isComputed
    case .identifier: false
    }
  }
}

extension Expression {
  fileprivate var isComputed: Bool {
    switch unparenthesized {
    case .literal(let node):
      [.currentTime, .currentDate, .currentTimestamp].contains(node.value)
    case .unary(let node): [.bitNot, .not].contains(node.op) || node.operand.isComputed
    case .cast(let node): node.operand.isComputed
    case .column: false
    default: true
    }
  }
}
