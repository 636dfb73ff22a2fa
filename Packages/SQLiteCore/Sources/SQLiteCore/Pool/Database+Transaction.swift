internal import Primitives

extension Database {
  /// A transaction that stays open across calls until it is committed or rolled back.
  ///
  /// Use it for a sequence of user actions, or for an interface without closures. If a closure is possible, use
  /// `Database.write(_:)`, which can't be left open.
  ///
  /// ```swift
  /// let transaction = try database.beginTransaction()
  /// try transaction.write { try $0.run("UPDATE account SET sum = sum - 10 WHERE id = 1") }
  /// try transaction.write { try $0.run("UPDATE account SET sum = sum + 10 WHERE id = 2") }
  /// try transaction.commit()
  /// ```
  ///
  /// The transaction holds the writer connection: other writes wait until it ends, and so do reads of an in-memory
  /// database, which has one connection. A thread that holds a transaction and writes to the database itself waits
  /// forever. A transaction that is released without a commit is rolled back.
  public final class Transaction: Sendable {
    private let pool: ConnectionPool
    private let openSavepointCount = Atomic<Int>(0)

    fileprivate init(_ pooled: PooledConnection, from source: ConnectionPool) {
      let closed = SQLiteError(code: .transactionClosed, message: "the transaction has ended")
      pooled.connection.beginGeneration()
      pool = ConnectionPool(lending: pooled, name: "Holt transaction", closed: closed) {
        $0.withConnection { $0.rollBackIfOpen() }
        source.release($0)?.start()
      }
    }

    deinit { rollBack() }

    /// Reads within the transaction. Blocks the calling thread until it has the connection.
    ///
    /// - Throws: Any error that `body` throws; ``SQLiteError`` with code ``SQLiteError/Code/transactionClosed`` if the
    ///   transaction has ended, or ``SQLiteError/Code/nestedAccess`` inside another access to the database.
    public func read<Result>(_ body: (Connection) throws -> Result) throws -> Result {
      try access { connection in
        try connection.handle.setQueryOnly(true)
        return try body(connection)
      }
    }

    /// Writes within the transaction, in a savepoint that is rolled back if `body` throws. Blocks the calling thread
    /// until it has the connection.
    ///
    /// An error that `body` throws does not end the transaction, unless SQLite itself rolls the transaction back, as it
    /// does when the disk is full. Later calls then throw ``SQLiteError/Code/transactionEnded``.
    ///
    /// - Throws: The same errors as `read(_:)`.
    @discardableResult
    public func write<Result>(_ body: (Connection) throws -> Result) throws -> Result {
      try access { connection in
        try connection.handle.setQueryOnly(false)
        return try connection.savepoint { try body(connection) }
      }
    }

    /// Reads within the transaction, on the connection's thread.
    ///
    /// - Throws: The same errors as the synchronous variant; `CancellationError` if the task is cancelled.
    public func read<Result>(
      _ body: @escaping @Sendable (Connection) throws -> sending Result
    ) async throws -> sending Result {
      try await ResultAccess(in: pool) { connection in
        try connection.requireTransaction()
        try connection.handle.setQueryOnly(true)
        return try body(connection)
      }.result()
    }

    /// Writes within the transaction, on the connection's thread.
    ///
    /// - Throws: The same errors as the synchronous variant; `CancellationError` if the task is cancelled. SQLite may
    ///   have rolled back the whole transaction then.
    @discardableResult
    public func write<Result>(
      _ body: @escaping @Sendable (Connection) throws -> sending Result
    ) async throws -> sending Result {
      try await ResultAccess(in: pool) { connection in
        try connection.requireTransaction()
        try connection.handle.setQueryOnly(false)
        return try Self.inSavepoint(connection, body)
      }.result()
    }

    /// Begins a savepoint, which ``releaseSavepoint()`` or ``rollBackSavepoint()`` ends. Savepoints can be nested.
    ///
    /// - Throws: The same errors as `read(_:)`.
    public func savepoint() throws {
      try access { connection in
        try connection.handle.setQueryOnly(false)
        try connection.beginSavepoint()
        openSavepointCount.add(1, ordering: .relaxed)
      }
    }

    /// The number of open savepoints.
    public var savepointCount: Int { openSavepointCount.load(ordering: .relaxed) }

    /// Releases the innermost savepoint, or rolls it back if releasing fails.
    ///
    /// - Throws: The same errors as `read(_:)`; ``SQLiteError`` with code ``SQLiteError/Code/misuse`` if no savepoint
    ///   is open, or ``SQLiteError/Code/transactionEnded`` if SQLite has rolled back the whole transaction. The
    ///   savepoint has ended then, too.
    public func releaseSavepoint() throws {
      try endingSavepoint { connection in
        try connection.handle.checkNoColumnBorrowed()
        openSavepointCount.subtract(1, ordering: .relaxed)
        try connection.releaseSavepoint()
      }
    }

    /// Rolls back the innermost savepoint, unless SQLite has already done so.
    ///
    /// - Throws: The same errors as `read(_:)`; ``SQLiteError`` with code ``SQLiteError/Code/misuse`` if no savepoint
    ///   is open.
    public func rollBackSavepoint() throws {
      try endingSavepoint { connection in
        openSavepointCount.subtract(1, ordering: .relaxed)
        connection.rollBackToSavepoint()
        connection.beginGeneration()
      }
    }

    private func endingSavepoint(_ body: (Connection) throws -> Void) throws {
      try guardedAccess { connection in
        guard savepointCount > 0 else {
          throw SQLiteError(code: .misuse, message: "the transaction has no open savepoint")
        }
        try body(connection)
      }
    }

    /// Commits and ends the transaction. If the commit fails, the transaction is rolled back.
    ///
    /// - Throws: ``SQLiteError`` if the commit fails, for example with ``SQLiteError/Code/constraintForeignKey`` for a
    ///   deferred foreign key; with code ``SQLiteError/Code/misuse`` if a savepoint is open,
    ///   ``SQLiteError/Code/transactionEnded`` if SQLite has already rolled the transaction back, or
    ///   ``SQLiteError/Code/transactionClosed`` if the transaction has ended.
    public func commit() throws {
      defer { pool.close() }
      try guardedAccess { connection in
        try connection.handle.setQueryOnly(false)
        guard savepointCount == 0 else {
          throw SQLiteError(code: .misuse, message: "a savepoint of the transaction is still open")
        }
        try connection.commit()
      }
    }

    /// Rolls back and ends the transaction. Does nothing if the transaction has ended.
    public func rollBack() { pool.close() }

    private func access<Result>(_ body: (Connection) throws -> Result) throws -> Result {
      try guardedAccess { connection in
        try connection.requireTransaction()
        return try body(connection)
      }
    }

    private func guardedAccess<Result>(_ body: (Connection) throws -> Result) throws -> Result {
      guard !ThreadAccessScope.isOpenOnCurrentThread(group: pool.group) else {
        throw Database.nestedAccessError
      }
      return try pool.withConnection(Database.nextAccessID(), body)
    }

    // The savepoint is not written around `body` as a closure: a closure can't declare that the result of another
    // closure is `sending`.
    private static func inSavepoint<Result>(
      _ connection: Connection, _ body: (Connection) throws -> sending Result
    ) throws -> sending Result {
      try connection.beginSavepoint()
      let result: Result
      do {
        result = try body(connection)
      } catch {
        connection.rollBackToSavepoint()
        throw error
      }
      try connection.releaseSavepoint()
      return result
    }
  }
}

extension Database {
  /// Begins a transaction that stays open across calls. Blocks the calling thread until the writer connection is
  /// available.
  ///
  /// - Throws: ``SQLiteError`` with code ``SQLiteError/Code/readOnly`` if the database is read-only,
  ///   ``SQLiteError/Code/nestedAccess`` inside another access to it, or ``SQLiteError/Code/busy`` if another process
  ///   is writing.
  public func beginTransaction() throws -> Transaction {
    let pool = try writerPool()
    try checkNotNested()
    let pooled = try pool.acquire()
    do {
      try pooled.withConnection { try $0.beginWriting() }
    } catch {
      pool.release(pooled)?.start()
      throw error
    }
    return Transaction(pooled, from: pool)
  }

  /// Begins a transaction that stays open across calls.
  ///
  /// - Throws: The same errors as the synchronous variant; `CancellationError` if the task is cancelled.
  public func beginTransaction() async throws -> Transaction {
    let pool = try writerPool()
    try checkNotReentrant()
    let access = ResultAccess<Void>(in: pool, retainsConnection: true) { try $0.beginWriting() }
    try await access.result()
    guard let pooled = access.retainedConnection else { throw ConnectionPool.closed() }
    return Transaction(pooled, from: pool)
  }
}

extension Connection {
  fileprivate func beginWriting() throws {
    try handle.setQueryOnly(false)
    try begin(.immediate)
  }

  /// Changes the schema generation, which invalidates cached schema information.
  fileprivate func beginGeneration() { transactionGeneration = .random(in: 1 ... .max) }

  /// Rolls back the transaction if it is still open.
  fileprivate func rollBackIfOpen() {
    while handle.scopeDepth > 1 { discardSavepoint() }
    if handle.scopeDepth > 0 { rollBack() }
    transactionGeneration = 0
  }

  /// Throws an error if SQLite has already rolled the transaction back.
  fileprivate func requireTransaction() throws(SQLiteError) {
    guard !handle.isInTransaction else { return }
    throw SQLiteError(code: .transactionEnded, message: "the transaction has been rolled back")
  }
}
