extension Database {
  /// Runs `body` in a read transaction: everything that it reads is of one moment.
  ///
  /// The calling thread waits. In a task, use the asynchronous form of the same name.
  ///
  /// The connection, and what belongs to it, is valid until `body` returns. Settings that `body` changes
  /// on it reach no other access.
  ///
  /// - Throws: What `body` throws; ``SQLiteError`` with code ``SQLiteError/Code/readOnly`` where it
  ///   writes, with ``SQLiteError/Code/nestedAccess`` inside another access to this database.
  public func read<Result>(_ body: (Connection) throws -> Result) throws -> Result {
    try refuseNesting()
    return try readers.withConnection(Self.nextAccess()) { connection in
      try connection.beginReading()
      defer { connection.endReading() }
      return try body(connection)
    }
  }

  /// Runs `body` in a transaction that may write: all that it does is committed, or nothing.
  ///
  /// - Throws: What `body` throws; ``SQLiteError`` with code ``SQLiteError/Code/nestedAccess`` inside
  ///   another access to this database: there, use the connection, and its
  ///   ``Connection/transaction(_:_:)``.
  @discardableResult
  public func write<Result>(_ body: (Connection) throws -> Result) throws -> Result {
    try writeWithoutTransaction { connection in
      try connection.transaction(.immediate) { try body(connection) }
    }
  }

  /// Runs `body` with the connection that writes, outside of any transaction: for `VACUUM`, or for
  /// transactions of your own.
  ///
  /// A transaction that `body` leaves open is rolled back, and is an error.
  ///
  /// - Throws: What `body` throws; ``SQLiteError`` with code ``SQLiteError/Code/misuse`` where it
  ///   leaves a transaction open, with ``SQLiteError/Code/nestedAccess`` inside another access to
  ///   this database.
  @discardableResult
  public func writeWithoutTransaction<Result>(
    _ body: (Connection) throws -> Result
  ) throws -> Result {
    let pool = try writerPool()
    try refuseNesting()
    return try pool.withConnection(Self.nextAccess()) { connection in
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

  /// Runs `body` in a read transaction, on a thread of its own.
  ///
  /// No thread waits for the connection, however many tasks do: the most urgent is served first, by
  /// its task's priority, and among equals whoever came first. Cancelling the task takes it out of
  /// the queue, or interrupts the statement that runs; the connection stays usable.
  ///
  /// What `body` makes may leave it though it is not `Sendable`, as long as nothing else keeps it. What
  /// belongs to the connection may not. A closure that is stored as a value can be given where its result is
  /// `Sendable`, or where its type says that the result is `sending`; around another, write
  /// `{ try stored($0) }`.
  ///
  /// ```swift
  /// let titles = try await database.read { connection in
  ///   try connection.values(String.self, "SELECT title FROM book ORDER BY title")
  /// }
  /// ```
  ///
  /// - Throws: What `body` throws; `CancellationError` where the task was cancelled.
  public func read<Result>(
    _ body: @escaping @Sendable (Connection) throws -> sending Result
  ) async throws -> sending Result {
    try await awaitRead(body)
  }

  /// As the other form; this one takes closures that are stored as values, too.
  ///
  /// Not favored, since a closure that is written where it is used may be either's.
  @_disfavoredOverload
  public func read<Result: Sendable>(
    _ body: @escaping @Sendable (Connection) throws -> Result
  ) async throws -> Result {
    try await awaitRead { try body($0) }
  }

  /// Runs `body` in a transaction that may write, on the writer's thread.
  ///
  /// - Throws: What `body` throws; `CancellationError` where the task was cancelled before the
  ///   commit, and nothing was written.
  @discardableResult
  public func write<Result>(
    _ body: @escaping @Sendable (Connection) throws -> sending Result
  ) async throws -> sending Result {
    try await awaitWrite(body)
  }

  /// As the other form; this one takes closures that are stored as values, too.
  ///
  /// Not favored, since a closure that is written where it is used may be either's.
  @_disfavoredOverload
  @discardableResult
  public func write<Result: Sendable>(
    _ body: @escaping @Sendable (Connection) throws -> Result
  ) async throws -> Result {
    try await awaitWrite { try body($0) }
  }

  /// Runs `body` with the connection that writes, outside of any transaction, on its own thread.
  ///
  /// A transaction that `body` leaves open is rolled back, and is an error.
  ///
  /// - Throws: As the synchronous form; `CancellationError` where the task was cancelled.
  @discardableResult
  public func writeWithoutTransaction<Result>(
    _ body: @escaping @Sendable (Connection) throws -> sending Result
  ) async throws -> sending Result {
    try await awaitWriteWithoutTransaction(body)
  }

  /// As the other form; this one takes closures that are stored as values, too.
  ///
  /// Not favored, since a closure that is written where it is used may be either's.
  @_disfavoredOverload
  @discardableResult
  public func writeWithoutTransaction<Result: Sendable>(
    _ body: @escaping @Sendable (Connection) throws -> Result
  ) async throws -> Result {
    try await awaitWriteWithoutTransaction { try body($0) }
  }

  // Each of the two forms above is this one: a call by the same name would be of itself.

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
    try refuseWaitingForOwnTask()
    return try await ResultAccess(in: pool, body).result()
  }

  // A closure that returns what another one made can't say that nothing else keeps it, so that the
  // transaction stands around the call here.
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
  /// Begins a read transaction in which nothing can be written.
  ///
  /// A connection that may write is told so once, and until it is to write again.
  func beginReading() throws(SQLiteError) {
    try refuseWhileSuspended()
    if !configuration.isReadOnly { try handle.setQueryOnly(true) }
    try handle.control(.beginDeferred)
    handle.enterScope()
  }

  /// Ends it. Nothing was written, so that undoing and committing are the same.
  func endReading() {
    handle.leaveScope()
    if isInTransaction { try? handle.controlUninterrupted(.rollback) }
  }

  /// Rolls back a transaction that an access left open, which is an error.
  func rollBackUnfinished() throws(SQLiteError) {
    guard handle.isInTransaction else { return }
    try handle.controlUninterrupted(.rollback)
    throw SQLiteError(
      code: .misuse, message: "the access ended inside a transaction, which was rolled back")
  }
}
