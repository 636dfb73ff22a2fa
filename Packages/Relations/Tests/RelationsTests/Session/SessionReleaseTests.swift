import Observe
import SQLiteCore
import Testing

@testable import Relations

@Suite struct `Sessions that are not referenced` {
  @Test func `are released with their databases, regardless of loaded relations`() async throws {
    weak var released: ModelSession?
    weak var database: Database?
    do {
      let session = ModelSession(try Database(.memory))
      (released, database) = (session, session.database)
      try await session.use {
        let album = try await Album.createWith(name: "Faith")
        album.tracks.append([try await Track.create()])
        try await album.save()
        let tracks = try await Track.fetchQuery()
        try await tracks.fetchAll(\.album)
        try await album.tracks.fetch()
        await session.database.waitUntilIdle(includingConsumers: true)
      }
    }
    // The session of a concurrent test may purge the instances of this one.
    for _ in 0..<200 where released != nil || database != nil {
      try await Task.sleep(for: .milliseconds(5))
    }
    #expect(released == nil)
    #expect(database == nil)
  }

  @Test
  func `are released when the next session is created, if no model is referenced`() async throws {
    weak var released: ModelSession?
    let database = try Database(.memory)
    var album: Album?
    do {
      let session = ModelSession(database)
      released = session
      album = try await session.create(Album.self)
      try await session.save(session.fetchAll(Album.self))
      if let album { try await session.save(album) }
      _ = try await session.fetchAll(Track.self)
    }
    _ = ModelSession(database)
    #expect(released != nil)
    try await album?.tracks.fetch()
    #expect(album?.tracks.items.isEmpty == true)
    await database.waitUntilIdle(includingConsumers: true)
    album = nil
    _ = ModelSession(database)
    for _ in 0..<200 where released != nil { try await Task.sleep(for: .milliseconds(5)) }
    #expect(released == nil)
  }
}
