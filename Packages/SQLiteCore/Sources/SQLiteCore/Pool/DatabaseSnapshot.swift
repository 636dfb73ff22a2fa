/// A database as it was at one moment, for as many reads as you like.
///
/// ```swift
/// let snapshot = try await database.snapshot()
/// let total = try await snapshot.read { try $0.value(Int.self, "SELECT count(*) FROM book") }
/// // Whatever is written meanwhile, this finds as many:
/// let titles = try await snapshot.read { try $0.values(String.self, "SELECT title FROM book") }
/// snapshot.close()
/// ```
///
/// It keeps a connection in a read transaction until it is closed or let go; reads take turns on that. The
/// connection is none of those that `Database.read(_:)` uses, and there are as many as may read at once:
/// a snapshot beyond those waits for its turn. While one is open, the write-ahead log can't begin anew, and
/// grows.
public final class DatabaseSnapshot: Sendable {
  private let reader: KeptReader

  fileprivate init(_ reader: KeptReader) { self.reader = reader }

  /// Reads on a thread of the snapshot's own, as `Database.read(_:)` does.
  ///
  /// - Throws: What `body` throws; ``SQLiteError`` with code ``SQLiteError/Code/closed`` after
  ///   ``close()``; `CancellationError` where the task was cancelled, which leaves the snapshot usable.
  public func read<Result>(
    _ body: @escaping @Sendable (Connection) throws -> sending Result
  ) async throws -> sending Result {
    try await reader.perform(body)
  }

  /// As the other form; this one takes closures that are stored as values, too.
  ///
  /// Not favored, since a closure that is written where it is used may be either's.
  @_disfavoredOverload
  public func read<Result: Sendable>(
    _ body: @escaping @Sendable (Connection) throws -> Result
  ) async throws -> Result {
    try await reader.perform { try body($0) }
  }

  /// Reads on the calling thread, which waits for its turn.
  ///
  /// - Throws: As the asynchronous form; ``SQLiteError`` with code
  ///   ``SQLiteError/Code/nestedAccess`` inside another access to the database.
  public func read<Result>(_ body: (Connection) throws -> Result) throws -> Result {
    guard !ThreadLease.isHolding(group: reader.pool.group) else { throw Database.nested }
    return try reader.pool.withConnection(Database.nextAccess(), body)
  }

  /// Lets the moment go. Reads that wait fail with ``SQLiteError/Code/closed``, one that runs comes to its
  /// end. A second call does nothing.
  public func close() { reader.close() }
}

extension Database {
  /// The database as it is now, for as many reads as you like.
  ///
  /// - Throws: ``SQLiteError`` with code ``SQLiteError/Code/unsupported`` where the database is in memory:
  ///   its one connection would be kept from everyone else. Use ``withSnapshot(_:)`` there.
  public func snapshot() async throws -> DatabaseSnapshot {
    guard !isShared else {
      throw SQLiteError(
        code: .unsupported,
        message: "a database in memory has one connection, which a snapshot can't keep for long")
    }
    return DatabaseSnapshot(try await KeptReader.take(from: self))
  }

  /// Runs `body` with the database as it is now, which is let go as `body` ends.
  ///
  /// A database in memory has one connection: while `body` runs, other tasks wait, and an access by the
  /// same task that is not to the snapshot is ``SQLiteError/Code/nestedAccess``.
  ///
  /// - Throws: What `body` throws; `CancellationError` where the task was cancelled as it waited.
  public func withSnapshot<Result>(
    _ body: (DatabaseSnapshot) async throws -> Result
  ) async throws -> Result {
    let snapshot = DatabaseSnapshot(try await KeptReader.take(from: self))
    defer { snapshot.close() }
    return try await body(snapshot)
  }

  /// The database as it is now, for many reads at once.
  ///
  /// ``snapshot()`` works everywhere, one read at a time; this one needs a SQLite that was built with
  /// snapshots, and a database file.
  ///
  /// - Throws: ``SQLiteError`` with code ``SQLiteError/Code/unsupported`` where SQLite was built without
  ///   them or the database is in memory; ``SQLiteError/Code/error`` where the write-ahead log holds no
  ///   commit yet.
  public func sharedSnapshot() async throws -> SharedSnapshot {
    try SQLiteLibrary.require(.snapshots)
    guard !isShared else {
      throw SQLiteError(
        code: .unsupported, message: "a database in memory has no snapshot that can be shared")
    }
    let reader = try await KeptReader.take(from: self)
    let snapshot = try await reader.perform { try EngineSnapshot(of: $0.handle) }
    return SharedSnapshot(self, reader, snapshot)
  }
}

extension Database {
  /// A database as it was at one moment, for many reads at once.
  ///
  /// It keeps one connection in a read transaction, so that the moment can't be lost; reads run on the
  /// database's readers.
  public final class SharedSnapshot: Sendable {
    private let database: Database
    private let reader: KeptReader
    private let snapshot: EngineSnapshot

    fileprivate init(_ database: Database, _ reader: KeptReader, _ snapshot: EngineSnapshot) {
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
