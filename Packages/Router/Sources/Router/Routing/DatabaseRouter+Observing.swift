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
      values.transformed { try route.firstValue(of: $0) }
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
  /// - Parameter transform: Converts the rows of the route to the result.
  private func observation<Value: Decodable & Sendable, Result: Sendable>(
    _ type: Value.Type, _ reference: RouteReference<Routes>,
    _ expectation: DatabaseRoute.Expectation?,
    _ transform:
      @escaping @Sendable (DatabaseRoute.Observation<[Value]>, DatabaseRoute) ->
      DatabaseRoute.Observation<Result>
  ) -> DatabaseRoute.Observation<Result> {
    DatabaseRoute.Observation(
      .deferred {
        // Each iteration receives a sequence from its beginning.
        let call = await routed(reference, isFirst: true)
        do {
          let observation: DatabaseRoute.Observation<[Value]>
          if let answer = call.answer {
            observation = try replies(
              of: answer, as: type, for: call.call.routeOrPlaceholder, expectation,
              else: { try live(type, call.route.get(), expectation) })
          } else {
            observation = try live(type, call.route.get(), expectation)
          }
          call.log(nil)
          return transform(observation, call.call.routeOrPlaceholder)
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

  /// Returns the replies of an override, one after another; then no further value until the task is cancelled. After a
  /// reply that passes through, the values come from the database.
  private func replies<Value: Decodable & Sendable>(
    of override: MatchedOverride, as type: Value.Type, for route: DatabaseRoute,
    _ expectation: DatabaseRoute.Expectation?,
    else observe: @escaping @Sendable () throws -> DatabaseRoute.Observation<[Value]>
  ) throws -> DatabaseRoute.Observation<[Value]> {
    let (first, decoder) = (try override.result.get(), decoder)
    let values: @Sendable (OverrideValue) throws -> [Value] = {
      try $0.values(type, for: route, expecting: expectation, decoder)
    }
    return DatabaseRoute.Observation(
      .sequence {
        var index = 0
        var live: DatabaseRoute.Observation<[Value]>.AsyncIterator?
        return {
          if live != nil { return try await live?.next() }
          defer { index += 1 }
          if index == 0 { return try values(first) }
          guard index < override.reply.count else {
            // Like a database without further commits.
            while !Task.isCancelled { try? await Task.sleep(for: .seconds(86_400)) }
            return nil
          }
          do {
            if let value = try await override.reply.reply(to: index).answer() {
              return try values(value)
            }
          } catch is CancellationError where Task.isCancelled {
            return nil
          }
          live = try observe().makeAsyncIterator()
          return try await live?.next()
        }
      })
  }
}
