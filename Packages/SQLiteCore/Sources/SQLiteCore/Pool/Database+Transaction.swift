internal import Primitives

extension Database {
  /// A transaction that stays open from one call to the next, until it is committed or rolled back.
  ///
  /// For what a user does step by step, or an interface that has no closures. Where a closure will do,
  /// use `Database.write(_:)`, which can't be left open.
  ///
  /// ```swift
  /// let transaction = try database.beginTransaction()
  /// try transaction.write { try $0.run("UPDATE account SET sum = sum - 10 WHERE id = 1") }
  /// try transaction.write { try $0.run("UPDATE account SET sum = sum + 10 WHERE id = 2") }
  /// try transaction.commit()
  /// ```
  ///
  /// It keeps the connection that writes: whoever else writes waits until it is over, and for a database in
  /// memory, which has one connection, so does whoever reads. A thread that holds one and writes to the
  /// database itself waits for ever. One that is let go is rolled back.
  public final class Transaction: Sendable {
    private let pool: ConnectionPool
    private let parts = Atomic<Int>(0)

    fileprivate init(_ pooled: PooledConnection, from source: ConnectionPool) {
      let closed = SQLiteError(code: .transactionClosed, message: "the transaction is over")
      pooled.connection.beginGeneration()
      pool = ConnectionPool(lending: pooled, name: "Holt transaction", closed: closed) {
        $0.withConnection { $0.endKeptTransaction() }
        source.giveBack($0)?.start()
      }
    }

    deinit { rollBack() }

    /// Reads what the transaction sees; the calling thread waits for its turn.
    ///
    /// - Throws: What `body` throws; ``SQLiteError`` with code ``SQLiteError/Code/transactionClosed`` once the transaction
    ///   is over, with ``SQLiteError/Code/nestedAccess`` inside another access to the database.
    public func read<Result>(_ body: (Connection) throws -> Result) throws -> Result {
      try access { connection in
        try connection.handle.setQueryOnly(true)
        return try body(connection)
      }
    }

    /// Writes in the transaction: all that `body` does is kept, or nothing. The calling thread waits for its
    /// turn.
    ///
    /// What `body` throws does not end the transaction, unless SQLite rolls it back by itself, as it does when the
    /// disk is full: what comes after that fails with ``SQLiteError/Code/transactionEnded``.
    ///
    /// - Throws: As `read(_:)`; what `body` throws.
    @discardableResult
    public func write<Result>(_ body: (Connection) throws -> Result) throws -> Result {
      try access { connection in
        try connection.handle.setQueryOnly(false)
        return try connection.savepoint { try body(connection) }
      }
    }

    /// Reads what the transaction sees, on the connection's own thread.
    ///
    /// - Throws: As the synchronous form; `CancellationError` where the task was cancelled.
    public func read<Result>(
      _ body: @escaping @Sendable (Connection) throws -> sending Result
    ) async throws -> sending Result {
      try await ResultAccess(in: pool) { connection in
        try connection.requireTransaction()
        try connection.handle.setQueryOnly(true)
        return try body(connection)
      }.result()
    }

    /// Writes in the transaction, on the connection's own thread.
    ///
    /// - Throws: As the synchronous form; `CancellationError` where the task was cancelled. SQLite may then have
    ///   rolled back the whole transaction.
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

    /// Begins a part of the transaction that can be undone by itself, until ``releaseSavepoint()`` or
    /// ``rollBackSavepoint()``. Parts nest.
    ///
    /// - Throws: As `read(_:)`.
    public func savepoint() throws {
      try access { connection in
        try connection.handle.setQueryOnly(false)
        try connection.beginSavepoint()
        parts.add(1, ordering: .relaxed)
      }
    }

    /// How many parts have begun and not ended.
    public var savepointCount: Int { parts.load(ordering: .relaxed) }

    /// Ends the innermost part, and leaves what it did to the part around it: if that fails, by undoing it.
    ///
    /// - Throws: As `read(_:)`; ``SQLiteError`` with code ``SQLiteError/Code/misuse`` where no part has begun, with
    ///   ``SQLiteError/Code/transactionEnded`` where SQLite has rolled back the whole transaction: the part is over then,
    ///   too.
    public func releaseSavepoint() throws {
      try leavingPart { connection in
        try connection.handle.refuseWhileLent()
        parts.subtract(1, ordering: .relaxed)
        try connection.releaseSavepoint()
      }
    }

    /// Ends the innermost part, and undoes what it did, unless SQLite has done so.
    ///
    /// - Throws: As `read(_:)`; ``SQLiteError`` with code ``SQLiteError/Code/misuse`` where no part has begun.
    public func rollBackSavepoint() throws {
      try leavingPart { connection in
        parts.subtract(1, ordering: .relaxed)
        connection.undoSavepoint()
        connection.beginGeneration()
      }
    }

    private func leavingPart(_ body: (Connection) throws -> Void) throws {
      try guardedAccess { connection in
        guard savepointCount > 0 else {
          throw SQLiteError(code: .misuse, message: "no savepoint of the transaction has begun")
        }
        try body(connection)
      }
    }

    /// Commits, and ends the transaction: if that fails, by rolling it back.
    ///
    /// - Throws: ``SQLiteError`` of what could not be committed: ``SQLiteError/Code/constraintForeignKey`` of a
    ///   deferred reference, say; with code ``SQLiteError/Code/misuse`` where a part has begun and not ended; with code
    ///   ``SQLiteError/Code/transactionEnded`` where SQLite has rolled it back before, with ``SQLiteError/Code/transactionClosed`` where it is over already.
    public func commit() throws {
      defer { pool.close() }
      try guardedAccess { connection in
        try connection.handle.setQueryOnly(false)
        guard savepointCount == 0 else {
          throw SQLiteError(code: .misuse, message: "a savepoint of the transaction has not ended")
        }
        try connection.commit()
      }
    }

    /// Undoes all of it, and ends it. Where it is over already, nothing happens.
    public func rollBack() { pool.close() }

    private func access<Result>(_ body: (Connection) throws -> Result) throws -> Result {
      try guardedAccess { connection in
        try connection.requireTransaction()
        return try body(connection)
      }
    }

    private func guardedAccess<Result>(_ body: (Connection) throws -> Result) throws -> Result {
      guard !ThreadLease.isHolding(group: pool.group) else { throw Database.nested }
      return try pool.withConnection(Database.nextAccess(), body)
    }

    // A closure that returns what another one made can't say that nothing else keeps it, so that the savepoint
    // stands around the call here.
    private static func inSavepoint<Result>(
      _ connection: Connection, _ body: (Connection) throws -> sending Result
    ) throws -> sending Result {
      try connection.beginSavepoint()
      let result: Result
      do {
        result = try body(connection)
      } catch {
        connection.undoSavepoint()
        throw error
      }
      try connection.releaseSavepoint()
      return result
    }
  }
}

extension Database {
  /// Begins a transaction that stays open from one call to the next; the calling thread waits for the
  /// connection that writes.
  ///
  /// - Throws: ``SQLiteError`` with code ``SQLiteError/Code/readOnly`` where the database is read-only, with
  ///   ``SQLiteError/Code/nestedAccess`` inside another access to it, with ``SQLiteError/Code/busy`` where another
  ///   process writes.
  public func beginTransaction() throws -> Transaction {
    let pool = try writerPool()
    try refuseNesting()
    let pooled = try pool.acquire()
    do {
      try pooled.withConnection { try $0.beginWriting() }
    } catch {
      pool.giveBack(pooled)?.start()
      throw error
    }
    return Transaction(pooled, from: pool)
  }

  /// Begins a transaction that stays open from one call to the next.
  ///
  /// - Throws: As the synchronous form; `CancellationError` where the task was cancelled.
  public func beginTransaction() async throws -> Transaction {
    let pool = try writerPool()
    try refuseWaitingForOwnTask()
    let access = ResultAccess<Void>(in: pool, keepsConnection: true) { try $0.beginWriting() }
    try await access.result()
    guard let pooled = access.kept else { throw ConnectionPool.closed() }
    return Transaction(pooled, from: pool)
  }
}

extension Connection {
  fileprivate func beginWriting() throws {
    try handle.setQueryOnly(false)
    try begin(.immediate)
  }

  /// Has what is known of the schema from here on known of nothing else.
  fileprivate func beginGeneration() { transactionGeneration = .random(in: 1 ... .max) }

  /// Rolls back what was neither committed nor rolled back.
  fileprivate func endKeptTransaction() {
    while handle.scopeDepth > 1 { forgetSavepoint() }
    if handle.scopeDepth > 0 { rollBack() }
    transactionGeneration = 0
  }

  /// Refuses to go on outside of the transaction, as if it were there.
  fileprivate func requireTransaction() throws(SQLiteError) {
    guard !handle.isInTransaction else { return }
    throw SQLiteError(code: .transactionEnded, message: "the transaction has been rolled back")
  }
}
