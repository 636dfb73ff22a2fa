public import SQLiteCore

/// Runs routes in a transaction: see ``SQLiteRouteExecutor/transaction(_:)``. Good until the transaction ends.
public final class RouteTransaction {
  private let runner: RouteRun

  init(_ runner: RouteRun) { self.runner = runner }

  /// The connection, for what is no route.
  public var connection: Connection { runner.connection }

  /// Runs a route. Where it fails it alone is undone, and the transaction can go on.
  ///
  /// - Throws: As ``RouteExecutor/run(_:)-(DatabaseRoute)``.
  @discardableResult
  public func run(_ route: DatabaseRoute) throws -> DatabaseRoute.Response {
    try undoing(route) { try $0.response(route) }
  }

  /// Runs a route, and gives its rows as values: any number.
  ///
  /// - Throws: As ``RouteExecutor/values(_:for:)``.
  public func values<Value: Decodable>(
    _ type: Value.Type = Value.self, for route: DatabaseRoute
  ) throws -> [Value] {
    try values(type, route, nil)
  }

  /// Runs a route that gives exactly one row.
  ///
  /// - Throws: As ``RouteExecutor/value(_:for:)``.
  public func value<Value: Decodable>(
    _ type: Value.Type = Value.self, for route: DatabaseRoute
  ) throws -> Value {
    try route.one(of: values(type, route, .one))
  }

  /// Runs a route that gives one row at most.
  ///
  /// - Throws: As ``RouteExecutor/optionalValue(_:for:)``.
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
    let route = route.givingRows
    return try undoing(route) { try $0.run(route, rows, expecting: expectation).values }
  }

  private func undoing<Result>(
    _ route: DatabaseRoute, _ body: (RouteRun) throws -> Result
  ) throws -> Result {
    if route.isReadOnly { return try body(runner) }
    return try runner.connection.savepoint { try body(runner) }
  }
}
