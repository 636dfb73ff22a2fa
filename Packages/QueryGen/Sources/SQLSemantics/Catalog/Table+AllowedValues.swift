internal import QueryModel
internal import SQLSyntax

extension Table {
  /// Records the values that `CHECK` constraints allow in each column.
  mutating func recordAllowedValues(_ node: SQLSyntax.TableDefinition) {
    for column in node.columns { recordAllowedValues(column) }
    for constraint in node.constraints {
      if case .check(let expression, _) = constraint.kind { record(expression) }
    }
  }

  /// Records the values that the `CHECK` constraints of a column's definition allow.
  mutating func recordAllowedValues(_ node: SQLSyntax.ColumnDefinition) {
    for constraint in node.constraints {
      if case .check(let expression) = constraint.kind { record(expression) }
    }
  }

  private mutating func record(_ expression: Expression) {
    for condition in expression.operands(of: .and) {
      guard let allowed = AllowedLiterals(condition), let column = index(of: allowed.column),
        columns[column].allowed == nil, let values = allowed.values(for: columns[column])
      else { continue }
      columns[column].allowed = AllowedValues(values)
    }
  }

  /// Copies the contents of the column comments from the previous version of the table, after its
  /// text was rewritten.
  mutating func copyColumnComments(of old: Table) {
    let places = Dictionary(
      old.columns.enumerated().map { ($1.key, $0) }, uniquingKeysWith: { first, _ in first })
    for (index, column) in columns.enumerated() {
      let isSame = old.columns.count == columns.count
      let from = places[column.key] ?? (isSame ? index : nil)
      guard let from else { continue }
      columns[index].annotation = old.columns[from].annotation
      columns[index].documentation = old.columns[from].documentation
      if columns[index].allowed?.count == old.columns[from].allowed?.count {
        columns[index].allowed?.names = old.columns[from].allowed?.names ?? []
      }
    }
  }
}

/// The values other than `NULL` that a condition allows in one column.
private struct AllowedLiterals {
  let column: NameKey
  private var literals: [TypedExpression.Literal] = []

  /// Reads `x IN ('a', 'b')` or `x = 'a'`, or several of these combined by `OR`, optionally with
  /// `x IS NULL`.
  init?(_ condition: Expression) {
    var column: NameKey?
    var literals: [TypedExpression.Literal] = []
    for part in condition.operands(of: .or) {
      guard let found = part.equalLiterals, column == nil || column == found.column else {
        return nil
      }
      column = found.column
      for literal in found.literals where !literals.contains(literal) { literals.append(literal) }
    }
    guard let column, !literals.isEmpty else { return nil }
    self.column = column
    self.literals = literals
  }

  /// Returns the values if the column's type and collation allow no others.
  func values(for column: Column) -> AllowedValues.Values? {
    switch column.type {
    case .text:
      let texts = literals.compactMap { if case .text(let text) = $0 { text } else { nil } }
      // Other collations also allow other spellings.
      guard texts.count == literals.count, NameKey(column.collation) == "binary" else {
        return nil
      }
      return .texts(texts)
    case .integer:
      let integers = literals.compactMap {
        if case .integer(let integer) = $0 { integer } else { nil }
      }
      return integers.count == literals.count ? .integers(integers) : nil
    default: return nil
    }
  }
}

extension Expression {
  /// Returns the operands of a chain of `op`, ignoring parentheses, or the expression itself if it
  /// is no such chain.
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

  /// The literals to which a column is compared by `IN` or `=`. Empty for `IS NULL`.
  fileprivate var equalLiterals: (column: NameKey, literals: [TypedExpression.Literal])? {
    switch self {
    case .in(let node) where !node.isNegated:
      guard case .list(let list) = node.source, let column = node.operand.columnName else {
        return nil
      }
      let literals = list.compactMap(\.textOrInteger)
      return literals.count == list.count ? (column, literals) : nil
    case .nullTest(let node) where !node.isNegated:
      return node.operand.columnName.map { ($0, []) }
    case .binary(let node) where node.op == .equal || node.op == .is:
      if let column = node.left.columnName {
        if node.right.isNull { return (column, []) }
        return node.right.textOrInteger.map { (column, [$0]) }
      }
      guard let column = node.right.columnName else { return nil }
      return node.left.textOrInteger.map { (column, [$0]) }
    default: return nil
    }
  }

  private var columnName: NameKey? {
    guard case .column(let node) = unparenthesized else { return nil }
    return NameKey(node.column.text)
  }

  private var textOrInteger: TypedExpression.Literal? {
    switch unparenthesized {
    case .literal(let node):
      if case .string(let text) = node.value { return .text(text) }
      return node.value.integerValue.map { .integer($0) }
    case .unary(let node) where node.op == .minus || node.op == .plus:
      guard case .literal(let literal) = node.operand.unparenthesized,
        let value = literal.value.integerValue
      else { return nil }
      return .integer(node.op == .minus ? 0 &- value : value)
    default: return nil
    }
  }

  private var isNull: Bool {
    guard case .literal(let node) = unparenthesized else { return false }
    return node.value == .null
  }
}
