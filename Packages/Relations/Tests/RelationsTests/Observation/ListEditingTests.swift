import Observe
import SQLiteCore
import Testing

@testable import Relations

@Suite struct `Lists with unsaved changes` {
  /// A list of songs at positions 10, 20, 30 and so on, in a file that another connection writes
  /// without notifications.
  private func withPlaylist(
    of count: Int = 4,
    _ body: (ModelSession, Playlist, Connection) async throws -> Void
  ) async throws {
    try await withFile { session, file in
      try await session.prepare(Playlist.Value.self)
      try await session.database.write { connection in
        try connection.run("INSERT INTO Playlist VALUES (7, 'mine')")
        for id in 1...9 { try connection.run("INSERT INTO Tune VALUES (?, '')", id) }
        for id in 1...count {
          try connection.run("INSERT INTO Playlist_songs VALUES (7, ?, ?)", id * 10, id)
        }
      }
      let list = try await Playlist.fetchId(7)
      try await list.songs.fetch()
      try await body(session, list, try file.connect())
    }
  }

  private func stored(_ connection: Connection) throws -> [Int] {
    try connection.values(
      Int.self, "SELECT target FROM Playlist_songs WHERE owner = 7 ORDER BY position")
  }

  private func songs(_ ids: Int...) async throws -> [Tune] { try await Tune.fetchIds(ids) }

  // MARK: Fetching

  @Test func `keep their order when they are fetched again`() async throws {
    try await withPlaylist { session, list, other in
      list.songs.insert(try await songs(5), at: 2)
      list.songs.move(from: 0, to: 4)
      #expect(list.songs.items.map(\.id) == [2, 5, 3, 4, 1])
      try await [list].fetchAll(\.songs)
      #expect(list.songs.items.map(\.id) == [2, 5, 3, 4, 1])
      try await list.songs.reload()
      #expect(list.songs.items.map(\.id) == [2, 5, 3, 4, 1])
      try await list.save()
      #expect(try stored(other) == [2, 5, 3, 4, 1])
    }
  }

  @Test func `keep their order when a page is fetched`() async throws {
    try await withPlaylist(of: 6) { session, list, other in
      list.songs.insert(try await songs(9), at: 4)
      list.songs.append(try await songs(8))
      #expect(list.songs.items.map(\.id) == [1, 2, 3, 4, 9])
      try await list.songs.fetch()
      #expect(list.songs.items.map(\.id) == [1, 2, 3, 4, 9, 5, 6, 8])
      try await list.save()
      #expect(try stored(other) == [1, 2, 3, 4, 9, 5, 6, 8])
    }
  }

  @Test func `show no fewer rows after the first fetch`() async throws {
    try await withPlaylist(of: 1) { session, _, other in
      let list = try await Playlist.fetchId(7)
      list.songs.insert(try await songs(5, 6, 7, 8, 9), at: 0)
      try await list.save()
      #expect(list.songs.items.prefix(5).map(\.id) == [5, 6, 7, 8, 9])
      // A first page has 4 rows.
      try await list.songs.fetch()
      #expect(list.songs.items.prefix(5).map(\.id) == [5, 6, 7, 8, 9])
      list.songs.insert(try await songs(4), at: 5)
      try await list.save()
      #expect(try stored(other) == [5, 6, 7, 8, 9, 4, 1])
    }
  }

  @Test func `are saved as shown, before rows that are not yet fetched`() async throws {
    try await withPlaylist(of: 6) { session, list, other in
      list.songs.insert(try await songs(9), at: 4)
      list.songs.append(try await songs(8))
      try await list.save()
      #expect(try stored(other) == [1, 2, 3, 4, 9, 5, 6, 8])
      #expect(list.songs.items.map(\.id) == [1, 2, 3, 4, 9])
      while list.songs.hasMore { try await list.songs.fetch() }
      #expect(list.songs.items.map(\.id) == [1, 2, 3, 4, 9, 5, 6, 8])
    }
  }

  // MARK: Other connections

  @Test func `remove a link, and not another one at the same position`() async throws {
    try await withPlaylist { session, list, other in
      list.songs.remove(at: 3)
      try other.execute(
        "DELETE FROM Playlist_songs WHERE target = 4; INSERT INTO Playlist_songs VALUES (7, 40, 5)")
      try await list.save()
      #expect(try stored(other) == [1, 2, 3, 5])
    }
  }

  @Test func `remove a link that was moved`() async throws {
    try await withPlaylist { session, list, other in
      list.songs.remove(at: 3)
      try other.execute("UPDATE Playlist_songs SET position = 15 WHERE target = 4")
      try await list.save()
      #expect(try stored(other) == [1, 2, 3])
    }
  }

  @Test func `keep the places of edits if all positions have changed`() async throws {
    try await withPlaylist { session, list, other in
      list.songs.insert(try await songs(5), at: 2)
      list.songs.insert(try await songs(6), at: 0)
      list.songs.remove(at: 4)
      #expect(list.songs.items.map(\.id) == [6, 1, 2, 5, 4])
      try other.execute(
        """
        UPDATE Playlist_songs SET position = -position;
        UPDATE Playlist_songs SET position = 10 - position;
        INSERT INTO Playlist_songs VALUES (7, 10, 9)
        """)
      try await list.save()
      #expect(try stored(other) == [6, 9, 1, 2, 5, 4])
      try await list.songs.reload()
      #expect(list.songs.items.map(\.id) == [6, 9, 1, 2, 5])
    }
  }

  @Test func `hide no row that another connection has inserted in between`() async throws {
    try await withPlaylist { session, list, other in
      list.songs.append(try await songs(5))
      try other.execute("INSERT INTO Playlist_songs VALUES (7, 15, 8), (7, 50, 9)")
      try await list.save()
      #expect(try stored(other) == [1, 8, 2, 3, 4, 9, 5])
      #expect(list.songs.items.map(\.id) == [1, 2, 3, 4, 5])
      #expect(list.songs.hasMore)
      while list.songs.hasMore { try await list.songs.fetch() }
      #expect(list.songs.items.map(\.id) == [1, 8, 2, 3, 4, 9, 5])
    }
  }

  @Test func `start again after another connection has removed all shown rows`() async throws {
    try await withPlaylist { session, list, _ in
      try await session.database.write { connection in
        try connection.execute(
          "DELETE FROM Playlist_songs; INSERT INTO Playlist_songs VALUES (7, 5, 9)")
      }
      await session.database.waitUntilIdle(includingConsumers: true)
      #expect(list.songs.items.isEmpty)
      #expect(list.songs.hasMore)
      try await list.songs.fetch()
      #expect(list.songs.items.map(\.id) == [9])
    }
  }

  // MARK: During a save

  @Test func `keep changes that are made during a save`() async throws {
    try await withPlaylist(of: 6) { session, list, other in
      let (early, late, first) = (try await songs(7), try await songs(8), try await songs(9))
      list.songs.append(early)
      try await session.write(saving: [list]) { [songs = list.songs] _ in
        songs.append(late)
        songs.insert(first, at: 0)
        songs.remove(at: 2)
      }
      #expect(try stored(other) == [1, 2, 3, 4, 5, 6, 7])
      #expect(list.songs.items.map(\.id) == [9, 1, 3, 4])
      try await list.save()
      #expect(try stored(other) == [9, 1, 3, 4, 5, 6, 7, 8])
    }
  }

  @Test func `delete the links of rows removed during a save`() async throws {
    try await withPlaylist { session, list, other in
      list.songs.insert(try await songs(9), at: 1)
      try await session.write(saving: [list]) { [songs = list.songs] _ in songs.remove(at: 1) }
      #expect(try stored(other) == [1, 9, 2, 3, 4])
      #expect(list.songs.items.map(\.id) == [1, 2, 3, 4])
      try await list.save()
      #expect(try stored(other) == [1, 2, 3, 4])
      #expect(list.songs.items.map(\.id) == [1, 2, 3, 4])
    }
  }

  @Test func `are saved once if two saves are requested`() async throws {
    try await withPlaylist { session, list, other in
      list.songs.append(try await songs(9))
      list.didChange()
      async let first: Void = session.saveChanges()
      async let second: Void = session.saveChanges()
      _ = try await (first, second)
      #expect(try stored(other) == [1, 2, 3, 4, 9])
    }
  }

  @Test func `are renumbered if there is no free position`() async throws {
    try await withPlaylist { session, list, other in
      try other.execute(
        """
        UPDATE Playlist_songs SET position = 1048567 + target WHERE target < 3;
        UPDATE Playlist_songs SET position = 9223372036854775806 WHERE target = 4
        """)
      try await list.songs.reload()
      #expect(list.songs.items.map(\.id) == [3, 1, 2, 4])
      try await session.database.write {
        try $0.run("UPDATE Playlist_songs SET position = 1048570 WHERE target = 3")
        try $0.run("UPDATE Playlist_songs SET position = position + 8 WHERE target < 3")
      }
      await session.database.waitUntilIdle(includingConsumers: true)
      #expect(list.songs.items.map(\.id) == [3, 1, 2, 4])
      list.songs.insert(try await songs(5), at: 2)
      list.songs.append(try await songs(6))
      try await list.save()
      #expect(try stored(other) == [3, 1, 5, 2, 4, 6])
      #expect(list.songs.items.map(\.id) == [3, 1, 5, 2, 4, 6])
    }
  }

  // MARK: Statements

  @Test func `need no more than one statement for a fetch`() async throws {
    try await withLoggedSession { session, log in
      let playlist = try await Playlist.create(1)
      playlist.songs.append([try await Tune(id: 1).save()])
      try await playlist.save()
      let found = try await ModelSession(session.database).fetch(Playlist.self, 1)
      for _ in 1...3 {
        let statements = try await log.recordStatements {
          try await [found].fetchAll(\.songs)
          await session.database.waitUntilIdle(includingConsumers: true)
        }
        #expect(statements.count == 1)
      }
    }
  }
}

@Suite struct `Lists through other tables that are edited` {
  @Test func `are refreshed after commits`() async throws {
    try await withSession { session in
      for type in [Student.Value.self, Enrolment.self, Course.self, Teacher.self, Lesson.self]
        as [any Table.Type]
      {
        try await session.prepare(type)
      }
      try await session.database.write { connection in
        try connection.execute(
          """
          INSERT INTO Teacher VALUES (1, 'a'), (2, 'b'); INSERT INTO Course VALUES (1, '', 1), (2, '', 2);
          INSERT INTO Student (id, name) VALUES (1, '');
          INSERT INTO Enrolment (id, student, course) VALUES (1, 1, 1), (2, 1, 2)
          """)
      }
      let student = try await Student.fetchId(1)
      try await student.value.teachers.fetch()
      try await student.courses.fetch()
      #expect(student.value.teachers.items.map(\.id) == [1, 2])
      #expect(student.courses.items.map(\.id) == [1, 2])
      try await session.database.write { try $0.run("DELETE FROM Enrolment WHERE id = 1") }
      await session.database.waitUntilIdle(includingConsumers: true)
      #expect(student.value.teachers.items.map(\.id) == [2])
      #expect(student.courses.items.map(\.id) == [2])
      try await session.database.write { try $0.run("UPDATE Teacher SET name = 'c' WHERE id = 2") }
      try await session.database.write { try $0.run("UPDATE Course SET teacher = 1 WHERE id = 2") }
      await session.database.waitUntilIdle(includingConsumers: true)
      #expect(student.value.teachers.items.isEmpty)
      #expect(student.value.teachers.hasMore)
      try await student.value.teachers.fetch()
      #expect(student.value.teachers.items.map(\.name) == ["a"])
    }
  }

  @Test func `keep the link of each row`() async throws {
    try await withSession { session in
      let student = try await Student.create()
      let course = try await Course(id: 1).save()
      try await student.save()
      student.courses.append([course, course])
      try await student.save()
      try await student.courses.fetch()
      let ids = try await Enrolment.fetchQuery("ORDER BY id").map(\.id)
      student.courses.remove(at: 0)
      try await Course(id: 1, name: "new").save()
      await session.database.waitUntilIdle(includingConsumers: true)
      #expect(student.courses.items.map(\.name) == ["new"])
      try await student.save()
      #expect(try await Enrolment.fetchQuery().map(\.id) == [ids[1]])
    }
  }
}
