internal import SQLSyntax

/// Creates the layout of statements, with one clause per line if a statement does not fit on one.
struct StatementLayout {
  let tokens: FormatTokens

  /// The context of a row of nodes.
  enum Context {
    /// A statement with clauses, or a subquery.
    case query
    /// A window definition.
    case window
    /// Anything else.
    case list
  }

  func document(of part: ParsedTokens.Part) -> Document {
    if tokens.tokens.startsBlock(at: part.tokens.lowerBound) { return block(part.tokens) }
    switch part.statements.first {
    case .createTrigger: return trigger(part.tokens)
    case .createTable(let node):
      guard case .definition = node.body else { break }
      return table(part.tokens)
    case .select, .insert, .update, .delete, .explain, .createView, .createIndex: break
    default: return .grouped(row(FormatNode.nodes(part.tokens, of: tokens)))
    }
    return clauses(FormatNode.nodes(part.tokens, of: tokens), .query)
  }

  /// `CREATE TABLE name (…)`, with one column per line if there are several.
  private func table(_ range: Range<Int>) -> Document {
    let nodes = FormatNode.nodes(range, of: tokens)
    var parts: [Document] = []
    for (index, node) in nodes.enumerated() {
      if index > 0 { parts.append(separator(nodes[index - 1], node, isName: index < 6)) }
      guard case .parenthesizedGroup(let open, let inner, let close) = node else {
        parts.append(document(of: node))
        continue
      }
      let elements = split(inner)
      guard elements.count > 1 else {
        parts.append(document(of: node))
        continue
      }
      var list: [Document] = []
      for element in elements {
        list += [.hardLine, .grouped(row(element.nodes, hangs: true))]
        if let comma = element.comma { list.append(tokens.document(of: comma)) }
      }
      parts += [
        tokens.document(of: open), .nested(.sequence(list)), .hardLine, tokens.document(of: close),
      ]
    }
    return .sequence(parts)
  }

  /// `CREATE TRIGGER … BEGIN …; END`, with one statement per line.
  private func trigger(_ range: Range<Int>) -> Document {
    guard let begin = range.first(where: { tokens.kind($0) == .begin }),
      begin < range.upperBound - 1
    else { return .grouped(row(FormatNode.nodes(range, of: tokens))) }
    let head = Document.grouped(row(FormatNode.nodes(range.lowerBound..<begin, of: tokens)))
    return .sequence([
      .grouped(.sequence([head, .line, tokens.document(of: begin)])),
      body(begin..<range.upperBound),
    ])
  }

  /// `BEGIN …; END`, with one statement per line.
  private func block(_ range: Range<Int>) -> Document {
    .sequence([tokens.document(of: range.lowerBound), body(range)])
  }

  /// The statements after `BEGIN`, and `END`.
  private func body(_ range: Range<Int>) -> Document {
    let begin = range.lowerBound
    let end = range.upperBound - 1
    var body: [Document] = []
    var start = begin + 1
    for index in begin + 1..<end where tokens.kind(index) == .semicolon {
      body.append(.hardLine)
      if start > begin + 1, tokens.lineEnds(before: start) > 1 {
        body.append(.freshLine(leavesBlankLine: true))
      }
      if start < index { body.append(clauses(FormatNode.nodes(start..<index, of: tokens), .query)) }
      body.append(tokens.document(of: index))
      start = index + 1
    }
    if start < end { body += [.hardLine, row(FormatNode.nodes(start..<end, of: tokens))] }
    return .sequence([.nested(.sequence(body)), .hardLine, tokens.document(of: end)])
  }

  /// Clauses, one per line if they do not fit on one.
  func clauses(_ nodes: [FormatNode], _ context: Context) -> Document {
    var starts: [Int] = []
    for index in nodes.indices where index == 0 || isClauseStart(index, nodes, context) {
      starts.append(index)
    }
    var parts: [Document] = []
    for (number, start) in starts.enumerated() {
      let end = number + 1 < starts.count ? starts[number + 1] : nodes.count
      if number > 0 { parts.append(.line) }
      parts.append(clause(Array(nodes[start..<end])))
    }
    return .grouped(.sequence(parts))
  }

  private func clause(_ nodes: [FormatNode]) -> Document {
    let head = headLength(nodes)
    guard head > 0, head < nodes.count else {
      return .grouped(row(nodes, breaksBeforeOn: true, hangs: true))
    }
    let words = Document.sequence(
      nodes[..<head].enumerated().flatMap { index, node in
        (index > 0 ? [Document.space] : []) + [document(of: node)]
      })
    let elements = split(Array(nodes[head...]))
    // The query of a `WITH`, and a single group in parentheses, stay on the keyword's line.
    let hugs: Bool
    if tokens.kind(nodes[0].first) == .with {
      hugs = true
    } else if elements.count == 1, elements[0].nodes.count == 1,
      case .parenthesizedGroup = elements[0].nodes[0]
    {
      hugs = true
    } else {
      hugs = false
    }
    var list: [Document] = []
    for (index, element) in elements.enumerated() {
      if index > 0 { list.append(.line) }
      let inner = row(element.nodes, hangs: elements.count > 1 && !hugs)
      list.append(elements.count > 1 ? .grouped(inner) : inner)
      if let comma = element.comma { list.append(tokens.document(of: comma)) }
    }
    if hugs { return .grouped(.sequence([words, .space] + list)) }
    return .grouped(.sequence([words, .nested(.sequence([.line] + list))]))
  }

  /// Returns the number of keywords at the start of a clause that are followed by a list or a
  /// condition; 0 if the clause is laid out as a row.
  private func headLength(_ nodes: [FormatNode]) -> Int {
    let second = kind(of: nodes, at: 1)
    switch kind(of: nodes, at: 0) {
    case .select: return second == .distinct || second == .all ? 2 : 1
    case .with: return second == .recursive ? 2 : 1
    case .group, .order, .partition: return second == .by ? 2 : 0
    case .from, .where, .having, .set, .values, .returning, .window, .limit: return 1
    default: return 0
    }
  }

  private func isClauseStart(_ index: Int, _ nodes: [FormatNode], _ context: Context) -> Bool {
    guard let kind = kind(of: nodes, at: index) else { return false }
    let before = self.kind(of: nodes, at: index - 1)
    switch (context, kind) {
    case (.window, .partition), (.window, .order), (.window, .rows), (.window, .range),
      (.window, .groups):
      return true
    case (.query, .select), (.query, .where), (.query, .group), (.query, .having),
      (.query, .window), (.query, .order), (.query, .limit), (.query, .union), (.query, .except),
      (.query, .intersect), (.query, .returning):
      return true
    case (.query, .from): return before != .distinct && before != .delete
    case (.query, .values): return before != .default
    case (.query, .set): return before != .update
    case (.query, .on): return self.kind(of: nodes, at: index + 1) == .conflict
    // Only after a `WITH`; elsewhere, these keywords belong to a clause.
    case (.query, .insert), (.query, .update), (.query, .delete), (.query, .replace):
      return before == nil
    case (.query, .join): return !(before?.isJoinKeyword ?? false)
    case (.query, _): return kind.isJoinKeyword && !(before?.isJoinKeyword ?? false)
    default: return false
    }
  }

  /// Returns the kind of a node's token; `nil` for a group, and if there is no such node.
  func kind(of nodes: [FormatNode], at index: Int) -> TokenKind? {
    guard nodes.indices.contains(index), case .token(let token) = nodes[index] else { return nil }
    return tokens.kind(token)
  }
}
