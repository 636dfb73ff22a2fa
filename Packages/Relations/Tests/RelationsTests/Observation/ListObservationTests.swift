import Observation
import Observe
import Relations
import SQLiteCore
import Primitives
import Testing

/// A song, which is a value.
struct Tune: Table {
  var id = 0
  var title = ""
}

final class Playlist: Model, @unchecked Sendable {
  struct Value: Table {
    static let tableName = "Playlist"
    var id = 0
    var name = ""
    var songs = ManyRelation<Tune>(initial: 4, limit: 2)
  }
  var value: Value
  init(_ value: Value) { self.value = value }
  var songs: ManyRelation<Tune> { value.songs }
}

@Suite struct `Lists that were fetched` {
  private func write(_ session: ModelSession, _ sql: String) async throws {
    try await session.database.write { try $0.execute(SQL(unsafe: sql)) }
    await session.database.waitUntilIdle(includingConsumers: true)
  }

  /// A list of four songs at positions 10, 20, 30 and 40.
  private func playlist(_ session: ModelSession) async throws -> Playlist {
    try await session.prepare(Playlist.Value.self)
    try await write(
      session,
      """
      INSERT INTO Tune VALUES (1, 'one'), (2, 'two'), (3, 'three'), (4, 'four'), (5, 'five');
      INSERT INTO Playlist VALUES (7, 'mine'), (8, 'other');
      INSERT INTO Playlist_songs VALUES (7, 10, 1), (7, 20, 2), (7, 30, 3), (7, 40, 4), (8, 10, 5);
      """)
    let list = try await Playlist.fetchId(7)
    try await list.songs.fetch()
    return list
  }

  @Test func `receive links that other connections insert, move and remove`() async throws {
    try await withSession { session in
      let list = try await playlist(session)
      #expect(list.songs.items.map(\.id) == [1, 2, 3, 4])
      #expect(!list.songs.hasMore)
      try await write(session, "DELETE FROM Playlist_songs WHERE owner = 7 AND target = 2")
      #expect(list.songs.items.map(\.id) == [1, 3, 4])
      try await write(
        session, "UPDATE Playlist_songs SET position = 5 WHERE owner = 7 AND target = 4")
      #expect(list.songs.items.map(\.id) == [4, 1, 3])
      #expect(!list.songs.hasMore)
      // Three new links precede all shown links: the list does not grow automatically.
      try await write(
        session,
        "INSERT INTO Playlist_songs VALUES (7, 1, 5), (7, 2, 2), (7, 3, 5)")
      #expect(list.songs.items.map(\.id) == [4, 1, 3])
      #expect(list.songs.hasMore)
      try await list.songs.fetch()
      #expect(list.songs.items.map(\.id) == [5, 2, 5, 4, 1])
      #expect(list.songs.hasMore)
      try await list.songs.fetch()
      #expect(list.songs.items.map(\.id) == [5, 2, 5, 4, 1, 3])
      #expect(!list.songs.hasMore)
      try await write(session, "DELETE FROM Tune WHERE id = 5")
      #expect(list.songs.items.map(\.id) == [2, 4, 1, 3])
      try await write(session, "UPDATE Tune SET title = 'uno' WHERE id = 1")
      #expect(list.songs.items.map(\.title) == ["two", "four", "uno", "three"])
    }
  }

  @Test func `keep unsaved changes`() async throws {
    try await withSession { session in
      let list = try await playlist(session)
      let five = try await Tune.fetchId(5)
      list.songs.insert([five], at: 2)
      list.songs.remove(at: 0)
      #expect(list.songs.items.map(\.id) == [2, 5, 3, 4])
      try await write(session, "DELETE FROM Playlist_songs WHERE owner = 7 AND target = 3")
      #expect(list.songs.items.map(\.id) == [2, 5, 4])
      try await write(
        session, "UPDATE Playlist_songs SET position = 50 WHERE owner = 7 AND target = 2")
      #expect(list.songs.items.map(\.id) == [4, 2, 5])
      try await list.save()
      await session.database.waitUntilIdle(includingConsumers: true)
      let other = try await session.database.read {
        try $0.values(
          Int.self, "SELECT target FROM Playlist_songs WHERE owner = 7 ORDER BY position")
      }
      #expect(other == [4, 2, 5])
      #expect(list.songs.items.map(\.id) == other)
      #expect(!list.songs.hasMore)
    }
  }

  @Test func `receive rows whose relation refers to their owner`() async throws {
    try await withSession { session in
      let album = try await Album.createWith(name: "Faith")
      let other = try await Album.createWith(name: "Wish")
      try await session.prepare(Track.Value.self)
      try await write(
        session,
        """
        INSERT INTO Track (id, title, album) VALUES (1, 'a', \(album.id)), (2, 'b', \(album.id)),
          (3, 'c', \(album.id)), (4, 'd', \(other.id))
        """)
      try await [album, other].fetchAll(\.tracks)
      let tracks = album.tracks.items
      #expect(tracks.map(\.id) == [1, 2, 3])
      #expect(other.tracks.items.map(\.id) == [4])
      try await write(session, "UPDATE Track SET album = \(other.id) WHERE id = 2")
      #expect(album.tracks.items.map(\.id) == [1, 3])
      #expect(album.tracks.items.first === tracks[0])
      #expect(other.tracks.items.map(\.id) == [4])
      #expect(other.tracks.hasMore)
      try await other.tracks.fetch()
      #expect(other.tracks.items.map(\.id) == [2, 4])
      #expect(other.tracks.items.first === tracks[1])
      #expect(tracks[1].album._object === other)
      try await write(session, "DELETE FROM Track WHERE id = 1")
      #expect(album.tracks.items.map(\.id) == [3])
      try await write(session, "UPDATE Track SET title = 'z'")
      #expect(album.tracks.items.map(\.id) == [3])
      #expect(!album.tracks.hasMore)
    }
  }

  @Test func `can be observed`() async throws {
    try await withSession { session in
      let list = try await playlist(session)
      let told = Mutex(0)
      func track() {
        withObservationTracking {
          _ = list.songs.items
        } onChange: {
          told.withLock { $0 += 1 }
        }
      }
      track()
      try await write(session, "DELETE FROM Playlist_songs WHERE owner = 8")
      #expect(told.withLock(\.self) == 0)
      try await write(session, "DELETE FROM Playlist_songs WHERE target = 1")
      #expect(told.withLock(\.self) == 1)
      track()
      list.songs.remove(at: 0)
      #expect(told.withLock(\.self) == 2)
      track()
      try await list.songs.fetch()
      #expect(told.withLock(\.self) == 3)
    }
  }

  @Test func `are read together, and only if a commit affects them`() async throws {
    try await withSession { session in
      try await session.prepare(Playlist.Value.self)
      try await session.database.write { connection in
        for id in 1...300 {
          try connection.run("INSERT INTO Playlist VALUES (?1, 'list')", id)
          try connection.run("INSERT INTO Tune VALUES (?1, 'song')", id)
          try connection.run("INSERT INTO Playlist_songs VALUES (?1, 10, ?1), (?1, 20, 1)", id)
        }
      }
      let lists = try await Playlist.fetchQuery("ORDER BY id")
      try await lists.fetchAll(\.songs)
      // One subscription for all lists, regardless of their number.
      #expect(session.database.observationStatistics().observations.isEmpty)
      try await write(session, "DELETE FROM Tune WHERE id = 1")
      #expect(lists.map { $0.songs.items.count } == [0] + Array(repeating: 1, count: 299))
      try await write(session, "DELETE FROM Playlist_songs WHERE owner = 7")
      #expect(lists[6].songs.items.isEmpty)
    }
  }
}
