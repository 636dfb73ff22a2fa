internal import Router
internal import SQLiteCore

extension RouteExecutorConformance {
  private static func ordered(
    _ name: String, by orders: [DatabaseRoute.Order], _ ids: [Int], needs: Capabilities = []
  ) -> Case {
    var route = DatabaseRoute.fetch(from: "item").selecting("id")
    route.orders = orders
    return .reads(.order, name, route, ids.map { [.integer(Int64($0))] }, needs: needs)
  }

  static let orderCases: [Case] = [
    ordered("ascending, NULL last", by: [.ascending("rank")], [7, 4, 1, 2, 5, 6, 3]),
    ordered(
      "ascending, NULL first", by: [.ascending("rank", nullsFirst: true)], [3, 7, 4, 1, 2, 5, 6]),
    ordered("descending, NULL last", by: [.descending("rank")], [6, 5, 2, 1, 4, 7, 3]),
    ordered(
      "descending, NULL first", by: [.descending("rank", nullsFirst: true)],
      [3, 6, 5, 2, 1, 4, 7]),
    ordered(
      "texts by bytes", by: [.ascending("name")], [1, 3, 7, 2, 5, 6, 4], needs: .byteOrder),
    ordered(
      "texts by a collation", by: [.ascending("name", collation: "NOCASE")],
      [7, 1, 2, 3, 5, 6, 4], needs: .collations),
    ordered(
      "by two terms, the first before the second",
      by: [.descending("done"), .ascending("rank")], [7, 1, 5, 4, 2, 6, 3]),
    ordered(
      "by two terms with different directions and NULL places",
      by: [.ascending("done", nullsFirst: true), .descending("id")], [6, 3, 4, 2, 7, 5, 1]),
    ordered(
      "numbers by value", by: [.ascending("price"), .ascending("id")], [5, 4, 1, 2, 6, 3, 7]),
    .reads(
      .order, "by a column that is not selected",
      DatabaseRoute.fetch(from: "team", order: .descending("id")).selecting("name"),
      [["Empty"], ["Blues"], ["Reds"]]),
    .reads(
      .order, "of filtered rows, with a limit",
      DatabaseRoute.fetch(
        from: "item", filteredBy: done.isTrue(), order: .descending("rank")
      ).limited(to: 2).selecting("id"), [[5], [1]]),
  ]

  private static let pageOrders: [DatabaseRoute.Order] = [
    .ascending("done"), .descending("done"), .ascending("done", nullsFirst: true),
    .descending("done", nullsFirst: true), .ascending("name"), .descending("price"),
  ]

  static let pageCases: [Case] =
    pageOrders.flatMap { order in [1, 2, 3].map { size in pages(order, size) } } + firstPageCases

  private static func pages(_ order: DatabaseRoute.Order, _ size: Int) -> Case {
    let nulls = order.nullsFirst ? "NULL first" : "NULL last"
    let name = "of \(size) contain each row once and in order, by \(order), \(nulls)"
    return Case(.pages, name) { subject in try await paged(subject, order, size) }
  }

  private static let firstPageCases: [Case] = [
    Case(.pages, "contain each row once if a collation makes keys equal", needs: .collations) {
      subject in
      let route = DatabaseRoute.fetch(
        from: "word", order: .ascending("word", collation: "NOCASE"))
      var seen: [[DataValue]] = []
      for _ in 1...4 {
        var page = route
        page.page = .init(
          after: seen.last.flatMap { rows(["word"], [$0.map { SQLiteValue($0) }]).first })
        page.limit = 1
        seen += try await subject.executor.run(page).rows
      }
      try subject.expect(seen, [["A"], ["a"], ["B"], ["b"]], "the rows of all pages")
    },
    .reads(
      .pages, "the first page has the first rows",
      DatabaseRoute.fetch(from: "player", order: .descending("id")).page(size: 2).selecting("id"),
      [[4], [3]]),
    .fails(
      .pages, "require the columns of the order",
      page(.fetch(from: "item", order: .ascending("rank")), after: ["id": 1]), .invalidRoute),
    .fails(
      .pages, "require the primary key", page(.fetch(from: "plain"), after: nil), .invalidRoute),
  ]

  private static func page(
    _ route: DatabaseRoute, after record: DatabaseRoute.Record?
  ) -> DatabaseRoute {
    var route = route
    route.page = .init(after: record)
    route.limit = 3
    return route
  }

  private static func paged(
    _ subject: Subject, _ order: DatabaseRoute.Order, _ size: Int
  ) async throws {
    let route = DatabaseRoute.fetch(from: "item", order: order).selecting("id", order.column)
    var seen: [[DataValue]] = []
    for _ in 0...7 {
      let last = seen.last.flatMap {
        rows(["id", order.column], [$0.map { SQLiteValue($0) }]).first
      }
      var page = route
      page.page = .init(after: last)
      page.limit = size
      let found = try await subject.executor.run(page).rows
      if found.isEmpty { break }
      try subject.expect(found.count <= size, true, "whether a page has \(size) rows at most")
      seen += found
    }
    let key = DatabaseRoute.Order(column: "id", ascending: order.ascending)
    try subject.expect(
      seen, try await subject.executor.run(route.ordered(by: key)).rows, "the rows of all pages")
  }
}
