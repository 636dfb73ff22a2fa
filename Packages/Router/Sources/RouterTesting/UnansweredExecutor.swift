public import Router

/// What stands for the database in a test that answers every route by an override: a route that none answers is an
/// error that names it.
///
/// ```swift
/// var router = DatabaseRouter<Routes>(UnansweredExecutor())
/// router.override(\.todos.fetch, with: [Todo.milk])
/// ```
public struct UnansweredExecutor: RouteExecutor {
  public init() {}

  /// - Throws: `RouterError` with code `RouterError.Code.unanswered`, always.
  public func run(_ route: DatabaseRoute) async throws -> DatabaseRoute.Response {
    throw RouterError(
      code: .unanswered, message: "no override answers the route", table: route.table.name,
      routeId: route.id, route: route.description)
  }
}
