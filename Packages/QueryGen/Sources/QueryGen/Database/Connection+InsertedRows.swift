/// Helpers for inserts of lists in generated code: `INSERT INTO todo VALUES :todos`.
extension Connection {
  /// Executes a statement for each row of a list, in a transaction, or in a savepoint inside one.
  ///
  /// The statement is compiled once, so a list may have more values than a single statement can have
  /// parameters.
  ///
  /// - Returns: The total number of changed rows.
  /// - Throws: The error of the first row that fails, with the row's index in its message. No row is
  ///   inserted then.
  @discardableResult
  public func runEach<Row>(_ rows: [Row], _ body: (Row) throws -> Int) throws -> Int {
    var count = 0
    try forEachInserted(rows) { count += try body($0) }
    return count
  }

  /// Executes a statement with `RETURNING` for each row of a list, in a transaction, or in a savepoint
  /// inside one.
  ///
  /// - Returns: The results for all rows, in order.
  /// - Throws: The error of the first row that fails, with the row's index in its message. No row is
  ///   inserted then.
  public func fetchEach<Row, Value>(
    _ rows: [Row], _ body: (Row) throws -> [Value]
  ) throws -> [Value] {
    var values: [Value] = []
    values.reserveCapacity(rows.count)
    try forEachInserted(rows) { values += try body($0) }
    return values
  }

  private func forEachInserted<Row>(_ rows: [Row], _ body: (Row) throws -> Void) throws {
    guard !rows.isEmpty else { return }
    try transaction {
      for (index, row) in rows.enumerated() {
        do {
          try body(row)
        } catch let error as SQLiteError {
          throw error.addingContext("row \(index) of \(rows.count)")
        }
      }
    }
  }
}
