/// A type that can read a database, such as ``Database``, ``ReadOnlyDatabase`` or ``DatabaseSnapshot``.
///
/// Code that only reads takes an `any DatabaseReader`, and works with each of them.
///
/// ```swift
/// func titles(in reader: any DatabaseReader) async throws -> [String] {
///   try await reader.read { try $0.values(String.self, "SELECT title FROM book ORDER BY title") }
/// }
/// ```
public protocol DatabaseReader: AnyObject, Sendable {
  /// The identity of the database: readers of the same database have the same identity.
  ///
  /// The identity is valid while the database exists. A reader retains its database.
  var databaseIdentity: ObjectIdentifier { get }

  /// Runs `body` in a read transaction. Blocks the calling thread.
  ///
  /// - Throws: Any error that `body` throws; ``SQLiteError`` with code ``SQLiteError/Code/readOnly`` if it writes, and
  ///   the errors of `Database.read(_:)`.
  func read<Result>(_ body: (Connection) throws -> Result) throws -> Result

  /// Runs `body` in a read transaction on a dedicated thread.
  ///
  /// - Throws: The same errors as the synchronous variant; `CancellationError` if the task is cancelled.
  func read<Result>(
    _ body: @escaping @Sendable (Connection) throws -> sending Result
  ) async throws -> sending Result
}

extension DatabaseReader {
  /// Variant that also takes closures stored in variables.
  @_disfavoredOverload
  public func read<Result: Sendable>(
    _ body: @escaping @Sendable (Connection) throws -> Result
  ) async throws -> Result {
    try await read { connection -> sending Result in try body(connection) }
  }

  public var databaseIdentity: ObjectIdentifier { ObjectIdentifier(self) }
}

/// A type that can read and write a database, such as ``Database``.
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
  /// Runs `body` in a write transaction. Blocks the calling thread.
  ///
  /// - Throws: The errors of `Database.write(_:)`.
  @discardableResult
  func write<Result>(_ body: (Connection) throws -> Result) throws -> Result

  /// Runs `body` in a write transaction on the writer's thread.
  ///
  /// - Throws: The same errors as the synchronous variant; `CancellationError` if the task is cancelled before the
  ///   commit. No change is written then.
  @discardableResult
  func write<Result>(
    _ body: @escaping @Sendable (Connection) throws -> sending Result
  ) async throws -> sending Result

  /// Runs `body` with the writer connection outside a transaction. Blocks the calling thread.
  ///
  /// - Throws: The errors of `Database.writeWithoutTransaction(_:)`.
  @discardableResult
  func writeWithoutTransaction<Result>(_ body: (Connection) throws -> Result) throws -> Result

  /// Runs `body` with the writer connection outside a transaction, on the writer's thread.
  ///
  /// - Throws: The same errors as the synchronous variant; `CancellationError` if the task is cancelled.
  @discardableResult
  func writeWithoutTransaction<Result>(
    _ body: @escaping @Sendable (Connection) throws -> sending Result
  ) async throws -> sending Result
}

extension DatabaseWriter {
  /// Variant that also takes closures stored in variables.
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

/// A read-only view of a database, even if the database was opened for writing.
///
/// The view does not conform to ``DatabaseWriter`` and does not expose its database. SQLite itself refuses
/// statements that write.
///
/// ```swift
/// let reader: any DatabaseReader = database.readOnly
/// try reader.read { try $0.run("DELETE FROM book") }  // throws: attempt to write a readonly database
/// ```
///
/// The view retains the database. After the database is closed, reads fail with ``SQLiteError/Code/closed``.
public final class ReadOnlyDatabase: DatabaseReader {
  private let base: any DatabaseReader

  fileprivate init(_ base: any DatabaseReader) { self.base = base }

  public var databaseIdentity: ObjectIdentifier { base.databaseIdentity }

  /// The database whose commits signal changes, or `nil` if the content never changes.
  ///
  /// For observation, which exposes only values that were read.
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
  /// A read-only view of the database.
  public var readOnly: ReadOnlyDatabase { self as? ReadOnlyDatabase ?? ReadOnlyDatabase(self) }
}
