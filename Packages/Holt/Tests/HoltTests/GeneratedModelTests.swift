import Holt
import Testing

extension Album: Table {
  static let tableName = "album"
  init() { self.init(id: 0, title: "") }
}

extension Track: Table {
  static let tableName = "track"
  init() { self.init(id: 0, title: "", album: OneRelation(onDelete: .cascade)) }
}

final class AlbumModel: Model, @unchecked Sendable {
  typealias Value = Album
  var value: Album
  init(_ value: Album) { self.value = value }
  var tracks: ManyRelation<TrackModel> { value.tracks }
}

final class TrackModel: Model, @unchecked Sendable {
  typealias Value = Track
  var value: Track
  init(_ value: Track) { self.value = value }
  var album: OneRelation<AlbumModel> { value.album }
}

@Suite struct `Models of generated tables` {
  @Test func `are saved to and fetched from the tables that the migrations created`() async throws {
    let db = try DB()
    let before = try await db.database.read { try $0.databaseSchema() }
    try await ModelSession(db).use {
      let faith = try await AlbumModel.create()
      faith.value.title = "Faith"
      faith.value.releasedOn = 1981
      let primary = try await TrackModel.create()
      primary.value.title = "Primary"
      faith.tracks.append([primary])
      try await faith.save()
      #expect(try await primary.album.object === faith)

      // The same rows, fetched by the generated queries.
      let tracks = try await db.tracksOfTitle.execute("Faith")
      #expect(tracks.map(\.title) == ["Primary"])
      #expect(tracks.map(\.album.key) == [faith.id])
      let added = try await db.addAlbum.execute(title: "Pornography", date: nil)
      #expect(try await AlbumModel.fetchId(added.id).value.title == "Pornography")
    }
    #expect(try await db.database.read { try $0.databaseSchema() } == before)
  }

  @Test func `load their relations for several rows at once`() async throws {
    let db = try DB()
    try await db.database.write {
      try $0.execute(
        """
        INSERT INTO album VALUES (1, 'Faith', 1981), (2, 'Wish', NULL);
        INSERT INTO track VALUES (1, 'Primary', 1), (2, 'Open', 2), (3, 'High', 2), (4, 'None', NULL);
        """)
    }
    let session = ModelSession(db)
    try await session.use {
      let albums = try await AlbumModel.fetchQuery("ORDER BY id")
      try await albums.fetchAll(\.tracks)
      #expect(
        albums.map { $0.tracks.items.map(\.value.title) } == [["Primary"], ["Open", "High"]])
      let tracks = try await TrackModel.fetchQuery("ORDER BY id")
      try await tracks.fetchAll(\.album)
      #expect(
        try tracks.map { try $0.album.loaded()?.value.title } == ["Faith", "Wish", "Wish", nil])
      await tracks[3].album.setObject(albums[0])
      try await TrackModel.saveChanges()
      #expect(try await db.tracksOfTitle.execute("Faith").map(\.id) == [1, 4])
    }
  }

  @Test func `throw an error that names the table and the column if they differ`() async throws {
    struct Wrong: Table {
      static let tableName = "album"
      var id = 0
      var title = 0
      var releasedOn: Int?
    }
    let db = try DB()
    let session = ModelSession(db)
    var error = await #expect(throws: RelationError.self) {
      try await session.fetchAll(Wrong.self)
    }
    #expect(error?.code == .schemaMismatch)
    #expect(error?.table == "album")
    #expect(error?.column == "releasedOn")
    // Later changes to the table by others are reported in the same way.
    try await db.database.write {
      try $0.execute("ALTER TABLE track ADD COLUMN disc INTEGER NOT NULL DEFAULT 1")
      try $0.execute("ALTER TABLE track RENAME COLUMN title TO name")
    }
    error = await #expect(throws: RelationError.self) {
      try await ModelSession(db).fetchAll(TrackModel.self)
    }
    #expect(error?.table == "track")
    #expect(error?.column == "title")
  }
}
