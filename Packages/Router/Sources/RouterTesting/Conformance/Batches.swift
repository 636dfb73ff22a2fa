internal import Router
internal import SQLiteCore

extension RouteExecutorConformance {
  private static let countTeams = DatabaseRoute.count(from: "team")
  private static let green = insert([["id": 9, "name": "Greens"]], into: "team")

  /// Routes that run in one transaction.
  static let batchCases: [Case] = togetherCases + undoneCases

  private static let togetherCases: [Case] =
    [
      batch("return one response each, in order") { subject in
        let responses = try await subject.executor.run([
          .fetchOne(id: 2, from: "team"), countTeams, .fetchOne(id: 1, from: "team"),
        ])
        try subject.expect(
          responses.map(\.rows), [[[2, "Blues"]], [[3]], [[1, "Reds"]]], "the responses")
      },
      batch("can be empty") { subject in
        try subject.expect(try await subject.executor.run([]).count, 0, "the responses")
      },
      batch("can be a single route") { subject in
        let responses = try await subject.executor.run([green])
        try subject.expect(responses.map(\.rows), [[[9, "Greens"]]], "the responses")
      },
      batch("see the writes of previous routes") { subject in
        let responses = try await subject.executor.run([
          green, countTeams, delete(from: "team", id.equals(9)), countTeams,
        ])
        try subject.expect(
          responses.map(\.rows), [[[9, "Greens"]], [[4]], [[9, "Greens"]], [[3]]], "the responses")
        try subject.expect(responses.map(\.affected), [1, 0, 1, 0], "rows written")
      },
      batch("commit their writes") { subject in
        _ = try await subject.executor.run([green, delete(from: "team", .id(3))])
        try await subject.expectTable("team", [[1, "Reds"], [2, "Blues"], [9, "Greens"]])
      },
    ]

  private static let failing: [(String, DatabaseRoute, RouterError.Code?)] = [
    ("the last violates a constraint", insert([["id": 1, "name": "x"]], into: "team"), nil),
    (
      "the last has an unknown column", update(["nix": 1], in: "team", .id(1)),
      .unknownColumn
    ),
    ("the last has an unknown table", .fetch(from: "nix"), .unknownTable),
    (
      "the last changes a whole table without `.all`", delete(from: "team", nil), .emptyFilter
    ),
    (
      "the last reads too few rows",
      DatabaseRoute.fetch(from: "draft").expecting(.one), .notFound
    ),
    ("the last reads too many rows", .fetchOne(from: "team"), .multipleRows),
    (
      "the last writes too many rows",
      update(["name": "x"], in: "team", .all).expecting(.one), .multipleRows
    ),
  ]

  private static let undoneCases: [Case] =
    failing.map { name, last, code in
      batch("are rolled back if \(name)") { subject in
        let routes = [green, delete(from: "practice", .all), last]
        let body = { _ = try await subject.executor.run(routes) }
        if let code {
          try await subject.expectCode(code, "the routes", body)
        } else {
          try await subject.expectError("the routes", body)
        }
        try await subject.expectTable("team", [[1, "Reds"], [2, "Blues"], [3, "Empty"]])
        try await subject.expectTable("practice", [[1, 1], [1, 2], [2, 1]])
      }
    }
    + [
      batch("are not rolled back by a later error") { subject in
        _ = try await subject.executor.run([green])
        try await subject.expectError("the routes") {
          _ = try await subject.executor.run([delete(from: "practice", .all), .fetch(from: "nix")])
        }
        try await subject.expectRows([[4]], countTeams)
      }
    ]

  private static func batch(
    _ name: String, _ body: @escaping @Sendable (Subject) async throws -> Void
  ) -> Case {
    Case(.batches, "routes in a batch \(name)", needs: .transactions, writes: true, body)
  }
}
