internal import Router
internal import SQLiteCore

extension RouteExecutorConformance {
  /// The executor that a rule is run against, with functions that check its results.
  struct Subject: Sendable {
    let executor: any RouteExecutor
    let rule: String

    /// Compares a result with the expected one.
    func expect<Value: Equatable>(
      _ got: Value, _ expected: Value, _ subject: @autoclosure () -> String
    ) throws {
      guard got != expected else { return }
      throw Failure(
        rule: rule, subject: subject(), expected: "\(expected)", got: "\(got)")
    }

    /// Checks the rows that a route returns, in order.
    func expectRows(_ expected: [[DataValue]], _ route: DatabaseRoute) async throws {
      try expect(try await executor.run(route).rows, expected, "\(route)")
    }

    /// Checks the rows that a route returns, in any order.
    func expectRowsInAnyOrder(_ expected: [[DataValue]], _ route: DatabaseRoute) async throws {
      let rows = try await executor.run(route).rows
      try expect(Self.sorted(rows), Self.sorted(expected), "\(route)")
    }

    /// Checks all rows of a table.
    func expectTable(_ table: DatabaseRoute.Table, _ expected: [[DataValue]]) async throws {
      let rows = try await executor.run(DatabaseRoute(.fetch, table)).rows
      try expect(Self.sorted(rows), Self.sorted(expected), "the rows of \(table) afterwards")
    }

    func rows(of table: DatabaseRoute.Table) async throws -> [[DataValue]] {
      Self.sorted(try await executor.run(DatabaseRoute(.fetch, table)).rows)
    }

    /// Checks that `body` throws an error with this code.
    func expectCode(
      _ code: RouterError.Code, _ subject: @autoclosure () -> String,
      _ body: () async throws -> Void
    ) async throws {
      let error = try await expectError(subject(), body)
      guard let found = (error as? RouterError)?.code, found == code else {
        throw Failure(
          rule: rule, subject: subject(), expected: "an error with code \(code)", got: "\(error)")
      }
    }

    func expectCode(_ code: RouterError.Code, _ route: DatabaseRoute) async throws {
      try await expectCode(code, "\(route)") { _ = try await executor.run(route) }
    }

    /// Checks that `body` throws an error.
    @discardableResult
    func expectError(
      _ subject: @autoclosure () -> String, _ body: () async throws -> Void
    ) async throws -> any Error {
      do {
        try await body()
      } catch {
        guard (error as? RouterError)?.code != .unanswered else {
          throw Failure(
            rule: rule, subject: subject(), expected: "an error of the database", got: "\(error)")
        }
        return error
      }
      throw Failure(rule: rule, subject: subject(), expected: "an error", got: "none")
    }

    /// Checks that a route that writes fails, and leaves its table unchanged.
    func expectRefused(
      _ route: DatabaseRoute, code: RouterError.Code? = nil,
      leaving table: DatabaseRoute.Table? = nil
    ) async throws {
      let table = table ?? route.table
      let before = try await rows(of: table)
      if let code {
        try await expectCode(code, route)
      } else {
        try await expectError("\(route)") { _ = try await executor.run(route) }
      }
      try await expectTable(table, before)
    }

    static func sorted(_ rows: [[DataValue]]) -> [[DataValue]] {
      rows.map { ($0, "\($0)") }.sorted { $0.1 < $1.1 }.map(\.0)
    }
  }
}

extension RouteExecutorConformance.Case {
  typealias Suite = RouteExecutorConformance

  /// A rule for the rows of `item` that a filter selects, by their ids.
  static func finds(
    _ topic: Suite.Topic, _ name: String, _ filter: DatabaseRoute.Filter,
    _ ids: [Int], needs: Suite.Capabilities = []
  ) -> Self {
    Self(topic, name, needs: needs) { subject in
      let route = DatabaseRoute.fetch(from: "item", filteredBy: filter)
      let found = try await subject.executor.run(route.selecting("id")).rows
      try subject.expect(
        Suite.Subject.sorted(found), Suite.Subject.sorted(ids.map { [.integer(Int64($0))] }),
        "\(route)")
    }
  }

  /// A rule for the rows that a route reads.
  static func reads(
    _ topic: Suite.Topic, _ name: String, _ route: DatabaseRoute,
    _ rows: [[DataValue]], inOrder: Bool = true, needs: Suite.Capabilities = []
  ) -> Self {
    Self(topic, name, needs: needs) { subject in
      if inOrder {
        try await subject.expectRows(rows, route)
      } else {
        try await subject.expectRowsInAnyOrder(rows, route)
      }
    }
  }

  /// A rule for a route that fails with a code.
  static func fails(
    _ topic: Suite.Topic, _ name: String, _ route: DatabaseRoute, _ code: RouterError.Code,
    needs: Suite.Capabilities = []
  ) -> Self {
    Self(topic, name, needs: needs) { subject in try await subject.expectCode(code, route) }
  }

  /// A rule for a route that writes: its result, and the table's rows afterwards.
  static func writes(
    _ topic: Suite.Topic, _ name: String, _ route: DatabaseRoute, affecting affected: Int,
    giving rows: [[DataValue]]? = nil, leaving table: [[DataValue]]? = nil,
    inOrder: Bool = false, needs: Suite.Capabilities = []
  ) -> Self {
    Self(topic, name, needs: needs, writes: true) { subject in
      let response = try await subject.executor.run(route)
      try subject.expect(response.affected, affected, "the number of rows written by \(route)")
      if let rows {
        let (got, expected) =
          inOrder
          ? (response.rows, rows)
          : (Suite.Subject.sorted(response.rows), Suite.Subject.sorted(rows))
        try subject.expect(got, expected, "the rows returned by \(route)")
      }
      if let table { try await subject.expectTable(route.table, table) }
    }
  }

  /// A rule for a route that fails without writing.
  static func refuses(
    _ topic: Suite.Topic, _ name: String, _ route: DatabaseRoute, code: RouterError.Code? = nil,
    leaving table: DatabaseRoute.Table? = nil, needs: Suite.Capabilities = []
  ) -> Self {
    Self(topic, name, needs: needs, writes: true) { subject in
      try await subject.expectRefused(route, code: code, leaving: table)
    }
  }
}
