public import Observe
public import Router

/// What a router gives for one of its routes, as a request: what it reads is shown, and stays up to date.
///
/// ```swift
/// @Query(.todos(.fetch), in: \.router) var todos: [Todo]
/// @Query(.todos(.fetchOne(id: 3)), in: \.router) var todo: Todo?
/// ```
///
/// The context is the router, so that its overrides answer in tests and previews, those of a scope too in which the query
/// is made. Without an override the route is observed as `DatabaseRouter.observe(_:)` does it, with the policies and
/// filters of rows of its executor. An error is shown beside the last value, and is over once a commit has mended it.
///
/// Equal routes of one router are one: they are observed once. A route that writes is the query's error.
public struct RouterRequest<Routes: RouteCollection & Hashable, Value: QueryableRows & Sendable>:
  Queryable
{
  public typealias Context = DatabaseRouter<Routes>

  /// What is asked of the router.
  public var route: Routes
  private let observe:
    @Sendable (DatabaseRouter<Routes>, Routes) -> DatabaseRoute.Observation<Value>

  /// Any number of rows.
  public init<Element: Decodable & Sendable>(_ route: Routes) where Value == [Element] {
    self.route = route
    observe = { $0.observe($1) }
  }

  /// One row at most: more are an error.
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
  /// A query of the rows that a route of a router reads.
  ///
  /// ```swift
  /// @Query(.todos(.fetch), in: \.router) var todos: [Todo]
  /// ```
  ///
  /// - Parameter router: Where the environment has the router.
  @_disfavoredOverload
  public init<
    Routes: RouteCollection & Hashable, Element: Decodable & Sendable
  >(
    _ route: Routes,
    in router: any KeyPath<QueryEnvironment, DatabaseRouter<Routes>> & Sendable
  ) where Request == RouterRequest<Routes, [Element]> {
    self.init(RouterRequest(route), in: router)
  }

  /// A query of the one row that a route of a router reads, where there is one.
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
