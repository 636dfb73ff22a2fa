import QueryGen
import Testing

/// The generated code of `Roster`, run against a database.
@Suite struct `A term that depends on a parameter` {
  /// All combinations of the parameters of `findPlayers`.
  static let inputs: [FindPlayersInput] = {
    var inputs: [FindPlayersInput] = []
    let teams: [String?] = [nil, "Owls"]
    let names: [String?] = [nil, "A%"]
    let scores: [(low: Double?, high: Double?)] = [(nil, nil), (1, nil), (2.5, 9)]
    let lists: [[Int]?] = [nil, [], [3], [1, 3, 4, 5]]
    for team in teams {
      for name in names {
        for score in scores {
          for ids in lists {
            inputs.append(
              FindPlayersInput(
                teamName: team, name: name, low: score.low, high: score.high, ids: ids,
                sort: [.score, .name]))
          }
        }
      }
    }
    return inputs
  }()

  /// Returns whether a player who has a team satisfies the conditions of `input`.
  private func isWanted(_ player: Player, _ input: FindPlayersInput) -> Bool {
    if input.teamName != nil, player.team != 7 { return false }
    if input.name != nil, !player.name.hasPrefix("A") { return false }
    if let ids = input.ids, !ids.contains(player.id) { return false }
    guard let low = input.low, let high = input.high else { return true }
    return player.score.map { $0 >= low && $0 <= high } ?? false
  }

  @Test(arguments: inputs)
  func `is present if the parameter is not nil`(_ input: FindPlayersInput) async throws {
    let roster = try await Roster.sample()
    let found = try await roster.findPlayers.execute(input)
    let all = try await roster.database.read { connection in
      try connection.fetchAll(
        Player.self,
        "SELECT p.* FROM player p JOIN team t ON t.id = p.team ORDER BY score, p.name")
    }
    let expected = all.filter { isWanted($0, input) }
    #expect(found == expected)
  }

  @Test func `is removed with its AND, and the last one with its clause`() throws {
    let roster = try Roster()
    func text(_ team: String? = nil, _ name: String? = nil, _ ids: [Int]? = nil) -> String {
      roster.findPlayers.statement(for: .init(teamName: team, name: name, ids: ids)).sql.text
        .split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }
    let head =
      "SELECT player.id AS id, player.team, player.name AS name, player.joined_on, player.score "
      + "FROM player JOIN team ON team.id = player.team"
    #expect(text() == head)
    #expect(text("x") == head + " /* if :teamName */ AND team.name = ?1")
    #expect(text(nil, "x") == head + " WHERE -- if :name player.name LIKE ?2")
    #expect(text(nil, nil, [1]) == head + " WHERE -- if :name player.id IN (?5)")
    #expect(
      text(nil, "x", [1, 2])
        == head + " WHERE -- if :name player.name LIKE ?2 -- if :ids AND player.id IN (?5, ?7)")
  }

  @Test func `is bound only if it is present`() throws {
    let roster = try Roster()
    #expect(roster.findPlayers.statement(for: .init()).values.isEmpty)
    #expect(roster.findPlayers.statement(for: .init(low: 1)).values.isEmpty)
    #expect(roster.findPlayers.statement(for: .init(name: "x")).values.count == 2)
    #expect(roster.findPlayers.statement(for: .init(low: 1, high: 2)).values.count == 4)
  }

  @Test func `may be in HAVING, and the query's only term or only parameter`() async throws {
    let roster = try await Roster.sample()
    #expect(try await roster.teamScores.execute().map(\.players) == [1, 4, 1])
    #expect(try await roster.teamScores.execute(players: 2).map(\.team) == [7])
    #expect(try await roster.teamScores.execute(total: 3).map(\.team) == [nil, 7])
    #expect(try await roster.teamScores.execute(name: "ed", players: 1).map(\.team) == [7, 8])
    #expect(try await roster.namesAfter.execute().count == 6)
    #expect(try await roster.namesAfter.execute(day: 45) == ["Di", "ed"])
    #expect(try await roster.namesAfter.execute(50) == ["ed"])
  }

  @Test func `may restrict a change`() async throws {
    let roster = try await Roster.sample()
    #expect(try await roster.removePlayers.execute(team: 7, before: 25) == 2)
    #expect(try await roster.removePlayers.execute(team: 7) == 2)
    #expect(try await roster.namesAfter.execute() == ["Di", "ed"])
  }

  @Test func `uses the index that a statement without the others uses`() async throws {
    let roster = try await Roster.sample()
    func plan(_ least: Double?, _ name: String?) async throws -> [String] {
      try await roster.database.read { connection in
        let statement = roster.search.statement(for: .init(team: 7, least: least, name: name))
        return try connection.queryPlan(for: statement.sql, values: statement.values).details
      }
    }
    func plan(_ condition: String) async throws -> [String] {
      try await roster.database.read { connection in
        try connection.queryPlan(
          for: SQL(unsafe: "SELECT id, score FROM player WHERE \(condition) ORDER BY id")
        ).details
      }
    }
    #expect(try await plan(nil, nil) == plan("team = 7"))
    #expect(try await plan(3, nil) == plan("team = 7 AND score >= 3"))
    #expect(try await plan(3, "Al") == plan("team = 7 AND score >= 3 AND name = 'Al'"))
    #expect(try await plan(nil, nil)[0].contains("player_team (team=?)"))
    #expect(try await plan(3, nil)[0].contains("player_team (team=? AND score>?)"))
  }

  @Test(.timeLimit(.minutes(1)))
  func `restricts the rows on which an observed result depends`() async throws {
    let roster = try Roster()
    func region(_ least: Double?, _ name: String?) -> Region {
      roster.search.region(for: .init(team: 7, least: least, name: name))
    }
    let team = Region.RowPredicate.column("team", equals: 7)
    let least = Region.RowPredicate.column("score", .greaterOrEqual, 3.0)
    func rows(_ predicate: Region.RowPredicate) -> Region {
      .rows(of: "player", where: predicate, reading: ["id", "name", "score", "team"])
    }
    #expect(region(nil, nil) == rows(team))
    #expect(region(3, nil) == rows(team && least))
    #expect(region(3, "Al") == rows(team && least && .column("name", equals: "Al")))
    #expect(
      roster.namesAfter.region(for: nil) == Region(reading: ["player": ["joined_on", "name"]]))
  }
}
