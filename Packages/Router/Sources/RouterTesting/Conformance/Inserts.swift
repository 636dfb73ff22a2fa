internal import Router
internal import SQLiteCore

extension RouteExecutorConformance {
  private static let draft: [DatabaseRoute.Record] = [
    ["title": "a", "size": 3], ["size": 4], ["title": nil], [:], ["note": "n", "title": "e"],
  ]

  static let insertCases: [Case] = [
    .writes(
      .insert, "returns one row, with its key and its defaults",
      insert([["title": "a"]], into: "draft"), affecting: 1, giving: [[1, "a", 1, nil]],
      leaving: [[1, "a", 1, nil]]),
    .writes(
      .insert, "returns no rows if none are requested",
      insert([["title": "a"]], into: "draft").returning(.minimal), affecting: 1, giving: [],
      leaving: [[1, "a", 1, nil]]),
    .writes(
      .insert, "returns the selected columns, in order",
      insert([["title": "a"]], into: "draft").selecting("size", "title"), affecting: 1,
      giving: [[1, "a"]]),
    .writes(
      .insert, "many rows with the same columns, in order",
      insert(rows(["id", "title"], [[9, "a"], [4, "b"], [6, "c"]]), into: "draft"), affecting: 3,
      giving: [[9, "a", 1, nil], [4, "b", 1, nil], [6, "c", 1, nil]], inOrder: true),
    .writes(
      .insert, "many rows with different columns and defaults, in order",
      insert(draft, into: "draft"), affecting: 5,
      giving: [
        [1, "a", 3, nil], [2, "untitled", 4, nil], [3, nil, 1, nil], [4, "untitled", 1, nil],
        [5, "e", 1, "n"],
      ], inOrder: true),
    .writes(
      .insert, "the same columns in another order",
      insert([["title": "a", "size": 1], ["size": 2, "title": "b"]], into: "draft"), affecting: 2,
      giving: [[1, "a", 1, nil], [2, "b", 2, nil]], inOrder: true),
    .writes(
      .insert, "an empty record has all defaults", insert([[:]], into: "draft"),
      affecting: 1, giving: [[1, "untitled", 1, nil]]),
    .writes(
      .insert, "NULL is not replaced by the default",
      insert([["title": nil, "size": nil]], into: "draft"),
      affecting: 1, giving: [[1, nil, nil, nil]]),
    .writes(
      .insert, "no row is not an error", insert([], into: "draft"), affecting: 0, giving: [],
      leaving: []),
    .writes(
      .insert, "into a table without a primary key", insert([["a": 3]], into: "plain"),
      affecting: 1, giving: [[3, nil]], leaving: [[1, "x"], [1, "x"], [2, nil], [3, nil]]),
    .writes(
      .insert, "up to a hundred rows in one statement",
      insert((1...60).map { ["size": .integer($0)] }, into: "draft").returning(.minimal),
      affecting: 60),
    .refuses(
      .insert, "refuses a duplicate key", insert([["id": 1, "email": "z@x"]], into: "account")),
    .refuses(
      .insert, "refuses a duplicate unique value", insert([["email": "bob@x"]], into: "account")),
    .refuses(
      .insert, "refuses a duplicate pair of unique columns",
      insert([["day": "mon", "hour": 10]], into: "slot")),
    .writes(
      .insert, "several NULLs are unique", insert([["day": nil, "hour": 9]], into: "slot"),
      affecting: 1),
    .refuses(
      .insert, "refuses a duplicate key even with ON CONFLICT REPLACE",
      insert([["id": 1, "note": "new"]], into: "badge"), needs: .conflictClauses),
    .refuses(
      .insert, "refuses a duplicate unique value even with ON CONFLICT REPLACE",
      insert([["id": 9, "code": "x"]], into: "badge"), needs: .conflictClauses),
    .refuses(
      .insert, "refuses NULL in a NOT NULL column", insert([["email": nil]], into: "account")),
    .refuses(
      .insert, "refuses a missing NOT NULL column", insert([["note": "n"]], into: "account")),
    .refuses(
      .insert, "refuses a violated CHECK constraint",
      insert([["email": "z@x", "score": -1]], into: "account")),
    .refuses(
      .insert, "refuses a violated foreign key",
      insert([["team": 99, "name": "Eve"]], into: "player")),
    .refuses(
      .insert, "is rolled back if the last row fails",
      insert([["email": "y@x"], ["email": "z@x"], ["email": "ann@x"]], into: "account")),
    .refuses(
      .insert, "is rolled back if two rows have the same key",
      insert([["id": 8, "email": "y@x"], ["id": 8, "email": "z@x"]], into: "account")),
    .refuses(
      .insert, "refuses an unknown column", insert([["nix": 1]], into: "draft"),
      code: .unknownColumn),
    .refuses(
      .insert, "is rolled back if one row has an unknown column",
      insert([["title": "a"], ["nix": 1]], into: "draft"), code: .unknownColumn),
    .refuses(
      .insert, "refuses a column that is written twice",
      insert(
        [.init(fields: [.init(column: "title", value: 1), .init(column: "title", value: 2)])],
        into: "draft"), code: .invalidRoute),
    .refuses(
      .insert, "refuses a column that is written twice, in another case",
      insert(
        [.init(fields: [.init(column: "title", value: 1), .init(column: "TITLE", value: 2)])],
        into: "draft"), code: .invalidRoute, needs: .caseInsensitiveNames),
    .refuses(
      .insert, "refuses a filter",
      insert([["title": "a"]], into: "draft").filtered(by: .all), code: .invalidRoute),
    .refuses(
      .insert, "refuses a limit",
      insert([["title": "a"]], into: "draft").limited(to: 1), code: .invalidRoute),
    .fails(
      .insert, "refuses an unknown table", insert([["a": 1]], into: "nix"), .unknownTable),
    .refuses(
      .insert, "refuses more rows than expected",
      insert([["title": "a"], ["title": "b"], ["title": "c"]], into: "draft")
        .expecting(.atMost(2)), code: .tooManyRows),
    Case(.insert, "encodes a value, and decodes the returned row", writes: true) { subject in
      let team = Team(id: 7, name: "Greens")
      let saved = try await subject.executor.value(Team.self, for: .insert(team, into: "team"))
      try subject.expect(saved, team, "the value")
    },
    Case(.insert, "an inserted row can be read", writes: true) { subject in
      try await subject.executor.perform(insert([["id": 5, "title": "a"]], into: "draft"))
      try await subject.expectRows([[5, "a", 1, nil]], .fetchOne(id: 5, from: "draft"))
    },
  ]
}
