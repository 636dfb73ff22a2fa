internal import Router
internal import SQLiteCore

extension RouteExecutorConformance {
  /// A row of `team`, decoded.
  struct Team: Codable, Hashable, Sendable {
    var id: Int
    var name: String
  }

  private static let teams = DatabaseRoute.fetch(from: "team", order: .ascending("id"))

  /// Rows that are read: which columns, how many, and as what.
  static let readingCases: [Case] =
    columnCases + partCases + singleCases + countCases + unknownCases + decodingCases

  private static let columnCases: [Case] =
    [
      .reads(
        .reading, "a fetch gives all columns in their order", teams,
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
        .reading, "columns come in the order in which they are asked for",
        teams.selecting("name", "id"),
        [["Reds", 1], ["Blues", 2], ["Empty", 3]]),
      .reads(
        .reading, "names of tables and columns don't mind the case of letters of ASCII",
        .fetch(from: "TEAM", filteredBy: DatabaseRoute.Column("ID").equals(2)).selecting("NAME"),
        [["Blues"]]),
      .reads(.reading, "an empty table has no rows", .fetch(from: "draft"), []),
      .reads(
        .reading, "NULL is NULL", .fetch(from: "item", filteredBy: .id(4)).selecting("name"),
        [[nil]]),
      .reads(
        .reading, "no bytes are not NULL",
        .fetch(from: "item", filteredBy: .id(3)).selecting("data"),
        [[.blob([])]]),
    ]

  private static let partCases: [Case] =
    [
      .reads(
        .reading, "limit gives the first rows", teams.limited(to: 2).selecting("id"), [[1], [2]]),
      .reads(.reading, "limit 0 gives none", teams.limited(to: 0), []),
      .reads(
        .reading, "a limit may be more than there are", teams.limited(to: 9).selecting("id"),
        [[1], [2], [3]]),
      .reads(
        .reading, "offset leaves the first out", teams.limited(to: 2, offset: 1).selecting("id"),
        [[2], [3]]),
      .reads(.reading, "an offset past the end gives none", teams.limited(to: 2, offset: 3), []),
      .reads(
        .reading, "an offset far past the end gives none", teams.limited(to: 1, offset: 1_000_000),
        []),
      .reads(.reading, "an offset needs no limit", offset(teams, 2).selecting("id"), [[3]]),
      .reads(
        .reading, "limit counts what the filter leaves",
        .fetch(from: "team", filteredBy: id.greaterThan(1), order: .ascending("id"))
          .limited(to: 1).selecting("id"), [[2]]),
      .reads(
        .reading, "rows of a limit without an order are told by the primary key",
        DatabaseRoute.fetch(from: "player").limited(to: 2, offset: 1).selecting("id"), [[2], [3]]),
      .fails(.reading, "a negative limit is invalid", teams.limited(to: -1), .invalidRoute),
      .fails(.reading, "a negative offset is invalid", offset(teams, -1), .invalidRoute),
    ]

  private static let singleCases: [Case] =
    [
      .reads(.reading, "fetchOne by its key", .fetchOne(id: 2, from: "team"), [[2, "Blues"]]),
      .reads(.reading, "fetchOne of none gives none", .fetchOne(id: 9, from: "team"), []),
      .fails(.reading, "fetchOne of several is an error", .fetchOne(from: "team"), .multipleRows),
      .reads(
        .reading, "the first of several is no error",
        DatabaseRoute.fetchOne(from: "team").ordered(by: .descending("id")).first(), [[3, "Empty"]]),
      .reads(
        .reading, "id stands for the primary key, whatever it is called",
        .fetchOne(id: "red", from: "tag"), [["red"]]),
      .fails(
        .reading, "an expectation that the rows exceed is an error",
        teams.expecting(.atMost(2)), .tooManyRows),
      .reads(
        .reading, "an expectation that the rows meet changes nothing",
        teams.expecting(.atMost(3)).selecting("id"), [[1], [2], [3]]),
      .fails(
        .reading, "an expectation of one is not met by none",
        .fetch(from: "draft").expecting(.one), .notFound),
    ]

  private static let countCases: [Case] =
    [
      .reads(.reading, "count gives one number", .count(from: "item"), [[7]]),
      .reads(
        .reading, "count counts what the filter leaves",
        .count(from: "item", filteredBy: [done.isTrue()]),
        [[3]]),
      .reads(.reading, "count of none is 0", .count(from: "draft"), [[0]]),
      .reads(
        .reading, "count with a limit counts no further",
        DatabaseRoute.count(from: "item").limited(to: 4),
        [[4]]),
      .reads(
        .reading, "count with a limit of more than there are counts them all",
        DatabaseRoute.count(from: "item").limited(to: 40), [[7]]),
    ]

  private static let unknownCases: [Case] =
    [
      .fails(
        .reading, "a table that isn't there", .fetch(from: "no such table"), .unknownTable),
      .fails(
        .reading, "a column that isn't there, selected", teams.selecting("nix"), .unknownColumn),
      .fails(
        .reading, "a column that isn't there, in a filter",
        .fetch(from: "team", filteredBy: DatabaseRoute.Column("nix").equals("nix")), .unknownColumn),
      .fails(
        .reading, "a column that isn't there, in an order",
        .fetch(from: "team", order: .ascending("nix")), .unknownColumn),
      .fails(
        .reading, "a column that isn't there, compared with no list",
        .fetch(from: "team", filteredBy: DatabaseRoute.Column("nix").in([Int]())), .unknownColumn),
    ]

  private static let decodingCases: [Case] = [
    Case(.reading, "rows become values of a type") { subject in
      let values = try await subject.executor.values(Team.self, for: teams)
      try subject.expect(
        values,
        [.init(id: 1, name: "Reds"), .init(id: 2, name: "Blues"), .init(id: 3, name: "Empty")],
        "\(teams)")
    },
    Case(.reading, "a value may have fewer properties than there are columns") { subject in
      struct Name: Decodable, Hashable, Sendable { var name: String }
      let value = try await subject.executor.value(Name.self, for: .fetchOne(id: 1, from: "team"))
      try subject.expect(value, Name(name: "Reds"), "the value")
    },
    Case(.reading, "one column may be read as a plain value") { subject in
      let names = try await subject.executor.values(String.self, for: teams.selecting("name"))
      try subject.expect(names, ["Reds", "Blues", "Empty"], "the names")
      let count = try await subject.executor.value(Int.self, for: .count(from: "team"))
      try subject.expect(count, 3, "the count")
    },
    Case(.reading, "NULL is nil in a property that may be") { subject in
      struct Player: Decodable, Hashable, Sendable { var id: Int; var score: Int? }
      let value = try await subject.executor.value(
        Player.self, for: .fetchOne(id: 3, from: "player"))
      try subject.expect(value, Player(id: 3, score: nil), "the value")
    },
    Case(.reading, "NULL is an error in a property that may not be") { subject in
      struct Player: Decodable, Sendable { var score: Int }
      try await subject.expectError("a NULL as an Int") {
        _ = try await subject.executor.values(Player.self, for: .fetch(from: "player"))
      }
    },
    Case(.reading, "a text is an error in a property that is a number") { subject in
      struct Team: Decodable, Sendable { var name: Int }
      try await subject.expectError("a text as an Int") {
        _ = try await subject.executor.values(Team.self, for: teams)
      }
    },
    Case(.reading, "a column that a property needs is an error where it isn't selected") {
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
