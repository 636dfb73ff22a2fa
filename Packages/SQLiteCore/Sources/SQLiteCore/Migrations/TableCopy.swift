internal import Primitives

/// Copies a table's rows to its new version.
struct TableCopy {
  private let plan: TableRebuild
  private let connection: Connection
  private let temporary: String
  private let old: TableSchema
  private let new: TableSchema
  /// The new columns that receive a value, with the SQL expression over the old rows.
  private var values: [(column: String, sql: String)] = []
  /// Indicates whether every row keeps its rowid.
  private(set) var keepsRowIDs = false

  init(_ plan: TableRebuild, temporary: String, on connection: Connection) throws {
    self.plan = plan
    self.connection = connection
    self.temporary = temporary
    let schema = plan.table.schema
    guard let old = try connection.table(plan.table.name, in: schema),
      let new = try connection.table(temporary, in: schema)
    else { throw SQLiteError(code: .notFound, message: "there is no table \(plan.table)") }
    self.old = old
    self.new = new
    try checkMappedColumns()
    for column in new.writableColumns {
      if let sql = value(of: column.name) { values.append((SQLName.quoted(column.name), sql)) }
    }
    try planRowIDs()
    guard !values.isEmpty else {
      throw SQLiteError(
        code: .misuse, message: "no column of the new table has a value from the old table",
        sql: plan.sql)
    }
  }

  private func checkMappedColumns() throws(SQLiteError) {
    for name in plan.mapping.keys.sorted() where new.column(named: name)?.kind != .stored {
      throw SQLiteError(
        code: .unknownColumn,
        message: "a value is given for \(name), which is not a stored column of the new table"
          + " \(plan.table.name)", sql: plan.sql)
    }
  }

  private func mapped(_ column: String) -> String? {
    plan.mapping.first { $0.key.isEqualIgnoringASCIICase(column) }?.value
  }

  /// Returns the SQL expression for a new column's value, or `nil` if its default is used.
  private func value(of column: String) -> String? {
    if let sql = mapped(column) { return sql }
    if let oldColumn = old.column(named: column), oldColumn.kind != .hidden {
      return SQLName.quoted(oldColumn.name)
    }
    return new.isRowIDColumn(column) ? old.rowIDName : nil
  }

  private mutating func planRowIDs() throws {
    guard let source = old.rowIDName else { return }
    if let key = new.rowIDColumn {
      guard let value = values.first(where: { $0.column == SQLName.quoted(key) }) else { return }
      let column = SQLTokens(value.sql)
      let isName = column.count == 1
      keepsRowIDs =
        value.sql == source || isName && old.isRowIDColumn(column.name(0))
    } else if let target = new.rowIDName, new.acceptsRowID {
      values.insert((target, source), at: 0)
      keepsRowIDs = true
    }
  }

  /// Returns whether the column with this name keeps its value in every row.
  func isIdentity(_ name: String) -> Bool {
    guard let before = old.column(named: name), let after = new.column(named: name) else {
      return false
    }
    guard before.declaredType.isEqualIgnoringASCIICase(after.declaredType) else { return false }
    if after.kind == .virtualGenerated || after.kind == .storedGenerated {
      return before.generatedSQL == after.generatedSQL
    }
    guard let sql = mapped(name) else { return true }
    let tokens = SQLTokens(sql)
    return tokens.count == 1 && tokens.name(0).isEqualIgnoringASCIICase(name)
  }

  /// Indicates whether every row keeps its rowid and values.
  var isIdentity: Bool {
    keepsRowIDs && old.columns.allSatisfy { $0.kind == .hidden || isIdentity($0.name) }
  }

  /// Returns whether the new table has a column with this name.
  func hasColumn(_ name: String) -> Bool {
    new.column(named: name) != nil
      || new.rowIDName.map { $0.isEqualIgnoringASCIICase(name) } ?? false
  }

  // MARK: Copying

  /// The statement that copies all rows.
  ///
  /// `OR ABORT` overrides conflict clauses of the new table, which would drop rows silently.
  var sql: String {
    let target = SQLName.quoted(plan.table.schema) + "." + SQLName.quoted(temporary)
    let columns = values.map(\.column).joined(separator: ", ")
    let expressions = values.map(\.sql).joined(separator: ", ")
    // Another order than the rowid order would reorder newly assigned rowids.
    let order = old.kind == .virtual ? "" : " NOT INDEXED"
    let source = SQLName.quoted(plan.table.schema) + "." + SQLName.quoted(plan.table.name)
    return
      "INSERT OR ABORT INTO \(target) (\(columns)) SELECT \(expressions) FROM \(source)\(order)"
  }

  mutating func run(batchSize: Int, progress: ((SchemaDiff.CopyProgress) throws -> Void)?) throws
    -> Int
  {
    let total = try connection.value(Int.self, "SELECT count(*) FROM \(table: plan.table)") ?? 0
    var done = 0
    func report() throws {
      try connection.checkCancelled()
      try progress?(
        SchemaDiff.CopyProgress(table: plan.table, rowsDone: done, rowsTotal: total))
      try connection.copyProgressHandler?(plan.table, done, total)
    }
    try report()
    try checkKeysNotNull()
    do {
      if let key = old.batchKey, !usesWindowFunction,
        progress != nil || connection.copyProgressHandler != nil
      {
        try copyBatches(of: batchSize, by: key) {
          done += $0
          // The last report follows below, once the count is checked.
          if done < total { try report() }
        }
      } else {
        done = try connection.run(SQL(unsafe: sql)).count
      }
    } catch let error as SQLiteError {
      throw describe(error)
    }
    guard done == total || old.kind == .virtual || new.kind == .virtual else {
      throw SQLiteError(
        code: .misuse,
        message: "only \(done) of \(total) rows of \(plan.table) would remain: each value of the"
          + " new table must be computed from one row of the old table")
    }
    done = total
    try report()
    return total
  }

  /// Throws an error if a NULL would be copied to the rowid column, which would generate a new key: only `mapping` may
  /// request that.
  private func checkKeysNotNull() throws {
    guard let key = new.rowIDColumn, mapped(key) == nil, let column = old.column(named: key),
      !column.isNotNull, !old.isRowIDColumn(key),
      let message = try missingValues(of: key)
    else { return }
    throw SQLiteError(code: .constraintNotNull, message: message, sql: plan.sql)
  }

  /// Indicates whether a value uses a window function, which must see all rows rather than a batch.
  private var usesWindowFunction: Bool {
    plan.mapping.values.contains { sql in
      let tokens = SQLTokens(sql)
      return (0..<tokens.count).contains { tokens.is($0, "OVER") }
    }
  }

  private func copyBatches(
    of size: Int, by key: [String], _ copied: (Int) throws -> Void
  ) throws {
    let names = key.joined(separator: ", ")
    let row = "(\(names))"
    var lower: [SQLiteValue] = []
    while true {
      let parameters = "(\(key.map { _ in "?" }.joined(separator: ", ")))"
      let after = lower.isEmpty ? "" : " WHERE \(row) > \(parameters)"
      let upper = try connection.rows(
        """
        SELECT \(unsafe: names) FROM \(table: plan.table)\(unsafe: after)
        ORDER BY \(unsafe: names) LIMIT 1 OFFSET \(unsafe: "\(size - 1)")
        """, values: lower
      ).first
      guard let upper else {
        try copied(try connection.run(SQL(unsafe: sql + after), values: lower).count)
        return
      }
      let until = (lower.isEmpty ? " WHERE " : " AND ") + "\(row) <= \(parameters)"
      let batch = SQL(unsafe: sql + after + until)
      try copied(try connection.run(batch, values: lower + upper).count)
      lower = upper
    }
  }
}

extension TableSchema {
  /// Indicates whether `INSERT` can set the rowid in addition to the columns. An R-Tree's rowid is its first column.
  fileprivate var acceptsRowID: Bool {
    kind != .virtual || columns.contains { $0.kind == .hidden }
  }

  /// The key by which the rows can be read in batches, as quoted names; `nil` if there is no such key.
  fileprivate var batchKey: [String]? {
    if let rowIDName { return [rowIDName] }
    // Under another collation, distinct keys can be equal.
    let isPlain = isWithoutRowID && primaryKey.allSatisfy { $0.collation == "BINARY" }
    return isPlain ? primaryKey.map { SQLName.quoted($0.name) } : nil
  }
}

extension Connection {
  /// Throws an error if the task or the database access is cancelled.
  func checkCancelled() throws {
    try Task.checkCancellation()
    if handle.interrupter.isCancelled {
      throw SQLiteError(code: .interrupt, message: "the access was cancelled")
    }
  }
}

extension TableCopy {
  /// Adds the causing rows to an error of copying.
  fileprivate func describe(_ error: SQLiteError) -> SQLiteError {
    let parts = error.message.split(separator: temporary, omittingEmptySubsequences: false)
    let plain = error.replacingMessage(parts.joined(separator: plan.table.name))
    switch error.code {
    case .constraintNotNull:
      // The query for the rows can fail for other reasons.
      return (try? missingValues()).map { plain.replacingMessage($0) } ?? plain
    case .constraintUnique, .constraintPrimaryKey, .constraintRowID:
      guard let found = try? duplicates() else { return plain }
      return SQLiteError(
        code: .constraintUnique, message: "\(plain.message): \(found)", sql: plain.sql,
        offset: plain.offset, expandedSQL: plain.expandedSQL)
    default: return plain
    }
  }

  private func missingValues() throws -> String? {
    for column in new.columns where column.isNotNull && column.kind == .stored {
      let requirement = "column \(column.name) of \(plan.table.name) must not be NULL"
      guard let sql = value(of: column.name) else {
        if column.defaultSQL != nil { continue }
        let count = try connection.value(Int.self, "SELECT count(*) FROM \(table: plan.table)") ?? 0
        return
          "\(requirement), has no default, and no value is given for the \(count) existing rows"
      }
      if let found = try rows(without: sql) { return "\(requirement), but is NULL in \(found)" }
    }
    return nil
  }

  /// Describes the rows whose value for a column of the new table is NULL.
  fileprivate func missingValues(of column: String) throws -> String? {
    guard let sql = value(of: column), let found = try rows(without: sql) else { return nil }
    return "column \(column) of \(plan.table.name) must not be NULL, but is NULL in \(found)"
  }

  /// Describes the rows for which `sql` is NULL.
  private func rows(without sql: String) throws -> String? {
    let condition: SQL = "FROM \(table: plan.table) WHERE (\(unsafe: sql)) IS NULL"
    let count = try connection.value(Int.self, "SELECT count(*) \(sql: condition)") ?? 0
    guard count > 0 else { return nil }
    guard let rowID = old.rowIDName else { return "\(count) rows" }
    let rows = try connection.values(
      Int64.self, "SELECT \(identifier: rowID) \(sql: condition) LIMIT 5")
    let list = rows.map(String.init).joined(separator: ", ") + (count > rows.count ? ", …" : "")
    return "\(count) rows: \(list)"
  }

  private func duplicates() throws -> String? {
    var keys = new.indexes.filter(\.isUnique).map(\.keys)
    if let key = new.rowIDColumn {
      keys.append([.init(column: key)])
    }
    for key in keys {
      let parts: [SQL] = key.compactMap { part in
        part.column.flatMap { value(of: $0) }
          .map { "(\(unsafe: $0)) COLLATE \(identifier: part.collation)" }
      }
      guard parts.count == key.count else { continue }
      let found = try connection.duplicateKeys(
        parts, in: plan.table.name, schema: plan.table.schema)
      if !found.isEmpty { return found.listed(of: key.compactMap(\.column)) }
    }
    return nil
  }
}
