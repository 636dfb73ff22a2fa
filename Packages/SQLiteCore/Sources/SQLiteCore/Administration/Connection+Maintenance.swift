extension Connection {
  /// The handling of unused pages.
  public enum AutoVacuum: Int, Hashable, Sendable, CaseIterable {
    /// Unused pages are kept in the file and reused.
    case off = 0
    /// Each commit removes unused pages from the file.
    case full = 1
    /// ``Connection/incrementalVacuum(pages:in:)`` removes unused pages from the file.
    case incremental = 2
  }
}

/// Maintenance of the file.
extension Connection {
  /// Rebuilds the file without unused space.
  ///
  /// - Throws: ``SQLiteError`` with code ``SQLiteError/Code/insideTransaction`` inside a transaction;
  ///   ``SQLiteError/Code/busy`` if other connections use the file; ``SQLiteError/Code/error`` if a statement has not
  ///   ended.
  /// - Complexity: O(*n*) in the size of the file, with the same amount of temporary disk space.
  public func vacuum(_ schema: String = "main") throws(SQLiteError) {
    try checkNotInTransaction("a database can be vacuumed")
    try requireSchema(schema)
    try run("VACUUM \(identifier: schema)")
  }

  /// Writes a copy of the database to another file, without unused space.
  ///
  /// The copy contains the state that a read sees, and other connections are not blocked. SQLite does not overwrite a
  /// file that has content.
  ///
  /// - Throws: The same errors as ``vacuum(_:)``; ``SQLiteError/Code/cannotOpen``; ``SQLiteError/Code/error`` if the
  ///   file is not empty.
  public func vacuum(_ schema: String = "main", into path: String) throws(SQLiteError) {
    try checkNotInTransaction("a database can be vacuumed")
    try requireSchema(schema)
    let path = try Database.Location.checked(path, "path")
    try run("VACUUM \(identifier: schema) INTO ?1", path)
  }

  /// Returns the handling of unused pages.
  ///
  /// - Throws: ``SQLiteError`` with code ``SQLiteError/Code/unknownSchema``.
  public func autoVacuum(in schema: String = "main") throws(SQLiteError) -> AutoVacuum {
    try pragma("auto_vacuum", as: Int.self, schema: schema).flatMap(AutoVacuum.init) ?? .off
  }

  /// Sets the handling of unused pages.
  ///
  /// For a database with tables, a change to or from ``Connection/AutoVacuum/off`` takes effect at the next
  /// ``vacuum(_:)``.
  ///
  /// - Throws: ``SQLiteError`` with code ``SQLiteError/Code/unknownSchema``.
  public func setAutoVacuum(_ mode: AutoVacuum, in schema: String = "main") throws(SQLiteError) {
    try setPragma("auto_vacuum", to: .integer(Int64(mode.rawValue)), schema: schema)
  }

  /// Removes unused pages from the file of a database whose ``autoVacuum(in:)`` is
  /// ``Connection/AutoVacuum/incremental``. Does nothing for other databases.
  ///
  /// - Parameters:
  ///   - pages: The maximum number of pages, or `nil` for all.
  ///   - schema: `main`, `temp`, or the name of an attached database.
  /// - Throws: ``SQLiteError`` with code ``SQLiteError/Code/unknownSchema``.
  /// - Complexity: O(*n*) in the number of pages.
  public func incrementalVacuum(
    pages: Int? = nil, in schema: String = "main"
  ) throws(SQLiteError) {
    guard pages.map({ $0 > 0 }) ?? true else { return }
    let count = pages.map { SQLiteValue.integer(Int64(min($0, Int(Int32.max)))) }
    _ = try pragmaRows("incremental_vacuum", argument: count, schema: schema)
  }

  /// Collects statistics for SQLite's query planner.
  ///
  /// - Parameters:
  ///   - name: A table or an index; `nil` for all.
  ///   - schema: `main`, `temp`, or the name of an attached database.
  /// - Throws: ``SQLiteError`` with code ``SQLiteError/Code/unknownSchema``, or ``SQLiteError/Code/error`` if there is
  ///   no table or index with this name.
  /// - Complexity: O(*n*) in the size of the tables' indexes.
  public func analyze(_ name: String? = nil, in schema: String = "main") throws(SQLiteError) {
    try requireSchema(schema)
    if let name {
      try run("ANALYZE \(identifier: schema).\(identifier: name)")
    } else {
      try run("ANALYZE \(identifier: schema)")
    }
  }

  /// Updates outdated statistics for SQLite's query planner.
  ///
  /// Call it before a connection closes, and periodically on a long-lived connection.
  ///
  /// - Throws: ``SQLiteError`` with code ``SQLiteError/Code/unknownSchema``.
  public func optimize(_ schema: String? = nil) throws(SQLiteError) {
    _ = try pragmaRows("optimize", schema: schema)
  }

  /// Rebuilds an index, or all indexes of a table, for example after a change of a collation or function.
  ///
  /// - Parameters:
  ///   - name: A table or an index.
  ///   - schema: `main`, `temp`, or the name of an attached database.
  /// - Throws: The same errors as ``analyze(_:in:)``; ``SQLiteError/Code/constraintUnique`` if two rows have the same
  ///   key now.
  /// - Complexity: O(*n* log *n*) in the number of rows.
  public func reindex(_ name: String, in schema: String = "main") throws(SQLiteError) {
    try requireSchema(schema)
    try run("REINDEX \(identifier: schema).\(identifier: name)")
  }

  /// Rebuilds every index in every database of the connection.
  ///
  /// - Throws: ``SQLiteError`` with code ``SQLiteError/Code/constraintUnique`` if two rows have the same key now, or
  ///   ``SQLiteError/Code/readOnly`` or ``SQLiteError/Code/busy`` if the database can't be written.
  public func reindexAll() throws(SQLiteError) { try run("REINDEX") }
}

/// Properties of the file.
extension Connection {
  /// Returns the application ID in the file, or 0 if none was set.
  ///
  /// - Throws: ``SQLiteError`` with code ``SQLiteError/Code/unknownSchema``.
  public func applicationID(of schema: String = "main") throws(SQLiteError) -> Int32 {
    try pragma("application_id", as: Int32.self, schema: schema) ?? 0
  }

  /// Sets the application ID in the file.
  ///
  /// - Throws: ``SQLiteError`` with code ``SQLiteError/Code/unknownSchema``, or if the file can't be written.
  public func setApplicationID(
    _ id: Int32, of schema: String = "main"
  ) throws(SQLiteError) {
    try setPragma("application_id", to: .integer(Int64(id)), schema: schema)
  }

  /// Returns the user version in the file, or 0 if none was set.
  ///
  /// - Throws: ``SQLiteError`` with code ``SQLiteError/Code/unknownSchema``.
  public func userVersion(of schema: String = "main") throws(SQLiteError) -> Int32 {
    try pragma("user_version", as: Int32.self, schema: schema) ?? 0
  }

  /// Sets the user version in the file.
  ///
  /// - Throws: ``SQLiteError`` with code ``SQLiteError/Code/unknownSchema``, or if the file can't be written.
  public func setUserVersion(_ version: Int32, of schema: String = "main") throws(SQLiteError) {
    try setPragma("user_version", to: .integer(Int64(version)), schema: schema)
  }

  /// Returns the page size in bytes.
  ///
  /// - Throws: ``SQLiteError`` with code ``SQLiteError/Code/unknownSchema``.
  public func pageSize(of schema: String = "main") throws(SQLiteError) -> Int {
    switch try pragma("page_size", as: SQLiteValue.self, schema: schema) {
    case .integer(let size): Int(size)
    // The result of SQLCipher for an encrypted database.
    case .text(let size): Int(size) ?? 0
    default: 0
    }
  }

  /// Returns the number of pages, including unused ones.
  ///
  /// - Throws: ``SQLiteError`` with code ``SQLiteError/Code/unknownSchema``.
  public func pageCount(of schema: String = "main") throws(SQLiteError) -> Int {
    try pragma("page_count", as: Int.self, schema: schema) ?? 0
  }

  /// Returns the number of unused pages.
  ///
  /// - Throws: ``SQLiteError`` with code ``SQLiteError/Code/unknownSchema``.
  public func freePageCount(of schema: String = "main") throws(SQLiteError) -> Int {
    try pragma("freelist_count", as: Int.self, schema: schema) ?? 0
  }

  /// Returns the size of the database's pages in bytes, without the write-ahead log.
  ///
  /// - Throws: ``SQLiteError`` with code ``SQLiteError/Code/unknownSchema``.
  public func byteCount(of schema: String = "main") throws(SQLiteError) -> Int {
    try pageCount(of: schema) * pageSize(of: schema)
  }

  /// Returns a number that changes when another connection has committed to the file.
  ///
  /// Only comparisons with earlier results of the same connection are meaningful.
  ///
  /// - Throws: ``SQLiteError`` with code ``SQLiteError/Code/unknownSchema``.
  public func dataVersion(of schema: String = "main") throws(SQLiteError) -> Int {
    try pragma("data_version", as: Int.self, schema: schema) ?? 0
  }
}

/// Checkpoints of a write-ahead log.
extension Connection {
  /// Runs a checkpoint, which transfers the write-ahead log to the file.
  ///
  /// A database without a write-ahead log is unchanged, which is not an error. Locks of other connections are not an
  /// error either, and are reported in the result.
  ///
  /// ```swift
  /// let result = try connection.checkpoint(.truncate)
  /// if result.isBusy { print("\(result.logPages ?? 0) pages are left in the log") }
  /// ```
  ///
  /// - Parameters:
  ///   - mode: The checkpoint mode. All modes except ``Connection/CheckpointMode/passive`` wait for other connections'
  ///     locks according to the ``Configuration/BusyPolicy``.
  ///   - schema: The database, or `nil` for all. The result then contains the pages of `main`.
  /// - Throws: ``SQLiteError`` with code ``SQLiteError/Code/locked`` if this connection is in a transaction that
  ///   writes; ``SQLiteError/Code/unknownSchema``.
  @discardableResult
  public func checkpoint(
    _ mode: CheckpointMode = .passive, schema: String? = "main"
  ) throws(SQLiteError) -> CheckpointResult {
    if let schema { try requireSchema(schema) }
    return try handle.checkpoint(mode, schema: schema)
  }

  /// The number of pages in the write-ahead log that triggers a checkpoint after a commit, or 0 for no
  /// automatic checkpoints.
  ///
  /// - Throws: ``SQLiteError`` with code ``SQLiteError/Code/closed``.
  public var automaticCheckpointPages: Int {
    get throws(SQLiteError) { try handle.automaticCheckpointPages() }
  }

  /// Sets the number of pages in the write-ahead log that triggers a checkpoint after a commit, or 0 for no
  /// automatic checkpoints.
  ///
  /// The setting is independent of subscriptions to ``Hooks/walCommit(_:)``. `PRAGMA wal_autocheckpoint` would replace
  /// the subscribers' hook.
  ///
  /// - Throws: ``SQLiteError`` with code ``SQLiteError/Code/closed``.
  public func setAutomaticCheckpoint(pages: Int) throws(SQLiteError) {
    try handle.setAutomaticCheckpoint(pages: pages)
  }

  /// Returns the size in bytes to which an unused journal or log file is truncated, or `nil` for no limit.
  ///
  /// - Throws: ``SQLiteError`` with code ``SQLiteError/Code/unknownSchema``.
  public func journalSizeLimit(in schema: String = "main") throws(SQLiteError) -> Int? {
    let limit = try pragma("journal_size_limit", as: Int.self, schema: schema) ?? -1
    return limit < 0 ? nil : limit
  }

  /// Sets the size in bytes to which an unused journal or log file is truncated, or `nil` for no limit.
  ///
  /// - Throws: ``SQLiteError`` with code ``SQLiteError/Code/unknownSchema``.
  public func setJournalSizeLimit(_ bytes: Int?, in schema: String = "main") throws(SQLiteError) {
    let value = SQLiteValue.integer(Int64(max(-1, bytes ?? -1)))
    try setPragma("journal_size_limit", to: value, schema: schema)
  }
}

extension Connection {
  /// A row that refers to a row that does not exist.
  public struct ForeignKeyViolation: Hashable, Sendable {
    /// The table that contains the row.
    public let table: String
    /// The row's rowid, or `nil` in a table without rowids.
    public let rowID: RowID?
    /// The referenced table.
    public let parentTable: String
    /// The foreign key, or `nil` if the table's foreign keys can't be read.
    public let foreignKey: TableSchema.ForeignKey?
  }
}

extension Connection {
  /// Checks the integrity of the file: its structure, its indexes, and `NOT NULL`, `CHECK` and `UNIQUE` constraints.
  ///
  /// - Parameters:
  ///   - schema: The database.
  ///   - table: The table to check, or `nil` for all.
  ///   - maximumErrors: The maximum number of problems to find. If a table is given, SQLite determines the number.
  /// - Returns: SQLite's descriptions of the problems, or an empty array if there are none.
  /// - Throws: ``SQLiteError`` if the file is too damaged to be checked: ``SQLiteError/Code/corrupt`` or
  ///   ``SQLiteError/Code/notADatabase``; ``SQLiteError/Code/error`` if there is no such table;
  ///   ``SQLiteError/Code/unknownSchema``.
  /// - Complexity: O(*n* log *n*) in the size of the file.
  public func integrityCheck(
    in schema: String = "main", table: String? = nil, maximumErrors: Int = 100
  ) throws(SQLiteError) -> [String] {
    try check("integrity_check", in: schema, table: table, maximumErrors: maximumErrors)
  }

  /// Checks the integrity of the file as ``integrityCheck(in:table:maximumErrors:)`` does, without comparing indexes
  /// with their tables.
  ///
  /// - Throws: The same errors as ``integrityCheck(in:table:maximumErrors:)``.
  /// - Complexity: O(*n*) in the size of the file.
  public func quickCheck(
    in schema: String = "main", table: String? = nil, maximumErrors: Int = 100
  ) throws(SQLiteError) -> [String] {
    try check("quick_check", in: schema, table: table, maximumErrors: maximumErrors)
  }

  private func check(
    _ pragma: String, in schema: String, table: String?, maximumErrors: Int
  ) throws(SQLiteError) -> [String] {
    let argument = table.map { SQLiteValue.text($0) } ?? .integer(Int64(max(1, maximumErrors)))
    let rows = try pragmaRows(pragma, argument: argument, schema: schema)
    let lines = rows.compactMap { row in
      if case .text(let text)? = row.first { text } else { nil }
    }
    return lines == ["ok"] ? [] : lines
  }

  /// Returns the rows that refer to rows that do not exist.
  ///
  /// Even if foreign keys are enforced, there can be rows that were written while they were not.
  ///
  /// ```swift
  /// for violation in try connection.foreignKeyViolations() {
  ///   print(violation.table, violation.rowID?.rawValue ?? 0, "→", violation.parentTable)
  /// }
  /// ```
  ///
  /// - Throws: ``SQLiteError`` with code ``SQLiteError/Code/error`` if there is no such table, or a foreign key does
  ///   not match its parent table; ``SQLiteError/Code/unknownSchema``.
  public func foreignKeyViolations(
    of table: String? = nil, in schema: String = "main"
  ) throws -> [ForeignKeyViolation] {
    var keysByTable: [String: [TableSchema.ForeignKey]] = [:]
    let rows = try pragmaRows(
      "foreign_key_check", argument: table.map { .text($0) }, schema: schema)
    return try rows.compactMap { row in
      guard case .text(let table) = row[0], case .text(let parent) = row[2],
        case .integer(let id) = row[3]
      else { return nil }
      let keys = try keysByTable[table] ?? foreignKeys(of: table, in: schema)
      keysByTable[table] = keys
      var rowID: RowID?
      if case .integer(let key) = row[1] { rowID = RowID(rawValue: key) }
      return ForeignKeyViolation(
        table: table, rowID: rowID, parentTable: parent,
        foreignKey: keys.first { $0.id == Int(id) })
    }
  }
}
