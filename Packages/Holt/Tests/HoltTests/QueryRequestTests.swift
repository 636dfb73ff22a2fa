import Holt
import Testing

@Suite @MainActor struct `An observed generated query` {
  /// A database manager, as used in apps.
  struct League: TopLevelDatabaseReader, Sendable {
    let db: DB?

    var reader: any DatabaseReader {
      get throws {
        guard let db else { throw Offline() }
        return db.database.readOnly
      }
    }
  }

  @MainActor struct Scoreboard {
    @Query(\DB.allPlayers) var players: [Player]
    @Query(\DB.playersOf, with: 1) var reds: [Player]
    @Query(\DB.playerById, with: 1) var captain: Player?
    @Query(\DB.countPlayers) var count: Int?
    @Query(\DB.playersBetween, with: PlayersBetweenInput(low: 2, high: 4)) var middle: [Player]
    @Query(\DB.playersOf, with: 1, in: \.league) var elsewhere: [Player]
    @Query(\DB.countPlayers, in: \.league) var countElsewhere: Int?
  }

  private func league() async throws -> (db: DB, ann: Player) {
    let db = try DB()
    let team = try await db.addTeam.execute("Reds")
    return (db, try await db.addPlayer.execute(team: team, name: "Ann", score: 3))
  }

  @Test(arguments: [false, true])
  func `shows the rows of the context's database, and is updated on commits`(_ isReadOnly: Bool)
    async throws
  {
    let (db, ann) = try await league()
    let context: DatabaseContext =
      isReadOnly ? .readOnly { db.database } : .readWrite { db.database }
    let board = QueryEnvironment.with(\.databaseContext, context) { Scoreboard() }
    #expect(board.players == [])
    #expect(board.count == nil)
    var players = board.$players.values.makeAsyncIterator()
    var reds = board.$reds.values.makeAsyncIterator()
    var captain = board.$captain.values.makeAsyncIterator()
    var count = board.$count.values.makeAsyncIterator()
    var middle = board.$middle.values.makeAsyncIterator()
    #expect(await players.next(isolation: MainActor.shared) == [ann])
    #expect(await reds.next(isolation: MainActor.shared) == [ann])
    #expect(await captain.next(isolation: MainActor.shared) == ann)
    #expect(await count.next(isolation: MainActor.shared) == 1)
    #expect(await middle.next(isolation: MainActor.shared) == [ann])
    try await db.score.execute(points: 4, id: ann.id)
    var better = ann
    better.score = 7
    #expect(await players.next(isolation: MainActor.shared) == [better])
    #expect(await captain.next(isolation: MainActor.shared) == better)
    #expect(await middle.next(isolation: MainActor.shared) == [])
    try await db.removePlayer.execute(ann.id)
    #expect(await captain.next(isolation: MainActor.shared) == .some(nil))
    #expect(await count.next(isolation: MainActor.shared) == 0)
  }

  @Test func `reads a manager's database, and shows its error`() async throws {
    let (db, ann) = try await league()
    let board = QueryEnvironment.with(\.league, League(db: db)) { Scoreboard() }
    var players = board.$elsewhere.values.makeAsyncIterator()
    #expect(await players.next(isolation: MainActor.shared) == [ann])
    var count = board.$countElsewhere.values.makeAsyncIterator()
    #expect(await count.next(isolation: MainActor.shared) == 1)
    let offline = QueryEnvironment.with(\.league, League(db: nil)) { Scoreboard() }
    _ = offline.elsewhere
    #expect(offline.$elsewhere.error is Offline)
    #expect(offline.$players.error as? DatabaseContextError == .notConnected)
  }

  @Test func `fetches again only for rows that it depends on`() async throws {
    let (db, ann) = try await league()
    let request = QueryRequest<DB, DB.PlayersOfStatement, [Player], DatabaseContext>(
      \DB.playersOf, with: ann.team)
    #expect(request.region == db.playersOf.region(for: ann.team))
    #expect(request.region != DB.PlayersOfStatement.region)
  }

  @Test func `is equal for an equal query, and not for another input`() {
    typealias Request = QueryRequest<DB, DB.PlayersOfStatement, [Player], DatabaseContext>
    #expect(Request(\DB.playersOf, with: 1) == Request(\DB.playersOf, with: 1))
    #expect(Request(\DB.playersOf, with: 1) != Request(\DB.playersOf, with: 2))
  }

  @Test func `a query that writes is an error, and writes nothing`() async throws {
    let (db, ann) = try await league()
    let request = QueryRequest<DB, DB.RemovePlayerStatement, Int?, DatabaseContext>(
      \DB.removePlayer, with: ann.id)
    let controller = QueryController(request, in: .readWrite { db.database })
    #expect((controller.error as? SQLiteError)?.code == .readOnly)
    #expect(throws: SQLiteError.self) { try db.database.read { try request.fetch($0) } }
    #expect(throws: SQLiteError.self) { try db.database.write { try request.fetch($0) } }
    #expect(try await db.countPlayers.execute() == 1)
  }

  @Test func `is an error until the database has the tables`() async throws {
    let database = try Database.inMemory()
    let board = QueryEnvironment.with(\.databaseContext, .readOnly { database }) { Scoreboard() }
    for await phase in board.$players.phases where !phase.isLoading { break }
    #expect(board.$players.error is SQLiteError)
    _ = try DB(database: database)
    for await players in board.$players.values {
      #expect(players == [])
      break
    }
    #expect(board.$players.error == nil)
  }
}

private struct LeagueKey: QueryEnvironment.Key {
  static var defaultValue: `An observed generated query`.League { .init(db: nil) }
}

extension QueryEnvironment {
  fileprivate var league: `An observed generated query`.League {
    get { self[LeagueKey.self] }
    set { self[LeagueKey.self] = newValue }
  }
}
