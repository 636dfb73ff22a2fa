import SQLSyntax

/// Returns an expression with square brackets around every operator and its operands, to show how
/// it was parsed.
func shape(of expression: Expression) -> String {
  switch expression {
  case .unary(let node): "[\(node.op.rawValue) \(shape(of: node.operand))]"
  case .binary(let node):
    "[\(shape(of: node.left)) \(node.op.rawValue) \(shape(of: node.right))]"
  case .collate(let node): "[\(shape(of: node.operand)) COLLATE \(node.collation.text)]"
  case .match(let node):
    "[\(shape(of: node.operand)) \(node.isNegated ? "NOT " : "")\(node.op.rawValue) "
      + shape(of: node.pattern)
      + (node.escape.map { " ESCAPE \(shape(of: $0))" } ?? "") + "]"
  case .nullTest(let node):
    "[\(shape(of: node.operand)) \(node.isNegated ? "NOTNULL" : "ISNULL")]"
  case .between(let node):
    "[\(shape(of: node.operand)) \(node.isNegated ? "NOT " : "")BETWEEN "
      + "\(shape(of: node.low)) AND \(shape(of: node.high))]"
  case .in(let node):
    "[\(shape(of: node.operand)) \(node.isNegated ? "NOT " : "")IN …]"
  case .parenthesized(let node): "(\(shape(of: node.inner)))"
  default: Printer.text(of: expression)
  }
}
