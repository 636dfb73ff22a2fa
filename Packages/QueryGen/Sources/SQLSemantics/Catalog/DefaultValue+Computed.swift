internal import SQLSyntax

extension DefaultValue {
  /// Whether the value is `NULL`, in parentheses or not.
  var isNull: Bool {
    switch self {
    case .literal(let expression), .expression(let expression):
      if case .literal(let node) = expression.unparenthesized { node.value == .null } else { false }
    case .identifier: false
    }
  }

  /// Whether SQLite takes the value for one that has to be computed: all but a literal with signs
  /// and casts.
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
