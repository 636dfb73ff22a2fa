internal import SQLiteCore

/// Updates of rows whose keys follow one another, done by one statement for each such range.
///
/// SQLite begins and ends a statement for every row that is updated by itself, which takes longer than the update.
struct RangeUpdates {
  /// From how many updates of a table on it is asked what is to be known of it.
  private static let fewestUpdates = 256
  /// From how many rows on a range is worth a statement.
  private static let fewestRows = 8

  private let connection: Connection
  /// The tables that are updated that often, and whether that may be done by ranges, as soon as it was asked.
  private var tables: [ObjectIdentifier: Bool?] = [:]

  init(_ plan: SavePlan, _ connection: Connection) {
    self.connection = connection
    var counts: [ObjectIdentifier: Int] = [:]
    for case .updates(let run) in plan.steps {
      counts[ObjectIdentifier(run.shape), default: 0] += run.count
    }
    for (table, count) in counts where count >= Self.fewestUpdates { tables[table] = .some(nil) }
  }

  /// The rows from one on that are to be updated next, and whether their keys are a range.
  mutating func next(
    from row: Int, of run: UpdateRun
  ) throws -> (rows: Range<Int>, isRange: Bool) {
    guard try isAllowed(run), var key = run.integerKey(of: row) else {
      return (row..<run.count, false)
    }
    var end = row + 1
    while end < run.count, key < .max, run.integerKey(of: end) == key + 1 {
      key += 1
      end += 1
    }
    return (row..<end, end - row >= Self.fewestRows)
  }

  /// Updates the rows of a range.
  ///
  /// - Returns: Whether that was done: where a row was not found, each is to be updated by itself.
  func update(_ rows: Range<Int>, of run: UpdateRun) throws -> Bool {
    guard let first = run.integerKey(of: rows.lowerBound) else { return false }
    // The key that the first row of all would have, whose values are the list's first.
    let (base, isOutside) = first.subtractingReportingOverflow(Int64(rows.lowerBound))
    if isOutside { return false }
    let changes = try connection.run(
      run.shape.updateRangeSQL(run.changed, width: run.width), SQLiteArray(run.parameters), base,
      first, first + Int64(rows.count - 1))
    return changes.count == rows.count
  }

  /// Whether a table's rows are found by integers that stand in a row, and all that an update does is to change them: what
  /// triggers do may depend on each row's being updated by itself.
  private mutating func isAllowed(_ run: UpdateRun) throws -> Bool {
    guard let known = tables[ObjectIdentifier(run.shape)], run.shape.version == nil,
      run.shape.key.count == 1, !run.changed.contains(run.shape.key[0])
    else { return false }
    if let known { return known }
    let table = run.shape.table
    let key = try connection.rowIDColumn(of: table)
    let isAllowed =
      try key.map { SQLName.isSame($0, run.shape.keyNames[0]) } ?? false
      && connection.value(
        Bool.self,
        """
        SELECT NOT EXISTS (
          SELECT 1 FROM main.sqlite_master WHERE type = 'trigger' AND tbl_name = ?1 COLLATE NOCASE
        ) AND NOT EXISTS (
          SELECT 1 FROM temp.sqlite_master
          WHERE tbl_name = ?1 COLLATE NOCASE AND type IN ('table', 'view', 'trigger')
        )
        """, table) ?? false
    tables[ObjectIdentifier(run.shape)] = isAllowed
    return isAllowed
  }
}

extension UpdateRun {
  /// The key of a row, where that is one integer.
  fileprivate func integerKey(of row: Int) -> Int64? {
    guard case .integer(let key) = parameters[row * width + changed.count] else { return nil }
    return key
  }
}
