internal import SQLSyntax

extension StatementLayout {
  /// Returns nodes in a row, with possible line breaks before `AND`, `OR`, `||` and `ON`, and after
  /// commas. If `hangs` is `true`, the lines after the first are indented by one level.
  func row(
    _ nodes: [FormatNode], breaksBeforeOn: Bool = false, hangs: Bool = false
  ) -> Document {
    var parts: [Document] = []
    var openBetweens = 0
    for (index, node) in nodes.enumerated() {
      if index > 0 {
        var breaks = false
        switch kind(of: nodes, at: index) {
        case .between: openBetweens += 1
        case .and where openBetweens > 0: openBetweens -= 1
        case .and, .or, .concatenate: breaks = true
        case .on, .using: breaks = breaksBeforeOn
        default: break
        }
        if kind(of: nodes, at: index - 1) == .comma { breaks = true }
        // `OR` after `INSERT` and `UPDATE` is not an operator.
        let isTail = kind(of: nodes, at: index) == .or && index == 1
        parts.append(
          breaks && !isTail
            ? .line : separator(nodes[index - 1], node, isName: isNameList(nodes, index)))
      }
      parts.append(document(of: node))
    }
    guard hangs, parts.count > 1 else { return .sequence(parts) }
    return .sequence([parts[0], .nested(.sequence(Array(parts.dropFirst())))])
  }

  func document(of node: FormatNode) -> Document {
    switch node {
    case .token(let index): return tokens.document(of: index)
    case .caseExpression(let open, let inner, let close): return caseExpression(open, inner, close)
    case .parenthesizedGroup(let open, let inner, let close):
      guard !inner.isEmpty else {
        return .sequence([tokens.document(of: open), tokens.document(of: close)])
      }
      let content: Document
      switch context(of: inner, before: open) {
      case .list: content = list(inner)
      case let context: content = clauses(inner, context)
      }
      return .grouped(
        .sequence([
          tokens.document(of: open), .nested(.sequence([.softLine, content])), .softLine,
          tokens.document(of: close),
        ]))
    }
  }

  private func context(of inner: [FormatNode], before open: Int) -> Context {
    switch kind(of: inner, at: 0) {
    case .select, .with, .values: return .query
    case .partition: return .window
    default: break
    }
    guard open > 0 else { return .list }
    if tokens.kind(open - 1) == .over { return .window }
    return .list
  }

  private func list(_ nodes: [FormatNode]) -> Document {
    let elements = split(nodes)
    guard elements.count > 1 else { return row(nodes) }
    var parts: [Document] = []
    for (index, element) in elements.enumerated() {
      if index > 0 { parts.append(.line) }
      parts.append(.grouped(row(element.nodes, hangs: true)))
      if let comma = element.comma { parts.append(tokens.document(of: comma)) }
    }
    return .sequence(parts)
  }

  /// `CASE … END`, with one branch per line if it does not fit on one.
  private func caseExpression(_ open: Int, _ inner: [FormatNode], _ close: Int) -> Document {
    var branches: [[FormatNode]] = [[]]
    for (index, node) in inner.enumerated() {
      let kind = kind(of: inner, at: index)
      if kind == .when || kind == .else { branches.append([]) }
      branches[branches.count - 1].append(node)
    }
    var parts = [tokens.document(of: open)]
    if !branches[0].isEmpty { parts += [.space, row(branches[0])] }
    let lines = branches.dropFirst().flatMap { branch in
      [Document.line, .grouped(row(branch, hangs: true))]
    }
    parts += [.nested(.sequence(lines)), .line, tokens.document(of: close)]
    return .grouped(.sequence(parts))
  }

  /// Returns the elements between commas, each with the comma after it.
  func split(_ nodes: [FormatNode]) -> [(nodes: [FormatNode], comma: Int?)] {
    var elements: [(nodes: [FormatNode], comma: Int?)] = [([], nil)]
    for (index, node) in nodes.enumerated() {
      if kind(of: nodes, at: index) == .comma {
        elements[elements.count - 1].comma = node.first
        elements.append(([], nil))
      } else {
        elements[elements.count - 1].nodes.append(node)
      }
    }
    if elements[elements.count - 1].nodes.isEmpty { elements.removeLast() }
    return elements
  }

  /// Returns whether the parentheses at an index contain the columns of the table named before
  /// them.
  private func isNameList(_ nodes: [FormatNode], _ index: Int) -> Bool {
    var before = index - 2
    // The name may be qualified.
    while before >= 1, kind(of: nodes, at: before) == .dot { before -= 2 }
    switch kind(of: nodes, at: before) {
    case .into, .table, .references, .on, .exists, .view: return true
    default: return false
    }
  }

  /// Returns the separator between two nodes on one line.
  func separator(_ left: FormatNode, _ right: FormatNode, isName: Bool) -> Document {
    let before = tokens.kind(left.last)
    let after = tokens.kind(right.first)
    switch after {
    case .comma, .semicolon, .dot, .colon, .rightParenthesis: return .nothing
    case .leftParenthesis:
      guard case .parenthesizedGroup = right else { return .space }
      if before == .identifier || before == .cast || before == .raise {
        return isName ? .space : .nothing
      }
    default: break
    }
    switch before {
    case .dot, .leftParenthesis, .tilde: return .nothing
    case .minus, .plus:
      // A sign has no space after it, unless another sign follows: `--` begins a comment.
      guard left.last > 0, isSign(left.last), after != .minus, after != .plus else {
        return .space
      }
      return .nothing
    default: return .space
    }
  }

  /// Returns whether a `-` or `+` is a sign rather than an operator.
  private func isSign(_ index: Int) -> Bool {
    switch tokens.kind(index - 1) {
    case .rightParenthesis, .identifier, .integer, .real, .string, .blob, .parameter, .null, .end,
      .currentDate, .currentTime, .currentTimestamp, .arrow, .doubleArrow:
      false
    default: true
    }
  }
}
