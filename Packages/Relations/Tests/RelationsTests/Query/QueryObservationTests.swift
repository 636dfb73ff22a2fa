import Foundation
import Observation
import Observe
import Relations
import SQLiteCore
import Primitives
import Testing

@Suite struct `A query follows` {
  private static let order = "WHERE artist = 'The Cure' ORDER BY name"

  private func expectFresh(
    _ query: RelationQuery<Album>, _ count: Int, _ session: ModelSession,
    _ context: String = ""
  ) async throws {
    await session.database.waitUntilIdle(includingConsumers: true)
    let fresh = try await Album.fetchQuery("\(unsafe: Self.order), id LIMIT \(count + 1)")
    #expect(query.items.map(\.value) == fresh.prefix(count).map(\.value), "\(context)")
    #expect(query.hasMore == (fresh.count > count), "\(context)")
  }

  @Test func `commits of any connection`() async throws {
    try await withFile { session, file in
      let query = RelationQuery<Album>(SQL(unsafe: Self.order), initial: 3, showsNewRows: true)
      try await query.fetchItems()
      try await session.database.write { connection in
        try connection.execute(
          """
          CREATE TABLE label (id INTEGER PRIMARY KEY);
          CREATE TABLE cover (album INTEGER REFERENCES label (id) ON DELETE CASCADE);
          CREATE TRIGGER gone AFTER DELETE ON cover BEGIN
            DELETE FROM Album WHERE id = old.album; END;
          CREATE TRIGGER renamed AFTER INSERT ON label BEGIN
            UPDATE Album SET name = 'z ' || name WHERE id = new.id; END;
          """)
      }
      for (id, name) in [(1, "Wish"), (2, "Faith"), (3, "Disintegration"), (4, "Pornography")] {
        try await session.database.write {
          try $0.run("INSERT INTO Album VALUES (?, ?, 'The Cure')", id, name)
        }
        try await expectFresh(query, 3, session, name)
      }
      let album = try await Album.fetchId(2)
      album.value.name = "A Forest"
      try await album.save()
      try await expectFresh(query, 3, session, "save")
      album.value.artist = "Others"
      try await album.save()
      try await expectFresh(query, 3, session, "no longer matches")
      album.value.artist = "The Cure"
      try await album.save()
      try await expectFresh(query, 3, session, "matches again")
      try await session.database.write { try $0.run("INSERT INTO label VALUES (3)") }
      try await expectFresh(query, 3, session, "trigger")
      try await session.database.write { try $0.run("INSERT INTO cover VALUES (3)") }
      try await session.database.write { try $0.run("DELETE FROM label") }
      try await expectFresh(query, 3, session, "cascade")
      try await session.database.write {
        try $0.run("REPLACE INTO Album VALUES (1, 'Bloodflowers', 'The Cure')")
      }
      try await expectFresh(query, 3, session, "replace")
      let other = try file.open()
      try await other.write { try $0.run("INSERT INTO Album VALUES (9, 'Seventeen', 'The Cure')") }
      try await expectFresh(query, 3, session, "another database")
      try await other.write { try $0.run("DELETE FROM Album") }
      try await expectFresh(query, 3, session, "all gone")
      #expect(query.items.isEmpty)
      other.close()
    }
  }

  @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/sqlite3")))
  func `commits of another process, if requested`() async throws {
    try await withFile { session, file in
      let query = RelationQuery<Album>(SQL(unsafe: Self.order), initial: 3, showsNewRows: true)
      try await session.database.startObserving(.exchanged)
      try await query.fetchItems()
      let process = Process()
      process.executableURL = URL(fileURLWithPath: "/usr/bin/sqlite3")
      process.arguments = [file.path, "INSERT INTO Album VALUES (9, 'Seventeen', 'The Cure')"]
      try process.run()
      process.waitUntilExit()
      await session.database.checkForExternalChanges()
      try await expectFresh(query, 3, session)
      #expect(query.items.map(\.name) == ["Seventeen"])
    }
  }

  @Test func `no rolled back changes and no unrelated changes`() async throws {
    try await withSession { session in
      let album = try await Album.createWith(artist: "The Cure", name: "Faith")
      let query = RelationQuery<Album>(
        "WHERE artist = ? AND name <> ''", arguments: ["The Cure"], showsNewRows: true)
      try await query.fetchItems()
      await session.database.waitUntilIdle(includingConsumers: true)
      func fetches() -> [Int] {
        session.database.observationStatistics().observations.map(\.counts.fetches)
      }
      let before = fetches()
      #expect(before.count == 1)
      await #expect(throws: CancellationError.self) {
        try await session.database.write { connection in
          try connection.run("DELETE FROM Album")
          throw CancellationError()
        }
      }
      try await Album.createWith(artist: "Low", name: "Trust")
      try await Track.createWith(title: "Primary")
      try await session.database.write {
        try $0.run("UPDATE Album SET name = 'x' WHERE artist = 'Low'")
      }
      await session.database.waitUntilIdle(includingConsumers: true)
      #expect(fetches() == before)
      #expect(query.items.map(\.id) == [album.id])
      try await session.database.write { try $0.run("UPDATE Album SET artist = 'The Cure'") }
      await session.database.waitUntilIdle(includingConsumers: true)
      #expect(fetches() != before)
      #expect(query.items.count == 2)
    }
  }

  @Test func `new rows that match only one side of an OR`() async throws {
    try await withSession { session in
      let query = RelationQuery<Album>(
        "WHERE artist = 'The Cure' OR artist = 'Low' AND name = 'Trust'", showsNewRows: true)
      try await query.fetchItems()
      #expect(query.items.isEmpty)
      await session.database.waitUntilIdle(includingConsumers: true)
      try await session.elsewhere("INSERT INTO Album VALUES (1, 'Faith', 'The Cure')")
      await session.database.waitUntilIdle(includingConsumers: true)
      #expect(query.items.map(\.name) == ["Faith"])
    }
  }

  @Test func `changes as a sequence without equal consecutive results`() async throws {
    try await withSession { session in
      let query = RelationQuery<Album>(SQL(unsafe: Self.order), showsNewRows: true)
      let (given, giving) = AsyncStream<[String]>.makeStream()
      try await session.use {
        let task = Task {
          for try await albums in query.values { giving.yield(albums.map(\.name)) }
          giving.finish()
        }
        var results = given.makeAsyncIterator()
        #expect(await results.next() == [])
        let album = try await Album.createWith(artist: "The Cure", name: "Faith")
        #expect(await results.next() == ["Faith"])
        try await session.database.write { connection in
          try connection.run("UPDATE Album SET name = 'Wish'")
          try connection.run("UPDATE Album SET name = 'Faith'")
        }
        try await Album.createWith(artist: "Low", name: "Trust")
        try await album.delete()
        #expect(await results.next() == [])
        task.cancel()
        #expect(await results.next() == nil)
        try await task.value
      }
    }
  }

  @Test func `its errors`() async throws {
    try await withSession { session in
      try await Album.createWith(artist: "The Cure", name: "Faith")
      let query = RelationQuery<Album>(SQL(unsafe: Self.order))
      try await query.fetchItems()
      #expect(query.failure == nil)
      try await session.database.write { try $0.run("ALTER TABLE Album RENAME TO former") }
      await session.database.waitUntilIdle(includingConsumers: true)
      #expect(query.failure is SQLiteError)
      #expect(query.items.map(\.name) == ["Faith"])
      await #expect(throws: SQLiteError.self) {
        // The sequence begins with the rows that were shown before.
        for try await _ in query.values { try await query.fetchItems() }
      }
      try await session.database.write { try $0.run("ALTER TABLE former RENAME TO Album") }
      await session.database.waitUntilIdle(includingConsumers: true)
      #expect(query.failure == nil)
    }
  }

  @Test func `changes with Swift's Observation`() async throws {
    try await withSession { session in
      let query = RelationQuery<Album>(SQL(unsafe: Self.order))
      let told = Mutex<[String]>([])
      func track() {
        withObservationTracking {
          _ = query.items
        } onChange: {
          told.withLock { $0.append("items") }
        }
        withObservationTracking {
          _ = query.hasMore
        } onChange: {
          told.withLock { $0.append("hasMore") }
        }
      }
      track()
      try await query.fetchItems()
      #expect(Set(told.withLock(\.self)) == ["items", "hasMore"])
      told.withLock { $0 = [] }
      track()
      try await Album.createWith(artist: "Low", name: "Trust")
      await session.database.waitUntilIdle(includingConsumers: true)
      #expect(told.withLock(\.self) == [])
      try await Album.createWith(artist: "The Cure", name: "Faith")
      await session.database.waitUntilIdle(includingConsumers: true)
      #expect(told.withLock(\.self).contains("hasMore"))
      #expect(query.hasMore)
    }
  }

  @Test func `commits as long as it is referenced`() async throws {
    let database = try Database(.memory)
    weak var gone: RelationQuery<Child>?
    weak var item: Child?
    weak var formerSession: ModelSession?
    try await {
      let session = ModelSession(database)
      formerSession = session
      try await session.use {
        try await Child.createWith(name: "Faith")
        let query = RelationQuery<Child>()
        gone = query
        try await query.fetchItems()
        item = query.items.first
        #expect(item?.value.name == "Faith")
        #expect(database.observationStatistics().observations.count == 1)
      }
    }()
    #expect(gone == nil)
    #expect(item == nil)
    for _ in 0..<500 where !database.observationStatistics().observations.isEmpty {
      try await Task.sleep(for: .milliseconds(1))
    }
    #expect(database.observationStatistics().observations.isEmpty)
    try await database.write { try $0.run("UPDATE Child SET name = 'x'") }
    await database.waitUntilIdle(includingConsumers: true)
    #expect(formerSession == nil)
  }

  @Test func `commits as a property as long as its owner is referenced`() async throws {
    try await withSession { session in
      try await Album.createWith(artist: "The Cure", name: "Faith")
      weak var gone: Artist?
      try await {
        let artist = try await Artist.createWith(name: "The Cure")
        gone = artist
        try await artist.albums.fetchItems()
        #expect(artist.albums.items.count == 1)
      }()
      #expect(gone == nil)
      try await session.database.write { try $0.run("UPDATE Album SET name = 'x'") }
      await session.database.waitUntilIdle(includingConsumers: true)
      try await session.database.write { try $0.run("UPDATE Album SET name = 'y'") }
      for _ in 0..<500 where !session.database.observationStatistics().observations.isEmpty {
        try await Task.sleep(for: .milliseconds(1))
      }
      #expect(session.database.observationStatistics().observations.isEmpty)
    }
  }

  @Test func `commits during concurrent writes, fetches and reads`() async throws {
    try await withSession { session in
      try await session.prepare(Album.Value.self)
      let query = RelationQuery<Album>(
        SQL(unsafe: Self.order), initial: 20, limit: 5, showsNewRows: true)
      try await session.use {
        try await withThrowingTaskGroup { group in
          group.addTask {
            for round in 0..<60 {
              try await session.database.write { connection in
                try connection.run(
                  "INSERT INTO Album (id, name, artist) VALUES (?, ?, 'The Cure')", round + 1,
                  "album \(round * 37 % 60)")
                if round % 3 == 0 {
                  try connection.run("DELETE FROM Album WHERE id = ?", round / 2)
                }
              }
            }
          }
          group.addTask { for _ in 0..<20 { try await query.fetchItems() } }
          group.addTask { for _ in 0..<20 { try await query.restart() } }
          try await group.waitForAll()
        }
      }
      try await expectFresh(query, 20, session)
    }
  }
}
