internal import SQLiteCore

// The SQLite table: its statements, and the index of its parent references.
extension TableCollector.Builder {
  func belong(to parent: TableCollector.Builder, by column: String) {
    self.parent = (parent, self.column(column))
  }

  /// The quoted name of the row number column, which no other column has.
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

  /// Returns the statement that creates the table: without types, so that values are stored unchanged, or in its final
  /// form.
  ///
  /// The final form can have an additional column for the row number: an alias of the rowid, for which SQLite stores
  /// nothing.
  private func sql(isFinal: Bool) -> String {
    var parts = draft.columns[..<createdCount].enumerated().map { index, column in
      let name = SQLName.quoted(column.name)
      if key == .rowID(column: index) { return "\(name) INTEGER PRIMARY KEY" }
      var type = isFinal ? type(of: index)?.rawValue : nil
      var words = [name]
      if key == .unique(column: index) {
        let isNumbered = isFinal && numberName != nil
        // INTEGER would make the column an alias of the rowid.
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
    // A table has at least one column, even if it is empty.
    if draft.columns.isEmpty { addColumn("value", .typed) }
    try refuseTooManyColumns()
    createdCount = draft.columns.count
    let sql = sql(isFinal: false)
    try collector.connection.execute(SQL(unsafe: sql))
    createdSQL = sql
  }

  /// SQLite's column limit. The row number column that child rows refer to is an additional column.
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

  /// Returns the final statement of the table; `nil` if it is the one that created the table.
  func finish() throws -> String? {
    if createdSQL == nil { try create() }
    if createdCount < draft.columns.count { try addColumnsToTable() }
    insert = nil
    let sql = sql(isFinal: true)
    return sql == createdSQL ? nil : sql
  }

  /// Creates the index for finding the child rows of a row.
  func indexParents() throws {
    guard let parent else { return }
    let column = draft.columns[parent.column].name
    let index = try collector.unusedName("\(name)_\(column)")
    try collector.connection.execute(
      "CREATE INDEX \(identifier: index) ON \(identifier: name) (\(identifier: column))"
    )
  }

  /// The inferred properties of the table, used for the next pass.
  var knowledge: TableCollector.KnownTable {
    .init(
      columns: draft.columns.map { (name: $0.name, kinds: $0.kinds) }, key: key,
      hasChildren: hasChildren)
  }
}

// Rows, which are inserted several at a time, and their key.
extension TableCollector.Builder {
  /// The number of the current row, counting from 1, to which rows of other tables refer.
  public var rowNumber: Int64 { rowCount + 1 }

  /// The rowid of the last ended row.
  var rowID: Int64 {
    if case .rowID = key, let lastKey { lastKey } else { rowCount }
  }

  /// Ends the row. Columns without a value are NULL.
  ///
  /// - Returns: The row's number.
  /// - Throws: ``ProviderError`` with ``ProviderError/Code/unrepresentable`` if a value does not match its column's
  ///   declared type; `SQLiteError`, for example if the table exceeds SQLite's column limit. The source is then not
  ///   read further.
  @discardableResult
  public func endRow() throws -> Int64 {
    rowCount += 1
    if let misfit = draft.misfit {
      throw ProviderError(
        .unrepresentable, "the value is not of type \(misfit.type.rawValue)",
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

  /// Inserts the pending rows.
  func insertRows() throws {
    let count = draft.waitingCount
    guard count > 0, !survey.isOn else { return }
    if createdCount < draft.columns.count { try addColumnsToTable() }
    let statement = try insertStatement(for: count)
    // Moved out of the builder, to avoid exclusivity checks while values are bound.
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
      // The key is the only constraint.
      guard error.code.primary == .constraint else { throw error }
      giveUpKey()
    }
  }

  // MARK: The key

  /// Checks that the row's key is valid; otherwise the table has no key.
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

  /// Requests another pass, with a key that is not an alias of the rowid.
  func giveUpRowID() {
    if let column = key.column { key = .unique(column: column) }
    survey.begin()
  }

  /// Requests another pass, without a key.
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
