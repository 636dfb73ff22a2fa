public import SQLiteCore

/// A provider of tables in a source: a database, or a file in one of several formats.
///
/// All providers support SQLite's SQL and the same operations. An app can start with a JSON file
/// and switch to a database later, or move its data from one to the other.
///
/// ```swift
/// let provider: any DataProvider = JSONProvider()
/// try provider.openSource("Tasks.json")
/// try provider.execute("CREATE TABLE IF NOT EXISTS Task (id INTEGER PRIMARY KEY, name TEXT, done BOOLEAN)")
/// try provider.execute("INSERT INTO Task (name, done) VALUES (?, ?)", withParameters: ["Shop", false])
/// print(try provider.query("SELECT * FROM Task"))
/// try provider.closeSource()
/// ```
///
/// A provider can be used from any thread and any task. Most methods have two forms: a synchronous
/// one, which blocks the calling thread, and an asynchronous one, which does not.
///
/// A custom provider has a ``SourceSession`` with a ``SourceSession/Store``, or with a
/// ``TableFormat`` if its source is a file that is read and written as a whole; extensions
/// implement everything else. The product `ProviderTesting` contains the rules for all providers,
/// as tests.
public protocol DataProvider: DataAccess, AnyObject, Sendable {
  /// A provider that all parts of an app share, if one is sufficient.
  static var shared: Self { get }

  /// Creates a provider without an open source.
  init()

  /// The session that manages the open source.
  var session: SourceSession { get }
}

extension DataProvider {
  /// A Boolean value that indicates whether a source is open.
  public var isOpen: Bool { session.isOpen }

  /// A Boolean value that indicates whether the open source was opened as read-only.
  public var isReadOnly: Bool { session.isReadOnly }

  /// The path of the open source; `nil` if no source is open, or the source is in memory.
  public var path: String? { session.path }

  /// A Boolean value that indicates whether there are changes that `persist()` would write.
  public var hasUnsavedChanges: Bool { session.hasUnsavedChanges }

  /// Returns the database that executes SQL: the source itself, or a file's staging database.
  ///
  /// The database is valid until the source is closed. A transaction begun by
  /// ``beginTransaction()`` blocks its writers. Copying another database over a staging database
  /// requires the same page size, 16 KB if a file was read: to copy tables into a file, use a
  /// ``DataTransfer``.
  ///
  /// - Throws: ``ProviderError`` with ``ProviderError/Code/notOpen``, or with
  ///   ``ProviderError/Code/readOnly`` if the source was opened as read-only: use ``reader()``.
  public func database() throws -> Database { try session.writableSource().database }

  /// Returns a reader of the database that executes SQL, for example to observe it.
  ///
  /// - Throws: ``ProviderError`` with ``ProviderError/Code/notOpen``.
  public func reader() throws -> any DatabaseReader { try session.source().database }

  public func read<Result>(_ body: (Connection) throws -> Result) throws -> Result {
    try session.read(body)
  }

  @discardableResult
  public func write<Result>(_ body: (Connection) throws -> Result) throws -> Result {
    try session.write(body)
  }

  /// Calls `body` on another thread, with a connection that reads one snapshot.
  ///
  /// - Throws: The same errors as the synchronous form; `CancellationError` if the task was
  ///   cancelled.
  public func read<Result>(
    _ body: @escaping @Sendable (Connection) throws -> sending Result
  ) async throws -> sending Result {
    try await session.read(body)
  }

  /// Calls `body` on another thread in a transaction, which is rolled back if `body` throws.
  ///
  /// - Throws: The same errors as the synchronous form; `CancellationError` if the task was
  ///   cancelled.
  @discardableResult
  public func write<Result>(
    _ body: @escaping @Sendable (Connection) throws -> sending Result
  ) async throws -> sending Result {
    try await session.write(body)
  }

  /// Calls `body` on another thread in a transaction, which is rolled back if `body` throws.
  ///
  /// - Throws: Any error that `body` throws; the same errors as `write(_:)`.
  @discardableResult
  public func transaction<Result>(
    _ body: @escaping @Sendable (DataTransaction) throws -> sending Result
  ) async throws -> sending Result {
    try await session.write { connection in
      let transaction = DataTransaction(connection)
      do {
        return try body(transaction)
      } catch {
        transaction.undoLog.restore()
        throw error
      }
    }
  }
}

extension DataProvider {
  /// Begins a transaction that stays open until ``endTransaction()`` or ``rollbackTransaction()``.
  ///
  /// All accesses to the provider until then, on any thread, are part of the transaction. Inside a
  /// transaction, this method begins a savepoint, which can be rolled back separately. If possible,
  /// use ``DataAccess/transaction(_:)``, which always ends and is not shared with other accesses.
  ///
  /// - Throws: ``ProviderError`` with ``ProviderError/Code/notOpen`` or
  ///   ``ProviderError/Code/readOnly``; `SQLiteError` with code `nestedAccess` inside an access, or
  ///   with code `busy` if another process writes.
  public func beginTransaction() throws { try session.beginTransaction() }

  /// Commits the innermost transaction.
  ///
  /// The transaction ends even if this method throws.
  ///
  /// - Throws: ``ProviderError`` with ``ProviderError/Code/noTransaction`` if no transaction is
  ///   open; `SQLiteError` if the commit fails, in which case the transaction is rolled back, with
  ///   code `transactionEnded` if SQLite has already rolled back the transaction, or with code
  ///   `nestedAccess` inside an access, in which case the transaction stays open.
  public func endTransaction() throws { try session.endTransaction() }

  /// Rolls back the innermost transaction.
  ///
  /// Objects that were saved in the transaction keep the keys that were written back into them,
  /// although their rows no longer exist: see ``KeyedDataTable``.
  ///
  /// - Throws: ``ProviderError`` with ``ProviderError/Code/noTransaction`` if no transaction is
  ///   open.
  public func rollbackTransaction() throws { try session.rollBackTransaction() }
}
