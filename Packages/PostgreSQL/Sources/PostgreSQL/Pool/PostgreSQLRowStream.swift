internal import Primitives

/// The rows of a query, which are received while they are consumed.
///
/// The server is not read faster than the rows are consumed, so that memory does not grow with their number. The stream
/// uses a connection from the first row until its end. If the iteration ends early, the statement is cancelled.
public struct PostgreSQLRowStream<Element: Sendable>: AsyncSequence, Sendable {
  let makeCursor: @Sendable () -> RowCursor<Element>

  public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(cursor: makeCursor()) }

  public struct AsyncIterator: AsyncIteratorProtocol {
    let cursor: RowCursor<Element>
    private var batch: ArraySlice<Element> = []
    private var isComplete = false

    init(cursor: RowCursor<Element>) { self.cursor = cursor }

    /// The next row; `nil` at the end.
    ///
    /// - Throws: ``PostgreSQLError`` if the statement fails or a column can't be read; `CancellationError`; the error of
    ///   the function that reads a row.
    public mutating func next() async throws -> Element? {
      while batch.isEmpty, !isComplete {
        let (rows, isLast) = try await cursor.nextBatch()
        batch = rows[...]
        isComplete = isLast
      }
      return batch.popFirst()
    }
  }
}

extension PostgreSQLDatabase {
  /// Returns a query's rows as values, which are received while they are consumed.
  ///
  /// ```swift
  /// for try await player in database.rows(of: Player.self, "SELECT id, name FROM player") {
  ///   print(player.name)
  /// }
  /// ```
  public func rows<Value: PostgreSQLRowDecodable & Sendable>(
    of type: Value.Type, _ query: PostgreSQLQuery,
    values: [any PostgreSQLBindable & Sendable] = []
  ) -> PostgreSQLRowStream<Value> {
    rows(query, values: values) { row in try Value(row: row) }
  }

  /// Returns a query's rows, decoded by `decode`, which are received while they are consumed.
  ///
  /// - Parameters:
  ///   - query: A single statement.
  ///   - values: A value for each parameter.
  ///   - options: The options of a transaction for the statement, which is committed after the last row. `nil` to run it
  ///     without one.
  ///   - decode: Reads a row.
  public func rows<Value: Sendable>(
    _ query: PostgreSQLQuery, values: [any PostgreSQLBindable & Sendable] = [],
    in options: PostgreSQLTransactionOptions? = nil,
    decode: @escaping @Sendable (borrowing PostgreSQLRow) throws -> Value
  ) -> PostgreSQLRowStream<Value> {
    PostgreSQLRowStream { [pool] in
      RowCursor(pool, query: query, values: values, options: options, decode: decode)
    }
  }
}

/// An iteration over a query's rows, which uses a connection until it ends.
///
/// `@unchecked Sendable`: used by the iterator's task, and by `deinit`, when no task can use it.
final class RowCursor<Element: Sendable>: @unchecked Sendable {
  private let pool: ConnectionPool
  private let query: PostgreSQLQuery
  private let values: [any PostgreSQLBindable & Sendable]
  private let options: PostgreSQLTransactionOptions?
  private let decode: @Sendable (borrowing PostgreSQLRow) throws -> Element
  private var running: RunningStream?
  private var isFinished = false
  private let batchSize = 128

  init(
    _ pool: ConnectionPool, query: PostgreSQLQuery, values: [any PostgreSQLBindable & Sendable],
    options: PostgreSQLTransactionOptions?,
    decode: @escaping @Sendable (borrowing PostgreSQLRow) throws -> Element
  ) {
    self.pool = pool
    self.query = query
    self.values = values
    self.options = options
    self.decode = decode
  }

  deinit {
    guard let running else { return }
    Task.detached { await running.abandon() }
  }

  /// Receives the next rows.
  ///
  /// - Returns: The rows, and whether they are the last ones.
  @concurrent
  func nextBatch() async throws -> (rows: [Element], isLast: Bool) {
    if isFinished { return ([], true) }
    do {
      let stream: RunningStream
      if let running {
        stream = running
      } else {
        let all = try query.allValues(with: values)
        stream = try await RunningStream.start(query, all, options, on: pool)
        running = stream
      }
      var rows: [Element] = []
      let isLast = try await stream.receive(limit: batchSize) { rows.append(try self.decode($0)) }
      if isLast {
        isFinished = true
        running = nil
      }
      return (rows, isLast)
    } catch {
      isFinished = true
      if let stream = running.take() { await stream.abandon() }
      throw error
    }
  }
}

/// A statement whose rows are received in parts.
///
/// `@unchecked Sendable`: used by one task at a time, like its cursor.
private final class RunningStream: @unchecked Sendable {
  private let pool: ConnectionPool
  private let session: Session
  private let isTransaction: Bool
  private let statement: PreparedStatement
  private var reception: Reception
  private var hasEnded = false

  private init(
    _ pool: ConnectionPool, _ session: Session, _ started: Session.Started, isTransaction: Bool
  ) {
    self.pool = pool
    self.session = session
    self.isTransaction = isTransaction
    statement = started.prepared
    reception = session.reception(of: started)
  }

  static func start(
    _ query: PostgreSQLQuery, _ values: [any PostgreSQLBindable & Sendable],
    _ options: PostgreSQLTransactionOptions?, on pool: ConnectionPool
  ) async throws -> RunningStream {
    let session = try await pool.acquire()
    do {
      try await session.beginStream()
    } catch {
      await pool.release(session)
      throw error
    }
    do {
      let started = try await session.continueStream {
        if let options { try await session.begin(options) }
        return try await session.start(query, isStreamed: true) { parameters in
          for value in values { try parameters.bind(value) }
        }
      }
      return RunningStream(pool, session, started, isTransaction: options != nil)
    } catch {
      await session.endStream()
      await pool.release(session)
      throw error
    }
  }

  /// Receives rows. Returns whether the results have ended, after which the connection is returned.
  func receive(
    limit: Int, _ body: (borrowing PostgreSQLRow) throws -> Void
  ) async throws -> Bool {
    let session = session
    let isLast = try await session.continueStream {
      try await session.receive(&reception, limit: limit, body)
    }
    if let error = reception.bodyError, !isLast { throw error }
    guard isLast else { return false }
    hasEnded = true
    // The pool rolls back what is not committed.
    do {
      _ = try session.finish(reception, statement)
      if isTransaction {
        _ = try await session.continueStream { try await session.command("COMMIT") }
      }
    } catch {
      await session.endStream()
      await pool.release(session)
      throw session.translated(error)
    }
    await session.endStream()
    await pool.release(session)
    return true
  }

  /// Cancels the statement, and returns the connection to the pool when the server has ended it.
  func abandon() async {
    guard !hasEnded else { return }
    hasEnded = true
    reception.bodyError = CancellationError()
    let session = session
    _ = try? await session.continueStream {
      session.cancelStatement()
      _ = try await session.receive(&reception, limit: .max) { _ in }
      _ = try session.finish(reception, statement)
    }
    await session.endStream()
    await pool.release(session)
  }
}
