internal import Router
internal import SQLiteCore

extension RouteExecutorConformance {
  /// The calls, which allow different numbers of rows.
  private enum Call: String, CaseIterable {
    case value, optionalValue, values, expectingOne, expectingOneAtMost
  }

  private struct Row: Decodable, Sendable { var id: Int }

  /// Each method, for zero, one and two rows, with each form of a call.
  static let singularCases: [Case] =
    [DatabaseRoute.Method.fetch, .fetchOne, .update, .delete, .insert, .upsert].flatMap { method in
      [0, 1, 2].flatMap { count in
        Call.allCases.map { call in singular(method, count, call) }
      }
    } + togetherCases

  /// The expectation of the call applies in addition to the route's own.
  private static let togetherCases: [Case] = [
    Case(
      .singular, "a call for one row, of a route that expects more: multipleRows", writes: true
    ) { subject in
      let route = singularRoute(.update, 2).expecting(.atMost(10))
      let before = try await subject.rows(of: "account")
      for call in [Call.value, .optionalValue] {
        try await subject.expectCode(.multipleRows, "\(route) by \(call)") {
          _ = try await run(route, call, on: subject.executor)
        }
      }
      try await subject.expectTable("account", before)
    },
    Case(
      .singular, "a call for many rows, of a route that expects one: multipleRows", writes: true
    ) { subject in
      let route = singularRoute(.delete, 2).expecting(.one)
      let before = try await subject.rows(of: "account")
      try await subject.expectCode(.multipleRows, "\(route) by values") {
        _ = try await run(route, .values, on: subject.executor)
      }
      try await subject.expectTable("account", before)
    },
  ]

  private static func singular(
    _ method: DatabaseRoute.Method, _ count: Int, _ call: Call
  ) -> Case {
    let rows = ["no row", "one row", "two rows"][count]
    let route = singularRoute(method, count)
    let code = expectedCode(method, count, call)
    return Case(
      .singular, "\(method) of \(rows) by \(call): \(code?.rawValue ?? "done")",
      needs: method == .upsert ? .upserts : [], writes: !route.isReadOnly
    ) { subject in
      let before = try await subject.rows(of: "account")
      guard let code else {
        let ids = try await run(route, call, on: subject.executor)
        if let ids { try subject.expect(ids.sorted(), singularIDs(method, count), "\(route)") }
        return
      }
      try await subject.expectCode(code, "\(route) by \(call)") {
        _ = try await run(route, call, on: subject.executor)
      }
      try await subject.expectTable("account", before)
    }
  }

  private static func expectedCode(
    _ method: DatabaseRoute.Method, _ count: Int, _ call: Call
  ) -> RouterError.Code? {
    switch (count, call) {
    case (0, .value), (0, .expectingOne): .notFound
    case (2, .values) where method != .fetchOne: nil
    case (2, _): .multipleRows
    default: nil
    }
  }

  /// Returns the ids of the result's rows, if the call returns any.
  private static func run(
    _ route: DatabaseRoute, _ call: Call, on executor: some RouteExecutor
  ) async throws -> [Int]? {
    switch call {
    case .value: return [try await executor.value(Row.self, for: route).id]
    case .optionalValue:
      return try await executor.optionalValue(Row.self, for: route).map { [$0.id] } ?? []
    case .values: return try await executor.values(Row.self, for: route).map(\.id)
    case .expectingOne: try await executor.perform(route.expecting(.one))
    case .expectingOneAtMost: try await executor.perform(route.expecting(.atMost(1)))
    }
    return nil
  }

  private static func singularRoute(
    _ method: DatabaseRoute.Method, _ count: Int
  ) -> DatabaseRoute {
    // The rows of `account` have the scores 3, 5 and 5.
    let filter = DatabaseRoute.Column("score").equals([77, 3, 5][count])
    let records: [DatabaseRoute.Record] = [
      ["id": 8, "email": "new@x"], ["id": method == .upsert ? 1 : 9, "email": "newer@x"],
    ]
    switch method {
    case .update: return update(["note": "changed"], in: "account", filter)
    case .insert: return insert(Array(records.prefix(count)), into: "account")
    case .upsert: return upsert(Array(records.prefix(count)), in: "account")
    case .delete: return delete(from: "account", filter)
    default:
      var route = DatabaseRoute(method, "account")
      route.filter = filter
      return route
    }
  }

  private static func singularIDs(_ method: DatabaseRoute.Method, _ count: Int) -> [Int] {
    switch (method, count) {
    case (_, 0): []
    case (.insert, 1), (.upsert, 1): [8]
    case (.insert, _): [8, 9]
    case (.upsert, _): [1, 8]
    case (_, 1): [1]
    default: [2, 3]
    }
  }
}
