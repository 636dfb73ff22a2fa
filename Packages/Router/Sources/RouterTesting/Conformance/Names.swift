internal import Router
internal import SQLiteCore

extension RouteExecutorConformance {
  private static let key = DatabaseRoute.Column("group")
  private static let quotes = DatabaseRoute.Column("a \"b\".c")
  private static let cyrillic = DatabaseRoute.Column("ключ")
  private static let brackets = DatabaseRoute.Column("名 [前]")
  private static let comment = DatabaseRoute.Column("x'); --")

  /// Names may contain any characters.
  static let nameCases: [Case] =
    strangeCases + columnCases + unknownTableCases + unknownColumnCases

  private static let strangeCases: [Case] =
    [
      .reads(
        .names, "of any characters are read",
        DatabaseRoute.fetch(from: strange, order: .ascending(key)),
        [[1, "one", "раз", "一", "'"], [2, "two", "два", "二", "\""]]),
      .reads(
        .names, "of any characters are selected, and used in an order",
        DatabaseRoute.fetch(from: strange, order: .descending(brackets))
          .selecting(comment, quotes), [["\"", "two"], ["'", "one"]]),
      .reads(.names, "of any characters are counted", .count(from: strange), [[2]]),
      .writes(
        .names, "of any characters are inserted",
        insert([[quotes: "three", comment: "--"]], into: strange), affecting: 1,
        giving: [[3, "three", nil, nil, "--"]]),
      .writes(
        .names, "of any characters are updated",
        update([brackets: "三", comment: nil], in: strange, quotes.equals("two")), affecting: 1,
        giving: [[2, "two", "два", "三", nil]]),
      .writes(
        .names, "of any characters are used in a delete",
        delete(from: strange, comment.equals("'")), affecting: 1,
        leaving: [[2, "two", "два", "二", "\""]]),
      .writes(
        .names, "of any characters are upserted",
        upsert([[key: 1, cyrillic: "ноль"]], in: strange), affecting: 1,
        giving: [[1, "one", "ноль", "一", "'"]], needs: .upserts),
      .writes(
        .names, "id finds a key with any name", delete(from: strange, .id(1)),
        affecting: 1),
    ]

  private static let columnCases: [Case] =
    [key, quotes, cyrillic, brackets, comment].map { column in
      .reads(
        .names, "a filter by \(column)",
        DatabaseRoute.fetch(
          from: strange, filteredBy: column.in([2 as SQLiteValue, "two", "два", "二", "\""])
        ).selecting("group"), [[2]])
    }

  private static let unknownTableCases: [Case] =
    [
      "todos; DROP TABLE team", "team\"", "\"team\"", "'team'", "main.team", "team --", "", " team",
      "tеam", "team\0", "sqlite_master",
    ].map { name in
      .fails(
        .names, "there is no table \(name.debugDescription)",
        .fetch(from: DatabaseRoute.Table(name)), .unknownTable)
    }

  private static let unknownColumnCases: [Case] =
    ["name\"", "\"name\"", "1", "name; --", "nаme", "*", "", "team.name", "name\0"].map { name in
      Case(.names, "there is no column \(name.debugDescription)") { subject in
        let column = DatabaseRoute.Column(name)
        let routes: [DatabaseRoute] = [
          DatabaseRoute.fetch(from: "team").selecting(column),
          .fetch(from: "team", filteredBy: column.equals(name)),
          .fetch(from: "team", filteredBy: column.isNotNull()),
          .fetch(from: "team", order: .ascending(column)),
          update([column: 1], in: "team", .id(1)), insert([[column: 1]], into: "team"),
          delete(from: "team", column.equals(name)),
        ]
        for route in routes { try await subject.expectCode(.unknownColumn, route) }
        try await subject.expectTable("team", [[1, "Reds"], [2, "Blues"], [3, "Empty"]])
      }
    }
}
