import Observe
import ObserveTesting
import Router
import SQLiteCore
import Testing

/// The commits that rerun a route.
@Suite struct `The region of a live route` {
  typealias Route = DatabaseRoute

  static let team = Column("team")

  struct Case: CustomTestStringConvertible, Sendable {
    var route: Route
    /// Commits that do not affect it.
    var others: [String]
    /// Commits that affect it.
    var own: [String]

    var testDescription: String { "\(route)" }
  }

  static let insertBlue = "INSERT INTO player (name, team) VALUES ('N', 2)"
  static let deleteBlues = "DELETE FROM player WHERE team = 2"
  static let renameTeam = "UPDATE team SET name = name || '!' WHERE id = 2"

  static let cases: [Case] = [
    Case(
      route: .fetch(from: "player", filteredBy: team.equals(1)),
      others: [insertBlue, "UPDATE player SET name = 'Z' WHERE team = 2", renameTeam, deleteBlues],
      own: ["UPDATE player SET team = 1 WHERE id = 2", "UPDATE player SET team = 3 WHERE id = 1"]),
    Case(
      route: .fetch(from: "player", filteredBy: team.equals(1)).selecting("name").limited(to: 1),
      others: ["UPDATE player SET score = 3", insertBlue],
      own: ["INSERT INTO player (name, team) VALUES ('Z', 1)", "UPDATE player SET name = 'W'"]),
    Case(
      route: .fetchOne(id: 2, from: "player"),
      others: ["UPDATE player SET name = 'Z' WHERE id = 1", "DELETE FROM player WHERE id = 3"],
      own: ["UPDATE player SET name = 'Z' WHERE id = 2", "DELETE FROM player"]),
    Case(
      route: .fetchOne(id: "b", from: "tag"), others: ["DELETE FROM tag WHERE name = 'a'"],
      own: ["UPDATE tag SET uses = 9 WHERE name = 'b'"]),
    Case(
      route: .count(from: "player", filteredBy: [team.in([1, 3])]),
      others: [insertBlue, "UPDATE player SET name = 'Z'"],
      own: ["UPDATE player SET team = 3 WHERE id = 2"]),
    Case(
      route: .fetch(
        from: "player", filteredBy: team.equals(1) && Column("name").hasPrefix("A"),
        order: .descending("score")),
      others: [insertBlue], own: ["UPDATE player SET score = 4 WHERE id = 1"]),
    Case(
      route: .fetch(from: "player", filteredBy: !(team.equals(1) || team.isNull())),
      others: ["UPDATE player SET name = 'Z' WHERE team = 1"], own: [insertBlue]),
    Case(
      route: .fetch(from: "player", filteredBy: Column("score").isTrue()),
      others: [insertBlue, "UPDATE player SET score = 0"], own: ["UPDATE player SET score = 2"]),
    Case(
      route: .fetch(from: "player", filteredBy: team.isNotDistinct(from: Int?.none)),
      others: [insertBlue], own: ["UPDATE player SET team = NULL WHERE id = 1"]),
    Case(
      route: .fetch(from: "team", filteredBy: .id(1)).embedding(
        .init("player", filteredBy: Column("score").greaterThan(10))),
      others: [renameTeam, insertBlue, "UPDATE player SET score = 10"],
      own: ["UPDATE player SET score = 11 WHERE id = 1", "UPDATE team SET name = 'X'"]),
    // The route reads players twice, and each can be a mate.
    Case(
      route: .fetch(from: "player", filteredBy: .id(1)).embedding(
        .init("team", embedding: [.init("player", as: "mates")])),
      others: [], own: [insertBlue, "UPDATE player SET name = 'Z' WHERE id = 3"]),
    Case(
      route: .fetch(from: "red", filteredBy: Column("id").equals(1)), others: [renameTeam],
      own: [insertBlue]),
    // A profile that is not JSON would be an error for any team.
    Case(
      route: .fetch(
        from: "player", filteredBy: team.equals(1) && Column("profile").at("a").equals(1)),
      others: [renameTeam], own: ["UPDATE player SET profile = '{' WHERE team = 2"]),
  ]

  static let schema =
    playerSchema + """
      CREATE TABLE tag (name TEXT COLLATE NOCASE PRIMARY KEY, uses INTEGER) WITHOUT ROWID;
      INSERT INTO tag VALUES ('a', 1), ('b', 2);
      CREATE VIEW red AS SELECT id, name FROM player WHERE team = 1;
      """

  @Test(arguments: cases)
  func `has the rows of its filter, and the columns that it reads`(_ expected: Case) async throws {
    for (scripts, count) in [(expected.others, 0), (expected.own, 1)] {
      for script in scripts {
        let database = try database(Self.schema)
        let executor = SQLiteRouteExecutor(database)
        let values = await Recording(
          executor.observeValues(Cells.self, for: expected.route).results, of: database)
        #expect(try await database.fetches(after: script) == count, "\(script)")
        #expect(values.values.count == 1 + count)
      }
    }
  }

  @Test func `has one row each for a hundred routes`() async throws {
    let database = try database(
      "CREATE TABLE item (id INTEGER PRIMARY KEY, name TEXT);"
        + (0..<100).map { "INSERT INTO item VALUES (\($0), 'n');" }.joined())
    let executor = SQLiteRouteExecutor(database)
    var recordings: [Recording<[Cells]>] = []
    for id in 0..<100 {
      recordings.append(
        await Recording(
          executor.observeValues(Cells.self, for: .fetchOne(id: id, from: "item")), of: database))
    }
    #expect(try await database.fetches(after: "UPDATE item SET name = 'm' WHERE id = 42") == 1)
    #expect(recordings[42].values.count == 2)
    #expect(recordings[41].values.count == 1)
  }

  @Test func `has only the rows that a row filter allows`() async throws {
    let database = try database(Self.schema)
    var executor = SQLiteRouteExecutor(database)
    executor.rowFilters = ["PLAYER": Self.team.equals(1)]
    let rows = await Recording(
      executor.observeValues(Cells.self, for: .fetch(from: "player")), of: database)
    let teams = await Recording(
      executor.observeValues(Cells.self, for: .fetch(from: "team").embedding(.init("player"))),
      of: database)
    #expect(try await database.fetches(after: Self.insertBlue) == 0)
    #expect(try await database.fetches(after: "UPDATE player SET score = 3 WHERE id = 1") == 2)
    #expect(rows.values.count == 2)
    #expect(teams.values.count == 2)
  }

  @Test func `has the columns that SQLite reports for a custom route`() async throws {
    let database = try database(Self.schema)
    let executor = SQLiteRouteExecutor(database)
    let route = try Route.custom(on: "player") { _ in "SELECT max(score) FROM player" }
    let top = await Recording(
      executor.observeOptionalValue(Int?.self, for: route), of: database)
    #expect(try await database.fetches(after: Self.renameTeam) == 0)
    #expect(try await database.fetches(after: "UPDATE player SET name = 'Z'") == 0)
    #expect(try await database.fetches(after: "UPDATE player SET score = 7") == 1)
    #expect(top.values == [.some(nil), .some(7)])
  }

  // To SQLite, a list is a column of a table: a number in the list is not converted to text.
  @Test func `distinguishes a number in a list from text`() async throws {
    let database = try database(
      "CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT); INSERT INTO t VALUES (1, '5');")
    let executor = SQLiteRouteExecutor(database)
    for filter in [Column("a").notIn([5]), !Column("a").in([5])] {
      let route = Route.fetch(from: "t", filteredBy: filter)
      let rows = await Recording(executor.observeValues(Cells.self, for: route), of: database)
      try await database.run("INSERT INTO t (a) VALUES ('5')")
      await rows.waitUntilIdle()
      #expect(rows.values.last == (try await executor.values(Cells.self, for: route)))
    }
  }

  @Test func `is the same for a query request`() async throws {
    let database = try database(Self.schema)
    await #expect(try Self.query(database) == nil)
    let controller = await Self.controller(database)
    await controller.waitUntilIdle(in: database)
    #expect(await controller.value.map(\.name) == ["Ada", "Cy"])
    #expect(try await database.fetches(after: Self.insertBlue) == 0)
    try await database.run("DELETE FROM player WHERE id = 1")
    await controller.waitUntilIdle(in: database)
    #expect(await controller.value.map(\.name) == ["Cy"])
    try await database.run("ALTER TABLE player RENAME TO athlete")
    await controller.waitUntilIdle(in: database)
    #expect(await (controller.error as? RouterError)?.code == .unknownTable)
    try await database.run("ALTER TABLE athlete RENAME TO player")
    await controller.waitUntilIdle(in: database)
    #expect(await controller.error == nil)
    #expect(await controller.value.map(\.name) == ["Cy"])
  }

  // Policies belong to the executor, which is the context here.
  @Test func `is the same for an executor request`() async throws {
    struct Reds: Queryable {
      static var defaultValue: [Player] { [] }

      func values(in executor: SQLiteRouteExecutor) -> DatabaseRoute.Observation<[Player]> {
        executor.observeValues(for: `Live routes`.reds)
      }
    }
    let database = try database(Self.schema)
    var executor = SQLiteRouteExecutor(database)
    let free = await QueryController(Reds(), in: executor)
    executor.policies = [{ _ in throw RouterError(code: .refused, message: "no") }]
    let refused = await QueryController(Reds(), in: executor)
    await free.waitUntilIdle(in: database)
    await refused.waitUntilIdle(in: database)
    #expect(await free.value.map(\.name) == ["Ada", "Cy"])
    #expect(await (refused.error as? RouterError)?.code == .refused)
  }

  @MainActor private static func controller(
    _ database: Database
  ) -> QueryController<RouteRequest<Player>> {
    QueryController(RouteRequest(`Live routes`.reds), in: .readOnly { database })
  }

  @MainActor private static func query(_ database: Database) throws -> String? {
    struct Screen {
      @Query(RouteRequest(`Live routes`.reds)) var reds: [Player]
      @Query(RouteRequest<Todo>(.fetch(from: "todos"))) var todos: [Todo]
    }
    let screen = QueryEnvironment.with(\.databaseContext, .readOnly { database }) { Screen() }
    return screen.reds.first?.name
  }
}
