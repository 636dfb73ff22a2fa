/// A connection to a database, which one thread at a time can use.
///
/// A connection is not `Sendable`. To use a database from many threads or tasks, open it as a ``Database``, which
/// manages a pool of connections.
///
/// A connection from a ``Database`` is valid until the closure that received it returns, and only on that closure's
/// thread. The same applies to its statements, blobs and sessions. Using one of them later throws ``SQLiteError`` with
/// code ``SQLiteError/Code/accessEnded``. Members that can't throw, such as ``isInTransaction`` or ``Statement/row``,
/// stop the program with a message. Releasing one of them later is not an error.
///
/// ```swift
/// let connection = try Connection(path: "library.sqlite")
/// try connection.execute("CREATE TABLE IF NOT EXISTS book (id INTEGER PRIMARY KEY, title TEXT)")
/// try connection.run("INSERT INTO book (title) VALUES (?)", "Middlemarch")
/// let count = try connection.value(Int.self, "SELECT count(*) FROM book")
/// ```
public final class Connection {
  let handle: ConnectionHandle
  let cache: StatementCache
  /// The `INSERT` statements of ``insertSQL(for:into:)``, by table.
  var cachedInsertSQL: [String: (table: String, columns: [String], sql: String)] = [:]
  /// The configuration that the connection was opened with.
  public let configuration: Configuration
  /// A generation number of the content: 0, and a new unique number after each
  /// ``deserialize(_:into:isReadOnly:maximumSize:)``.
  ///
  /// `PRAGMA schema_version` can have the same value before and after a deserialization.
  public internal(set) var contentGeneration: UInt64 = 0
  /// A generation number of the transaction: 0, and a new number while a ``Database/Transaction`` holds the connection
  /// and after each rollback of one of its savepoints.
  var transactionGeneration: UInt64 = 0
  /// A generation number of the schema, which changes with ``contentGeneration`` and for each ``Database/Transaction``
  /// that holds the connection.
  ///
  /// Cached schema information is valid for one schema version and one generation: after a rollback in such a
  /// transaction, the same version can be reached again with other tables.
  public var schemaGeneration: UInt64 { contentGeneration ^ transactionGeneration }
  #if SQLCipher
    /// The key of the database's file; `nil` if it has none.
    var key: EncryptionKey?
  #endif
  /// The number of open savepoints of this library, which is part of their names.
  var savepointDepth = 0
  /// A random part of the savepoint names.
  private let savepointTag = String(UInt64.random(in: 0 ... .max), radix: 36)
  /// Called with the progress of table rebuilds while a migration runs.
  var copyProgressHandler: ((_ table: TableName, _ rowsDone: Int, _ rowsTotal: Int) throws -> Void)?

  /// Opens a database file, and creates it if it does not exist.
  ///
  /// - Parameters:
  ///   - path: The path of the file; `:memory:` for an in-memory database, or an empty string for a temporary one on
  ///     disk. URIs are not interpreted.
  ///   - configuration: The configuration. The defaults are safe.
  /// - Throws: ``SQLiteError`` with code ``SQLiteError/Code/cannotOpen``, or ``SQLiteError/Code/notADatabase`` if the
  ///   file is not a database.
  public convenience init(path: String, configuration: Configuration = Configuration()) throws {
    try self.init(Database.Location(path: path), configuration: configuration)
  }

  /// Opens the database at a location: see ``Database/Location`` for the kinds of locations.
  ///
  /// ```swift
  /// let scratch = try Connection(.temporary)
  /// let shared = try Connection(.sharedMemory(named: "session"))
  /// ```
  ///
  /// - Throws: The same errors as ``init(path:configuration:)``; ``SQLiteError/Code/permission`` if the location
  ///   requests write access and the configuration forbids it.
  public convenience init(
    _ location: Database.Location, configuration: Configuration = Configuration()
  ) throws {
    try self.init(location, configuration: configuration, expecting: nil)
  }

  /// Opens a location, or another connection to an open file.
  ///
  /// - Parameter file: The open file. Its path replaces the location's.
  init(
    _ location: Database.Location, configuration: Configuration, expecting file: OpenedFile?
  ) throws {
    let location = file.map { location.at($0.path) } ?? location
    self.configuration = configuration
    handle = try ConnectionHandle(
      path: try location.fileName(), flags: configuration.openFlags,
      virtualFileSystem: configuration.virtualFileSystem,
      showsValuesInErrors: configuration.showsValuesInErrors)
    cache = StatementCache(capacity: configuration.statementCacheCapacity)
    do {
      // Checked before any read or write, since the file can be an unrelated one.
      if let file { try handle.requireFile(file) }
      #if SQLCipher
        if let key = configuration.key, !location.isInMemory {
          try handle.apply(key)
          self.key = key
          if let version = configuration.cipherCompatibility {
            try handle.execute("PRAGMA cipher_compatibility = \(version.rawValue)")
          }
        }
      #endif
      try setUp(hasJournal: !location.isInMemory && !location.isReadOnly)
    } catch let error as SQLiteError {
      #if SQLCipher
        let error = wrongKeyError(error)
      #endif
      throw error.addingContext("opening \(location)")
    }
  }

  /// Opens a private in-memory database, which exists as long as the connection.
  ///
  /// - Throws: The same errors as ``init(path:configuration:)``.
  public static func inMemory(
    configuration: Configuration = Configuration()
  ) throws -> Connection {
    try Connection(path: ":memory:", configuration: configuration)
  }

  deinit { cache.removeAll() }

  /// Closes the database, and ends the subscriptions to its ``hooks``. A second call does nothing.
  ///
  /// - Throws: ``SQLiteError`` with code ``SQLiteError/Code/busy`` if a prepared statement, a blob or a session still
  ///   exists, if a backup is not finished, or inside a function, observer or hook that the connection calls; with code
  ///   ``SQLiteError/Code/misuse`` if the connection belongs to a ``Database``. The connection then stays open.
  public func close() throws(SQLiteError) {
    guard !handle.owner.isExclusive else {
      throw SQLiteError(
        code: .misuse, message: "the connection belongs to a database, which closes it")
    }
    try closeHandle()
  }

  /// Closes the database. The calling thread owns the connection.
  func closeHandle() throws(SQLiteError) {
    cache.removeAll()
    try handle.close()
  }

  private func setUp(hasJournal: Bool) throws {
    try handle.setIfSupported(.foreignKeys, to: configuration.enforcesForeignKeys)
    try handle.setIfSupported(
      .doubleQuotedStringsInQueries, to: configuration.allowsDoubleQuotedStrings)
    try handle.setIfSupported(
      .doubleQuotedStringsInSchema, to: configuration.allowsDoubleQuotedStrings)
    try handle.setIfSupported(.trustedSchema, to: configuration.trustsSchema)
    try handle.setIfSupported(.defensive, to: configuration.isDefensive)
    try handle.setBusyPolicy(configuration.busyPolicy)
    if configuration.automaticCheckpointPages != Configuration.defaultCheckpointPages {
      try handle.setAutomaticCheckpoint(pages: configuration.automaticCheckpointPages)
    }
    if !hasJournal || configuration.isReadOnly {
      // Reads the header immediately, to detect a file that is not a database.
      _ = try value(Int.self, "SELECT count(*) FROM sqlite_master")
    } else {
      try setJournalMode()
      try handle.execute("PRAGMA synchronous = \(configuration.synchronous.rawValue)")
    }
    for file in configuration.extensions { try handle.load(file) }
    try configuration.prepare?(self)
  }

  #if SQLCipher
    /// Returns the error of opening a file, which can mean that the key is wrong.
    ///
    /// SQLCipher can't distinguish a wrong key from a damaged first page.
    private func wrongKeyError(_ error: SQLiteError) -> SQLiteError {
      guard key != nil, error.code.primary == .notADatabase else { return error }
      if (try? handle.hasPlainHeader()) == true {
        return error.replacingMessage("the file is not encrypted: open it without a key")
      }
      return SQLiteError(
        code: .wrongKey, message: "the key is wrong, or the file's first page is damaged")
    }
  #endif

  /// Connections that set the journal mode of a new file concurrently block each other.
  private func setJournalMode() throws(SQLiteError) {
    let wanted = configuration.journalMode.rawValue
    let mode = try handle.retryingWhileBusy(configuration.busyPolicy) { () throws(SQLiteError) in
      try value(String.self, "PRAGMA journal_mode = \(unsafe: wanted)")
    }
    guard let mode, mode.isEqualIgnoringASCIICase(wanted) else {
      throw SQLiteError(
        code: .unsupported,
        message: "the journal mode can't be set to \(wanted), and remains \(mode ?? "unchanged")")
    }
  }

  /// The connection's hooks, for subscribing to events.
  public var hooks: Hooks { handle.hooks }

  /// Indicates whether a transaction is open.
  public var isInTransaction: Bool {
    handle.preconditionAccess()
    return handle.isInTransaction
  }

  /// Indicates whether the current access is read-only.
  @_spi(Observing) public var isReadAccess: Bool { handle.hooks.isQueryOnly == true }

  /// The rowid of the last inserted row, or 0 if no row was inserted.
  public var lastInsertedRowID: RowID {
    handle.preconditionAccess()
    return RowID(rawValue: handle.lastInsertedRowID)
  }

  /// The number of rows that were changed since the connection was opened, including those changed by triggers and
  /// foreign key actions.
  public var totalChangeCount: Int {
    handle.preconditionAccess()
    return Int(handle.totalChangeCount)
  }

  /// Interrupts the running statements, which fail with ``SQLiteError/Code/interrupt``.
  ///
  /// From another thread, use ``interruptHandle``.
  public func interrupt() { handle.interrupter.interrupt() }

  /// A Boolean value that indicates whether the running statements have been interrupted, or the task that accesses the
  /// connection was cancelled.
  ///
  /// SQLite checks for an interruption between its own steps. A function or virtual table that works for a long time
  /// should check this property several times a second, and throw an error with ``SQLiteError/Code/interrupt``:
  ///
  /// ```swift
  /// mutating func next() throws {
  ///   if connection?.isInterrupted == true {
  ///     throw SQLiteError(code: .interrupt, message: "interrupted")
  ///   }
  ///   try readMore()
  /// }
  /// ```
  ///
  /// The value is meaningful only while SQLite calls the function or table, on the same thread. They must not retain the
  /// connection, which retains them.
  ///
  /// - Complexity: O(1), up to a microsecond.
  public var isInterrupted: Bool { handle.isInterrupted }

  /// A handle with which other threads can interrupt the connection's statements.
  public var interruptHandle: InterruptHandle { InterruptHandle(interrupter: handle.interrupter) }

  /// Runs `body`, and returns its result with the tables and columns that its statements read and write.
  ///
  /// A statement is recorded at its first step. Calls can be nested.
  public func recordingAccess<Result>(
    _ body: () throws -> Result
  ) rethrows -> (Result, Statement.Access) {
    handle.preconditionAccess()
    let outer = handle.recordedAccess
    let recorded = UncheckedBox(Statement.Access())
    handle.recordedAccess = recorded
    defer {
      handle.recordedAccess = outer
      outer?.value.formUnion(recorded.value)
    }
    let result = try body()
    return (result, recorded.value)
  }

  /// Returns the name of a savepoint, which user statements can't use by accident.
  func savepointName(_ depth: Int) -> String { "holt_\(savepointTag)_\(depth)" }
}

@available(*, unavailable) extension Connection: Sendable {}

extension Connection {
  /// Interrupts a connection's statements, from any thread.
  public struct InterruptHandle: Sendable {
    let interrupter: Interrupter

    /// Interrupts the running statements. Does nothing if no statement is running, or the connection is closed.
    public func interrupt() { interrupter.interrupt() }
  }
}

extension Connection {
  /// The time of the current transaction in seconds since 1970, which is constant until the transaction ends. Outside a
  /// transaction, the current time.
  ///
  /// The time is read from ``Configuration/clock`` at the first use in the transaction. SQL's `CURRENT_TIMESTAMP` does
  /// not use it.
  public var transactionTime: Double {
    guard isInTransaction else { return configuration.clock() }
    if let moment = hooks.transactionTimestamp { return moment }
    let now = configuration.clock()
    hooks.transactionTimestamp = now
    return now
  }
}
