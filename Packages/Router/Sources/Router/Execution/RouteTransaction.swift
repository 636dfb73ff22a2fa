public import SQLiteCore

/// Runs routes in a transaction of an ``SQLiteRouteExecutor``, on the writer's thread. Valid until the transaction ends.
public final class RouteTransaction {
  private let runner: RouteRunner

  init(_ runner: RouteRunner) { self.runner = runner }

  /// The connection, for operations other than routes.
  public var connection: Connection { runner.connection }

  /// Runs a route. If it fails, only this route is rolled back, and the transaction can continue.
  ///
  /// - Throws: The same errors as ``RouteExecutor/run(_:)-(DatabaseRoute)``.
  @discardableResult
  public func run(_ route: DatabaseRoute) throws -> DatabaseRoute.Response {
    try undoing(route) { try $0.response(route) }
  }

  /// Runs a route, and returns any number of rows as values.
  ///
  /// - Throws: The same errors as ``RouteExecutor/values(_:for:)``.
  public func values<Value: Decodable>(
    _ type: Value.Type = Value.self, for route: DatabaseRoute
  ) throws -> [Value] {
    try values(type, route, nil)
  }

  /// Runs a route, and returns exactly one row as a value.
  ///
  /// - Throws: The same errors as ``RouteExecutor/value(_:for:)``.
  public func value<Value: Decodable>(
    _ type: Value.Type = Value.self, for route: DatabaseRoute
  ) throws -> Value {
    try route.firstValue(of: values(type, route, .one))
  }

  /// Runs a route, and returns at most one row as a value.
  ///
  /// - Throws: The same errors as ``RouteExecutor/optionalValue(_:for:)``.
  public func optionalValue<Value: Decodable>(
    _ type: Value.Type = Value.self, for route: DatabaseRoute
  ) throws -> Value? {
    try values(type, route, .atMost(1)).first
  }

  private func values<Value: Decodable>(
    _ type: Value.Type, _ route: DatabaseRoute, _ expectation: DatabaseRoute.Expectation?
  ) throws -> [Value] {
    let rows = DecodedRows<Value>(decoder: runner.settings.decoder)
    if route.isReadOnly { return try runner.run(route, rows, expecting: expectation).values }
    let route = route.returningRows
    return try undoing(route) { try $0.run(route, rows, expecting: expectation).values }
  }

  private func undoing<Result>(
    _ route: DatabaseRoute, _ body: (RouteRunner) throws -> Result
  ) throws -> Result {
    if route.isReadOnly { return try body(runner) }
    return try runner.connection.savepoint { try body(runner) }
  }
}
