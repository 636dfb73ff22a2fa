import Observe
import Relations
import SQLiteCore
import Testing

@Suite struct `Relations of the seed` {
  @Test func `to-one are fetched on request, and set`() async throws {
    try await withSession { _ in
      let someAlbum = try await Album.createWith(artist: "The Cure", name: "Faith")
      let art = try await AlbumArt.create()
      #expect(art.album._object == nil)
      await #expect(throws: RelationError.self) { try await art.album.object }
      await art.album.setObject(someAlbum)
      try await AlbumArt.saveChanges()

      let other = try await AlbumArt.fetchId(art.id)
      #expect(other === art)
      let album = try await art.album.object
      #expect(album === someAlbum)
      #expect(album.name == "Faith")
      let key = try await AlbumArt.session.database.read {
        try $0.value(Int64.self, "SELECT album FROM AlbumArt")
      }
      #expect(key == someAlbum.id.rawValue)
    }
  }

  @Test func `to-one are fetched for a whole array`() async throws {
    try await withSession { session in
      let album = try await Album.createWith(name: "Faith")
      let id = album.id
      try await session.prepare(AlbumArt.Value.self)
      try await session.database.write { connection in
        for _ in 0..<3 { try connection.run("INSERT INTO AlbumArt (album) VALUES (?)", id) }
        try connection.run("INSERT INTO AlbumArt (album) VALUES (NULL)")
      }
      let arts = try await AlbumArt.fetchQuery("ORDER BY id")
      try await arts.fetchAll(\.album)
      #expect(arts.map { $0.album._object === album } == [true, true, true, false])
    }
  }

  @Test func `to-many are fetched, appended to and saved`() async throws {
    try await withSession { _ in
      let parent = try await Parent.create(1)
      try await parent.children.fetch()
      #expect(parent.children.items.isEmpty)
      #expect(!parent.children.hasMore)
      let someChild = try await Child.create()
      parent.children.append([someChild])
      #expect(parent.children.hasMore)
      parent.saveChangesLater()
      while try await parent.children.totalCount() == 0 {
        try await Task.sleep(for: .milliseconds(5))
      }
      try await parent.children.fetch()
      #expect(parent.children.items.map(\.id) == [someChild.id])
      #expect(!parent.children.hasMore)
    }
  }

  @Test func `by query indicate new rows`() async throws {
    try await withSession { session in
      let cureAlbums = RelationQuery<Album>(
        "WHERE artist = ?", arguments: ["The Cure"], initial: 4, limit: 20)
      #expect(!cureAlbums.isLoaded)
      try await cureAlbums.fetchItems()
      #expect(!cureAlbums.hasMore)
      try await Album.createWith(artist: "Others", name: "Pornography")
      try await Album.createWith(artist: "The Cure", name: "Faith")
      await session.database.waitUntilIdle(includingConsumers: true)
      #expect(cureAlbums.hasMore)
      #expect(cureAlbums.items.isEmpty)
      try await cureAlbums.fetchItems()
      #expect(cureAlbums.items.map(\.name) == ["Faith"])
      #expect(!cureAlbums.hasMore)
    }
  }

  @Test func `to-many use the other type's relation`() async throws {
    try await withSession { _ in
      let album = try await Album.createWith(name: "Faith")
      for title in ["All Cats Are Grey", "Primary"] {
        let track = try await Track.create()
        track.value.title = title
        album.tracks.append([track])
      }
      try await album.save()
      #expect(album.tracks.items.map(\.value.id) == [1, 2])
      let tracks = try await Track.fetchQuery("ORDER BY title")
      #expect(tracks.map { $0.album._object === album } == [true, true])
      let albums = try await Album.fetchQuery()
      try await albums.fetchAll(\.tracks)
      #expect(albums[0].tracks.items.map(\.value.title) == ["All Cats Are Grey", "Primary"])
      try await album.delete()
      #expect(try await Track.fetchQuery().isEmpty)
    }
  }
}
