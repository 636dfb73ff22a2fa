public import SQLiteCore

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
