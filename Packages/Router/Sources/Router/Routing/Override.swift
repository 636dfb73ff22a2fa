extension DatabaseRouter {
  /// A reply in place of the database, with the calls that it answers.
  ///
  /// ```swift
  /// router.override(.route(.todos(.fetch), with: [Todo.milk]))
  /// router.override(.id("top", with: .failure(Offline())))
  /// router.override(.table("todos") { route in route.isReadOnly ? .passThrough : .success() })
  /// ```
  ///
  /// Overrides are available in every build configuration, so that previews compile in release builds. They are added
  /// only by code, and ``DatabaseRouter/sealed()`` ignores all of them.
  public struct Override: Sendable, CustomStringConvertible {
    /// Creates the override for the path of the router that it is added to.
    let makeOverride: @Sendable (Case<Routes>) -> RouteOverride
    public let description: String

    private init(
      _ description: String, makeOverride: @escaping @Sendable (Case<Routes>) -> RouteOverride
    ) {
      self.description = description
      self.makeOverride = makeOverride
    }

    /// Creates an override that matches a part of the database route.
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

    /// A function that returns the reply for a call.
    public typealias Answer<Input> = @Sendable (Input) async throws -> DatabaseRoute.Reply

    // MARK: Matching

    /// Matches the case of a path. The answer receives the case's associated values.
    public static func `case`<Value: Sendable>(
      _ path: CaseKeyPath<Routes, Value>, with answer: @escaping Answer<Value>
    ) -> Override where Routes: CasePathable {
      let node = Case<Routes>.root[keyPath: path]
      return Override("case \(node.names.joined(separator: "."))") { casePath in
        var override = RouteOverride(
          key: .names(casePath.names + node.names),
          name: "case \((casePath.names + node.names).joined(separator: "."))"
        ) { call in
          if let routes = call.collectionRoute.flatMap(casePath.extract),
            let value = node.extract(routes)
          {
            return try await answer(value)
          }
          // Otherwise it was found by the database route of the case without a value.
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

    /// Matches one route of the collection, and calls with an equal database route, including filters and order.
    ///
    /// Routes are compared by their database routes; `Equatable` routes are compared directly, because their database
    /// routes may vary, for example with the date.
    public static func route(
      _ route: Routes, with answer: @escaping Answer<DatabaseRoute>
    ) -> Override where Routes: RouteCollection {
      let names = (route as? any CasePathable)?.caseNames ?? []
      let name = "route \(names.joined(separator: "."))"
      return Override(name) { casePath in
        // Without names, the override is found by its database route, or checks each call.
        let key: OverrideKey =
          !names.isEmpty
          ? .names(casePath.names + names) : route is any Equatable ? .any : .names([])
        return RouteOverride(key: key, name: name, route: { try await route.route() }) { call in
          let isEqual = call.collectionRoute.flatMap(casePath.extract).flatMap {
            areEqual(route, $0)
          }
          let isMatch = call.isOfCollection ? isEqual ?? call.isFoundByRoute : call.isFoundByRoute
          guard isMatch || isEqual == true else { return nil }
          return try await answer(call.routeOrPlaceholder)
        }
      }
    }

    /// Matches one database route. All its parts must be equal.
    public static func route(
      _ route: DatabaseRoute, with answer: @escaping Answer<DatabaseRoute>
    ) -> Override {
      Override("route \(route)", .route(route), answer)
    }

    /// Matches routes with an id, in one table or in all.
    public static func id(
      _ id: String, in table: DatabaseRoute.Table? = nil,
      with answer: @escaping Answer<DatabaseRoute>
    ) -> Override {
      Override("id \(id)\(suffix(table))", .id(id, table: table), answer)
    }

    /// Matches routes with a method, in one table or in all.
    public static func method(
      _ method: DatabaseRoute.Method, in table: DatabaseRoute.Table? = nil,
      with answer: @escaping Answer<DatabaseRoute>
    ) -> Override {
      Override(
        "method \(method.rawValue)\(suffix(table))", .method(method, table: table), answer)
    }

    /// Matches all routes of one table.
    public static func table(
      _ table: DatabaseRoute.Table, with answer: @escaping Answer<DatabaseRoute>
    ) -> Override {
      Override("table \(table)", .table(table), answer)
    }

    /// Matches routes that satisfy a predicate, which is evaluated for each call.
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

    /// Returns whether two values are equal, or `nil` if they can't be compared.
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
  /// The route, or a placeholder with the case's name if the route could not be determined.
  var routeOrPlaceholder: DatabaseRoute {
    route ?? DatabaseRoute(.custom, "", id: names.joined(separator: "."))
  }
}

/// The same overrides, with a fixed reply or value.
extension DatabaseRouter.Override {
  /// Matches the case of a path, regardless of its associated values.
  public static func `case`<Value: Sendable>(
    _ path: CaseKeyPath<Routes, Value>, with reply: DatabaseRoute.Reply = .success()
  ) -> Self where Routes: CasePathable {
    .case(path) { _ in reply }
  }

  /// Matches the case of a path, regardless of its associated values.
  public static func `case`<Value: Sendable>(
    _ path: CaseKeyPath<Routes, Value>, with value: some Encodable & Sendable
  ) -> Self where Routes: CasePathable {
    .case(path, with: .value(value))
  }

  /// Matches one route of the collection, and calls with an equal database route.
  public static func route(_ route: Routes, with reply: DatabaseRoute.Reply = .success()) -> Self
  where Routes: RouteCollection {
    .route(route) { _ in reply }
  }

  /// Matches one route of the collection, and calls with an equal database route.
  public static func route(_ route: Routes, with value: some Encodable & Sendable) -> Self
  where Routes: RouteCollection {
    .route(route, with: .value(value))
  }

  /// Matches one database route.
  public static func route(
    _ route: DatabaseRoute, with reply: DatabaseRoute.Reply = .success()
  ) -> Self {
    .route(route) { _ in reply }
  }

  /// Matches one database route.
  public static func route(
    _ route: DatabaseRoute, with value: some Encodable & Sendable
  ) -> Self {
    .route(route, with: .value(value))
  }

  /// Matches routes with an id, in one table or in all.
  public static func id(
    _ id: String, in table: DatabaseRoute.Table? = nil, with reply: DatabaseRoute.Reply = .success()
  ) -> Self {
    .id(id, in: table) { _ in reply }
  }

  /// Matches routes with an id, in one table or in all.
  public static func id(
    _ id: String, in table: DatabaseRoute.Table? = nil, with value: some Encodable & Sendable
  ) -> Self {
    .id(id, in: table, with: .value(value))
  }

  /// Matches routes with a method, in one table or in all.
  public static func method(
    _ method: DatabaseRoute.Method, in table: DatabaseRoute.Table? = nil,
    with reply: DatabaseRoute.Reply = .success()
  ) -> Self {
    .method(method, in: table) { _ in reply }
  }

  /// Matches routes with a method, in one table or in all.
  public static func method(
    _ method: DatabaseRoute.Method, in table: DatabaseRoute.Table? = nil,
    with value: some Encodable & Sendable
  ) -> Self {
    .method(method, in: table, with: .value(value))
  }

  /// Matches all routes of one table.
  public static func table(
    _ table: DatabaseRoute.Table, with reply: DatabaseRoute.Reply = .success()
  ) -> Self {
    .table(table) { _ in reply }
  }

  /// Matches all routes of one table.
  public static func table(
    _ table: DatabaseRoute.Table, with value: some Encodable & Sendable
  ) -> Self {
    .table(table, with: .value(value))
  }

  /// Matches routes that satisfy a predicate.
  public static func matching(
    _ predicate: @escaping @Sendable (DatabaseRoute) async throws -> Bool,
    with reply: DatabaseRoute.Reply = .success()
  ) -> Self {
    .matching(predicate) { _ in reply }
  }

  /// Matches routes that satisfy a predicate.
  public static func matching(
    _ predicate: @escaping @Sendable (DatabaseRoute) async throws -> Bool,
    with value: some Encodable & Sendable
  ) -> Self {
    .matching(predicate, with: .value(value))
  }
}
