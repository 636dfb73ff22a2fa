public import SQLiteCore

/// Routes that read.
extension DatabaseRoute {
  /// Rows of a table: those of which every filter holds.
  public static func fetch(
    from table: Table, filteredBy filters: [Filter] = [], order: Order? = nil,
    routeId: String? = nil
  ) -> DatabaseRoute {
    var parts = Parts(.fetch, table, id: routeId)
    parts.filter = .joined(filters)
    if let order { parts.orders = [order] }
    return DatabaseRoute(parts)
  }

  /// Rows of a table: those of which every filter holds.
  public static func fetch(
    from table: Table, filteredBy filter: Filter, _ more: Filter..., order: Order? = nil,
    routeId: String? = nil
  ) -> DatabaseRoute {
    fetch(from: table, filteredBy: [filter] + more, order: order, routeId: routeId)
  }

  /// Rows of a table: those of which every filter holds.
  public static func fetch(
    from table: Table, filters: [Filter], order: Order? = nil, routeId: String? = nil
  ) -> DatabaseRoute {
    fetch(from: table, filteredBy: filters, order: order, routeId: routeId)
  }

  /// The one row of which every filter holds: more than one is an error.
  public static func fetchOne(
    from table: Table, filteredBy filters: [Filter] = [], routeId: String? = nil
  ) -> DatabaseRoute {
    var parts = Parts(.fetchOne, table, id: routeId)
    parts.filter = .joined(filters)
    return DatabaseRoute(parts)
  }

  /// The one row of which every filter holds: more than one is an error.
  public static func fetchOne(
    from table: Table, filteredBy filter: Filter, _ more: Filter..., routeId: String? = nil
  ) -> DatabaseRoute {
    fetchOne(from: table, filteredBy: [filter] + more, routeId: routeId)
  }

  /// The row of a key: see ``Column/id``.
  public static func fetchOne(
    id: some RouteValue, from table: Table, routeId: String? = nil
  ) -> DatabaseRoute {
    var parts = Parts(.fetchOne, table, id: routeId)
    parts.filter = .id(id)
    return DatabaseRoute(parts)
  }

  /// The number of rows of which every filter holds, to be read as an `Int`. With a limit, no more are counted.
  /// How they are counted can be said: see ``counted(_:)``.
  public static func count(
    from table: Table, filteredBy filters: [Filter] = [], routeId: String? = nil
  ) -> DatabaseRoute {
    var parts = Parts(.count, table, id: routeId)
    parts.filter = .joined(filters)
    return DatabaseRoute(parts)
  }

  /// SQL of your own. It is made once, here: the route holds its text and its values, and is equal to another of
  /// the same.
  ///
  /// ```swift
  /// let top: DatabaseRoute = try .custom(on: "player", access: .read) { table in
  ///   "SELECT name, rank() OVER (ORDER BY score) FROM \(identifier: table.name) WHERE team = \(team)"
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - table: What the route is about, for overrides and policies. SQLite runs the text.
  ///   - access: Whether the statement writes. One that is said to read and writes is an error as it runs.
  ///   - routeId: A name by which overrides may find the route.
  ///   - build: Writes the statement; it is given the table.
  /// - Throws: What `build` throws; `SQLiteError` where a value can't be bound.
  public static func custom(
    on table: Table, access: CustomStatement.Access = .read, routeId: String? = nil,
    build: (Table) throws -> SQL
  ) throws -> DatabaseRoute {
    var parts = Parts(.custom, table, id: routeId)
    parts.statement = try CustomStatement(build(table), access: access)
    return DatabaseRoute(parts)
  }
}
