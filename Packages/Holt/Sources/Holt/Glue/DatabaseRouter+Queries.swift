public import QueryGen
public import Router

/// Queries that run a router's routes, for injection like generated queries.
///
/// ```swift
/// struct TodoList {
///   let all: any DatabaseQuery<Void, [Todo]>
///   let find: any DatabaseQuery<Int, Todo?>
///   let delete: any DatabaseQuery<Int, Int>
/// }
/// let list = TodoList(
///   all: router.query(.todos(.fetch)), find: router.query { .todos(.fetchOne(id: $0)) },
///   delete: router.writeQuery { .todos(.delete(id: $0)) })
/// ```
///
/// Each call is a call of the router, with its overrides, scopes, logs and policies. Several inputs
/// in one call are routes that run in one transaction. Observing a query observes the route, as
/// `DatabaseRouter.observe(_:)` does.
extension DatabaseRouter where Routes: RouteCollection {
  /// Returns a query for any number of rows.
  public func query<Input: Sendable, Element: Decodable & Sendable>(
    _ route: @escaping @Sendable (Input) -> Routes
  ) -> Queries.ClosureQuery<Input, [Element]> {
    Queries.ClosureQuery {
      try await self(route($0))
    } executeMany: {
      try await values(Element.self, forEach: $0.map(route))
    } observe: {
      Queries.Stream(observe(route($0)) as DatabaseRoute.Observation<[Element]>)
    }
  }

  /// Returns a query for at most one row.
  @_disfavoredOverload
  public func query<Input: Sendable, Element: Decodable & Sendable>(
    _ route: @escaping @Sendable (Input) -> Routes
  ) -> Queries.ClosureQuery<Input, Element?> {
    Queries.ClosureQuery { input -> Element? in
      try await self(route(input))
    } executeMany: {
      try await values(Element.self, forEach: $0.map(route), expecting: .atMost(1)).map(\.first)
    } observe: {
      Queries.Stream(observe(route($0)) as DatabaseRoute.Observation<Element?>)
    }
  }

  /// Returns a query for exactly one row. The second parameter makes the compiler prefer the other
  /// overloads.
  @_disfavoredOverload
  public func query<Input: Sendable, Element: Decodable & Sendable>(
    _ route: @escaping @Sendable (Input) -> Routes, _: Void = ()
  ) -> Queries.ClosureQuery<Input, Element> {
    Queries.ClosureQuery { input -> Element in
      try await self(route(input))
    } executeMany: {
      try await values(Element.self, forEach: $0.map(route), expecting: .one).flatMap { $0 }
    } observe: {
      Queries.Stream(observe(route($0)) as DatabaseRoute.Observation<Element>)
    }
  }

  /// Returns a query without input for any number of rows.
  public func query<Element: Decodable & Sendable>(
    _ route: Routes
  ) -> Queries.ClosureQuery<Void, [Element]> {
    query { (_: Void) -> Routes in route }
  }

  /// Returns a query without input for at most one row.
  @_disfavoredOverload
  public func query<Element: Decodable & Sendable>(
    _ route: Routes
  ) -> Queries.ClosureQuery<Void, Element?> {
    query { (_: Void) -> Routes in route }
  }

  /// Returns a query without input for exactly one row. The second parameter makes the compiler
  /// prefer the other overloads.
  @_disfavoredOverload
  public func query<Element: Decodable & Sendable>(
    _ route: Routes, _: Void = ()
  ) -> Queries.ClosureQuery<Void, Element> {
    query({ (_: Void) -> Routes in route }, ())
  }

  /// Returns a query for the number of rows that a route has written. When observed, it runs once.
  public func writeQuery<Input: Sendable>(
    _ route: @escaping @Sendable (Input) -> Routes
  ) -> Queries.ClosureQuery<Input, Int> {
    Queries.ClosureQuery {
      try await affectedCount(of: route($0))
    } executeMany: {
      try await run($0.map(route)).map(\.affected)
    } observe: { input in
      Queries.Stream { try await affectedCount(of: route(input)) }
    }
  }
}

/// The same queries for routes that belong to no collection.
///
/// ```swift
/// let find: any DatabaseQuery<Int, Todo?> = router.query { .fetchOne(id: $0, from: "todos") }
/// ```
extension DatabaseRouter where Routes == Never {
  /// Returns a query for any number of rows.
  public func query<Input: Sendable, Element: Decodable & Sendable>(
    _ route: @escaping @Sendable (Input) throws -> DatabaseRoute
  ) -> Queries.ClosureQuery<Input, [Element]> {
    ofCollection.query { input in SingleRouteCollection { try route(input) } }
  }

  /// Returns a query for at most one row.
  @_disfavoredOverload
  public func query<Input: Sendable, Element: Decodable & Sendable>(
    _ route: @escaping @Sendable (Input) throws -> DatabaseRoute
  ) -> Queries.ClosureQuery<Input, Element?> {
    ofCollection.query { input in SingleRouteCollection { try route(input) } }
  }

  /// Returns a query for exactly one row. The second parameter makes the compiler prefer the other
  /// overloads.
  @_disfavoredOverload
  public func query<Input: Sendable, Element: Decodable & Sendable>(
    _ route: @escaping @Sendable (Input) throws -> DatabaseRoute, _: Void = ()
  ) -> Queries.ClosureQuery<Input, Element> {
    ofCollection.query({ input in SingleRouteCollection { try route(input) } }, ())
  }

  /// Returns a query without input for any number of rows.
  public func query<Element: Decodable & Sendable>(
    _ route: DatabaseRoute
  ) -> Queries.ClosureQuery<Void, [Element]> {
    ofCollection.query(SingleRouteCollection { route })
  }

  /// Returns a query without input for at most one row.
  @_disfavoredOverload
  public func query<Element: Decodable & Sendable>(
    _ route: DatabaseRoute
  ) -> Queries.ClosureQuery<Void, Element?> {
    ofCollection.query(SingleRouteCollection { route })
  }

  /// Returns a query without input for exactly one row. The second parameter makes the compiler
  /// prefer the other overloads.
  @_disfavoredOverload
  public func query<Element: Decodable & Sendable>(
    _ route: DatabaseRoute, _: Void = ()
  ) -> Queries.ClosureQuery<Void, Element> {
    ofCollection.query(SingleRouteCollection { route }, ())
  }

  /// Returns a query for the number of rows that a route has written. When observed, it runs once.
  public func writeQuery<Input: Sendable>(
    _ route: @escaping @Sendable (Input) throws -> DatabaseRoute
  ) -> Queries.ClosureQuery<Input, Int> {
    ofCollection.writeQuery { input in SingleRouteCollection { try route(input) } }
  }

  /// A router for a collection that delegates to this one, including its overrides and logs.
  private var ofCollection: DatabaseRouter<SingleRouteCollection> {
    DatabaseRouter<SingleRouteCollection>(self)
  }
}

/// A collection that consists of one database route.
private struct SingleRouteCollection: RouteCollection {
  let make: @Sendable () throws -> DatabaseRoute

  func route() async throws -> DatabaseRoute { try make() }
}
