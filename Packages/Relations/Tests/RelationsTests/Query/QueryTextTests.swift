import Observe
import Relations
import SQLiteCore
import Testing

@Suite struct `The text of a query` {
  private func albums(_ session: ModelSession) async throws {
    for (artist, name) in [("The Cure", "Faith"), ("The Cure", "100% 'Wish'"), ("Low", "Trust")] {
      try await Album.createWith(artist: artist, name: name)
    }
    let first = try await Album.fetchQuery("ORDER BY name")[0]
    for title in ["a", "b"] {
      let track = try await Track.create()
      track.value.title = title
      await track.album.setObject(first)
      try await track.save()
    }
  }

  @Test(arguments: [
    "", "WHERE name LIKE '%a%' ORDER BY name", "WHERE name = '100% ''Wish'''",
    "WHERE name LIKE '100\\%%' ESCAPE '\\'",
    "WHERE id IN (SELECT id FROM Album ORDER BY name LIMIT 2)",
    "WHERE name <> '' -- ORDER BY artist LIMIT 1", "/* LIMIT 1; */ WHERE artist = 'The Cure'",
    "WHERE \"name\" <> 'ORDER BY \"x\" LIMIT 1' ORDER BY artist DESC -- by artist",
    "JOIN Track ON Track.album = Album.id WHERE Track.title <> '' ORDER BY Track.title",
    "WHERE artist = 'The Cure' OR artist = 'Low' AND name = ';'",
    "WHERE [artist] = 'Low' ORDER BY CASE WHEN name = 'LIMIT' THEN 1 ELSE 0 END",
    "WHERE Album.artist == 'The Cure' AND name >= 'B' ORDER BY `name`",
    "GROUP BY artist HAVING count(*) > 0 ORDER BY artist",
    "WHERE name BETWEEN 'A' AND 'Z' AND artist <> 'x'",
  ])
  func `is run unchanged`(_ text: String) async throws {
    try await withSession { session in
      try await albums(session)
      let query = RelationQuery<Album>(SQL(unsafe: text), initial: 100)
      try await query.fetchItems()
      let order = text.contains("ORDER BY ") && !text.hasSuffix("LIMIT 1") && !text.contains("(S")
      let fresh = try await Album.fetchQuery(
        "\(unsafe: text)\n\(unsafe: order ? "," : "ORDER BY") Album.id")
      #expect(query.items.map(\.id) == fresh.map(\.id))
      #expect(try await query.totalCount() == fresh.count)
      #expect(!query.hasMore)

      // The same after a commit that inserts rows before the shown ones.
      let shown = RelationQuery<Album>(SQL(unsafe: text), initial: 1)
      try await shown.fetchItems()
      guard let first = shown.items.first else { return }
      try await session.database.write { connection in
        try connection.run("UPDATE Album SET artist = artist || '', name = name || ''")
        for id in 1...3 {
          try connection.run(
            "INSERT INTO Album SELECT -?1, name, artist FROM Album WHERE id = ?2", id, first.id)
        }
      }
      await session.database.waitUntilIdle(includingConsumers: true)
      #expect(shown.failure == nil)
      let all = try await Album.fetchQuery(
        "\(unsafe: text)\n\(unsafe: order ? "," : "ORDER BY") Album.id")
      // A group may be represented by another row.
      if all.contains(where: { $0 === first }) { #expect(shown.items.map(\.id) == [first.id]) }
      #expect(shown.hasMore == (all.map(\.id) != shown.items.map(\.id)))
    }
  }

  @Test(arguments: [
    "LIMIT 3", "WHERE artist = 'x' LIMIT 3", "WHERE artist = 'x';", "WHERE artist = 'x' /* open",
    "WHERE artist = 'open",
  ])
  func `that can't be followed by an order and a limit is an error`(_ text: String) async throws {
    try await withSession { session in
      let query = RelationQuery<Album>(SQL(unsafe: text))
      let error = await #expect(throws: RelationError.self) { try await query.fetchItems() }
      #expect(error?.code == .invalidQuery)
      #expect(!query.isLoaded)
    }
  }

  @Test(arguments: ["WHERE artist = ", "WHERE no_such = 1", "WHERE (artist = 'x'"])
  func `that can't be compiled is an error of SQLite`(_ text: String) async throws {
    try await withSession { session in
      let query = RelationQuery<Album>(SQL(unsafe: text))
      await #expect(throws: SQLiteError.self) { try await query.fetchItems() }
    }
  }
}
