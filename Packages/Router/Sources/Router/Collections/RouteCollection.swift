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
  /// What is asked of the database. It is called once for each call of a router.
  func route() async throws -> DatabaseRoute
}
