public import Router

/// A placeholder for the database in a test that overrides every route. A route that no override answers throws an
/// error that names it.
///
/// ```swift
/// var router = DatabaseRouter<Routes>(UnimplementedExecutor())
/// router.override(\.todos.fetch, with: [Todo.milk])
/// ```
///
/// A transaction runs its closure, in which overrides answer as they do elsewhere. There is nothing to roll back.
public struct UnimplementedExecutor: DatabaseRouteExecutor {
  public var limits = DatabaseRoute.Limits()
  public var policies: [DatabaseRoute.Policy] = []
  public var rowFilters: [DatabaseRoute.Table: DatabaseRoute.Filter] = [:]

  public init() {}

  /// Always throws an error.
  ///
  /// - Throws: `RouterError` with code `RouterError.Code.unanswered`.
  public func run(_ route: DatabaseRoute) async throws -> DatabaseRoute.Response {
    throw unanswered(route)
  }

  public func transaction<Result: Sendable>(
    _ body: @Sendable (any RouteExecutor) async throws -> Result
  ) async throws -> Result {
    try await body(self)
  }

  public func dryRun(_ route: DatabaseRoute) async throws -> DatabaseRoute.Response {
    throw unanswered(route)
  }

  public func explain(_ route: DatabaseRoute) async throws -> String { throw unanswered(route) }

  public func countedValues<Value: Decodable & Sendable>(
    _ type: Value.Type, for route: DatabaseRoute, counting: DatabaseRoute.Counting
  ) async throws -> (values: [Value], total: DatabaseRoute.RowCount) {
    throw unanswered(route)
  }

  public func stream<Value: Decodable & Sendable>(
    _ type: Value.Type, for route: DatabaseRoute, batchSize: Int
  ) async throws -> DatabaseRoute.RowStream<Value> {
    throw unanswered(route)
  }

  private func unanswered(_ route: DatabaseRoute) -> RouterError {
    RouterError(
      code: .unanswered, message: "no override answers the route", table: route.table.name,
      routeId: route.id, route: route.description)
  }
}
