/// One open database, used by one thread at a time.
///
/// A connection is not `Sendable`. To use a database from many threads or tasks, open it as a
/// ``Database``, which lends connections out.
///
/// A connection that a ``Database`` lends is valid until the closure that received it returns, and on
/// that closure's thread. So are its statements, blobs and sessions. Using one of them later throws
/// ``SQLiteError`` with code ``SQLiteError/Code/accessEnded``. What can't throw, such as
/// ``isInTransaction`` or ``Statement/row``, stops the program with a message. Releasing one of them
/// later is not an error.
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
  let insertTexts = InsertTexts()
  /// How the connection was opened.
  public let configuration: Configuration
  /// 0, and another number after each ``deserialize(_:into:isReadOnly:maximumSize:)``, of this connection and of
  /// all others.
  ///
  /// `PRAGMA schema_version` may be the same in what was deserialized as in what it took the place of.
  public internal(set) var contentGeneration: UInt64 = 0
  /// 0, and another number while a ``Database/Transaction`` has the connection, and after each part of one that was
  /// rolled back.
  var transactionGeneration: UInt64 = 0
  /// Another number wherever ``contentGeneration`` is, and while a ``Database/Transaction`` has the connection.
  ///
  /// What is known of the schema is known of one version and one generation: the version that such a transaction has
  /// reached is reached again, with other tables, once it was rolled back.
  public var schemaGeneration: UInt64 { contentGeneration ^ transactionGeneration }
  #if SQLCipher
    /// The key of the database's file; `nil` if it has none.
    var key: EncryptionKey?
  #endif
  /// How many savepoints ``savepoint(_:)`` and what is like it have open, which makes their names.
  var savepointDepth = 0
  /// A random part of those names.
  private let savepointTag = String(UInt64.random(in: 0 ... .max), radix: 36)
  /// What the folders below keep with a connection, each by a type of its own: see ``kept(_:)``.
  private var keptValues: [ObjectIdentifier: Any] = [:]

  /// Opens a database file, and creates it where it does not exist.
  ///
  /// - Parameters:
  ///   - path: The file; `:memory:` for a database in memory, an empty text for a temporary one on
  ///     disk. URIs are not interpreted.
  ///   - configuration: How it is opened; the defaults are the safe ones.
  /// - Throws: ``SQLiteError`` with code ``SQLiteError/Code/cannotOpen``, or
  ///   ``SQLiteError/Code/notADatabase`` where the file is something else.
  public convenience init(path: String, configuration: Configuration = Configuration()) throws {
    try self.init(Database.Location(path: path), configuration: configuration)
  }

  /// Opens the database at a location: see ``Database/Location`` for what there is.
  ///
  /// ```swift
  /// let scratch = try Connection(.temporary)
  /// let shared = try Connection(.sharedMemory(named: "session"))
  /// ```
  ///
  /// - Throws: As ``init(path:configuration:)``; ``SQLiteError/Code/permission`` where the location
  ///   asks for writing and the configuration forbids it.
  public convenience init(
    _ location: Database.Location, configuration: Configuration = Configuration()
  ) throws {
    try self.init(location, configuration: configuration, expecting: nil)
  }

  /// Opens a location, or another connection to a file that is open already.
  ///
  /// - Parameter file: The file that is open. Its path takes the place of the location's.
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
      // Before anything is read or written: it may be a file of someone else's.
      if let file { try handle.requireFile(file) }
      #if SQLCipher
        if let key = configuration.key, !location.isInMemory {
          try handle.apply(key)
          self.key = key
        }
      #endif
      try setUp(hasJournal: !location.isInMemory && !location.isReadOnly)
    } catch let error as SQLiteError {
      #if SQLCipher
        let error = refusingKey(error)
      #endif
      throw error.during("opening \(location)")
    }
  }

  /// Opens a database of its own in memory, which is gone with the connection.
  ///
  /// - Throws: As ``init(path:configuration:)``.
  public static func inMemory(
    configuration: Configuration = Configuration()
  ) throws -> Connection {
    try Connection(path: ":memory:", configuration: configuration)
  }

  deinit { cache.removeAll() }

  /// Closes the database, and ends what is subscribed to its ``hooks``. A second call does nothing.
  ///
  /// - Throws: ``SQLiteError`` with code ``SQLiteError/Code/busy`` if a statement that you prepared,
  ///   a blob or a session is still alive, or a backup not finished, and inside of a function, an
  ///   observer or a hook that the connection calls; with code ``SQLiteError/Code/misuse`` if a
  ///   ``Database`` lends the connection. The connection then stays open.
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
    try handle.set(.foreignKeys, configuration.enforcesForeignKeys)
    try handle.set(.doubleQuotedStringsInQueries, configuration.allowsDoubleQuotedStrings)
    try handle.set(.doubleQuotedStringsInSchema, configuration.allowsDoubleQuotedStrings)
    try handle.set(.trustedSchema, configuration.trustsSchema)
    try handle.set(.defensive, configuration.isDefensive)
    try handle.setBusyPolicy(configuration.busyPolicy)
    if configuration.automaticCheckpointPages != Configuration.defaultCheckpointPages {
      try handle.setAutomaticCheckpoint(pages: configuration.automaticCheckpointPages)
    }
    if !hasJournal || configuration.isReadOnly {
      // The header is read at once, so that a file that is no database is found here.
      _ = try value(Int.self, "SELECT count(*) FROM sqlite_master")
    } else {
      try setJournalMode()
      try handle.control("PRAGMA synchronous = \(configuration.synchronous.rawValue)")
    }
    for file in configuration.extensions { try handle.load(file) }
    try configuration.prepare?(self)
  }

  #if SQLCipher
    /// The error of a file that is opened, which may be that its key is another one.
    ///
    /// SQLCipher can't distinguish a wrong key from a damaged first page.
    private func refusingKey(_ error: SQLiteError) -> SQLiteError {
      guard key != nil, error.code.primary == .notADatabase else { return error }
      if (try? handle.hasPlainHeader()) == true {
        return error.replacingMessage("the file is not encrypted: open it without a key")
      }
      return SQLiteError(
        code: .wrongKey, message: "the key is not the file's, or its first page is damaged")
    }
  #endif

  /// Connections that switch a new file at the same time exclude each other.
  private func setJournalMode() throws(SQLiteError) {
    let wanted = configuration.journalMode.rawValue
    let mode = try handle.retryingWhileBusy(configuration.busyPolicy) { () throws(SQLiteError) in
      try value(String.self, "PRAGMA journal_mode = \(unsafe: wanted)")
    }
    guard let mode, mode.isEqualIgnoringASCIICase(wanted) else {
      throw SQLiteError(
        code: .unsupported,
        message: "the file can't have the journal mode \(wanted), and keeps \(mode ?? "its own")")
    }
  }

  /// The connection's hooks: who wants events subscribes here.
  public var hooks: Hooks { handle.hooks }

  /// Whether a transaction is open.
  public var isInTransaction: Bool {
    handle.preconditionAccess()
    return handle.isInTransaction
  }

  /// Whether the access that uses the connection may only read.
  @_spi(Observing) public var isReadAccess: Bool { handle.hooks.state.isQueryOnly == true }

  /// The key of the row that was inserted last; 0 where none was.
  public var lastInsertedRowID: RowID {
    handle.preconditionAccess()
    return RowID(rawValue: handle.lastInsertedRowID)
  }

  /// The number of rows that have been changed since the connection was opened, by triggers and
  /// foreign key actions too.
  public var totalChangeCount: Int {
    handle.preconditionAccess()
    return Int(handle.totalChangeCount)
  }

  /// Stops the statements that run now: they fail with ``SQLiteError/Code/interrupt``.
  ///
  /// From another thread, use ``interruptHandle``.
  public func interrupt() { handle.interrupter.interrupt() }

  /// What other threads stop this connection's statements with.
  public var interruptHandle: InterruptHandle { InterruptHandle(interrupter: handle.interrupter) }

  /// Runs `body`, and gives what the statements that it ran read and write.
  ///
  /// A statement counts from its first step. Stretches may be nested.
  public func recordingAccess<Result>(
    _ body: () throws -> Result
  ) rethrows -> (Result, Statement.Access) {
    handle.preconditionAccess()
    let outer = handle.accessRecorder
    let recorder = AccessRecorder()
    handle.accessRecorder = recorder
    defer {
      handle.accessRecorder = outer
      outer?.add(recorder.access)
    }
    let result = try body()
    return (result, recorder.access)
  }

  /// What was kept last as this type; `nil` where nothing is.
  func kept<Value>(_ type: Value.Type) -> Value? {
    keptValues[ObjectIdentifier(type)] as? Value
  }

  /// Keeps a value by its type, in place of another; `nil` to keep none.
  func keep<Value>(_ value: Value?, as type: Value.Type = Value.self) {
    keptValues[ObjectIdentifier(type)] = value
  }

  /// The name of a savepoint of this library's: no statement of the user's can name it by accident.
  func savepointName(_ depth: Int) -> String { "holt_\(savepointTag)_\(depth)" }
}

@available(*, unavailable) extension Connection: Sendable {}

extension Connection {
  /// Stops a connection's statements, from any thread.
  public struct InterruptHandle: Sendable {
    let interrupter: Interrupter

    /// Stops the statements that run now. Where none runs, or the connection is closed, nothing
    /// happens.
    public func interrupt() { interrupter.interrupt() }
  }
}

extension Connection {
  /// The moment of the transaction that is open, in seconds since the beginning of 1970: one and the
  /// same until it ends. Outside of a transaction, it is now.
  ///
  /// It is taken from ``Configuration/clock`` when it is first asked for inside the transaction.
  /// SQL's `CURRENT_TIMESTAMP` knows nothing of it.
  public var transactionTime: Double {
    guard isInTransaction else { return configuration.clock() }
    if let moment = hooks.transactionMoment { return moment }
    let now = configuration.clock()
    hooks.transactionMoment = now
    return now
  }
}
