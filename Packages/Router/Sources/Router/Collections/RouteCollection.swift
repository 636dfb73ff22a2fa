/// Operations that belong together, as the cases of an enum: each says what it asks of the database.
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
/// A case may carry another collection, and give that one's route.
public protocol RouteCollection: Sendable {
  /// What is asked of the database.
  ///
  /// It is called once for each call of a router. A router asks it once more of a route that it has an override for,
  /// where that override names the route, or a case that carries nothing: it then answers those too who ask the same of
  /// the database.
  func route() async throws -> DatabaseRoute

  /// The route of the collection that asks this of the database; `nil` where there is none, or it can't be told.
  ///
  /// With it, an override of a case answers those too who call the router with a route of the database. Overrides
  /// of one route of the collection, and of cases that carry nothing, do so without it.
  static func collectionRoute(for route: DatabaseRoute) -> Self?
}

extension RouteCollection {
  public static func collectionRoute(for route: DatabaseRoute) -> Self? { nil }
}
