/// What can read a database: a ``Database``, a ``ReadOnlyDatabase``, a ``DatabaseSnapshot``.
///
/// Code that only reads asks for `any DatabaseReader`, and works with each of them.
///
/// ```swift
/// func titles(in reader: any DatabaseReader) async throws -> [String] {
///   try await reader.read { try $0.values(String.self, "SELECT title FROM book ORDER BY title") }
/// }
/// ```
public protocol DatabaseReader: AnyObject, Sendable {
  /// Tells which database is read: readers of the same one have the same identity.
  ///
  /// It holds as long as the database is kept, as a reader keeps it.
  var databaseIdentity: ObjectIdentifier { get }

  /// Runs `body` in a read transaction; the calling thread waits.
  ///
  /// - Throws: What `body` throws; ``SQLiteError`` with code ``SQLiteError/Code/readOnly`` where it
  ///   writes, and otherwise as `Database.read(_:)`.
  func read<Result>(_ body: (Connection) throws -> Result) throws -> Result

  /// Runs `body` in a read transaction, on a thread of its own.
  ///
  /// - Throws: As the synchronous form; `CancellationError` where the task was cancelled.
  func read<Result>(
    _ body: @escaping @Sendable (Connection) throws -> sending Result
  ) async throws -> sending Result
}

extension DatabaseReader {
  /// As the other form; this one takes closures that are stored as values, too.
  @_disfavoredOverload
  public func read<Result: Sendable>(
    _ body: @escaping @Sendable (Connection) throws -> Result
  ) async throws -> Result {
    try await read { connection -> sending Result in try body(connection) }
  }

  public var databaseIdentity: ObjectIdentifier { ObjectIdentifier(self) }
}

/// What can write to a database as well as read it: a ``Database``.
///
/// ```swift
/// struct PlayerRepository {
///   private let writer: any DatabaseWriter
///
///   func deletePlayers() throws {
///     try writer.write { try $0.run("DELETE FROM player") }
///   }
/// }
/// ```
public protocol DatabaseWriter: DatabaseReader {
  /// Runs `body` in a transaction that may write; the calling thread waits.
  ///
  /// - Throws: As `Database.write(_:)`.
  @discardableResult
  func write<Result>(_ body: (Connection) throws -> Result) throws -> Result

  /// Runs `body` in a transaction that may write, on the writer's thread.
  ///
  /// - Throws: As the synchronous form; `CancellationError` where the task was cancelled before the
  ///   commit, and nothing was written.
  @discardableResult
  func write<Result>(
    _ body: @escaping @Sendable (Connection) throws -> sending Result
  ) async throws -> sending Result

  /// Runs `body` with the connection that writes, outside of any transaction; the calling thread
  /// waits.
  ///
  /// - Throws: As `Database.writeWithoutTransaction(_:)`.
  @discardableResult
  func writeWithoutTransaction<Result>(_ body: (Connection) throws -> Result) throws -> Result

  /// Runs `body` with the connection that writes, outside of any transaction, on its own thread.
  ///
  /// - Throws: As the synchronous form; `CancellationError` where the task was cancelled.
  @discardableResult
  func writeWithoutTransaction<Result>(
    _ body: @escaping @Sendable (Connection) throws -> sending Result
  ) async throws -> sending Result
}

extension DatabaseWriter {
  /// As the other form; this one takes closures that are stored as values, too.
  @_disfavoredOverload
  @discardableResult
  public func write<Result: Sendable>(
    _ body: @escaping @Sendable (Connection) throws -> Result
  ) async throws -> Result {
    try await write { connection -> sending Result in try body(connection) }
  }
}

extension Database: DatabaseWriter {}

extension DatabaseSnapshot: DatabaseReader {}

/// A database that can be read and not written, whatever it was opened for.
///
/// It is no ``DatabaseWriter``, gives no way to the one that it reads, and SQLite itself refuses what
/// would write.
///
/// ```swift
/// let reader: any DatabaseReader = database.readOnly
/// try reader.read { try $0.run("DELETE FROM book") }  // throws: attempt to write a readonly database
/// ```
///
/// Closing the database, which this keeps, has its reads fail with ``SQLiteError/Code/closed``.
public final class ReadOnlyDatabase: DatabaseReader {
  private let base: any DatabaseReader

  fileprivate init(_ base: any DatabaseReader) { self.base = base }

  public var databaseIdentity: ObjectIdentifier { base.databaseIdentity }

  /// The database whose commits tell that something has changed; `nil` where it never does.
  ///
  /// For those who observe, and hand on nothing but what they have read.
  @_spi(Observing) public var observedDatabase: Database? { base as? Database }

  public func read<Result>(_ body: (Connection) throws -> Result) throws -> Result {
    try base.read(body)
  }

  public func read<Result>(
    _ body: @escaping @Sendable (Connection) throws -> sending Result
  ) async throws -> sending Result {
    try await base.read(body)
  }
}

extension DatabaseReader {
  /// The same database, for reading alone.
  public var readOnly: ReadOnlyDatabase { self as? ReadOnlyDatabase ?? ReadOnlyDatabase(self) }
}
