import Relations
import SQLiteCore
import Testing

@Suite struct `Indexes into lists` {
  /// A change of the list that its owner's actor has not read yet.
  enum Unseen: CaseIterable, Sendable {
    case commit, hasMore, reload, fetchAll, save, deletion, replacement
  }

  /// Calls `body` with a list that was shown as 1, 2, 3, 4 and is now 2, 5, 3, 4.
  private func withUnseenChange(
    _ change: Unseen, _ body: (ModelSession, Playlist) async throws -> Void
  ) async throws {
    try await withPlaylist(of: 4) { session, list in
      try await list.songs.fetch()
      #expect(list.shown == [1, 2, 3, 4])
      if change == .deletion {
        try await session.commit("INSERT INTO Playlist_songs VALUES (7, 25, 5)")
        try await list.songs.reload()
        try await list.songs.fetch()
        #expect(list.shown == [1, 2, 5, 3, 4])
        try await session.delete(Tune.self, [1])
        return try await body(session, list)
      }
      let sql = """
        DELETE FROM Playlist_songs WHERE target = 1; INSERT INTO Playlist_songs VALUES (7, 25, 5)
        """
      switch change {
      case .commit: try await session.commit(sql)
      case .hasMore:
        try await session.commit(sql)
        #expect(list.songs.hasMore)
      case .reload:
        try await session.commit(sql)
        try await list.songs.reload()
      case .fetchAll:
        try await session.commit(sql)
        try await [list].fetchAll(\.songs)
      case .save:
        try await session.commit(sql)
        try await session.save(list)
      case .deletion: break
      case .replacement:
        try await session.commit(sql)
        try await session.commit("UPDATE Playlist SET name = 'yours'")
        _ = try await session.fetch(Playlist.self, 7)
      }
      try await body(session, list)
    }
  }

  @Test(arguments: Unseen.allCases)
  func `remove the row that was shown at the index`(after change: Unseen) async throws {
    try await withUnseenChange(change) { session, list in
      list.songs.remove(at: 1)
      try await session.save(list)
      #expect(try await session.storedSongs().sorted() == [3, 4, 5])
      try await list.songs.reload()
      #expect(Set(list.shown) == [3, 4, 5])
    }
  }

  @Test(arguments: Unseen.allCases)
  func `remove no other row if the row shown at the index was deleted`(
    after change: Unseen
  ) async throws {
    try await withUnseenChange(change) { session, list in
      list.songs.remove(at: 0)
      try await session.save(list)
      #expect(try await session.storedSongs().filter { $0 != 5 } == [2, 3, 4])
    }
  }

  @Test(arguments: Unseen.allCases)
  func `insert rows after the row that was shown before it`(after change: Unseen) async throws {
    try await withUnseenChange(change) { session, list in
      let index = change == .deletion ? 4 : 3
      list.songs.insert([Tune(id: 9)], at: index)
      try await session.save(list)
      #expect(try await session.storedSongs().filter { $0 != 5 } == [2, 3, 9, 4])
    }
  }

  @Test(arguments: Unseen.allCases)
  func `move the row that was shown at the index`(after change: Unseen) async throws {
    try await withUnseenChange(change) { session, list in
      list.songs.move(from: 1, to: change == .deletion ? 4 : 3)
      try await session.save(list)
      #expect(try await session.storedSongs().filter { $0 != 5 } == [3, 4, 2])
    }
  }

  @Test func `remove the row that was shown at the index after a save has detected removed rows`()
    async throws
  {
    try await withPlaylist(of: 4) { session, list in
      try await list.songs.fetch()
      #expect(list.shown == [1, 2, 3, 4])
      list.songs.insert([Tune(id: 9)], at: 1)
      try await session.connectUnheard().run("DELETE FROM Playlist_songs WHERE target = 1")
      try await session.save(list)
      list.songs.remove(at: 2)
      #expect(list.shown == [9, 3, 4])
      try await session.save(list)
      #expect(try await session.storedSongs() == [9, 3, 4])
    }
  }

  @Test func `count edits made before the rows were shown`() async throws {
    try await withPlaylist(of: 4) { session, list in
      try await list.songs.fetch()
      list.songs.remove(at: 1)
      try await session.commit("DELETE FROM Playlist_songs WHERE target = 1")
      #expect(!list.songs.hasMore)
      list.songs.remove(at: 1)
      try await session.save(list)
      #expect(try await session.storedSongs() == [4])
    }
    try await withPlaylist(of: 4) { session, list in
      try await list.songs.fetch()
      list.songs.insert([Tune(id: 9)], at: 2)
      try await session.commit("DELETE FROM Playlist_songs WHERE target = 1")
      #expect(!list.songs.hasMore)
      list.songs.remove(at: 3)
      try await session.save(list)
      #expect(try await session.storedSongs() == [2, 9, 4])
    }
  }

  @Test func `are clamped or ignored if they are out of bounds`() async throws {
    try await withUnseenChange(.hasMore) { session, list in
      list.songs.remove(at: 4)
      list.songs.remove(at: -1)
      list.songs.move(from: 4, to: 0)
      list.songs.insert([Tune(id: 8)], at: 5)
      list.songs.insert([Tune(id: 9)], at: -1)
      try await session.save(list)
      #expect(try await session.storedSongs().filter { $0 != 5 } == [9, 2, 3, 4, 8])
    }
  }

  @Test func `count edits made since the rows were shown`() async throws {
    try await withUnseenChange(.commit) { session, list in
      list.songs.remove(at: 1)
      list.songs.insert([Tune(id: 9), Tune(id: 8)], at: 1)
      list.songs.remove(at: 2)
      list.songs.append([Tune(id: 7)])
      list.songs.move(from: 1, to: 2)
      // The shown rows are 1, 3, 9, 4, followed by the appended row.
      list.songs.remove(at: 3)
      try await session.save(list)
      #expect(try await session.storedSongs().filter { $0 != 5 } == [3, 9, 7])
    }
  }
}

@Suite struct `Moving a row of a list` {
  struct Move: CustomTestStringConvertible, Sendable {
    let count: Int, from: Int, to: Int
    var testDescription: String { "\(from) to \(to) of \(count)" }

    /// Every pair of indexes for lists with one to five rows.
    static let all = (1...5).flatMap { count in
      (0..<count).flatMap { from in
        (0..<count).map { to in Move(count: count, from: from, to: to) }
      }
    }

    /// The expected rows after the move: the moved row is at its new index, and the others keep their order.
    var expected: [Int] {
      var others = (1...count).filter { $0 != from + 1 }.makeIterator()
      return (0..<count).compactMap { $0 == to ? from + 1 : others.next() }
    }
  }

  @Test func `is expected at the requested index`() {
    #expect(Move(count: 4, from: 0, to: 2).expected == [2, 3, 1, 4])
    #expect(Move(count: 4, from: 2, to: 0).expected == [3, 1, 2, 4])
    #expect(Move(count: 4, from: 1, to: 3).expected == [1, 3, 4, 2])
    #expect(Move(count: 4, from: 1, to: 1).expected == [1, 2, 3, 4])
  }

  @Test(arguments: Move.all)
  func `places the row at its index after the move`(_ move: Move) async throws {
    try await withPlaylist(of: move.count) { session, list in
      try await list.songs.fetch()
      while list.songs.hasMore { try await list.songs.fetch() }
      list.songs.move(from: move.from, to: move.to)
      #expect(list.shown == move.expected)
      try await session.save(list)
      #expect(list.shown == move.expected)
      #expect(try await session.storedSongs() == move.expected)
    }
  }

  @Test(arguments: Move.all)
  func `places an unsaved row at its index after the move`(
    _ move: Move
  ) async throws {
    try await withPlaylist(of: 0) { session, list in
      try await list.songs.fetch()
      list.songs.append((1...move.count).map { Tune(id: $0) })
      list.songs.move(from: move.from, to: move.to)
      #expect(list.shown == move.expected)
      try await session.save(list)
      #expect(list.shown == move.expected)
      #expect(try await session.storedSongs() == move.expected)
    }
  }

  @Test func `leaves the list unchanged if there is no such row`() async throws {
    try await withPlaylist(of: 3) { session, list in
      try await list.songs.fetch()
      list.songs.move(from: 3, to: 0)
      list.songs.move(from: -1, to: 0)
      #expect(list.shown == [1, 2, 3])
      list.songs.move(from: 0, to: 9)
      #expect(list.shown == [2, 3, 1])
      list.songs.move(from: 2, to: -9)
      #expect(list.shown == [1, 2, 3])
    }
  }

  @Test func `keeps the link row`() async throws {
    try await withSession { session in
      let student = try await Student.create()
      let courses = [try await Course(id: 1).save(), try await Course(id: 2).save()]
      try await student.save()
      try student.courses.append(courses[0], link: Enrolment(grade: 1))
      try student.courses.append(courses[1], link: Enrolment(grade: 2))
      student.courses.move(from: 1, to: 0)
      #expect(student.courses.items.map(\.id) == [2, 1])
      try await student.save()
      let stored = try await Enrolment.fetchQuery("ORDER BY grade")
      #expect(stored.map(\.grade) == [1, 2])
      #expect(stored.map(\.course.key) == [1, 2])
      let links = Set(stored.map(\.id))
      try await student.courses.fetch()
      student.courses.move(from: 0, to: 1)
      try await student.save()
      #expect(Set(try await Enrolment.fetchQuery().map(\.id)) == links)
    }
  }
}
