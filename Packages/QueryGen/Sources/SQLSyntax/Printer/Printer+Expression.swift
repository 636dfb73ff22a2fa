extension Printer {
  /// Writes an expression. Operator chains are processed iteratively rather than recursively.
  mutating func write(_ expression: Expression) {
    var chain: [Expression] = []
    var innermost = expression
    while let left = Self.leftOperand(of: innermost) {
      chain.append(innermost)
      innermost = left
    }
    writePrimary(innermost)
    for node in chain.reversed() { writeAfterLeftOperand(node) }
  }

  private static func leftOperand(of expression: Expression) -> Expression? {
    switch expression {
    case .binary(let node): node.left
    case .collate(let node): node.operand
    case .match(let node): node.operand
    case .nullTest(let node): node.operand
    case .between(let node): node.operand
    case .in(let node): node.operand
    default: nil
    }
  }

  private mutating func writeAfterLeftOperand(_ expression: Expression) {
    switch expression {
    case .binary(let node):
      write(" \(node.op.rawValue) ")
      write(node.right)
    case .collate(let node):
      write(" COLLATE ")
      write(node.collation)
    case .match(let node):
      write(node.isNegated ? " NOT \(node.op.rawValue) " : " \(node.op.rawValue) ")
      write(node.pattern)
      if let escape = node.escape {
        write(" ESCAPE ")
        write(escape)
      }
    case .nullTest(let node):
      write(node.isNegated ? " NOTNULL" : " ISNULL")
    case .between(let node):
      write(node.isNegated ? " NOT BETWEEN " : " BETWEEN ")
      write(node.low)
      write(" AND ")
      write(node.high)
    case .in(let node):
      write(node.isNegated ? " NOT IN " : " IN ")
      write(node.source)
    default:
      break
    }
  }

  private mutating func write(_ source: InExpression.Source) {
    switch source {
    case .list(let list):
      write("(")
      write(list)
      write(")")
    case .select(let select):
      write("(")
      write(select)
      write(")")
    case .table(let name):
      write(name)
    case .function(let name, let arguments):
      write(name)
      write("(")
      write(arguments)
      write(")")
    case .parameter(let parameter):
      write(parameter)
    }
  }

  private mutating func writePrimary(_ expression: Expression) {
    switch expression {
    case .literal(let node): write(node.value)
    case .parameter(let node): write(node)
    case .column(let node): write(node)
    case .unary(let node): write(node)
    case .case(let node): write(node)
    case .function(let node): write(node)
    case .raise(let node): write(node)
    case .cast(let node):
      write("CAST(")
      write(node.operand)
      write(" AS ")
      if let type = node.type { write(type) }
      write(")")
    case .exists(let node):
      write("EXISTS (")
      write(node.select)
      write(")")
    case .subquery(let node):
      write("(")
      write(node.select)
      write(")")
    case .row(let node):
      write("(")
      write(node.elements)
      write(")")
    case .parenthesized(let node):
      write("(")
      write(node.inner)
      write(")")
    case .binary, .collate, .match, .nullTest, .between, .in:
      break  // These have a left operand, so they are never innermost.
    }
  }

  private mutating func write(_ node: UnaryExpression) {
    // The space keeps `- -x` from becoming a comment.
    write(node.op.rawValue, if: node.op == .not || Self.beginsWithSign(node.operand))
    if node.op != .not, !Self.beginsWithSign(node.operand) { write(node.op.rawValue) }
    write(node.operand)
  }

  private static func beginsWithSign(_ expression: Expression) -> Bool {
    if case .unary(let node) = expression { node.op != .not } else { false }
  }

  private mutating func write(_ node: ColumnReference) {
    if let schema = node.schema {
      write(schema)
      write(".")
    }
    if let table = node.table {
      write(table)
      write(".")
    }
    write(node.column)
  }

  private mutating func write(_ parameter: Parameter) {
    switch parameter.kind {
    case .anonymous: write("?")
    case .numbered(let number): write("?\(number)")
    case .named(let name): write(name)
    }
  }

  mutating func write(_ literal: Literal) {
    switch literal {
    case .null: write("NULL")
    case .integer(let digits), .real(let digits): write(digits)
    case .string(let content): writeQuoted(content, "'")
    case .blob(let bytes):
      write("x'")
      for byte in bytes {
        let digits = String(byte, radix: 16, uppercase: true)
        write(byte < 16 ? "0" + digits : digits)
      }
      write("'")
    case .currentTime: write("CURRENT_TIME")
    case .currentDate: write("CURRENT_DATE")
    case .currentTimestamp: write("CURRENT_TIMESTAMP")
    }
  }

  private mutating func write(_ node: CaseExpression) {
    write("CASE ")
    if let base = node.base {
      write(base)
      write(" ")
    }
    for branch in node.branches {
      write("WHEN ")
      write(branch.condition)
      write(" THEN ")
      write(branch.result)
      write(" ")
    }
    if let otherwise = node.otherwise {
      write("ELSE ")
      write(otherwise)
      write(" ")
    }
    write("END")
  }

  private mutating func write(_ node: RaiseExpression) {
    switch node.action {
    case .ignore: write("RAISE(IGNORE")
    case .rollback: write("RAISE(ROLLBACK, ")
    case .abort: write("RAISE(ABORT, ")
    case .fail: write("RAISE(FAIL, ")
    }
    switch node.action.message {
    case .name(let name): write(name)
    case .expression(let expression): write(expression)
    case nil: break
    }
    write(")")
  }
}
