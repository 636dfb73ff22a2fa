internal import Router
internal import SQLiteCore

extension RouteExecutorConformance {
  /// What not every executor has.
  static let extraCases: [Case] =
    jsonCases + embedCases + searchCases + customCases + limitCases

  private static let jsonCases: [Case] = [
    .finds(.json, "contains one", tags.contains(["a"]), [1, 2], needs: .json),
    .finds(.json, "contains each", tags.contains(["a", "b"]), [1], needs: .json),
    .finds(
      .json, "contains none is every array", tags.contains([String]()), [1, 2, 3, 6], needs: .json),
    .finds(.json, "contains a number", tags.contains([1]), [6], needs: .json),
    .finds(.json, "containedBy", tags.containedBy(["a"]), [2, 3], needs: .json),
    .finds(.json, "overlaps", tags.overlaps(["b", "c"]), [1], needs: .json),
    .finds(
      .json, "what is no array is neither in nor out", !tags.overlaps(["b"]), [2, 3, 6],
      needs: .json),
    .finds(.json, "a place in an array", tags.at(0).equals("a"), [1, 2], needs: .json),
    .finds(.json, "a key of an object", tags.at("a").equals(1), [5], needs: .json),
    .finds(
      .json, "a place that isn't there is NULL", tags.at(1).isNull() && tags.isNotNull(),
      [2, 3, 5, 6], needs: .json),
    .reads(
      .json, "a part is selected under its own name",
      .fetch(from: "item", filteredBy: .id(5)).selecting("id", tags.at("a")), [[5, 1]], needs: .json
    ),
    .refuses(
      .json, "a part is not written", update([tags.at("a"): 2], in: "item", .id(5)),
      code: .invalidRoute, needs: .json),
  ]

  private struct Squad: Decodable, Hashable, Sendable {
    struct Player: Decodable, Hashable, Sendable { var name: String }
    var name: String
    var players: [Player]

    init(_ name: String, _ players: [String]) {
      self.name = name
      self.players = players.map(Player.init)
    }
  }

  private struct Member: Decodable, Hashable, Sendable {
    struct Name: Decodable, Hashable, Sendable { var name: String }
    var name: String
    var side: Name?
    var hobbies: [Name]?
  }

  private static func squads(
    _ name: String, _ embed: DatabaseRoute.Embed, _ expected: [Squad]
  ) -> Case {
    Case(.embeds, name, needs: .embeds) { subject in
      let route = DatabaseRoute.fetch(from: "team", order: .ascending("id")).embedding(embed)
      try subject.expect(
        try await subject.executor.values(Squad.self, for: route), expected, "\(route)")
    }
  }

  private static let embedCases: [Case] = [
    squads(
      "of many come as an array, empty where there is none",
      .init("player", as: "players", orderedBy: [.ascending("name")]),
      [Squad("Reds", ["Ada", "Bea"]), Squad("Blues", ["Cal"]), Squad("Empty", [])]),
    squads(
      "have an order and a limit of their own, for each row",
      .init("player", as: "players", orderedBy: [.descending("name")], limit: 1),
      [Squad("Reds", ["Bea"]), Squad("Blues", ["Cal"]), Squad("Empty", [])]),
    squads(
      "have a filter of their own, which leaves no row out",
      .init("player", as: "players", filteredBy: DatabaseRoute.Column("score").greaterThan(5)),
      [Squad("Reds", ["Bea"]), Squad("Blues", []), Squad("Empty", [])]),
    squads(
      "leave out the rows without any, where they are required",
      .init("player", as: "players", orderedBy: [.ascending("name")], isRequired: true),
      [Squad("Reds", ["Ada", "Bea"]), Squad("Blues", ["Cal"])]),
    Case(.embeds, "of one come as a value, or as none", needs: .embeds) { subject in
      let route = DatabaseRoute.fetch(
        from: "player", filteredBy: id.in([1, 4]), order: .ascending("id")
      ).embedding(.init("team", as: "side"))
      try subject.expect(
        try await subject.executor.values(Member.self, for: route),
        [Member(name: "Ada", side: .init(name: "Reds")), Member(name: "Dan")], "\(route)")
    },
    Case(.embeds, "come by a table between", needs: .embeds) { subject in
      let route = DatabaseRoute.fetch(
        from: "player", filteredBy: id.in([1, 4]), order: .ascending("id")
      ).embedding(.init("hobby", as: "hobbies", orderedBy: [.ascending("name")]))
      try subject.expect(
        try await subject.executor.values(Member.self, for: route),
        [
          Member(name: "Ada", hobbies: [.init(name: "chess"), .init(name: "go")]),
          Member(name: "Dan", hobbies: []),
        ], "\(route)")
    },
    .fails(
      .embeds, "that no key leads to are an error",
      DatabaseRoute.fetch(from: "team").embedding(.init("tag")), .unknownRelation, needs: .embeds),
    .fails(
      .embeds, "of a table that isn't there are an error",
      DatabaseRoute.fetch(from: "team").embedding(.init("nix")), .unknownTable, needs: .embeds),
  ]

  private static func search(
    _ name: String, _ query: String, _ kind: DatabaseRoute.Operator, _ titles: [String]
  ) -> Case {
    Case(.fullText, name, needs: .fullText, writes: true) { subject in
      try await subject.executor.perform(
        insert(
          rows(["title", "body"], [["fox", "red and quick"], ["dog", "quick or NOT"]]),
          into: "doc"))
      let route = DatabaseRoute.fetch(
        from: "doc", filteredBy: DatabaseRoute.Column("doc").search(query, as: kind))
      try await subject.expectRowsInAnyOrder(
        titles.map { [.text($0)] }, route.selecting("title"))
    }
  }

  private static let searchCases: [Case] = [
    search("each of the words", "quick red", .plainSearch, ["fox"]),
    search("words that are operators elsewhere", "NOT or", .plainSearch, ["dog"]),
    search("words of signs find nothing, and break nothing", "\"; * ( -", .plainSearch, []),
    search("words one after another", "and quick", .phraseSearch, ["fox"]),
    search("as people write: one without another", "quick -red", .webSearch, ["dog"]),
    search("as people write: one or another", "red or dog", .webSearch, ["fox", "dog"]),
    .fails(
      .fullText, "a table that is none is unsupported",
      .fetch(from: "team", filteredBy: name.search("x")), .unsupported),
    .finds(
      .regularExpressions, "match minds case", name.matches("^A.*a$"), [1],
      needs: .regularExpressions),
    .finds(
      .regularExpressions, "iMatch does not", name.iMatches("^A.*[an]$"), [1, 2],
      needs: .regularExpressions),
  ]

  private static func custom(
    _ sql: SQL, _ arguments: [SQLiteValue] = [], _ access: DatabaseRoute.CustomStatement.Access
  ) -> DatabaseRoute {
    var route = DatabaseRoute(.custom, "team")
    // Without a statement the route is invalid, and its case fails.
    route.statement = try? .init(sql, values: arguments, access: access)
    return route
  }

  private static let customCases: [Case] = [
    .reads(
      .customRoutes, "SQL that reads", custom("SELECT name FROM team WHERE id = ?", [2], .read),
      [["Blues"]], needs: .customRoutes),
    .writes(
      .customRoutes, "SQL that writes",
      custom("UPDATE team SET name = ? WHERE id > ?", ["x", 1], .write),
      affecting: 2, leaving: [[1, "Reds"], [2, "x"], [3, "x"]], needs: .customRoutes),
    .refuses(
      .customRoutes, "SQL that writes more rows than are expected",
      custom("UPDATE team SET name = 'x'", .write).expecting(.one), code: .multipleRows,
      needs: .customRoutes),
    .refuses(
      .customRoutes, "SQL that is said to read, and writes",
      custom("DELETE FROM tag", .read), leaving: "tag", needs: .customRoutes),
    .fails(
      .customRoutes, "no SQL is invalid", DatabaseRoute(.custom, "team"), .invalidRoute,
      needs: .customRoutes),
  ]

  private static func custom(
    _ sql: SQL, _ access: DatabaseRoute.CustomStatement.Access
  ) -> DatabaseRoute {
    custom(sql, [], access)
  }

  private static func many(_ count: Int) -> DatabaseRoute {
    insert((1...count).map { ["size": .integer(Int64($0))] }, into: "draft")
  }

  private static let limitCases: [Case] = [
    Case(.limits, "the most rows are of reads, and not of writes", needs: .limits, writes: true) {
      subject in
      let response = try await subject.executor.run(many(maximumRows + 1))
      try subject.expect(response.rows.count, maximumRows + 1, "the rows that are given back")
      try await subject.expectCode(.tooManyRows, .fetch(from: "draft"))
      let part = DatabaseRoute.fetch(from: "draft").limited(to: maximumRows)
      try subject.expect(
        try await subject.executor.run(part).rows.count, maximumRows, "the rows of \(part)")
      try await subject.expectRows([[.integer(Int64(maximumRows + 1))]], .count(from: "draft"))
    },
    .refuses(
      .limits, "more rows than a route may write", many(maximumAffected + 1), code: .tooManyRows,
      needs: .limits),
    .writes(
      .limits, "as many rows as a route may write", many(maximumAffected).returning(.minimal),
      affecting: maximumAffected, needs: .limits),
  ]
}
