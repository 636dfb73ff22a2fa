internal import Router
internal import SQLiteCore

extension RouteExecutorConformance {
  /// Optional features of executors.
  static let extraCases: [Case] =
    jsonCases + embedCases + searchCases + customCases + limitCases

  private static let jsonCases: [Case] = [
    .finds(.json, "contains one element", tags.contains(["a"]), [1, 2], needs: .json),
    .finds(.json, "contains several elements", tags.contains(["a", "b"]), [1], needs: .json),
    .finds(
      .json, "contains no elements selects every array", tags.contains([String]()), [1, 2, 3, 6],
      needs: .json),
    .finds(.json, "contains a number", tags.contains([1]), [6], needs: .json),
    .finds(.json, "containedBy", tags.containedBy(["a"]), [2, 3], needs: .json),
    .finds(.json, "overlaps", tags.overlaps(["b", "c"]), [1], needs: .json),
    .finds(
      .json, "a value that is not an array is never selected", !tags.overlaps(["b"]), [2, 3, 6],
      needs: .json),
    .finds(.json, "an array index", tags.at(0).equals("a"), [1, 2], needs: .json),
    .finds(.json, "an object key", tags.at("a").equals(1), [5], needs: .json),
    .finds(
      .json, "a missing array element is NULL", tags.at(1).isNull() && tags.isNotNull(),
      [2, 3, 5, 6], needs: .json),
    .reads(
      .json, "a selected path is a column",
      .fetch(from: "item", filteredBy: .id(5)).selecting("id", tags.at("a")), [[5, 1]], needs: .json
    ),
    .refuses(
      .json, "refuses writing a path", update([tags.at("a"): 2], in: "item", .id(5)),
      code: .invalidRoute, needs: .json),
  ]

  private struct Squad: Decodable, Hashable, Sendable {
    var name: String
    var players: [Named]

    init(_ name: String, _ players: [String]) {
      self.name = name
      self.players = players.map(Named.init)
    }
  }

  private struct Member: Decodable, Hashable, Sendable {
    var name: String
    var side: Named?
    var hobbies: [Named]?
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
      "to-many rows are an array, possibly empty",
      .init("player", as: "players", orderedBy: [.ascending("name")]),
      [Squad("Reds", ["Ada", "Bea"]), Squad("Blues", ["Cal"]), Squad("Empty", [])]),
    squads(
      "to-many rows have an order and a limit per row",
      .init("player", as: "players", orderedBy: [.descending("name")], limit: 1),
      [Squad("Reds", ["Bea"]), Squad("Blues", ["Cal"]), Squad("Empty", [])]),
    squads(
      "to-many rows have a filter, which removes no parent row",
      .init("player", as: "players", filteredBy: DatabaseRoute.Column("score").greaterThan(5)),
      [Squad("Reds", ["Bea"]), Squad("Blues", []), Squad("Empty", [])]),
    squads(
      "required rows remove parent rows without them",
      .init("player", as: "players", orderedBy: [.ascending("name")], isRequired: true),
      [Squad("Reds", ["Ada", "Bea"]), Squad("Blues", ["Cal"])]),
    Case(.embeds, "a to-one row is a value, or missing", needs: .embeds) { subject in
      let route = DatabaseRoute.fetch(
        from: "player", filteredBy: id.in([1, 4]), order: .ascending("id")
      ).embedding(.init("team", as: "side"))
      try subject.expect(
        try await subject.executor.values(Member.self, for: route),
        [Member(name: "Ada", side: .init(name: "Reds")), Member(name: "Dan")], "\(route)")
    },
    Case(.embeds, "rows are found through a join table", needs: .embeds) { subject in
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
      .embeds, "refuses a table without a foreign key",
      DatabaseRoute.fetch(from: "team").embedding(.init("tag")), .unknownRelation, needs: .embeds),
    .fails(
      .embeds, "refuses an unknown table",
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
    search("all words must match", "quick red", .plainSearch, ["fox"]),
    search("words that are operators elsewhere are plain words", "NOT or", .plainSearch, ["dog"]),
    search("punctuation finds nothing, and is not an error", "\"; * ( -", .plainSearch, []),
    search("a phrase", "and quick", .phraseSearch, ["fox"]),
    search("web search: a word without another", "quick -red", .webSearch, ["dog"]),
    search("web search: a word or another", "red or dog", .webSearch, ["fox", "dog"]),
    .fails(
      .fullText, "a table that is not a full-text table is unsupported",
      .fetch(from: "team", filteredBy: name.search("x")), .unsupported, needs: .fullTextTables),
    .finds(
      .regularExpressions, "match is case-sensitive", name.matches("^A.*a$"), [1],
      needs: .regularExpressions),
    .finds(
      .regularExpressions, "iMatch is case-insensitive", name.iMatches("^A.*[an]$"), [1, 2],
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
      .customRoutes, "refuses SQL that writes more rows than expected",
      custom("UPDATE team SET name = 'x'", .write).expecting(.one), code: .multipleRows,
      needs: .customRoutes),
    .refuses(
      .customRoutes, "refuses SQL that writes but is declared as reading",
      custom("DELETE FROM tag", .read), leaving: "tag", needs: .customRoutes),
    .fails(
      .customRoutes, "a missing statement is invalid", DatabaseRoute(.custom, "team"),
      .invalidRoute, needs: .customRoutes),
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
    Case(.limits, "the row limit applies to reads, not to writes", needs: .limits, writes: true) {
      subject in
      let response = try await subject.executor.run(many(maximumRows + 1))
      try subject.expect(response.rows.count, maximumRows + 1, "the returned rows")
      try await subject.expectCode(.tooManyRows, .fetch(from: "draft"))
      let part = DatabaseRoute.fetch(from: "draft").limited(to: maximumRows)
      try subject.expect(
        try await subject.executor.run(part).rows.count, maximumRows, "the rows of \(part)")
      try await subject.expectRows([[.integer(Int64(maximumRows + 1))]], .count(from: "draft"))
    },
    .refuses(
      .limits, "refuses more rows than a route may write", many(maximumAffected + 1),
      code: .tooManyRows, needs: .limits),
    .writes(
      .limits, "as many rows as a route may write", many(maximumAffected).returning(.minimal),
      affecting: maximumAffected, needs: .limits),
  ]
}
