internal import SQLiteCore

extension RouteExecutor {
  /// The rows of a route as values, by running it and reading its response.
  func values<Value: Decodable & Sendable>(
    _ type: Value.Type, for route: DatabaseRoute,
    expecting expectation: DatabaseRoute.Expectation?, with decoder: RowDecoder
  ) async throws -> [Value] {
    let values = try await run(route.demanding(expectation))
      .values(type, of: route, with: decoder)
    try expectation?.check(values.count, of: route)
    return values
  }
}

extension DatabaseRoute.Expectation {
  /// What has to hold where another has to hold too.
  func and(_ other: DatabaseRoute.Expectation?) -> DatabaseRoute.Expectation {
    switch (self, other) {
    case (_, nil): self
    case (.one, .one): .one
    case (.atMost(let most), .atMost(let least)): .atMost(min(most, least))
    // Fewer than one is what both together leave of that.
    case (.one, .atMost(let most)), (.atMost(let most), .one): most < 1 ? .atMost(most) : .one
    }
  }
}

extension DatabaseRoute {
  /// The route as it is run for so many values.
  func demanding(_ expectation: Expectation?) -> DatabaseRoute {
    var demanding = givingRows
    if let expectation { demanding.expectation = expectation.and(self.expectation) }
    return demanding
  }

  /// Checks a response by what the route itself demands of the number of rows.
  func check(_ response: Response) throws(RouterError) {
    let count =
      isReadOnly
      ? response.rows.count
      : writesRecords ? max(response.affected, response.rows.count) : response.affected
    try check(rows: count)
  }

  /// Checks how many rows are given by what the route itself demands.
  func check(rows count: Int) throws(RouterError) {
    try expectation?.check(count, of: self)
    if method == .fetchOne { try Expectation.atMost(1).check(count, of: self) }
  }

  /// Whether it writes by a filter or by records, and not by SQL of its own.
  var writesRecords: Bool {
    switch method {
    case .insert, .update, .upsert, .delete: true
    case .fetch, .fetchOne, .count, .custom: false
    }
  }
}
