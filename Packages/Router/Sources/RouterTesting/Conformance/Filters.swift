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

  /// The meaning of each operator.
  static let filterCases: [Case] = comparisonCases + listCases + patternCases + misuseCases

  private static let comparisonCases: [Case] = [
    .finds(.filters, "all selects every row", .all, [1, 2, 3, 4, 5, 6, 7]),
    .finds(.filters, "equals, of an integer", rank.equals(1), [1]),
    .finds(.filters, "equals, of a fraction", price.equals(1.5), [1]),
    .finds(.filters, "equals, of a whole real number", rank.equals(1.0), [1]),
    .finds(.filters, "equals, of a text", name.equals("Anna"), [1]),
    .finds(.filters, "equals, of a text, is case-sensitive", name.equals("anna"), []),
    .finds(.filters, "equals treats the wildcards of a text literally", name.equals("Bo%b"), [3]),
    .finds(.filters, "equals, of bytes", data.equals([0, 255] as [UInt8]), [1]),
    .finds(.filters, "equals, of no bytes, is not NULL", data.equals([] as [UInt8]), [3]),
    .finds(.filters, "equals, of a Boolean", done.equals(true), [1, 5, 7]),
    .finds(.filters, "equals, of a value in no row", rank.equals(77), []),
    .finds(.filters, "notEquals excludes NULL", rank.notEquals(1), [2, 4, 5, 6, 7]),
    .finds(.filters, "greaterThan excludes the value", rank.greaterThan(2), [5, 6]),
    .finds(
      .filters, "greaterThanOrEquals includes the value", rank.greaterThanOrEquals(2), [2, 5, 6]),
    .finds(.filters, "lessThan excludes the value", rank.lessThan(0), [7]),
    .finds(.filters, "lessThanOrEquals includes the value", rank.lessThanOrEquals(0), [4, 7]),
    .finds(
      .filters, "lessThan, of texts, compares bytes", name.lessThan("a"), [1, 3],
      needs: .byteOrder),
    .finds(.filters, "greaterThan, of a huge number", price.greaterThan(1e299), [6]),
    .finds(.filters, "between includes both bounds", rank.between(1, 5), [1, 2, 5]),
    .finds(.filters, "between reversed bounds selects nothing", rank.between(5, 1), []),
    .finds(.filters, "isNull", rank.isNull(), [3]),
    .finds(.filters, "isNotNull", rank.isNotNull(), [1, 2, 4, 5, 6, 7]),
    .finds(.filters, "isTrue, of a Boolean", done.isTrue(), [1, 5, 7]),
    .finds(.filters, "isFalse, of a Boolean, excludes NULL", done.isFalse(), [2, 4]),
    .finds(
      .filters, "isTrue, of a number, is not 0", rank.isTrue(), [1, 2, 5, 6, 7],
      needs: .numericTruth),
    .finds(.filters, "isFalse, of a number, is 0", rank.isFalse(), [4], needs: .numericTruth),
    .finds(
      .filters, "isDistinct includes NULL", rank.isDistinct(from: 1), [2, 3, 4, 5, 6, 7]),
    .finds(
      .filters, "isDistinct from NULL is not NULL", rank.isDistinct(from: Int?.none),
      [1, 2, 4, 5, 6, 7]),
    .finds(.filters, "isNotDistinct from NULL is NULL", rank.isNotDistinct(from: Int?.none), [3]),
    .finds(.filters, "isNotDistinct from a value is equal", rank.isNotDistinct(from: 2), [2]),
  ]

  private static let listCases: [Case] = [
    .finds(.filters, "in a list", rank.in([1, 5, 99]), [1, 5]),
    .finds(.filters, "in a list of texts", name.in(["Anna", "Ünna", "x%"]), [1, 6]),
    .finds(.filters, "in a list with a duplicate", rank.in([1, 1]), [1]),
    .finds(.filters, "in an empty list selects nothing", rank.in([Int]()), []),
    .finds(.filters, "in a long list", rank.in(1...2_000), [1, 2, 5, 6]),
    .finds(.filters, "notIn excludes NULL", rank.notIn(1, 5), [2, 4, 6, 7]),
    .finds(
      .filters, "notIn an empty list selects everything", rank.notIn([Int]()),
      [1, 2, 3, 4, 5, 6, 7]),
    .finds(.filters, "any of several", rank.any(.lessThan, [0, 1]), [4, 7]),
    .finds(.filters, "any of none selects nothing", rank.any(.equals, [Int]()), []),
    .finds(.filters, "each of several", rank.each(.greaterThan, [1, 2]), [5, 6]),
    .finds(
      .filters, "each of none selects everything", rank.each(.equals, [Int]()),
      [1, 2, 3, 4, 5, 6, 7]),
  ]

  private static let patternCases: [Case] = [
    .finds(.filters, "like is case-sensitive", name.like("A%"), [1]),
    .finds(.filters, "iLike is case-insensitive", name.iLike("A%"), [1, 2, 7]),
    .finds(
      .filters, "like: an underscore is any one character", name.like("_nna"),
      [1, 6]),
    .finds(.filters, "like: a percent is any text, or none", name.like("Anna%"), [1]),
    .finds(.filters, "like matches the whole text", name.like("nna"), []),
    .finds(.filters, "like: an escaped percent is literal", name.like(#"Bo\%b"#), [3]),
    .finds(.filters, "iLike: an escaped percent is literal", name.iLike(#"bO\%B"#), [3]),
    .finds(.filters, "like: an escaped underscore is literal", name.like(#"a\_%"#), [7]),
    .finds(.filters, "like: an escaped backslash is literal", name.like(#"a_c\\d"#), [7]),
    .finds(.filters, "like: an escaped letter is literal", name.like(#"\Anna"#), [1]),
    .finds(
      .filters, "like: wildcards of other pattern languages are literal", name.like("x[y]*?"),
      [5]),
    .finds(.filters, "like: a star is literal", name.like("*"), []),
    .finds(.filters, "iLike: a star is literal", name.iLike("a*"), []),
    .finds(.filters, "like of any text excludes NULL", name.like("%"), [1, 2, 3, 5, 6, 7]),
    .finds(.filters, "like any of several", name.like(anyOf: ["A%", "x%"]), [1, 5]),
    .finds(.filters, "iLike all of several", name.iLike(allOf: ["a%", "%n"]), [2]),
    .finds(.filters, "hasPrefix treats wildcards literally", name.hasPrefix("a_"), [7]),
    .finds(.filters, "hasPrefix is case-sensitive", name.hasPrefix("a"), [2, 7]),
    .finds(.filters, "hasSuffix", name.hasSuffix("na"), [1, 6]),
    .finds(.filters, "hasSuffix treats escapes literally", name.hasSuffix(#"\d"#), [7]),
    .finds(.filters, "containsText treats wildcards literally", name.containsText("%"), [3]),
    .finds(
      .filters, "containsText of an empty text selects every text", name.containsText(""),
      [1, 2, 3, 5, 6, 7]),
    .fails(
      .filters, "refuses a pattern that ends with a backslash",
      .fetch(from: "item", filteredBy: name.like(#"a\"#)), .invalidRoute),
    .fails(
      .filters, "refuses a pattern that is not a text",
      .fetch(from: "item", filteredBy: condition(name, .like, .value(1))), .invalidRoute),
  ]

  private static let misuseCases: [Case] = [
    misuse("refuses equals NULL", condition(rank, .equals, .value(nil))),
    misuse("refuses lessThan NULL", condition(rank, .lessThan, .value(nil))),
    misuse("refuses NULL in a list for in", condition(rank, .in, .list([1, nil]))),
    misuse("refuses NULL in a list for notIn", condition(rank, .notIn, .list([1, nil]))),
    misuse("refuses equals without a value", condition(rank, .equals, .none)),
    misuse("refuses equals with a list", condition(rank, .equals, .list([1]))),
    misuse("refuses in without a list", condition(rank, .in, .value(1))),
    misuse("refuses isNull with a value", condition(rank, .isNull, .value(1))),
    misuse("refuses isTrue with a value", condition(done, .isTrue, .value(1))),
    misuse(
      "an unknown operator is unsupported",
      condition(rank, .init(rawValue: "no such operator"), .value(1)), .unsupported),
    misuse(
      "an unknown operator in a not is unsupported",
      !(condition(rank, .init(rawValue: "no such operator"), .value(1)) || rank.equals(1)),
      .unsupported),
  ]

  private static func misuse(
    _ name: String, _ filter: DatabaseRoute.Filter, _ code: RouterError.Code = .invalidRoute
  ) -> Case {
    .fails(.filters, name, .fetch(from: "item", filteredBy: filter), code)
  }
}
