import Observe
import SQLiteCore
import Primitives

@testable import Relations

/// A playlist of songs 1 to `count`, at positions 10, 20, 30 and so on, in a database of songs 1 to 999.
///
/// The first fetch returns four songs, and each later fetch two.
func withPlaylist<Result>(
  of count: Int, _ body: (ModelSession, Playlist) async throws -> Result
) async throws -> Result {
  try await withFile { session, _ in
    try await session.prepare(Playlist.Value.self)
    try await session.database.write { connection in
      try connection.run("INSERT INTO Playlist VALUES (7, 'mine')")
      for id in 1...999 { try connection.run("INSERT INTO Tune VALUES (?, '')", id) }
      for id in 0..<count {
        try connection.run("INSERT INTO Playlist_songs VALUES (7, ?, ?)", (id + 1) * 10, id + 1)
      }
    }
    return try await body(session, try await session.fetch(Playlist.self, 7))
  }
}

extension Playlist {
  /// The songs that are shown.
  var shown: [Int] { songs.items.map(\.id) }
}

extension ModelSession {
  /// The songs of the playlist in the database.
  func storedSongs() async throws -> [Int] {
    try await database.read {
      try $0.values(
        Int.self, "SELECT target FROM Playlist_songs WHERE owner = 7 ORDER BY position")
    }
  }

  /// A connection to the session's file whose writes the session is not notified of.
  func connectUnheard() async throws -> Connection {
    let path = try await database.read {
      try $0.value(String.self, "SELECT file FROM pragma_database_list WHERE name = 'main'")
    }
    return try Connection(path: path ?? "")
  }

  /// Writes SQL like another connection, and waits until the lists have received the commit.
  func commit(_ sql: String) async throws {
    try await database.write { try $0.execute(SQL(unsafe: sql)) }
    await database.waitUntilIdle(includingConsumers: true)
  }
}

/// A condition that one thread waits for and another thread signals.
final class Gate: Sendable {
  private let state = Mutex(false)

  var isOpen: Bool { state.withLock { $0 } }
  func open() { state.withLock { $0 = true } }

  /// Waits without blocking the caller's actor.
  func wait() async { while !isOpen { await Task.yield() } }

  /// Blocks the calling thread, which must not be a thread of the cooperative pool.
  func block() { while !isOpen {} }
}
