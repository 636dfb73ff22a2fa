import Router
import SQLiteCore
import Testing

@Suite struct `Embedded rows` {
  static let schema = """
    CREATE TABLE team (id INTEGER PRIMARY KEY, name TEXT, isOpen BOOLEAN);
    CREATE TABLE player (
      id INTEGER PRIMARY KEY, name TEXT, score INTEGER, team INTEGER REFERENCES team,
      captain INTEGER REFERENCES player (id));
    CREATE TABLE prize (id INTEGER PRIMARY KEY, name TEXT);
    CREATE TABLE award (
      player INTEGER REFERENCES player, prize INTEGER REFERENCES prize,
      PRIMARY KEY (player, prize));
    INSERT INTO team VALUES (1, 'red', 1), (2, 'blue', 0), (3, 'empty', NULL);
    INSERT INTO player VALUES
      (1, 'Ada', 7, 1, NULL), (2, 'Bob', 3, 1, 1), (3, 'Cy', 9, 2, NULL), (4, 'Di', 1, NULL, 1);
    INSERT INTO prize VALUES (1, 'cup'), (2, 'hat');
    INSERT INTO award VALUES (1, 1), (1, 2), (3, 2);
    """

  struct Team: Codable, Hashable, Sendable {
    var id: Int
    var name: String
    var isOpen: Bool?
    var player: [Player]?
  }

  struct Player: Codable, Hashable, Sendable {
    var id: Int
    var name: String
    var team: Team?
    var prizes: [Named]?
  }

  struct Named: Codable, Hashable, Sendable { var name: String }

  static func executor() throws -> SQLiteRouteExecutor {
    SQLiteRouteExecutor(try database(schema))
  }

  @Test func `can be one row or NULL, with booleans`() async throws {
    let route = DatabaseRoute.fetch(from: "player", order: .ascending("id"))
      .selecting("id", "name").embedding(.init("team"))
    let players = try await Self.executor().values(Player.self, for: route)
    #expect(players.map(\.team?.name) == ["red", "red", "blue", nil])
    #expect(players.map(\.team?.isOpen) == [true, true, false, nil])
  }

  @Test func `replace a column of their name if no columns are selected`() async throws {
    let executor = try Self.executor()
    let player = try await executor.value(
      Player.self, for: .fetchOne(id: 1, from: "player").embedding(.init("team")))
    #expect(player.team?.name == "red")
    let nested = DatabaseRoute.fetchOne(id: 2, from: "player").embedding(
      .init("player", as: "captain", via: "captain", embedding: [.init("team")]))
    let row = try await executor.run(nested)
    #expect(row.columns == ["id", "name", "score", "team", "captain"])
    for route: DatabaseRoute in [
      .fetch(from: "player").selecting("team").embedding(.init("team")),
      .fetch(from: "player").embedding(.init("team", as: "a"), .init("prize", as: "A")),
    ] {
      #expect(await code { _ = try await executor.run(route) } == .invalidRoute)
    }
  }

  @Test func `can be many, filtered, ordered and limited per parent row`() async throws {
    let route = DatabaseRoute.fetch(from: "team", order: .ascending("id")).embedding(
      .init(
        "player", columns: ["id", "name"], filteredBy: Column("score").greaterThan(2),
        orderedBy: [.descending("score")], limit: 1))
    let teams = try await Self.executor().values(Team.self, for: route)
    #expect(teams.map { $0.player?.map(\.name) } == [["Ada"], ["Cy"], []])
  }

  @Test func `can be joined through another table`() async throws {
    let route = DatabaseRoute.fetch(from: "player", order: .ascending("id"))
      .selecting("id", "name")
      .embedding(.init("prize", as: "prizes", columns: ["name"], orderedBy: [.descending("name")]))
    let players = try await Self.executor().values(Player.self, for: route)
    #expect(players.map { $0.prizes?.map(\.name) } == [["hat", "cup"], [], ["hat"], []])
  }

  @Test func `can be nested, and required`() async throws {
    let route = DatabaseRoute.fetch(from: "team", order: .ascending("id")).embedding(
      .init(
        "player", columns: ["id", "name"], filteredBy: Column("name").notEquals("Bob"),
        orderedBy: [.ascending("id")], isRequired: true,
        embedding: [
          .init("prize", as: "prizes", columns: ["name"], filteredBy: Column("name").equals("cup"))
        ]))
    let teams = try await Self.executor().values(Team.self, for: route)
    #expect(teams.map(\.name) == ["red", "blue"])
    #expect(teams.map { $0.player?.map { $0.prizes ?? [] } } == [[[Named(name: "cup")]], [[]]])
    let (_, total) = try await Self.executor().countedValues(Team.self, for: route.limited(to: 1))
    #expect(total == 2)
  }

  @Test func `can be of the same table, in either direction`() async throws {
    let executor = try Self.executor()
    let up = DatabaseRoute.fetch(from: "player", order: .ascending("id")).selecting("id")
      .embedding(.init("player", as: "captain", via: "captain", columns: ["name"]))
    #expect(
      try await executor.run(up).rows.map { $0[1] }
        == [nil, #"{"name":"Ada"}"#, nil, #"{"name":"Ada"}"#])
    let down = DatabaseRoute.fetchOne(id: 1, from: "player").selecting("id").embedding(
      .init(
        "player", as: "crew", via: "player.captain", columns: ["id"], orderedBy: [.ascending("id")])
    )
    #expect(try await executor.run(down).rows == [[1, #"[{"id":2},{"id":4}]"#]])
    let unclear = DatabaseRoute.fetch(from: "player").embedding(.init("player"))
    #expect(await code { _ = try await executor.run(unclear) } == .ambiguousRelation)
    let none = DatabaseRoute.fetch(from: "team").embedding(.init("prize"))
    #expect(await code { _ = try await executor.run(none) } == .unknownRelation)
  }

  @Test func `are an array if a unique index distinguishes equal text`() async throws {
    let executor = SQLiteRouteExecutor(
      try database(
        """
        CREATE TABLE land (code TEXT COLLATE NOCASE PRIMARY KEY);
        CREATE TABLE town (id INTEGER PRIMARY KEY, land TEXT COLLATE NOCASE REFERENCES land);
        CREATE UNIQUE INDEX exact ON town (land COLLATE BINARY);
        INSERT INTO land VALUES ('de'); INSERT INTO town VALUES (1, 'de'), (2, 'DE');
        """))
    let route = DatabaseRoute.fetch(from: "land").embedding(
      .init("town", columns: ["id"], orderedBy: [.ascending("id")]))
    #expect(try await executor.run(route).rows == [["de", #"[{"id":1},{"id":2}]"#]])
  }

  @Test func `are returned by writes`() async throws {
    let route = try DatabaseRoute.update(
      id: 4, in: "player", with: ["team": 2] as DatabaseRoute.Record
    ).selecting("id", "name").embedding(.init("team"))
    let player = try await Self.executor().value(Player.self, for: route)
    #expect(player.team?.name == "blue")
  }
}
