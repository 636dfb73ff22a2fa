internal import Observe
internal import Primitives
internal import SQLiteCore

/// The SQL after `SELECT … FROM table`, analyzed to the extent necessary to extend it.
///
/// The text is tokenized as SQLite does: quoted text, comments and parenthesized expressions
/// contain none of its clauses.
struct QueryText: Hashable, Sendable {
  let sql: String
  /// A Boolean value that indicates whether the text has an `ORDER BY` clause.
  let hasOrder: Bool
  let hasLimit: Bool
  /// The reason why the text can't be extended; `nil` if it can.
  let fault: String?
  /// Comparisons that hold for each row that the query selects, if it reads the table only once.
  let comparisons: [QueryComparison]
  /// The place for an additional condition; `nil` if the text groups rows or combines several
  /// queries.
  let conditionPlace: ConditionPlace?

  /// The parts of a text around its condition.
  struct ConditionPlace: Hashable, Sendable {
    /// The text before the condition, such as joins.
    let head: String
    /// The condition; `nil` if there is none.
    let condition: String?
    /// The `ORDER BY` clause and the text after it.
    let tail: String
  }

  init(_ sql: String) {
    self.sql = sql
    let (tokens, isOpen) = QueryToken.all(in: sql)
    let outer = tokens.filter { $0.depth == 0 }
    hasOrder = outer.contains { $0.isWord("ORDER") }
    hasLimit = outer.contains { $0.isWord("LIMIT") }
    fault =
      isOpen
      ? "the query ends within a comment or a string"
      : outer.contains { $0.kind == .symbol(";") } ? "the query has a semicolon" : nil
    comparisons = QueryComparison.all(in: tokens)
    conditionPlace = Self.place(sql, tokens)
  }

  private static func place(_ sql: String, _ tokens: [QueryToken]) -> ConditionPlace? {
    let outer = tokens.filter { $0.depth == 0 }
    let others: Set<String> = [
      "GROUP", "HAVING", "UNION", "INTERSECT", "EXCEPT", "WINDOW", "LIMIT",
    ]
    guard !outer.contains(where: { $0.word.map { others.contains($0) } ?? false }) else {
      return nil
    }
    let bytes = Array(sql.utf8)
    func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }
    let order = outer.first { $0.isWord("ORDER") }?.range.lowerBound ?? bytes.count
    // The additional condition has parameters, which would renumber parameters after it.
    let wouldRenumber = tokens.contains { token in
      if case .parameter = token.kind { return token.range.lowerBound > order }
      return false
    }
    if wouldRenumber { return nil }
    guard let filter = outer.first(where: { $0.isWord("WHERE") }) else {
      return ConditionPlace(
        head: text(0..<order), condition: nil, tail: text(order..<bytes.count))
    }
    return ConditionPlace(
      head: text(0..<filter.range.lowerBound),
      condition: text(filter.range.upperBound..<order), tail: text(order..<bytes.count))
  }
}

/// A token of a query's text.
struct QueryToken: Hashable, Sendable {
  enum Kind: Hashable, Sendable {
    /// A name or keyword, as written.
    case word(String)
    /// A quoted name, without the quotes.
    case quoted(String)
    /// A string literal, without the quotes.
    case text(String)
    case number(String)
    /// `?` or `?7`; `nil` for the former, and zero for a named parameter.
    case parameter(Int?)
    /// An operator, a punctuation mark, or bytes that are not SQL.
    case symbol(String)
  }

  let kind: Kind
  /// The number of enclosing parentheses.
  let depth: Int
  /// The token's byte range.
  let range: Range<Int>

  /// The uppercased word, if the token can be a keyword.
  var word: String? {
    guard case .word(let word) = kind else { return nil }
    return word.uppercased()
  }

  func isWord(_ keyword: String) -> Bool { word == keyword }

  /// The name, if the token can be one.
  var name: String? {
    switch kind {
    case .word(let name), .quoted(let name): name
    default: nil
    }
  }

  /// Returns the tokens of a text, and whether it ends within a comment or a quoted text.
  static func all(in sql: String) -> (tokens: [QueryToken], isOpen: Bool) {
    let source = SQLTokens(sql)
    var depth = 0
    let tokens = source.tokens.enumerated().map { index, token in
      let outer = depth
      if source.is(index, "(") { depth += 1 }
      if source.is(index, ")") { depth -= 1 }
      // A pair of parentheses has the depth outside of it.
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

/// A comparison of a column with a value that holds for every row that a query selects.
struct QueryComparison: Hashable, Sendable {
  enum Value: Hashable, Sendable {
    /// A parameter, by the index of its argument.
    case argument(Int)
    case value(SQLiteValue)
  }

  let column: String
  let comparison: Region.RowPredicate.Comparison
  let value: Value

  /// Keywords that prevent the analysis. With them, a selected row may violate a term of the
  /// conjunction, or the query may read the table more than once.
  private static let preventingKeywords: Set<String> = [
    "OR", "NOT", "CASE", "BETWEEN", "SELECT", "JOIN", "UNION", "INTERSECT", "EXCEPT", "GROUP",
    "WINDOW", "HAVING", "AS",
  ]

  /// Returns the comparisons of a text that consists of a condition and an optional order.
  static func all(in tokens: [QueryToken]) -> [QueryComparison] {
    guard tokens.first?.isWord("WHERE") == true,
      !tokens.contains(where: { $0.word.map { preventingKeywords.contains($0) } ?? false }),
      !tokens.contains(where: { $0.kind == .parameter(0) }), !readsTable(tokens)
    else { return [] }
    let places = argumentPlaces(of: tokens)
    let end = tokens.firstIndex { $0.depth == 0 && $0.isWord("ORDER") } ?? tokens.count
    let condition = tokens[1..<end]
    return condition.split { $0.depth == 0 && $0.isWord("AND") }
      .compactMap { QueryComparison(Array($0), places) }
  }

  /// Returns whether the text contains `IN table`, which is a subquery.
  private static func readsTable(_ tokens: [QueryToken]) -> Bool {
    zip(tokens, tokens.dropFirst()).contains { $0.isWord("IN") && $1.kind != .symbol("(") }
  }

  /// Returns the zero-based argument index of each parameter, by its position in the text.
  private static func argumentPlaces(of tokens: [QueryToken]) -> [Int: Int] {
    var places: [Int: Int] = [:]
    var largest = 0
    for token in tokens {
      guard case .parameter(let explicitNumber) = token.kind else { continue }
      let number = explicitNumber ?? largest + 1
      largest = Swift.max(largest, number)
      places[token.range.lowerBound] = number - 1
    }
    return places
  }

  /// Parses `column = value` and similar comparisons; `nil` for any other tokens.
  private init?(_ tokens: [QueryToken], _ places: [Int: Int]) {
    var rest = tokens[...]
    guard var name = rest.popFirst()?.name else { return nil }
    if rest.first?.kind == .symbol(".") {
      rest.removeFirst()
      guard let column = rest.popFirst()?.name else { return nil }
      name = column
    }
    guard let last = rest.popLast() else { return nil }
    guard rest.count == 1, case .symbol(let symbol) = rest.first?.kind else { return nil }
    let comparison: Region.RowPredicate.Comparison? =
      switch symbol {
      case "=", "==": .equal
      case "<": .less
      case "<=": .lessOrEqual
      case ">": .greater
      case ">=": .greaterOrEqual
      default: nil
      }
    guard let comparison else { return nil }
    switch last.kind {
    case .parameter:
      guard let place = places[last.range.lowerBound] else { return nil }
      value = .argument(place)
    case .text(let text): value = .value(.text(text))
    case .number(let number):
      guard let integer = Int64(number) else { return nil }
      value = .value(.integer(integer))
    default: return nil
    }
    column = name
    self.comparison = comparison
  }
}
