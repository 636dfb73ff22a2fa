internal import Router
internal import SQLiteCore

extension RouteExecutorConformance {
  private static let one = rank.equals(1)
  private static let two = rank.equals(2)
  private static let named = name.isNotNull()

  /// What joins conditions.
  static let logicCases: [Case] =
    [
      .finds(.logic, "and of one", .and([one]), [1]),
      .finds(.logic, "or of one", .or([one]), [1]),
      .finds(.logic, "and of two is both", name.iLike("a%") && rank.greaterThan(1), [2]),
      .finds(.logic, "and of two that exclude each other is nothing", one && two, []),
      .finds(.logic, "or of two is either", one || two, [1, 2]),
      .finds(.logic, "or gives no row twice", one || name.equals("Anna"), [1]),
      .finds(
        .logic, "and of four", named && done.isTrue() && rank.lessThan(5) && data.isNotNull(),
        [1, 7]),
      .finds(.logic, "or of four", one || two || rank.isNull() || rank.equals(5), [1, 2, 3, 5]),
      .finds(.logic, "or inside and", done.isTrue() && (one || rank.equals(5) || two), [1, 5]),
      .finds(.logic, "and inside or", one || (done.isTrue() && rank.lessThan(0)), [1, 7]),
      .finds(.logic, "and and or keep the brackets they have", (one || two) && done.isFalse(), [2]),
      .finds(.logic, "not of a condition", !name.like("A%"), [2, 3, 5, 6, 7]),
      .finds(.logic, "not of not", !(!one), [1]),
      .finds(.logic, "not of and", !(one && named), [2, 4, 5, 6, 7]),
      .finds(.logic, "not of or", !(one || two), [4, 5, 6, 7]),
      .finds(.logic, "not inside and", done.isTrue() && !one, [5, 7]),
      .finds(.logic, "not inside or inside not", !(!one || !done.isTrue()), [1]),
      .finds(.logic, "not of everything is nothing", !.all, []),
      .finds(.logic, "all inside and adds nothing", .all && one, [1]),
      .finds(.logic, "all inside or is everything", .all || one, [1, 2, 3, 4, 5, 6, 7]),
      .finds(.logic, "an empty list inside or adds nothing", one || rank.in([Int]()), [1]),
      .finds(.logic, "an empty list inside and leaves nothing", one && rank.in([Int]()), []),
      .finds(.logic, "conditions on conditions, twenty deep", nested(20), [1]),
      .finds(
        .logic, "as many as a hundred conditions", .or((1...100).map { rank.equals($0) }),
        [1, 2, 5, 6]),
      .reads(
        .logic, "several filters of a fetch hold all",
        .fetch(
          from: "item", filteredBy: done.isTrue(), rank.greaterThan(0), order: .ascending("id")
        )
        .selecting("id"), [[1], [5]]),
      .reads(
        .logic, "one more filter holds too",
        .fetch(from: "item", filteredBy: done.isTrue()).filtered(by: one).selecting("id"), [[1]]),
      .fails(
        .logic, "and of none is invalid", .fetch(from: "item", filteredBy: .and([])), .invalidRoute),
      .fails(
        .logic, "or of none is invalid", .fetch(from: "item", filteredBy: .or([])), .invalidRoute),
      .fails(
        .logic, "and of none is invalid inside or",
        .fetch(from: "item", filteredBy: .or([one, .and([])])), .invalidRoute),
    ]

  private static func nested(_ depth: Int) -> DatabaseRoute.Filter {
    var filter = one
    for level in 1...depth {
      filter = level % 2 == 0 ? .and([filter, named]) : .or([filter, rank.equals(99)])
    }
    return filter
  }

  /// A condition on NULL is neither true nor false, and so is its opposite; but for those that ask for NULL.
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
      .finds(.nulls, "not isNull is a value", !rank.isNull(), [1, 2, 4, 5, 6, 7]),
      .finds(.nulls, "not isTrue is NULL too", !rank.isTrue(), [3, 4]),
      .finds(.nulls, "not isFalse is NULL too", !rank.isFalse(), [1, 2, 3, 5, 6, 7]),
      .finds(.nulls, "not isDistinct is equal", !rank.isDistinct(from: 1), [1]),
      .finds(
        .nulls, "NULL or true is true", rank.equals(1) || name.equals("Bo%b"), [1, 3]),
      .finds(
        .nulls, "NULL and false is false, and its opposite true",
        !(rank.equals(1) && name.equals("Anna")), [2, 3, 4, 5, 6, 7]),
    ]

  private static func undecided(
    _ name: String, _ filter: DatabaseRoute.Filter, _ column: DatabaseRoute.Column, _ null: Int
  ) -> Case {
    Case(.nulls, "neither \(name) nor its opposite is true of NULL") { subject in
      let (some, others) = (
        DatabaseRoute.fetch(from: "item", filteredBy: filter).selecting("id"),
        DatabaseRoute.fetch(from: "item", filteredBy: !filter).selecting("id")
      )
      let found =
        try await subject.executor.run(some).rows + subject.executor.run(others).rows
      let expected = (1...7).filter { $0 != null }.map { [DataValue.integer(Int64($0))] }
      try subject.expect(
        Subject.sorted(found), Subject.sorted(expected), "\(some) and its opposite together")
    }
  }
}
