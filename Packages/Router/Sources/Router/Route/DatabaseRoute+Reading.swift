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

/// Changed copies of a route.
extension DatabaseRoute {
  /// With these columns alone, read or returned.
  public func selecting(_ columns: Column...) -> DatabaseRoute { changed { $0.columns = columns } }

  /// With one more condition, which has to hold too.
  public func filtered(by filter: Filter) -> DatabaseRoute {
    changed { $0.filter = $0.filter.map { $0 && filter } ?? filter }
  }

  /// With these terms after those of the order.
  public func ordered(by orders: Order...) -> DatabaseRoute { changed { $0.orders += orders } }

  /// With no more rows than this, and the first few left out.
  public func limited(to limit: Int, offset: Int? = nil) -> DatabaseRoute {
    changed {
      $0.limit = limit
      $0.offset = offset
    }
  }

  /// With the first row alone: more are no error, then.
  public func first() -> DatabaseRoute { changed { $0.limit = 1 } }

  /// One page of the rows, the one after a row. Whatever is inserted or deleted before it, none comes twice and
  /// none is left out.
  ///
  /// Rows that are equal in the order are told apart by the primary key, in the direction of its last term. After a
  /// row whose key is NULL, as SQLite lets keys be that are no integers, there is no page: it is
  /// ``RouterError/Code/invalidRoute``.
  ///
  /// ```swift
  /// let pages = DatabaseRoute.fetch(from: "todos", order: .descending("due"))
  /// let first: [Todo] = try await database.values(for: pages.page(size: 20))
  /// let second: [Todo] = try await database.values(for: pages.page(after: first.last, size: 20))
  /// ```
  ///
  /// - Parameters:
  ///   - last: The last row of the page before, or a ``Record`` of the columns of its order and its key; `nil` for
  ///     the first page.
  ///   - size: How many rows the page has at most.
  ///   - encoder: Makes columns of `last`.
  /// - Throws: What the encoder throws.
  public func page(
    after last: (some Encodable)?, size: Int, encoder: RowEncoder = RowEncoder()
  ) throws -> DatabaseRoute {
    let record = try last.map { try Record(encoding: $0, with: encoder) }
    return changed {
      $0.page = Page(after: record)
      $0.limit = size
    }
  }

  /// The first page of the rows.
  public func page(size: Int) -> DatabaseRoute {
    changed {
      $0.page = Page()
      $0.limit = size
    }
  }

  /// With another key to find the row that is there, and what becomes of it. For an upsert.
  public func onConflict(
    _ target: Column..., resolution: Conflict.Resolution = .merge
  ) -> DatabaseRoute {
    changed { $0.conflict = Conflict(target: target, resolution: resolution) }
  }

  /// With a demand on the number of rows. A write that does not meet it is undone.
  ///
  /// An update or a deletion that says so how many rows it writes may write more than
  /// ``DatabaseRoute/Limits/maximumAffectedByFilter``.
  public func expecting(_ expectation: Expectation) -> DatabaseRoute {
    changed { $0.expectation = expectation }
  }

  /// With this given back of what is written.
  public func returning(_ returning: Returning) -> DatabaseRoute {
    changed { $0.returning = returning }
  }

  /// With rows of other tables.
  public func embedding(_ embeds: Embed...) -> DatabaseRoute { changed { $0.embeds += embeds } }

  /// Without the columns that would be NULL: they take their defaults, or stay as they are.
  public func omittingNulls() -> DatabaseRoute {
    changed { route in
      for index in route.values.indices {
        route.values[index].fields.removeAll { $0.value.isNull }
      }
    }
  }

  private func changed(_ change: (inout Parts) -> Void) -> DatabaseRoute {
    var copy = self
    copy.change(change)
    return copy
  }
}
