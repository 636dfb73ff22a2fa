extension Database {
  /// Copies the database, as it is at this moment, over a file. The calling thread waits.
  ///
  /// Others read and write meanwhile, and what they write is not in the copy; a database in memory has one
  /// connection, which is taken until the end. The file becomes the copy at the end, all at once; it is
  /// created where it does not exist, and left empty then if the copy is given up.
  ///
  /// ```swift
  /// try await database.backup(to: "copy.sqlite") { print($0.fraction) }
  /// ```
  ///
  /// - Parameters:
  ///   - path: The file. A database that is there must not be in use.
  ///   - pagesPerStep: After how many pages `progress` is called.
  ///   - progress: What it throws ends the copy.
  /// - Throws: As ``Connection/backup(to:from:to:pagesPerStep:progress:)``, and as opening `path` does.
  public func backup(
    to path: String, pagesPerStep: Int = 1_024,
    progress: (Connection.BackupProgress) throws -> Void = { _ in }
  ) throws {
    try read { try Self.copy($0, to: path, pagesPerStep, progress) }
  }

  /// Copies the database, as it is at this moment, over another one. The calling thread waits.
  ///
  /// The other database's observers are told that everything has changed. Two databases may be copied to each
  /// other at the same time: one copy comes after the other.
  ///
  /// - Throws: As ``Connection/backup(to:from:to:pagesPerStep:progress:)``; with code
  ///   ``SQLiteError/Code/nestedAccess`` where both databases are one, and inside an access to either.
  public func backup(
    to other: Database, pagesPerStep: Int = 1_024,
    progress: (Connection.BackupProgress) throws -> Void = { _ in }
  ) throws {
    try refuse(copyingTo: other)
    try refuseNesting()
    try other.refuseNesting()
    if isBefore(other) {
      try read { source in
        try other.writeWithoutTransaction { try Self.copy(source, to: $0, pagesPerStep, progress) }
      }
    } else {
      try other.writeWithoutTransaction { destination in
        try read { try Self.copy($0, to: destination, pagesPerStep, progress) }
      }
    }
  }

  /// Copies the database, as it is at this moment, over a file, on a thread of the database.
  ///
  /// Cancelling the task ends the copy, which leaves the file as it was.
  public func backup(
    to path: String, pagesPerStep: Int = 1_024,
    progress: @escaping @Sendable (Connection.BackupProgress) throws -> Void = { _ in }
  ) async throws {
    try await read { try Self.copy($0, to: path, pagesPerStep, progress) }
  }

  /// Copies the database, as it is at this moment, over another one, on a thread of one of them.
  ///
  /// Cancelling the task ends the copy, which leaves the other database as it was.
  public func backup(
    to other: Database, pagesPerStep: Int = 1_024,
    progress: @escaping @Sendable (Connection.BackupProgress) throws -> Void = { _ in }
  ) async throws {
    try refuse(copyingTo: other)
    try refuseWaitingForOwnTask()
    try other.refuseWaitingForOwnTask()
    if isBefore(other) {
      try await read { source in
        try other.writeWithoutTransaction { try Self.copy(source, to: $0, pagesPerStep, progress) }
      }
    } else {
      try await other.writeWithoutTransaction { destination in
        try self.read { try Self.copy($0, to: destination, pagesPerStep, progress) }
      }
    }
  }

  /// Which of two databases is asked for a connection first: always the same one, so that copies in both
  /// directions don't each hold what the other waits for.
  private func isBefore(_ other: Database) -> Bool { readers.group < other.readers.group }

  private func refuse(copyingTo other: Database) throws(SQLiteError) {
    guard other !== self else {
      throw SQLiteError(code: .nestedAccess, message: "a database can't be copied to itself")
    }
  }

  private static func copy(
    _ source: Connection, to destination: Connection, _ pagesPerStep: Int,
    _ progress: (Connection.BackupProgress) throws -> Void
  ) throws {
    try beginSnapshot(source)
    try source.backup(to: destination, pagesPerStep: pagesPerStep, progress: progress)
  }

  private static func copy(
    _ source: Connection, to path: String, _ pagesPerStep: Int,
    _ progress: (Connection.BackupProgress) throws -> Void
  ) throws {
    try beginSnapshot(source)
    // Without a log, the file can take on the source's page size; its journal mode comes with the pages.
    var configuration = Configuration()
    configuration.journalMode = .delete
    configuration.busyTimeout = source.configuration.busyTimeout
    configuration.virtualFileSystem = source.configuration.virtualFileSystem
    let destination = try Connection(path: path, configuration: configuration)
    try source.backup(to: destination, pagesPerStep: pagesPerStep, progress: progress)
    try destination.close()
  }

  /// Has the read transaction begin now: it would begin with each step of the copy, and end with it.
  private static func beginSnapshot(_ source: Connection) throws {
    _ = try source.value(Int.self, "SELECT count(*) FROM sqlite_master")
  }
}
