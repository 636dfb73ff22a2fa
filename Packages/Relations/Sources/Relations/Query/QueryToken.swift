internal import Primitives

/// A piece of SQL that a query's text is made of.
struct QueryToken: Hashable, Sendable {
  enum Kind: Hashable, Sendable {
    /// A name or a keyword as it is written.
    case word(String)
    /// A name in quotes, without them.
    case quoted(String)
    /// A text, without its quotes.
    case text(String)
    case number(String)
    /// `?` or `?7`; `nil` for the first, and zero for one that has a name.
    case parameter(Int?)
    /// An operator, a punctuation mark, or bytes that are not SQL.
    case symbol(String)
  }

  let kind: Kind
  /// How many parentheses are around it.
  let depth: Int
  /// Its bytes.
  let range: Range<Int>

  /// The keyword that it may be, in capitals.
  var word: String? {
    guard case .word(let word) = kind else { return nil }
    return word.uppercased()
  }

  func isWord(_ keyword: String) -> Bool { word == keyword }

  /// The name that it may be.
  var name: String? {
    switch kind {
    case .word(let name), .quoted(let name): name
    default: nil
    }
  }

  /// The tokens of a text, and whether it ends within a comment or between quotes.
  static func all(in sql: String) -> (tokens: [QueryToken], isOpen: Bool) {
    let source = SQLTokens(sql)
    var depth = 0
    let tokens = source.tokens.enumerated().map { index, token in
      let outer = depth
      if source.is(index, "(") { depth += 1 }
      if source.is(index, ")") { depth -= 1 }
      // Both parentheses of a pair are outside of it.
      return QueryToken(
        kind: kind(index, of: source), depth: Swift.min(outer, depth), range: token.range)
    }
    return (tokens, source.isOpen)
  }

  private static func kind(_ index: Int, of source: SQLTokens) -> Kind {
    let text = source.text(index)
    switch source.kind(index) {
    case .word: return .word(text)
    case .quotedName: return .quoted(source.name(index))
    case .string: return .text(source.name(index))
    case .number: return .number(text)
    case .parameter where text == "?": return .parameter(nil)
    case .parameter: return .parameter(text.hasPrefix("?") ? Int(text.dropFirst()) ?? 0 : 0)
    default: return .symbol(text)
    }
  }
}
