internal import SQLiteCore

extension DatabaseRoute {
  /// The rows of a route as values, read as they are consumed: see ``SQLiteRouteExecutor/stream(_:for:batchSize:)``.
  ///
  /// Each iteration runs the route, and keeps a connection until it ends: see `Database.RowStream`.
  public struct RowStream<Element: Sendable>: AsyncSequence, Sendable {
    public typealias Failure = any Error

    let rows: Database.RowStream<Element>
    /// The maximum number of rows.
    let most: Int
    let route: DatabaseRoute

    /// Creates an iterator. The statement runs when the first row is requested.
    public func makeAsyncIterator() -> AsyncIterator {
      AsyncIterator(rows: rows.makeAsyncIterator(), left: most, stream: self)
    }

    /// One run of the route.
    public struct AsyncIterator: AsyncIteratorProtocol {
      private var rows: Database.RowStream<Element>.AsyncIterator?
      private var left: Int
      private let stream: RowStream

      fileprivate init(
        rows: Database.RowStream<Element>.AsyncIterator, left: Int, stream: RowStream
      ) {
        self.rows = rows
        self.left = left
        self.stream = stream
      }

      /// Returns the next row, or `nil` after the last.
      ///
      /// - Throws: ``RouterError`` with code ``RouterError/Code/tooManyRows`` instead of the first excess row, or with
      ///   the code of the route's expectation; errors of the database. After an error there are no more rows.
      public mutating func next(
        isolation actor: isolated (any Actor)? = #isolation
      ) async throws -> Element? {
        guard var running = rows else { return nil }
        // Released if an error is thrown.
        rows = nil
        let next: Element?
        do {
          next = try await running.next(isolation: actor)
        } catch {
          throw stream.route.addingContext(error)
        }
        guard let row = next else {
          if case .one = stream.route.expectation, left == stream.most {
            throw RouterError.notFound(stream.route)
          }
          return nil
        }
        guard left > 0 else {
          try stream.route.expectation?.check(stream.most + 1, of: stream.route)
          throw RouterError.tooManyRows(stream.most, stream.route)
        }
        left -= 1
        rows = running
        return row
      }

      /// Calls `next(isolation:)`. Systems before macOS 15 call this method.
      public mutating func next() async throws -> Element? {
        try await next(isolation: #isolation)
      }
    }
  }
}

extension DatabaseRoute.Expectation {
  /// The maximum number of rows.
  var most: Int {
    switch self {
    case .one: 1
    case .atMost(let count): count
    }
  }
}
