import Relations
import SQLiteCore
import Testing

@Suite struct `A save together with other work` {
  @Test func `is one transaction`() async throws {
    try await withSession { session in
      let gone = try await Author.createWith(name: "gone")
      let author = try await Author.create()
      author.value.name = "Robert"
      let count = try await session.write(saving: [author], deleting: [gone]) { connection in
        try connection.run("UPDATE Author SET name = name || '!'")
        return try connection.value(Int.self, "SELECT count(*) FROM Author") ?? 0
      }
      #expect(count == 1)
      #expect(try await session.rows("SELECT name FROM Author") == [["Robert!"]])
      #expect(author.id == 2)
      #expect(try await session.find(Author.self, gone.id) == nil)
      #expect(try await Author.fetchId(2) === author)
      #expect(author.value.name == "Robert!")
    }
  }

  @Test func `is rolled back completely if the work fails, also in memory`() async throws {
    try await withSession { session in
      let old = try await Author.createWith(name: "old")
      let gone = try await Author.createWith(name: "gone")
      let new = try await Author.create()
      new.value.name = "new"
      old.value.name = "changed"
      await #expect(throws: HookError.self) {
        try await session.write(saving: [old, new], deleting: [gone]) { connection in
          try connection.run("DELETE FROM Author")
          throw HookError()
        }
      }
      #expect(try await session.rows("SELECT name FROM Author") == [["old"], ["gone"]])
      #expect(new.id == 0)
      #expect(try await Author.fetchId(gone.id) === gone)
      try await session.saveChanges()
      #expect(
        try await session.rows("SELECT name FROM Author ORDER BY id")
          == [["changed"], ["gone"], ["new"]])
      // The connection has no open transaction: another connection reads all changes.
      #expect(new.id == 3)
    }
  }

  @Test func `may use savepoints`() async throws {
    try await withSession { session in
      let author = try await Author.create()
      author.value.name = "a"
      try await session.write(saving: [author]) { connection in
        try? connection.savepoint {
          try connection.run("DELETE FROM Author")
          throw HookError()
        }
      }
      #expect(try await session.rows("SELECT name FROM Author") == [["a"]])
    }
  }

  @Test func `deletes many rows together with saves`() async throws {
    try await withSession { session in
      let rows = try await session.save((1...1_000).map { Author.Value(name: "\($0)") })
      let models = try await Author.fetchQuery("WHERE id > 500")
      let new = try await Author.create()
      try await session.save([new], deleting: models)
      #expect(try await session.rows("SELECT count(*), max(id) FROM Author") == [[501, 1_001]])
      try await session.delete(rows)
      #expect(try await session.rows("SELECT count(*) FROM Author") == [[1]])
    }
  }
}

@Suite struct `Models that were created without a session` {
  @Test func `are released when they are saved if they are not referenced`() async throws {
    try await withSession { session in
      weak var saved: MyPlain?
      do {
        let model = MyPlain(MyPlain.Value(id: 7))
        saved = model
        try await session.save(model)
        #expect(!session.isChanged(model))
      }
      #expect(saved == nil)
      #expect(try await session.rows("SELECT id FROM MyPlain") == [[7]])
    }
  }

  @Test func `are retained after a failed save until the next one`() async throws {
    try await withSession { session in
      weak var saved: MyPlain?
      do {
        let model = MyPlain(MyPlain.Value(id: 7))
        saved = model
        await #expect(throws: HookError.self) {
          try await session.write(saving: [model]) { _ in throw HookError() }
        }
      }
      #expect(saved != nil)
      try await session.saveChanges()
      #expect(saved == nil)
      #expect(try await session.rows("SELECT id FROM MyPlain") == [[7]])
    }
  }
}

@Suite struct `Many models in one save` {
  @Test func `are updated if they have changed, each in its columns`() async throws {
    try await withSession { session in
      try await session.save((1...40).map { MyPlain.Value(a: $0, b: $0) })
      let models = try await MyPlain.fetchQuery("ORDER BY id")
      for (place, model) in models.enumerated() {
        if place % 2 == 0 { model.value.a += 100 }
        if place % 3 == 0 { model.value.b += 100 }
      }
      let new = try await MyPlain.create()
      try await session.elsewhere("UPDATE MyPlain SET b = -1 WHERE id = 3")
      try await session.save(models + [new, models[0]])
      let wanted = (1...40).map { number -> [SQLiteValue] in
        let (a, b) = (
          number % 2 == 1 ? number + 100 : number, number % 3 == 1 ? number + 100 : number
        )
        return [.integer(Int64(a)), .integer(Int64(number == 3 ? -1 : b))]
      }
      #expect(try await session.rows("SELECT a, b FROM MyPlain ORDER BY id") == wanted + [[0, 0]])
      for model in models { model.value.a = 0 }
      try await session.saveChanges()
      #expect(try await session.rows("SELECT DISTINCT a FROM MyPlain") == [[0]])
      models[5].value.b = 7
      try await session.elsewhere("DELETE FROM MyPlain WHERE id = 6")
      let error = await #expect(throws: RelationError.self) { try await session.save(models) }
      #expect(error?.code == .missingRow)
      #expect(error?.key == "6")
    }
  }
}

final class MyPlain: Model, @unchecked Sendable {
  struct Value: Table {
    static let tableName = "MyPlain"
    var id = 0
    var a = 0
    var b = 0
  }
  var value: Value
  init(_ value: Value) { self.value = value }
}
