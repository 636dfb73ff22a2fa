internal import SQLiteCore

/// Updates of one run, of which those whose keys follow one another are done by one statement for each such range.
///
/// SQLite begins and ends a statement for every row that is updated by itself, which takes longer than the update.
struct RangeUpdates {
  /// Rows that follow one another in the run.
  struct Piece {
    let rows: Range<Int>
    /// Whether their keys are a range.
    let isRange: Bool
  }

  /// The rows were not found as they were to be.
  private struct RowsMissing: Error {}

  /// A shorter run is not worth asking how SQLite means to update it, nor a shorter range a statement.
  private static let fewestUpdates = 256, fewestRows = 8

  private let run: UpdateRun
  private let sql: String
  /// All rows, in their order.
  let pieces: [Piece]

  /// - Returns: `nil` where all rows are to be updated by themselves.
  init?(_ run: UpdateRun, _ connection: Connection) {
    guard run.count >= Self.fewestUpdates, run.shape.version == nil, run.shape.key.count == 1,
      !run.changed.contains(run.shape.key[0])
    else { return nil }
    pieces = Self.pieces(of: run)
    guard pieces.contains(where: \.isRange) else { return nil }
    self.run = run
    sql = run.shape.updateRangeSQL(run.changed, width: run.width)
    // Whoever may not ask, or has limits that the statement does not keep, updates the rows by themselves.
    guard (try? isAsSingle(connection)) ?? false else { return nil }
  }

  private static func pieces(of run: UpdateRun) -> [Piece] {
    var pieces: [Piece] = []
    // Where those begin that are in no piece yet, and where the range that is looked at.
    var (rest, start) = (0, 0)
    for row in 1...run.count {
      if row < run.count, let last = run.integerKey(of: row - 1), last < .max,
        run.integerKey(of: row) == last + 1
      {
        continue
      }
      if row - start >= fewestRows, run.base(of: start) != nil {
        if rest < start { pieces.append(Piece(rows: rest..<start, isRange: false)) }
        pieces.append(Piece(rows: start..<row, isRange: true))
        rest = row
      }
      start = row
    }
    if rest < run.count { pieces.append(Piece(rows: rest..<run.count, isRange: false)) }
    return pieces
  }

  /// Whether SQLite goes over the rows of a range, in their order and over no others, and all that it does is to change them: what
  /// triggers and foreign keys do may depend on each row's being updated by itself, and an authorizer may put NULL in the place of
  /// values.
  private func isAsSingle(_ connection: Connection) throws -> Bool {
    let plan = try connection.queryPlan(for: SQL(unsafe: sql))
    guard plan.details.count == 1,
      plan.details[0].hasSuffix(" USING INTEGER PRIMARY KEY (rowid>? AND rowid<?)")
    else { return false }
    let program = try connection.bytecode(for: SQL(unsafe: sql))
    let values = program.count { $0.p4?.hasPrefix("holt_item") ?? false }
    return values == run.changed.count
      && !program.contains { $0.opcode == "Program" || $0.opcode == "Prev" }
  }

  /// Updates the rows of a range.
  func update(_ rows: Range<Int>, on connection: Connection) throws {
    guard let first = run.integerKey(of: rows.lowerBound), let base = run.base(of: rows.lowerBound)
    else { throw RowsMissing() }
    let changes = try connection.run(
      SQL(unsafe: sql), SQLiteArray(run.parameters), base, first, first + Int64(rows.count - 1))
    if changes.count != rows.count { throw RowsMissing() }
  }
}

extension UpdateRun {
  /// The key of a row, where that is one integer.
  fileprivate func integerKey(of row: Int) -> Int64? {
    guard case .integer(let key) = parameters[row * width + changed.count] else { return nil }
    return key
  }

  /// The key that the run's first row would have, if all keys followed one another as from a row on.
  fileprivate func base(of row: Int) -> Int64? {
    guard let key = integerKey(of: row) else { return nil }
    let (base, isOutside) = key.subtractingReportingOverflow(Int64(row))
    return isOutside ? nil : base
  }
}
