internal import Primitives

extension Database {
  /// Writes in a transaction, then reads the committed state while other writes can continue.
  ///
  /// The read sees exactly the state that the write committed: its transaction begins before another write can. It runs
  /// on a reader, so that it does not occupy the writer.
  ///
  /// ```swift
  /// let titles = try await database.write { connection in
  ///   try connection.run("DELETE FROM book WHERE title = ?", "Middlemarch")
  /// } thenRead: { connection, _ in
  ///   try connection.values(String.self, "SELECT title FROM book ORDER BY title")
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - write: The write, as for `write(_:)`.
  ///   - read: The read, as for `read(_:)`, which receives the result of `write`. Not called if `write` fails.
  /// - Throws: Any error that either throws. A failure or cancellation of the read does not roll back the write.
  @discardableResult
  public func write<Written: Sendable, Result>(
    _ write: @escaping @Sendable (Connection) throws -> Written,
    thenRead read: @escaping @Sendable (Connection, Written) throws -> sending Result
  ) async throws -> sending Result {
    let writers = try writerPool()
    try checkNotReentrant()
    return try await WriteThenRead(in: writers, readers: readers, write, thenRead: read).result()
  }
}

/// A write that holds its connection until the read that follows it has begun.
///
/// `@unchecked Sendable`: see ``Access``.
private final class WriteThenRead<Written: Sendable, Result>: TaskAccess<Result>,
  @unchecked Sendable
{
  private let readers: ConnectionPool
  private let write: @Sendable (Connection) throws -> Written
  private let read: @Sendable (Connection, Written) throws -> sending Result
  private let readAccess = Mutex<ResultAccess<Result>?>(nil)

  init(
    in pool: ConnectionPool, readers: ConnectionPool,
    _ write: @escaping @Sendable (Connection) throws -> Written,
    thenRead read: @escaping @Sendable (Connection, Written) throws -> sending Result
  ) {
    self.readers = readers
    self.write = write
    self.read = read
    super.init(in: pool)
  }

  override func cancel() {
    super.cancel()
    readAccess.withLock { $0 }?.cancel()
  }

  override func perform(on pooled: PooledConnection) -> Access? {
    guard beginRunning(on: pooled) else {
      let next = pool.release(pooled)
      fail(CancellationError())
      return next
    }
    do {
      let written = try Database.writing(pooled.connection) { [write] in try write($0) }
      if readers === pool { return readOnWriter(pooled, written) }
      pooled.end()
      startRead(pooled, written)
      return nil
    } catch {
      pooled.end()
      let next = pool.release(pooled)
      fail(taskError(error))
      return next
    }
  }

  /// Reads on the writer connection, if it is the only one: no other access can write before it is released.
  private func readOnWriter(_ pooled: PooledConnection, _ written: Written) -> Access? {
    let result: Swift.Result<Result, any Error>
    do {
      try pooled.connection.beginReading()
      defer { pooled.connection.endReading() }
      result = .success(try read(pooled.connection, written))
    } catch {
      result = .failure(taskError(error))
    }
    pooled.end()
    let next = pool.release(pooled)
    resume(result)
    return next
  }

  /// Starts the read on a reader. The writer connection is released when the read has begun or failed.
  private func startRead(_ pooled: PooledConnection, _ written: Written) {
    let writer = OneTimeRelease(pooled, to: pool)
    let access = ResultAccess<Result>(
      in: readers, priority: priority, onFailure: { writer.release() }
    ) { [read] connection in
      do {
        defer { writer.release() }
        try connection.beginReadingSnapshot()
      }
      defer { connection.endReading() }
      return try read(connection, written)
    }
    readAccess.withLock { $0 = access }
    transferContinuation(to: access)
    if isCancelled { access.cancel() }
  }
}

/// A connection that is released only once, by the first call.
private final class OneTimeRelease: Sendable {
  private let pooled: Mutex<PooledConnection?>
  private let pool: ConnectionPool

  init(_ pooled: PooledConnection, to pool: ConnectionPool) {
    self.pooled = Mutex(pooled)
    self.pool = pool
  }

  func release() {
    if let pooled = pooled.withLock({ $0.take() }) { pool.release(pooled)?.start() }
  }
}
