internal import SQLiteCore

// The SQLite table: its statements, and the index of its parent references.
extension TableCollector.Builder {
  func link(to parent: TableCollector.Builder, by column: String) {
    self.parent = (parent, self.column(column))
  }

  /// The quoted name of the row number column, which no other column has.
  private var quotedRowNumberColumnName: String? {
    guard let rowNumberColumnName else { return nil }
    var name = rowNumberColumnName
    var count = 2
    while index(of: name) != nil {
      name = "\(rowNumberColumnName)_\(count)"
      count += 1
    }
    return SQLName.quoted(name)
  }

  /// Returns the statement that creates the table: without types, so that values are stored
  /// unchanged, or in its final form.
  ///
  /// The final form can have an additional column for the row number: an alias of the rowid, for
  /// which SQLite stores nothing.
  private func sql(isFinal: Bool) -> String {
    var parts = rowBuffer.columns[..<createdCount].enumerated().map { index, column in
      let name = SQLName.quoted(column.name)
      if key == .rowID(column: index) { return "\(name) INTEGER PRIMARY KEY" }
      var type = isFinal ? type(of: index)?.declaration : nil
      var words = [name]
      if key == .unique(column: index) {
        let isNumbered = isFinal && rowNumberColumnName != nil
        // INTEGER would make the column an alias of the rowid.
        if type == "INTEGER", !isNumbered { type = "INT" }
        // The key's index has the column's collation.
        if !isFinal, self.type(of: index) == .decimal { type = "COLLATE decimal" }
        words += [type, isNumbered ? "UNIQUE" : "PRIMARY KEY"].compactMap(\.self)
      } else if let type {
        words.append(type)
      }
      if isFinal, let parent, parent.column == index,
        let number = parent.table.quotedRowNumberColumnName
      {
        words.append(
          "REFERENCES \(SQLName.quoted(parent.table.name))(\(number)) ON DELETE CASCADE"
            + " ON UPDATE CASCADE DEFERRABLE INITIALLY DEFERRED")
      }
      return words.joined(separator: " ")
    }
    if isFinal, let number = quotedRowNumberColumnName {
      parts.append("\(number) INTEGER PRIMARY KEY")
    }
    return "CREATE TABLE \(SQLName.quoted(name)) (\(parts.joined(separator: ", ")))"
  }

  func create() throws {
    if key == .undecided { key = keyOfFirstRow() }
    // A table has at least one column, even if it is empty.
    if rowBuffer.columns.isEmpty { addColumn("value", .typed) }
    try checkColumnCount()
    createdCount = rowBuffer.columns.count
    let sql = sql(isFinal: false)
    try collector.connection.execute(SQL(unsafe: sql))
    createdSQL = sql
  }

  /// SQLite's column limit. The row number column that child rows refer to is an additional column.
  private func checkColumnCount() throws {
    let limit = hasChildren ? 1_999 : 2_000
    guard rowBuffer.columns.count > limit else { return }
    throw ProviderError(
      .limitExceeded, "a table has at most \(limit) columns", table: name,
      column: rowBuffer.columns[limit].name)
  }

  func addColumnsToTable() throws {
    insert = nil
    try checkColumnCount()
    for column in rowBuffer.columns[createdCount...] {
      try collector.connection.execute(
        "ALTER TABLE \(identifier: name) ADD COLUMN \(identifier: column.name)")
    }
    createdCount = rowBuffer.columns.count
  }

  func insertStatement(for rowCount: Int) throws -> Statement {
    if let insert, insert.rowCount == rowCount { return insert.statement }
    let row = Array(repeating: "?", count: rowBuffer.columns.count).joined(separator: ", ")
    let rows = Array(repeating: "(\(row))", count: rowCount).joined(separator: ", ")
    let statement = try collector.connection.prepare(
      "INSERT INTO \(identifier: name) VALUES \(unsafe: rows)")
    insert = (rowCount, statement)
    return statement
  }

  /// Returns the final statement of the table; `nil` if it is the one that created the table.
  func finish() throws -> String? {
    if createdSQL == nil { try create() }
    if createdCount < rowBuffer.columns.count { try addColumnsToTable() }
    insert = nil
    let sql = sql(isFinal: true)
    return sql == createdSQL ? nil : sql
  }

  /// Creates the index for finding the child rows of a row.
  func indexParents() throws {
    guard let parent else { return }
    let column = rowBuffer.columns[parent.column].name
    let index = try collector.unusedName("\(name)_\(column)")
    try collector.connection.execute(
      "CREATE INDEX \(identifier: index) ON \(identifier: name) (\(identifier: column))"
    )
  }

  /// The inferred properties of the table, used for the next pass.
  var inferenceResult: TableCollector.InferredTable {
    .init(
      columns: rowBuffer.columns.map { (name: $0.name, kinds: $0.kinds) }, key: key,
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
  /// - Throws: ``ProviderError`` with ``ProviderError/Code/unrepresentable`` if a value does not
  ///   match its column's declared type; `SQLiteError`, for example if the table exceeds SQLite's
  ///   column limit. The source is then not read further.
  @discardableResult
  public func endRow() throws -> Int64 {
    rowCount += 1
    try checkTypes()
    if !typeInference.isOn {
      if createdSQL == nil { try create() }
      checkKey()
    }
    if typeInference.isOn {
      rowBuffer.removeRows()
    } else {
      rowBuffer.endRow(rowID: rowID)
      if rowBuffer.isFull { try insertRows() }
    }
    try typeInference.rowEnded()
    return rowCount
  }

  /// Inserts the pending rows.
  func insertRows() throws {
    let count = rowBuffer.pendingRowCount
    guard count > 0, !typeInference.isOn else { return }
    if createdCount < rowBuffer.columns.count { try addColumnsToTable() }
    let statement = try insertStatement(for: count)
    // Moved out of the builder, to avoid exclusivity checks while values are bound.
    var rows = RowBuffer()
    exchange(&rows)
    defer {
      rows.removeRows()
      exchange(&rows)
    }
    do {
      try statement.bindAll(of: rows)
      try statement.run()
      if !rows.spellings.isEmpty { try collector.spellings?.store(of: rows, in: name) }
    } catch let error as SQLiteError {
      // The key is the only constraint.
      guard error.code.primary == .constraint else { throw error }
      discardKey()
    }
  }

  // MARK: The key

  /// Checks that the row's key is valid; otherwise the table has no key.
  func checkKey() {
    guard let column = key.column else { return }
    switch rowBuffer.kind(of: column) {
    case .integer:
      guard case .rowID = key else { return }
      if let lastKey, rowBuffer.integer(of: column) <= lastKey { discardRowIDKey() }
      lastKey = rowBuffer.integer(of: column)
    case .text where key == .unique(column: column): return
    case .null, .real, .text: discardKey()
    }
  }

  /// Requests another pass, with a key that is not an alias of the rowid.
  func discardRowIDKey() {
    if let column = key.column { key = .unique(column: column) }
    typeInference.begin()
  }

  /// Requests another pass, without a key.
  func discardKey() {
    key = .none
    typeInference.begin()
  }

  func keyOfFirstRow() -> KeyKind {
    if let key = known?.key, key != .undecided { return key }
    if let declared = collector.declaredKey(of: name) {
      return index(of: declared).map { .unique(column: $0) } ?? .none
    }
    let candidate = rowBuffer.columns.firstIndex { TableCollector.isKeyName($0.name) }
    guard let candidate, !rowBuffer.columns[candidate].kinds.contains(.boolean) else {
      return .none
    }
    switch rowBuffer.kind(of: candidate) {
    case .integer: return hasChildren ? .unique(column: candidate) : .rowID(column: candidate)
    case .text: return .unique(column: candidate)
    case .null, .real: return .none
    }
  }
}
