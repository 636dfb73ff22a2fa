import Observe
import ObserveTesting
import Router
import SQLiteCore
import Testing

@Suite struct `Live routes of groups and counts` {
  @Test func `follow the aggregated columns, and only rows of the filter`() async throws {
    let database = try database(playerSchema)
    let executor = SQLiteRouteExecutor(database)
    let route = DatabaseRoute.fetch(from: "player", filteredBy: Column("team").equals(1))
      .selecting("team").aggregating(.sum("score", as: "total"))
      .filteringGroups(by: Column("total").greaterThan(1))
    let totals = await Recording(executor.observeValues(Cells.self, for: route), of: database)
    let groups = await Recording(executor.observeCount(of: route), of: database)
    #expect(try await database.fetches(after: "UPDATE player SET score = 9 WHERE team = 2") == 0)
    #expect(try await database.fetches(after: "UPDATE player SET score = 2 WHERE id = 1") == 2)
    #expect(totals.values.map { $0.map { $0.cells["total"] } } == [[], [2]])
    #expect(groups.values == [0, 1])
  }

  @Test func `follow estimates, which depend on SQLite's statistics`() async throws {
    let database = try database(playerSchema)
    let executor = SQLiteRouteExecutor(database)
    let route = DatabaseRoute.count(from: "player").counted(.estimated(upTo: 10))
    let counts = await Recording(
      executor.observeValue(DatabaseRoute.RowCount.self, for: route), of: database)
    try await database.run("DELETE FROM player WHERE id = 1")
    await counts.waitUntilIdle()
    #expect(counts.values.map(\.value) == [3, 2])
  }

  @Test func `follow tables that are named with a schema`() async throws {
    let database = try database(playerSchema)
    let executor = SQLiteRouteExecutor(database)
    let route = DatabaseRoute.count(
      from: .init("player", schema: "main"), filteredBy: [Column("team").equals(1)])
    let counts = await Recording(executor.observeValue(Int.self, for: route), of: database)
    try await database.run("DELETE FROM player WHERE id = 1")
    await counts.waitUntilIdle()
    #expect(counts.values == [2, 1])
  }
}
