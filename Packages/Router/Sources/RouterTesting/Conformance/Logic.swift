internal import Router
internal import SQLiteCore

extension RouteExecutorConformance {
  private static let one = rank.equals(1)
  private static let two = rank.equals(2)
  private static let named = name.isNotNull()

  /// The operators that join conditions.
  static let logicCases: [Case] =
    [
      .finds(.logic, "and of one", .and([one]), [1]),
      .finds(.logic, "or of one", .or([one]), [1]),
      .finds(.logic, "and of two is both", name.iLike("a%") && rank.greaterThan(1), [2]),
      .finds(.logic, "and of two exclusive conditions selects nothing", one && two, []),
      .finds(.logic, "or of two is either", one || two, [1, 2]),
      .finds(.logic, "or returns no duplicates", one || name.equals("Anna"), [1]),
      .finds(
        .logic, "and of four", named && done.isTrue() && rank.lessThan(5) && data.isNotNull(),
        [1, 7]),
      .finds(.logic, "or of four", one || two || rank.isNull() || rank.equals(5), [1, 2, 3, 5]),
      .finds(.logic, "or within and", done.isTrue() && (one || rank.equals(5) || two), [1, 5]),
      .finds(.logic, "and within or", one || (done.isTrue() && rank.lessThan(0)), [1, 7]),
      .finds(.logic, "and, or keep their nesting", (one || two) && done.isFalse(), [2]),
      .finds(.logic, "not of a condition", !name.like("A%"), [2, 3, 5, 6, 7]),
      .finds(.logic, "not of not", !(!one), [1]),
      .finds(.logic, "not of and", !(one && named), [2, 4, 5, 6, 7]),
      .finds(.logic, "not of or", !(one || two), [4, 5, 6, 7]),
      .finds(.logic, "not within and", done.isTrue() && !one, [5, 7]),
      .finds(.logic, "not within or within not", !(!one || !done.isTrue()), [1]),
      .finds(.logic, "not of all selects nothing", !.all, []),
      .finds(.logic, "all within and has no effect", .all && one, [1]),
      .finds(.logic, "all within or selects everything", .all || one, [1, 2, 3, 4, 5, 6, 7]),
      .finds(.logic, "an empty list within or has no effect", one || rank.in([Int]()), [1]),
      .finds(.logic, "an empty list within and selects nothing", one && rank.in([Int]()), []),
      .finds(.logic, "conditions nested twenty levels deep", nested(20), [1]),
      .finds(
        .logic, "a hundred conditions", .or((1...100).map { rank.equals($0) }),
        [1, 2, 5, 6]),
      .reads(
        .logic, "several filters of a fetch are joined by and",
        .fetch(
          from: "item", filteredBy: done.isTrue(), rank.greaterThan(0), order: .ascending("id")
        )
        .selecting("id"), [[1], [5]]),
      .reads(
        .logic, "an added filter is joined by and",
        .fetch(from: "item", filteredBy: done.isTrue()).filtered(by: one).selecting("id"), [[1]]),
      .fails(
        .logic, "an empty and is invalid", .fetch(from: "item", filteredBy: .and([])),
        .invalidRoute),
      .fails(
        .logic, "an empty or is invalid", .fetch(from: "item", filteredBy: .or([])), .invalidRoute),
      .fails(
        .logic, "an empty and within or is invalid",
        .fetch(from: "item", filteredBy: .or([one, .and([])])), .invalidRoute),
    ]

  private static func nested(_ depth: Int) -> DatabaseRoute.Filter {
    var filter = one
    for level in 1...depth {
      filter = level % 2 == 0 ? .and([filter, named]) : .or([filter, rank.equals(99)])
    }
    return filter
  }

  /// A condition on NULL is neither true nor false, and neither is its negation, except for conditions that test for
  /// NULL.
  static let nullCases: [Case] =
    numbers.map { undecided($0, $1, "rank", 3) } + texts.map { undecided($0, $1, "name", 4) }
    + decidedCases

  private static let numbers: [(String, DatabaseRoute.Filter)] =
    [
      ("equals", rank.equals(0)), ("notEquals", rank.notEquals(0)),
      ("greaterThan", rank.greaterThan(0)), ("greaterThanOrEquals", rank.greaterThanOrEquals(0)),
      ("lessThan", rank.lessThan(0)), ("lessThanOrEquals", rank.lessThanOrEquals(0)),
      ("in", rank.in([0])), ("notIn", rank.notIn([0])), ("any", rank.any(.equals, [0, 1])),
      ("each", rank.each(.notEquals, [0, 1])), ("between", rank.between(0, 1)),
    ]

  private static let texts: [(String, DatabaseRoute.Filter)] =
    [
      ("like", name.like("A%")), ("iLike", name.iLike("a%")), ("hasPrefix", name.hasPrefix("A")),
    ]

  private static let decidedCases: [Case] =
    [
      .finds(.nulls, "not isNull selects values", !rank.isNull(), [1, 2, 4, 5, 6, 7]),
      .finds(.nulls, "not isTrue includes NULL", !done.isTrue(), [2, 3, 4, 6]),
      .finds(.nulls, "not isFalse includes NULL", !done.isFalse(), [1, 3, 5, 6, 7]),
      .finds(
        .nulls, "not isTrue, of a number, includes NULL", !rank.isTrue(), [3, 4],
        needs: .numericTruth),
      .finds(
        .nulls, "not isFalse, of a number, includes NULL", !rank.isFalse(), [1, 2, 3, 5, 6, 7],
        needs: .numericTruth),
      .finds(.nulls, "not isDistinct is equal", !rank.isDistinct(from: 1), [1]),
      .finds(
        .nulls, "NULL or true is true", rank.equals(1) || name.equals("Bo%b"), [1, 3]),
      .finds(
        .nulls, "NULL and false is false, and its negation is true",
        !(rank.equals(1) && name.equals("Anna")), [2, 3, 4, 5, 6, 7]),
    ]

  private static func undecided(
    _ name: String, _ filter: DatabaseRoute.Filter, _ column: DatabaseRoute.Column, _ null: Int
  ) -> Case {
    Case(.nulls, "neither \(name) nor its negation selects NULL") { subject in
      let (some, others) = (
        DatabaseRoute.fetch(from: "item", filteredBy: filter).selecting("id"),
        DatabaseRoute.fetch(from: "item", filteredBy: !filter).selecting("id")
      )
      let found =
        try await subject.executor.run(some).rows + subject.executor.run(others).rows
      let expected = (1...7).filter { $0 != null }.map { [DataValue.integer(Int64($0))] }
      try subject.expect(
        Subject.sorted(found), Subject.sorted(expected), "\(some) and its negation together")
    }
  }
}
