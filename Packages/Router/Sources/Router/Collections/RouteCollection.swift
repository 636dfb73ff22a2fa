/// Related database operations as the cases of an enum: each case describes its route.
///
/// ```swift
/// enum TodoRoute: RouteCollection {
///   case fetch
///   case fetchOne(id: Int)
///
///   func route() async throws -> DatabaseRoute {
///     switch self {
///     case .fetch: .fetch(from: "todos", order: .ascending("name"))
///     case .fetchOne(let id): .fetchOne(id: id, from: "todos")
///     }
///   }
/// }
/// ```
///
/// A case can carry another collection, and return that collection's route.
public protocol RouteCollection: Sendable {
  /// Returns the database route of the case.
  ///
  /// It is called once for each call of a router. If an override names the route, or a case without a value, the router
  /// calls it once more for that route, so that the override also answers calls with an equal database route.
  func route() async throws -> DatabaseRoute

  /// Returns the case of the collection for a database route, or `nil` if there is none or it is unknown.
  ///
  /// With it, an override of a case also answers calls of the router with a database route. Overrides of a specific
  /// route, and of cases without a value, do so without it.
  static func collectionRoute(for route: DatabaseRoute) -> Self?
}

extension RouteCollection {
  public static func collectionRoute(for route: DatabaseRoute) -> Self? { nil }
}
