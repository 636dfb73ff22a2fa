internal import SQLiteCore

/// The keys that SQLite makes for the rows of one table, as far as there are any left.
///
/// Behind the largest number there can be, SQLite would make keys at random, or undo the whole transaction.
struct KeysToMake {
  private let plan: TablePlan
  private let connection: Connection
  /// Whether the largest key is taken; `nil` where nobody has looked.
  private var isLargestTaken: Bool?

  init(_ plan: TablePlan, _ connection: Connection) {
    self.plan = plan
    self.connection = connection
  }

  /// - Throws: ``ProviderError`` with code ``ProviderError/Code/limitExceeded`` where no larger key is left.
  mutating func refuseNoneLeft() throws {
    let isTaken = try isLargestTaken ?? findLargest()
    isLargestTaken = isTaken
    if isTaken { throw plan.noKeyLeft() }
  }

  /// Takes note of a key that was written.
  mutating func note(_ key: SQLiteValue) {
    if case .integer(.max) = key { isLargestTaken = true }
  }

  private func findLargest() throws -> Bool {
    let name = SQLName.quoted(plan.keyColumn.name)
    let table = SQLName.quoted(plan.table)
    if try connection.value(
      Int.self, "SELECT 1 FROM \(table) WHERE \(name) = ?", values: [Int64.max]) != nil
    {
      return true
    }
    guard plan.keyType == .autoIncrementingInt, try connection.hasTable("sqlite_sequence") else {
      return false
    }
    return try connection.value(
      Int.self, "SELECT 1 FROM sqlite_sequence WHERE name = ? COLLATE NOCASE AND seq = ?",
      values: [plan.table, Int64.max]) != nil
  }
}

extension TablePlan {
  func noKeyLeft() -> ProviderError {
    ProviderError(
      .limitExceeded, "the largest key there can be is taken", table: table,
      column: keyColumn.name)
  }
}
