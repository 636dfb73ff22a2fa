extension DatabaseRouter {
  /// What is answered in place of the database, and for which calls.
  ///
  /// ```swift
  /// router.override(.route(.todos(.fetch), with: [Todo.milk]))
  /// router.override(.id("top", with: .failure(Offline())))
  /// router.override(.table("todos") { route in route.isReadOnly ? .passThrough : .success() })
  /// ```
  ///
  /// Overrides are there in every build, so that a release build with previews compiles. They come from code alone:
  /// where none adds any, none is there. ``DatabaseRouter/sealed()`` makes sure.
  public struct Override: Sendable, CustomStringConvertible {
    /// Made for the place of the router that it is added to.
    let make: @Sendable (RoutePlace<Routes>) -> RouteOverride
    public let description: String

    private init(
      _ description: String, make: @escaping @Sendable (RoutePlace<Routes>) -> RouteOverride
    ) {
      self.description = description
      self.make = make
    }

    /// An override that is found by a part of the route of the database.
    private init(
      _ description: String, _ key: OverrideKey, _ answer: @escaping Answer<DatabaseRoute>
    ) {
      self.init(description) { _ in
        RouteOverride(key: key, name: description) { call in
          guard let route = call.route else { return nil }
          return try await answer(route)
        }
      }
    }

    /// What an override answers to what it is told of the call.
    public typealias Answer<Input> = @Sendable (Input) async throws -> DatabaseRoute.Reply

    // MARK: What is overridden

    /// The case of a path, whatever it carries; the answer is told what that is.
    public static func `case`<Value: Sendable>(
      _ path: CaseKeyPath<Routes, Value>, with answer: @escaping Answer<Value>
    ) -> Override where Routes: CasePathable {
      let node = Case<Routes>.root[keyPath: path]
      return Override("case \(node.names.joined(separator: "."))") { place in
        var override = RouteOverride(
          key: .names(place.names + node.names),
          name: "case \((place.names + node.names).joined(separator: "."))"
        ) { call in
          if let routes = call.collectionRoute.flatMap(place.extract),
            let value = node.extract(routes)
          {
            return try await answer(value)
          }
          // Or it was found by the route that the case without a value comes to.
          guard call.isFoundByRoute, !call.isOfCollection, let nothing = () as? Value else {
            return nil
          }
          return try await answer(nothing)
        }
        if let nothing = () as? Value, let only = node.embed(nothing) as? any RouteCollection {
          override.route = { try await only.route() }
        }
        return override
      }
    }

    /// One route of the collection, and what it asks of the database: all of it has to be equal, filters and order
    /// too.
    ///
    /// Routes are compared by what they ask of the database; those that are `Equatable` by themselves, so that they
    /// may ask something else each time, of the date of today for instance.
    public static func route(
      _ route: Routes, with answer: @escaping Answer<DatabaseRoute>
    ) -> Override where Routes: RouteCollection {
      let names = (route as? any CasePathable)?.caseNames ?? []
      let name = "route \(names.joined(separator: "."))"
      return Override(name) { place in
        // Without names it is found by the route that it comes to, or looks at each call.
        let key: OverrideKey =
          !names.isEmpty
          ? .names(place.names + names) : route is any Equatable ? .any : .names([])
        return RouteOverride(key: key, name: name, route: { try await route.route() }) { call in
          let isEqual = call.collectionRoute.flatMap(place.extract).flatMap { areEqual(route, $0) }
          let isMeant = call.isOfCollection ? isEqual ?? call.isFoundByRoute : call.isFoundByRoute
          guard isMeant || isEqual == true else { return nil }
          return try await answer(call.routeOrNone)
        }
      }
    }

    /// One route of the database: all of it has to be equal.
    public static func route(
      _ route: DatabaseRoute, with answer: @escaping Answer<DatabaseRoute>
    ) -> Override {
      Override("route \(route)", .route(route), answer)
    }

    /// Routes of an id, of one table or of all.
    public static func id(
      _ id: String, in table: DatabaseRoute.Table? = nil,
      with answer: @escaping Answer<DatabaseRoute>
    ) -> Override {
      Override("id \(id)\(suffix(table))", .id(id, table: table), answer)
    }

    /// Routes that do one thing, with one table or with all.
    public static func method(
      _ method: DatabaseRoute.Method, in table: DatabaseRoute.Table? = nil,
      with answer: @escaping Answer<DatabaseRoute>
    ) -> Override {
      Override(
        "method \(method.rawValue)\(suffix(table))", .method(method, table: table), answer)
    }

    /// All routes of one table.
    public static func table(
      _ table: DatabaseRoute.Table, with answer: @escaping Answer<DatabaseRoute>
    ) -> Override {
      Override("table \(table)", .table(table), answer)
    }

    /// Routes of which something holds. It is asked of every call.
    public static func matching(
      _ predicate: @escaping @Sendable (DatabaseRoute) async throws -> Bool,
      with answer: @escaping Answer<DatabaseRoute>
    ) -> Override {
      Override("matching") { _ in
        RouteOverride(key: .any, name: "matching") { call in
          guard let route = call.route, try await predicate(route) else { return nil }
          return try await answer(route)
        }
      }
    }

    /// Whether two values are equal; `nil` where they can't be compared.
    private static func areEqual(_ a: Routes, _ b: Routes) -> Bool? {
      func equals<Comparable: Equatable>(_ a: Comparable) -> Bool { b as? Comparable == a }
      return (a as? any Equatable).map { equals($0) }
    }

    private static func suffix(_ table: DatabaseRoute.Table?) -> String {
      table.map { " in \($0)" } ?? ""
    }
  }
}

extension OverriddenCall {
  /// The route; one that says the name of the case alone where its own could not be said.
  var routeOrNone: DatabaseRoute {
    route ?? DatabaseRoute(.custom, "", id: names.joined(separator: "."))
  }
}

/// The same overrides, with a reply or a value that is known.
extension DatabaseRouter.Override {
  /// The case of a path, whatever it carries.
  public static func `case`<Value: Sendable>(
    _ path: CaseKeyPath<Routes, Value>, with reply: DatabaseRoute.Reply = .success()
  ) -> Self where Routes: CasePathable {
    .case(path) { _ in reply }
  }

  /// The case of a path, whatever it carries.
  public static func `case`<Value: Sendable>(
    _ path: CaseKeyPath<Routes, Value>, with value: some Encodable & Sendable
  ) -> Self where Routes: CasePathable {
    .case(path, with: .value(value))
  }

  /// One route of the collection, and what it asks of the database.
  public static func route(_ route: Routes, with reply: DatabaseRoute.Reply = .success()) -> Self
  where Routes: RouteCollection {
    .route(route) { _ in reply }
  }

  /// One route of the collection, and what it asks of the database.
  public static func route(_ route: Routes, with value: some Encodable & Sendable) -> Self
  where Routes: RouteCollection {
    .route(route, with: .value(value))
  }

  /// One route of the database.
  public static func route(
    _ route: DatabaseRoute, with reply: DatabaseRoute.Reply = .success()
  ) -> Self {
    .route(route) { _ in reply }
  }

  /// One route of the database.
  public static func route(
    _ route: DatabaseRoute, with value: some Encodable & Sendable
  ) -> Self {
    .route(route, with: .value(value))
  }

  /// Routes of an id, of one table or of all.
  public static func id(
    _ id: String, in table: DatabaseRoute.Table? = nil, with reply: DatabaseRoute.Reply = .success()
  ) -> Self {
    .id(id, in: table) { _ in reply }
  }

  /// Routes of an id, of one table or of all.
  public static func id(
    _ id: String, in table: DatabaseRoute.Table? = nil, with value: some Encodable & Sendable
  ) -> Self {
    .id(id, in: table, with: .value(value))
  }

  /// Routes that do one thing, with one table or with all.
  public static func method(
    _ method: DatabaseRoute.Method, in table: DatabaseRoute.Table? = nil,
    with reply: DatabaseRoute.Reply = .success()
  ) -> Self {
    .method(method, in: table) { _ in reply }
  }

  /// Routes that do one thing, with one table or with all.
  public static func method(
    _ method: DatabaseRoute.Method, in table: DatabaseRoute.Table? = nil,
    with value: some Encodable & Sendable
  ) -> Self {
    .method(method, in: table, with: .value(value))
  }

  /// All routes of one table.
  public static func table(
    _ table: DatabaseRoute.Table, with reply: DatabaseRoute.Reply = .success()
  ) -> Self {
    .table(table) { _ in reply }
  }

  /// All routes of one table.
  public static func table(
    _ table: DatabaseRoute.Table, with value: some Encodable & Sendable
  ) -> Self {
    .table(table, with: .value(value))
  }

  /// Routes of which something holds.
  public static func matching(
    _ predicate: @escaping @Sendable (DatabaseRoute) async throws -> Bool,
    with reply: DatabaseRoute.Reply = .success()
  ) -> Self {
    .matching(predicate) { _ in reply }
  }

  /// Routes of which something holds.
  public static func matching(
    _ predicate: @escaping @Sendable (DatabaseRoute) async throws -> Bool,
    with value: some Encodable & Sendable
  ) -> Self {
    .matching(predicate, with: .value(value))
  }
}
