internal import QueryModel
internal import SQLSyntax

extension Table {
  /// Notes which texts the `CHECK` constraints allow in each column.
  mutating func noteAllowedTexts(_ node: SQLSyntax.TableDefinition) {
    for constraint in node.columns.flatMap(\.constraints) {
      if case .check(let expression) = constraint.kind { note(expression) }
    }
    for constraint in node.constraints {
      if case .check(let expression, _) = constraint.kind { note(expression) }
    }
  }

  private mutating func note(_ expression: Expression) {
    for condition in expression.operands(of: .and) {
      guard let allowed = AllowedTexts(condition),
        let column = index(of: allowed.column), columns[column].type == .text,
        // Other collations let through what is spelled otherwise.
        NameKey(columns[column].collation) == "binary", columns[column].allowedTexts.isEmpty
      else { continue }
      columns[column].allowedTexts = allowed.texts
    }
  }

  /// Takes over what comments said of the columns, whose text is written anew.
  mutating func adoptNotes(of old: Table) {
    for (index, column) in columns.enumerated() {
      let isSame = old.columns.count == columns.count
      let from = old.index(of: column.key) ?? (isSame ? index : nil)
      guard let from else { continue }
      columns[index].annotation = old.columns[from].annotation
      columns[index].documentation = old.columns[from].documentation
    }
  }
}

/// The texts that one condition allows in one column, besides `NULL`.
private struct AllowedTexts {
  let column: NameKey
  private(set) var texts: [String] = []

  /// Reads `x IN ('a', 'b')`, `x = 'a'`, and several such joined by `OR`, perhaps with `x IS NULL`.
  init?(_ condition: Expression) {
    var column: NameKey?
    var texts: [String] = []
    for part in condition.operands(of: .or) {
      guard let found = part.equalTexts, column == nil || column == found.column else { return nil }
      column = found.column
      for text in found.texts where !texts.contains(text) { texts.append(text) }
    }
    guard let column, !texts.isEmpty else { return nil }
    self.column = column
    self.texts = texts
  }
}

extension Expression {
  /// What the operator joins, through parentheses; the expression itself where it joins nothing.
  fileprivate func operands(of op: BinaryExpression.Operator) -> [Expression] {
    var result: [Expression] = []
    var rest = [self]
    while let next = rest.popLast()?.unparenthesized {
      if case .binary(let node) = next, node.op == op {
        rest.append(node.right)
        rest.append(node.left)
      } else {
        result.append(next)
      }
    }
    return result
  }

  /// The texts that a column is compared with, by `IN` or `=`; none for `IS NULL`.
  fileprivate var equalTexts: (column: NameKey, texts: [String])? {
    switch self {
    case .in(let node) where !node.isNegated:
      guard case .list(let list) = node.source, let column = node.operand.columnName else {
        return nil
      }
      let texts = list.compactMap(\.text)
      return texts.count == list.count ? (column, texts) : nil
    case .nullTest(let node) where !node.isNegated:
      return node.operand.columnName.map { ($0, []) }
    case .binary(let node) where node.op == .equal || node.op == .is:
      if let column = node.left.columnName {
        if node.right.isNull { return (column, []) }
        return node.right.text.map { (column, [$0]) }
      }
      guard let column = node.right.columnName else { return nil }
      return node.left.text.map { (column, [$0]) }
    default: return nil
    }
  }

  private var columnName: NameKey? {
    guard case .column(let node) = unparenthesized else { return nil }
    return NameKey(node.column.text)
  }

  private var text: String? {
    guard case .literal(let node) = unparenthesized, case .string(let text) = node.value else {
      return nil
    }
    return text
  }

  private var isNull: Bool {
    guard case .literal(let node) = unparenthesized else { return false }
    return node.value == .null
  }
}
