import QueryGen
import Testing

/// The generated code of `Roster`, run against a database.
@Suite struct `A query of several statements` {
  private func snapshot(_ roster: Roster) async throws -> [String] {
    try await roster.database.read { connection in
      try connection.values(
        String.self,
        """
        SELECT * FROM (SELECT 'team ' || id || ' ' || name FROM team ORDER BY id) UNION ALL
        SELECT * FROM (
          SELECT 'player ' || id || ' ' || ifnull(team, '-') || ' ' || ifnull(score, '-')
          FROM player ORDER BY id)
        """)
    }
  }

  @Test func `shares the parameters`() async throws {
    let roster = try await Roster.sample()
    #expect(try await roster.mergeTeam.execute(into: 8, team: 7) == 1)
    #expect(
      try await snapshot(roster) == [
        "team 8 Bats", "player 1 8 2.0", "player 2 8 -", "player 3 8 9.0", "player 4 8 5.0",
        "player 5 8 1.0", "player 6 - 3.0",
      ])
  }

  @Test func `returns the rows of the last statement`() async throws {
    let roster = try await Roster.sample()
    try await roster.addTeam.execute(Team(id: 9, name: "Ants"))
    let teams = try await roster.replaceTeams.execute(
      old: [9, 10], teams: [Team(id: 3, name: "Cats"), Team(id: 1, name: "Dogs")], least: 1)
    #expect(
      teams == [3, 7, 8].map { Team(id: $0, name: $0 == 3 ? "Cats" : $0 == 7 ? "Owls" : "Bats") })
  }

  @Test(arguments: [nil, "Al", "nobody"])
  func `has terms that may be absent`(_ name: String?) async throws {
    let roster = try await Roster.sample()
    let id = try await roster.recordScores.execute(
      points: 100, team: 7, name: name, ids: [2, 9],
      player: RecordScoresPlayer(team: nil, name: "Zo", joinedOn: 9))
    #expect(id == 7)
    let scores = try await roster.database.read {
      try $0.values(Double?.self, "SELECT score FROM player ORDER BY id")
    }
    let added: [Double] =
      switch name {
      case nil: [100, 100, 100]
      case "Al": [0, 0, 100]
      default: [0, 0, 0]
      }
    #expect(scores == [2 + added[0], 0, 9 + added[1], 5 + added[2], 1, 3, nil])
  }

  @Test func `takes effect as a whole or not at all`() async throws {
    let roster = try await Roster.sample()
    try await roster.addTeam.execute(Team(id: 9, name: "Ants"))
    let before = try await snapshot(roster)
    let error = await #expect(throws: SQLiteError.self) {
      try await roster.replaceTeams.execute(old: [9], teams: [Team(id: 7, name: "x")], least: 0)
    }
    #expect(error?.code.primary == .constraint)
    #expect(try await snapshot(roster) == before)
  }

  @Test(arguments: [true, false])
  func `is rolled back alone inside a transaction`(_ isInTransaction: Bool) throws {
    let roster = try Roster()
    try roster.database.writeWithoutTransaction { connection in
      func run() throws {
        try roster.addTeam.execute(Team(id: 1, name: "a"), in: connection)
        #expect(throws: SQLiteError.self) {
          try roster.replaceTeams.execute(
            old: [1], teams: [Team(id: 2, name: "b"), Team(id: 2, name: "c")], least: 0,
            in: connection)
        }
        #expect(connection.isInTransaction == isInTransaction)
      }
      if isInTransaction { try connection.transaction { try run() } } else { try run() }
      #expect(try connection.values(Int.self, "SELECT id FROM team") == [1])
      try roster.startOver.execute(in: connection)
      #expect(try connection.values(Int.self, "SELECT id FROM team") == [])
    }
  }

  @Test func `is one change for observations`() async throws {
    let roster = try await Roster.sample()
    var counts: [Int] = []
    for try await players in roster.playersOf.observe(team: 8) {
      counts.append(players.count)
      if counts.count == 2 { break }
      try await roster.mergeTeam.execute(into: 8, team: 7)
    }
    #expect(counts == [1, 5])
  }
}
