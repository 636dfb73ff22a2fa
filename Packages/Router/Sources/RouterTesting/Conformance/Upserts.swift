internal import Router
internal import SQLiteCore

extension RouteExecutorConformance {
  static let upsertCases: [Case] = mergeCases + ignoreCases + targetCases

  private static let mergeCases: [Case] = [
    write(
      "a new row is inserted, with its defaults",
      upsert([["id": 9, "email": "z@x"]], in: "account"), 1, [[9, "z@x", "nobody", 7, nil]]),
    write(
      "a row without its key is inserted", upsert([["title": "a"]], in: "draft"), 1,
      [[1, "a", 1, nil]]),
    write(
      "merge on the primary key writes only the given columns",
      upsert([["id": 1, "email": "new@x"]], in: "account"), 1, [[1, "new@x", "Ann", 3, "first"]]),
    write(
      "merge writes NULL",
      upsert([["id": 1, "email": "ann@x", "note": nil]], in: "account"), 1,
      [[1, "ann@x", "Ann", 3, nil]]),
    write(
      "merge of new and existing rows, in order",
      upsert(
        [["id": 8, "email": "y@x"], ["id": 2, "email": "b@x"], ["id": 7, "email": "z@x"]],
        in: "account"
      ).selecting("id", "email"), 3, [[8, "y@x"], [2, "b@x"], [7, "z@x"]]),
    write(
      "merge of one row twice keeps the last values",
      upsert([["id": 8, "email": "y@x"], ["id": 8, "email": "z@x"]], in: "account")
        .selecting("id", "email"), 2, [[8, "y@x"], [8, "z@x"]]),
    write(
      "merge on a primary key of two columns",
      upsert([["area": "A", "number": 2, "holder": "Bea"]], in: "seat"), 1, [["A", 2, "Bea"]],
      [["A", 1, "Ann"], ["A", 2, "Bea"], ["B", 1, "Cy"]]),
    write(
      "merge on a unique column",
      upsert([["email": "ann@x", "name": "Anne"]], in: "account", on: ["email"]), 1,
      [[1, "ann@x", "Anne", 3, "first"]]),
    write(
      "merge on two unique columns",
      upsert([["day": "mon", "hour": 10, "label": "new"]], in: "slot", on: ["day", "hour"]), 1,
      [[2, "mon", 10, "new"]]),
    write(
      "merge on two unique columns in reverse order",
      upsert([["day": "mon", "hour": 10, "label": "new"]], in: "slot", on: ["hour", "day"]), 1,
      [[2, "mon", 10, "new"]]),
    write(
      "NULL in a key is distinct: the row is new",
      upsert([["day": nil, "hour": 9, "label": "new"]], in: "slot", on: ["day", "hour"]), 1,
      [[4, nil, 9, "new"]]),
    write(
      "merge in a table with only a key returns the row",
      upsert([["name": "red"], ["name": "green"]], in: "tag"), 2, [["red"], ["green"]],
      [["red"], ["green"], ["blue"]]),
    write(
      "merge never deletes the row, nor rows that reference it",
      upsert([["id": 1, "team": 2, "name": "Ada"]], in: "player").selecting("id", "score"), 1,
      [[1, 5]], of: "practice", [[1, 1], [1, 2], [2, 1]]),
    write("no row is not an error", upsert([], in: "account"), 0, []),
    write(
      "returns no rows if none are requested",
      upsert([["id": 1, "email": "n@x"], ["id": 9, "email": "z@x"]], in: "account")
        .returning(.minimal), 2, []),
    Case(
      .upsert, "without a conflict target merges on the primary key", needs: .upserts,
      writes: true
    ) {
      subject in
      var route = upsert([["id": 1, "name": "Whites"]], in: "team")
      route.conflict = nil
      try await subject.expectRows([[1, "Whites"]], route)
    },
    Case(
      .upsert, "encodes a value, and decodes the returned row", needs: .upserts, writes: true
    ) {
      subject in
      let team = Team(id: 1, name: "Whites")
      let saved = try await subject.executor.value(Team.self, for: .upsert(team, in: "team"))
      try subject.expect(saved, team, "the value")
    },
  ]

  private static let ignoreCases: [Case] = [
    write(
      "ignore on the primary key keeps the row, and does not return it",
      upsert([["id": 1, "email": "new@x"]], in: "account", ignoring: true), 0, [],
      [[1, "ann@x", "Ann", 3, "first"], [2, "bob@x", "Bob", 5, nil], [3, "cy@x", "Cy", 5, nil]]),
    write(
      "ignore of new and existing rows returns the new ones",
      upsert([["id": 1, "name": "x"], ["id": 9, "name": "y"]], in: "team", ignoring: true), 1,
      [[9, "y"]], [[1, "Reds"], [2, "Blues"], [3, "Empty"], [9, "y"]]),
    write(
      "ignore of existing rows returns no rows",
      upsert([["name": "red"], ["name": "blue"]], in: "tag", ignoring: true), 0, []),
    write(
      "ignore on a primary key of two columns",
      upsert([["area": "A", "number": 2, "holder": "Bea"]], in: "seat", ignoring: true), 0, [],
      [["A", 1, "Ann"], ["A", 2, nil], ["B", 1, "Cy"]]),
    write(
      "ignore on a unique column",
      upsert([["email": "ann@x", "name": "Anne"]], in: "account", on: ["email"], ignoring: true),
      0, []),
    write(
      "ignore on two unique columns",
      upsert([["day": "mon", "hour": 10]], in: "slot", on: ["day", "hour"], ignoring: true), 0, []),
    refuse(
      "ignore on one key refuses conflicts on another",
      upsert([["id": 9, "email": "ann@x"]], in: "account", ignoring: true)),
    Case(.upsert, "ignored rows are missing in a call for one", needs: .upserts, writes: true) {
      subject in
      let route = upsert([["name": "red"]], in: "tag", ignoring: true)
      try await subject.expectCode(.notFound, "\(route)") {
        _ = try await subject.executor.value(String.self, for: route)
      }
      let none = try await subject.executor.optionalValue(String.self, for: route)
      try subject.expect(none, nil, "\(route)")
    },
  ]

  private static let targetCases: [Case] = [
    refuse(
      "merge on one key refuses conflicts on another",
      upsert([["id": 9, "email": "ann@x"]], in: "account")),
    .refuses(
      .upsert, "merge on one key refuses conflicts even with ON CONFLICT REPLACE",
      upsert([["id": 1, "code": "y"]], in: "badge"), needs: [.upserts, .conflictClauses]),
    refuse(
      "is rolled back if the last row fails",
      upsert([["id": 1, "email": "n@x"], ["id": 2, "email": nil]], in: "account")),
    refuse("refuses a table without a primary key", upsert([["a": 1]], in: "plain"), .invalidRoute),
    refuse(
      "refuses a conflict target that is not unique",
      upsert([["id": 1, "email": "n@x"]], in: "account", on: ["score"]),
      .invalidRoute),
    refuse(
      "refuses a part of a key", upsert([["day": "mon", "hour": 9]], in: "slot", on: ["day"]),
      .invalidRoute),
    refuse(
      "refuses more columns than a key",
      upsert([["id": 1, "email": "n@x"]], in: "account", on: ["id", "email"]), .invalidRoute),
    refuse(
      "refuses an unknown conflict target",
      upsert([["id": 1, "email": "n@x"]], in: "account", on: ["nix"]), .unknownColumn),
    refuse(
      "refuses an unknown column", upsert([["id": 1, "nix": 2]], in: "account"), .unknownColumn),
    refuse(
      "refuses a filter",
      upsert([["id": 1, "email": "n@x"]], in: "account").filtered(by: .id(1)), .invalidRoute),
    refuse(
      "refuses more rows than expected",
      upsert([["name": "red"], ["name": "x"], ["name": "y"]], in: "tag").expecting(.atMost(2)),
      .tooManyRows),
  ]

  private static func write(
    _ name: String, _ route: DatabaseRoute, _ affected: Int, _ rows: [[DataValue]],
    of table: DatabaseRoute.Table? = nil, _ left: [[DataValue]]? = nil
  ) -> Case {
    Case(.upsert, name, needs: .upserts, writes: true) { subject in
      let response = try await subject.executor.run(route)
      try subject.expect(response.affected, affected, "the number of rows written by \(route)")
      try subject.expect(response.rows, rows, "the rows returned by \(route)")
      if let left { try await subject.expectTable(table ?? route.table, left) }
    }
  }

  private static func refuse(
    _ name: String, _ route: DatabaseRoute, _ code: RouterError.Code? = nil
  ) -> Case {
    .refuses(.upsert, name, route, code: code, needs: .upserts)
  }
}
