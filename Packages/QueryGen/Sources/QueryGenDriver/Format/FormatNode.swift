internal import SQLSyntax

/// Tokens with what stands between brackets put together: `(…)` and `CASE … END`.
indirect enum FormatNode {
  case token(Int)
  /// The brackets' tokens, and what is between them.
  case brackets(Int, [FormatNode], Int)
  case choice(Int, [FormatNode], Int)

  /// The first of its tokens.
  var first: Int {
    switch self {
    case .token(let index), .brackets(let index, _, _), .choice(let index, _, _): index
    }
  }

  /// The last of its tokens.
  var last: Int {
    switch self {
    case .token(let index), .brackets(_, _, let index), .choice(_, _, let index): index
    }
  }

  /// The nodes of a range of tokens of a statement that was parsed, so that brackets are in pairs.
  static func nodes(_ range: Range<Int>, of tokens: FormatTokens) -> [FormatNode] {
    var levels: [(open: Int, nodes: [FormatNode])] = [(range.lowerBound, [])]
    var index = range.lowerBound
    while index < range.upperBound {
      defer { index += 1 }
      if let kept = tokens.verbatim[index] {
        levels[levels.count - 1].nodes.append(.token(index))
        index = kept.upperBound - 1
        continue
      }
      switch tokens.kind(index) {
      case .leftParenthesis, .case: levels.append((index, []))
      case .rightParenthesis where levels.count > 1:
        let level = levels.removeLast()
        levels[levels.count - 1].nodes.append(.brackets(level.open, level.nodes, index))
      case .end where levels.count > 1 && tokens.kind(levels[levels.count - 1].open) == .case:
        let level = levels.removeLast()
        levels[levels.count - 1].nodes.append(.choice(level.open, level.nodes, index))
      default: levels[levels.count - 1].nodes.append(.token(index))
      }
    }
    // What is left open stays in a row.
    while levels.count > 1 {
      let level = levels.removeLast()
      levels[levels.count - 1].nodes += [.token(level.open)] + level.nodes
    }
    return levels[0].nodes
  }
}
