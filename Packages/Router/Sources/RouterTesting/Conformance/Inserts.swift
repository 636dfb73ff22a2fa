internal import Router
internal import SQLiteCore

extension RouteExecutorConformance {
  private static let draft: [DatabaseRoute.Record] = [
    ["title": "a", "size": 3], ["size": 4], ["title": nil], [:], ["note": "n", "title": "e"],
  ]

  static let insertCases: [Case] = [
    .writes(
      .insert, "one row gives it back, with its key and its defaults",
      insert([["title": "a"]], into: "draft"), affecting: 1, giving: [[1, "a", 1, nil]],
      leaving: [[1, "a", 1, nil]]),
    .writes(
      .insert, "one row gives nothing back where nothing is asked for",
      insert([["title": "a"]], into: "draft").returning(.minimal), affecting: 1, giving: [],
      leaving: [[1, "a", 1, nil]]),
    .writes(
      .insert, "gives back the columns that are asked for, in their order",
      insert([["title": "a"]], into: "draft").selecting("size", "title"), affecting: 1,
      giving: [[1, "a"]]),
    .writes(
      .insert, "many rows of the same columns, in the order given",
      insert(rows(["id", "title"], [[9, "a"], [4, "b"], [6, "c"]]), into: "draft"), affecting: 3,
      giving: [[9, "a", 1, nil], [4, "b", 1, nil], [6, "c", 1, nil]], inOrder: true),
    .writes(
      .insert, "many rows of differing columns, each with its own defaults, in the order given",
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
      .insert, "a row that says nothing is all defaults", insert([[:]], into: "draft"),
      affecting: 1, giving: [[1, "untitled", 1, nil]]),
    .writes(
      .insert, "NULL is NULL, and no default",
      insert([["title": nil, "size": nil]], into: "draft"),
      affecting: 1, giving: [[1, nil, nil, nil]]),
    .writes(
      .insert, "no row is no error", insert([], into: "draft"), affecting: 0, giving: [],
      leaving: []),
    .writes(
      .insert, "into a table without a key", insert([["a": 3]], into: "plain"), affecting: 1,
      giving: [[3, nil]], leaving: [[1, "x"], [1, "x"], [2, nil], [3, nil]]),
    .writes(
      .insert, "a hundred rows at most are as good as one",
      insert((1...60).map { ["size": .integer($0)] }, into: "draft").returning(.minimal),
      affecting: 60),
    .refuses(.insert, "a key that is there", insert([["id": 1, "email": "z@x"]], into: "account")),
    .refuses(
      .insert, "a unique value that is there", insert([["email": "bob@x"]], into: "account")),
    .refuses(
      .insert, "a pair that is there",
      insert([["day": "mon", "hour": 10]], into: "slot")),
    .writes(
      .insert, "NULL is unique beside NULL", insert([["day": nil, "hour": 9]], into: "slot"),
      affecting: 1),
    .refuses(
      .insert, "a key that is there, also where the schema would replace the row",
      insert([["id": 1, "note": "new"]], into: "badge")),
    .refuses(
      .insert, "a value that another row has, also where the schema would replace that",
      insert([["id": 9, "code": "x"]], into: "badge")),
    .refuses(
      .insert, "NULL where there has to be a value", insert([["email": nil]], into: "account")),
    .refuses(
      .insert, "nothing where there has to be a value", insert([["note": "n"]], into: "account")),
    .refuses(
      .insert, "what a condition of the table forbids",
      insert([["email": "z@x", "score": -1]], into: "account")),
    .refuses(
      .insert, "a reference to nothing", insert([["team": 99, "name": "Eve"]], into: "player")),
    .refuses(
      .insert, "all rows where the last is refused",
      insert([["email": "y@x"], ["email": "z@x"], ["email": "ann@x"]], into: "account")),
    .refuses(
      .insert, "all rows where two have one key",
      insert([["id": 8, "email": "y@x"], ["id": 8, "email": "z@x"]], into: "account")),
    .refuses(
      .insert, "a column that isn't there", insert([["nix": 1]], into: "draft"),
      code: .unknownColumn),
    .refuses(
      .insert, "all rows where one has a column that isn't there",
      insert([["title": "a"], ["nix": 1]], into: "draft"), code: .unknownColumn),
    .refuses(
      .insert, "a column that is written twice",
      insert(
        [.init(fields: [.init(column: "title", value: 1), .init(column: "TITLE", value: 2)])],
        into: "draft"), code: .invalidRoute),
    .refuses(
      .insert, "a filter, which it does not take",
      insert([["title": "a"]], into: "draft").filtered(by: .all), code: .invalidRoute),
    .refuses(
      .insert, "a limit, which it does not take",
      insert([["title": "a"]], into: "draft").limited(to: 1), code: .invalidRoute),
    .fails(
      .insert, "into a table that isn't there", insert([["a": 1]], into: "nix"), .unknownTable),
    .refuses(
      .insert, "more rows than are expected",
      insert([["title": "a"], ["title": "b"], ["title": "c"]], into: "draft")
        .expecting(.atMost(2)), code: .tooManyRows),
    Case(.insert, "of a value encodes it, and decodes what comes back", writes: true) { subject in
      let team = Team(id: 7, name: "Greens")
      let saved = try await subject.executor.value(Team.self, for: .insert(team, into: "team"))
      try subject.expect(saved, team, "the value")
    },
    Case(.insert, "what was written is read", writes: true) { subject in
      try await subject.executor.perform(insert([["id": 5, "title": "a"]], into: "draft"))
      try await subject.expectRows([[5, "a", 1, nil]], .fetchOne(id: 5, from: "draft"))
    },
  ]
}
