import QueryGen
import Testing

/// The generated code of `Roster`, run against a database.
@Suite struct `A list of inserted rows` {
  private static let owls = [Team(id: 1, name: "Owls"), Team(id: 2, name: "Bats")]

  private func teams(_ roster: Roster) async throws -> [Team] {
    try await roster.database.read {
      try $0.fetchAll(Team.self, "SELECT id, name FROM team ORDER BY id")
    }
  }

  @Test func `is the input of the query`() async throws {
    let roster = try Roster()
    let add: any Query<[Team], Int> = roster.addTeams
    #expect(try await add.execute(Self.owls) == 2)
    let addOne: any AddTeamQuery = roster.addTeam
    #expect(try await addOne.execute(Team(id: 3, name: "Cats")) == 1)
    #expect(try await teams(roster).map(\.name) == ["Owls", "Bats", "Cats"])
  }

  @Test func `may be empty`() async throws {
    let roster = try Roster()
    #expect(try await roster.addTeams.execute([]) == 0)
    #expect(try await roster.addPlayers.execute(players: [], team: nil).isEmpty)
    #expect(try await teams(roster).isEmpty)
  }

  @Test func `may have more values than a statement has parameters`() async throws {
    let roster = try Roster()
    let players = (1...60_000).map {
      AddPlayersPlayer(name: "p\($0)", joinedOn: $0, score: nil, id: $0)
    }
    let added = try await roster.addPlayers.execute(players: players, team: nil)
    #expect(added.map(\.id) == Array(1...60_000))
  }

  @Test func `returns the rows of RETURNING in order`() async throws {
    let roster = try Roster()
    #expect(
      try await roster.addTeamNames.execute(["b", "a"]) == [
        Team(id: 1, name: "b"), Team(id: 2, name: "a"),
      ])
    #expect(
      try await roster.putTeams.execute([Team(id: 2, name: "c"), Team(id: 7, name: "d")])
        == ["c", "d"])
    #expect(try await teams(roster).map(\.name) == ["b", "c", "d"])
  }

  @Test func `stands beside other parameters`() async throws {
    let roster = try await Roster.sample()
    let rows = try await roster.addPlayers.execute(
      players: [
        .init(name: "New", joinedOn: 1, score: 5),
        .init(name: "ignored", joinedOn: 1, score: 6, id: 2),
      ], team: 8)
    #expect(rows == [AddPlayersRow(id: 7, team: nil), AddPlayersRow(id: 2, team: 8)])
    let al = try await roster.database.read {
      try $0.fetchOne(Player.self, "SELECT * FROM player WHERE id = 2")
    }
    #expect(al == Player(id: 2, team: 8, name: "Al", joinedOn: 20, score: 6))
  }

  @Test(
    arguments: [
      (nil, [], []), (nil, [1, 3, 4], [1, 3, 4]), (8, [3, 1], [1, 3]), (7, [1], []),
      (7, [1, 2, 3, 4], [3, 4]),
    ] as [(Int?, [Int], [Int])])
  func `stands beside lists and terms that may be absent`(
    _ team: Int?, _ ids: [Int], _ changed: [Int]
  ) async throws {
    let roster = try await Roster.sample()
    let rows = (1...4).map { (id: Int) in
      MergePlayersElement(id: id, name: "new \(id)", joinedOn: 0)
    }
    let count = try await roster.mergePlayers.execute(rows: rows, ids: ids, team: team)
    let names = try await roster.database.read {
      try $0.values(Int.self, "SELECT id FROM player WHERE name LIKE 'new %' ORDER BY id")
    }
    #expect(names == changed)
    #expect(count == changed.count)
  }

  @Test func `is inserted as a whole or not at all`() async throws {
    let roster = try Roster()
    let error = await #expect(throws: SQLiteError.self) {
      try await roster.addTeams.execute(Self.owls + [Team(id: 1, name: "again")])
    }
    #expect(error?.code.primary == .constraint)
    #expect(error?.message.hasPrefix("row 2 of 3: ") == true)
    #expect(try await teams(roster).isEmpty)
  }

  @Test(arguments: [true, false])
  func `is one change inside a transaction or outside of one`(_ isInTransaction: Bool) throws {
    let roster = try Roster()
    try roster.database.writeWithoutTransaction { connection in
      func run() throws {
        try roster.addTeam.execute(Team(id: 9, name: "kept"), in: connection)
        #expect(throws: SQLiteError.self) {
          try roster.addTeams.execute(
            [Team(id: 5, name: "a"), Team(id: 9, name: "b")], in: connection)
        }
        #expect(connection.isInTransaction == isInTransaction)
        try roster.addTeams.execute([Team(id: 6, name: "c")], in: connection)
      }
      if isInTransaction { try connection.transaction { try run() } } else { try run() }
      #expect(try connection.values(Int.self, "SELECT id FROM team ORDER BY id") == [6, 9])
    }
  }

  @Test func `is one of several inputs`() async throws {
    let roster = try Roster()
    #expect(try await roster.addTeams.execute(many: [Self.owls, []]) == [2, 0])
    await #expect(throws: SQLiteError.self) {
      try await roster.addTeams.execute(many: [[Team(id: 3, name: "c")], Self.owls])
    }
    #expect(try await teams(roster) == Self.owls)
  }

  @Test func `has an optional property for a key that SQLite chooses`() async throws {
    let roster = try await Roster.sample()
    let player = AddPlayerPlayer(team: 7, name: "Zo", joinedOn: 3)
    #expect(try await roster.addPlayer.execute(player) == 7)
    let statement = roster.addPlayer.statement(for: player)
    #expect(statement.sql.text.contains("VALUES (?1, ?2, ?3)"))
    #expect(statement.values.count == 3)
  }
}
