import Observe
import SQLiteCore
import SwiftUI

// The seed "Custom Database Contexts", with its views.

struct Player: Codable, RowDecodable, Equatable, Identifiable, Sendable {
  var id: Int?
  var name: String
  var score: Int

  static func fetchAll(_ db: Connection) throws -> [Player] {
    try db.fetchAll(Player.self, "SELECT * FROM player ORDER BY score DESC, name")
  }
}

// MARK: Removing write access from a DatabaseContext

struct MyApp: App {
  var body: some Scene {
    WindowGroup {
      MyView()
    }
    .databaseContext(.readOnly { try Database.inMemory() })
  }
}

struct MyView: View {
  var body: some View { Text("my view") }
}

// MARK: Controlling writes with a custom database manager

struct PlayerRepository {
  private let writer: any DatabaseWriter

  init(_ writer: any DatabaseWriter) { self.writer = writer }
}

extension PlayerRepository {
  /// Deletes all players.
  func deletePlayers() throws {
    try writer.write { _ = try $0.run("DELETE FROM player") }
  }
}

private struct PlayerRepositoryKey: EnvironmentKey {
  /// The default database is an empty in-memory database
  static var defaultValue: PlayerRepository { PlayerRepository.empty }
}

extension PlayerRepository {
  fileprivate static let empty: PlayerRepository = {
    do {
      return PlayerRepository(try Database.inMemory())
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

extension View {
  /// Sets both the `playerRepository` (for writes) and `databaseContext`
  /// (for `@Query`) environment values.
  func playerRepository(_ repository: PlayerRepository) -> some View {
    self
      .environment(\.playerRepository, repository)
      .databaseContext(.readOnly { repository.reader })
  }
}

struct DeletePlayersButton: View {
  @Environment(\.playerRepository) private var playerRepository

  var body: some View {
    Button("Delete Players") {
      do {
        try playerRepository.deletePlayers()
      } catch {
        // Handle error
      }
    }
  }
}

// MARK: Replacing DatabaseContext with a custom database manager

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

struct PlayerList: View {
  @Query(PlayersRequest(), in: \.playerRepository)  // Explicit environment key
  private var players: [Player]

  var body: some View {
    List(players) { player in
      HStack {
        Text(player.name)
        Text("\(player.score) points")
      }
    }
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
  /// environment key, given a SwiftUI binding to its
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

struct ShortPlayerList: View {
  // Implicitly uses 'playerRepository'
  @Query(PlayersRequest()) private var players: [Player]

  var body: some View { Text("\(players.count) players") }
}
