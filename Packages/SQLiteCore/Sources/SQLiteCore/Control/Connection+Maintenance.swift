extension Connection {
  /// What becomes of pages that deleted rows leave behind.
  public enum AutoVacuum: Int, Hashable, Sendable, CaseIterable {
    /// They are kept in the file, and used again.
    case off = 0
    /// Each commit takes them out of the file.
    case full = 1
    /// ``Connection/incrementalVacuum(pages:in:)`` takes them out of the file.
    case incremental = 2
  }
}

/// Care of the file.
extension Connection {
  /// Writes the file anew, without the space that deleted rows left.
  ///
  /// - Throws: ``SQLiteError`` with code ``SQLiteError/Code/insideTransaction`` inside a transaction;
  ///   ``SQLiteError/Code/busy`` where others use the file; ``SQLiteError/Code/error`` where a
  ///   statement stands at a row.
  /// - Complexity: O(*n*) in the size of the file, and as much space on the disk while it runs.
  public func vacuum(_ schema: String = "main") throws(SQLiteError) {
    try refuseTransaction("a database is vacuumed")
    try requireSchema(schema)
    try run("VACUUM \(identifier: schema)")
  }

  /// Writes a copy of the database to another file, without the space that deleted rows left.
  ///
  /// The copy is what a read sees: other connections go on. SQLite does not write over a file that
  /// has something in it.
  ///
  /// - Throws: As ``vacuum(_:)``; ``SQLiteError/Code/cannotOpen``; ``SQLiteError/Code/error`` where
  ///   the file is not empty.
  public func vacuum(_ schema: String = "main", into path: String) throws(SQLiteError) {
    try refuseTransaction("a database is vacuumed")
    try requireSchema(schema)
    let path = try Database.Location.checked(path, "path")
    try run("VACUUM \(identifier: schema) INTO ?1", path)
  }

  /// What becomes of pages that deleted rows leave behind.
  ///
  /// - Throws: ``SQLiteError`` with code ``SQLiteError/Code/unknownSchema``.
  public func autoVacuum(in schema: String = "main") throws(SQLiteError) -> AutoVacuum {
    try pragma("auto_vacuum", as: Int.self, schema: schema).flatMap(AutoVacuum.init) ?? .off
  }

  /// Sets what becomes of pages that deleted rows leave behind.
  ///
  /// A database that has tables goes over to or from ``Connection/AutoVacuum/off`` at its next
  /// ``vacuum(_:)``.
  ///
  /// - Throws: ``SQLiteError`` with code ``SQLiteError/Code/unknownSchema``.
  public func setAutoVacuum(_ mode: AutoVacuum, in schema: String = "main") throws(SQLiteError) {
    try setPragma("auto_vacuum", to: .integer(Int64(mode.rawValue)), schema: schema)
  }

  /// Takes unused pages out of the file, of a database whose ``autoVacuum(in:)`` is
  /// ``Connection/AutoVacuum/incremental``; of another, nothing.
  ///
  /// - Parameters:
  ///   - pages: How many at most; `nil` for all.
  ///   - schema: `main`, `temp`, or what an attached database is called.
  /// - Throws: ``SQLiteError`` with code ``SQLiteError/Code/unknownSchema``.
  /// - Complexity: O(*n*) in the number of pages.
  public func incrementalVacuum(
    pages: Int? = nil, in schema: String = "main"
  ) throws(SQLiteError) {
    guard pages.map({ $0 > 0 }) ?? true else { return }
    let count = pages.map { SQLiteValue.integer(Int64(min($0, Int(Int32.max)))) }
    _ = try pragmaRows("incremental_vacuum", argument: count, schema: schema)
  }

  /// Gathers what SQLite's choice of indexes goes by.
  ///
  /// - Parameters:
  ///   - name: A table or an index; `nil` for all.
  ///   - schema: `main`, `temp`, or what an attached database is called.
  /// - Throws: ``SQLiteError`` with code ``SQLiteError/Code/unknownSchema``; with
  ///   ``SQLiteError/Code/error`` where there is no table or index of this name.
  /// - Complexity: O(*n*) in the size of the tables' indexes.
  public func analyze(_ name: String? = nil, in schema: String = "main") throws(SQLiteError) {
    try requireSchema(schema)
    if let name {
      try run("ANALYZE \(identifier: schema).\(identifier: name)")
    } else {
      try run("ANALYZE \(identifier: schema)")
    }
  }

  /// Gathers what SQLite's choice of indexes goes by where it seems out of date.
  ///
  /// It is meant to be called before a connection closes, and now and then on one that is open for
  /// long.
  ///
  /// - Throws: ``SQLiteError`` with code ``SQLiteError/Code/unknownSchema``.
  public func optimize(_ schema: String? = nil) throws(SQLiteError) {
    _ = try pragmaRows("optimize", schema: schema)
  }

  /// Builds an index, or all of a table, anew: after its collation or function has changed, say.
  ///
  /// - Parameters:
  ///   - name: A table or an index.
  ///   - schema: `main`, `temp`, or what an attached database is called.
  /// - Throws: As ``analyze(_:in:)``; with code ``SQLiteError/Code/constraintUnique`` where two
  ///   rows have the same key by now.
  /// - Complexity: O(*n* log *n*) in the number of rows.
  public func reindex(_ name: String, in schema: String = "main") throws(SQLiteError) {
    try requireSchema(schema)
    try run("REINDEX \(identifier: schema).\(identifier: name)")
  }

  /// Builds every index of every database of the connection anew.
  ///
  /// - Throws: ``SQLiteError`` with code ``SQLiteError/Code/constraintUnique`` where rows that an
  ///   index held apart are equal now, with ``SQLiteError/Code/readOnly`` or
  ///   ``SQLiteError/Code/busy`` where nothing can be written.
  public func reindexAll() throws(SQLiteError) { try run("REINDEX") }
}

/// The file's facts.
extension Connection {
  /// A number in the file that says which program it belongs to; 0 where none was set.
  ///
  /// - Throws: ``SQLiteError`` with code ``SQLiteError/Code/unknownSchema``.
  public func applicationID(of schema: String = "main") throws(SQLiteError) -> Int32 {
    try pragma("application_id", as: Int32.self, schema: schema) ?? 0
  }

  /// Sets the number in the file that says which program it belongs to.
  ///
  /// - Throws: ``SQLiteError`` with code ``SQLiteError/Code/unknownSchema``; where the file can't
  ///   be written.
  public func setApplicationID(
    _ id: Int32, of schema: String = "main"
  ) throws(SQLiteError) {
    try setPragma("application_id", to: .integer(Int64(id)), schema: schema)
  }

  /// A number in the file whose meaning is the program's; 0 where none was set.
  ///
  /// - Throws: ``SQLiteError`` with code ``SQLiteError/Code/unknownSchema``.
  public func userVersion(of schema: String = "main") throws(SQLiteError) -> Int32 {
    try pragma("user_version", as: Int32.self, schema: schema) ?? 0
  }

  /// Sets the number in the file whose meaning is the program's.
  ///
  /// - Throws: ``SQLiteError`` with code ``SQLiteError/Code/unknownSchema``; where the file can't
  ///   be written.
  public func setUserVersion(_ version: Int32, of schema: String = "main") throws(SQLiteError) {
    try setPragma("user_version", to: .integer(Int64(version)), schema: schema)
  }

  /// The bytes of a page.
  ///
  /// - Throws: ``SQLiteError`` with code ``SQLiteError/Code/unknownSchema``.
  public func pageSize(of schema: String = "main") throws(SQLiteError) -> Int {
    switch try pragma("page_size", as: SQLiteValue.self, schema: schema) {
    case .integer(let size): Int(size)
    // SQLCipher's answer for an encrypted database.
    case .text(let size): Int(size) ?? 0
    default: 0
    }
  }

  /// The pages of the database, with those that are not used.
  ///
  /// - Throws: ``SQLiteError`` with code ``SQLiteError/Code/unknownSchema``.
  public func pageCount(of schema: String = "main") throws(SQLiteError) -> Int {
    try pragma("page_count", as: Int.self, schema: schema) ?? 0
  }

  /// The pages that are not used.
  ///
  /// - Throws: ``SQLiteError`` with code ``SQLiteError/Code/unknownSchema``.
  public func freePageCount(of schema: String = "main") throws(SQLiteError) -> Int {
    try pragma("freelist_count", as: Int.self, schema: schema) ?? 0
  }

  /// The bytes of the database: its pages, wherever they are. A log beside the file is not counted.
  ///
  /// - Throws: ``SQLiteError`` with code ``SQLiteError/Code/unknownSchema``.
  public func byteCount(of schema: String = "main") throws(SQLiteError) -> Int {
    try pageCount(of: schema) * pageSize(of: schema)
  }

  /// A number that changes when another connection has committed to the file.
  ///
  /// It has a meaning in comparison with what this connection gave before.
  ///
  /// - Throws: ``SQLiteError`` with code ``SQLiteError/Code/unknownSchema``.
  public func dataVersion(of schema: String = "main") throws(SQLiteError) -> Int {
    try pragma("data_version", as: Int.self, schema: schema) ?? 0
  }
}

/// Bringing a write-ahead log into its file.
extension Connection {
  /// Brings the write-ahead log into the file, now.
  ///
  /// A database without a log is left as it is, which is not an error; nor is it one where other
  /// connections' locks are in the way: the result says so.
  ///
  /// ```swift
  /// let result = try connection.checkpoint(.truncate)
  /// if result.isBusy { print("\(result.logPages ?? 0) pages are left in the log") }
  /// ```
  ///
  /// - Parameters:
  ///   - mode: How hard it tries. All but ``Connection/CheckpointMode/passive`` wait for others' locks as the
  ///     ``Configuration/BusyPolicy`` says.
  ///   - schema: The database; `nil` for all, whereof the result shows `main`'s pages.
  /// - Throws: ``SQLiteError`` with code ``SQLiteError/Code/locked`` where this connection itself is
  ///   in a transaction that writes; ``SQLiteError/Code/unknownSchema``.
  @discardableResult
  public func checkpoint(
    _ mode: CheckpointMode = .passive, schema: String? = "main"
  ) throws(SQLiteError) -> CheckpointResult {
    if let schema { try requireSchema(schema) }
    return try handle.checkpoint(mode, schema: schema)
  }

  /// The length in pages from which on a commit brings the write-ahead log into the file; 0 for
  /// never.
  ///
  /// - Throws: ``SQLiteError`` with code ``SQLiteError/Code/closed``.
  public var automaticCheckpointPages: Int {
    get throws(SQLiteError) { try handle.automaticCheckpointPages() }
  }

  /// Sets from which length on a commit brings the write-ahead log into the file; 0 for never.
  ///
  /// It holds whether or not someone has subscribed to ``Hooks/walCommit(_:)``. SQL's own
  /// `PRAGMA wal_autocheckpoint` would drive such subscribers out.
  ///
  /// - Throws: ``SQLiteError`` with code ``SQLiteError/Code/closed``.
  public func setAutomaticCheckpoint(pages: Int) throws(SQLiteError) {
    try handle.setAutomaticCheckpoint(pages: pages)
  }

  /// The bytes that the file of a journal or log may keep when it is no longer needed; `nil` for no
  /// limit.
  ///
  /// - Throws: ``SQLiteError`` with code ``SQLiteError/Code/unknownSchema``.
  public func journalSizeLimit(in schema: String = "main") throws(SQLiteError) -> Int? {
    let limit = try pragma("journal_size_limit", as: Int.self, schema: schema) ?? -1
    return limit < 0 ? nil : limit
  }

  /// Sets the bytes that the file of a journal or log may keep when it is no longer needed; `nil` for
  /// no limit.
  ///
  /// - Throws: ``SQLiteError`` with code ``SQLiteError/Code/unknownSchema``.
  public func setJournalSizeLimit(_ bytes: Int?, in schema: String = "main") throws(SQLiteError) {
    let value = SQLiteValue.integer(Int64(max(-1, bytes ?? -1)))
    try setPragma("journal_size_limit", to: value, schema: schema)
  }
}
