extension Connection {
  /// How far a backup has come.
  public struct BackupProgress: Hashable, Sendable {
    /// The pages that are yet to be copied. More than before, where the source has changed.
    public let remainingPages: Int
    /// The pages of the source.
    public let pageCount: Int

    /// How much is done, from 0 to 1.
    public var fraction: Double {
      pageCount == 0 ? 1 : Double(pageCount - remainingPages) / Double(pageCount)
    }
  }
}

extension Connection {
  /// Copies a database, page by page, over one of another connection.
  ///
  /// The source may be read and written meanwhile: what this connection writes goes into the copy too, what
  /// another one writes has the copy begin again. The destination is locked, and becomes the copy
  /// at the end, all at once: until then it is what it was, also where the copy is given up in
  /// the middle. Meanwhile its connection runs no statements. Its observers are told that everything has changed.
  ///
  /// ```swift
  /// let copy = try Connection(path: "copy.sqlite")
  /// try connection.backup(to: copy) { print($0.fraction) }
  /// ```
  ///
  /// - Parameters:
  ///   - destination: The connection that is written to.
  ///   - source: The database that is copied: `main`, or an attached one.
  ///   - target: The database that is written over.
  ///   - pagesPerStep: After how many pages `progress` is called, and other connections may write.
  ///   - progress: What it throws ends the copy.
  /// - Throws: What `progress` throws; ``SQLiteError`` with code
  ///   - ``SQLiteError/Code/misuse`` where both connections are one, or a step has no pages;
  ///   - ``SQLiteError/Code/databaseInUse`` where the destination is in a transaction or one of its
  ///     statements stands at a row, and where the source has written in a transaction that is open;
  ///   - ``SQLiteError/Code/pageSizeMismatch`` where the destination is in memory or has a write-ahead
  ///     log, and pages of another size;
  ///   - ``SQLiteError/Code/unknownSchema`` where there is no database of that name;
  ///   - ``SQLiteError/Code/busy`` or ``SQLiteError/Code/locked`` where another connection's lock lasts
  ///     longer than the destination's busy timeout;
  ///   - ``SQLiteError/Code/interrupt`` where the access was cancelled.
  public func backup(
    to destination: Connection, from source: String = "main", to target: String = "main",
    pagesPerStep: Int = 1_024, progress: (BackupProgress) throws -> Void = { _ in }
  ) throws {
    guard pagesPerStep > 0, let pages = Int32(exactly: pagesPerStep) else {
      throw SQLiteError(code: .misuse, message: "a step copies some pages, not \(pagesPerStep)")
    }
    try refuseBackup(to: destination, from: source, to: target)
    let sizes = try (pageSize(of: source), destination.pageSize(of: target))
    let backup = try BackupHandle(from: handle, source, to: destination.handle, target)
    // However it ends, the lock is gone when this returns.
    defer { try? backup.finish() }
    do {
      try copy(backup, pages, to: destination, target, progress: progress)
    } catch let error as SQLiteError where error.code == .readOnly && sizes.0 != sizes.1 {
      throw SQLiteError(
        code: .pageSizeMismatch,
        message: "pages of \(sizes.0) bytes can't replace those of \(sizes.1) bytes in a database "
          + "that is in memory or has a write-ahead log")
    }
  }

  private func refuseBackup(
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
        message: "the database to write over is in a transaction, or a statement stands at a row")
    }
    guard sourceState != .write else {
      throw SQLiteError(
        code: .databaseInUse, message: "the database to copy is in a transaction that has written")
    }
    guard !destination.configuration.isReadOnly else {
      throw SQLiteError(code: .readOnly, message: "the destination was opened for reading")
    }
  }

  /// Takes the copy to its end, or gives it up.
  private func copy(
    _ backup: BackupHandle, _ pages: Int32, to destination: Connection, _ target: String,
    progress: (BackupProgress) throws -> Void
  ) throws {
    let patience = destination.configuration.busyTimeout
    var lastProgress = ContinuousClock.now
    while true {
      if handle.interrupter.isCancelled || destination.handle.interrupter.isCancelled {
        throw SQLiteError(code: .interrupt, message: "the access was cancelled")
      }
      switch try backup.step(pages: pages) {
      case .locked(let error):
        guard ContinuousClock.now - lastProgress < patience else { throw error }
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
  /// The bytes of a database, as a file of it would have them.
  ///
  /// What this connection has written in a transaction that is open is among them, and what a write-ahead
  /// log holds. A database that was never written to has none up to release 3.42 of SQLite, and one page since.
  /// One that was deserialized can't be serialized inside a transaction that writes.
  ///
  /// ```swift
  /// let bytes = try connection.serialized()
  /// let copy = try Connection(deserializing: bytes)
  /// ```
  ///
  /// - Parameter schema: `main`, `temp`, or the name of an attached database.
  /// - Throws: ``SQLiteError`` with code ``SQLiteError/Code/unknownSchema`` where there is no such database,
  ///   with ``SQLiteError/Code/databaseInUse`` where one that was deserialized is in a
  ///   transaction that writes; as reading does.
  /// - Complexity: O(*n*) in the size of the database, which is in memory twice for a moment.
  public func serialized(_ schema: String = "main") throws(SQLiteError) -> [UInt8] {
    try handle.serialize(schema)
  }

  /// Replaces a database by one in memory that `bytes` are the content of.
  ///
  /// What was there is let go: a file stays as it is, and is no longer this connection's. The bytes are copied;
  /// an image of a database with a write-ahead log, which memory can't have, is taken as one without. What
  /// a log beside the file held is not part of the file's bytes. No bytes are an empty database.
  /// Observers are told that everything has changed. Temporary triggers stay, and belong to the new tables of
  /// the same names.
  ///
  /// SQLite ties a table that is there without being created, `json_each` say, to the database that is `main`
  /// when the connection first names it. The `pragma_` functions and `holt_array` are made anew for the new
  /// one. Where another was named, a `main` in memory is written over with the new content instead; one that
  /// can't be, and a new one that is to be read only or limited, is refused: deserialize before such a table
  /// is named, into a connection of its own, or into an attached database.
  ///
  /// - Parameters:
  ///   - bytes: A database file's, or what ``serialized(_:)`` gave.
  ///   - schema: `main`, or the name of an attached database.
  ///   - isReadOnly: Whether it may not be written.
  ///   - maximumSize: How many bytes it may grow to; beyond them, writing is
  ///     ``SQLiteError/Code/full``. `nil` for SQLite's own limit, one gigabyte.
  /// - Throws: ``SQLiteError`` with code ``SQLiteError/Code/notADatabase`` or
  ///   ``SQLiteError/Code/corrupt`` where the bytes are no database, with
  ///   ``SQLiteError/Code/databaseInUse`` inside a transaction, while a statement stands at a row, and
  ///   while a blob, a session or a backup is open, and where a table in use ties the connection to what it has.
  ///   The database is as it was then. Damage that only shows further inside of it is found when that is
  ///   read.
  public func deserialize(
    _ bytes: [UInt8], into schema: String = "main", isReadOnly: Bool = false,
    maximumSize: Int? = nil
  ) throws(SQLiteError) {
    contentGeneration = .random(in: 1 ... .max)
    cache.removeAll()
    try handle.deserialize(bytes, into: schema, isReadOnly: isReadOnly, maximumSize: maximumSize)
  }

  /// Opens a database in memory that begins with the content that `bytes` are.
  ///
  /// - Parameters:
  ///   - bytes: A database file's, or what ``serialized(_:)`` gave.
  ///   - configuration: How it is opened. What prepares the connection runs before, on an empty database.
  ///   - isReadOnly: Whether it may not be written, as with ``Configuration/isReadOnly``.
  ///   - maximumSize: How many bytes it may grow to.
  /// - Throws: As ``deserialize(_:into:isReadOnly:maximumSize:)``.
  public convenience init(
    deserializing bytes: [UInt8], configuration: Configuration = Configuration(),
    isReadOnly: Bool = false, maximumSize: Int? = nil
  ) throws {
    try self.init(path: ":memory:", configuration: configuration)
    try deserialize(
      bytes, isReadOnly: isReadOnly || configuration.isReadOnly, maximumSize: maximumSize)
  }
}
