internal import SQLiteCore

// Rows, which are inserted several at a time, and their key.
extension TableCollector.Builder {
  /// The number of the row that is being filled, from 1: what a row of another table refers to it by.
  public var rowNumber: Int64 { rowCount + 1 }

  /// SQLite's number of the row that was ended last.
  var rowID: Int64 {
    if case .rowID = key, let lastKey { lastKey } else { rowCount }
  }

  /// Ends the row. Columns that were not set are NULL.
  ///
  /// - Returns: The row's number.
  /// - Throws: ``ProviderError`` with ``ProviderError/Code/unrepresentable`` where a value is not of the type that was
  ///   declared for its column; `SQLiteError` where the table can't have so many columns, say. In those cases the
  ///   source is not read on.
  @discardableResult
  public func endRow() throws -> Int64 {
    rowCount += 1
    if let misfit = draft.misfit {
      throw ProviderError(
        .unrepresentable, "the value is none of type \(misfit.type.rawValue)",
        table: name, column: draft.columns[misfit.column].name)
    }
    if !survey.isOn {
      if createdSQL == nil { try create() }
      checkKey()
    }
    if survey.isOn {
      draft.removeRows()
    } else {
      draft.endRow()
      if draft.isFull { try insertRows() }
    }
    try survey.rowEnded()
    return rowCount
  }

  /// Inserts the rows that wait.
  func insertRows() throws {
    let count = draft.waitingCount
    guard count > 0, !survey.isOn else { return }
    if createdCount < draft.columns.count { try addColumnsToTable() }
    let statement = try insertStatement(for: count)
    // Taken out, so that they are not guarded while their values are bound.
    var rows = RowDraft()
    exchange(&rows)
    defer {
      rows.removeRows()
      exchange(&rows)
    }
    do {
      try statement.bindAll(of: rows)
      try statement.run()
    } catch let error as SQLiteError {
      // The key's, since there is no other.
      guard error.code.primary == .constraint else { throw error }
      giveUpKey()
    }
  }

  // MARK: The key

  /// Whether the row has a key as the rows before it do; otherwise the table has none.
  func checkKey() {
    guard let column = key.column else { return }
    switch draft.kind(of: column) {
    case .integer:
      guard case .rowID = key else { return }
      if let lastKey, draft.integer(of: column) <= lastKey { giveUpRowID() }
      lastKey = draft.integer(of: column)
    case .text where key == .unique(column: column): return
    case .null, .real, .text: giveUpKey()
    }
  }

  /// Has all be read again, with a key that is not the row's number.
  func giveUpRowID() {
    if let column = key.column { key = .unique(column: column) }
    survey.begin()
  }

  /// Has all be read again, without a key.
  func giveUpKey() {
    key = .none
    survey.begin()
  }

  func plannedKey() -> KeyPlan {
    if let plan = known?.key, plan != .undecided { return plan }
    if let declared = collector.declaredKey(of: name) {
      return index(of: declared).map { .unique(column: $0) } ?? .none
    }
    let candidate = draft.columns.firstIndex {
      ["id", "@id"].contains(SQLName.folded($0.name))
    }
    guard let candidate else { return .none }
    switch draft.kind(of: candidate) {
    case .integer: return hasChildren ? .unique(column: candidate) : .rowID(column: candidate)
    case .text: return .unique(column: candidate)
    case .null, .real: return .none
    }
  }
}
