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
