import Observe
import Relations
import SQLiteCore
import Testing

@Suite struct `Identity defects of other libraries` {
  @Test func `A7: a saved instance is released and not written again`() async throws {
    try await withFile { session, file in
      let writes = try await countWrites(session, on: "Note")
      weak var released: Note?
      do {
        let note = try await Note.create()
        note.value.text = "a"
        try await Note.saveChanges()
        note.value.text = "b"
        try await Note.saveChanges()
        released = note
      }
      #expect(released == nil)
      #expect(try await writes() == 2)
      try await Note.saveChanges()
      #expect(try await writes() == 2)
      #expect(try file.connect().values(String.self, "SELECT text FROM Note") == ["b"])
    }
  }

  @Test func `A7: an instance that was changed and changed back is released`() async throws {
    try await withFile { session, _ in
      let id = try await Note.createWith(text: "a").id
      weak var released: Note?
      do {
        let note = try await Note.fetchId(id)
        released = note
        note.value.text = "b"
        note.value.text = "a"
      }
      #expect(released != nil)
      try await Note.saveChanges()
      #expect(released == nil)
    }
  }

  @Test func `A7: refetching a row does not retain its instance`() async throws {
    try await withFile { session, file in
      weak var released: Note?
      do {
        let note = try await Note.createWith(text: "a")
        released = note
        try file.connect().run("UPDATE Note SET text = 'b'")
        #expect(try await Note.fetchId(note.id).value.text == "b")
      }
      #expect(released == nil)
    }
  }

  @Test
  func `A7: a reported change is saved even if the instance is not referenced`() async throws {
    try await withFile { _, file in
      try await Note.createWith(text: "a").value.text = "b"
      try await Note.saveChanges()
      #expect(try file.connect().values(String.self, "SELECT text FROM Note") == ["b"])
    }
  }

  @Test func `A9: a deleted row is not fetched from memory`() async throws {
    try await withFile { _, file in
      let first = try await Album.createWith(name: "Faith")
      try await first.delete()
      let error = await #expect(throws: RelationError.self) { try await Album.fetchId(first.id) }
      #expect(error?.code == .missingRow)
      let second = try await Album.createWith(name: "Pornography")
      try file.connect().run("DELETE FROM Album")
      await #expect(throws: RelationError.self) { try await Album.fetchId(second.id) }
      #expect(try await Album.fetchIds([first.id, second.id]).isEmpty)
      #expect(try await !Album.exists(second.id))
    }
  }

  @Test func `A10: no fetch returns rows written by a rolled back transaction`()
    async throws
  {
    try await withFile { session, file in
      let album = try await Album.createWith(name: "Faith")
      await #expect(throws: CancellationError.self) {
        try await session.database.write { connection in
          try connection.run("UPDATE Album SET name = 'Other'")
          try connection.run("INSERT INTO Album (id, name, artist) VALUES (5, 'New', '')")
          throw CancellationError()
        }
      }
      #expect(try await Album.fetchQuery().map { $0 === album } == [true])
      #expect(album.name == "Faith")
    }
  }

  @Test func `A11: a fetch refreshes the existing instance from its row`() async throws {
    try await withFile { _, file in
      let album = try await Album.createWith(name: "Faith")
      try file.connect().run("UPDATE Album SET name = 'changed by SQL'")
      let found = try await Album.fetchQuery("WHERE name = 'changed by SQL'")
      #expect(found.map { $0 === album } == [true])
      #expect(album.name == "changed by SQL")
    }
  }

  @Test func `A11: unsaved changes and other connections' changes of other columns are kept`()
    async throws
  {
    try await withFile { _, file in
      let album = try await Album.createWith(artist: "The Cure", name: "Faith")
      album.value.name = "mine"
      try file.connect().run("UPDATE Album SET artist = 'theirs'")
      #expect(try await Album.fetchId(album.id) === album)
      #expect(album.name == "mine")
      try await Album.saveChanges()
      let row = try file.connect().values(String.self, "SELECT name || artist FROM Album")
      #expect(row == ["minetheirs"])
      #expect(try await Album.fetchId(album.id).value.artist == "theirs")
    }
  }

  @Test
  func `A11: a row that was read before a save was recorded does not revert it`() async throws {
    try await withFile { session, _ in
      let album = try await Album.createWith(name: "0")
      for number in 1...30 {
        album.value.name = "\(number)"
        async let saved: Void = album.save()
        async let one = Album.fetchQuery()
        async let two = Album.fetchId(album.id)
        _ = try await (saved, one, two)
        #expect(album.name == "\(number)")
      }
    }
  }

  @Test
  func `A13: updates are reported as updates, and rolled back changes are not`() async throws {
    try await withFile { session, _ in
      let account = try await Account.createWith(name: "a")
      try await session.database.startObserving()
      var changes = session.database.changes().makeAsyncIterator()
      account.value.name = "b"
      try await account.save()
      let failing = try await Account.create()
      failing.value.name = "b"
      await #expect(throws: SQLiteError.self) { try await failing.save() }
      try await session.database.write { try $0.run("DELETE FROM Account") }
      #expect(
        try await changes.next()?.description
          == #"Account: updated 1 row (name: "a" → "b")"#)
      #expect(try await changes.next()?.description.contains("deleted 1 row") == true)
    }
  }
}

/// Counts the rows inserted into a table, and the updated rows.
func countWrites(
  _ session: ModelSession, on table: String
) async throws -> () async throws -> Int {
  try await session.prepare(Note.Value.self)
  try await session.database.write { connection in
    try connection.execute(
      """
      CREATE TABLE written (number INTEGER);
      CREATE TRIGGER written_inserted AFTER INSERT ON \(unsafe: table) BEGIN INSERT INTO written VALUES (1); END;
      CREATE TRIGGER written_updated AFTER UPDATE ON \(unsafe: table) BEGIN INSERT INTO written VALUES (2); END;
      """)
  }
  return {
    try await session.database.read { try $0.value(Int.self, "SELECT count(*) FROM written") ?? 0 }
  }
}
