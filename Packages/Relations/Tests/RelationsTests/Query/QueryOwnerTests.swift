import Observe
import Relations
import SQLiteCore
import Testing

final class Artist: Model, @unchecked Sendable {
  struct Value: Table {
    static let tableName = "Artist"
    var id: AutoId = 0
    var name = ""
    var year = 1980
    var albums = RelationQuery<Album>(
      "WHERE artist = ? AND name LIKE '%'", arguments: [OwnerValue(\Value.name)], initial: 3)
  }
  var value: Value
  init(_ value: Value) { self.value = value }
  var albums: RelationQuery<Album> { value.albums }
}

struct Publisher: Table {
  var id = 0
  var name = ""
  var albums = RelationQuery<Album>("WHERE artist = ?", arguments: [OwnerValue(\Publisher.name)])
}

@Suite struct `A query of its owner's values` {
  private func albums() async throws {
    for (artist, name) in [("The Cure", "Faith"), ("The Cure", "Wish"), ("Low", "Trust")] {
      try await Album.createWith(artist: artist, name: name)
    }
  }

  @Test func `runs again when they are changed, saved or fetched`() async throws {
    try await withSession { session in
      try await albums()
      let artist = try await Artist.create()
      artist.value.name = "The Cure"
      try await artist.save()
      let query = artist.albums
      try await query.fetchItems()
      #expect(Set(query.items.map(\.name)) == ["Faith", "Wish"])

      artist.value.name = "Low"
      artist.didChange()
      await session.database.waitUntilIdle(includingConsumers: true)
      #expect(query.items.map(\.name) == ["Trust"])

      artist.value.name = "The Cure"
      try await artist.save()
      await session.database.waitUntilIdle(includingConsumers: true)
      #expect(Set(query.items.map(\.name)) == ["Faith", "Wish"])

      try await session.database.write { try $0.run("UPDATE Artist SET name = 'Low'") }
      #expect(try await Artist.fetchId(artist.id) === artist)
      await session.database.waitUntilIdle(includingConsumers: true)
      #expect(artist.albums.items.map(\.name) == ["Trust"])
      // Code that has kept the former query reads the same rows.
      #expect(query.items.map(\.name) == ["Trust"])

      artist.value.name = "The Cure"
      try await query.refresh()
      #expect(Set(query.items.map(\.name)) == ["Faith", "Wish"])
    }
  }

  @Test func `has no rows until the owner has a row`() async throws {
    try await withSession { session in
      try await albums()
      let artist = try await Artist.create()
      artist.value.name = "The Cure"
      try await artist.albums.fetchItems()
      #expect(artist.albums.isLoaded)
      #expect(artist.albums.items.isEmpty)
      #expect(try await artist.albums.totalCount() == 0)
      try await artist.save()
      await session.database.waitUntilIdle(includingConsumers: true)
      #expect(artist.albums.items.count == 2)
    }
  }

  @Test func `works for a row that is a value`() async throws {
    try await withSession { session in
      try await albums()
      try await Publisher(name: "Low").save()
      let label = try #require(try await Publisher.fetchQuery().first)
      try await label.albums.fetchItems()
      #expect(label.albums.items.map(\.name) == ["Trust"])
    }
  }

  @Test func `needs an owner`() async throws {
    try await withSession { _ in
      let error = await #expect(throws: RelationError.self) {
        try await Artist.Value().albums.fetchItems()
      }
      #expect(error?.code == .noOwner)
    }
  }

  @Test func `is not run again for the owner's other values`() async throws {
    try await withSession { session in
      try await albums()
      let artist = try await Artist.create()
      artist.value.name = "Low"
      try await artist.save()
      try await artist.albums.fetchItems()
      await session.database.waitUntilIdle(includingConsumers: true)
      let before = session.database.observationStatistics().observations.map(\.counts.fetches)
      artist.value.year = 1993
      artist.didChange()
      try await artist.save()
      await session.database.waitUntilIdle(includingConsumers: true)
      let after = session.database.observationStatistics().observations.map(\.counts.fetches)
      #expect(before == after)
    }
  }
}
