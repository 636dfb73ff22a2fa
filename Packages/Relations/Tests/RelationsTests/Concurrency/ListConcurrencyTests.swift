import Observation
import Observe
import SQLiteCore
import Testing

@testable import Relations

/// Concurrent calls of a list by several tasks of one actor.
@MainActor @Suite struct `Lists used by several tasks` {
  @Test func `fetch one page for each request`() async throws {
    try await withPlaylist(of: 9) { session, list in
      async let first: Void = list.songs.fetch()
      async let second: Void = list.songs.fetch()
      async let third: Void = list.songs.fetch()
      _ = try await (first, second, third)
      #expect(list.shown == [1, 2, 3, 4, 5, 6, 7, 8])
      #expect(list.songs.hasMore)
      async let fourth: Void = list.songs.fetch()
      async let fifth: Void = list.songs.reload()
      async let sixth: Void = list.songs.fetch()
      _ = try await (fourth, fifth, sixth)
      #expect(list.shown == [1, 2, 3, 4, 5, 6, 7, 8, 9])
      #expect(!list.songs.hasMore)
    }
  }

  @Test func `show a row appended after a row that was inserted and saved`() async throws {
    try await withPlaylist(of: 0) { session, list in
      try await list.songs.fetch()
      list.songs.insert([Tune(id: 1)], at: 0)
      try await save(list, in: session) { list.songs.with { $0.pendingResult != nil } }
      #expect(!list.songs.hasMore)
      list.songs.append([Tune(id: 2)])
      #expect(list.shown == [1, 2])
      try await session.save(list)
      #expect(list.shown == [1, 2])
      try await list.songs.fetch()
      #expect(list.shown == [1, 2])
      #expect(!list.songs.hasMore)
    }
  }

  @Test(.timeLimit(.minutes(10)), arguments: [5, 9])
  func `are fetched although edits need more rows than a first page`(_ count: Int) async throws {
    try await withPlaylist(of: 0) { session, list in
      // The list was never fetched, and has more saved rows than a first page.
      list.songs.insert((1...count).map { Tune(id: $0) }, at: 0)
      try await session.save(list)
      list.songs.insert([Tune(id: 99)], at: 0)
      try await list.songs.fetch()
      #expect(list.shown == [99] + Array(1...count))
      try await session.save(list)
      #expect(try await session.storedSongs() == [99] + Array(1...count))
    }
  }

  @Test func `do not show rows that a save has removed since they were read`() async throws {
    try await withPlaylist(of: 4) { session, list in
      try await list.songs.fetch()
      list.songs.remove(at: 1)
      let read = Gate()
      let loading = Task {
        try await list.songs.reload()
        read.open()
      }
      while !read.isOpen, !(list.songs.with { $0.schedule.running != nil }) { await Task.yield() }
      try await session.save(list)
      #expect(list.shown == [1, 3, 4])
      try await loading.value
      #expect(list.shown == [1, 3, 4])
    }
  }

  @Test func `show changes received during a load when the load ends`() async throws {
    try await withPlaylist(of: 4) { session, list in
      try await list.songs.fetch()
      #expect(list.shown == [1, 2, 3, 4])
      let load = list.songs.with { state in
        let load = state.schedule.makeID()
        _ = state.schedule.begin(load)
        return load
      }
      try await session.commit("DELETE FROM Playlist_songs WHERE target = 2")
      let isTold = Gate()
      withObservationTracking {
        #expect(list.shown == [1, 2, 3, 4])
      } onChange: {
        isTold.open()
      }
      #expect(!isTold.isOpen)
      list.songs.resume { $0.end(load) }
      #expect(isTold.isOpen)
      #expect(list.shown == [1, 3, 4])
    }
  }

  @Test func `receive changes committed concurrently with a save`() async throws {
    try await withPlaylist(of: 4) { session, list in
      try await list.songs.fetch()
      list.songs.insert([Tune(id: 9)], at: 0)
      let sql = "DELETE FROM Playlist_songs WHERE target = 2"
      try await save(list, in: session, sql) {
        list.songs.with { $0.pendingResult != nil }
      }
      await session.database.waitUntilIdle(includingConsumers: true)
      #expect(list.shown == [9, 1, 3, 4])
    }
  }

  @Test func `are reloaded with the number of shown rows after some were removed`() async throws {
    try await withPlaylist(of: 9) { session, list in
      for _ in 0..<2 { try await list.songs.fetch() }
      #expect(list.shown == [1, 2, 3, 4, 5, 6])
      for _ in 0..<2 { list.songs.remove(at: 0) }
      list.songs.insert([Tune(id: 10)], at: 4)
      try await list.songs.reload()
      #expect(list.shown == [3, 4, 5, 6, 10])
      try await [list].fetchAll(\.songs, limit: 1)
      #expect(list.shown == [3, 4, 5, 6, 10])
      try await session.save(list)
      #expect(try await session.storedSongs() == [3, 4, 5, 6, 10, 7, 8, 9])
      try await [list].fetchAll(\.songs, limit: 1)
      #expect(list.shown == [3])
    }
  }

  @Test func `have no more rows after an inserted row is saved separately`() async throws {
    try await withSession { session in
      let album = try await session.create(Album.self)
      try await session.save(album)
      try await album.tracks.fetch()
      let track = try await session.create(Track.self)
      album.tracks.insert([track], at: 0)
      try await session.save(track)
      await session.database.waitUntilIdle(includingConsumers: true)
      #expect(album.tracks.items.map(\.id) == [track.id])
      #expect(!album.tracks.hasMore)
      try await session.save(album)
      await session.database.waitUntilIdle(includingConsumers: true)
      #expect(album.tracks.items.map(\.id) == [track.id])
      #expect(!album.tracks.hasMore)
    }
  }

  // MARK: Many lists in one load

  @Test func `do not show a deleted row that a snapshot still contains`() async throws {
    try await withFile { session, _ in
      try await session.prepare(Disc.Value.self)
      try await session.prepare(Song.Value.self)
      try await session.database.write { connection in
        try connection.execute(
          "INSERT INTO Disc VALUES (1, 'a'), (2, 'b'); INSERT INTO Label (id, name) VALUES (1, '')")
        try connection.execute(
          """
          INSERT INTO Song (id, title, disc) VALUES (1, '', 1), (2, '', 1), (3, '', 2);
          INSERT INTO Disc_labels VALUES (1, 1, 1), (2, 1, 1)
          """)
      }
      let discs = try await session.fetchAll(Disc.self, "ORDER BY id")
      let (songs, labels) = (discs.map(\.songs), discs.map(\.labels))
      try await discs.fetchAll(\.songs)
      try await discs.fetchAll(\.labels)
      // The shown rows of these lists are known.
      #expect(labels.map(\.items.count) == [1, 1])
      #expect(songs[1].items.count == 1)
      let revision = session.clock.tick()
      try await session.database.withSnapshot { snapshot in
        // The snapshot is taken by its first read.
        _ = try await snapshot.read { try $0.value(Int.self, "SELECT count(*) FROM Song") }
        try await session.delete(Song.self, [2, 3])
        try await session.delete(Label.self, [1])
        let source = LoadSource.snapshot(snapshot, at: revision)
        for limit in [nil, 9] {
          let query = try await songs[0].prepared().query
          try await session.load(songs, songs.map(\.core), query, limit: limit, from: source)
          #expect(songs.map { $0.objects.map(\.id) } == [[1], []])
        }
        let query = try await labels[0].prepared().query
        try await session.load(labels, labels.map(\.core), query, limit: nil, from: source)
        #expect(labels.map { $0.objects.map(\.id) } == [[], []])
      }
    }
  }

  /// Saves a list, and lets the transaction commit only after `isHeard` returns true.
  private func save(
    _ list: Playlist, in session: ModelSession, _ sql: String = "", until isHeard: () -> Bool
  ) async throws {
    let (isWriting, mayCommit) = (Gate(), Gate())
    let saving = Task {
      try await session.write(saving: [list]) { connection in
        try connection.execute(SQL(unsafe: sql))
        isWriting.open()
        mayCommit.block()
      }
    }
    await isWriting.wait()
    // The save can't be recorded before this task suspends.
    mayCommit.open()
    while !isHeard() {}
    try await saving.value
  }
}
