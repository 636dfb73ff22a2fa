/// What stands behind `SELECT … FROM table`, as far as one must know it in order to add to it.
///
/// It is read as SQLite reads it: what is in quotes, in comments and in parentheses is none of its clauses.
struct QueryText: Hashable, Sendable {
  let sql: String
  /// Whether it says an order, or how many rows there are.
  let hasOrder: Bool
  let hasLimit: Bool
  /// Why nothing can be added behind it; `nil` where something can.
  let fault: String?
  /// Comparisons that hold for each row of the table that it finds, where it reads the table once.
  let comparisons: [QueryComparison]
  /// Where a further condition goes; `nil` where the text groups rows, or joins several queries into one.
  let conditionPlace: ConditionPlace?

  /// Where conditions stand in a text.
  struct ConditionPlace: Hashable, Sendable {
    /// What stands before the condition: joins, mostly.
    let head: String
    /// The condition; `nil` where there is none.
    let condition: String?
    /// `ORDER BY` and what follows.
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
      ? "the query ends within a comment or a text"
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
    // What is added has parameters of its own, and those behind it would get other numbers.
    let isMoved = tokens.contains { token in
      if case .parameter = token.kind { return token.range.lowerBound > order }
      return false
    }
    if isMoved { return nil }
    guard let filter = outer.first(where: { $0.isWord("WHERE") }) else {
      return ConditionPlace(
        head: text(0..<order), condition: nil, tail: text(order..<bytes.count))
    }
    return ConditionPlace(
      head: text(0..<filter.range.lowerBound),
      condition: text(filter.range.upperBound..<order), tail: text(order..<bytes.count))
  }
}
