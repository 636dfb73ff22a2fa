public import Observe
public import Router

/// The result of a router's route as a request: it is shown, and stays up to date.
///
/// ```swift
/// @Query(.todos(.fetch), in: \.router) var todos: [Todo]
/// @Query(.todos(.fetchOne(id: 3)), in: \.router) var todo: Todo?
/// ```
///
/// The context is the router, so its overrides, including the overrides of the scope in which the
/// query is created, apply in tests and previews. Without an override, the route is observed as
/// `DatabaseRouter.observe(_:)` does, with the policies and row filters of its executor. An error
/// is shown together with the last value, until a commit leads to a successful fetch.
///
/// Equal routes of one router share one observation. A route that writes causes an error.
public struct RouterRequest<Routes: RouteCollection & Hashable, Value: QueryableRows & Sendable>:
  Queryable
{
  public typealias Context = DatabaseRouter<Routes>

  /// The route to observe.
  public var route: Routes
  private let observe:
    @Sendable (DatabaseRouter<Routes>, Routes) -> DatabaseRoute.Observation<Value>

  /// Creates a request for any number of rows.
  public init<Element: Decodable & Sendable>(_ route: Routes) where Value == [Element] {
    self.route = route
    observe = { $0.observe($1) }
  }

  /// Creates a request for at most one row. More rows are an error.
  public init<Element: Decodable & Sendable>(_ route: Routes) where Value == Element? {
    self.route = route
    observe = { $0.observe($1) }
  }

  public static var defaultValue: Value { Value.noRows }

  @MainActor public func values(in router: DatabaseRouter<Routes>) -> QueryValues<Value> {
    QueryValues(
      results: observe(router, route).removeDuplicates(by: Value.areEqual).results)
  }

  public static func == (a: RouterRequest, b: RouterRequest) -> Bool { a.route == b.route }
  public func hash(into hasher: inout Hasher) { hasher.combine(route) }
}

extension Observe.Query {
  /// Creates a query of the rows that a router's route reads.
  ///
  /// ```swift
  /// @Query(.todos(.fetch), in: \.router) var todos: [Todo]
  /// ```
  ///
  /// - Parameters:
  ///   - route: The route that reads the rows.
  ///   - router: The key path of the router in the environment.
  @_disfavoredOverload
  public init<
    Routes: RouteCollection & Hashable, Element: Decodable & Sendable
  >(
    _ route: Routes,
    in router: any KeyPath<QueryEnvironment, DatabaseRouter<Routes>> & Sendable
  ) where Request == RouterRequest<Routes, [Element]> {
    self.init(RouterRequest(route), in: router)
  }

  /// Creates a query of the optional row that a router's route reads.
  ///
  /// ```swift
  /// @Query(.todos(.fetchOne(id: 3)), in: \.router) var todo: Todo?
  /// ```
  @_disfavoredOverload
  public init<
    Routes: RouteCollection & Hashable, Element: Decodable & Sendable
  >(
    _ route: Routes,
    in router: any KeyPath<QueryEnvironment, DatabaseRouter<Routes>> & Sendable
  ) where Request == RouterRequest<Routes, Element?> {
    self.init(RouterRequest(route), in: router)
  }
}
