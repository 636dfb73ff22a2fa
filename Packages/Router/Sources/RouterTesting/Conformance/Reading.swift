internal import Router
internal import SQLiteCore

extension RouteExecutorConformance {
  /// A row of `team`, decoded.
  struct Team: Codable, Hashable, Sendable {
    var id: Int
    var name: String
  }

  /// A row of any table with a name.
  struct Named: Decodable, Hashable, Sendable { var name: String }

  private static let teams = DatabaseRoute.fetch(from: "team", order: .ascending("id"))

  /// Reads: the columns, the number of rows, and the types of values.
  static let readingCases: [Case] =
    columnCases + partCases + singleCases + countCases + unknownCases + decodingCases

  private static let columnCases: [Case] =
    [
      .reads(
        .reading, "a fetch returns all columns in order", teams,
        [[1, "Reds"], [2, "Blues"], [3, "Empty"]]),
      Case(.reading, "a response names its columns") { subject in
        try subject.expect(
          try await subject.executor.run(teams).columns, ["id", "name"], "the columns")
        try subject.expect(
          try await subject.executor.run(teams.selecting("name")).columns, ["name"], "the columns")
      },
      Case(.reading, "a read writes nothing") { subject in
        try subject.expect(try await subject.executor.run(teams).affected, 0, "rows written")
      },
      .reads(
        .reading, "columns are in the order of the selection",
        teams.selecting("name", "id"),
        [["Reds", 1], ["Blues", 2], ["Empty", 3]]),
      .reads(
        .reading, "names of tables and columns ignore ASCII case",
        .fetch(from: "TEAM", filteredBy: DatabaseRoute.Column("ID").equals(2)).selecting("NAME"),
        [["Blues"]], needs: .caseInsensitiveNames),
      .reads(.reading, "an empty table has no rows", .fetch(from: "draft"), []),
      .reads(
        .reading, "NULL is NULL", .fetch(from: "item", filteredBy: .id(4)).selecting("name"),
        [[nil]]),
      .reads(
        .reading, "an empty blob is not NULL",
        .fetch(from: "item", filteredBy: .id(3)).selecting("data"),
        [[.blob([])]]),
    ]

  private static let partCases: [Case] =
    [
      .reads(
        .reading, "limit returns the first rows", teams.limited(to: 2).selecting("id"), [[1], [2]]),
      .reads(.reading, "limit 0 returns no rows", teams.limited(to: 0), []),
      .reads(
        .reading, "a limit may exceed the number of rows", teams.limited(to: 9).selecting("id"),
        [[1], [2], [3]]),
      .reads(
        .reading, "offset skips the first rows", teams.limited(to: 2, offset: 1).selecting("id"),
        [[2], [3]]),
      .reads(
        .reading, "an offset past the end returns no rows", teams.limited(to: 2, offset: 3), []),
      .reads(
        .reading, "an offset far past the end returns no rows",
        teams.limited(to: 1, offset: 1_000_000), []),
      .reads(
        .reading, "an offset does not require a limit", offset(teams, 2).selecting("id"), [[3]]),
      .reads(
        .reading, "limit counts filtered rows",
        .fetch(from: "team", filteredBy: id.greaterThan(1), order: .ascending("id"))
          .limited(to: 1).selecting("id"), [[2]]),
      .reads(
        .reading, "a limit without an order uses the primary key's order",
        DatabaseRoute.fetch(from: "player").limited(to: 2, offset: 1).selecting("id"), [[2], [3]]),
      .fails(.reading, "a negative limit is invalid", teams.limited(to: -1), .invalidRoute),
      .fails(.reading, "a negative offset is invalid", offset(teams, -1), .invalidRoute),
    ]

  private static let singleCases: [Case] =
    [
      .reads(.reading, "fetchOne by key", .fetchOne(id: 2, from: "team"), [[2, "Blues"]]),
      .reads(.reading, "fetchOne of no row returns no row", .fetchOne(id: 9, from: "team"), []),
      .fails(
        .reading, "fetchOne of several rows is an error", .fetchOne(from: "team"), .multipleRows),
      .reads(
        .reading, "the first of several rows is not an error",
        DatabaseRoute.fetchOne(from: "team").ordered(by: .descending("id")).first(), [[3, "Empty"]]),
      .reads(
        .reading, "id is the primary key, whatever its name",
        .fetchOne(id: "red", from: "tag"), [["red"]]),
      .fails(
        .reading, "more rows than expected are an error",
        teams.expecting(.atMost(2)), .tooManyRows),
      .reads(
        .reading, "a met expectation has no effect",
        teams.expecting(.atMost(3)).selecting("id"), [[1], [2], [3]]),
      .fails(
        .reading, "no row is an error if one is expected",
        .fetch(from: "draft").expecting(.one), .notFound),
    ]

  private static let countCases: [Case] =
    [
      .reads(.reading, "count returns one number", .count(from: "item"), [[7]]),
      .reads(
        .reading, "count counts filtered rows",
        .count(from: "item", filteredBy: [done.isTrue()]),
        [[3]]),
      .reads(.reading, "count of no rows is 0", .count(from: "draft"), [[0]]),
      .reads(
        .reading, "count with a limit is at most the limit",
        DatabaseRoute.count(from: "item").limited(to: 4),
        [[4]]),
      .reads(
        .reading, "count with a high limit counts all rows",
        DatabaseRoute.count(from: "item").limited(to: 40), [[7]]),
    ]

  private static let unknownCases: [Case] =
    [
      .fails(
        .reading, "an unknown table", .fetch(from: "no such table"), .unknownTable),
      .fails(
        .reading, "an unknown column in a selection", teams.selecting("nix"), .unknownColumn),
      .fails(
        .reading, "an unknown column in a filter",
        .fetch(from: "team", filteredBy: DatabaseRoute.Column("nix").equals("nix")), .unknownColumn),
      .fails(
        .reading, "an unknown column in an order",
        .fetch(from: "team", order: .ascending("nix")), .unknownColumn),
      .fails(
        .reading, "an unknown column compared with an empty list",
        .fetch(from: "team", filteredBy: DatabaseRoute.Column("nix").in([Int]())), .unknownColumn),
    ]

  private static let decodingCases: [Case] = [
    Case(.reading, "rows are decoded as values of a type") { subject in
      let values = try await subject.executor.values(Team.self, for: teams)
      try subject.expect(
        values,
        [.init(id: 1, name: "Reds"), .init(id: 2, name: "Blues"), .init(id: 3, name: "Empty")],
        "\(teams)")
    },
    Case(.reading, "a value may have fewer properties than columns") { subject in
      let value = try await subject.executor.value(Named.self, for: .fetchOne(id: 1, from: "team"))
      try subject.expect(value, Named(name: "Reds"), "the value")
    },
    Case(.reading, "one column may be decoded as a plain value") { subject in
      let names = try await subject.executor.values(String.self, for: teams.selecting("name"))
      try subject.expect(names, ["Reds", "Blues", "Empty"], "the names")
      let count = try await subject.executor.value(Int.self, for: .count(from: "team"))
      try subject.expect(count, 3, "the count")
    },
    Case(.reading, "NULL is nil in an optional property") { subject in
      struct Player: Decodable, Hashable, Sendable { var id: Int; var score: Int? }
      let value = try await subject.executor.value(
        Player.self, for: .fetchOne(id: 3, from: "player"))
      try subject.expect(value, Player(id: 3, score: nil), "the value")
    },
    Case(.reading, "NULL is an error in a non-optional property") { subject in
      struct Player: Decodable, Sendable { var score: Int }
      try await subject.expectError("a NULL as an Int") {
        _ = try await subject.executor.values(Player.self, for: .fetch(from: "player"))
      }
    },
    Case(.reading, "a text is an error in a number property") { subject in
      struct Team: Decodable, Sendable { var name: Int }
      try await subject.expectError("a text as an Int") {
        _ = try await subject.executor.values(Team.self, for: teams)
      }
    },
    Case(.reading, "a missing column of a property is an error") {
      subject in
      try await subject.expectError("no name") {
        _ = try await subject.executor.values(Team.self, for: teams.selecting("id"))
      }
    },
  ]

  private static func offset(_ route: DatabaseRoute, _ offset: Int) -> DatabaseRoute {
    var route = route
    route.offset = offset
    return route
  }
}
