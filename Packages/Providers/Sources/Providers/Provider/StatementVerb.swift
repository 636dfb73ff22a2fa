internal import Primitives

/// What a statement does to rows, by its main verb: that after the tables of a `WITH`.
enum StatementVerb: Hashable {
  case insert, update, delete, other

  init(_ sql: String) {
    let tokens = SQLTokens(sql)
    let index = Self.index(in: tokens)
    self =
      if tokens.is(index, "INSERT") || tokens.is(index, "REPLACE") {
        .insert
      } else if tokens.is(index, "UPDATE") {
        .update
      } else if tokens.is(index, "DELETE") {
        .delete
      } else {
        .other
      }
  }

  /// The index of the verb. The name of a table of `WITH` may be that of a verb, as `replace` is.
  private static func index(in tokens: SQLTokens) -> Int {
    var index = 0
    while tokens.is(index, ";") { index += 1 }
    guard tokens.is(index, "WITH") else { return index }
    repeat {
      // `WITH` or a comma, `RECURSIVE`, and the table's name.
      index += tokens.is(index, "WITH") && tokens.is(index + 1, "RECURSIVE") ? 3 : 2
      if tokens.is(index, "(") { index = tokens.endOfParentheses(from: index) }
      guard tokens.is(index, "AS") else { break }
      while index < tokens.count, !tokens.is(index, "(") { index += 1 }
      index = tokens.endOfParentheses(from: index)
    } while tokens.is(index, ",")
    return index
  }
}

/// A statement that begins or ends a transaction, where it is alone.
enum TransactionStatement: Hashable {
  case begin, commit, rollBack

  init?(_ sql: String) {
    // What is longer does more.
    guard sql.utf8.count < 1_000 else { return nil }
    let tokens = SQLTokens(sql)
    var end = tokens.count
    while tokens.is(end - 1, ";") { end -= 1 }
    var start = 0
    while tokens.is(start, ";") { start += 1 }
    var words = (start..<max(start, end)).map { tokens.text($0).uppercased() }
    if words.count > 1, words.last == "TRANSACTION" { words.removeLast() }
    switch words {
    case ["BEGIN"], ["BEGIN", "DEFERRED"], ["BEGIN", "IMMEDIATE"], ["BEGIN", "EXCLUSIVE"]:
      self = .begin
    case ["COMMIT"], ["END"]: self = .commit
    case ["ROLLBACK"]: self = .rollBack
    default: return nil
    }
  }
}
