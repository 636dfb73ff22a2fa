public import SQLiteCore

/// Routes that read.
extension DatabaseRoute {
  /// Fetches the rows of a table that satisfy all filters.
  public static func fetch(
    from table: Table, filteredBy filters: [Filter] = [], order: Order? = nil,
    routeId: String? = nil
  ) -> DatabaseRoute {
    var parts = Parts(.fetch, table, id: routeId)
    parts.filter = .joined(filters)
    if let order { parts.orders = [order] }
    return DatabaseRoute(parts)
  }

  /// Fetches the rows of a table that satisfy all filters.
  public static func fetch(
    from table: Table, filteredBy filter: Filter, _ more: Filter..., order: Order? = nil,
    routeId: String? = nil
  ) -> DatabaseRoute {
    fetch(from: table, filteredBy: [filter] + more, order: order, routeId: routeId)
  }

  /// Fetches the rows of a table that satisfy all filters.
  public static func fetch(
    from table: Table, filters: [Filter], order: Order? = nil, routeId: String? = nil
  ) -> DatabaseRoute {
    fetch(from: table, filteredBy: filters, order: order, routeId: routeId)
  }

  /// Fetches the row that satisfies all filters. More than one row is an error.
  public static func fetchOne(
    from table: Table, filteredBy filters: [Filter] = [], routeId: String? = nil
  ) -> DatabaseRoute {
    var parts = Parts(.fetchOne, table, id: routeId)
    parts.filter = .joined(filters)
    return DatabaseRoute(parts)
  }

  /// Fetches the row that satisfies all filters. More than one row is an error.
  public static func fetchOne(
    from table: Table, filteredBy filter: Filter, _ more: Filter..., routeId: String? = nil
  ) -> DatabaseRoute {
    fetchOne(from: table, filteredBy: [filter] + more, routeId: routeId)
  }

  /// Fetches the row with a key: see ``Column/id``.
  public static func fetchOne(
    id: some RouteValue, from table: Table, routeId: String? = nil
  ) -> DatabaseRoute {
    var parts = Parts(.fetchOne, table, id: routeId)
    parts.filter = .id(id)
    return DatabaseRoute(parts)
  }

  /// Counts the rows that satisfy all filters, to be read as an `Int`. With a limit, no more rows are counted. See
  /// ``counted(_:)`` for other counting methods.
  public static func count(
    from table: Table, filteredBy filters: [Filter] = [], routeId: String? = nil
  ) -> DatabaseRoute {
    var parts = Parts(.count, table, id: routeId)
    parts.filter = .joined(filters)
    return DatabaseRoute(parts)
  }

  /// Runs custom SQL. The SQL is built once, by this call: the route stores its text and its values, and is equal to
  /// another route with the same ones.
  ///
  /// ```swift
  /// let top: DatabaseRoute = try .custom(on: "player", access: .read) { table in
  ///   "SELECT name, rank() OVER (ORDER BY score) FROM \(identifier: table.name) WHERE team = \(team)"
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - table: The route's table, for overrides and policies. The SQL runs as written, even if it names other tables.
  ///   - access: Whether the statement writes. A statement that is declared to read, but writes, throws an error when
  ///     it runs.
  ///   - routeId: An identifier by which overrides can match the route.
  ///   - build: Returns the statement for the table.
  /// - Throws: The error of `build`; `SQLiteError` if a value can't be bound.
  public static func custom(
    on table: Table, access: CustomStatement.Access = .read, routeId: String? = nil,
    build: (Table) throws -> SQL
  ) throws -> DatabaseRoute {
    var parts = Parts(.custom, table, id: routeId)
    parts.statement = try CustomStatement(build(table), access: access)
    return DatabaseRoute(parts)
  }
}

/// Modified copies of a route.
extension DatabaseRoute {
  /// Returns a copy of a custom route that declares the tables that its statement reads, for an engine that does not
  /// report them.
  ///
  /// Without a declaration, the observed values of a custom route on PostgreSQL are fetched again after every commit.
  /// Other routes are not changed.
  ///
  /// - Parameter tables: All tables and views that the statement reads, directly or by functions.
  public func reading(_ tables: Table...) -> DatabaseRoute {
    changed { $0.statement?.tables = tables }
  }

  /// Returns a copy that reads or returns only these columns.
  public func selecting(_ columns: Column...) -> DatabaseRoute { changed { $0.columns = columns } }

  /// Returns a copy with an additional condition.
  public func filtered(by filter: Filter) -> DatabaseRoute {
    changed { $0.filter = $0.filter.map { $0 && filter } ?? filter }
  }

  /// Returns a copy with additional order terms after the existing ones.
  public func ordered(by orders: Order...) -> DatabaseRoute { changed { $0.orders += orders } }

  /// Returns a copy with at most `limit` rows, after skipping `offset` rows.
  public func limited(to limit: Int, offset: Int? = nil) -> DatabaseRoute {
    changed {
      $0.limit = limit
      $0.offset = offset
    }
  }

  /// Returns a copy with only the first row. Further rows are then not an error.
  public func first() -> DatabaseRoute { changed { $0.limit = 1 } }

  /// Returns a copy for one page of the rows: the page after a given row. Regardless of insertions and
  /// deletions before that row, no row is repeated or skipped.
  ///
  /// Rows that are equal in the order are ordered by the primary key, in the direction of the last order term. There is
  /// no page after a row whose key is NULL, which SQLite allows for non-integer keys: it throws
  /// ``RouterError/Code/invalidRoute``.
  ///
  /// ```swift
  /// let pages = DatabaseRoute.fetch(from: "todos", order: .descending("due"))
  /// let first: [Todo] = try await database.values(for: pages.page(size: 20))
  /// let second: [Todo] = try await database.values(for: pages.page(after: first.last, size: 20))
  /// ```
  ///
  /// - Parameters:
  ///   - last: The last row of the previous page, or a ``Record`` with the columns of its order and its key; `nil` for
  ///     the first page.
  ///   - size: The maximum number of rows of the page.
  ///   - encoder: Encodes `last` to columns.
  /// - Throws: Errors of the encoder.
  public func page(
    after last: (some Encodable)?, size: Int, encoder: RowEncoder = RowEncoder()
  ) throws -> DatabaseRoute {
    let record = try last.map { try Record(encoding: $0, with: encoder) }
    return changed {
      $0.page = Page(after: record)
      $0.limit = size
    }
  }

  /// Returns a copy for the first page of the rows.
  public func page(size: Int) -> DatabaseRoute {
    changed {
      $0.page = Page()
      $0.limit = size
    }
  }

  /// Returns a copy with another conflict target and resolution, for an upsert.
  public func onConflict(
    _ target: Column..., resolution: Conflict.Resolution = .merge
  ) -> DatabaseRoute {
    changed { $0.conflict = Conflict(target: target, resolution: resolution) }
  }

  /// Returns a copy with an expected number of rows. A write that does not meet it is rolled back.
  ///
  /// An update or a deletion with an expectation can write more rows than
  /// ``DatabaseRoute/Limits/maximumAffectedByFilter``.
  public func expecting(_ expectation: Expectation) -> DatabaseRoute {
    changed { $0.expectation = expectation }
  }

  /// Returns a copy that returns the given part of a write's result.
  public func returning(_ returning: Returning) -> DatabaseRoute {
    changed { $0.returning = returning }
  }

  /// Returns a copy that embeds rows of other tables.
  public func embedding(_ embeds: Embed...) -> DatabaseRoute { changed { $0.embeds += embeds } }

  /// Returns a copy without the columns that are NULL: they take their defaults, or remain unchanged.
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
