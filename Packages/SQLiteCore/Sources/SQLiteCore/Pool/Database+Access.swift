extension Database {
  /// Runs `body` in a read transaction: everything that it reads is of one moment.
  ///
  /// The calling thread waits. In a task, use the asynchronous form of the same name.
  ///
  /// - Throws: What `body` throws; ``SQLiteError`` with code ``SQLiteError/Code/readOnly`` where it
  ///   writes, with ``SQLiteError/Code/nestedAccess`` inside another access to this database.
  public func read<Result>(_ body: (Connection) throws -> Result) throws -> Result {
    try refuseNesting()
    return try readers.withConnection(Self.nextAccess()) { pooled in
      try Self.reading(pooled.connection, body)
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
  @discardableResult
  public func writeWithoutTransaction<Result>(
    _ body: (Connection) throws -> Result
  ) throws -> Result {
    let pool = try writerPool()
    try refuseNesting()
    return try pool.withConnection(Self.nextAccess()) { pooled in
      try Self.unfinishedRolledBack(pooled.connection, body)
    }
  }

  /// Runs `body` in a read transaction, on a thread of its own.
  ///
  /// No thread waits for the connection, however many tasks do. Cancelling the task takes it out of
  /// the queue, or interrupts the statement that runs; the connection stays usable.
  ///
  /// - Throws: What `body` throws; `CancellationError` where the task was cancelled.
  public func read<Result: Sendable>(
    _ body: @escaping @Sendable (Connection) throws -> Result
  ) async throws -> Result {
    try await perform(in: readers) { try Self.reading($0, body) }
  }

  /// Runs `body` in a transaction that may write, on the writer's thread.
  ///
  /// - Throws: What `body` throws; `CancellationError` where the task was cancelled before the
  ///   commit, and nothing was written.
  @discardableResult
  public func write<Result: Sendable>(
    _ body: @escaping @Sendable (Connection) throws -> Result
  ) async throws -> Result {
    try await writeWithoutTransaction { connection in
      try connection.transaction(.immediate) { try body(connection) }
    }
  }

  /// Runs `body` with the connection that writes, outside of any transaction, on its own thread.
  @discardableResult
  public func writeWithoutTransaction<Result: Sendable>(
    _ body: @escaping @Sendable (Connection) throws -> Result
  ) async throws -> Result {
    try await perform(in: try writerPool()) { try Self.unfinishedRolledBack($0, body) }
  }

  private func perform<Result: Sendable>(
    in pool: ConnectionPool, _ body: @escaping @Sendable (Connection) throws -> Result
  ) async throws -> Result {
    let ticket = AccessTicket<Result>(id: Self.nextAccess())
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        guard ticket.begin(continuation) else { return }
        pool.enqueue(ticket.id) { lease in
          switch lease {
          case .failure(let error): return { ticket.finish(.failure(error)) }
          case .success(let pooled):
            guard ticket.run(on: pooled.interrupter) else {
              return { ticket.finish(.failure(CancellationError())) }
            }
            let result = Swift.Result { try body(pooled.connection) }
            return { ticket.finish(result) }
          }
        }
        // It may have been cancelled before it was in the queue, where nobody looked for it.
        if ticket.isCancelled { ticket.cancel(in: pool) }
      }
    } onCancel: {
      ticket.cancel(in: pool)
    }
  }

  private static func reading<Result>(
    _ connection: Connection, _ body: (Connection) throws -> Result
  ) throws -> Result {
    try connection.beginReading()
    defer { connection.endReading() }
    return try connection.handle.inScope { try body(connection) }
  }

  private static func unfinishedRolledBack<Result>(
    _ connection: Connection, _ body: (Connection) throws -> Result
  ) throws -> Result {
    let result: Result
    do {
      result = try body(connection)
    } catch {
      if connection.isInTransaction { try? connection.handle.controlUninterrupted("ROLLBACK") }
      throw error
    }
    if connection.isInTransaction {
      try connection.handle.controlUninterrupted("ROLLBACK")
      throw SQLiteError(
        code: .misuse, message: "the access ended inside a transaction, which was rolled back")
    }
    return result
  }
}

extension Connection {
  /// Begins a read transaction in which nothing can be written.
  func beginReading() throws(SQLiteError) {
    if !configuration.isReadOnly { try handle.control("PRAGMA query_only = 1") }
    do {
      try handle.control("BEGIN DEFERRED")
    } catch {
      if !configuration.isReadOnly { try? handle.control("PRAGMA query_only = 0") }
      throw error
    }
  }

  /// Ends it. Nothing was written, so that undoing and committing are the same.
  func endReading() {
    if isInTransaction { try? handle.controlUninterrupted("ROLLBACK") }
    if !configuration.isReadOnly { try? handle.controlUninterrupted("PRAGMA query_only = 0") }
  }
}
