internal import Primitives

extension Database {
  /// An asynchronous sequence of a query's rows, which are read as they are consumed.
  ///
  /// ```swift
  /// for try await player in database.rows(of: Player.self, "SELECT id, name FROM player") {
  ///   try await send(player)
  /// }
  /// ```
  ///
  /// Each iteration runs the query once, in its own read transaction, which sees one consistent state. Rows are read in
  /// batches, the next batch when the previous one is consumed, so a slow consumer does not increase memory use. If a
  /// batch fails, the rows before the failure are delivered first.
  ///
  /// An iteration holds a connection until the last row is read, an error is thrown, or its iterator is released. These
  /// connections are separate from those of `read`, and limited to the same number: a further iteration waits, unless
  /// its task is already in another iteration. Until the iteration ends, the write-ahead log can't be reset, and grows.
  ///
  /// An in-memory database has one connection. While its rows are consumed, other tasks wait, and an access by the same
  /// task throws ``SQLiteError/Code/nestedAccess``.
  public struct RowStream<Element: Sendable>: AsyncSequence, Sendable {
    public typealias Failure = any Error

    let database: Database
    let query: Query

    /// The query of an iteration, with its batch size.
    struct Query: Sendable {
      let sql: SQL
      let values: [any SQLiteBindable & Sendable]
      let batchSize: Int
      let decode: @Sendable (borrowing Row) throws -> Element
    }

    /// Creates an iterator. The query runs when the first row is requested.
    public func makeAsyncIterator() -> AsyncIterator {
      AsyncIterator(cursor: RowCursor(database, query))
    }

    /// An iteration over the query's rows.
    public struct AsyncIterator: AsyncIteratorProtocol {
      fileprivate let cursor: RowCursor<Element>
      private var batch: RowCursor<Element>.Batch?
      private var position = 0

      fileprivate init(cursor: RowCursor<Element>) { self.cursor = cursor }

      /// Returns the next row, or `nil` after the last one.
      ///
      /// - Throws: ``SQLiteError`` if the query or reading a row fails; `CancellationError` if the task was cancelled.
      ///   After an error there are no further rows.
      public mutating func next(
        isolation actor: isolated (any Actor)? = #isolation
      ) async throws -> Element? {
        while true {
          if Task.isCancelled {
            cursor.finish()
            throw CancellationError()
          }
          if let rows = batch?.rows, position < rows.count {
            defer { position += 1 }
            return rows[position]
          }
          if let end = batch?.end {
            batch = RowCursor.Batch(rows: [], end: .success(()))
            position = 0
            try end.get()
            return nil
          }
          position = 0
          batch = nil
          batch = try await cursor.nextBatch()
        }
      }

      /// Equivalent to `next(isolation:)`, which systems before macOS 15 do not call.
      public mutating func next() async throws -> Element? {
        try await next(isolation: #isolation)
      }
    }
  }
}

extension Database {
  /// Returns a query's rows as values, which are read as they are consumed.
  ///
  /// - Parameters:
  ///   - type: The type that each row is decoded as.
  ///   - batchSize: The number of rows that are read at a time, and the maximum in memory.
  ///   - sql: A single statement that reads.
  ///   - arguments: A value for each parameter.
  /// - Throws: Nothing. An error of the query is thrown by the iteration.
  public func rows<Value: RowDecodable & Sendable, each Argument: SQLiteBindable & Sendable>(
    of type: Value.Type, batchSize: Int = 128, _ sql: SQL, _ arguments: repeat each Argument
  ) -> RowStream<Value> {
    var values: [any SQLiteBindable & Sendable] = []
    repeat values.append(each arguments)
    return rows(batchSize: batchSize, sql, values: values) { try Value(row: $0) }
  }

  /// Returns a query's rows, decoded by `decode`, which are read as they are consumed.
  public func rows<Value: Sendable>(
    batchSize: Int = 128, _ sql: SQL, values: [any SQLiteBindable & Sendable] = [],
    decode: @escaping @Sendable (borrowing Row) throws -> Value
  ) -> RowStream<Value> {
    RowStream(
      database: self,
      query: .init(
        sql: sql, values: values, batchSize: max(1, batchSize), decode: decode))
  }
}

/// An iteration over a query's rows, which holds its connection until it ends.
final class RowCursor<Element: Sendable>: Sendable {
  /// A batch of rows, with the end of the iteration if this is the last batch.
  struct Batch: Sendable {
    var rows: [Element] = []
    var end: Result<Void, any Error>?
  }

  private enum Phase {
    case new
    case running(RunningQuery)
    case finished
  }

  private let database: Database
  private let query: Database.RowStream<Element>.Query
  private let phase = Mutex(Phase.new)

  init(_ database: Database, _ query: Database.RowStream<Element>.Query) {
    self.database = database
    self.query = query
  }

  func nextBatch() async throws -> Batch {
    do {
      guard let running = try await running() else { return Batch(end: .success(())) }
      let batch = try await running.reader.perform { [query] connection in
        running.batch(of: query, on: connection)
      }
      if batch.end != nil { finish() }
      return batch
    } catch {
      finish()
      throw error
    }
  }

  /// Ends the iteration and releases the connection.
  func finish() { phase.withLock { $0 = .finished } }

  private func running() async throws -> RunningQuery? {
    switch phase.withLock({ $0 }) {
    case .running(let running): return running
    case .finished: return nil
    case .new:
      let running = RunningQuery(try await RetainedReader.acquire(from: database))
      phase.withLock { $0 = .running(running) }
      return running
    }
  }
}

/// A running query and its connection.
///
/// `@unchecked Sendable`: `statement` is used only by the access that has the reader, and by `deinit`, when no access
/// can have it.
final class RunningQuery: @unchecked Sendable {
  let reader: RetainedReader
  private var statement: (Statement, Connection)?

  init(_ reader: RetainedReader) { self.reader = reader }

  // The statement is returned first, since another access can use the connection once the reader is released.
  deinit { checkinStatement() }

  func batch<Element>(
    of query: Database.RowStream<Element>.Query, on connection: Connection
  ) -> RowCursor<Element>.Batch {
    var batch = RowCursor<Element>.Batch()
    do {
      let statement = try statement(for: query, on: connection)
      while batch.rows.count < query.batchSize {
        guard try statement.step() else {
          batch.end = .success(())
          break
        }
        batch.rows.append(try query.decode(statement.row))
      }
    } catch {
      batch.end = .failure(
        connection.handle.interrupter.isCancelled ? CancellationError() : error)
    }
    if batch.end != nil { checkinStatement() }
    return batch
  }

  private func statement<Element>(
    for query: Database.RowStream<Element>.Query, on connection: Connection
  ) throws -> Statement {
    if let (statement, _) = statement { return statement }
    let statement = try connection.checkoutStatement(query.sql, values: query.values)
    self.statement = (statement, connection)
    return statement
  }

  private func checkinStatement() {
    guard let (statement, connection) = statement.take() else { return }
    connection.handle.whenAccessible { _ in connection.checkinStatement(statement) }
  }
}
