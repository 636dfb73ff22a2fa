internal import Primitives

extension Database {
  /// The rows of a query, read as they are consumed.
  ///
  /// ```swift
  /// for try await player in database.rows(of: Player.self, "SELECT id, name FROM player") {
  ///   try await send(player)
  /// }
  /// ```
  ///
  /// Each iteration runs the query once, in a read transaction of its own: all its rows are of one moment.
  /// Rows are read in batches, the next one when the last one is consumed, so that a slow consumer costs no
  /// memory. A batch that fails gives the rows before the failure first.
  ///
  /// An iteration keeps a connection until the last row is read, until a failure, or until its iterator is
  /// let go. The connection is none of those that reads use, and there are as many as may read at once: an
  /// iteration beyond those waits for its turn, unless its own task is in the middle of another. Until it
  /// ends, the write-ahead log can't begin anew, and grows.
  ///
  /// A database in memory has one connection. While rows of it are consumed, other tasks wait, and an access
  /// by the same task is ``SQLiteError/Code/nestedAccess``.
  public struct RowStream<Element: Sendable>: AsyncSequence, Sendable {
    public typealias Failure = any Error

    let database: Database
    let query: Query

    /// What an iteration does.
    struct Query: Sendable {
      let sql: SQL
      let values: [any SQLiteBindable & Sendable]
      let batchSize: Int
      let decode: @Sendable (borrowing Row) throws -> Element
    }

    /// Begins nothing yet: the query runs when the first row is asked for.
    public func makeAsyncIterator() -> AsyncIterator {
      AsyncIterator(cursor: RowCursor(database, query))
    }

    /// One run of the query.
    public struct AsyncIterator: AsyncIteratorProtocol {
      fileprivate let cursor: RowCursor<Element>
      private var batch: RowCursor<Element>.Batch?
      private var position = 0

      fileprivate init(cursor: RowCursor<Element>) { self.cursor = cursor }

      /// The next row; `nil` after the last.
      ///
      /// - Throws: ``SQLiteError`` of the query or of reading a row; `CancellationError` where the task was
      ///   cancelled. After that there are no more rows.
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

      /// The same as `next(isolation:)`, which systems before macOS 15 do not call.
      public mutating func next() async throws -> Element? {
        try await next(isolation: #isolation)
      }
    }
  }
}

extension Database {
  /// The rows of a query as values, read as they are consumed.
  ///
  /// - Parameters:
  ///   - type: What each row is read as.
  ///   - batchSize: How many rows are read at a time, and are in memory at most.
  ///   - sql: One statement that reads.
  ///   - arguments: A value for each of its parameters.
  /// - Throws: Nothing yet: an error of the query is thrown by its iteration.
  public func rows<Value: RowDecodable & Sendable, each Argument: SQLiteBindable & Sendable>(
    of type: Value.Type, batchSize: Int = 128, _ sql: SQL, _ arguments: repeat each Argument
  ) -> RowStream<Value> {
    var values: [any SQLiteBindable & Sendable] = []
    repeat values.append(each arguments)
    return rows(batchSize: batchSize, sql, values: values) { try Value(row: $0) }
  }

  /// The rows of a query, each as what `decode` makes of it, read as they are consumed.
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

/// One iteration over the rows of a query: it keeps its connection until it ends.
final class RowCursor<Element: Sendable>: Sendable {
  /// Some rows, and how it ends where they are the last.
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

  /// Gives the connection back.
  func finish() { phase.withLock { $0 = .finished } }

  private func running() async throws -> RunningQuery? {
    switch phase.withLock({ $0 }) {
    case .running(let running): return running
    case .finished: return nil
    case .new:
      let running = RunningQuery(try await KeptReader.take(from: database))
      phase.withLock { $0 = .running(running) }
      return running
    }
  }
}

/// A query in the middle of its rows, and the connection that it stands on.
///
/// `@unchecked Sendable`: `statement` is used by whoever has the reader's turn, and by `deinit`, when
/// nobody can have it any more.
final class RunningQuery: @unchecked Sendable {
  let reader: KeptReader
  private var statement: (Statement, Connection)?

  init(_ reader: KeptReader) { self.reader = reader }

  // The statement goes back first: the connection may be another's as soon as the reader is let go.
  deinit { putBack() }

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
    if batch.end != nil { putBack() }
    return batch
  }

  private func statement<Element>(
    for query: Database.RowStream<Element>.Query, on connection: Connection
  ) throws -> Statement {
    if let (statement, _) = statement { return statement }
    let statement = try connection.takeStatement(query.sql, values: query.values)
    self.statement = (statement, connection)
    return statement
  }

  private func putBack() {
    guard let (statement, connection) = statement.take() else { return }
    connection.handle.whenAccessible { _ in connection.putBack(statement) }
  }
}
