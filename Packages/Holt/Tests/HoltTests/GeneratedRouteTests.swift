import Holt
import Testing

enum PlayerRoute: RouteCollection, Hashable {
  case all
  case of(team: Int)
  case one(id: Int)
  case score(id: Int, points: Int)
  case add(name: String, team: Int)
  case tracks(ids: [Int])

  func route() async throws -> DatabaseRoute {
    switch self {
    case .all: try .query(\DB.allPlayers, on: "player")
    case .of(let team): try .query(\DB.playersOf, with: team, on: "player", routeId: "of")
    case .one(let id): try .query(\DB.playerById, with: id, on: "player")
    case .score(let id, let points):
      try .query(\DB.score, with: ScoreInput(points: points, id: id), on: "player")
    case .add(let name, let team):
      try .query(
        \DB.addPlayer, with: AddPlayerInput(team: team, name: name, score: 0), on: "player")
    case .tracks(let ids): try .query(\DB.findTracks, with: ids, on: "track")
    }
  }
}

extension PlayerRoute: CasePathable {
  struct AllCasePaths: Sendable {
    var of: CasePath<PlayerRoute, Int> {
      CasePath("of", embed: { .of(team: $0) }) { if case .of(let team) = $0 { team } else { nil } }
    }
  }

  static var allCasePaths: AllCasePaths { AllCasePaths() }

  var currentCase: CurrentCase {
    switch self {
    case .all: CurrentCase("all", ())
    case .of(let team): CurrentCase("of", team)
    case .one(let id): CurrentCase("one", id)
    case .score(let id, let points): CurrentCase("score", (id, points))
    case .add(let name, let team): CurrentCase("add", (name, team))
    case .tracks(let ids): CurrentCase("tracks", ids)
    }
  }
}

@Suite struct `A generated query as a route` {
  private func league() async throws -> (db: DB, ann: Player) {
    let db = try DB()
    let team = try await db.addTeam.execute("Reds")
    return (db, try await db.addPlayer.execute(team: team, name: "Ann", score: 3))
  }

  @Test func `returns the query's rows`() async throws {
    let (db, ann) = try await league()
    let router = DatabaseRouter<PlayerRoute>(db.database)
    let players: [Player] = try await router(.of(team: ann.team))
    #expect(players == [ann])
    let nobody: Player? = try await router(.one(id: 9))
    #expect(nobody == nil)
    #expect(try await router.affectedCount(of: .score(id: ann.id, points: 2)) == 1)
    let bob: Player = try await router(.add(name: "Bob", team: ann.team))
    #expect(try await db.allPlayers.execute().map(\.score) == [5, 0])
    #expect(bob.fullName == "Bob")
    try await db.database.write {
      try $0.execute("INSERT INTO track VALUES (1, 'A', NULL), (2, 'B', NULL), (3, 'C', NULL)")
    }
    let tracks: [FindTracksRow] = try await router(.tracks(ids: [1, 3, 7]))
    #expect(tracks.map(\.title) == ["A", "C"])
    let none: [FindTracksRow] = try await router(.tracks(ids: []))
    #expect(none == [])
  }

  @Test func `is overridden, scoped and logged like any other route`() async throws {
    let (db, ann) = try await league()
    var router = DatabaseRouter<PlayerRoute>(db.database)
    let log = RouteLog()
    router.log = log
    let eve = Player(id: 7, team: 1, fullName: "Eve", score: 1, leftOn: nil)
    let players: [Player] = try await router.withOverrides([.id("of", with: [eve])]) {
      try await router(.of(team: 1))
    }
    #expect(players == [eve])
    router.override(\.of) { team in .value([Player(id: 8, team: team, fullName: "Fay", score: 0)]) }
    let others: [Player] = try await router(.of(team: 3))
    #expect(others.map(\.team) == [3])
    let all: [Player] = try await router(.all)
    #expect(all == [ann])
    #expect(log.calls.map(\.name) == ["of", "of", "all"])
    // Bound values do not appear in descriptions.
    #expect(!log.calls.map(\.description).joined().contains("Reds"))
  }

  @Test func `can be part of a batch, and is rolled back with it`() async throws {
    let (db, ann) = try await league()
    let router = DatabaseRouter<PlayerRoute>(db.database)
    let refused = await #expect(throws: RouterError.self) {
      try await router.run([.score(id: ann.id, points: 5), .add(name: "Bob", team: 99)])
    }
    #expect(refused?.constraint?.kind == .foreignKey)
    #expect(try await db.allPlayers.execute() == [ann])
  }

  @Test func `is refused if custom SQL is refused`() async throws {
    let (db, _) = try await league()
    var executor = SQLiteRouteExecutor(db.database)
    executor.rowFilters["player"] = DatabaseRoute.Column("score").greaterThan(1)
    let router = DatabaseRouter<PlayerRoute>(executor)
    let error = await #expect(throws: RouterError.self) {
      let _: [Player] = try await router(.all)
    }
    #expect(error?.code == .refused)
    let reader = DatabaseRouter<PlayerRoute>(readingFrom: db.database)
    let refused = await #expect(throws: RouterError.self) {
      try await reader.affectedCount(of: .score(id: 1, points: 1))
    }
    #expect(refused?.code == .readOnly)
  }

  @Test func `is a value that can be stored and compared`() async throws {
    let route = try await PlayerRoute.of(team: 3).route()
    let same: DatabaseRoute = try .query(\DB.playersOf, with: 3, on: "player", routeId: "of")
    let other: DatabaseRoute = try .query(\DB.playersOf, with: 4, on: "player", routeId: "of")
    #expect(route == same)
    #expect(route != other)
    #expect(route.isReadOnly)
    #expect(try await !PlayerRoute.score(id: 1, points: 1).route().isReadOnly)
  }

  @Test @MainActor func `can be observed in a property, and as an injected query`() async throws {
    let (db, ann) = try await league()
    let router = DatabaseRouter<PlayerRoute>(db.database)
    let controller = QueryController(
      RouterRequest<PlayerRoute, [Player]>(.of(team: ann.team)), in: router)
    var shown = controller.values.makeAsyncIterator()
    #expect(await shown.next(isolation: MainActor.shared) == [ann])
    let score: any DatabaseQuery<Int, Int> = router.writeQuery { .score(id: $0, points: 1) }
    #expect(try await score.execute(ann.id) == 1)
    #expect(await shown.next(isolation: MainActor.shared)?.map(\.score) == [4])
  }

  @Test @MainActor func `reports a missing row once, regardless of how often it is read`()
    async throws
  {
    let (db, ann) = try await league()
    let controller = QueryController(
      RouterRequest<PlayerRoute, Player?>(.one(id: 9)),
      in: DatabaseRouter<PlayerRoute>(db.database))
    var shown = controller.values.makeAsyncIterator()
    #expect(await shown.next(isolation: MainActor.shared) == .some(nil))
    // A SQL route depends on the whole column: it runs again, but the result is equal.
    try await db.score.execute(points: 1, id: ann.id)
    await db.database.waitUntilIdle()
    let nine = Player(id: 9, team: ann.team, fullName: "Nina", score: 0, leftOn: nil)
    try await GeneralRouter(db.database).perform(.insert(nine, into: "player"))
    #expect(await shown.next(isolation: MainActor.shared) == nine)
  }
}
