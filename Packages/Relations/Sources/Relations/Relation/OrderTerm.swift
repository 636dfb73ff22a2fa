internal import Primitives
internal import SQLiteCore

/// A term of an `ORDER BY` clause.
struct OrderTerm: Sendable {
  let expression: String
  var isDescending = false
  /// A Boolean value that indicates whether NULL precedes all other values.
  var hasNullsFirst: Bool

  init(_ expression: String, isDescending: Bool = false, hasNullsFirst: Bool? = nil) {
    self.expression = expression
    self.isDescending = isDescending
    // SQLite's default: NULL is smaller than any other value.
    self.hasNullsFirst = hasNullsFirst ?? !isDescending
  }

  /// Returns the text after `ORDER BY`.
  static func sql(_ terms: [OrderTerm]) -> String {
    terms.map { term in
      let isUsual = term.hasNullsFirst != term.isDescending
      return term.expression + (term.isDescending ? " DESC" : "")
        + (isUsual ? "" : term.hasNullsFirst ? " NULLS FIRST" : " NULLS LAST")
    }
    .joined(separator: ", ")
  }

  // MARK: Parsing

  /// Parses the text after `ORDER BY`, if there is any.
  static func parse(_ text: String?) -> [OrderTerm] {
    let tokens = SQLTokens(text ?? "")
    return tokens.separated(0..<tokens.count).compactMap { term in
      var expression = term
      /// Removes trailing words that follow an expression.
      func drop(_ words: String...) -> Bool {
        let start = expression.upperBound - words.count
        guard start > expression.lowerBound,
          words.indices.allSatisfy({ tokens.is(start + $0, words[$0]) })
        else { return false }
        expression = expression.lowerBound..<start
        return true
      }
      let nullsFirst = drop("NULLS", "FIRST") ? true : drop("NULLS", "LAST") ? false : nil
      let isDescending = drop("DESC")
      if !isDescending { _ = drop("ASC") }
      if expression.isEmpty { return nil }
      return OrderTerm(
        tokens.text(expression), isDescending: isDescending, hasNullsFirst: nullsFirst)
    }
  }

  // MARK: Pagination

  /// Returns a condition, and its arguments, that holds for rows ordered after a row with the given
  /// values.
  static func condition(
    after values: [SQLiteValue], _ terms: [OrderTerm]
  ) -> (sql: String, arguments: [SQLiteValue]) {
    var arguments: [SQLiteValue] = []
    var sql = ""
    for (place, (term, value)) in zip(terms, values).enumerated() {
      let (conditionAfter, isBound) = term.conditionAfter(value)
      if isBound { arguments.append(value) }
      if place == terms.count - 1 {
        sql += conditionAfter
      } else {
        sql += "(\(conditionAfter) OR (\(term.expression) IS ? AND "
        arguments.append(value)
      }
    }
    return (sql + String(repeating: "))", count: Swift.max(0, terms.count - 1)), arguments)
  }

  private func conditionAfter(_ value: SQLiteValue) -> (sql: String, isBound: Bool) {
    if value.isNull { return (hasNullsFirst ? "\(expression) IS NOT NULL" : "0", false) }
    let compared = "\(expression) \(isDescending ? "<" : ">") ?"
    return (hasNullsFirst ? compared : "(\(compared) OR \(expression) IS NULL)", true)
  }
}
