import QueryGen
import Testing

/// The generated code of `Roster`, run against a database.
@Suite struct `An order of a query` {
  struct Case: Sendable {
    let sort: [PlayersOfSort], ids: [Int]
  }

  @Test(arguments: [
    Case(sort: [], ids: [1, 2, 3, 4]),
    Case(sort: [.name], ids: [2, 4, 3, 1]),
    Case(sort: [.name.descending], ids: [1, 3, 2, 4]),
    Case(sort: [.joinedOn], ids: [3, 2, 1, 4]),
    Case(sort: [.best], ids: [3, 4, 1, 2]),
    Case(sort: [.best.nullsFirst], ids: [2, 3, 4, 1]),
    Case(sort: [.best.ascending], ids: [1, 4, 3, 2]),
    Case(sort: [.name, .best], ids: [4, 2, 3, 1]),
    Case(sort: [.nameSLength, .joinedOn.descending], ids: [4, 1, 2, 3]),
    Case(sort: [.name.descending, .name, .best], ids: [1, 3, 4, 2]),
    Case(sort: [.init(.best, .ascending, nulls: .first)], ids: [2, 1, 4, 3]),
  ])
  func `sorts the rows`(_ expected: Case) async throws {
    let roster = try await Roster.sample()
    let players = try await roster.playersOf.execute(team: 7, sort: expected.sort)
    #expect(players.map(\.id) == expected.ids)
  }

  @Test func `has a text of its own for each list of terms`() throws {
    let roster = try Roster()
    func text(_ sort: PlayersOfSort...) -> String {
      roster.playersOf.statement(for: .init(team: 7, sort: sort)).sql.text
    }
    let head = "SELECT id, team, name, joined_on, score FROM player WHERE team = ?1 ORDER BY "
    #expect(text() == head + "id")
    #expect(text(.name) == head + "name, id")
    #expect(text(.best, .name.descending) == head + "score DESC NULLS LAST, name DESC, id")
    #expect(text(.nameSLength, .nameSLength.descending) == head + "length(name), id")
  }

  @Test func `may be the only term of its clause, and the only parameter`() async throws {
    let roster = try await Roster.sample()
    #expect(!roster.rankedPlayers.statement(for: []).sql.text.contains("ORDER BY $by"))
    #expect(!roster.rankedPlayers.statement(for: []).sql.text.hasSuffix("ORDER BY "))
    #expect(try await roster.rankedPlayers.execute().count == 6)
    let ranked = try await roster.rankedPlayers.execute(by: [.rank])
    #expect(ranked.map(\.rank) == [1, 2, 3, 4, 5, 6])
    let named = try await roster.rankedPlayers.execute([.name.descending])
    #expect(named.map(\.name) == ["ed", "Di", "Cy", "Bo", "Al", "Al"])
    let teams = try await roster.rankedPlayers.execute([.default.nullsLast, .name])
    #expect(teams.map(\.teamName) == ["Bats", "Owls", "Owls", "Owls", "Owls", nil])
  }

  @Test func `works with lists and in a compound select`() async throws {
    let roster = try await Roster.sample()
    let byTitle = try await roster.namesOf.execute(ids: [1, 3, 7], sort: [.title], limit: 9)
    #expect(byTitle.map(\.title) == ["Bo", "Cy", "Owls"])
    let byKind = try await roster.namesOf.execute(
      ids: [1, 3, 7], sort: [.kind.descending, .title.descending], limit: 2)
    #expect(byKind.map(\.title) == ["Owls", "Cy"])
    #expect(try await roster.namesOf.execute(ids: [], limit: 9) == [])
  }

  @Test func `is a value that can be stored`() throws {
    #expect(
      PlayersOfSort.Key.allCases.map(\.rawValue) == ["name", "joined_on", "best", "name's length"])
    #expect(PlayersOfSort(.best, .descending) == .best.descending)
    #expect(Set([PlayersOfSort.name, .name, .name.ascending]).count == 2)
  }

  @Test(.timeLimit(.minutes(1))) func `is kept by observations`() async throws {
    let roster = try await Roster.sample()
    var streams = roster.playersOf.observe(team: 7, sort: [.joinedOn.descending])
      .makeAsyncIterator()
    #expect(try await streams.next()?.map(\.id) == [4, 1, 2, 3])
    try await roster.database.write { try $0.run("UPDATE player SET joined_on = 99 WHERE id = 3") }
    #expect(try await streams.next()?.map(\.id) == [3, 4, 1, 2])
  }
}
