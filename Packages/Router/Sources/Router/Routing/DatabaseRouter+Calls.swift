public import SQLiteCore

/// Calls with a route of the collection.
extension DatabaseRouter where Routes: RouteCollection {
  /// Returns any number of rows.
  ///
  /// - Throws: Errors of the collection's `route()`; ``RouterError``; errors of the database or an override.
  public func callAsFunction<Value: Decodable & Sendable>(
    _ route: Routes
  ) async throws -> [Value] {
    try await values(Value.self, RouteReference(route), expecting: nil)
  }

  /// Returns at most one row.
  ///
  /// - Throws: The same errors as for any number of rows; ``RouterError`` with code ``RouterError/Code/multipleRows``.
  @_disfavoredOverload
  public func callAsFunction<Value: Decodable & Sendable>(_ route: Routes) async throws -> Value? {
    try await values(Value.self, RouteReference(route), expecting: .atMost(1)).first
  }

  /// Returns exactly one row.
  ///
  /// The second parameter makes the compiler prefer the overloads for several rows, and for at most one.
  ///
  /// - Throws: The same errors as for any number of rows; ``RouterError`` with code ``RouterError/Code/notFound`` or
  ///   ``RouterError/Code/multipleRows``.
  @_disfavoredOverload
  public func callAsFunction<Value: Decodable & Sendable>(
    _ route: Routes, _: Void = ()
  ) async throws -> Value {
    try await value(Value.self, RouteReference(route))
  }

  /// Runs the route without returning rows.
  ///
  /// - Throws: The same errors as for any number of rows.
  public func callAsFunction(_ route: Routes) async throws {
    _ = try await affectedCount(RouteReference(route))
  }

  /// Runs the route, and counts the rows that it writes.
  ///
  /// - Returns: The number of written rows.
  /// - Throws: The same errors as for any number of rows.
  @discardableResult
  public func affectedCount(of route: Routes) async throws -> Int {
    try await affectedCount(RouteReference(route))
  }

  /// Runs routes in one transaction: see ``run(_:)-([DatabaseRoute])``.
  public func run(_ routes: [Routes]) async throws -> [DatabaseRoute.Response] {
    try await run(routes.map { RouteReference($0) })
  }

  /// Runs routes in one transaction, and returns the rows of each as values.
  ///
  /// ```swift
  /// let saved = try await router.values(Todo.self, forEach: todos.map { .todos(.save($0)) }, expecting: .one)
  /// ```
  ///
  /// Overrides answer first. Their replies are not rolled back if the database fails.
  public func values<Value: Decodable & Sendable>(
    _ type: Value.Type = Value.self, forEach routes: [Routes],
    expecting expectation: DatabaseRoute.Expectation? = nil
  ) async throws -> [[Value]] {
    try await values(type, forEach: routes.map { RouteReference($0) }, expectation)
  }
}

/// Calls with a database route.
extension DatabaseRouter {
  /// Returns any number of rows.
  ///
  /// - Throws: ``RouterError``; errors of the database or an override.
  public func callAsFunction<Value: Decodable & Sendable>(
    _ route: DatabaseRoute
  ) async throws -> [Value] {
    // Checked before the route is wrapped, which would be the most expensive part of the router's work.
    if isPlain { return try await executor.values(Value.self, for: route, expecting: nil) }
    return try await values(Value.self, .ofDatabase(route), expecting: nil)
  }

  /// Returns at most one row.
  ///
  /// - Throws: The same errors as for any number of rows; ``RouterError`` with code ``RouterError/Code/multipleRows``.
  @_disfavoredOverload
  public func callAsFunction<Value: Decodable & Sendable>(
    _ route: DatabaseRoute
  ) async throws -> Value? {
    try await values(Value.self, .ofDatabase(route), expecting: .atMost(1)).first
  }

  /// Returns exactly one row.
  ///
  /// The second parameter makes the compiler prefer the overloads for several rows, and for at most one.
  ///
  /// - Throws: The same errors as for any number of rows; ``RouterError`` with code ``RouterError/Code/notFound`` or
  ///   ``RouterError/Code/multipleRows``.
  @_disfavoredOverload
  public func callAsFunction<Value: Decodable & Sendable>(
    _ route: DatabaseRoute, _: Void = ()
  ) async throws -> Value {
    if isPlain { return try await executor.value(Value.self, for: route) }
    return try await value(Value.self, .ofDatabase(route))
  }

  /// Runs the route without returning rows.
  ///
  /// - Throws: The same errors as for any number of rows.
  public func callAsFunction(_ route: DatabaseRoute) async throws {
    _ = try await affectedCount(.ofDatabase(route))
  }
}

/// A router is also an executor, whose routes overrides can answer.
extension DatabaseRouter: RouteExecutor {
  /// The decoder that converts the executor's rows to values.
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

  /// Runs routes in one transaction.
  ///
  /// Overrides answer first. Their replies are not rolled back if the database fails.
  public func run(_ routes: [DatabaseRoute]) async throws -> [DatabaseRoute.Response] {
    try await run(routes.map { RouteReference.ofDatabase($0) })
  }

  public func values<Value: Decodable & Sendable>(
    _ type: Value.Type, forEach routes: [DatabaseRoute],
    expecting expectation: DatabaseRoute.Expectation?
  ) async throws -> [[Value]] {
    try await values(type, forEach: routes.map { RouteReference.ofDatabase($0) }, expectation)
  }
}

extension DatabaseRouter {
  private func values<Value: Decodable & Sendable>(
    _ type: Value.Type, _ reference: RouteReference<Routes>,
    expecting expectation: DatabaseRoute.Expectation?
  ) async throws -> [Value] {
    try await answered(reference) {
      try $0.values(type, for: $1, expecting: expectation, decoder)
    } else: {
      try await executor.values(type, for: $0, expecting: expectation)
    }
  }

  private func value<Value: Decodable & Sendable>(
    _ type: Value.Type, _ reference: RouteReference<Routes>
  ) async throws -> Value {
    try await answered(reference) {
      try $1.firstValue(of: $0.values(type, for: $1, expecting: .one, decoder))
    } else: {
      try await executor.value(type, for: $0)
    }
  }

  private func affectedCount(_ reference: RouteReference<Routes>) async throws -> Int {
    try await answered(reference) {
      try $0.affected(of: $1)
    } else: {
      try await executor.affectedCount(of: $0)
    }
  }

  private func run(_ references: [RouteReference<Routes>]) async throws -> [DatabaseRoute.Response]
  {
    try await answered(references) {
      try $0.response(for: $1)
    } else: {
      try await executor.run($0)
    }
  }

  private func values<Value: Decodable & Sendable>(
    _ type: Value.Type, forEach references: [RouteReference<Routes>],
    _ expectation: DatabaseRoute.Expectation?
  ) async throws -> [[Value]] {
    try await answered(references) {
      try $0.values(type, for: $1, expecting: expectation, decoder)
    } else: {
      try await executor.values(type, forEach: $0, expecting: expectation)
    }
  }

  /// Answers a batch of calls: some by overrides, the others together by the executor.
  private func answered<Result>(
    _ references: [RouteReference<Routes>],
    by override: (OverrideValue, DatabaseRoute) throws -> Result,
    else execute: ([DatabaseRoute]) async throws -> [Result]
  ) async throws -> [Result] {
    if isPlain {
      var routes: [DatabaseRoute] = []
      for reference in references { routes.append(try await reference.route()) }
      return try await execute(routes)
    }
    var answers: [Result?] = []
    var rest: [(route: DatabaseRoute, call: RoutedCall)] = []
    for reference in references {
      let call = await routed(reference)
      do {
        if let answer = call.answer {
          answers.append(try override(answer.result.get(), call.call.routeOrPlaceholder))
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
