import QueryGen
import Testing

extension Queries.Filter<FilteredPlayersMatching> {
  /// A condition with a name.
  fileprivate static var isOwl: Self { \.team == "Owls" }
}

/// The generated code of `Roster`, run against a database.
@Suite struct `A filter of a query` {
  struct Case: Sendable {
    let filter: Queries.Filter<FilteredPlayersMatching>?, ids: [Int]
  }

  static let cases: [Case] = {
    var cases: [Case] = []
    func add(_ filter: Queries.Filter<FilteredPlayersMatching>?, _ ids: [Int]) {
      cases.append(Case(filter: filter, ids: ids))
    }
    add(nil, [1, 2, 3, 4, 5])
    add(\.score > 2, [3, 4])
    add(\.score >= 2 && \.name != "Bo", [1, 4])
    add(!(\.score < 5), [3, 4])
    add(.isNull(\.score) || \.team == "Bats", [2, 5])
    add(!.isNull(\.score) && .isOwl, [1, 3, 4])
    add(.isIn(\.name, ["Al", "Di"]) && !(\.score <= 1), [4])
    add(.isIn(\.name, []), [])
    add(\.isStrong == true, [3, 4])
    add(\.anyCase == "AL", [2, 4])
    add(\.name == "AL", [])
    add(.like(\.name, "_O") || .like(\.name, "c%"), [1, 3])
    add(\.name == "'); DROP TABLE player; --", [])
    add((\.score > 2 || \.score < 2) && !(\.name == "Bo" || \.name == "x"), [4, 5])
    return cases
  }()

  @Test(arguments: cases)
  func `selects the rows that satisfy it`(_ expected: Case) async throws {
    let roster = try await Roster.sample()
    let players = try await roster.filteredPlayers.execute(besides: 6, matching: expected.filter)
    #expect(players.map(\.id) == expected.ids)
  }

  @Test func `binds its values after the other parameters`() throws {
    let statement = try Roster().filteredPlayers.statement(
      for: .init(besides: 6, matching: \.score > 2 && !.isIn(\.name, ["a", "b"])))
    #expect(
      statement.sql.text.contains(
        "WHERE player.id <> ?1 AND (score > ?3 AND NOT (player.name IN (?4, ?5)))"))
    #expect(statement.values.count == 5)
  }

  @Test func `may be the only term of HAVING, next to a list`() async throws {
    let roster = try await Roster.sample()
    #expect(try await roster.teamsHaving.execute(teams: [7, 8, 9]) == [7, 8])
    #expect(
      try await roster.teamsHaving.execute(teams: [7, 8, 9], having: \.players > 1) == [7])
  }

  @Test func `is a value`() {
    let a: Queries.Filter<FilteredPlayersMatching> = \.score > 2 && \.name == "x"
    let b: Queries.Filter<FilteredPlayersMatching> = \.score > 2 && \.name == "y"
    #expect(a == a && a != b)
  }
}
