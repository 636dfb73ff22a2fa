internal import Observe
internal import SQLiteCore

/// A comparison of a column with a value, which holds for every row of the table that a query finds.
struct QueryComparison: Hashable, Sendable {
  enum Value: Hashable, Sendable {
    /// What the parameter has, by its place among the arguments.
    case argument(Int)
    case value(SQLiteValue)
  }

  let column: String
  let comparison: Region.RowPredicate.Comparison
  let value: Value

  /// Words with which a row that is found need not fulfil what `AND` joins, or the table may be read more than once.
  private static let vetoes: Set<String> = [
    "OR", "NOT", "CASE", "BETWEEN", "SELECT", "JOIN", "UNION", "INTERSECT", "EXCEPT", "GROUP",
    "WINDOW", "HAVING", "AS",
  ]

  /// Those of a text that is nothing but a condition, and perhaps an order.
  static func all(in tokens: [QueryToken]) -> [QueryComparison] {
    guard tokens.first?.isWord("WHERE") == true,
      !tokens.contains(where: { $0.word.map { vetoes.contains($0) } ?? false }),
      !tokens.contains(where: { $0.kind == .parameter(0) }), !readsTable(tokens)
    else { return [] }
    let places = argumentPlaces(of: tokens)
    let end = tokens.firstIndex { $0.depth == 0 && $0.isWord("ORDER") } ?? tokens.count
    let condition = tokens[1..<end]
    return condition.split { $0.depth == 0 && $0.isWord("AND") }
      .compactMap { QueryComparison(Array($0), places) }
  }

  /// Whether there is `IN table`, which is a query of its own.
  private static func readsTable(_ tokens: [QueryToken]) -> Bool {
    zip(tokens, tokens.dropFirst()).contains { $0.isWord("IN") && $1.kind != .symbol("(") }
  }

  /// The numbers of parameters from zero on, by where they stand.
  private static func argumentPlaces(of tokens: [QueryToken]) -> [Int: Int] {
    var places: [Int: Int] = [:]
    var largest = 0
    for token in tokens {
      guard case .parameter(let said) = token.kind else { continue }
      let number = said ?? largest + 1
      largest = Swift.max(largest, number)
      places[token.range.lowerBound] = number - 1
    }
    return places
  }

  /// `column = value` and its like; `nil` for anything else.
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
