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
