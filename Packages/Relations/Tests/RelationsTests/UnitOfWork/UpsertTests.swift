import Relations
import SQLiteCore
import Testing

struct Tag: Table {
  var id = 0
  var name = ""
  var color = "none"
  var uses = 0
  static var uniqueIndexes: [[String]] { [["name"]] }
}

final class ColorLabel: Model, @unchecked Sendable {
  struct Value: Table {
    static let tableName = "ColorLabel"
    var id: AutoId = 0
    var name = ""
    var color = ""
    static var uniqueIndexes: [[String]] { [["name"]] }
  }
  var value: Value
  init(_ value: Value) { self.value = value }
}

@Suite struct `Upserts` {
  @Test func `update the given columns of rows found by a unique index`()
    async throws
  {
    try await withSession { session in
      try await session.save([Tag(name: "a", color: "red", uses: 3), Tag(name: "b", uses: 1)])
      let saved = try await session.upsert(
        [Tag(name: "b", color: "blue"), Tag(name: "c", color: "green")],
        onConflict: ["name"], updating: ["color"])
      #expect(saved.map(\.id) == [2, 3])
      #expect(
        try await session.rows("SELECT id, name, color, uses FROM Tag ORDER BY id")
          == [[1, "a", "red", 3], [2, "b", "blue", 1], [3, "c", "green", 0]])
    }
  }

  @Test func `update all columns except the key and the target by default`() async throws {
    try await withSession { session in
      try await session.save(Tag(name: "a", color: "red", uses: 3))
      try await session.upsert([Tag(name: "a", color: "blue", uses: 4)], onConflict: ["name"])
      #expect(
        try await session.rows("SELECT id, name, color, uses FROM Tag") == [[1, "a", "blue", 4]])
    }
  }

  @Test func `keep existing rows if no column is to be updated, and return their keys`()
    async throws
  {
    try await withSession { session in
      try await session.save([Tag(name: "x"), Tag(name: "a", color: "red", uses: 3)])
      let saved = try await session.upsert(
        [Tag(name: "a", color: "blue")], onConflict: ["name"], updating: [])
      #expect(saved.map(\.id) == [2])
      #expect(try await session.rows("SELECT color FROM Tag WHERE id = 2") == [["red"]])
    }
  }

  @Test func `delete no row that conflicts otherwise`() async throws {
    try await withSession { session in
      try await session.save([Tag(name: "a"), Tag(name: "b")])
      let error = await #expect(throws: SQLiteError.self) {
        try await session.upsert([Tag(id: 1, name: "b")])
      }
      #expect(error?.code == .constraintUnique)
      #expect(try await session.rows("SELECT name FROM Tag") == [["a"], ["b"]])
    }
  }

  @Test func `refuse unknown columns`() async throws {
    try await withSession { session in
      let error = await #expect(throws: RelationError.self) {
        try await session.upsert([Tag(name: "a")], onConflict: ["nom"])
      }
      #expect(error?.code == .schemaMismatch)
      #expect(error?.column == "nom")
    }
  }

  @Test func `return the model of the existing row`() async throws {
    try await withSession { session in
      let old = try await ColorLabel.createWith(name: "a", color: "red")
      let same = try await ColorLabel.create()
      same.value.name = "a"
      same.value.color = "blue"
      let new = ColorLabel(ColorLabel.Value(name: "b", color: "green"))
      let saved = try await session.upsert([same, new], onConflict: ["name"])
      #expect(saved[0] === old)
      #expect(old.value.color == "blue")
      #expect(saved[1] === new)
      #expect(!new.id.isUnset)
      new.value.color = "black"
      try await session.saveChanges()
      #expect(
        try await session.rows("SELECT name, color FROM ColorLabel ORDER BY name")
          == [["a", "blue"], ["b", "black"]])
    }
  }
}
