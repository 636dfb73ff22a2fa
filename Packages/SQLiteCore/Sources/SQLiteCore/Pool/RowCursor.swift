internal import Primitives

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
