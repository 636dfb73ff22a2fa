internal import Primitives
internal import SQLiteCore

extension Connection {
  /// Runs statements and returns the result of the last one: see
  /// ``DataAccess/execute(_:withParameters:)``.
  func execute(_ sql: SQL, _ values: [any SQLiteBindable]) throws -> Int {
    let (sql, values) = try sql.resolved(with: values)
    var result = 1
    var used = 0
    try forEachStatement(in: SQL(unsafe: sql)) { statement in
      let end = used + statement.parameterCount
      try statement.bindAll(Array(values[min(used, values.count)..<min(end, values.count)]))
      used = end
      switch StatementVerb(statement.sql) {
      case .insert: result = try insertedID(by: statement)
      case .update, .delete:
        try statement.run()
        result = try changeCount()
      case .other:
        try statement.run()
        result = 1
      }
    }
    guard used == values.count else {
      throw SQLiteError(
        code: .parameterCount,
        message: "expected \(used) parameter values, got \(values.count)", sql: sql)
    }
    return result
  }

  private func changeCount() throws -> Int {
    try value(Int.self, "SELECT changes()") ?? 0
  }

  /// Runs an `INSERT`, and returns the rowid of the last inserted row, or the number of inserted
  /// rows for a table without rowids.
  private func insertedID(by statement: Statement) throws -> Int {
    let lastID = lastInsertedRowID
    let insertions = try insertions(by: statement)
    guard insertions.count > 0 else { return 0 }
    guard lastInsertedRowID == lastID else { return Int(lastInsertedRowID.rawValue) }
    // The same rowid was last inserted into another table, or the table has no rowids.
    let written =
      insertions.table ?? statement.access.writes.first { $0.value.inserts }?.key
    let table = try written.flatMap { try self.table($0.name, in: $0.schema) }
    guard let table, !table.isWithoutRowID else { return insertions.count }
    return Int(lastInsertedRowID.rawValue)
  }

  /// Runs an `INSERT`, and returns the number of inserted rows, and their table if it had to be
  /// determined.
  private func insertions(by statement: Statement) throws -> (count: Int, table: TableName?) {
    // SQLite's change count of an `INSERT` includes updated rows. If triggers insert into other
    // tables, the statement's writes do not identify its own table.
    let inserted = statement.access.writes.values.filter(\.inserts)
    let isUnclear = inserted.count > 1 || inserted.contains { !$0.updates.isEmpty }
    let counter = InsertionCounter()
    guard isUnclear, let subscription = try? hooks.add(counter) else {
      try statement.run()
      return (try changeCount(), nil)
    }
    defer { hooks.remove(subscription) }
    try statement.run()
    return (counter.count, counter.table)
  }
}

/// Counts the rows that a statement inserts directly, not through triggers.
private final class InsertionCounter: TransactionObserver {
  private(set) var count = 0
  private(set) var table: TableName?

  func willChange(_ change: borrowing Hooks.RowChange) {
    guard change.kind == .insert, change.depth == 0 else { return }
    count += 1
    if table == nil { table = change.table }
  }
}

/// The main verb of a statement, after the common table expressions of a `WITH` clause.
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

  /// Returns the index of the verb. The name of a common table expression can be a verb, such as
  /// `replace`.
  private static func index(in tokens: SQLTokens) -> Int {
    var index = 0
    while tokens.is(index, ";") { index += 1 }
    guard tokens.is(index, "WITH") else { return index }
    repeat {
      // `WITH` or a comma, `RECURSIVE`, and the name.
      index += tokens.is(index, "WITH") && tokens.is(index + 1, "RECURSIVE") ? 3 : 2
      if tokens.is(index, "(") { index = tokens.endOfParentheses(from: index) }
      guard tokens.is(index, "AS") else { break }
      while index < tokens.count, !tokens.is(index, "(") { index += 1 }
      index = tokens.endOfParentheses(from: index)
    } while tokens.is(index, ",")
    return index
  }
}

/// A single statement that begins or ends a transaction.
enum TransactionStatement: Hashable {
  case begin, commit, rollBack

  init?(_ sql: String) {
    // A longer statement does more.
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
