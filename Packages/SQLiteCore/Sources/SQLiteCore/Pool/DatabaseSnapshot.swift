/// A consistent state of a database at one moment, for any number of reads.
///
/// ```swift
/// let snapshot = try await database.snapshot()
/// let total = try await snapshot.read { try $0.value(Int.self, "SELECT count(*) FROM book") }
/// // Later writes do not change the result of this read:
/// let titles = try await snapshot.read { try $0.values(String.self, "SELECT title FROM book") }
/// snapshot.close()
/// ```
///
/// The snapshot holds a connection in a read transaction until it is closed or released; its reads use that connection
/// in turn. These connections are separate from those of `Database.read(_:)`, and limited to the same number: a further
/// snapshot waits. While a snapshot is open, the write-ahead log can't be reset, and grows.
public final class DatabaseSnapshot: Sendable {
  private let reader: RetainedReader

  fileprivate init(_ reader: RetainedReader) { self.reader = reader }

  /// Reads on the snapshot's thread, as `Database.read(_:)` does.
  ///
  /// - Throws: Any error that `body` throws; ``SQLiteError`` with code ``SQLiteError/Code/closed`` after ``close()``;
  ///   `CancellationError` if the task is cancelled, which leaves the snapshot usable.
  public func read<Result>(
    _ body: @escaping @Sendable (Connection) throws -> sending Result
  ) async throws -> sending Result {
    try await reader.perform(body)
  }

  /// Variant that also takes closures stored in variables.
  ///
  /// Disfavored, since a closure literal could match both variants.
  @_disfavoredOverload
  public func read<Result: Sendable>(
    _ body: @escaping @Sendable (Connection) throws -> Result
  ) async throws -> Result {
    try await reader.perform { try body($0) }
  }

  /// Reads on the calling thread, which blocks until the earlier reads of the snapshot have ended.
  ///
  /// - Throws: The same errors as the asynchronous variant; ``SQLiteError`` with code ``SQLiteError/Code/nestedAccess``
  ///   inside another access to the database.
  public func read<Result>(_ body: (Connection) throws -> Result) throws -> Result {
    guard !ThreadAccessScope.isOpenOnCurrentThread(group: reader.pool.group) else {
      throw Database.nestedAccessError
    }
    return try reader.pool.withConnection(Database.nextAccessID(), body)
  }

  /// Closes the snapshot. Waiting reads fail with ``SQLiteError/Code/closed``; a running one is completed. A second
  /// call does nothing.
  public func close() { reader.close() }
}

extension Database {
  /// Returns a snapshot of the current state of the database.
  ///
  /// - Throws: ``SQLiteError`` with code ``SQLiteError/Code/unsupported`` if the database is in memory, since the
  ///   snapshot would block all other accesses to its one connection. Use ``withSnapshot(_:)`` there.
  public func snapshot() async throws -> DatabaseSnapshot {
    guard !isShared else {
      throw SQLiteError(
        code: .unsupported,
        message: "an in-memory database has only one connection: use withSnapshot(_:)")
    }
    return DatabaseSnapshot(try await RetainedReader.acquire(from: self))
  }

  /// Runs `body` with a snapshot of the current state of the database, and closes the snapshot afterwards.
  ///
  /// An in-memory database has one connection. While `body` runs, other tasks wait, and an access by the same task
  /// outside the snapshot throws ``SQLiteError/Code/nestedAccess``.
  ///
  /// - Throws: Any error that `body` throws; `CancellationError` if the task is cancelled while it waits.
  public func withSnapshot<Result>(
    _ body: (DatabaseSnapshot) async throws -> Result
  ) async throws -> Result {
    let snapshot = DatabaseSnapshot(try await RetainedReader.acquire(from: self))
    defer { snapshot.close() }
    return try await body(snapshot)
  }

  /// Returns a snapshot of the current state of the database for concurrent reads.
  ///
  /// ``snapshot()`` works with every SQLite build, and runs one read at a time; this method requires a SQLite built
  /// with snapshot support, and a database file.
  ///
  /// - Throws: ``SQLiteError`` with code ``SQLiteError/Code/unsupported`` if SQLite was built without snapshot support
  ///   or the database is in memory, or ``SQLiteError/Code/error`` if the write-ahead log does not contain a commit
  ///   yet.
  public func sharedSnapshot() async throws -> SharedSnapshot {
    try SQLiteLibrary.require(.snapshots)
    guard !isShared else {
      throw SQLiteError(
        code: .unsupported, message: "an in-memory database does not support shared snapshots")
    }
    let reader = try await RetainedReader.acquire(from: self)
    let snapshot = try await reader.perform { try SnapshotHandle(of: $0.handle) }
    return SharedSnapshot(self, reader, snapshot)
  }
}

extension Database {
  /// A consistent state of a database at one moment, for concurrent reads.
  ///
  /// The snapshot holds one connection in a read transaction, so that the state stays available; reads run on the
  /// database's readers.
  public final class SharedSnapshot: Sendable {
    private let database: Database
    private let reader: RetainedReader
    private let snapshot: SnapshotHandle

    fileprivate init(_ database: Database, _ reader: RetainedReader, _ snapshot: SnapshotHandle) {
      self.database = database
      self.reader = reader
      self.snapshot = snapshot
    }

    /// Reads as `Database.read(_:)` does.
    public func read<Result>(
      _ body: @escaping @Sendable (Connection) throws -> sending Result
    ) async throws -> sending Result {
      try await database.perform(in: database.readers) { [snapshot] connection in
        try connection.beginReading()
        defer { connection.endReading() }
        try snapshot.open(on: connection.handle)
        return try body(connection)
      }
    }
  }
}
