import Holt
import Testing

/// From a SPON file to a JSON file, with all packages and a single import.
@Suite struct `All of Holt with one import` {
  struct Squad: Codable {
    var team: String
    var players: [String]
  }

  @Test @MainActor func `reads, generates, observes, routes, relates and exports`() async throws {
    // SPON.
    let text = try SPONEncoder().encode(Squad(team: "Reds", players: ["Ann", "Bob"]))
    let squad = try SPONDecoder().decode(Squad.self, from: text)

    // Generated queries, on SQLite.
    let db = try DB()
    let team = try await db.addTeam.execute(squad.team)
    let added = try await db.addPlayer.execute(
      many: squad.players.map { AddPlayerInput(team: team, name: $0, score: 1) })
    #expect(added.map(\.fullName) == squad.players)

    // Observed, and written by a route that is a generated query.
    let router = DatabaseRouter<PlayerRoute>(db.database)
    let board = QueryEnvironment.with(\.databaseContext, .readOnly { db.database }) {
      `An observed generated query`.Scoreboard()
    }
    var players = board.$players.values.makeAsyncIterator()
    #expect(await players.next(isolation: MainActor.shared) == added)
    try await router(.score(id: added[1].id, points: 5))
    #expect(await players.next(isolation: MainActor.shared)?.map(\.fullName) == ["Bob", "Ann"])

    // Relations between generated rows.
    try await ModelSession(db).use {
      let album = try await AlbumModel.create()
      album.value.title = "Team Songs"
      let track = try await TrackModel.create()
      track.value.title = squad.team
      album.tracks.append([track])
      try await album.save()
    }

    // A JSON file, with a provider, objects and routes.
    let folder = try TemporaryFolder()
    let path = folder.path("export.json")
    let provider: any DataProvider = JSONProvider()
    try await provider.openSource(atPath: path)
    try await provider.execute(
      """
      CREATE TABLE player (
        id INTEGER PRIMARY KEY, team INTEGER, full_name TEXT, score INTEGER, left_on INTEGER)
      """)
    let rows: [Player] = try await router(.all)
    try await GeneralRouter(provider).perform(.insert(rows, into: "player"))
    try await provider.persist()
    try await provider.closeSource()
    try await provider.openSource(atPath: path, readOnly: true)
    let read = try await provider.query("SELECT full_name FROM player ORDER BY score DESC")
    #expect(read.map { $0["full_name"] } == [.text("Bob"), .text("Ann")])
    try await provider.closeSource()
    #expect(try await db.tracksOfTitle.execute("Team Songs").map(\.title) == ["Reds"])
  }
}
