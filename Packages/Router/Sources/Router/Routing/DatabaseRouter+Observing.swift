internal import SQLiteCore

/// Observes the results of the collection's routes.
///
/// ```swift
/// for try await todos: [Todo] in router.observe(.todos(.fetch)) { show(todos) }
/// ```
///
/// As with a call, the type determines the expected number of rows. Overrides are looked up when an iteration begins.
/// An override delivers its single value; a ``DatabaseRoute/Reply/sequence(_:)-([RouteReply])`` delivers its replies
/// one after another, to each iteration from the beginning. Without an override, the executor must be a
/// ``LiveRouteExecutor``; otherwise the iteration ends with ``RouterError`` of code ``RouterError/Code/unsupported``.
extension DatabaseRouter where Routes: RouteCollection {
  /// Observes any number of rows.
  public func observe<Value: Decodable & Sendable>(_ route: Routes)
    -> DatabaseRoute.Observation<[Value]>
  {
    observation(Value.self, RouteReference(route), nil) { values, _ in values }
  }

  /// Observes at most one row. More rows are an error.
  @_disfavoredOverload
  public func observe<Value: Decodable & Sendable>(_ route: Routes)
    -> DatabaseRoute.Observation<Value?>
  {
    observation(Value.self, RouteReference(route), .atMost(1)) { values, _ in
      values.transformed(\.first)
    }
  }

  /// Observes exactly one row. No row, or more than one, is an error. The second parameter makes the compiler prefer
  /// the other overloads.
  @_disfavoredOverload
  public func observe<Value: Decodable & Sendable>(
    _ route: Routes, _: Void = ()
  ) -> DatabaseRoute.Observation<Value> {
    observation(Value.self, RouteReference(route), .one) { values, route in
      values.transformed { try route.one(of: $0) }
    }
  }
}

extension DatabaseRouter: LiveRouteExecutor {
  /// Observes any number of rows.
  public func observe<Value: Decodable & Sendable>(
    _ route: DatabaseRoute
  ) -> DatabaseRoute.Observation<[Value]> {
    observeValues(for: route)
  }

  /// Observes at most one row. More rows are an error.
  @_disfavoredOverload
  public func observe<Value: Decodable & Sendable>(
    _ route: DatabaseRoute
  ) -> DatabaseRoute.Observation<Value?> {
    observeOptionalValue(for: route)
  }

  /// Observes exactly one row. No row, or more than one, is an error. The second parameter makes the compiler prefer
  /// the other overloads.
  @_disfavoredOverload
  public func observe<Value: Decodable & Sendable>(
    _ route: DatabaseRoute, _: Void = ()
  ) -> DatabaseRoute.Observation<Value> {
    observeValue(for: route)
  }

  public func observe<Value: Decodable & Sendable>(
    _ type: Value.Type, for route: DatabaseRoute, expecting expectation: DatabaseRoute.Expectation?
  ) -> DatabaseRoute.Observation<[Value]> {
    observation(type, .ofDatabase(route), expectation) { values, _ in values }
  }
}

extension DatabaseRouter {
  /// - Parameter made: Converts the rows of the route to the result.
  private func observation<Value: Decodable & Sendable, Result: Sendable>(
    _ type: Value.Type, _ asked: RouteReference<Routes>, _ expectation: DatabaseRoute.Expectation?,
    _ made:
      @escaping @Sendable (DatabaseRoute.Observation<[Value]>, DatabaseRoute) ->
      DatabaseRoute.Observation<Result>
  ) -> DatabaseRoute.Observation<Result> {
    DatabaseRoute.Observation(
      .deferred {
        // Each iteration receives a sequence from its beginning.
        let call = await routed(asked, isFirst: true)
        do {
          let observation: DatabaseRoute.Observation<[Value]>
          if let answer = call.answer {
            observation = DatabaseRoute.Observation(
              AnsweredValues(
                answer: answer.reply, first: try answer.result.get(),
                route: call.call.routeOrPlaceholder,
                decoder: decoder, expectation: expectation,
                live: { try live(type, call.route.get(), expectation) }))
          } else {
            observation = try live(type, call.route.get(), expectation)
          }
          call.log(nil)
          return made(observation, call.call.routeOrPlaceholder)
        } catch {
          call.log(error)
          throw error
        }
      })
  }

  @Sendable private func live<Value: Decodable & Sendable>(
    _ type: Value.Type, _ route: DatabaseRoute, _ expectation: DatabaseRoute.Expectation?
  ) throws -> DatabaseRoute.Observation<[Value]> {
    guard let live = executor as? any LiveRouteExecutor else {
      throw RouterError(
        code: .unsupported, message: "\(Swift.type(of: executor)) can't observe routes"
      ).of(route)
    }
    return live.observe(type, for: route, expecting: expectation)
  }
}

/// The replies of an override, one after another; then no further value until the task is cancelled. After a reply that
/// passes through, the values come from the database.
private struct AnsweredValues<Value: Decodable & Sendable>: AsyncSequence, Sendable {
  let answer: DatabaseRoute.Reply
  let first: OverrideValue
  let route: DatabaseRoute
  let decoder: RowDecoder
  let expectation: DatabaseRoute.Expectation?
  let live: @Sendable () throws -> DatabaseRoute.Observation<[Value]>

  func makeAsyncIterator() -> AsyncIterator { AsyncIterator(values: self) }

  struct AsyncIterator: AsyncIteratorProtocol {
    let values: AnsweredValues
    private var place = 0
    private var live: DatabaseRoute.Observation<[Value]>.AsyncIterator?

    init(values: AnsweredValues) { self.values = values }

    mutating func next() async throws -> [Value]? {
      try await next(isolation: #isolation)
    }

    mutating func next(
      isolation actor: isolated (any Actor)? = #isolation
    ) async throws -> [Value]? {
      if live != nil { return try await live?.next(isolation: actor) }
      defer { place += 1 }
      if place == 0 { return try found(values.first) }
      guard place < values.answer.count else {
        // Like a database without further commits.
        while !Task.isCancelled { try? await Task.sleep(for: .seconds(86_400)) }
        return nil
      }
      do {
        if let answer = try await values.answer.reply(to: place).answer() {
          return try found(answer)
        }
      } catch is CancellationError where Task.isCancelled {
        return nil
      }
      live = try values.live().makeAsyncIterator()
      return try await live?.next(isolation: actor)
    }

    private func found(_ answer: OverrideValue) throws -> [Value] {
      try answer.values(
        Value.self, for: values.route, expecting: values.expectation, values.decoder)
    }
  }
}
