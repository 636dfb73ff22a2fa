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
        RouteOverride(key: key, name: description) { try await answer($0.route) }
      }
    }

    /// What an override answers to what it is told of the call.
    public typealias Answer<Input> = @Sendable (Input) async throws -> RouteReply

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
          guard let whole = call.collectionRoute, let routes = place.extract(whole),
            let value = node.extract(routes)
          else {
            // It was found by the route that the case without a value comes to.
            guard let nothing = () as? Value else { return nil }
            return try await answer(nothing)
          }
          return try await answer(value)
        }
        if let nothing = () as? Value, let only = node.embed(nothing) as? any RouteCollection {
          override.route = { try await only.route() }
        }
        return override
      }
    }

    /// One route of the collection, and what it asks of the database: all of it has to be equal, filters and order
    /// too.
    public static func route(
      _ route: Routes, with answer: @escaping Answer<DatabaseRoute>
    ) -> Override where Routes: RouteCollection {
      let name = "route \((route as? any CasePathable)?.caseNames.joined(separator: ".") ?? "")"
      return Override(name) { _ in
        // It is found by the route that it comes to, and by no other key.
        RouteOverride(
          key: .names([]), name: name, route: { try await route.route() },
          reply: { try await answer($0.route) })
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
          guard try await predicate(call.route) else { return nil }
          return try await answer(call.route)
        }
      }
    }

    private static func suffix(_ table: DatabaseRoute.Table?) -> String {
      table.map { " in \($0)" } ?? ""
    }
  }
}
