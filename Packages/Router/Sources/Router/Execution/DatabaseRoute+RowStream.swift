internal import SQLiteCore

extension DatabaseRoute {
  /// The rows of a route as values, read as they are consumed: see ``DatabaseRouteExecutor/stream(_:for:batchSize:)``.
  ///
  /// Each iteration runs the route, and keeps a connection until it ends: for SQLite, see `Database.RowStream`.
  public struct RowStream<Element: Sendable>: AsyncSequence, Sendable {
    public typealias Failure = any Error

    enum Source: Sendable {
      case database(Database.RowStream<Element>)
      case rows(@Sendable () -> () async throws -> Element?)
    }

    private let source: Source
    /// The maximum number of rows.
    private let most: Int
    private let route: DatabaseRoute

    init(_ source: Source, of route: DatabaseRoute, limits: Limits) {
      self.source = source
      self.route = route
      most = Swift.min(route.expectation?.most ?? .max, limits.maximumRows ?? .max)
    }

    /// Creates a stream of the rows that an executor reads.
    ///
    /// - Parameters:
    ///   - route: The route. Its expectation about the number of rows is checked.
    ///   - limits: The limits of the executor, for the maximum number of rows.
    ///   - rows: Begins an iteration, and returns a function that returns the next row, or `nil` after the last. The
    ///     function is released if an iteration ends early.
    public init(
      of route: DatabaseRoute, limits: Limits,
      rows: @escaping @Sendable () -> () async throws -> Element?
    ) {
      self.init(.rows(rows), of: route, limits: limits)
    }

    /// Creates an iterator. The statement runs when the first row is requested.
    public func makeAsyncIterator() -> AsyncIterator {
      let state: AsyncIterator.State =
        switch source {
        case .database(let rows): .database(rows.makeAsyncIterator())
        case .rows(let begin): .rows(begin())
        }
      return AsyncIterator(state: state, left: most, stream: self)
    }

    /// One run of the route.
    public struct AsyncIterator: AsyncIteratorProtocol {
      fileprivate enum State {
        case database(Database.RowStream<Element>.AsyncIterator)
        case rows(() async throws -> Element?)
        case ended
      }

      private var state: State
      private var left: Int
      private let stream: RowStream

      fileprivate init(state: State, left: Int, stream: RowStream) {
        self.state = state
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
        var running = state
        // Released if an error is thrown.
        state = .ended
        let next: Element?
        do {
          switch running {
          case .database(var rows):
            next = try await rows.next(isolation: actor)
            running = .database(rows)
          case .rows(let step): next = try await step()
          case .ended: return nil
          }
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
        state = running
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
