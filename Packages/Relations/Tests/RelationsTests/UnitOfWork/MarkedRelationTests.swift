import Relations
import SQLiteCore
import Testing

/// A tree whose rows are marked as deleted, with lists of every kind.
final class Wing: Model, @unchecked Sendable {
  struct Value: Table {
    static let tableName = "Wing"
    var id = 0
    var name = ""
    var isGone = false
    var parent = OneRelation<Wing>()
    var children = ManyRelation<Wing>(\.parent, orderedBy: "name")
    var rooms = ManyRelation<Room>(through: \RoomUse.wing, \RoomUse.room)
    var signs = ManyRelation<Room>()
    static var deletedColumn: String? { "isGone" }
  }
  var value: Value
  init(_ value: Value) { self.value = value }
}

struct Room: Table {
  var name = ""
  var floor = 0
  var id: RoomKey {
    get { RoomKey(name: name, floor: floor) }
    set { (name, floor) = (newValue.name, newValue.floor) }
  }
  var deletedAt: String?
  var doors = ManyRelation<Door>(\.room)
  static var deletedColumn: String? { "deletedAt" }
}

struct RoomKey: CompositeKey {
  var name = ""
  var floor = 0
}

struct RoomUse: Table {
  var id: AutoId = 0
  var wing = OneRelation<Wing>(isRequired: true, onDelete: .cascade)
  var room = OneRelation<Room>(isRequired: true, onDelete: .cascade)
  var isGone = false
  static var deletedColumn: String? { "isGone" }
}

struct Door: Table {
  var id = 0
  var room = OneRelation<Room>(onDelete: .cascade)
  var deletedAt: String?
  static var deletedColumn: String? { "deletedAt" }
}

/// A type with a version and a relation of two columns.
final class Lease: Model, @unchecked Sendable {
  struct Value: Table {
    static let tableName = "Lease"
    var id = 0
    var text = ""
    var version = 1
    var room = OneRelation<Room>()
    static var versionColumn: String? { "version" }
    static var conflictPolicy: ModelSession.ConflictPolicy { .keepMine }
  }
  var value: Value
  init(_ value: Value) { self.value = value }
}

@Suite struct `Marked rows, versions and relations of every kind` {
  private func withWing(
    _ body: (ModelSession, Wing, [Room]) async throws -> Void
  ) async throws {
    try await withSession { session in
      let wing = try await Wing.createWith(name: "east")
      let rooms = try await ["a", "b", "c"].map { Room(name: $0, floor: 1) }.save()
      wing.value.rooms.append(rooms)
      wing.value.signs.append(rooms)
      try await wing.save()
      try await body(session, wing, rooms)
    }
  }

  @Test func `marked rows are omitted from lists through tables and of links, and from counts`()
    async throws
  {
    try await withWing { session, wing, rooms in
      try await session.delete([rooms[1]])
      #expect(wing.value.rooms.items.map(\.name) == ["a", "c"])
      try await wing.value.rooms.reload()
      try await wing.value.signs.reload()
      #expect(wing.value.rooms.items.map(\.name) == ["a", "c"])
      #expect(wing.value.signs.items.map(\.name) == ["a", "c"])
      #expect(try await wing.value.rooms.totalCount() == 2)
      #expect(try await wing.value.signs.totalCount() == 2)
      for list in [try Wing.related(\.rooms), try Wing.related(\.signs)] {
        let counts = try await [wing].values(of: list.count)
        let count: Int = counts[wing.id] ?? 0
        #expect(count == 2)
      }
    }
  }

  @Test func `link rows are marked too`() async throws {
    try await withWing { session, wing, rooms in
      wing.value.rooms.remove(at: 0)
      try await wing.save()
      #expect(try await session.rows("SELECT isGone FROM RoomUse ORDER BY id") == [[1], [0], [0]])
      try await wing.value.rooms.reload()
      #expect(wing.value.rooms.items.map(\.name) == ["b", "c"])
      #expect(try await wing.value.rooms.totalCount() == 2)
    }
  }

  @Test func `rows that refer by several columns are marked together`() async throws {
    try await withWing { session, _, rooms in
      try await [Door(room: OneRelation(rooms[0].id)), Door(room: OneRelation(rooms[1].id))].save()
      try await session.delete([rooms[0]])
      #expect(try await Door.fetchQuery().map(\.room.key) == [rooms[1].id])
      try await session.restore([rooms[0]])
      #expect(try await Door.fetchQuery().count == 2)
    }
  }

  @Test func `trees end at marked rows`() async throws {
    try await withWing { session, wing, _ in
      let child = try await Wing.createWith(name: "hall")
      await child.value.parent.setObject(wing)
      let grandchild = try await Wing.createWith(name: "stairs")
      await grandchild.value.parent.setObject(child)
      try await session.save([child, grandchild])
      #expect(try await [wing].descendants(\.parent)[wing.id]?.count == 2)
      try await child.delete()
      #expect(try await [wing].descendants(\.parent)[wing.id]?.isEmpty == true)
    }
  }

  @Test func `explicit schemas may have links of several columns`() async throws {
    try await withWing { session, _, _ in
      let other = ModelSession(session.database, schema: .explicit)
      let found = try await other.fetchAll(Wing.self)
      #expect(found.count == 1)
    }
  }

  @Test func `changes of both sides are merged, including relations of several columns`()
    async throws
  {
    try await withWing { session, _, rooms in
      let lease = try await Lease.createWith(text: "x")
      lease.value.text = "mine"
      try await session.elsewhere(
        "UPDATE Lease SET room_name = 'b', room_floor = 1, version = version + 1")
      _ = try await Lease.fetchQuery()
      #expect(lease.value.text == "mine")
      #expect(lease.value.room.key == rooms[1].id)
      #expect(try await lease.value.room.object.name == "b")
      try await lease.save()
      #expect(
        try await session.rows("SELECT text, room_name, version FROM Lease") == [["mine", "b", 3]])
      await lease.value.room.setObject(rooms[2])
      try await session.elsewhere("UPDATE Lease SET text = 'theirs', version = version + 1")
      try await lease.save()
      #expect(lease.value.text == "theirs")
      #expect(lease.value.room.key == rooms[2].id)
      #expect(lease.value.version == 5)
      try await session.saveChanges()
      #expect(
        try await session.rows("SELECT text, room_name, version FROM Lease") == [
          ["theirs", "c", 5]
        ])
    }
  }

  @Test func `a key may be changed if rows have versions`() async throws {
    try await withSession { session in
      let paper = try await Paper.createWith(title: "Faith")
      paper.value.id = 20
      try await paper.save()
      #expect(try await session.rows("SELECT id, version FROM Paper") == [[20, 2]])
      #expect(try await Paper.fetchId(20) === paper)
      paper.value.id = 30
      try await session.delete([paper])
      #expect(try await Paper.fetchQuery().isEmpty)
    }
  }

  @Test func `models that refer to a deleted model are refreshed after a save that deletes it`()
    async throws
  {
    try await withSession { session in
      let author = try await Author.createWith(name: "Bob")
      let note = try await MyNote.createWith(title: "x")
      await note.value.author.setObject(author)
      try await note.save()
      let other = try await Author.createWith(name: "Eve")
      other.value.name = "Ada"
      try await session.write(saving: [other], deleting: [author]) { connection in
        try connection.run("UPDATE MyNote SET text = 'more'")
      }
      #expect(note.value.author.key == nil)
      #expect(note.value.text == "more")
      #expect(try await Author.fetchQuery().map(\.value.name) == ["Ada"])
    }
  }
}
