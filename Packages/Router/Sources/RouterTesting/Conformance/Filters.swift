internal import Router
internal import SQLiteCore

extension RouteExecutorConformance {
  static let id = DatabaseRoute.Column("id")
  static let name = DatabaseRoute.Column("name")
  static let rank = DatabaseRoute.Column("rank")
  static let price = DatabaseRoute.Column("price")
  static let data = DatabaseRoute.Column("data")
  static let done = DatabaseRoute.Column("done")
  static let tags = DatabaseRoute.Column("tags")

  static func condition(
    _ column: DatabaseRoute.Column, _ operator: DatabaseRoute.Operator,
    _ operand: DatabaseRoute.Operand
  ) -> DatabaseRoute.Filter {
    .comparison(.init(column: column, operator: `operator`, operand: operand))
  }

  /// What each operator means.
  static let filterCases: [Case] = comparisonCases + listCases + patternCases + misuseCases

  private static let comparisonCases: [Case] = [
    .finds(.filters, "all is every row", .all, [1, 2, 3, 4, 5, 6, 7]),
    .finds(.filters, "equals, of an integer", rank.equals(1), [1]),
    .finds(.filters, "equals, of a number with a fraction", price.equals(1.5), [1]),
    .finds(.filters, "equals, of a fraction that is none", rank.equals(1.0), [1]),
    .finds(.filters, "equals, of a text", name.equals("Anna"), [1]),
    .finds(.filters, "equals, of a text, minds case", name.equals("anna"), []),
    .finds(.filters, "equals, of a text, takes patterns as they are", name.equals("Bo%b"), [3]),
    .finds(.filters, "equals, of bytes", data.equals([0, 255] as [UInt8]), [1]),
    .finds(.filters, "equals, of no bytes, is not NULL", data.equals([] as [UInt8]), [3]),
    .finds(.filters, "equals, of a Boolean", done.equals(true), [1, 5, 7]),
    .finds(.filters, "equals, of what no row has", rank.equals(77), []),
    .finds(.filters, "notEquals leaves NULL out", rank.notEquals(1), [2, 4, 5, 6, 7]),
    .finds(.filters, "greaterThan leaves the value out", rank.greaterThan(2), [5, 6]),
    .finds(
      .filters, "greaterThanOrEquals takes the value in", rank.greaterThanOrEquals(2), [2, 5, 6]),
    .finds(.filters, "lessThan leaves the value out", rank.lessThan(0), [7]),
    .finds(.filters, "lessThanOrEquals takes the value in", rank.lessThanOrEquals(0), [4, 7]),
    .finds(.filters, "lessThan, of texts, is byte by byte", name.lessThan("a"), [1, 3]),
    .finds(.filters, "greaterThan, of a huge number", price.greaterThan(1e299), [6]),
    .finds(.filters, "between takes both ends in", rank.between(1, 5), [1, 2, 5]),
    .finds(.filters, "between the wrong way round is nothing", rank.between(5, 1), []),
    .finds(.filters, "isNull", rank.isNull(), [3]),
    .finds(.filters, "isNotNull", rank.isNotNull(), [1, 2, 4, 5, 6, 7]),
    .finds(.filters, "isTrue, of a Boolean", done.isTrue(), [1, 5, 7]),
    .finds(.filters, "isFalse, of a Boolean, leaves NULL out", done.isFalse(), [2, 4]),
    .finds(.filters, "isTrue, of a number, is all but 0", rank.isTrue(), [1, 2, 5, 6, 7]),
    .finds(.filters, "isFalse, of a number, is 0", rank.isFalse(), [4]),
    .finds(
      .filters, "isDistinct takes NULL for a value", rank.isDistinct(from: 1), [2, 3, 4, 5, 6, 7]),
    .finds(
      .filters, "isDistinct from NULL is not NULL", rank.isDistinct(from: Int?.none),
      [1, 2, 4, 5, 6, 7]),
    .finds(.filters, "isNotDistinct from NULL is NULL", rank.isNotDistinct(from: Int?.none), [3]),
    .finds(.filters, "isNotDistinct from a value is equal", rank.isNotDistinct(from: 2), [2]),
  ]

  private static let listCases: [Case] = [
    .finds(.filters, "in a list", rank.in([1, 5, 99]), [1, 5]),
    .finds(.filters, "in a list of texts", name.in(["Anna", "Ünna", "x%"]), [1, 6]),
    .finds(.filters, "in a list that says one twice", rank.in([1, 1]), [1]),
    .finds(.filters, "in no list is nothing", rank.in([Int]()), []),
    .finds(.filters, "in a long list", rank.in(1...2_000), [1, 2, 5, 6]),
    .finds(.filters, "notIn leaves NULL out", rank.notIn(1, 5), [2, 4, 6, 7]),
    .finds(.filters, "notIn of no list is everything", rank.notIn([Int]()), [1, 2, 3, 4, 5, 6, 7]),
    .finds(.filters, "any of several", rank.any(.lessThan, [0, 1]), [4, 7]),
    .finds(.filters, "any of none is nothing", rank.any(.equals, [Int]()), []),
    .finds(.filters, "each of several", rank.each(.greaterThan, [1, 2]), [5, 6]),
    .finds(
      .filters, "each of none is everything", rank.each(.equals, [Int]()), [1, 2, 3, 4, 5, 6, 7]),
  ]

  private static let patternCases: [Case] = [
    .finds(.filters, "like minds case", name.like("A%"), [1]),
    .finds(.filters, "iLike does not mind case", name.iLike("A%"), [1, 2, 7]),
    .finds(
      .filters, "like: an underscore is one character, of whatever letter", name.like("_nna"),
      [1, 6]),
    .finds(.filters, "like: a percent is any text, none too", name.like("Anna%"), [1]),
    .finds(.filters, "like is of the whole text", name.like("nna"), []),
    .finds(.filters, "like: a percent behind a backslash is one", name.like(#"Bo\%b"#), [3]),
    .finds(.filters, "iLike: a percent behind a backslash is one", name.iLike(#"bO\%B"#), [3]),
    .finds(.filters, "like: an underscore behind a backslash is one", name.like(#"a\_%"#), [7]),
    .finds(.filters, "like: a backslash behind a backslash is one", name.like(#"a_c\\d"#), [7]),
    .finds(.filters, "like: a backslash before a letter is that letter", name.like(#"\Anna"#), [1]),
    .finds(
      .filters, "like: characters of other pattern languages are themselves", name.like("x[y]*?"),
      [5]),
    .finds(.filters, "like: a star is no percent", name.like("*"), []),
    .finds(.filters, "iLike: a star is no percent", name.iLike("a*"), []),
    .finds(.filters, "like of every text leaves NULL out", name.like("%"), [1, 2, 3, 5, 6, 7]),
    .finds(.filters, "like any of several", name.like(anyOf: ["A%", "x%"]), [1, 5]),
    .finds(.filters, "iLike all of several", name.iLike(allOf: ["a%", "%n"]), [2]),
    .finds(.filters, "hasPrefix takes its text as it is", name.hasPrefix("a_"), [7]),
    .finds(.filters, "hasPrefix minds case", name.hasPrefix("a"), [2, 7]),
    .finds(.filters, "hasSuffix", name.hasSuffix("na"), [1, 6]),
    .finds(.filters, "hasSuffix takes its text as it is", name.hasSuffix(#"\d"#), [7]),
    .finds(.filters, "containsText takes its text as it is", name.containsText("%"), [3]),
    .finds(
      .filters, "containsText of nothing is every text", name.containsText(""), [1, 2, 3, 5, 6, 7]),
    .fails(
      .filters, "a pattern that ends with a backslash is none",
      .fetch(from: "item", filteredBy: name.like(#"a\"#)), .invalidRoute),
    .fails(
      .filters, "a pattern is a text",
      .fetch(from: "item", filteredBy: condition(name, .like, .value(1))), .invalidRoute),
  ]

  private static let misuseCases: [Case] = [
    misuse("nothing equals NULL", condition(rank, .equals, .value(nil))),
    misuse("nothing is less than NULL", condition(rank, .lessThan, .value(nil))),
    misuse("a list for in has no NULL", condition(rank, .in, .list([1, nil]))),
    misuse("a list for notIn has no NULL", condition(rank, .notIn, .list([1, nil]))),
    misuse("equals takes a value", condition(rank, .equals, .none)),
    misuse("equals takes no list", condition(rank, .equals, .list([1]))),
    misuse("in takes a list", condition(rank, .in, .value(1))),
    misuse("isNull takes no value", condition(rank, .isNull, .value(1))),
    misuse("isTrue takes no value", condition(done, .isTrue, .value(1))),
    misuse(
      "an operator that nobody has is unsupported",
      condition(rank, .init(rawValue: "no such operator"), .value(1)), .unsupported),
    misuse(
      "an operator that nobody has is unsupported under a not as well",
      !(condition(rank, .init(rawValue: "no such operator"), .value(1)) || rank.equals(1)),
      .unsupported),
  ]

  private static func misuse(
    _ name: String, _ filter: DatabaseRoute.Filter, _ code: RouterError.Code = .invalidRoute
  ) -> Case {
    .fails(.filters, name, .fetch(from: "item", filteredBy: filter), code)
  }
}
