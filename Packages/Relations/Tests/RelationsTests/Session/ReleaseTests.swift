import Observe
import SQLiteCore
import Testing

@testable import Relations

final class Knot: Model, @unchecked Sendable {
  struct Value: Table {
    static let tableName = "Knot"
    var id = 0
    var other = OneRelation<Knot>()
  }
  var value: Value
  init(_ value: Value) { self.value = value }
  var other: OneRelation<Knot> { value.other }
}

/// Instances with lists of values that refer to instances.
private enum Racks {
  final class Rack: Model, @unchecked Sendable {
    struct Value: Table {
      static let tableName = "Rack"
      var id = 0
      var volumes = ManyRelation<Volume>(\.rack)
      static var properties: [RowProperty<Value>] {
        [.init(column: "id") { $0.id }, .init(relation: "volumes") { $0.volumes }]
      }

      init() {}
      init(row: borrowing SQLiteCore.Row) throws(SQLiteError) { id = try row.read(at: 0) }
    }
    var value: Value
    init(_ value: Value) { self.value = value }
    var volumes: ManyRelation<Volume> { value.volumes }
  }

  struct Volume: Table {
    var id = 0
    var rack = OneRelation<Rack>()
    var scribe = OneRelation<Scribe>()
    static var properties: [RowProperty<Volume>] {
      [
        .init(column: "id") { $0.id }, .init(column: "rack") { $0.rack },
        .init(column: "scribe") { $0.scribe },
      ]
    }

    init() {}
    init(row: borrowing SQLiteCore.Row) throws(SQLiteError) {
      id = try row.read(at: 0)
      rack = OneRelation(try row.read(at: 1))
      scribe = OneRelation(try row.read(at: 2))
    }
  }

  final class Scribe: Model, @unchecked Sendable {
    struct Value: Table {
      static let tableName = "Scribe"
      var id = 0
    }
    var value: Value
    init(_ value: Value) { self.value = value }
  }
}

@Suite struct `Instances that are not referenced` {
  @Test func `are released`() async throws {
    try await withSession { _ in
      weak var released: Album?
      do {
        let album = try await Album.createWith(name: "Faith")
        released = try await Album.fetchId(album.id)
        album.value.name = "changed"
        try await album.save()
      }
      #expect(released == nil)
    }
  }

  @Test func `are retained for a change made during a save`() async throws {
    try await withSession { session in
      do {
        let album = try await Album.createWith(name: "before")
        album.value.name = "saved"
        session.markChanged(of: album)
        try await session.write(saving: [album]) { _ in
          album.value.name = "changed meanwhile"
          session.markChanged(of: album)
        }
      }
      try await session.saveChanges()
      #expect(try await session.rows("SELECT name FROM Album") == [["changed meanwhile"]])
    }
  }

  @Test func `are released together with the targets of their relations`() async throws {
    try await withSession { session in
      let id = try await Album.createWith(name: "Faith").id
      do {
        let art = try await AlbumArt.create()
        art.album.key = id
        try await art.save()
      }
      weak var released: Album?
      do {
        let art = try #require(try await AlbumArt.fetchQuery().first)
        released = try await art.album.object
        #expect(released != nil)
      }
      #expect(released == nil)
    }
  }

  @Test func `are released if a list and its rows refer to each other`() async throws {
    try await withSession { session in
      let id = try await Self.makeAlbum()
      weak var album: Album?
      weak var track: Track?
      do {
        let found = try await Album.fetchId(id)
        try await found.tracks.fetch()
        try await found.tracks.items.fetchAll(\.album)
        album = found
        track = found.tracks.items[0]
        #expect(track?.album._object === found)
      }
      #expect(album == nil)
      #expect(track == nil)
    }
  }

  @Test func `are released if the rows had fetched the list's owner before`() async throws {
    try await withSession { session in
      let id = try await Self.makeAlbum()
      weak var album: Album?
      weak var track: Track?
      do {
        let tracks = try await Track.fetchQuery()
        try await tracks.fetchAll(\.album)
        let found = try await Album.fetchId(id)
        try await found.tracks.fetch()
        for other in tracks { await other.album.setObject(found) }
        album = found
        track = tracks[0]
      }
      #expect(album == nil)
      #expect(track == nil)
    }
  }

  @Test func `are released after a list was created, saved and fetched again`() async throws {
    try await withSession { session in
      weak var album: Album?
      weak var track: Track?
      do {
        let made = try await Album.create()
        let added = try await Track.create()
        made.tracks.append([added])
        try await session.saveChanges()
        try await session.database.write { connection in
          try connection.run("UPDATE Album SET name = 'other'")
          try connection.run("UPDATE Track SET title = 'other'")
        }
        #expect(try await Album.fetchQuery()[0].name == "other")
        #expect(try await Track.fetchQuery()[0].album._object === made)
        try await made.tracks.fetch()
        album = made
        track = added
      }
      #expect(album == nil)
      #expect(track == nil)
    }
  }

  @Test func `are released after a list of links was created and saved`() async throws {
    try await withSession { session in
      weak var parent: Parent?
      weak var child: Child?
      do {
        let made = try await Parent.create(1)
        let added = try await Child.create()
        made.children.append([added])
        try await session.saveChanges()
        parent = made
        child = added
      }
      #expect(parent == nil)
      #expect(child == nil)
    }
  }

  @Test func `are released with lists of values that refer to other instances`() async throws {
    try await withLoggedSession { session, log in
      for type in [Racks.Rack.Value.self, Racks.Scribe.Value.self, Racks.Volume.self]
        as [any Table.Type]
      {
        try await session.prepare(type)
      }
      try await session.database.write { connection in
        try connection.execute(
          "INSERT INTO Rack VALUES (1); INSERT INTO Scribe VALUES (2); "
            + "INSERT INTO Volume VALUES (3, 1, 2)")
      }
      var core: ListCore?
      weak var scribe: Racks.Scribe?
      do {
        let rack = try await session.fetch(Racks.Rack.self, 1)
        try await [rack].fetchAll(\.volumes)
        let found = try await rack.volumes.items.fetchAll(\.scribe)
        (core, scribe) = (rack.volumes.core, found[2])
        #expect(scribe != nil)
      }
      #expect(scribe == nil)
      #expect(core?.isReleased == true)
      let read = try await log.recordStatements {
        try await session.database.write { try $0.execute("UPDATE Volume SET scribe = NULL") }
        await session.database.waitUntilIdle(includingConsumers: true)
      }
      #expect(!read.contains { $0.contains("Volume") })
    }
  }

  @Test func `leave only empty lists, which are not read again`() async throws {
    try await withLoggedSession { session, log in
      let id = try await Self.makeAlbum()
      var core: ListCore?
      weak var track: Track?
      do {
        let album = try await Album.fetchId(id)
        try await [album].fetchAll(\.tracks)
        core = album.tracks.core
        track = album.tracks.items[0]
        #expect(core?.isReleased == false)
      }
      #expect(core?.isReleased == true)
      #expect(track == nil)
      let read = try await log.recordStatements {
        try await session.database.write { try $0.execute("UPDATE Track SET title = 'other'") }
        await session.database.waitUntilIdle(includingConsumers: true)
      }
      #expect(!read.contains { $0.contains("Track") })
    }
  }

  @Test func `are released after they were deleted`() async throws {
    try await withSession { session in
      let id = try await Self.makeAlbum()
      weak var album: Album?
      weak var track: Track?
      do {
        let found = try await Album.fetchId(id)
        try await found.tracks.fetch()
        album = found
        track = found.tracks.items[0]
        track?.value.title = "changed"
        track?.didChange()
        try await found.delete()
      }
      // The subscription retains the list while it handles the commit.
      await session.database.waitUntilIdle(includingConsumers: true)
      #expect(album == nil)
      #expect(track == nil)
    }
  }

  @Test func `are released if two fetched rows refer to each other`() async throws {
    try await withSession { session in
      let ids = try await Self.makeKnots()
      weak var first: Knot?
      weak var second: Knot?
      do {
        let knots = try await Knot.fetchIds(ids)
        try await knots.fetchAll(\.other)
        (first, second) = (knots[0], knots[1])
        #expect(try knots[0].other.loaded() === knots[1])
        #expect(try knots[1].other.loaded() === knots[0])
      }
      #expect(first == nil)
      #expect(second == nil)
      do {
        let knot = try await Knot.fetchId(ids[0])
        let other = try await knot.other.object
        #expect(try await other.other.object === knot)
        (first, second) = (knot, other)
      }
      #expect(first == nil)
      #expect(second == nil)
      do {
        let knot = try await Knot.create()
        await knot.other.setObject(knot)
        try await knot.save()
        #expect(knot.other.key == knot.id)
        #expect(try knot.other.loaded() === knot)
        first = knot
      }
      #expect(first == nil)
    }
  }

  private static func makeKnots() async throws -> [Int] {
    let (one, two) = (try await Knot.create(), try await Knot.create())
    await one.other.setObject(two)
    try await one.save()
    two.other.key = one.id
    try await two.save()
    await one.other.setObject(nil)
    one.other.key = two.id
    // Instances with reported changes are retained until the save.
    try await Knot.saveChanges()
    return [one.id, two.id]
  }

  @Test func `are released after a failed save and a successful one`() async throws {
    try await withSession { session in
      let id = try await Account.createWith(name: "a").id
      weak var account: Account?
      do {
        let second = try await Account.create()
        second.value.name = "a"
        await #expect(throws: SQLiteError.self) { try await second.save() }
        second.value.name = "b"
        try await second.save()
        #expect(second.id != id)
        account = second
      }
      #expect(account == nil)
    }
  }

  @Test func `leak no memory`() async throws {
    try await withSession { session in
      try await session.prepare(Album.Value.self)
      for number in 1...40 {
        try await session.database.write { connection in
          for row in 1...100 {
            try connection.run(
              "INSERT INTO Album (id, name, artist) VALUES (?, '', '')", number * 1_000 + row)
          }
        }
        let albums = try await Album.fetchQuery("WHERE id > ?", [number * 1_000])
        #expect(albums.count == 100)
      }
      #expect(session.identities(of: Album.self).entryCount <= 300)
    }
  }

  @Test func `are saved in any number`() async throws {
    try await withSession { session in
      try await session.prepare(Track.Value.self)
      try await session.database.write { connection in
        for number in 1...4_000 {
          try connection.run("INSERT INTO Track (id, title) VALUES (?, 'a')", number)
        }
      }
      let tracks = try await Track.fetchQuery()
      for track in tracks { track.value.title = "b" }
      var new: [Track] = []
      for _ in 0..<2_000 { new.append(Track(Track.Value(title: "new"))) }
      try await session.save(Array(tracks[..<500]))
      try await session.saveChanges()
      try await session.save(new)
      let count = try await session.database.read {
        try $0.value(Int.self, "SELECT count(*) FROM Track WHERE title <> 'a'")
      }
      #expect(count == 6_000)
    }
  }

  private static func makeAlbum() async throws -> AutoId {
    let album = try await Album.createWith(name: "Faith")
    album.tracks.append([try await Track.create(), try await Track.create()])
    try await album.save()
    return album.id
  }
}
