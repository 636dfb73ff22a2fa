import Foundation
import HoltMacros
import Testing

@Suite struct `Tables of the macro` {
  private func withSession(_ body: (ModelSession) async throws -> Void) async throws {
    let session = ModelSession(try Database(.memory))
    try await session.use { try await body(session) }
  }

  private func song(_ title: String, _ change: (inout Song) -> Void = { _ in }) -> Song {
    var song = Song()
    song.title = title
    change(&song)
    return song
  }

  @Test func `read and write the same values as Codable`() async throws {
    try await withSession { session in
      let released = Date(timeIntervalSince1970: 1_000_000)
      var first = song("Faith") {
        $0.seconds = 2.5
        $0.tags = ["new", "é"]
        $0.credits = Credits(producer: "Eno", years: [1975])
        $0.mood = .wild
        $0.released = released
        $0.note = "loud"
        $0.play()
      }
      first = try await session.save(first)
      _ = try await session.save(song("Empty"))
      let coded = try await session.database.read {
        try $0.fetchAll(CodedSong.self, "SELECT * FROM Song ORDER BY id")
      }
      #expect(coded.map(\.title) == ["Faith", "Empty"])
      #expect(coded[0].tags == ["new", "é"])
      #expect(coded[0].credits == Credits(producer: "Eno", years: [1975]))
      #expect(coded.map(\.mood) == [.wild, .calm])
      #expect(coded[0].released == released)
      #expect(coded.map(\.plays) == [1, 0])
      #expect(coded.map(\.remark) == ["loud", nil])
      let songs = try await session.fetchAll(Song.self, "ORDER BY id")
      #expect(songs.map(\.title) == ["Faith", "Empty"])
      #expect(songs[0].seconds == 2.5)
      #expect(songs[0].tags == ["new", "é"])
      #expect(songs[0].credits == coded[0].credits)
      #expect(songs[1].credits == nil)
      #expect(songs[0].released == released)
      #expect(songs[0].playCount == 1)
      #expect(songs[0].note == "loud")
    }
  }

  @Test func `have their relations, with the session`() async throws {
    // There is no current session.
    let session = ModelSession(try Database(.memory))
    let record = Record(.init())
    record.name = "Low"
    try await session.save(record)
    var song = song("Warszawa")
    song.record = OneRelation(record.id)
    _ = try await session.save(song)
    let songs = try await session.fetchAll(Song.self)
    #expect(try await songs[0].record.fetch() === record)
    let records = try await session.fetchAll(Record.self)
    #expect(records[0] === record)
    try await records.fetchAll(\.songs)
    #expect(records[0].songs.items.map(\.title) == ["Warszawa"])
  }

  @Test func `can be shared with types that use Codable`() async throws {
    try await withSession { session in
      var coded = CodedSong()
      coded.title = "Faith"
      coded = try await session.save(coded)
      #expect(try await session.fetchAll(Song.self).map(\.title) == ["Faith"])
    }
  }

  @Test func `are found by conditions on their columns`() async throws {
    try await withSession { session in
      for (title, seconds) in [("a", 10), ("b", 20), ("c", nil)] as [(String, Double?)] {
        _ = try await session.save(song(title) { $0.seconds = seconds })
      }
      func titles(_ condition: RelationCondition<Song>) async throws -> [String] {
        try await session.fetchAll(
          Song.self, "WHERE \(condition) ORDER BY \(Song.columns.title)"
        ).map(\.title)
      }
      let columns = Song.columns
      #expect(try await titles(columns.seconds > 10) == ["b"])
      #expect(try await titles(columns.seconds == nil) == ["c"])
      #expect(try await titles(columns.seconds != nil && columns.title < "b") == ["a"])
      #expect(try await titles(columns.title == "a" || columns.seconds >= 20) == ["a", "b"])
      #expect(try await titles(columns.note == nil && !(columns.title == "a")) == ["b", "c"])
      let hostile = "'; DROP TABLE Song; --"
      #expect(try await titles(columns.title == hostile).isEmpty)
    }
  }

  @Test func `can be read from any statement with their columns`() async throws {
    let db = try Connection.inMemory()
    let labels = try db.fetchAll(Label.self, "SELECT 1, 'Sire' UNION SELECT 2, 'RCA' ORDER BY 1")
    #expect(labels.map(\.name) == ["Sire", "RCA"])
    let error = #expect(throws: SQLiteError.self) {
      try db.fetchAll(Label.self, "SELECT 1 AS id, NULL AS name")
    }
    #expect(error?.code == .unexpectedNull)
  }

  @Test func `write only the changed columns`() async throws {
    try await withSession { session in
      let record = Record(.init())
      record.name = "Low"
      try await session.save(record)
      try await session.database.write { connection in
        try connection.run("UPDATE Record SET year = 1977")
      }
      record.price = 9.5
      try await session.saveChanges()
      let rows = try await session.database.read {
        try $0.rows("SELECT name, year, price, shelf FROM Record")
      }
      #expect(rows == [["Low", 1977, 9.5, 1]])
    }
  }

  @Test func `are saved even if the changed instance was released`() async throws {
    try await withSession { session in
      try await session.save(Record(.init()))
      do {
        let record = try await session.fetchAll(Record.self)[0]
        record.isLive = true
      }
      try await session.saveChanges()
      #expect(
        try await session.database.read { try $0.value(Bool.self, "SELECT isLive FROM Record") }
          == true)
    }
  }

  @Test func `can be used by several tasks`() async throws {
    let record = Record(.init())
    await withTaskGroup(of: Void.self) { group in
      for number in 0..<8 {
        group.addTask {
          for _ in 0..<100 {
            record.name = "\(number)"
            _ = record.value.songs
            #expect(record.name.count == 1)
          }
        }
      }
    }
  }

  @Test func `that store lists as JSON detect a changed list`() async throws {
    try await withSession { session in
      let saved = try await session.save(song("a") { $0.tags = ["é"] })
      var changed = saved
      // Equal in Swift, but with different bytes.
      changed.tags = ["e\u{301}"]
      #expect(changed.tags == saved.tags)
      _ = try await session.save(changed)
      let text = try await session.database.read {
        try $0.value(String.self, "SELECT tags FROM Song")
      }
      #expect(text?.utf8.elementsEqual("[\"e\u{301}\"]".utf8) == true)
    }
  }
}
