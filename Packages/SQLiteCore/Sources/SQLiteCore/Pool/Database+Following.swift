internal import Primitives

extension Database {
  /// Writes in a transaction, and then reads what it committed, while others may write again.
  ///
  /// The read sees the database exactly as the write left it: its transaction begins before another write
  /// may. It runs on a reader, so that the writer is not kept for it.
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
  ///   - write: Runs as in `write(_:)`.
  ///   - read: Runs as in `read(_:)`, with what `write` gave. It does not run where `write` failed.
  /// - Throws: What either throws. A failure of the read, and a cancellation during it, undoes nothing of
  ///   what was written.
  @discardableResult
  public func write<Written: Sendable, Result>(
    _ write: @escaping @Sendable (Connection) throws -> Written,
    thenRead read: @escaping @Sendable (Connection, Written) throws -> sending Result
  ) async throws -> sending Result {
    let writers = try writerPool()
    try refuseWaitingForOwnTask()
    return try await FollowedWrite(in: writers, readers: readers, write, thenRead: read).result()
  }
}

/// A write whose connection goes back when a read that follows it has begun.
///
/// `@unchecked Sendable`: as ``Access``.
private final class FollowedWrite<Written: Sendable, Result>: TaskAccess<Result>,
  @unchecked Sendable
{
  private let readers: ConnectionPool
  private let write: @Sendable (Connection) throws -> Written
  private let read: @Sendable (Connection, Written) throws -> sending Result
  private let following = Mutex<ResultAccess<Result>?>(nil)

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
    following.withLock { $0 }?.cancel()
  }

  override func perform(on pooled: PooledConnection) -> Access? {
    guard beginRunning(on: pooled) else {
      let next = pool.giveBack(pooled)
      fail(CancellationError())
      return next
    }
    do {
      let written = try Database.writing(pooled.connection) { [write] in try write($0) }
      if readers === pool { return readHere(pooled, written) }
      pooled.end()
      follow(pooled, written)
      return nil
    } catch {
      pooled.end()
      let next = pool.giveBack(pooled)
      fail(told(error))
      return next
    }
  }

  /// Where there is one connection, nobody else writes until it is given back.
  private func readHere(_ pooled: PooledConnection, _ written: Written) -> Access? {
    let result: Swift.Result<Result, any Error>
    do {
      try pooled.connection.beginReading()
      defer { pooled.connection.endReading() }
      result = .success(try read(pooled.connection, written))
    } catch {
      result = .failure(told(error))
    }
    pooled.end()
    let next = pool.giveBack(pooled)
    resume(result)
    return next
  }

  /// Has a reader begin; the writer's connection goes back when it has, or can't.
  private func follow(_ pooled: PooledConnection, _ written: Written) {
    let writer = ReturnedOnce(pooled, to: pool)
    let access = ResultAccess<Result>(
      in: readers, priority: priority, onFailure: { writer.giveBack() }
    ) { [read] connection in
      do {
        defer { writer.giveBack() }
        try connection.beginReadingNow()
      }
      defer { connection.endReading() }
      return try read(connection, written)
    }
    following.withLock { $0 = access }
    handOver(to: access)
    if isCancelled { access.cancel() }
  }
}

/// A connection that goes back once, whoever is first to say so.
private final class ReturnedOnce: Sendable {
  private let pooled: Mutex<PooledConnection?>
  private let pool: ConnectionPool

  init(_ pooled: PooledConnection, to pool: ConnectionPool) {
    self.pooled = Mutex(pooled)
    self.pool = pool
  }

  func giveBack() {
    if let pooled = pooled.withLock({ $0.take() }) { pool.giveBack(pooled)?.start() }
  }
}
