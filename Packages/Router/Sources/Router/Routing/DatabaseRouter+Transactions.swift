/// Transactions and other operations of a ``DatabaseRouteExecutor``.
extension DatabaseRouter {
  /// Runs routes and the code between them in one transaction, which is committed when `body` returns.
  ///
  /// ```swift
  /// try await router.transaction { router in
  ///   let todo: Todo = try await router(.todos(.fetchOne(id: 3)))
  ///   try await router(.archive(.save(todo)))
  ///   try await router(.todos(.delete(id: 3)))
  /// }
  /// ```
  ///
  /// `body` receives a copy of this router, with the same overrides, whose routes run in the transaction: see
  /// ``DatabaseRouteExecutor/transaction(_:)``. The replies of overrides are not rolled back.
  ///
  /// - Parameter body: Runs the routes, one after another. The router is valid until it returns.
  /// - Throws: The error of `body`, after the transaction was rolled back; errors of the commit; ``RouterError`` with
  ///   code ``RouterError/Code/unsupported`` if the executor is not a ``DatabaseRouteExecutor``.
  public func transaction<Result: Sendable>(
    _ body: @Sendable (DatabaseRouter) async throws -> Result
  ) async throws -> Result {
    try await databaseExecutor("run transactions").transaction { executor in
      try await body(self.running(on: executor))
    }
  }

  /// Runs a route, returns its result, and rolls it back. Overrides answer first.
  ///
  /// - Throws: The same errors as `run(_:)`; ``RouterError`` with code ``RouterError/Code/unsupported`` if the executor
  ///   is not a ``DatabaseRouteExecutor``.
  public func dryRun(_ route: DatabaseRoute) async throws -> DatabaseRoute.Response {
    try await dryRun(.ofDatabase(route))
  }

  /// Returns the engine's plan for a route, without running it. Overrides have no plan.
  ///
  /// - Throws: The same errors as ``DatabaseRouteExecutor/explain(_:)``; ``RouterError`` with code
  ///   ``RouterError/Code/unsupported`` if the executor is not a ``DatabaseRouteExecutor``.
  public func explain(
    _ route: DatabaseRoute
  ) async throws -> any Sendable & CustomStringConvertible {
    try await Self.plan(for: route, on: databaseExecutor("explain routes"))
  }

  /// Returns the rows of a route as values, read as they are consumed: see
  /// ``DatabaseRouteExecutor/stream(_:for:batchSize:)``. Overrides answer first, with all of their values.
  ///
  /// - Parameters:
  ///   - type: The type of each row's value.
  ///   - route: A route that fetches.
  ///   - batchSize: The number of rows that are read together.
  /// - Throws: The same errors as the executor's method; ``RouterError`` with code ``RouterError/Code/unsupported`` if
  ///   the executor is not a ``DatabaseRouteExecutor``.
  public func stream<Value: Decodable & Sendable>(
    _ type: Value.Type = Value.self, for route: DatabaseRoute, batchSize: Int = 128
  ) async throws -> DatabaseRoute.RowStream<Value> {
    try await stream(type, .ofDatabase(route), batchSize)
  }
}

/// The same operations with a route of the collection.
extension DatabaseRouter where Routes: RouteCollection {
  /// Runs a route, returns its result, and rolls it back. Overrides answer first.
  public func dryRun(_ route: Routes) async throws -> DatabaseRoute.Response {
    try await dryRun(RouteReference(route))
  }

  /// Returns the engine's plan for a route, without running it. Overrides have no plan.
  public func explain(_ route: Routes) async throws -> any Sendable & CustomStringConvertible {
    try await explain(try await route.route())
  }

  /// Returns the rows of a route as values, read as they are consumed. Overrides answer first, with all of their values.
  public func stream<Value: Decodable & Sendable>(
    _ type: Value.Type = Value.self, for route: Routes, batchSize: Int = 128
  ) async throws -> DatabaseRoute.RowStream<Value> {
    try await stream(type, RouteReference(route), batchSize)
  }
}

extension DatabaseRouter {
  private func dryRun(
    _ reference: RouteReference<Routes>
  ) async throws -> DatabaseRoute.Response {
    try await answered(reference) { answer, route in
      try answer.response(for: route)
    } else: {
      try await databaseExecutor("undo routes").dryRun($0)
    }
  }

  private func stream<Value: Decodable & Sendable>(
    _ type: Value.Type, _ reference: RouteReference<Routes>, _ batchSize: Int
  ) async throws -> DatabaseRoute.RowStream<Value> {
    try await answered(reference) { answer, route in
      let values = try answer.values(type, for: route, expecting: nil, decoder)
      return DatabaseRoute.RowStream(of: route, limits: DatabaseRoute.Limits()) {
        var rest = values[...]
        return { rest.popFirst() }
      }
    } else: {
      try await databaseExecutor("stream rows").stream(type, for: $0, batchSize: batchSize)
    }
  }

  private static func plan(
    for route: DatabaseRoute, on executor: some DatabaseRouteExecutor
  ) async throws -> any Sendable & CustomStringConvertible {
    try await executor.explain(route)
  }

  private func databaseExecutor(
    _ operation: String
  ) throws(RouterError) -> any DatabaseRouteExecutor {
    guard let database = executor as? any DatabaseRouteExecutor else {
      throw RouterError(
        code: .unsupported, message: "\(Swift.type(of: executor)) can't \(operation)")
    }
    return database
  }
}
