extension Database {
  /// Copies the current state of the database over a file. Blocks the calling thread.
  ///
  /// Other accesses can read and write during the backup, and their writes are not part of the copy; the one connection
  /// of an in-memory database is in use until the end. The file is replaced atomically at the end. If it does not
  /// exist, it is created, and left empty if the backup fails.
  ///
  /// ```swift
  /// try await database.backup(to: "copy.sqlite") { print($0.fraction) }
  /// ```
  ///
  /// - Parameters:
  ///   - path: The file. An existing database there must not be in use.
  ///   - pagesPerStep: The number of pages between two calls of `progress`.
  ///   - progress: Called after each step. An error that it throws ends the backup.
  /// - Throws: The errors of ``Connection/backup(to:from:to:pagesPerStep:progress:)`` and of opening `path`.
  public func backup(
    to path: String, pagesPerStep: Int = 1_024,
    progress: (Connection.BackupProgress) throws -> Void = { _ in }
  ) throws {
    try read { try Self.copy($0, to: path, pagesPerStep, progress) }
  }

  /// Copies the current state of the database over another database. Blocks the calling thread.
  ///
  /// The other database's observers are notified that everything has changed. Concurrent copies of two databases to
  /// each other run one after the other.
  ///
  /// - Throws: The errors of ``Connection/backup(to:from:to:pagesPerStep:progress:)``; ``SQLiteError`` with code
  ///   ``SQLiteError/Code/nestedAccess`` if both databases are the same, or inside an access to either.
  public func backup(
    to other: Database, pagesPerStep: Int = 1_024,
    progress: (Connection.BackupProgress) throws -> Void = { _ in }
  ) throws {
    try checkNotSelf(other)
    try checkNotNested()
    try other.checkNotNested()
    if acquiresBefore(other) {
      try read { source in
        try other.writeWithoutTransaction { try Self.copy(source, to: $0, pagesPerStep, progress) }
      }
    } else {
      try other.writeWithoutTransaction { destination in
        try read { try Self.copy($0, to: destination, pagesPerStep, progress) }
      }
    }
  }

  /// Copies the current state of the database over a file, on one of the database's threads.
  ///
  /// Cancelling the task ends the backup and leaves the file unchanged.
  public func backup(
    to path: String, pagesPerStep: Int = 1_024,
    progress: @escaping @Sendable (Connection.BackupProgress) throws -> Void = { _ in }
  ) async throws {
    try await read { try Self.copy($0, to: path, pagesPerStep, progress) }
  }

  /// Copies the current state of the database over another database, on a thread of one of them.
  ///
  /// Cancelling the task ends the backup and leaves the other database unchanged.
  public func backup(
    to other: Database, pagesPerStep: Int = 1_024,
    progress: @escaping @Sendable (Connection.BackupProgress) throws -> Void = { _ in }
  ) async throws {
    try checkNotSelf(other)
    try checkNotReentrant()
    try other.checkNotReentrant()
    if acquiresBefore(other) {
      try await read { source in
        try other.writeWithoutTransaction { try Self.copy(source, to: $0, pagesPerStep, progress) }
      }
    } else {
      try await other.writeWithoutTransaction { destination in
        try self.read { try Self.copy($0, to: destination, pagesPerStep, progress) }
      }
    }
  }

  /// Returns whether this database's connection is acquired before the other's. The order is the same for both
  /// directions, so that concurrent copies can't deadlock.
  private func acquiresBefore(_ other: Database) -> Bool { readers.group < other.readers.group }

  private func checkNotSelf(_ other: Database) throws(SQLiteError) {
    guard other !== self else {
      throw SQLiteError(code: .nestedAccess, message: "a database can't be copied to itself")
    }
  }

  private static func copy(
    _ source: Connection, to destination: Connection, _ pagesPerStep: Int,
    _ progress: (Connection.BackupProgress) throws -> Void
  ) throws {
    try acquireSnapshot(source)
    try source.backup(to: destination, pagesPerStep: pagesPerStep, progress: progress)
  }

  private static func copy(
    _ source: Connection, to path: String, _ pagesPerStep: Int,
    _ progress: (Connection.BackupProgress) throws -> Void
  ) throws {
    try acquireSnapshot(source)
    // Without a write-ahead log, the file can adopt the source's page size; its journal mode is copied with the pages.
    var configuration = Configuration()
    configuration.journalMode = .delete
    configuration.busyTimeout = source.configuration.busyTimeout
    configuration.virtualFileSystem = source.configuration.virtualFileSystem
    let destination = try Connection(path: path, configuration: configuration)
    try source.backup(to: destination, pagesPerStep: pagesPerStep, progress: progress)
    try destination.close()
  }

  /// Begins the read transaction now. Otherwise it would begin and end with each step of the backup.
  private static func acquireSnapshot(_ source: Connection) throws {
    _ = try source.value(Int.self, "SELECT count(*) FROM sqlite_master")
  }
}
