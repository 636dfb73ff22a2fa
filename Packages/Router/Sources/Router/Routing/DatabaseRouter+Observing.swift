/// What the routes of the collection read, now and whenever it has changed.
///
/// ```swift
/// for try await todos: [Todo] in router.observe(.todos(.fetch)) { show(todos) }
/// ```
///
/// As with a call, the type says how many rows there have to be. Whether an override answers is asked when an
/// iteration begins: it gives its value, and no other; a ``RouteReply/sequence(_:)-([RouteReply])`` gives one after
/// another. Without one, what runs the routes has to be a ``LiveRouteExecutor``, or the iteration ends with
/// ``RouterError`` of code ``RouterError/Code/unsupported``.
extension DatabaseRouter where Routes: RouteCollection {
  /// Any number of rows.
  public func observe<Value: Decodable & Sendable>(_ route: Routes) -> RouteObservation<[Value]> {
    observation(Value.self, nil) { (try await route.route(), route) }
  }

  /// Exactly one row: none, or more, are an error.
  @_disfavoredOverload
  public func observe<Value: Decodable & Sendable>(_ route: Routes) -> RouteObservation<Value> {
    observation(Value.self, .one) { (try await route.route(), route) }.transformed(Self.one)
  }

  /// One row at most: more are an error.
  public func observe<Value: Decodable & Sendable>(_ route: Routes) -> RouteObservation<Value?> {
    observation(Value.self, .atMost(1)) { (try await route.route(), route) }
      .transformed { $0.first }
  }
}

extension DatabaseRouter: LiveRouteExecutor {
  /// Any number of rows.
  public func observe<Value: Decodable & Sendable>(
    _ route: DatabaseRoute
  ) -> RouteObservation<[Value]> {
    observeValues(for: route)
  }

  /// Exactly one row: none, or more, are an error.
  @_disfavoredOverload
  public func observe<Value: Decodable & Sendable>(
    _ route: DatabaseRoute
  ) -> RouteObservation<Value> {
    observeValue(for: route)
  }

  /// One row at most: more are an error.
  public func observe<Value: Decodable & Sendable>(
    _ route: DatabaseRoute
  ) -> RouteObservation<Value?> {
    observeOptionalValue(for: route)
  }

  public func observe<Value: Decodable & Sendable>(
    _ type: Value.Type, for route: DatabaseRoute, expecting expectation: DatabaseRoute.Expectation?
  ) -> RouteObservation<[Value]> {
    observation(type, expectation) { (route, nil) }
  }
}

extension DatabaseRouter {
  private func observation<Value: Decodable & Sendable>(
    _ type: Value.Type, _ expectation: DatabaseRoute.Expectation?,
    _ routes: @escaping @Sendable () async throws -> (DatabaseRoute, Routes?)
  ) -> RouteObservation<[Value]> {
    RouteObservation(
      .deferred {
        let (route, collectionRoute) = try await routes()
        let call = await routed(route, collectionRoute)
        call?.log(nil)
        if let answer = call?.answer {
          return RouteObservation(
            AnsweredValues<Value>(answer: answer, route: route, expectation: expectation))
        }
        guard let live = executor as? any LiveRouteExecutor else {
          throw RouterError(
            code: .unsupported, message: "\(Swift.type(of: executor)) can't observe routes"
          ).of(route)
        }
        return live.observe(type, for: route, expecting: expectation)
      })
  }

  @Sendable private static func one<Value>(_ values: [Value]) throws -> Value {
    guard let value = values.first else {
      throw RouterError(code: .notFound, message: "there is no such row")
    }
    return value
  }
}

/// The answers of an override, one after another; then nothing more, until the task is cancelled.
private struct AnsweredValues<Value: Decodable & Sendable>: AsyncSequence, Sendable {
  let answer: OverrideAnswer
  let route: DatabaseRoute
  let expectation: DatabaseRoute.Expectation?

  func makeAsyncIterator() -> AsyncIterator { AsyncIterator(values: self) }

  struct AsyncIterator: AsyncIteratorProtocol {
    let values: AnsweredValues
    private var isFirst = true

    init(values: AnsweredValues) { self.values = values }

    mutating func next() async throws -> [Value]? {
      try await next(isolation: #isolation)
    }

    mutating func next(
      isolation actor: isolated (any Actor)? = #isolation
    ) async throws -> [Value]? {
      defer { isFirst = false }
      guard
        let answer = try await isFirst ? values.answer.result.get() : values.answer.next()
      else {
        // As a database to which nobody commits.
        while !Task.isCancelled { try? await Task.sleep(for: .seconds(86_400)) }
        return nil
      }
      let found = try answer.values(Value.self, for: values.route)
      try values.expectation?.check(found.count, of: values.route)
      return found
    }
  }
}
