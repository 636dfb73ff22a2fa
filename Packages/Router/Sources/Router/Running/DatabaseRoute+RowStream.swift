internal import SQLiteCore

extension DatabaseRoute {
  /// The rows of a route as values, read as they are consumed: see ``SQLiteRouteExecutor/stream(_:for:batchSize:)``.
  ///
  /// Each iteration runs the route anew, and keeps a connection until it ends: see `Database.RowStream`.
  public struct RowStream<Element: Sendable>: AsyncSequence, Sendable {
    public typealias Failure = any Error

    let rows: Database.RowStream<Element>
    /// How many rows there may be.
    let most: Int
    let route: DatabaseRoute

    /// Begins nothing yet: the statement runs when the first row is asked for.
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

      /// The next row; `nil` after the last.
      ///
      /// - Throws: ``RouterError`` with code ``RouterError/Code/tooManyRows`` in the place of a row that is too many, or
      ///   with the code of what the route expects; whatever the database throws. After that there are no more rows.
      public mutating func next(
        isolation actor: isolated (any Actor)? = #isolation
      ) async throws -> Element? {
        guard var running = rows else { return nil }
        // Let go of, where anything is thrown.
        rows = nil
        let next: Element?
        do {
          next = try await running.next(isolation: actor)
        } catch {
          throw stream.route.told(error)
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

      /// The same as `next(isolation:)`, which systems before macOS 15 do not call.
      public mutating func next() async throws -> Element? {
        try await next(isolation: #isolation)
      }
    }
  }
}

extension DatabaseRoute.Expectation {
  /// How many rows there may be.
  var most: Int {
    switch self {
    case .one: 1
    case .atMost(let count): count
    }
  }
}
