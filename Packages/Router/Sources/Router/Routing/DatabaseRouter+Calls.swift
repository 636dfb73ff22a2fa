/// Calls with a route of the collection.
extension DatabaseRouter where Routes: RouteCollection {
  /// Any number of rows.
  ///
  /// - Throws: What the route throws as it is made; ``RouterError``; what the database or an override throws.
  public func callAsFunction<Value: Decodable & Sendable>(
    _ route: Routes
  ) async throws -> [Value] {
    try await values(Value.self, for: route.route(), of: route, expecting: nil)
  }

  /// Exactly one row.
  ///
  /// - Throws: As for any number of rows; ``RouterError`` with code ``RouterError/Code/notFound`` or
  ///   ``RouterError/Code/multipleRows``.
  @_disfavoredOverload
  public func callAsFunction<Value: Decodable & Sendable>(_ route: Routes) async throws -> Value {
    try await value(Value.self, for: route.route(), of: route)
  }

  /// One row at most.
  ///
  /// - Throws: As for any number of rows; ``RouterError`` with code ``RouterError/Code/multipleRows``.
  public func callAsFunction<Value: Decodable & Sendable>(_ route: Routes) async throws -> Value? {
    try await values(Value.self, for: route.route(), of: route, expecting: .atMost(1)).first
  }

  /// The effect alone.
  ///
  /// - Throws: As for any number of rows.
  public func callAsFunction(_ route: Routes) async throws {
    _ = try await affectedCount(of: route.route(), of: route)
  }

  /// The effect alone.
  ///
  /// - Returns: How many rows are written.
  /// - Throws: As for any number of rows.
  public func affectedCount(of route: Routes) async throws -> Int {
    try await affectedCount(of: route.route(), of: route)
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
    try await values(Value.self, for: route, of: nil, expecting: nil)
  }

  /// Exactly one row.
  ///
  /// - Throws: As for any number of rows; ``RouterError`` with code ``RouterError/Code/notFound`` or
  ///   ``RouterError/Code/multipleRows``.
  @_disfavoredOverload
  public func callAsFunction<Value: Decodable & Sendable>(
    _ route: DatabaseRoute
  ) async throws -> Value {
    try await value(Value.self, for: route, of: nil)
  }

  /// One row at most.
  ///
  /// - Throws: As for any number of rows; ``RouterError`` with code ``RouterError/Code/multipleRows``.
  public func callAsFunction<Value: Decodable & Sendable>(
    _ route: DatabaseRoute
  ) async throws -> Value? {
    try await values(Value.self, for: route, of: nil, expecting: .atMost(1)).first
  }

  /// The effect alone.
  ///
  /// - Throws: As for any number of rows.
  public func callAsFunction(_ route: DatabaseRoute) async throws {
    _ = try await affectedCount(of: route, of: nil)
  }
}

/// A router is an executor itself: of routes that overrides may answer.
extension DatabaseRouter: RouteExecutor {
  public func run(_ route: DatabaseRoute) async throws -> RouteResponse {
    try await answered(route, nil) {
      try $0.response(for: route)
    } else: {
      try await executor.run(route)
    }
  }

  public func values<Value: Decodable & Sendable>(
    _ type: Value.Type, for route: DatabaseRoute, expecting expectation: DatabaseRoute.Expectation?
  ) async throws -> [Value] {
    try await values(type, for: route, of: nil, expecting: expectation)
  }

  public func affectedCount(of route: DatabaseRoute) async throws -> Int {
    try await affectedCount(of: route, of: nil)
  }

  /// Runs routes one after another, all or none.
  ///
  /// Overrides answer first, and what they answer is not undone where the database fails.
  public func run(_ routes: [DatabaseRoute]) async throws -> [RouteResponse] {
    var answers: [RouteResponse?] = []
    var rest: [(route: DatabaseRoute, call: RoutedCall?)] = []
    for route in routes {
      let call = await routed(route, nil)
      guard let call, let answer = call.answer else {
        rest.append((route, call))
        answers.append(nil)
        continue
      }
      do {
        answers.append(try answer.result.get().response(for: route))
        call.log(nil)
      } catch {
        call.log(error)
        throw error
      }
    }
    if rest.isEmpty { return answers.compactMap(\.self) }
    do {
      var responses = try await executor.run(rest.map(\.route))[...]
      for (_, call) in rest { call?.log(nil) }
      return answers.compactMap { $0 ?? responses.popFirst() }
    } catch {
      for (_, call) in rest { call?.log(error) }
      throw error
    }
  }
}

extension DatabaseRouter {
  private func values<Value: Decodable & Sendable>(
    _ type: Value.Type, for route: DatabaseRoute, of collectionRoute: Routes?,
    expecting expectation: DatabaseRoute.Expectation?
  ) async throws -> [Value] {
    if isPlain { return try await executor.values(type, for: route, expecting: expectation) }
    return try await answered(route, collectionRoute) { answer in
      let values = try answer.values(type, for: route)
      try expectation?.check(values.count, of: route)
      return values
    } else: {
      try await executor.values(type, for: route, expecting: expectation)
    }
  }

  private func value<Value: Decodable & Sendable>(
    _ type: Value.Type, for route: DatabaseRoute, of collectionRoute: Routes?
  ) async throws -> Value {
    let values =
      isPlain
      ? try await executor.values(type, for: route, expecting: .one)
      : try await values(type, for: route, of: collectionRoute, expecting: .one)
    guard let value = values.first else { throw RouterError.notFound(route) }
    return value
  }

  private func affectedCount(
    of route: DatabaseRoute, of collectionRoute: Routes?
  ) async throws -> Int {
    try await answered(route, collectionRoute) {
      $0.affected()
    } else: {
      try await executor.affectedCount(of: route)
    }
  }
}
