internal import Primitives
internal import SQLSyntax

/// The tokens of a text with their comments, ready for layout.
struct FormatTokens {
  /// A comment, and the number of line endings before and after it, at most two.
  struct Comment {
    var bytes: [UInt8]
    var isLine: Bool
    var linesBefore: Int
    var linesAfter: Int
  }

  private let source: SourceText
  private let keywords: FormatOptions.KeywordCase
  let tokens: [Token]
  let parts: [ParsedTokens.Part]
  /// The comments after a token on the same line, by token.
  private var trailing: [Int: [Comment]] = [:]
  /// The comments before a token, by token.
  private var leading: [Int: [Comment]] = [:]
  /// The ranges of tokens that are copied unchanged, by their first token.
  private(set) var verbatim: [Int: Range<Int>] = [:]
  /// The tokens that are keywords of a query's header, but not of SQL.
  private var headerWords: Set<Int> = []

  init(_ source: SourceText, _ parsed: ParsedTokens, _ options: FormatOptions) {
    self.source = source
    keywords = options.keywords
    tokens = parsed.tokens
    parts = parsed.parts
    for part in parts {
      if part.header.count == 4 { headerWords.insert(part.header.lowerBound) }
      if case .createVirtualTable(let node) = part.statements.first {
        keepArguments(of: node, in: part.tokens)
      }
    }
    attach(parsed.comments)
  }

  /// Keeps a module's arguments unchanged, including white space and comments, which the module
  /// interprets.
  private mutating func keepArguments(of node: CreateVirtualTable, in range: Range<Int>) {
    var index = range.lowerBound
    for argument in node.arguments ?? [] {
      while index < range.upperBound, tokens[index].span.start < argument.span.start { index += 1 }
      let first = index
      while index < range.upperBound, tokens[index].span.end <= argument.span.end { index += 1 }
      if first < index { verbatim[first] = first..<index }
    }
  }

  private mutating func attach(_ comments: [ByteSpan]) {
    let kept = verbatim.values.map {
      (tokens[$0.lowerBound].span.start, tokens[$0.upperBound - 1].span.end)
    }
    .sorted { $0.0 < $1.0 }
    var keptIndex = 0
    var next = 0
    var previousEnd = 0
    for (number, span) in comments.enumerated() {
      while next < tokens.count - 1, tokens[next].span.start < span.start { next += 1 }
      while keptIndex < kept.count, kept[keptIndex].1 <= span.start { keptIndex += 1 }
      if keptIndex < kept.count, kept[keptIndex].0 <= span.start { continue }
      let tokenEnd = next > 0 ? tokens[next - 1].span.end.value : 0
      let before = max(tokenEnd, previousEnd)
      let following =
        number + 1 < comments.count
        ? min(comments[number + 1].start, tokens[next].span.start)
        : tokens[next].span.start
      previousEnd = span.end.value
      let comment = Comment(
        bytes: text(of: span), isLine: source.bytes[span.start.value] == UInt8(ascii: "-"),
        linesBefore: before == 0 ? 1 : lineEnds(in: before..<span.start.value),
        linesAfter: lineEnds(in: span.end.value..<following.value))
      if comment.linesBefore == 0, next > 0, leading[next] == nil {
        trailing[next - 1, default: []].append(comment)
      } else {
        leading[next, default: []].append(comment)
      }
    }
  }

  /// A comment's bytes without trailing white space.
  private func text(of span: ByteSpan) -> [UInt8] {
    var bytes = Array(source.bytes[span.range])
    while let last = bytes.last, [32, 9, 13, 10, 12].contains(last) { bytes.removeLast() }
    return bytes
  }

  /// The number of line endings in a range, at most two.
  func lineEnds(in range: Range<Int>) -> Int {
    min(2, source.bytes[range].count { $0 == 10 })
  }

  /// The number of line endings between the previous token and this one or its comments, at most
  /// two.
  func lineEnds(before index: Int) -> Int {
    guard index > 0 else { return 0 }
    return lineEnds(in: tokens[index - 1].span.end.value..<firstPlace(of: index))
  }

  private func firstPlace(of index: Int) -> Int {
    let from = tokens[index - 1].span.end.value
    let until = tokens[index].span.start.value
    var position = from
    while position < until, [32, 9, 10, 12, 13].contains(source.bytes[position]) { position += 1 }
    return position
  }

  // MARK: Documents

  /// The kind of a token, or `endOfText` after the last one.
  func kind(_ index: Int) -> TokenKind {
    index < tokens.count ? tokens[index].kind : .endOfText
  }

  /// A token with its comments.
  func document(of index: Int) -> Document {
    let last = verbatim[index].map { $0.upperBound - 1 } ?? index
    var parts = comments(before: index)
    if index < tokens.count - 1 { parts.append(.text(bytes(index, through: last))) }
    for comment in trailing[last] ?? [] {
      parts.append(.space)
      parts.append(.comment(comment.bytes, endsLine: comment.isLine || comment.linesAfter > 0))
    }
    return parts.count == 1 ? parts[0] : .sequence(parts)
  }

  private func comments(before index: Int) -> [Document] {
    var parts: [Document] = []
    for comment in leading[index] ?? [] {
      if comment.linesBefore > 0 {
        parts.append(.freshLine(leavesBlankLine: comment.linesBefore > 1))
      } else {
        parts.append(.space)
      }
      parts.append(.comment(comment.bytes, endsLine: comment.isLine || comment.linesAfter > 0))
      if comment.linesAfter > 1 {
        parts.append(.freshLine(leavesBlankLine: true))
      } else if comment.linesAfter == 0, !comment.isLine {
        parts.append(.space)
      }
    }
    return parts
  }

  private func bytes(_ index: Int, through last: Int) -> [UInt8] {
    let bytes = Array(
      source.bytes[tokens[index].span.start.value..<tokens[last].span.end.value])
    guard verbatim[index] == nil, tokens[index].kind.isKeyword || headerWords.contains(index)
    else { return bytes }
    switch keywords {
    case .keep: return bytes
    case .upper: return bytes.map { $0 >= 97 && $0 <= 122 ? $0 & 0xDF : $0 }
    case .lower: return bytes.map(\.asciiLowercased)
    }
  }
}

/// A token, or a group of nodes: `(…)` or `CASE … END`.
indirect enum FormatNode {
  case token(Int)
  /// The tokens of the parentheses, and the nodes between them.
  case parenthesizedGroup(Int, [FormatNode], Int)
  case caseExpression(Int, [FormatNode], Int)

  /// The node's first token.
  var first: Int {
    switch self {
    case .token(let index), .parenthesizedGroup(let index, _, _), .caseExpression(let index, _, _):
      index
    }
  }

  /// The node's last token.
  var last: Int {
    switch self {
    case .token(let index), .parenthesizedGroup(_, _, let index), .caseExpression(_, _, let index):
      index
    }
  }

  /// Returns the nodes of a range of tokens. Parentheses are balanced if the statement was parsed.
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
        levels[levels.count - 1].nodes.append(.parenthesizedGroup(level.open, level.nodes, index))
      case .end where levels.count > 1 && tokens.kind(levels[levels.count - 1].open) == .case:
        let level = levels.removeLast()
        levels[levels.count - 1].nodes.append(.caseExpression(level.open, level.nodes, index))
      default: levels[levels.count - 1].nodes.append(.token(index))
      }
    }
    // Unclosed groups are flattened.
    while levels.count > 1 {
      let level = levels.removeLast()
      levels[levels.count - 1].nodes += [.token(level.open)] + level.nodes
    }
    return levels[0].nodes
  }
}
