public import QueryGen
public import Router

/// Routes of a router as queries, to be injected like those that are generated.
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
/// Each call is one of the router: its overrides, scopes, logs and policies hold for it. Several inputs at once are routes that
/// run together, all or none. Observed, a query is what `DatabaseRouter.observe(_:)` gives.
extension DatabaseRouter where Routes: RouteCollection {
  /// A query that gives any number of rows.
  public func query<Input: Sendable, Element: Decodable & Sendable>(
    _ route: @escaping @Sendable (Input) -> Routes
  ) -> Queries.Calling<Input, [Element]> {
    Queries.Calling {
      try await self(route($0))
    } executeMany: {
      try await values(Element.self, forEach: $0.map(route))
    } observe: {
      Queries.Stream(observe(route($0)) as DatabaseRoute.Observation<[Element]>)
    }
  }

  /// A query that gives one row at most.
  @_disfavoredOverload
  public func query<Input: Sendable, Element: Decodable & Sendable>(
    _ route: @escaping @Sendable (Input) -> Routes
  ) -> Queries.Calling<Input, Element?> {
    Queries.Calling { input -> Element? in
      try await self(route(input))
    } executeMany: {
      try await values(Element.self, forEach: $0.map(route), expecting: .atMost(1)).map(\.first)
    } observe: {
      Queries.Stream(observe(route($0)) as DatabaseRoute.Observation<Element?>)
    }
  }

  /// A query that gives exactly one row. The second parameter is for the compiler, which takes the other forms before this one.
  @_disfavoredOverload
  public func query<Input: Sendable, Element: Decodable & Sendable>(
    _ route: @escaping @Sendable (Input) -> Routes, _: Void = ()
  ) -> Queries.Calling<Input, Element> {
    Queries.Calling { input -> Element in
      try await self(route(input))
    } executeMany: {
      try await values(Element.self, forEach: $0.map(route), expecting: .one).flatMap { $0 }
    } observe: {
      Queries.Stream(observe(route($0)) as DatabaseRoute.Observation<Element>)
    }
  }

  /// A query without an input that gives any number of rows.
  public func query<Element: Decodable & Sendable>(
    _ route: Routes
  ) -> Queries.Calling<Void, [Element]> {
    query { (_: Void) -> Routes in route }
  }

  /// A query without an input that gives one row at most.
  @_disfavoredOverload
  public func query<Element: Decodable & Sendable>(
    _ route: Routes
  ) -> Queries.Calling<Void, Element?> {
    query { (_: Void) -> Routes in route }
  }

  /// A query without an input that gives exactly one row. The second parameter is for the compiler, as above.
  @_disfavoredOverload
  public func query<Element: Decodable & Sendable>(
    _ route: Routes, _: Void = ()
  ) -> Queries.Calling<Void, Element> {
    query({ (_: Void) -> Routes in route }, ())
  }

  /// A query that gives how many rows it has written. Observed, it is run once.
  public func writeQuery<Input: Sendable>(
    _ route: @escaping @Sendable (Input) -> Routes
  ) -> Queries.Calling<Input, Int> {
    Queries.Calling {
      try await affectedCount(of: route($0))
    } executeMany: {
      try await run($0.map(route)).map(\.affected)
    } observe: { input in
      Queries.Stream { try await affectedCount(of: route(input)) }
    }
  }
}

/// The same for routes that belong to no collection.
///
/// ```swift
/// let find: any DatabaseQuery<Int, Todo?> = router.query { .fetchOne(id: $0, from: "todos") }
/// ```
extension DatabaseRouter where Routes == Never {
  /// A query that gives any number of rows.
  public func query<Input: Sendable, Element: Decodable & Sendable>(
    _ route: @escaping @Sendable (Input) throws -> DatabaseRoute
  ) -> Queries.Calling<Input, [Element]> {
    ofCollection.query { input in PlainRoute { try route(input) } }
  }

  /// A query that gives one row at most.
  @_disfavoredOverload
  public func query<Input: Sendable, Element: Decodable & Sendable>(
    _ route: @escaping @Sendable (Input) throws -> DatabaseRoute
  ) -> Queries.Calling<Input, Element?> {
    ofCollection.query { input in PlainRoute { try route(input) } }
  }

  /// A query that gives exactly one row. The second parameter is for the compiler, which takes the other forms before this one.
  @_disfavoredOverload
  public func query<Input: Sendable, Element: Decodable & Sendable>(
    _ route: @escaping @Sendable (Input) throws -> DatabaseRoute, _: Void = ()
  ) -> Queries.Calling<Input, Element> {
    ofCollection.query({ input in PlainRoute { try route(input) } }, ())
  }

  /// A query without an input that gives any number of rows.
  public func query<Element: Decodable & Sendable>(
    _ route: DatabaseRoute
  ) -> Queries.Calling<Void, [Element]> {
    ofCollection.query(PlainRoute { route })
  }

  /// A query without an input that gives one row at most.
  @_disfavoredOverload
  public func query<Element: Decodable & Sendable>(
    _ route: DatabaseRoute
  ) -> Queries.Calling<Void, Element?> {
    ofCollection.query(PlainRoute { route })
  }

  /// A query without an input that gives exactly one row. The second parameter is for the compiler, as above.
  @_disfavoredOverload
  public func query<Element: Decodable & Sendable>(
    _ route: DatabaseRoute, _: Void = ()
  ) -> Queries.Calling<Void, Element> {
    ofCollection.query(PlainRoute { route }, ())
  }

  /// A query that gives how many rows it has written. Observed, it is run once.
  public func writeQuery<Input: Sendable>(
    _ route: @escaping @Sendable (Input) throws -> DatabaseRoute
  ) -> Queries.Calling<Input, Int> {
    ofCollection.writeQuery { input in PlainRoute { try route(input) } }
  }

  /// A router of a collection that has this one answer, its overrides and logs too.
  private var ofCollection: DatabaseRouter<PlainRoute> { DatabaseRouter<PlainRoute>(self) }
}

/// A route of the database as one of a collection.
private struct PlainRoute: RouteCollection {
  let make: @Sendable () throws -> DatabaseRoute

  func route() async throws -> DatabaseRoute { try make() }
}
