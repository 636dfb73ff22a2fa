internal import Observe
internal import Primitives
internal import SQLiteCore

/// The SQL after `SELECT … FROM table`, analyzed to the extent necessary to extend it.
///
/// The text is tokenized as SQLite does: quoted text, comments and parenthesized expressions
/// contain none of its clauses.
struct QueryText: Sendable {
  let sql: String
  /// A Boolean value that indicates whether the text has an `ORDER BY` clause.
  let hasOrder: Bool
  let hasLimit: Bool
  /// The reason why the text can't be extended; `nil` if it can.
  let fault: String?
  /// Comparisons that hold for each row that the query selects, if it reads the table only once.
  let comparisons: [QueryComparison]
  /// The text around its condition, to which a condition can be added: the text before the
  /// condition, such as joins; the condition, if there is one; and the `ORDER BY` clause.
  ///
  /// `nil` if the text groups rows or combines several queries.
  let filter: (head: String, condition: String?, tail: String)?

  init(_ sql: String) {
    self.sql = sql
    let tokens = SQLTokens(sql)
    let outer = tokens.outsideParentheses
    func has(_ word: String) -> Bool { outer.contains { tokens.is($0, word) } }
    hasOrder = has("ORDER")
    hasLimit = has("LIMIT")
    fault =
      tokens.isOpen
      ? "the query ends within a comment or a string"
      : has(";") ? "the query has a semicolon" : nil
    comparisons = QueryComparison.all(in: tokens, outer)
    filter = Self.filter(of: tokens, outer)
  }

  private static func filter(
    of tokens: SQLTokens, _ outer: [Int]
  ) -> (head: String, condition: String?, tail: String)? {
    let others = ["GROUP", "HAVING", "UNION", "INTERSECT", "EXCEPT", "WINDOW", "LIMIT"]
    if outer.contains(where: { index in others.contains { tokens.is(index, $0) } }) { return nil }
    let order = outer.first { tokens.is($0, "ORDER") } ?? tokens.count
    // The additional condition has parameters, which would renumber parameters after it.
    if (order..<tokens.count).contains(where: { tokens.kind($0) == .parameter }) { return nil }
    let end = tokens.bytes.count
    let tail = order < tokens.count ? tokens.tokens[order].range.lowerBound : end
    func text(_ range: Range<Int>) -> String {
      String(decoding: tokens.bytes[range], as: UTF8.self)
    }
    guard let filter = outer.first(where: { tokens.is($0, "WHERE") }) else {
      return (head: text(0..<tail), condition: nil, tail: text(tail..<end))
    }
    let keyword = tokens.tokens[filter].range
    return (
      head: text(0..<keyword.lowerBound), condition: text(keyword.upperBound..<tail),
      tail: text(tail..<end)
    )
  }
}

extension SQLTokens {
  /// The indexes of the tokens that are not in parentheses.
  fileprivate var outsideParentheses: [Int] {
    var found: [Int] = []
    var index = 0
    while index < count {
      if self.is(index, "(") {
        index = endOfParentheses(from: index)
      } else {
        found.append(index)
        index += 1
      }
    }
    return found
  }

  /// The number of a parameter `?7`; zero for a named parameter, `nil` for `?` and other tokens.
  fileprivate func parameterNumber(_ index: Int) -> Int? {
    let text = text(index)
    guard kind(index) == .parameter, text != "?" else { return nil }
    return text.hasPrefix("?") ? Int(text.dropFirst()) ?? 0 : 0
  }
}

/// A comparison of a column with a value that holds for every row that a query selects.
struct QueryComparison: Sendable {
  enum Value: Sendable {
    /// A parameter, by the index of its argument.
    case argument(Int)
    case value(SQLiteValue)
  }

  let column: String
  let comparison: Region.RowPredicate.Comparison
  let value: Value

  /// Keywords that prevent the analysis. With them, a selected row may violate a term of the
  /// conjunction, or the query may read the table more than once.
  private static let unsupportedKeywords = [
    "OR", "NOT", "CASE", "BETWEEN", "SELECT", "JOIN", "UNION", "INTERSECT", "EXCEPT", "GROUP",
    "WINDOW", "HAVING", "AS",
  ]

  /// Returns the comparisons of a text that consists of a condition and an optional order.
  ///
  /// - Parameter outer: The indexes of the tokens that are not in parentheses.
  static func all(in tokens: SQLTokens, _ outer: [Int]) -> [QueryComparison] {
    let isUnsupported = (0..<tokens.count).contains { index in
      unsupportedKeywords.contains { tokens.is(index, $0) } || tokens.parameterNumber(index) == 0
        // `IN table` is a subquery.
        || tokens.is(index, "IN") && index + 1 < tokens.count && !tokens.is(index + 1, "(")
    }
    guard tokens.is(0, "WHERE"), !isUnsupported else { return [] }
    let indexes = argumentIndexes(of: tokens)
    let end = outer.first { tokens.is($0, "ORDER") } ?? tokens.count
    let separators = outer.filter { $0 < end && tokens.is($0, "AND") }
    return zip([0] + separators, separators + [end]).compactMap {
      QueryComparison(tokens, $0 + 1..<$1, indexes)
    }
  }

  /// Returns the index of each parameter's argument, by the parameter's token.
  private static func argumentIndexes(of tokens: SQLTokens) -> [Int: Int] {
    var indexes: [Int: Int] = [:]
    var largest = 0
    for index in 0..<tokens.count where tokens.kind(index) == .parameter {
      let number = tokens.parameterNumber(index) ?? largest + 1
      largest = Swift.max(largest, number)
      indexes[index] = number - 1
    }
    return indexes
  }

  /// Parses `column = value` and similar comparisons; `nil` for any other tokens.
  private init?(_ tokens: SQLTokens, _ range: Range<Int>, _ indexes: [Int: Int]) {
    func name(_ index: Int) -> String? {
      let kind = tokens.kind(index)
      return kind == .word || kind == .quotedName ? tokens.name(index) : nil
    }
    let isQualified = tokens.is(range.lowerBound + 1, ".")
    let nameIndex = range.lowerBound + (isQualified ? 2 : 0)
    guard range.count == (isQualified ? 5 : 3), name(range.lowerBound) != nil,
      let column = name(nameIndex), tokens.kind(nameIndex + 1) == .symbol
    else { return nil }
    let comparison: Region.RowPredicate.Comparison? =
      switch tokens.text(nameIndex + 1) {
      case "=", "==": .equal
      case "<": .less
      case "<=": .lessOrEqual
      case ">": .greater
      case ">=": .greaterOrEqual
      default: nil
      }
    guard let comparison else { return nil }
    let last = nameIndex + 2
    switch tokens.kind(last) {
    case .parameter:
      guard let index = indexes[last] else { return nil }
      value = .argument(index)
    case .string: value = .value(.text(tokens.name(last)))
    case .number:
      guard let integer = Int64(tokens.text(last)) else { return nil }
      value = .value(.integer(integer))
    default: return nil
    }
    self.column = column
    self.comparison = comparison
  }
}
