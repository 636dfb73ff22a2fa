import Relations
import SQLiteCore
import Testing

/// The types of the README, whose names are used by other tests too.
private enum Readme {
  final class Album: Model, @unchecked Sendable {
    struct Value: Table {
      static let tableName = "Album"
      var id: AutoId = 0
      var name = ""
      var artist = ""
      var tracks = ManyRelation<Track>(\.album)
    }
    var value: Value
    init(_ value: Value) { self.value = value }
    var tracks: ManyRelation<Track> { value.tracks }
  }

  final class Track: Model, @unchecked Sendable {
    struct Value: Table {
      static let tableName = "Track"
      var id = 0
      var title = ""
      var album = OneRelation<Album>(onDelete: .cascade)
    }
    var value: Value
    init(_ value: Value) { self.value = value }
    var album: OneRelation<Album> { value.album }
  }

  struct Genre: Table {
    var id = 0
    var name = ""

    init() {}
    init(row: borrowing Row) throws(SQLiteError) {
      id = try row.read(at: 0)
      name = try row.read(at: 1)
    }
    static var properties: [RowProperty<Genre>] {
      [.init(column: "id") { $0.id }, .init(column: "name") { $0.name }]
    }
  }
}

@Suite struct `The README of Relations` {
  private typealias Album = Readme.Album
  private typealias Track = Readme.Track

  private func makeAlbum() async throws -> Album {
    let faith = try await Album.createWith(artist: "The Cure", name: "Faith")
    let primary = try await Track.create()
    primary.value.title = "Primary"
    faith.tracks.append([primary])
    try await faith.save()
    return faith
  }

  @Test func `begins with an album and its track`() async throws {
    try await withSession { _ in
      var printed: [String] = []
      func print(_ title: String) { printed.append(title) }

      let faith = try await Album.createWith(artist: "The Cure", name: "Faith")
      let primary = try await Track.create()
      primary.value.title = "Primary"
      faith.tracks.append([primary])
      try await faith.save()

      let albums = try await Album.fetchQuery("WHERE artist = ?", ["The Cure"])
      try await albums.fetchAll(\.tracks)
      for track in albums[0].tracks.items { print(track.value.title) }

      #expect(printed == ["Primary"])
    }
  }

  @Test func `has rows that are read without Codable`() async throws {
    try await withSession { _ in
      var genre = Readme.Genre()
      genre.name = "dark"
      try await genre.save()
      #expect(try await Readme.Genre.fetchQuery().map(\.name) == ["dark"])
    }
  }

  @Test func `loads several levels, counts rows, and selects owners`() async throws {
    try await withSession { _ in
      let faith = try await makeAlbum()
      let other = try await Album.createWith(name: "Seventeen Seconds")
      let albums = [faith, other]
      try await albums.load { $0.with(\.tracks) { $0.with(\.album) } }

      let tracks = try Album.related(\.tracks)
      let counts = try await albums.values(of: tracks.count)
      let silent = try await Album.fetchQuery(where: tracks.isEmpty)

      #expect(counts == [faith.id: 1, other.id: 0])
      #expect(silent.map(\.id) == [other.id])
    }
  }

  @Test func `has a query that is fetched in pages`() async throws {
    try await withSession { _ in
      _ = try await makeAlbum()
      var printed: [String] = []
      func print(_ name: String) { printed.append(name) }

      let albums = RelationQuery<Album>(
        "WHERE artist = ?", arguments: ["The Cure"], initial: 4, limit: 20)
      try await albums.fetchItems()
      for album in albums.items { print(album.value.name) }

      #expect(printed == ["Faith"])
    }
  }

  @Test func `uses a session`() async throws {
    let file = try TemporaryFile()
    let path = file.path
    let session = ModelSession(try Database(path: path))
    try await session.use {
      let album = try await Album.createWith(name: "Faith")
      album.value.name = "Pornography"
      try await Album.saveChanges()
    }
    let names = try await session.database.read {
      try $0.values(String.self, "SELECT name FROM Album")
    }
    #expect(names == ["Pornography"])
  }

  @Test func `searches titles`() async throws {
    try await withSession { session in
      _ = try await makeAlbum()
      let index = FullTextIndex("trackText", on: "Track", columns: ["title"])
      try await session.database.write { connection in
        try connection.setOption(.trustedSchema, on: true)
        try index.create(in: connection)
      }
      let hits = try await session.database.read { connection in
        try connection.search(index, .words("primary"), limit: 20)
      }
      #expect(hits.map(\.rowID) == [1])
    }
  }
}
