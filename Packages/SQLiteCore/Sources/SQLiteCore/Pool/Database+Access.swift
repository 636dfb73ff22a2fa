extension Database {
  /// Runs `body` in a read transaction, which sees one consistent state of the database.
  ///
  /// Blocks the calling thread. In a task, use the asynchronous variant of the same name.
  ///
  /// The connection, and its statements, blobs and sessions, are valid until `body` returns. Settings that `body`
  /// changes do not affect other accesses.
  ///
  /// - Throws: Any error that `body` throws; ``SQLiteError`` with code ``SQLiteError/Code/readOnly`` if it writes, or
  ///   ``SQLiteError/Code/nestedAccess`` inside another access to this database.
  public func read<Result>(_ body: (Connection) throws -> Result) throws -> Result {
    try checkNotNested()
    return try readers.withConnection(Self.nextAccessID()) { connection in
      try connection.beginReading()
      defer { connection.endReading() }
      return try body(connection)
    }
  }

  /// Runs `body` in a write transaction, which is committed when `body` returns and rolled back if it throws.
  ///
  /// - Throws: Any error that `body` throws; ``SQLiteError`` with code ``SQLiteError/Code/nestedAccess`` inside another
  ///   access to this database. There, use the connection of the outer access and its ``Connection/transaction(_:_:)``.
  @discardableResult
  public func write<Result>(_ body: (Connection) throws -> Result) throws -> Result {
    try writeWithoutTransaction { connection in
      try connection.transaction(.immediate) { try body(connection) }
    }
  }

  /// Runs `body` with the writer connection outside a transaction, for `VACUUM` or for explicit transactions.
  ///
  /// If `body` leaves a transaction open, the transaction is rolled back and an error is thrown.
  ///
  /// - Throws: Any error that `body` throws; ``SQLiteError`` with code ``SQLiteError/Code/misuse`` if it leaves a
  ///   transaction open, or ``SQLiteError/Code/nestedAccess`` inside another access to this database.
  @discardableResult
  public func writeWithoutTransaction<Result>(
    _ body: (Connection) throws -> Result
  ) throws -> Result {
    let pool = try writerPool()
    try checkNotNested()
    return try pool.withConnection(Self.nextAccessID()) { connection in
      try connection.handle.setQueryOnly(false)
      let result: Result
      do {
        result = try body(connection)
      } catch {
        try? connection.rollBackUnfinished()
        throw error
      }
      try connection.rollBackUnfinished()
      return result
    }
  }

  /// Runs `body` in a read transaction on a dedicated thread.
  ///
  /// Waiting tasks do not block threads. The task with the highest priority is served first, and tasks of equal
  /// priority in their order of arrival. Cancelling the task removes it from the queue or interrupts the running
  /// statement; the connection stays usable.
  ///
  /// The result need not be `Sendable` if nothing else references it, but it must not belong to the connection. A
  /// closure that is stored in a variable can be passed if its result is `Sendable`, or if its type declares the result
  /// as `sending`; wrap another one as `{ try stored($0) }`.
  ///
  /// ```swift
  /// let titles = try await database.read { connection in
  ///   try connection.values(String.self, "SELECT title FROM book ORDER BY title")
  /// }
  /// ```
  ///
  /// - Throws: Any error that `body` throws; `CancellationError` if the task is cancelled.
  public func read<Result>(
    _ body: @escaping @Sendable (Connection) throws -> sending Result
  ) async throws -> sending Result {
    try await awaitRead(body)
  }

  /// Variant that also takes closures stored in variables.
  ///
  /// Disfavored, since a closure literal could match both variants.
  @_disfavoredOverload
  public func read<Result: Sendable>(
    _ body: @escaping @Sendable (Connection) throws -> Result
  ) async throws -> Result {
    try await awaitRead { try body($0) }
  }

  /// Runs `body` in a write transaction on the writer's thread.
  ///
  /// - Throws: Any error that `body` throws; `CancellationError` if the task is cancelled before the commit. Nothing is
  ///   written then.
  @discardableResult
  public func write<Result>(
    _ body: @escaping @Sendable (Connection) throws -> sending Result
  ) async throws -> sending Result {
    try await awaitWrite(body)
  }

  /// Variant that also takes closures stored in variables.
  ///
  /// Disfavored, since a closure literal could match both variants.
  @_disfavoredOverload
  @discardableResult
  public func write<Result: Sendable>(
    _ body: @escaping @Sendable (Connection) throws -> Result
  ) async throws -> Result {
    try await awaitWrite { try body($0) }
  }

  /// Runs `body` with the writer connection outside a transaction, on the writer's thread.
  ///
  /// If `body` leaves a transaction open, the transaction is rolled back and an error is thrown.
  ///
  /// - Throws: The same errors as the synchronous variant; `CancellationError` if the task is cancelled.
  @discardableResult
  public func writeWithoutTransaction<Result>(
    _ body: @escaping @Sendable (Connection) throws -> sending Result
  ) async throws -> sending Result {
    try await awaitWriteWithoutTransaction(body)
  }

  /// Variant that also takes closures stored in variables.
  ///
  /// Disfavored, since a closure literal could match both variants.
  @_disfavoredOverload
  @discardableResult
  public func writeWithoutTransaction<Result: Sendable>(
    _ body: @escaping @Sendable (Connection) throws -> Result
  ) async throws -> Result {
    try await awaitWriteWithoutTransaction { try body($0) }
  }

  // Both variants above call these: a call by the same name would be recursive.

  private func awaitRead<Result>(
    _ body: @escaping @Sendable (Connection) throws -> sending Result
  ) async throws -> sending Result {
    try await perform(in: readers) { connection in
      try connection.beginReading()
      defer { connection.endReading() }
      return try body(connection)
    }
  }

  private func awaitWrite<Result>(
    _ body: @escaping @Sendable (Connection) throws -> sending Result
  ) async throws -> sending Result {
    try await perform(in: try writerPool()) { try Self.writing($0, body) }
  }

  private func awaitWriteWithoutTransaction<Result>(
    _ body: @escaping @Sendable (Connection) throws -> sending Result
  ) async throws -> sending Result {
    try await perform(in: try writerPool()) { connection in
      try connection.handle.setQueryOnly(false)
      let result: Result
      do {
        result = try body(connection)
      } catch {
        try? connection.rollBackUnfinished()
        throw error
      }
      try connection.rollBackUnfinished()
      return result
    }
  }

  func perform<Result>(
    in pool: ConnectionPool, _ body: @escaping @Sendable (Connection) throws -> sending Result
  ) async throws -> sending Result {
    try checkNotReentrant()
    return try await ResultAccess(in: pool, body).result()
  }

  // The transaction is not written around `body` as a closure: a closure can't declare that the result of another
  // closure is `sending`.
  static func writing<Result>(
    _ connection: Connection, _ body: (Connection) throws -> sending Result
  ) throws -> sending Result {
    try connection.handle.setQueryOnly(false)
    try connection.begin(.immediate)
    let result: Result
    do {
      result = try body(connection)
    } catch {
      connection.rollBack()
      throw error
    }
    try connection.commit()
    return result
  }
}

extension Connection {
  /// Begins a read transaction that refuses writes.
  ///
  /// On a writable connection, `query_only` is set once and remains set until the next write access.
  func beginReading() throws(SQLiteError) {
    try checkNotSuspended()
    if !configuration.isReadOnly { try handle.setQueryOnly(true) }
    try handle.execute(.beginDeferred)
    handle.enterScope()
  }

  /// Ends the read transaction. No change was made, so rolling back and committing are equivalent.
  func endReading() {
    handle.leaveScope()
    if isInTransaction { try? handle.executeUninterrupted(.rollback) }
  }

  /// Rolls back a transaction that an access left open, and throws an error if there is one.
  func rollBackUnfinished() throws(SQLiteError) {
    guard handle.isInTransaction else { return }
    try handle.executeUninterrupted(.rollback)
    throw SQLiteError(
      code: .misuse, message: "the access ended inside a transaction, which was rolled back")
  }
}
