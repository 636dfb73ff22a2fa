import Foundation
import Observe
import Relations
import SQLiteCore
import Testing

// The samples of Docs/Guides/FromAutoDB.md, verbatim, and tests of its statements about files written by AutoDB.

final class Album: Model, @unchecked Sendable {
  struct Value: Table {
    static let tableName = "Album"
    var id: AutoId = 0
    var name = ""
    @UnixDate var released = Date(timeIntervalSince1970: 0)
    var isLive = false
    var labels: [String] = []
    var tracks = ManyRelation<Track>()
  }

  var value: Value
  init(_ value: Value) { self.value = value }
  var tracks: ManyRelation<Track> { value.tracks }
}

final class Track: Model, @unchecked Sendable {
  struct Value: Table {
    static let tableName = "Track"
    static let indexes = [["title"]]
    var id: AutoId = 0
    var title = ""
    var album = OneRelation<Album>()
    var words = FTSColumn<Track>("title")
  }

  var value: Value
  init(_ value: Value) { self.value = value }
  var album: OneRelation<Album> { value.album }
}

enum Music {
  static let migrations = [
    Migration(name: "columns, not documents") { db in
      guard try db.table("Track") != nil else { return }
      for name in ["Delete", "Update", "Insert"] {
        try db.execute("DROP TRIGGER IF EXISTS TracktitleTable\(unsafe: name)")
      }
      try db.execute("DROP TABLE IF EXISTS TracktitleTable")
      try db.rebuild(
        "Album",
        to: """
          CREATE TABLE Album (
            id INTEGER PRIMARY KEY, name TEXT NOT NULL, released NOT NULL, isLive BOOLEAN NOT NULL,
            labels TEXT NOT NULL, tracks BLOB
          )
          """,
        mapping: [
          "isLive": "iif(typeof(isLive) = 'integer', isLive, 0)",
          "labels": "coalesce(nullif(CAST(labels AS TEXT), ''), '[]')",
        ])
      try db.rebuild(
        "Track",
        to: "CREATE TABLE Track (id INTEGER PRIMARY KEY, title TEXT NOT NULL, album INTEGER)",
        mapping: [
          "album": """
          (SELECT id FROM Album
          WHERE id = json_extract(nullif(CAST(album AS TEXT), ''), '$.id'))
          """
        ])
    },
    Migration(name: "lists, not documents") { db in
      guard try db.columns(of: "Album").contains(where: { $0.name == "tracks" }) else { return }
      try db.run(
        """
        INSERT INTO Album_tracks (owner, position, target)
        SELECT Album.id, (entry.key + 1) << 20, entry.value
        FROM Album, json_each(nullif(CAST(Album.tracks AS TEXT), ''), '$.ids') AS entry
        WHERE entry.value IN (SELECT id FROM Track)
        """)
      try db.run("ALTER TABLE Album DROP COLUMN tracks")
    },
  ]

  static func open(path: String) async throws -> ModelSession {
    var configuration = Configuration()
    configuration.trustsSchema = true  // for full-text search, up to SQLite 3.40
    let database = try Database(path: path, configuration: configuration)
    try await database.migrate(migrations, upTo: "columns, not documents")
    let session = ModelSession(database)
    try await session.prepare([Album.Value.self, Track.Value.self])
    try await database.migrate(migrations)
    return session
  }
}

@Suite struct `From AutoDB` {
  /// The SQL that AutoDB runs for the same models, and the data that it stores.
  static let script = """
    CREATE TABLE `Album` (`id` INTEGER NOT NULL DEFAULT 1,`name` TEXT NOT NULL DEFAULT '',\
    `released` DOUBLE NOT NULL DEFAULT 1.0,`isLive` BLOB NOT NULL DEFAULT X'',\
    `labels` BLOB NOT NULL DEFAULT X'',`tracks` BLOB NOT NULL DEFAULT X'',PRIMARY KEY (`id`));
    CREATE TABLE `Track` (`id` INTEGER NOT NULL DEFAULT 1,`title` TEXT NOT NULL DEFAULT '',\
    `album` BLOB NOT NULL DEFAULT X'',PRIMARY KEY (`id`));
    CREATE INDEX `Track+title` ON `Track` (`title`);
    CREATE VIRTUAL TABLE IF NOT EXISTS `TracktitleTable` USING \
    FTS5(id UNINDEXED, text, tokenize='unicode61 remove_diacritics 0');
    CREATE TRIGGER IF NOT EXISTS `TracktitleTableDelete` AFTER DELETE ON `Track` BEGIN
      DELETE FROM `TracktitleTable` WHERE `TracktitleTable`.id = OLD.id;
    END;
    CREATE TRIGGER IF NOT EXISTS `TracktitleTableUpdate` AFTER UPDATE ON `Track` BEGIN
      DELETE FROM `TracktitleTable` WHERE `TracktitleTable`.id = OLD.id;
    END;
    CREATE TRIGGER IF NOT EXISTS `TracktitleTableInsert` AFTER INSERT ON `Track` BEGIN
      DELETE FROM `TracktitleTable` WHERE `TracktitleTable`.id = NEW.id;
    END;
    INSERT INTO Track VALUES
      (576460752303423488, 'Primary', CAST('{"id":72057594037927936}' AS BLOB)),
      (576460752303423489, 'Doubt', CAST('{"id":72057594037927936}' AS BLOB)),
      (576460752303423490, 'Lost', CAST('{"id":0}' AS BLOB)),
      (576460752303423491, 'Gone', CAST('{"id":5}' AS BLOB)),
      (576460752303423492, 'Before there were albums', X'');
    INSERT INTO Album VALUES
      (72057594037927936, 'Faith', 1795271849.5, 1, CAST('["Fiction"]' AS BLOB),
      CAST('{"ids":[576460752303423489,576460752303423488,7],"initial":150,"limit":50,\
    "initFetch":false}' AS BLOB)),
      (72057594037927937, 'Before there were lists', 0, X'', X'', X'');
    INSERT INTO TracktitleTable (id, text) VALUES (576460752303423488, 'Primary');
    """

  @Test func `a file's rows, relations and lists are adopted`() async throws {
    let file = try LegacyFile(Self.script)
    let session = try await Music.open(path: file.path)
    try await session.use {
      let albums = try await Album.fetchQuery()
      let faith = try #require(albums.first { $0.value.isLive })
      let old = try #require(albums.first { !$0.value.isLive })
      #expect(old.value.labels == [] && old.value.name == "Before there were lists")
      #expect(faith.id.rawValue == 72_057_594_037_927_936)
      #expect(faith.value.name == "Faith")
      #expect(faith.value.released == Date(timeIntervalSince1970: 1_795_271_849.5))
      #expect(faith.value.isLive)
      #expect(faith.value.labels == ["Fiction"])
      try await faith.tracks.fetch()
      #expect(faith.tracks.items.map(\.value.title) == ["Doubt", "Primary"])
      let tracks = try await Track.fetchQuery("ORDER BY id")
      #expect(tracks.map { $0.album.key != nil } == [true, true, false, false, false])
      #expect(try await tracks[0].album.object === faith)
    }
    #expect(try await session.database.read { try $0.foreignKeyViolations() } == [])
    #expect(try await session.database.read { try $0.integrityCheck() } == [])
  }

  @Test func `a second start changes nothing, and a new file needs no conversion`() async throws {
    let file = try LegacyFile(Self.script)
    var session = try await Music.open(path: file.path)
    let schema = try await session.database.databaseSchema()
    session.database.close()
    session = try await Music.open(path: file.path)
    #expect(try await session.database.databaseSchema() == schema)
    #expect(try await session.database.read { try $0.count("Album_tracks") } == 2)

    let new = try await Music.open(path: LegacyFile().path)
    try await new.use {
      let album = try await Album.create()
      album.tracks.append([try await Track.create()])
      try await Album.saveChanges()
    }
    #expect(try await new.database.read { try $0.count("Album_tracks") } == 1)
  }

  @Test func `the example changes, saves and searches`() async throws {
    let file = try LegacyFile(Self.script)
    let session = try await Music.open(path: file.path)
    try await session.use {
      let albums = try await Album.fetchQuery("WHERE name = ?", ["Faith"])
      let faith = albums[0]
      try await albums.load { $0.with(\.tracks) }

      let other = try await Track.create()
      other.value.title = "Other Voices"
      faith.tracks.append([other])
      faith.value.isLive = false
      try await Album.saveChanges()

      let found = try await other.value.words.search("voices", limit: 20)
      #expect(found.map(\.item.value.title) == ["Other Voices"])
      #expect(faith.tracks.items.map(\.value.title) == ["Doubt", "Primary", "Other Voices"])
    }
    let links = try await session.database.read { try $0.count("Album_tracks") }
    #expect(links == 3)
  }

  @Test func `a query is a list that observes commits`() async throws {
    let session = try await Music.open(path: LegacyFile(Self.script).path)
    try await session.use {
      let live = RelationQuery<Album>("WHERE isLive = ?", arguments: [true], limit: 20)
      try await live.fetchItems()
      #expect(live.items.map(\.value.name) == ["Faith"])
      try await Album.createWith(isLive: true, name: "Concert")
      try await Album.saveChanges()
      await session.database.waitUntilIdle(includingConsumers: true)
      try await live.refresh()
      #expect(live.items.map(\.value.name) == ["Faith", "Concert"])
    }
  }
}
