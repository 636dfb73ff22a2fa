import Observe
import Relations
import SQLiteCore
import Testing

/// A topic identified by its name, in a tree and with lists of every kind.
final class Topic: Model, @unchecked Sendable {
  struct Value: Table {
    static let tableName = "Topic"
    var id = ""
    var name = ""
    var parent = OneRelation<Topic>()
    var children = ManyRelation<Topic>(\.parent)
    var tags = ManyRelation<TextTag>()
    var memos = ManyRelation<Memo>(\.topic)
  }
  var value: Value
  init(_ value: Value) { self.value = value }
}

/// A value with properties, since lists of such values are loaded in another way.
struct Memo: Table {
  static let tableName = "Memo"
  var id = 0
  var topic = OneRelation<Topic>()

  init() {}
  init(row: borrowing SQLiteCore.Row) throws(SQLiteError) {
    id = try row.read(at: 0)
    topic = OneRelation(try row.read(at: 1))
  }
  static var properties: [RowProperty<Memo>] {
    [.init(column: "id") { $0.id }, .init(column: "topic") { $0.topic }]
  }
}

extension String {
  /// The bytes of the text: strings that are equal in Swift may differ in SQLite.
  fileprivate var bytes: [UInt8] { Array(utf8) }
}

/// Two strings that are equal in Swift but different keys in SQLite: a precomposed and a decomposed é.
private let (short, long) = ("caf\u{e9}", "cafe\u{301}")

@Suite struct `Keys that are canonically equivalent strings` {
  private func withTopics(
    _ body: (ModelSession, TemporaryFile) async throws -> Void
  ) async throws {
    try await withFile { session, file in
      try await session.prepare(Topic.Value.self)
      try await session.prepare(Memo.self)
      try await session.database.write { connection in
        for (key, name) in [(short, "short"), (long, "long")] {
          try connection.run("INSERT INTO Topic (id, name) VALUES (?, ?)", key, name)
          try connection.run("INSERT INTO TextTag VALUES (?, 0)", key)
        }
      }
      try await body(session, file)
    }
  }

  @Test func `are equal in Swift`() {
    #expect(short == long)
    #expect(short.bytes != long.bytes)
  }

  @Test func `have one instance for each row`() async throws {
    try await withTopics { session, _ in
      let topics = try await session.fetch(Topic.self, [long, short])
      #expect(topics.map(\.value.name) == ["long", "short"])
      #expect(try await session.fetch(Topic.self, short) === topics[1])
      #expect(try await session.create(Topic.self, long) === topics[0])
      let tags = try await session.fetch(TextTag.self, [long, short, long])
      #expect(tags.map(\.id.bytes) == [long.bytes, short.bytes, long.bytes])
    }
  }

  @Test func `are refreshed row by row`() async throws {
    try await withTopics { session, file in
      let topics = try await session.fetch(Topic.self, [long, short])
      try file.connect().run("UPDATE Topic SET name = name || '!'")
      try await session.refresh(topics)
      #expect(topics.map(\.value.name) == ["long!", "short!"])
      try await session.delete(Topic.self, [long])
      #expect(try await session.refresh(topics).deleted.count == 1)
      #expect(try await session.refresh([topics[1]]).deleted.isEmpty)
      #expect(try await session.find(Topic.self, short) === topics[1])
      #expect(try await session.find(Topic.self, long) == nil)
    }
  }

  @Test func `identify the rows with the same bytes`() async throws {
    try await withTopics { session, file in
      let connection = try file.connect()
      try connection.run("INSERT INTO Topic (id, parent) VALUES ('a', ?), ('b', ?)", short, long)
      let topics = try await session.fetchAll(Topic.self, "WHERE id < 'c' ORDER BY id")
      try await topics.fetchAll(\.value.parent)
      #expect(topics.map { $0.value.parent._object?.value.name } == ["short", "long"])
      let above = try await topics.ancestors(\.parent)
      #expect(above["a"]?.map(\.value.name) == ["short"])
      #expect(above["b"]?.map(\.value.name) == ["long"])
    }
  }

  @Test func `own separate lists`() async throws {
    try await withTopics { session, file in
      let connection = try file.connect()
      try connection.run("INSERT INTO Topic (id, parent) VALUES ('a', ?), ('b', ?)", short, long)
      try connection.run("INSERT INTO Memo VALUES (1, ?), (2, ?)", short, long)
      let topics = try await session.fetch(Topic.self, [short, long])
      try await topics.fetchAll(\.value.children)
      try await topics.fetchAll(\.value.memos)
      #expect(topics.map { $0.value.children.items.map(\.id) } == [["a"], ["b"]])
      #expect(topics.map { $0.value.memos.items.map(\.id) } == [[1], [2]])
      try await topics.loadTrees(\.children)
      #expect(topics.map { $0.value.children.items.map(\.id) } == [["a"], ["b"]])
    }
  }

  @Test func `are separate links`() async throws {
    try await withTopics { session, _ in
      let topic = try await session.create(Topic.self, "a")
      let tags = try await session.fetch(TextTag.self, [short, long])
      topic.value.tags.append(tags)
      try await session.save(topic)
      try await topic.value.tags.fetch()
      #expect(topic.value.tags.items.map(\.id.bytes) == [short.bytes, long.bytes])
      topic.value.tags.move(from: 1, to: 0)
      try await session.save(topic)
      try await topic.value.tags.reload()
      #expect(topic.value.tags.items.map(\.id.bytes) == [long.bytes, short.bytes])
      // Another connection moves the first row to the end.
      try await session.commit("UPDATE Topic_tags SET position = -position")
      #expect(topic.value.tags.items.map(\.id.bytes) == [short.bytes, long.bytes])
      topic.value.tags.remove(at: 0)
      try await session.save(topic)
      let left = try await session.database.read {
        try $0.values(String.self, "SELECT target FROM Topic_tags")
      }
      #expect(left.map(\.bytes) == [long.bytes])
    }
  }

  @Test func `are found by queries as two rows`() async throws {
    try await withTopics { session, _ in
      let query = RelationQuery<TextTag>("WHERE id LIKE 'caf%' ORDER BY id")
      try await query.fetchItems()
      let both = [long.bytes, short.bytes]
      #expect(query.items.map(\.id.bytes) == both)
      try await session.commit("UPDATE TextTag SET weight = 1")
      #expect(query.items.map(\.id.bytes) == both)
      try await session.database.write { try $0.run("DELETE FROM TextTag WHERE id = ?", long) }
      await session.database.waitUntilIdle(includingConsumers: true)
      #expect(query.items.map(\.id.bytes) == [short.bytes])
    }
  }

  @Test func `are parts of keys of several columns`() async throws {
    try await withFile { session, _ in
      let keys = [short, long].map { SeatKey(hall: $0, number: 1) }
      for key in keys {
        var seat = Seat()
        (seat.id, seat.price) = (key, key.hall.bytes == short.bytes ? 1 : 2)
        try await session.save(seat)
      }
      #expect(try await session.fetch(Seat.self, keys).map(\.price) == [1, 2])
    }
  }
}

@Suite struct `Keys that a collation considers equal` {
  /// A session of topics and tags whose keys are compared without regard to case and trailing spaces.
  private func withTopics(
    _ body: (ModelSession) async throws -> Void
  ) async throws {
    let file = try TemporaryFile()
    try file.connect().execute(
      """
      CREATE TABLE Topic (
        id TEXT NOT NULL PRIMARY KEY COLLATE NOCASE, name TEXT NOT NULL DEFAULT '',
        parent TEXT COLLATE NOCASE REFERENCES Topic (id));
      CREATE TABLE TextTag (id TEXT NOT NULL PRIMARY KEY COLLATE RTRIM, weight INTEGER NOT NULL);
      CREATE TABLE Topic_tags (
        owner TEXT NOT NULL COLLATE NOCASE REFERENCES Topic (id) ON DELETE CASCADE,
        position INTEGER NOT NULL,
        target TEXT NOT NULL COLLATE RTRIM REFERENCES TextTag (id) ON DELETE CASCADE,
        PRIMARY KEY (owner, position));
      CREATE TABLE Memo (
        id INTEGER PRIMARY KEY, topic TEXT COLLATE NOCASE REFERENCES Topic (id));
      INSERT INTO Topic VALUES ('Rock', '', NULL), ('Pop', '', 'ROCK'), ('\u{c9}', '', 'pop');
      INSERT INTO TextTag VALUES ('a', 1), ('b  ', 2);
      INSERT INTO Topic_tags VALUES ('rock', 1, 'a '), ('ROCK', 2, 'b');
      INSERT INTO Memo VALUES (1, 'rOCK'), (2, 'pOP');
      """)
    let session = ModelSession(try file.open(), schema: .explicit)
    defer { session.database.close() }
    try await body(session)
  }

  @Test func `identify one instance`() async throws {
    try await withTopics { session in
      let rock = try await session.fetch(Topic.self, "rock")
      #expect(rock.id == "Rock")
      #expect(try await session.fetch(Topic.self, "ROCK") === rock)
      #expect(try await session.create(Topic.self, "rocK") === rock)
      let both = try await session.fetch(Topic.self, ["POP", "rock", "none"])
      #expect(both.map(\.id) == ["Pop", "Rock"])
      #expect(both.last === rock)
      #expect(try await session.fetch(TextTag.self, ["b", "a  "]).map(\.weight) == [2, 1])
      // Only the case of ASCII letters is ignored.
      #expect(try await session.find(Topic.self, "\u{e9}") == nil)
      let other = try await session.create(Topic.self, "\u{e9}")
      #expect(other !== (try await session.fetch(Topic.self, "\u{c9}")))
    }
  }

  @Test func `are one new row`() async throws {
    try await withTopics { session in
      let jazz = try await session.create(Topic.self, "jazz")
      #expect(try await session.create(Topic.self, "JAZZ") === jazz)
      try await session.save(jazz)
      #expect(try await session.fetch(Topic.self, "Jazz") === jazz)
    }
  }

  @Test func `identify one instance after another connection changes the case`() async throws {
    try await withTopics { session in
      let rock = try await session.fetch(Topic.self, "Rock")
      try await session.commit("UPDATE Topic SET id = 'ROCK' WHERE id = 'rock'")
      #expect(try await session.fetch(Topic.self, "rock") === rock)
      #expect(rock.id == "ROCK")
    }
  }

  @Test func `identify their rows`() async throws {
    try await withTopics { session in
      let topics = try await session.fetch(Topic.self, ["Pop", "\u{c9}"])
      try await topics.fetchAll(\.value.parent)
      #expect(topics.map { $0.value.parent._object?.id } == ["Rock", "Pop"])
      let above = try await topics.ancestors(\.parent)
      #expect(above["\u{c9}"]?.map(\.id) == ["Pop", "Rock"])
    }
  }

  @Test func `own their lists`() async throws {
    try await withTopics { session in
      let topics = try await session.fetch(Topic.self, ["Rock", "Pop"])
      try await topics.fetchAll(\.value.children)
      try await topics.fetchAll(\.value.memos)
      try await topics.fetchAll(\.value.tags)
      #expect(topics.map { $0.value.children.items.map(\.id) } == [["Pop"], ["\u{c9}"]])
      #expect(topics.map { $0.value.memos.items.map(\.id) } == [[1], [2]])
      #expect(topics.map { $0.value.tags.items.map(\.id) } == [["a", "b  "], []])
      try await topics.loadTrees(\.children)
      #expect(topics.map { $0.value.children.items.map(\.id) } == [["Pop"], ["\u{c9}"]])
      try await session.commit("INSERT INTO Memo VALUES (3, 'Rock'); DELETE FROM Memo WHERE id = 1")
      #expect(topics[0].value.memos.items.isEmpty)
      #expect(topics[0].value.memos.hasMore)
    }
  }

  @Test func `are removed from lists`() async throws {
    try await withTopics { session in
      let rock = try await session.fetch(Topic.self, "Rock")
      try await rock.value.tags.fetch()
      rock.value.tags.remove(at: 0)
      try await session.save(rock)
      #expect(rock.value.tags.items.map(\.id) == ["b  "])
      #expect(try await rock.value.tags.totalCount() == 1)
      try await rock.value.tags.reload()
      #expect(rock.value.tags.items.map(\.id) == ["b  "])
    }
  }

  @Test func `are deleted`() async throws {
    try await withTopics { session in
      let topic = try await session.fetch(Topic.self, "Rock")
      let tags = topic.value.tags
      try await tags.fetch()
      try await session.delete(TextTag.self, ["b"])
      #expect(tags.items.map(\.id) == ["a"])
      try await session.commit("DELETE FROM Memo")
      let last = try await session.fetch(Topic.self, "\u{c9}")
      try await session.delete([last])
      try await session.delete(Topic.self, ["POP"])
      #expect(try await session.find(Topic.self, "Pop") == nil)
      let made = try await session.create(Topic.self, "pop")
      try await session.save(made)
      #expect(try await session.fetch(Topic.self, "POP") === made)
    }
  }
}
