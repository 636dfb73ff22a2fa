public import SQLiteCore

/// Access to a source of tables, whatever it is: a database, or a file in one of several formats.
///
/// SQL is SQLite's with each of them, and what can be done with one can be done with all. So an app can begin
/// with a file in JSON and go on with a database, or move its data from one to the other.
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
/// A provider may be used from any thread and any task. Most functions have two forms: one that has the calling
/// thread wait, and an asynchronous one, which no thread waits for.
///
/// Who makes a provider of their own gives it a ``SourceSession`` over a ``SourceSession/Store``, or over a ``TableFormat``
/// where it is a file that is read and written as a whole; the rest is here. The product `ProviderTesting` has the
/// rules that hold for each provider, as a test.
public protocol DataProvider: DataAccess, AnyObject, Sendable {
  /// The provider that all parts of an app share, where it needs only one.
  static var shared: Self { get }

  /// A provider of its own, with nothing open.
  init()

  /// What the provider has open.
  var session: SourceSession { get }
}

extension DataProvider {
  /// Whether a source is open.
  public var isOpen: Bool { session.isOpen }

  /// Whether the source that is open was opened for reading alone.
  public var isReadOnly: Bool { session.isReadOnly }

  /// Where the source is that is open; `nil` where there is none, or it is in memory.
  public var path: String? { session.path }

  /// Whether there is something that `persist()` has to write.
  public var hasUnsavedChanges: Bool { session.hasUnsavedChanges }

  /// The database that SQL runs in: the source itself, or the private one that a file's tables were read into.
  ///
  /// It is good until the source is closed. A transaction that ``beginTransaction()`` began keeps it from writing. One
  /// that is copied over a private database has pages of its size, which is 16 KB where a file was read: to bring tables
  /// into a file, use a ``DataTransfer``.
  ///
  /// - Throws: ``ProviderError`` with ``ProviderError/Code/notOpen``, with ``ProviderError/Code/readOnly`` where the source
  ///   was opened for reading alone: use ``reader()``.
  public func database() throws -> Database { try session.writableSource().database }

  /// What reads the database that SQL runs in, to be observed, say.
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

  /// Reads, with all that `body` reads of one moment, on a thread of its own.
  ///
  /// - Throws: As the synchronous form; `CancellationError` where the task was cancelled.
  public func read<Result>(
    _ body: @escaping @Sendable (Connection) throws -> sending Result
  ) async throws -> sending Result {
    try await session.read(body)
  }

  /// Writes, on a thread of its own: all that `body` does is kept, or nothing.
  ///
  /// - Throws: As the synchronous form; `CancellationError` where the task was cancelled.
  @discardableResult
  public func write<Result>(
    _ body: @escaping @Sendable (Connection) throws -> sending Result
  ) async throws -> sending Result {
    try await session.write(body)
  }

  /// Runs `body` in a transaction, on a thread of its own: all that it does is kept, or nothing.
  ///
  /// - Throws: What `body` throws; as `write(_:)`.
  @discardableResult
  public func transaction<Result>(
    _ body: @escaping @Sendable (DataTransaction) throws -> sending Result
  ) async throws -> sending Result {
    try await session.write { connection in
      let transaction = DataTransaction(connection)
      do {
        return try body(transaction)
      } catch {
        transaction.keys.restore()
        throw error
      }
    }
  }
}

extension DataProvider {
  /// Begins a transaction that stays open until ``endTransaction()`` or ``rollbackTransaction()``.
  ///
  /// Whatever is done with the provider until then, by whomever, is a part of it. Inside of one, another begins as
  /// a part of it that can be undone by itself. Where a closure will do, use ``DataAccess/transaction(_:)``, which
  /// can't be left open and is nobody else's.
  ///
  /// - Throws: ``ProviderError`` with ``ProviderError/Code/notOpen`` or ``ProviderError/Code/readOnly``; `SQLiteError`
  ///   with code `nestedAccess` inside an access, with `busy` where another process writes.
  public func beginTransaction() throws { try session.beginTransaction() }

  /// Commits the transaction that was begun last.
  ///
  /// It is over then, also where this fails.
  ///
  /// - Throws: ``ProviderError`` with ``ProviderError/Code/noTransaction`` where none was; `SQLiteError` of what could not
  ///   be committed, which is then undone; with code `transactionEnded` where SQLite has rolled back all of it before;
  ///   with `nestedAccess` inside an access, and then it is not over.
  public func endTransaction() throws { try session.endTransaction() }

  /// Undoes all that was done since the transaction was begun that was begun last, and ends it.
  ///
  /// Objects that were saved meanwhile keep the keys that were written back into them, of which there are no rows
  /// now: see ``KeyedDataTable``.
  ///
  /// - Throws: ``ProviderError`` with ``ProviderError/Code/noTransaction`` where none was.
  public func rollbackTransaction() throws { try session.rollBackTransaction() }
}
