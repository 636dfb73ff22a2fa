public import Router

/// A placeholder for the database in a test that overrides every route. A route that no override answers throws an
/// error that names it.
///
/// ```swift
/// var router = DatabaseRouter<Routes>(UnimplementedExecutor())
/// router.override(\.todos.fetch, with: [Todo.milk])
/// ```
public struct UnimplementedExecutor: RouteExecutor {
  public init() {}

  /// Always throws an error.
  ///
  /// - Throws: `RouterError` with code `RouterError.Code.unanswered`.
  public func run(_ route: DatabaseRoute) async throws -> DatabaseRoute.Response {
    throw RouterError(
      code: .unanswered, message: "no override answers the route", table: route.table.name,
      routeId: route.id, route: route.description)
  }
}
