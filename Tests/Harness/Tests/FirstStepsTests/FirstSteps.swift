import SQLiteCore
import SwiftUI

// The first declarations of the seed "Custom Database Contexts" for controlling writes. Its later declarations of the
// same types are in `SwiftUITests/SeedViews.swift`.

struct Player: Codable, Equatable {
  var id: Int?
  var name: String
}

struct PlayerRepository {
  private let writer: any DatabaseWriter

  init(_ writer: any DatabaseWriter) { self.writer = writer }
}

extension PlayerRepository {
  /// Inserts a player and returns the inserted player.
  func insert(_ player: Player) throws -> Player {
    try writer.write { db in
      let changes = try db.run("INSERT INTO player (name) VALUES (?)", player.name)
      return Player(id: Int(changes.lastInsertedRowID.rawValue), name: player.name)
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
  /// The default dbQueue is an empty in-memory database
  static var defaultValue: PlayerRepository { .empty }
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
  /// Sets the `playerRepository` environment value.
  func playerRepository(_ repository: PlayerRepository) -> some View {
    self.environment(\.playerRepository, repository)
  }
}

struct MyApp: App {
  var body: some Scene {
    WindowGroup {
      MyView()
    }
    .environment(\.playerRepository, .empty)
  }
}

struct MyView: View {
  var body: some View { DeletePlayersButton() }
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
