import Observe
import Relations
import SQLiteCore
import Testing

@Suite struct `List and schema defects of other libraries` {
  @Test func `A3: a unique index on duplicate rows is refused and deletes no row`()
    async throws
  {
    try await withFile { session, file in
      try await session.prepare(Sheet1.self)
      for title in ["a", "a", "b", "b", "c"] { try await Sheet1(title: title).save() }
      let error = await #expect(throws: (any Error).self) { try await session.prepare(Sheet3.self) }
      #expect((error as? SQLiteError)?.code == .constraintUnique)
      let other = try file.connect()
      #expect(try other.value(Int.self, "SELECT count(*) FROM Sheet") == 5)
      #expect(
        try other.value(Int.self, "SELECT count(*) FROM sqlite_schema WHERE type = 'index'") == 0)
    }
  }

  @Test func `A4: a list is fetched page by page to its end`() async throws {
    try await withFile { session, _ in
      let parent = try await Parent.create(1)
      var children: [Child] = []
      for _ in 0..<8 { children.append(try await Child.create()) }
      parent.children.append(children)
      try await parent.save()
      let other = ModelSession(session.database)
      let found = try await other.fetch(Parent.self, 1)
      var counts: [Int] = []
      repeat {
        try await found.children.fetch()
        counts.append(found.children.items.count)
      } while found.children.hasMore
      #expect(counts == [3, 5, 7, 8])
      #expect(found.children.items.map(\.id) == children.map(\.id))
    }
  }

  @Test func `A5: appending before the first fetch hides no existing row`()
    async throws
  {
    try await withFile { session, _ in
      let parent = try await Parent.create(1)
      parent.children.append([try await Child.create(), try await Child.create()])
      try await parent.save()
      let other = ModelSession(session.database)
      let found = try await other.fetch(Parent.self, 1)
      let third = try await other.create(Child.self)
      found.children.append([third])
      #expect(found.children.hasMore)
      #expect(!found.children.isLoaded)
      try await found.children.fetch()
      #expect(found.children.items.count == 3)
      #expect(found.children.items.last === third)
      try await other.save(found)
      #expect(try await found.children.totalCount() == 3)
    }
  }

  @Test func `A12: added columns have the declared defaults in existing rows`()
    async throws
  {
    try await withFile { session, file in
      try await Sheet1(title: "a").save()
      let row = try #require(try await Sheet2.fetchQuery().first)
      #expect(row == Sheet2(id: 1, title: "a", count: 7, state: "untitled", rate: 0.5, note: nil))
      let other = try file.connect()
      let stored = try other.values(
        String.self, "SELECT count || state || rate || ifnull(note, '-') FROM Sheet")
      #expect(stored == ["7untitled0.5-"])
    }
  }

  @Test func `A14: rows that a query no longer selects are removed after any connection's change`()
    async throws
  {
    try await withFile { session, _ in
      let albums = RelationQuery<Album>("WHERE artist = 'The Cure' ORDER BY name", initial: 9)
      for name in ["a", "b", "c", "d"] {
        try await Album.createWith(artist: "The Cure", name: name)
      }
      try await albums.fetchItems()
      #expect(albums.items.map(\.name) == ["a", "b", "c", "d"])
      try await session.database.write { connection in
        try connection.run("UPDATE Album SET artist = '' WHERE name = 'b'")
        try connection.run("DELETE FROM Album WHERE name = 'd'")
        try connection.run("UPDATE Album SET name = 'z' WHERE name = 'a'")
      }
      for _ in 0..<400 where albums.items.map(\.name) != ["c", "z"] {
        try await Task.sleep(for: .milliseconds(5))
      }
      #expect(albums.items.map(\.name) == ["c", "z"])
    }
  }

  @Test func `A15: a query's text is not interpreted as a format`() async throws {
    try await withFile { _, _ in
      for name in ["100 %", "%d", "cat"] { try await Album.createWith(name: name) }
      let albums = RelationQuery<Album>("WHERE name LIKE '%a%' OR name LIKE '\\%d' ESCAPE '\\'")
      try await albums.fetchItems()
      #expect(Set(albums.items.map(\.name)) == ["%d", "cat"])
      let percent = RelationQuery<Album>("WHERE name = ?", arguments: ["100 %"])
      try await percent.fetchItems()
      #expect(percent.items.map(\.name) == ["100 %"])
    }
  }

  @Test
  func `A23: relations without a target do not fail the load of other relations`() async throws {
    try await withFile { session, file in
      let album = try await Album.createWith(name: "Faith")
      let gone = try await Album.createWith(name: "gone")
      var arts: [AlbumArt] = []
      for target in [album, nil, gone] {
        let art = try await AlbumArt.create()
        await art.album.setObject(target)
        arts.append(art)
      }
      try await arts.save()
      let other = ModelSession(session.database)
      let found = try await other.fetch(AlbumArt.self, arts.map(\.id))
      try file.connect().run("DELETE FROM Album WHERE name = 'gone'")
      try await found.fetchAll(\.album)
      #expect(found.map { $0.album._object?.name } == ["Faith", nil, nil])
      let error = await #expect(throws: RelationError.self) { try await found[1].album.object }
      #expect(error?.code == .noTarget)
    }
  }

  @Test func `Pages continue after rows that were deleted between fetches`() async throws {
    try await withFile { session, file in
      let parent = try await Parent.create(1)
      var children: [Child] = []
      for _ in 0..<7 { children.append(try await Child.create()) }
      parent.children.append(children)
      try await parent.save()
      let other = ModelSession(session.database)
      let found = try await other.fetch(Parent.self, 1)
      try await found.children.fetch()
      try file.connect().execute(
        "PRAGMA foreign_keys = ON; DELETE FROM Child WHERE id IN (\(children[1].id), \(children[3].id))"
      )
      while found.children.hasMore { try await found.children.fetch() }
      #expect(found.children.items.suffix(3).map(\.id) == children.suffix(3).map(\.id))
    }
  }

  @Test func `Of two links to the same row, the one at the index is removed`()
    async throws
  {
    try await withFile { session, _ in
      let parent = try await Parent.create(1)
      let (a, b) = (try await Child.create(), try await Child.create())
      parent.children.append([a, b, a])
      try await parent.save()
      parent.children.remove(at: 2)
      try await parent.save()
      let other = ModelSession(session.database)
      let found = try await other.fetch(Parent.self, 1)
      try await found.children.fetch()
      #expect(found.children.items.map(\.id) == [a.id, b.id])
    }
  }

  @Test func `A relation is cleared, and one with a changed key has the new target`() async throws {
    try await withFile { _, file in
      let (one, two) = (
        try await Album.createWith(name: "1"), try await Album.createWith(name: "2")
      )
      let art = try await AlbumArt.create()
      await art.album.setObject(one)
      try await art.save()
      art.album.key = two.id
      #expect(art.album._object == nil)
      #expect(try await art.album.object === two)
      try await art.save()
      #expect(try file.connect().value(Int64.self, "SELECT album FROM AlbumArt") == two.id.rawValue)
      await art.album.setObject(nil)
      try await art.save()
      #expect(try file.connect().value(Int64?.self, "SELECT album FROM AlbumArt") == .some(nil))
    }
  }

  @Test func `Two writers that append to the same list both keep their rows`() async throws {
    try await withFile { session, file in
      let parent = try await Parent.create(1)
      try await parent.save()
      let other = ModelSession(try file.open())
      let found = try await other.fetch(Parent.self, 1)
      try await found.children.fetch()
      let (mine, theirs) = (try await Child.create(), try await other.create(Child.self))
      parent.children.append([mine])
      found.children.append([theirs])
      try await parent.save()
      try await other.save(found)
      #expect(try await found.children.totalCount() == 2)
      let third = ModelSession(session.database)
      let all = try await third.fetch(Parent.self, 1)
      try await all.children.fetch()
      #expect(all.children.items.map(\.id) == [mine.id, theirs.id])
    }
  }

  @Test func `The user's own indexes are kept`() async throws {
    try await withFile { session, file in
      try await session.prepare(Sheet1.self)
      try file.connect().execute(
        """
        CREATE INDEX mine ON Sheet (lower(title)) WHERE title <> '';
        CREATE TRIGGER own AFTER DELETE ON Sheet BEGIN SELECT 1; END
        """)
      let other = ModelSession(try file.open())
      try await other.prepare(Sheet2.self)
      let names = try file.connect().values(
        String.self, "SELECT name FROM sqlite_schema WHERE name IN ('mine', 'own') ORDER BY name")
      #expect(names == ["mine", "own"])
    }
  }

  @Test
  func `A value that can't be read is an error and is not replaced by a default`() async throws {
    try await withFile { session, file in
      try await Sheet1(title: "a").save()
      try file.connect().run("UPDATE Sheet SET title = x'ff00'")
      await #expect(throws: (any Error).self) { try await Sheet1.fetchQuery() }
    }
  }

  @Test func `NULL in a column of a non-optional property is an error`() async throws {
    try await withFile { session, file in
      try file.connect().execute(
        "CREATE TABLE Sheet (id INTEGER PRIMARY KEY, title TEXT); INSERT INTO Sheet VALUES (1, NULL)"
      )
      let explicit = ModelSession(try file.open(), schema: .explicit)
      await #expect(throws: (any Error).self) { try await explicit.fetchAll(Sheet1.self) }
    }
  }
}
