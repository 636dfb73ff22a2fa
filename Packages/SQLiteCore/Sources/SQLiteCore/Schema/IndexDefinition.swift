internal import Primitives

/// A `CREATE INDEX` taken apart: the expressions, which SQLite's PRAGMAs don't tell.
struct IndexDefinition {
  let table: String
  /// The key's parts as written, but for `ASC` and `DESC`.
  private(set) var keys: [String] = []
  private(set) var whereSQL: String?
  let isUnique: Bool

  init?(_ sql: String) {
    guard let create = CreateStatement(sql), create.kind == .index,
      create.tokens.is(create.start, "ON"), create.tokens.is(create.start + 2, "(")
    else { return nil }
    let tokens = create.tokens
    isUnique = create.isUnique
    table = tokens.name(create.start + 1)
    let open = create.start + 2
    let close = tokens.endOfParentheses(from: open)
    keys = tokens.separated(open + 1..<max(open + 1, close - 1)).map { item in
      // Alone, such a word is the name of a column.
      let last = item.dropFirst().last
      let isOrdered = last.map { tokens.is($0, "ASC") || tokens.is($0, "DESC") } ?? false
      return tokens.text(isOrdered ? item.dropLast() : item)
    }
    if tokens.is(close, "WHERE") { whereSQL = tokens.text(close + 1..<create.end) }
  }
}
