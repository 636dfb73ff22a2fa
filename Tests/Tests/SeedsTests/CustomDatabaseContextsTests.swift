import Observe
import ObserveCombine
import SQLiteCore
import Testing

#if canImport(Combine)
  import Combine
#else
  import OpenCombine
#endif

// The parts of the seed "Custom Database Contexts" without SwiftUI. `README.md` lists the
// differences.

struct Player: Codable, RowDecodable, Equatable, Identifiable, Sendable {
  var id: Int?
  var name: String
  var score: Int

  static func fetchAll(_ db: Connection) throws -> [Player] {
    try db.fetchAll(Player.self, "SELECT * FROM player ORDER BY score DESC, name")
  }

  static let schema =
    "CREATE TABLE player (id INTEGER PRIMARY KEY, name TEXT NOT NULL, score INTEGER NOT NULL)"
}

// MARK: Controlling writes with a custom database manager

struct PlayerRepository {
  private let writer: any DatabaseWriter

  init(_ writer: any DatabaseWriter) { self.writer = writer }
}

extension PlayerRepository {
  /// Inserts a player and returns the inserted player.
  func insert(_ player: Player) throws -> Player {
    try writer.write { db in
      let changes = try db.run(
        "INSERT INTO player (name, score) VALUES (?, ?)", player.name, player.score)
      var inserted = player
      inserted.id = Int(changes.lastInsertedRowID.rawValue)
      return inserted
    }
  }

  /// Deletes all players.
  func deletePlayers() throws {
    try writer.write { db in
      _ = try db.run("DELETE FROM player")
    }
  }
}

private struct PlayerRepositoryKey: EnvironmentKey {
  /// The default database is an empty in-memory database.
  static let defaultValue: PlayerRepository = {
    do {
      return try PlayerRepository.inMemory()
    } catch {
      preconditionFailure("the in-memory database could not be opened: \(error)")
    }
  }()
}

extension EnvironmentValues {
  fileprivate(set) var playerRepository: PlayerRepository {
    get { self[PlayerRepositoryKey.self] }
    set { self[PlayerRepositoryKey.self] = newValue }
  }
}

extension PlayerRepository {
  static func inMemory() throws -> PlayerRepository {
    let database = try Database.inMemory()
    try database.write { try $0.execute(SQL(unsafe: Player.schema)) }
    return PlayerRepository(database)
  }
}

// MARK: Replacing DatabaseContext with a custom database manager

struct MyRequest: PublisherQueryable {
  typealias Value = [Player]

  static var defaultValue: [Player] { [] }

  // Instead of publisher(in context: DatabaseContext)
  func publisher(in repository: PlayerRepository) throws -> AnyPublisher<Value, any Error> {
    try PlayersRequest().values(in: repository).publisher().eraseToAnyPublisher()
  }
}

extension PlayerRepository: TopLevelDatabaseReader {
  /// Provides a read-only access to the database.
  var reader: any DatabaseReader { writer }
}

struct PlayersRequest: ValueObservationQueryable {
  // Opt-out of the default `DatabaseContext`
  typealias Context = PlayerRepository

  static var defaultValue: [Player] = []

  func fetch(_ db: Connection) throws -> [Player] {
    try Player.fetchAll(db)
  }
}

// Convenience Query initializers for requests
// that feed from `PlayerRepository`.
extension Query where Request.Context == PlayerRepository {
  /// Creates a `Query` that feeds from the `playerRepository`
  /// environment key, given an initial `Queryable` request.
  init(_ request: Request) {
    self.init(request, in: \.playerRepository)
  }

  /// Creates a `Query` that feeds from the `playerRepository`
  /// environment key, given a binding to its
  /// `Queryable` request.
  init(_ request: Binding<Request>) {
    self.init(request, in: \.playerRepository)
  }

  /// Creates a `Query` that feeds from the `playerRepository`
  /// environment key, given a `Queryable` request.
  init(constant request: Request) {
    self.init(constant: request, in: \.playerRepository)
  }
}

@MainActor final class PlayerList {
  @Query(PlayersRequest(), in: \.playerRepository)  // Explicit environment key
  var players: [Player]
}

@MainActor final class ShortPlayerList {
  // Implicitly uses 'playerRepository'
  @Query(PlayersRequest()) var players: [Player]
  @Query(constant: MyRequest()) var same: [Player]
  @Query(Binding(get: { PlayersRequest() }, set: { _ in })) var bound: [Player]
}

@MainActor @Suite struct `The seed on custom database contexts` {
  /// Sets the same environment values as the seed's `View.playerRepository(_:)`.
  private func with<Result>(
    _ repository: PlayerRepository, _ body: () async throws -> Result
  ) async throws -> Result {
    try await QueryEnvironment.with(\.playerRepository, repository) {
      try await QueryEnvironment.with(
        \.databaseContext, .readOnly { repository.reader }, body)
    }
  }

  @Test func `lets a manager write, and a query read what it wrote`() async throws {
    let repository = try PlayerRepository.inMemory()
    try await with(repository) {
      let ada = try repository.insert(Player(name: "Ada", score: 7))
      #expect(ada.id == 1)
      let list = PlayerList()
      #expect(list.players == [])
      for await players in list.$players.values where players == [ada] { break }
      try repository.deletePlayers()
      for await players in list.$players.values where players.isEmpty { break }
      #expect(list.players == [])
    }
  }

  @Test func `has queries that name no environment key`() async throws {
    let repository = try PlayerRepository.inMemory()
    let ada = try repository.insert(Player(name: "Ada", score: 7))
    try await with(repository) {
      let list = ShortPlayerList()
      for await players in list.$players.values where players == [ada] { break }
      for await players in list.$same.values where players == [ada] { break }
      for await players in list.$bound.values where players == [ada] { break }
      #expect(list.players == list.same && list.same == list.bound)
    }
  }

  @Test func `uses the empty database if none is set`() async {
    let list = PlayerList()
    for await players in list.$players.values where players.isEmpty { break }
    #expect(list.$players.error == nil)
  }

  @Test func `removes write access from a context`() async throws {
    let repository = try PlayerRepository.inMemory()
    let context = DatabaseContext.readOnly { repository.reader }
    #expect(throws: DatabaseContextError.readOnly) { try context.writer }
    #expect(!(try context.reader is any DatabaseWriter))
  }
}
