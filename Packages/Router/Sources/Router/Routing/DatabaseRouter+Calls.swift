public import SQLiteCore

/// Calls with a route of the collection.
extension DatabaseRouter where Routes: RouteCollection {
  /// Any number of rows.
  ///
  /// - Throws: What the route throws as it is made; ``RouterError``; what the database or an override throws.
  public func callAsFunction<Value: Decodable & Sendable>(
    _ route: Routes
  ) async throws -> [Value] {
    try await values(Value.self, AskedRoute(route), expecting: nil)
  }

  /// One row at most.
  ///
  /// - Throws: As for any number of rows; ``RouterError`` with code ``RouterError/Code/multipleRows``.
  @_disfavoredOverload
  public func callAsFunction<Value: Decodable & Sendable>(_ route: Routes) async throws -> Value? {
    try await values(Value.self, AskedRoute(route), expecting: .atMost(1)).first
  }

  /// Exactly one row.
  ///
  /// The second parameter is for the compiler, which takes the forms for several rows, and for one at most, before
  /// this one.
  ///
  /// - Throws: As for any number of rows; ``RouterError`` with code ``RouterError/Code/notFound`` or
  ///   ``RouterError/Code/multipleRows``.
  @_disfavoredOverload
  public func callAsFunction<Value: Decodable & Sendable>(
    _ route: Routes, _: Void = ()
  ) async throws -> Value {
    try await value(Value.self, AskedRoute(route))
  }

  /// The effect alone.
  ///
  /// - Throws: As for any number of rows.
  public func callAsFunction(_ route: Routes) async throws {
    _ = try await affectedCount(AskedRoute(route))
  }

  /// The effect alone.
  ///
  /// - Returns: How many rows are written.
  /// - Throws: As for any number of rows.
  @discardableResult
  public func affectedCount(of route: Routes) async throws -> Int {
    try await affectedCount(AskedRoute(route))
  }

  /// Runs routes one after another, all or none: as ``run(_:)-([DatabaseRoute])``.
  public func run(_ routes: [Routes]) async throws -> [DatabaseRoute.Response] {
    try await run(routes.map { AskedRoute($0) })
  }

  /// Runs routes one after another, all or none, and gives the rows of each as values.
  ///
  /// ```swift
  /// let saved = try await router.values(Todo.self, forEach: todos.map { .todos(.save($0)) }, expecting: .one)
  /// ```
  ///
  /// Overrides answer first, and what they answer is not undone where the database fails.
  public func values<Value: Decodable & Sendable>(
    _ type: Value.Type = Value.self, forEach routes: [Routes],
    expecting expectation: DatabaseRoute.Expectation? = nil
  ) async throws -> [[Value]] {
    try await values(type, forEach: routes.map { AskedRoute($0) }, expectation)
  }
}

/// Calls with a route of the database.
extension DatabaseRouter {
  /// Any number of rows.
  ///
  /// - Throws: ``RouterError``; what the database or an override throws.
  public func callAsFunction<Value: Decodable & Sendable>(
    _ route: DatabaseRoute
  ) async throws -> [Value] {
    // Asked before the route is wrapped, which would cost more than the rest of what a router does.
    if isPlain { return try await executor.values(Value.self, for: route, expecting: nil) }
    return try await values(Value.self, .ofDatabase(route), expecting: nil)
  }

  /// One row at most.
  ///
  /// - Throws: As for any number of rows; ``RouterError`` with code ``RouterError/Code/multipleRows``.
  @_disfavoredOverload
  public func callAsFunction<Value: Decodable & Sendable>(
    _ route: DatabaseRoute
  ) async throws -> Value? {
    try await values(Value.self, .ofDatabase(route), expecting: .atMost(1)).first
  }

  /// Exactly one row.
  ///
  /// The second parameter is for the compiler, which takes the forms for several rows, and for one at most, before
  /// this one.
  ///
  /// - Throws: As for any number of rows; ``RouterError`` with code ``RouterError/Code/notFound`` or
  ///   ``RouterError/Code/multipleRows``.
  @_disfavoredOverload
  public func callAsFunction<Value: Decodable & Sendable>(
    _ route: DatabaseRoute, _: Void = ()
  ) async throws -> Value {
    if isPlain { return try await executor.value(Value.self, for: route) }
    return try await value(Value.self, .ofDatabase(route))
  }

  /// The effect alone.
  ///
  /// - Throws: As for any number of rows.
  public func callAsFunction(_ route: DatabaseRoute) async throws {
    _ = try await affectedCount(.ofDatabase(route))
  }
}

/// A router is an executor itself: of routes that overrides may answer.
extension DatabaseRouter: RouteExecutor {
  /// How the executor's rows become values.
  public var decoder: RowDecoder { executor.decoder }

  public func run(_ route: DatabaseRoute) async throws -> DatabaseRoute.Response {
    try await answered(.ofDatabase(route)) { answer, route in
      try answer.response(for: route)
    } else: {
      try await executor.run($0)
    }
  }

  public func values<Value: Decodable & Sendable>(
    _ type: Value.Type, for route: DatabaseRoute, expecting expectation: DatabaseRoute.Expectation?
  ) async throws -> [Value] {
    try await values(type, .ofDatabase(route), expecting: expectation)
  }

  @discardableResult
  public func affectedCount(of route: DatabaseRoute) async throws -> Int {
    try await affectedCount(.ofDatabase(route))
  }

  /// Runs routes one after another, all or none.
  ///
  /// Overrides answer first, and what they answer is not undone where the database fails.
  public func run(_ routes: [DatabaseRoute]) async throws -> [DatabaseRoute.Response] {
    try await run(routes.map { AskedRoute.ofDatabase($0) })
  }

  public func values<Value: Decodable & Sendable>(
    _ type: Value.Type, forEach routes: [DatabaseRoute],
    expecting expectation: DatabaseRoute.Expectation?
  ) async throws -> [[Value]] {
    try await values(type, forEach: routes.map { AskedRoute.ofDatabase($0) }, expectation)
  }
}

extension DatabaseRouter {
  private func values<Value: Decodable & Sendable>(
    _ type: Value.Type, _ asked: AskedRoute<Routes>,
    expecting expectation: DatabaseRoute.Expectation?
  ) async throws -> [Value] {
    try await answered(asked) {
      try $0.values(type, for: $1, expecting: expectation, decoder)
    } else: {
      try await executor.values(type, for: $0, expecting: expectation)
    }
  }

  private func value<Value: Decodable & Sendable>(
    _ type: Value.Type, _ asked: AskedRoute<Routes>
  ) async throws -> Value {
    try await answered(asked) {
      try $1.one(of: $0.values(type, for: $1, expecting: .one, decoder))
    } else: {
      try await executor.value(type, for: $0)
    }
  }

  private func affectedCount(_ asked: AskedRoute<Routes>) async throws -> Int {
    try await answered(asked) {
      try $0.affected(of: $1)
    } else: {
      try await executor.affectedCount(of: $0)
    }
  }

  private func run(_ asked: [AskedRoute<Routes>]) async throws -> [DatabaseRoute.Response] {
    try await answered(asked) {
      try $0.response(for: $1)
    } else: {
      try await executor.run($0)
    }
  }

  private func values<Value: Decodable & Sendable>(
    _ type: Value.Type, forEach asked: [AskedRoute<Routes>],
    _ expectation: DatabaseRoute.Expectation?
  ) async throws -> [[Value]] {
    try await answered(asked) {
      try $0.values(type, for: $1, expecting: expectation, decoder)
    } else: {
      try await executor.values(type, forEach: $0, expecting: expectation)
    }
  }

  /// What calls that belong together come to: each by an override, the others by the executor, together.
  private func answered<Result>(
    _ asked: [AskedRoute<Routes>],
    by override: (RouteAnswer, DatabaseRoute) throws -> Result,
    else execute: ([DatabaseRoute]) async throws -> [Result]
  ) async throws -> [Result] {
    if isPlain {
      var routes: [DatabaseRoute] = []
      for asked in asked { routes.append(try await asked.route()) }
      return try await execute(routes)
    }
    var answers: [Result?] = []
    var rest: [(route: DatabaseRoute, call: RoutedCall)] = []
    for asked in asked {
      let call = await routed(asked)
      do {
        if let answer = call.answer {
          answers.append(try override(answer.result.get(), call.call.routeOrNone))
          call.log(nil)
        } else {
          rest.append((try call.route.get(), call))
          answers.append(nil)
        }
      } catch {
        call.log(error)
        throw error
      }
    }
    if rest.isEmpty { return answers.compactMap(\.self) }
    do {
      var responses = try await execute(rest.map(\.route))[...]
      for (_, call) in rest { call.log(nil) }
      return answers.compactMap { $0 ?? responses.popFirst() }
    } catch {
      for (_, call) in rest { call.log(error) }
      throw error
    }
  }
}
