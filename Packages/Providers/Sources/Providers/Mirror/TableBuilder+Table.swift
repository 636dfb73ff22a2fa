internal import SQLiteCore

// The table in SQLite: its statements, and the index of rows that belong to others.
extension TableCollector.Builder {
  func belong(to parent: TableCollector.Builder, by column: String) {
    self.parent = (parent, self.column(column))
  }

  /// The name of the column of numbers, in quotes: one that no other column has.
  private var quotedNumberName: String? {
    guard let numberName else { return nil }
    var name = numberName
    var count = 2
    while index(of: name) != nil {
      name = "\(numberName)_\(count)"
      count += 1
    }
    return SQLName.quoted(name)
  }

  /// The statement that makes the table: without types, so that each value stays as it is given, or as it is to be in
  /// the end.
  ///
  /// In the end there may be a column more, of the rows' numbers: SQLite stores nothing in it.
  private func sql(isFinal: Bool) -> String {
    var parts = draft.columns[..<createdCount].enumerated().map { index, column in
      let name = SQLName.quoted(column.name)
      if key == .rowID(column: index) { return "\(name) INTEGER PRIMARY KEY" }
      var type = isFinal ? type(of: index)?.rawValue : nil
      var words = [name]
      if key == .unique(column: index) {
        let isNumbered = isFinal && numberName != nil
        // As INTEGER it would be the row's number.
        if type == "INTEGER", !isNumbered { type = "INT" }
        words += [type, isNumbered ? "UNIQUE" : "PRIMARY KEY"].compactMap(\.self)
      } else if let type {
        words.append(type)
      }
      if isFinal, let parent, parent.column == index, let number = parent.table.quotedNumberName {
        words.append(
          "REFERENCES \(SQLName.quoted(parent.table.name))(\(number)) ON DELETE CASCADE"
            + " ON UPDATE CASCADE DEFERRABLE INITIALLY DEFERRED")
      }
      return words.joined(separator: " ")
    }
    if isFinal, let number = quotedNumberName { parts.append("\(number) INTEGER PRIMARY KEY") }
    return "CREATE TABLE \(SQLName.quoted(name)) (\(parts.joined(separator: ", ")))"
  }

  func create() throws {
    if key == .undecided { key = plannedKey() }
    // A table has a column, if there is nothing in it.
    if draft.columns.isEmpty { addColumn("value", .typed) }
    try refuseTooManyColumns()
    createdCount = draft.columns.count
    let sql = sql(isFinal: false)
    try collector.connection.execute(SQL(unsafe: sql))
    createdSQL = sql
  }

  /// As many as SQLite has; the numbers of rows that others belong to are one more.
  private func refuseTooManyColumns() throws {
    let most = hasChildren ? 1_999 : 2_000
    guard draft.columns.count > most else { return }
    throw ProviderError(
      .limitExceeded, "a table has at most \(most) columns", table: name,
      column: draft.columns[most].name)
  }

  func addColumnsToTable() throws {
    insert = nil
    try refuseTooManyColumns()
    for column in draft.columns[createdCount...] {
      try collector.connection.execute(
        "ALTER TABLE \(identifier: name) ADD COLUMN \(identifier: column.name)")
    }
    createdCount = draft.columns.count
  }

  func insertStatement(for rowCount: Int) throws -> Statement {
    if let insert, insert.rowCount == rowCount { return insert.statement }
    let row = Array(repeating: "?", count: draft.columns.count).joined(separator: ", ")
    let rows = Array(repeating: "(\(row))", count: rowCount).joined(separator: ", ")
    let statement = try collector.connection.prepare(
      "INSERT INTO \(identifier: name) VALUES \(unsafe: rows)")
    insert = (rowCount, statement)
    return statement
  }

  /// The statement that the table should have been made with; `nil` where it was.
  func finish() throws -> String? {
    if createdSQL == nil { try create() }
    if createdCount < draft.columns.count { try addColumnsToTable() }
    insert = nil
    let sql = sql(isFinal: true)
    return sql == createdSQL ? nil : sql
  }

  /// Makes the index by which the rows are found that belong to a row.
  func indexParents() throws {
    guard let parent else { return }
    let column = draft.columns[parent.column].name
    let index = try collector.unusedName("\(name)_\(column)")
    try collector.connection.execute(
      "CREATE INDEX \(identifier: index) ON \(identifier: name) (\(identifier: column))"
    )
  }

  /// What is known of the table, to read it again.
  var knowledge: TableCollector.KnownTable {
    .init(
      columns: draft.columns.map { (name: $0.name, kinds: $0.kinds) }, key: key,
      hasChildren: hasChildren)
  }
}

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
