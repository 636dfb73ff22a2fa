import QueryGen
import Testing

/// The generated code of `Roster`, run against a database.
@Suite struct `A tree of lists` {
  /// Rows of all tables, in which some elements have no children.
  private static func fill(_ roster: Roster, seed: Int) throws {
    var state = UInt64(seed)
    /// Returns a number less than `limit`, which a linear congruential generator determines.
    func random(_ limit: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(state >> 33) % limit
    }
    try roster.database.write { connection in
      for team in 1...4 {
        try connection.run("INSERT INTO team VALUES (?, ?)", team, "team \(team)")
        for coach in 0..<random(3) {
          try connection.run("INSERT INTO coach VALUES (?, ?)", team, "coach \(coach)")
        }
      }
      for player in 0..<random(9) {
        try connection.run(
          "INSERT INTO player VALUES (?, ?, ?, 1, NULL)", player, 1 + random(4),
          "player \(player % 3)")
        for year in 0..<random(3) {
          try connection.run(
            "INSERT INTO award VALUES (?, ?, ?)", player, year, year == 1 ? nil : "title")
        }
        for _ in 0..<random(3) {
          try connection.run(
            "INSERT INTO goal (player, minute) VALUES (?, ?)", player, random(90))
        }
      }
      for goal in try connection.values(Int.self, "SELECT id FROM goal") {
        for note in 0..<random(3) {
          try connection.run("INSERT INTO note VALUES (?, ?)", goal, "note \(note)")
        }
      }
    }
  }

  /// The result of the query `teamTree`, read table by table.
  private static func tree(_ connection: Connection) throws -> [TeamTreeRow] {
    try connection.fetchAll(Team.self, "SELECT * FROM team ORDER BY id").map { team in
      let players = try connection.fetchAll(
        Player.self, "SELECT * FROM player WHERE team = ? ORDER BY id", team.id)
      return TeamTreeRow(
        team: team,
        players: try players.map { player in
          TeamTreePlayer(
            player: player,
            goals: try connection.fetchAll(
              Goal.self, "SELECT * FROM goal WHERE player = ? ORDER BY id", player.id),
            awards: try connection.fetchAll(
              Award.self, "SELECT * FROM award WHERE player = ? ORDER BY year", player.id
            ).map { TeamTreeAward(year: $0.year, title: $0.title) })
        },
        coaches: try connection.values(
          String.self, "SELECT name FROM coach WHERE team = ? ORDER BY name", team.id))
    }
  }

  @Test(arguments: 0..<20)
  func `contains each element once, in order`(_ seed: Int) async throws {
    let roster = try Roster()
    try Self.fill(roster, seed: seed)
    let expected = try await roster.database.read { try Self.tree($0) }
    #expect(try await roster.teamTree.execute() == expected)
    // Rows with equal keys are merged even if they are not adjacent.
    let shuffled = try await roster.teamTree.execute(sort: [.shuffled])
    #expect(shuffled.count == expected.count)
    #expect(Set(shuffled.map(\.sorted)) == Set(expected))
  }

  @Test func `keeps equal values of the only leaf`() async throws {
    let roster = try Roster()
    try await roster.database.write { connection in
      try connection.run("INSERT INTO team VALUES (1, 'a'), (2, 'a'), (3, 'b')")
      try connection.run(
        "INSERT INTO player VALUES (1, 1, 'x', 0, NULL), (2, 1, 'x', 0, NULL), (3, 1, 'y', 0, NULL)"
      )
      try connection.run("INSERT INTO goal VALUES (1, 1, 5), (2, 2, 5), (3, 2, 7)")
    }
    // The name is the identity of a team and of a player in it.
    #expect(
      try await roster.minutesByTeam.execute() == [
        MinutesByTeamRow(
          teamName: "a",
          players: [
            MinutesByTeamPlayer(playerName: "x", minutes: [5, 5, 7]),
            MinutesByTeamPlayer(playerName: "y", minutes: []),
          ]), MinutesByTeamRow(teamName: "b", players: []),
      ])
  }

  @Test func `may be long`() async throws {
    let roster = try Roster()
    try await roster.database.write { connection in
      try connection.run("INSERT INTO team VALUES (1, 'a')")
      try connection.run("INSERT INTO player VALUES (1, 1, 'x', 0, NULL)")
      for id in 1...50_000 { try connection.run("INSERT INTO goal VALUES (?, 1, 5)", id) }
    }
    let rows = try await roster.teamTree.execute(sort: [.shuffled])
    #expect(rows.first?.players.first?.goals.count == 50_000)
  }

  @Test func `has any depth`() async throws {
    let roster = try Roster()
    try await roster.database.write { connection in
      try connection.run("INSERT INTO team VALUES (1, 'a')")
      try connection.run(
        "INSERT INTO player VALUES (1, 1, 'x', 0, NULL), (2, 1, 'y', 0, NULL)")
      try connection.run("INSERT INTO goal VALUES (1, 1, 5), (2, 2, 5), (3, 1, 7)")
      try connection.run("INSERT INTO note VALUES (1, 'n'), (1, 'm'), (2, 'n')")
      try connection.run("INSERT INTO award (player, year) VALUES (1, 2000), (1, 2001)")
    }
    let rows = try await roster.teamDepths.execute()
    #expect(rows.map(\.name) == ["a"])
    #expect(rows.first?.players.map(\.player.name) == ["x", "y"])
    #expect(
      rows.first?.players.map(\.goals) == [
        [
          TeamDepthsGoal(minute: 5, notes: ["m", "n"]), TeamDepthsGoal(minute: 7, notes: []),
        ], [TeamDepthsGoal(minute: 5, notes: ["n"])],
      ])
    #expect(rows.first?.players.map(\.years) == [[2_000, 2_001], []])
  }
}

extension TeamTreeRow {
  /// The row with sorted lists.
  fileprivate var sorted: TeamTreeRow {
    var copy = self
    copy.coaches.sort()
    copy.players.sort { $0.player.id < $1.player.id }
    for index in copy.players.indices {
      copy.players[index].goals.sort { $0.id < $1.id }
      copy.players[index].awards.sort { $0.year < $1.year }
    }
    return copy
  }
}
