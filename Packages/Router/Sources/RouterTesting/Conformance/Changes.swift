internal import Router
internal import SQLiteCore

extension RouteExecutorConformance {
  private static let score = DatabaseRoute.Column("score")
  private static let email = DatabaseRoute.Column("email")

  /// Whole-table filters that are recognized by their form.
  private static let empty: [(String, DatabaseRoute.Filter?)] = [
    ("no filter", nil),
    ("not in an empty list", id.notIn([Int]())),
    ("not (in an empty list)", !id.in([Int]())),
    ("all and all", .and([.all, .all])),
    ("one or all", id.equals(1) || .all),
    ("each of an empty list", id.each(.equals, [Int]())),
    ("not (not all)", !(!.all)),
    ("NULL or not NULL", score.isNull() || score.isNotNull()),
    ("NULL or not (NULL)", score.isNull() || !score.isNull()),
    ("distinct or not distinct", score.isDistinct(from: 5) || score.isNotDistinct(from: 5)),
    ("less, not (less), or NULL", score.lessThan(5) || !score.lessThan(5) || score.isNull()),
    ("a key is not NULL", id.isNotNull()),
    ("a NOT NULL column is not NULL", email.isNotNull()),
  ]

  /// A record for a table whose schema declares `ON CONFLICT REPLACE`.
  private static let replaced: DatabaseRoute.Record = ["code": "y"]

  static let updateCases: [Case] =
    updatingCases
    + empty.map { (name, filter) in
      .refuses(
        .update, "refuses a whole-table filter: \(name)",
        update(["note": "n"], in: "account", filter), code: .emptyFilter)
    }

  private static let updatingCases: [Case] =
    [
      .writes(
        .update, "updates the row of a key, and no other column",
        update(["note": "n"], in: "account", .id(2)), affecting: 1,
        giving: [[2, "bob@x", "Bob", 5, "n"]],
        leaving: [
          [1, "ann@x", "Ann", 3, "first"], [2, "bob@x", "Bob", 5, "n"], [3, "cy@x", "Cy", 5, nil],
        ]),
      .writes(
        .update, "updates all rows that the filter selects",
        update(["note": "n"], in: "account", score.equals(5)).selecting("id", "note"), affecting: 2,
        giving: [[2, "n"], [3, "n"]]),
      .writes(
        .update, "the filter applies to the old values",
        update(["score": 9], in: "account", score.equals(5)).selecting("score"), affecting: 2,
        giving: [[9], [9]]),
      .writes(
        .update, "no matching row is not an error", update(["note": "n"], in: "account", .id(99)),
        affecting: 0, giving: []),
      .writes(
        .update, "returns no rows if none are requested",
        update(["note": "n"], in: "account", .id(1)).returning(.minimal), affecting: 1, giving: []),
      .writes(
        .update, "writes NULL", update(["note": nil], in: "account", .id(1)),
        affecting: 1, giving: [[1, "ann@x", "Ann", 3, nil]]),
      .writes(
        .update, "counts rows updated to the same value",
        update(["name": "Ann"], in: "account", .id(1)).returning(.minimal), affecting: 1),
      .writes(
        .update, "updates the key", update(["id": 9], in: "account", .id(3)).selecting("id"),
        affecting: 1, giving: [[9]]),
      .writes(
        .update, "all rows, with `.all`",
        update(["note": "n"], in: "account", .all).returning(.minimal), affecting: 3,
        leaving: [
          [1, "ann@x", "Ann", 3, "n"], [2, "bob@x", "Bob", 5, "n"], [3, "cy@x", "Cy", 5, "n"],
        ]),
      .writes(
        .update, "no row, with an empty list",
        update(["note": "n"], in: "account", id.in([Int]())), affecting: 0, giving: []),
      .writes(
        .update, "a filter with and, or",
        update(
          ["note": "n"], in: "account", (id.equals(1) || score.equals(5)) && email.hasPrefix("c")
        )
        .selecting("id"), affecting: 1, giving: [[3]]),
      .writes(
        .update, "rows of a table without a primary key",
        update(["b": "y"], in: "plain", DatabaseRoute.Column("a").equals(1)), affecting: 2,
        giving: [[1, "y"], [1, "y"]], leaving: [[1, "y"], [1, "y"], [2, nil]]),
      .writes(
        .update, "rows where a column is NULL",
        update(["note": "n"], in: "account", DatabaseRoute.Column("note").isNull())
          .returning(.minimal), affecting: 2),
      .refuses(
        .update, "refuses a duplicate unique value, even with ON CONFLICT REPLACE",
        update(replaced, in: "badge", .id(1)), needs: .conflictClauses),
      .writes(
        .update, "accepts a whole-table condition joined with another",
        update(["note": "n"], in: "account", (score.isNull() || score.isNotNull()) && .id(1))
          .returning(.minimal), affecting: 1),
      .refuses(
        .update, "is rolled back if the last row fails",
        update(["email": "same@x"], in: "account", score.equals(5))),
      .refuses(
        .update, "refuses a violated CHECK constraint",
        update(["score": -1], in: "account", .id(1))),
      .refuses(
        .update, "refuses NULL in a NOT NULL column", update(["email": nil], in: "account", .id(1))
      ),
      .refuses(
        .update, "refuses an unknown column", update(["nix": 1], in: "account", .id(1)),
        code: .unknownColumn),
      .refuses(
        .update, "refuses an unknown column even if no row matches",
        update(["nix": 1], in: "account", .id(99)), code: .unknownColumn),
      .refuses(
        .update, "refuses an empty record", update([:], in: "account", .id(1)),
        code: .invalidRoute),
      .refuses(
        .update, "refuses a limit",
        update(["note": "n"], in: "account", .all).limited(to: 1), code: .invalidRoute),
      .refuses(
        .update, "refuses an order",
        update(["note": "n"], in: "account", .all).ordered(by: .ascending("id")),
        code: .invalidRoute),
      .refuses(
        .update, "refuses more rows than expected",
        update(["note": "n"], in: "account", .all).expecting(.atMost(2)), code: .tooManyRows),
    ]

  static let deleteCases: [Case] =
    deletingCases
    + empty.map { (name, filter) in
      .refuses(
        .delete, "refuses a whole-table filter: \(name)", delete(from: "account", filter),
        code: .emptyFilter)
    }

  private static let deletingCases: [Case] =
    [
      .writes(
        .delete, "returns the number of rows",
        delete(from: "account", score.equals(5)).returning(.minimal), affecting: 2, giving: [],
        leaving: [[1, "ann@x", "Ann", 3, "first"]]),
      .writes(
        .delete, "returns the deleted rows if requested",
        delete(from: "account", score.equals(5)), affecting: 2,
        giving: [[2, "bob@x", "Bob", 5, nil], [3, "cy@x", "Cy", 5, nil]]),
      .writes(
        .delete, "returns the selected columns",
        delete(from: "account", .id(1)).selecting("email"), affecting: 1, giving: [["ann@x"]]),
      .writes(
        .delete, "no matching row is not an error", delete(from: "account", .id(99)), affecting: 0,
        giving: []),
      .writes(
        .delete, "a missing row counts as zero",
        delete(from: "account", .id(99)).returning(.minimal), affecting: 0),
      .writes(
        .delete, "all rows, with `.all`", delete(from: "account", .all).returning(.minimal),
        affecting: 3, leaving: []),
      .writes(
        .delete, "no row, with an empty list", delete(from: "account", id.in([Int]())),
        affecting: 0, giving: []),
      .writes(
        .delete, "a filter with and, or, not",
        delete(from: "account", !(id.equals(1) || id.equals(2)) && score.equals(5)).selecting("id"),
        affecting: 1, giving: [[3]]),
      .writes(
        .delete, "does not match NULL, like any filter",
        delete(from: "plain", DatabaseRoute.Column("b").notEquals("y")).returning(.minimal),
        affecting: 2, leaving: [[2, nil]]),
      .refuses(
        .delete, "refuses isNotDistinct from a value that SQLite can't store",
        delete(from: "account", DatabaseRoute.Column("note").isNotDistinct(from: UInt64.max)),
        code: .invalidRoute),
      .refuses(.delete, "refuses a row that another row references", delete(from: "team", .id(1))),
      .refuses(
        .delete, "is rolled back if one row fails", delete(from: "team", id.in([2, 3]))),
      .refuses(
        .delete, "refuses an unknown column",
        delete(from: "account", DatabaseRoute.Column("nix").equals("nix")), code: .unknownColumn),
      .refuses(
        .delete, "refuses a limit", delete(from: "account", .all).limited(to: 1),
        code: .invalidRoute),
      .refuses(
        .delete, "refuses more rows than expected",
        delete(from: "account", .all).expecting(.atMost(2)), code: .tooManyRows),
      Case(.delete, "affectedCount returns the number of rows", writes: true) { subject in
        let count = try await subject.executor.affectedCount(of: delete(from: "plain", .all))
        try subject.expect(count, 3, "the number of rows")
      },
      Case(.delete, "values(_:for:) returns rows even with returning(.minimal)", writes: true) {
        subject in
        let names = try await subject.executor.values(
          String.self, for: delete(from: "tag", .all).returning(.minimal))
        try subject.expect(names.sorted(), ["blue", "red"], "the deleted rows")
      },
    ]
}
