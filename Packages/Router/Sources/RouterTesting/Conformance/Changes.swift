internal import Router
internal import SQLiteCore

extension RouteExecutorConformance {
  private static let score = DatabaseRoute.Column("score")
  private static let email = DatabaseRoute.Column("email")

  /// Filters that are true of every row by their form.
  private static let empty: [(String, DatabaseRoute.Filter?)] = [
    ("no filter", nil),
    ("a filter that a list which is empty is not in", id.notIn([Int]())),
    ("the opposite of an empty list", !id.in([Int]())),
    ("all and all", .and([.all, .all])),
    ("one or all", id.equals(1) || .all),
    ("each of none", id.each(.equals, [Int]())),
    ("the opposite of the opposite of all", !(!.all)),
    ("NULL or not NULL", score.isNull() || score.isNotNull()),
    ("NULL or not, the one the opposite of the other", score.isNull() || !score.isNull()),
    ("distinct or not", score.isDistinct(from: 5) || score.isNotDistinct(from: 5)),
    ("less, or not less, or NULL", score.lessThan(5) || !score.lessThan(5) || score.isNull()),
    ("a key that is not NULL", id.isNotNull()),
    ("a column that is not NULL and never can be", email.isNotNull()),
  ]

  /// A schema that says itself what becomes of the row that is there.
  private static let replaced: DatabaseRoute.Record = ["code": "y"]

  static let updateCases: [Case] =
    updatingCases
    + empty.map { (name, filter) in
      .refuses(
        .update, "\(name), which is the whole table", update(["note": "n"], in: "account", filter),
        code: .emptyFilter)
    }

  private static let updatingCases: [Case] =
    [
      .writes(
        .update, "the row of a key, and no other column of it",
        update(["note": "n"], in: "account", .id(2)), affecting: 1,
        giving: [[2, "bob@x", "Bob", 5, "n"]],
        leaving: [
          [1, "ann@x", "Ann", 3, "first"], [2, "bob@x", "Bob", 5, "n"], [3, "cy@x", "Cy", 5, nil],
        ]),
      .writes(
        .update, "all rows that the filter is true of",
        update(["note": "n"], in: "account", score.equals(5)).selecting("id", "note"), affecting: 2,
        giving: [[2, "n"], [3, "n"]]),
      .writes(
        .update, "the filter sees what was there before",
        update(["score": 9], in: "account", score.equals(5)).selecting("score"), affecting: 2,
        giving: [[9], [9]]),
      .writes(
        .update, "none matched is no error", update(["note": "n"], in: "account", .id(99)),
        affecting: 0, giving: []),
      .writes(
        .update, "nothing comes back where nothing is asked for",
        update(["note": "n"], in: "account", .id(1)).returning(.minimal), affecting: 1, giving: []),
      .writes(
        .update, "NULL is written as NULL", update(["note": nil], in: "account", .id(1)),
        affecting: 1, giving: [[1, "ann@x", "Ann", 3, nil]]),
      .writes(
        .update, "to the same value counts",
        update(["name": "Ann"], in: "account", .id(1)).returning(.minimal), affecting: 1),
      .writes(
        .update, "the key itself", update(["id": 9], in: "account", .id(3)).selecting("id"),
        affecting: 1, giving: [[9]]),
      .writes(
        .update, "every row, where that is said",
        update(["note": "n"], in: "account", .all).returning(.minimal), affecting: 3,
        leaving: [
          [1, "ann@x", "Ann", 3, "n"], [2, "bob@x", "Bob", 5, "n"], [3, "cy@x", "Cy", 5, "n"],
        ]),
      .writes(
        .update, "no row, by a list that is empty",
        update(["note": "n"], in: "account", id.in([Int]())), affecting: 0, giving: []),
      .writes(
        .update, "by and and or",
        update(
          ["note": "n"], in: "account", (id.equals(1) || score.equals(5)) && email.hasPrefix("c")
        )
        .selecting("id"), affecting: 1, giving: [[3]]),
      .writes(
        .update, "rows of a table without a key",
        update(["b": "y"], in: "plain", DatabaseRoute.Column("a").equals(1)), affecting: 2,
        giving: [[1, "y"], [1, "y"]], leaving: [[1, "y"], [1, "y"], [2, nil]]),
      .writes(
        .update, "the rows where a column is NULL",
        update(["note": "n"], in: "account", DatabaseRoute.Column("note").isNull())
          .returning(.minimal), affecting: 2),
      .refuses(
        .update, "a value that another row has, also where the schema would replace that",
        update(replaced, in: "badge", .id(1))),
      .writes(
        .update, "where a column is something or NULL, and something else holds",
        update(["note": "n"], in: "account", (score.isNull() || score.isNotNull()) && .id(1))
          .returning(.minimal), affecting: 1),
      .refuses(
        .update, "all rows where the last is refused",
        update(["email": "same@x"], in: "account", score.equals(5))),
      .refuses(
        .update, "what a condition of the table forbids",
        update(["score": -1], in: "account", .id(1))),
      .refuses(
        .update, "NULL where there has to be a value", update(["email": nil], in: "account", .id(1))
      ),
      .refuses(
        .update, "a column that isn't there", update(["nix": 1], in: "account", .id(1)),
        code: .unknownColumn),
      .refuses(
        .update, "a column that isn't there, also where no row matches",
        update(["nix": 1], in: "account", .id(99)), code: .unknownColumn),
      .refuses(
        .update, "no column at all", update([:], in: "account", .id(1)), code: .invalidRoute),
      .refuses(
        .update, "a limit, which it does not take",
        update(["note": "n"], in: "account", .all).limited(to: 1), code: .invalidRoute),
      .refuses(
        .update, "an order, which it does not take",
        update(["note": "n"], in: "account", .all).ordered(by: .ascending("id")),
        code: .invalidRoute),
      .refuses(
        .update, "more rows than are expected",
        update(["note": "n"], in: "account", .all).expecting(.atMost(2)), code: .tooManyRows),
    ]

  static let deleteCases: [Case] =
    deletingCases
    + empty.map { (name, filter) in
      .refuses(
        .delete, "\(name), which is the whole table", delete(from: "account", filter),
        code: .emptyFilter)
    }

  private static let deletingCases: [Case] =
    [
      .writes(
        .delete, "tells how many", delete(from: "account", score.equals(5)).returning(.minimal),
        affecting: 2, giving: [], leaving: [[1, "ann@x", "Ann", 3, "first"]]),
      .writes(
        .delete, "gives the rows that are gone, where they are asked for",
        delete(from: "account", score.equals(5)), affecting: 2,
        giving: [[2, "bob@x", "Bob", 5, nil], [3, "cy@x", "Cy", 5, nil]]),
      .writes(
        .delete, "gives the columns that are asked for",
        delete(from: "account", .id(1)).selecting("email"), affecting: 1, giving: [["ann@x"]]),
      .writes(
        .delete, "none matched is no error", delete(from: "account", .id(99)), affecting: 0,
        giving: []),
      .writes(
        .delete, "a row twice: the second time there is none",
        delete(from: "account", .id(99)).returning(.minimal), affecting: 0),
      .writes(
        .delete, "every row, where that is said", delete(from: "account", .all).returning(.minimal),
        affecting: 3, leaving: []),
      .writes(
        .delete, "no row, by a list that is empty", delete(from: "account", id.in([Int]())),
        affecting: 0, giving: []),
      .writes(
        .delete, "by and, or and not",
        delete(from: "account", !(id.equals(1) || id.equals(2)) && score.equals(5)).selecting("id"),
        affecting: 1, giving: [[3]]),
      .writes(
        .delete, "leaves out what is NULL, as any filter does",
        delete(from: "plain", DatabaseRoute.Column("b").notEquals("y")).returning(.minimal),
        affecting: 2, leaving: [[2, nil]]),
      .refuses(
        .delete, "where a column is not distinct from what can't be held, for that is not NULL",
        delete(from: "account", DatabaseRoute.Column("note").isNotDistinct(from: UInt64.max)),
        code: .invalidRoute),
      .refuses(.delete, "a row that another one refers to", delete(from: "team", .id(1))),
      .refuses(
        .delete, "all rows where one is refused", delete(from: "team", id.in([2, 3]))),
      .refuses(
        .delete, "a column that isn't there",
        delete(from: "account", DatabaseRoute.Column("nix").equals("nix")), code: .unknownColumn),
      .refuses(
        .delete, "a limit, which it does not take", delete(from: "account", .all).limited(to: 1),
        code: .invalidRoute),
      .refuses(
        .delete, "more rows than are expected",
        delete(from: "account", .all).expecting(.atMost(2)), code: .tooManyRows),
      Case(.delete, "a call for the effect alone tells how many", writes: true) { subject in
        let count = try await subject.executor.affectedCount(of: delete(from: "plain", .all))
        try subject.expect(count, 3, "the number of rows")
      },
      Case(.delete, "a call for values gives them, whatever the route says", writes: true) {
        subject in
        let names = try await subject.executor.values(
          String.self, for: delete(from: "tag", .all).returning(.minimal))
        try subject.expect(names.sorted(), ["blue", "red"], "the rows that are gone")
      },
    ]
}
