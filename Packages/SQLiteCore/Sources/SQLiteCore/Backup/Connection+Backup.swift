extension Connection {
  /// The progress of a backup.
  public struct BackupProgress: Hashable, Sendable {
    /// The number of remaining pages. Increases if the source changes.
    public let remainingPages: Int
    /// The number of pages of the source.
    public let pageCount: Int

    /// The completed fraction, from 0 to 1.
    public var fraction: Double {
      pageCount == 0 ? 1 : Double(pageCount - remainingPages) / Double(pageCount)
    }
  }
}

extension Connection {
  /// Copies a database, page by page, over a database of another connection.
  ///
  /// The source can be read and written during the backup: writes by this connection are included in the copy; a write
  /// by another connection restarts the backup. The destination is locked, and is replaced atomically at the end; if
  /// the backup fails, it is unchanged. Its connection can't run statements during the backup. Its observers are
  /// notified that everything has changed.
  ///
  /// ```swift
  /// let copy = try Connection(path: "copy.sqlite")
  /// try connection.backup(to: copy) { print($0.fraction) }
  /// ```
  ///
  /// - Parameters:
  ///   - destination: The connection of the destination.
  ///   - source: The schema to copy: `main`, or an attached database.
  ///   - target: The destination's schema to overwrite.
  ///   - pagesPerStep: The number of pages after which `progress` is called and other connections can write.
  ///   - progress: Called after each step. An error that it throws ends the backup.
  /// - Throws: Any error that `progress` throws; ``SQLiteError`` with code
  ///   - ``SQLiteError/Code/misuse`` if both connections are the same, or `pagesPerStep` is not positive;
  ///   - ``SQLiteError/Code/databaseInUse`` if the destination is in a transaction or has a statement that has not
  ///     ended, or if the source has an open transaction that has written;
  ///   - ``SQLiteError/Code/pageSizeMismatch`` if the page sizes differ and the destination is in memory or has a
  ///     write-ahead log;
  ///   - ``SQLiteError/Code/unknownSchema`` if there is no database with that name;
  ///   - ``SQLiteError/Code/busy`` or ``SQLiteError/Code/locked`` if another connection holds a lock longer than the
  ///     destination's busy timeout;
  ///   - ``SQLiteError/Code/interrupt`` if the access is cancelled.
  public func backup(
    to destination: Connection, from source: String = "main", to target: String = "main",
    pagesPerStep: Int = 1_024, progress: (BackupProgress) throws -> Void = { _ in }
  ) throws {
    guard pagesPerStep > 0, let pages = Int32(exactly: pagesPerStep) else {
      throw SQLiteError(
        code: .misuse, message: "pagesPerStep must be positive, got \(pagesPerStep)")
    }
    try checkBackupAllowed(to: destination, from: source, to: target)
    let sizes = try (pageSize(of: source), destination.pageSize(of: target))
    let backup = try BackupHandle(from: handle, source, to: destination.handle, target)
    // Releases the lock even if the backup fails.
    defer { try? backup.finish() }
    do {
      try copy(backup, pages, to: destination, target, progress: progress)
    } catch let error as SQLiteError where error.code == .readOnly && sizes.0 != sizes.1 {
      throw SQLiteError(
        code: .pageSizeMismatch,
        message: "the page size of \(sizes.1) bytes can't change to \(sizes.0) bytes in a database "
          + "that is in memory or has a write-ahead log")
    }
  }

  private func checkBackupAllowed(
    to destination: Connection, from source: String, to target: String
  ) throws(SQLiteError) {
    let sourceState = try handle.transactionState(of: source)
    let targetState = try destination.handle.transactionState(of: target)
    guard handle !== destination.handle else {
      throw SQLiteError(code: .misuse, message: "a connection can't be copied to itself")
    }
    guard targetState == .none, !destination.isInTransaction else {
      throw SQLiteError(
        code: .databaseInUse,
        message: "the destination is in a transaction, or a statement has not ended")
    }
    guard sourceState != .write else {
      throw SQLiteError(
        code: .databaseInUse, message: "the source is in a transaction that has written")
    }
    guard !destination.configuration.isReadOnly else {
      throw SQLiteError(code: .readOnly, message: "the destination is read-only")
    }
  }

  /// Runs the backup until it is complete or fails.
  private func copy(
    _ backup: BackupHandle, _ pages: Int32, to destination: Connection, _ target: String,
    progress: (BackupProgress) throws -> Void
  ) throws {
    let busyTimeout = destination.configuration.busyTimeout
    var lastProgress = ContinuousClock.now
    while true {
      if handle.interrupter.isCancelled || destination.handle.interrupter.isCancelled {
        throw SQLiteError(code: .interrupt, message: "the access was cancelled")
      }
      switch try backup.step(pages: pages) {
      case .locked(let error):
        guard ContinuousClock.now - lastProgress < busyTimeout else { throw error }
        ConnectionHandle.pause(milliseconds: 2)
      case .more:
        try progress(
          BackupProgress(remainingPages: backup.remainingPages, pageCount: backup.pageCount))
        lastProgress = .now
      case .done:
        let end = BackupProgress(remainingPages: 0, pageCount: backup.pageCount)
        try backup.finish()
        destination.handle.hooks.databaseWasReplaced()
        try progress(end)
        return
      }
    }
  }
}

extension Connection {
  /// Returns the bytes of a database, in the format of a database file.
  ///
  /// The bytes include the changes of this connection's open transaction, and the content of a write-ahead log. A
  /// database that was never written to has no bytes up to release 3.42 of SQLite, and one page since. A deserialized
  /// database can't be serialized inside a transaction that writes.
  ///
  /// ```swift
  /// let bytes = try connection.serialized()
  /// let copy = try Connection(deserializing: bytes)
  /// ```
  ///
  /// - Parameter schema: `main`, `temp`, or the name of an attached database.
  /// - Throws: ``SQLiteError`` with code ``SQLiteError/Code/unknownSchema`` if there is no such database, or
  ///   ``SQLiteError/Code/databaseInUse`` if a deserialized database is in a transaction that writes; the errors of
  ///   reading.
  /// - Complexity: O(*n*) in the size of the database, which is temporarily in memory twice.
  public func serialized(_ schema: String = "main") throws(SQLiteError) -> [UInt8] {
    try handle.serialize(schema)
  }

  /// Replaces a database with an in-memory database that contains `bytes`.
  ///
  /// The previous database is detached: a file remains unchanged, and no longer belongs to this connection. The bytes
  /// are copied. The image of a database in WAL mode, which is not available in memory, is opened without a write-ahead
  /// log; the content of a separate log file is not part of the bytes. Empty bytes are an empty database. Observers are
  /// notified that everything has changed. Temporary triggers remain, and apply to the new tables with the same names.
  ///
  /// SQLite binds an eponymous virtual table, such as `json_each`, to the database that is `main` at its first use. The
  /// `pragma_` functions and `array_each` are recreated for the new database. If another one was used, an in-memory
  /// `main` is overwritten with the new content instead; if that is not possible, or the new database must be read-only
  /// or limited in size, an error is thrown. In that case, deserialize before the first use of such a table, into a new
  /// connection, or into an attached database.
  ///
  /// - Parameters:
  ///   - bytes: The bytes of a database file, or the result of ``serialized(_:)``.
  ///   - schema: `main`, or the name of an attached database.
  ///   - isReadOnly: Whether the database is read-only.
  ///   - maximumSize: The maximum size in bytes, beyond which writing fails with ``SQLiteError/Code/full``. `nil` for
  ///     SQLite's default limit, one gigabyte.
  /// - Throws: ``SQLiteError`` with code ``SQLiteError/Code/notADatabase`` or ``SQLiteError/Code/corrupt`` if the bytes
  ///   are not a database; ``SQLiteError/Code/databaseInUse`` inside a transaction, while a statement has not ended,
  ///   while a blob, a session or a backup is open, and if a table in use binds the connection to its current database.
  ///   The database is unchanged then. Damage in a part that is not read here is detected when that part is read.
  public func deserialize(
    _ bytes: [UInt8], into schema: String = "main", isReadOnly: Bool = false,
    maximumSize: Int? = nil
  ) throws(SQLiteError) {
    contentGeneration = .random(in: 1 ... .max)
    cache.removeAll()
    try handle.deserialize(bytes, into: schema, isReadOnly: isReadOnly, maximumSize: maximumSize)
  }

  /// Opens an in-memory database with the content of `bytes`.
  ///
  /// - Parameters:
  ///   - bytes: The bytes of a database file, or the result of ``serialized(_:)``.
  ///   - configuration: The configuration. ``Configuration/prepare`` is called before, with an empty database.
  ///   - isReadOnly: Whether the database is read-only, as with ``Configuration/isReadOnly``.
  ///   - maximumSize: The maximum size in bytes.
  /// - Throws: The same errors as ``deserialize(_:into:isReadOnly:maximumSize:)``.
  public convenience init(
    deserializing bytes: [UInt8], configuration: Configuration = Configuration(),
    isReadOnly: Bool = false, maximumSize: Int? = nil
  ) throws {
    try self.init(path: ":memory:", configuration: configuration)
    try deserialize(
      bytes, isReadOnly: isReadOnly || configuration.isReadOnly, maximumSize: maximumSize)
  }
}
