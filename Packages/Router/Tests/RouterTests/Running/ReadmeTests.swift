import Router
import SQLiteCore
import Testing

@Suite struct `The README` {
  struct Team: Codable, Sendable { var name: String; var players: [Player] }
  struct Player: Codable, Sendable { var name: String }

  @Test func `begins with a file that it makes and changes`() async throws {
    let executor = SQLiteRouteExecutor(try database(todosSchema))
    let milk = try await executor.value(Todo.self, for: .insert(Todo(name: "Milk"), into: "todos"))
    let open = try await executor.values(
      Todo.self,
      for: .fetch(
        from: "todos", filteredBy: Column("completedOn").isNull() && Column("name").hasPrefix("M"),
        order: .ascending("name")))
    #expect(open == [milk])
    let done = try await executor.value(
      Todo.self, for: .update(id: 1, in: "todos", with: ["completedOn": 5] as Record))
    #expect(done == Todo(id: 1, name: "Milk", completedOn: 5))
    try await executor.perform(.delete(id: 1, from: "todos"))
    #expect(try await executor.values(Todo.self, for: .fetch(from: "todos")) == [])
  }

  @Test func `has teams with their best players`() async throws {
    let executor = SQLiteRouteExecutor(
      try database(
        """
        CREATE TABLE team (id INTEGER PRIMARY KEY, name TEXT);
        CREATE TABLE player (name TEXT, score INTEGER, team REFERENCES team);
        INSERT INTO team VALUES (1, 'red');
        INSERT INTO player VALUES ('a', 1, 1), ('b', 4, 1), ('c', 3, 1), ('d', 2, 1);
        """))
    let teams = try await executor.values(
      Team.self,
      for: .fetch(from: "team").embedding(
        .init("player", as: "players", orderedBy: [.descending("score")], limit: 3)))
    #expect(teams.map { $0.players.map(\.name) } == [["b", "c", "d"]])
  }

  struct Total: Codable, Hashable, Sendable { var team: Int; var players: Int; var total: Int? }

  @Test func `has the totals of teams, and counts that say whether they are exact`() async throws {
    let executor = SQLiteRouteExecutor(
      try database(
        """
        CREATE TABLE player (name TEXT, score INTEGER, team INTEGER);
        INSERT INTO player VALUES ('a', 1, 1), ('b', 4, 1), ('c', 3, 2), ('d', NULL, 3);
        """))
    let totals = try await executor.values(
      Total.self,
      for: .fetch(from: "player", order: .descending("total")).selecting("team")
        .aggregating(.count(as: "players"), .sum("score", as: "total"))
        .filteringGroups(by: Column("total").greaterThan(3)))
    #expect(totals == [Total(team: 1, players: 2, total: 5)])
    let count = try await executor.value(
      RowCount.self, for: .count(from: "player").counted(.estimated(upTo: 1_000)))
    #expect(count == RowCount(4, isExact: true))
  }

  @Test func `has values of what is deleted, for who asks`() async throws {
    let executor = try await todos()
    let gone = try await executor.value(Todo.self, for: .delete(id: 1, from: "todos"))
    #expect(gone == .milk)
    let capped = DatabaseRoute.count(from: "todos").limited(to: 1)
    #expect(try await executor.value(Int.self, for: capped) == 1)
  }
}
