/// A ``RouteExecutor`` on a database, with settings, transactions and plans.
///
/// Code that is generic over this protocol runs on any engine:
///
/// ```swift
/// func archive(_ id: Int, in database: some DatabaseRouteExecutor) async throws {
///   try await database.transaction { routes in
///     let todo = try await routes.value(Todo.self, for: .fetchOne(id: id, from: "todos"))
///     try await routes.perform(.insert(todo, into: "archive"))
///     try await routes.perform(.delete(id: id, from: "todos"))
///   }
/// }
/// ```
public protocol DatabaseRouteExecutor: RouteExecutor {
  /// The engine's plan for a route. Its description is readable.
  associatedtype Plan: Sendable, CustomStringConvertible

  /// The limits for the size of routes, and for the number of rows that they read or write.
  var limits: DatabaseRoute.Limits { get set }

  /// The policies that check each route before it runs, in this order.
  var policies: [DatabaseRoute.Policy] { get set }

  /// Filters that restrict the rows of a table that routes may read, change or produce: see
  /// ``SQLiteRouteExecutor/rowFilters``.
  var rowFilters: [DatabaseRoute.Table: DatabaseRoute.Filter] { get set }

  /// Runs routes and the code between them in one transaction, which is committed when `body` returns.
  ///
  /// The executor that `body` receives runs routes in the transaction. A route that fails is undone alone, and does not
  /// end the transaction if `body` catches its error. Routes of other executors are not part of the transaction, and may
  /// wait for its end: on a database with a single writer, a write by another executor within `body` waits forever.
  ///
  /// - Parameter body: Runs the routes, one after another. The executor is valid until it returns.
  /// - Throws: The error of `body`, after the transaction was rolled back; errors of the commit; ``RouterError`` with
  ///   code ``RouterError/Code/readOnly`` or ``RouterError/Code/unsupported``.
  func transaction<Result: Sendable>(
    _ body: @Sendable (any RouteExecutor) async throws -> Result
  ) async throws -> Result

  /// Runs a route, returns its result, and rolls it back.
  ///
  /// - Throws: The same errors as ``RouteExecutor/run(_:)-(DatabaseRoute)``.
  func dryRun(_ route: DatabaseRoute) async throws -> DatabaseRoute.Response

  /// Returns the engine's plan for a route, without running it.
  ///
  /// - Throws: The same errors as ``RouteExecutor/run(_:)-(DatabaseRoute)``.
  func explain(_ route: DatabaseRoute) async throws -> Plan

  /// Runs a route that reads, and counts or estimates its rows without the limit, in the same snapshot.
  ///
  /// ```swift
  /// let (todos, total) = try await executor.countedValues(
  ///   Todo.self, for: route.limited(to: 20), counting: .estimated(upTo: 1_000))
  /// let label = total.isExact ? "\(total.value)" : "about \(total.value)"
  /// ```
  ///
  /// - Throws: The same errors as ``RouteExecutor/run(_:)-(DatabaseRoute)``; ``RouterError`` with code
  ///   ``RouterError/Code/invalidRoute`` if the route's method is not ``DatabaseRoute/Method/fetch``.
  func countedValues<Value: Decodable & Sendable>(
    _ type: Value.Type, for route: DatabaseRoute, counting: DatabaseRoute.Counting
  ) async throws -> (values: [Value], total: DatabaseRoute.RowCount)

  /// Returns the rows of a route as values, read as they are consumed, from one snapshot.
  ///
  /// If there are more rows than ``DatabaseRoute/Limits/maximumRows`` or the route's expectation allows, the iteration
  /// throws an error after the allowed rows.
  ///
  /// - Parameters:
  ///   - type: The type of each row's value.
  ///   - route: A route that fetches.
  ///   - batchSize: The number of rows that are read together.
  /// - Throws: The same errors as ``RouteExecutor/run(_:)-(DatabaseRoute)``; ``RouterError`` with code
  ///   ``RouterError/Code/unsupported`` if rows can't be read in parts.
  func stream<Value: Decodable & Sendable>(
    _ type: Value.Type, for route: DatabaseRoute, batchSize: Int
  ) async throws -> DatabaseRoute.RowStream<Value>
}

extension DatabaseRouteExecutor {
  /// Runs a route that reads, and counts its rows without the limit, in the same snapshot.
  ///
  /// - Throws: The same errors as ``countedValues(_:for:counting:)``.
  public func countedValues<Value: Decodable & Sendable>(
    _ type: Value.Type = Value.self, for route: DatabaseRoute
  ) async throws -> (values: [Value], total: Int) {
    let (values, total) = try await countedValues(type, for: route, counting: .exact)
    return (values, total.value)
  }

  /// Returns the rows of a route as values, read as they are consumed, from one snapshot.
  ///
  /// - Throws: The same errors as ``stream(_:for:batchSize:)``.
  public func stream<Value: Decodable & Sendable>(
    _ type: Value.Type = Value.self, for route: DatabaseRoute
  ) async throws -> DatabaseRoute.RowStream<Value> {
    try await stream(type, for: route, batchSize: 128)
  }
}
