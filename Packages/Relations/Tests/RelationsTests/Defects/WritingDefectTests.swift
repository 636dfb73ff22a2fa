import Relations
import SQLiteCore
import Testing

@Suite struct `Writing defects of other libraries` {
  private func account(_ name: String) async throws -> Account {
    let account = try await Account.create()
    account.value.name = name
    try await account.save()
    return account
  }

  private func names(_ connection: Connection) throws -> [String] {
    try connection.values(String.self, "SELECT name FROM Account ORDER BY name")
  }

  @Test func `A1: after a failed save, later saves are committed and other connections can write`()
    async throws
  {
    try await withFile { session, file in
      let first = try await account("a")
      let same = try await Account.create()
      same.value.name = "a"
      await #expect(throws: SQLiteError.self) { try await same.save() }
      await #expect(throws: SQLiteError.self) {
        try await session.database.write { connection in
          try connection.run("INSERT INTO Account (name) VALUES ('x')")
          try connection.run("INSERT INTO Account (name) VALUES ('a')")
        }
      }
      first.value.age = 2
      try await first.save()
      _ = try await account("b")
      let other = try file.connect()
      #expect(try names(other) == ["a", "b"])
      try other.run("INSERT INTO Account (name) VALUES ('c')")
      #expect(try await Account.fetchQuery().count == 3)
    }
  }

  @Test func `A2: updating to another row's unique value is refused and deletes no row`()
    async throws
  {
    try await withFile { _, file in
      _ = try await account("a")
      let second = try await account("b")
      second.value.name = "a"
      let error = await #expect(throws: SQLiteError.self) { try await second.save() }
      #expect(error?.code == .constraintUnique)
      #expect(try names(file.connect()) == ["a", "b"])
      second.value.name = "c"
      try await second.save()
      #expect(try names(file.connect()) == ["a", "c"])
    }
  }

  @Test
  func `A2: saving a value does not replace the row with the same unique value`() async throws {
    try await withFile { session, file in
      _ = try await account("a")
      let row = Account.Value(id: 5, name: "a")
      let error = await #expect(throws: SQLiteError.self) { try await row.save() }
      #expect(error?.code == .constraintUnique)
      #expect(try file.connect().values(Int.self, "SELECT id FROM Account") == [1])
    }
  }

  @Test
  func `A6: a deletion is executed immediately, and no row is reported deleted before`()
    async throws
  {
    try await withFile { _, file in
      let all = [try await account("a"), try await account("b")]
      try await all.delete()
      #expect(try names(file.connect()).isEmpty)
      #expect(try await !Account.exists(all[0].id))
    }
  }

  @Test func `A8: a row with the key of a deleted row can be created and saved`() async throws {
    try await withFile { _, file in
      let album = try await Album.create(7)
      try await album.save()
      try await album.delete()
      let again = try await Album.create(7)
      #expect(again !== album)
      again.value.name = "Faith"
      try await again.save()
      #expect(try await Album.fetchId(7) === again)
      #expect(try file.connect().values(String.self, "SELECT name FROM Album") == ["Faith"])
      // The deleted instance can be saved again too.
      try await again.delete()
      try await again.save()
      #expect(try await Album.fetchId(7) === again)
    }
  }

  @Test func `A10: changes of a failed save can be saved again`() async throws {
    try await withFile { session, file in
      _ = try await account("a")
      let second = try await Account.create()
      second.value.name = "b"
      let third = try await Account.create()
      third.value.name = "a"
      await #expect(throws: SQLiteError.self) { try await Account.saveChanges() }
      #expect(try names(file.connect()) == ["a"])
      #expect(second.id == 0)
      #expect(third.id == 0)
      third.value.name = "c"
      try await Account.saveChanges()
      #expect(try names(file.connect()) == ["a", "b", "c"])
      #expect(try await Account.fetchId(second.id) === second)
    }
  }

  @Test func `A10: a failed deletion leaves the model unchanged`() async throws {
    try await withFile { _, file in
      let owner = try await account("a")
      let owned = try await account("b")
      await owned.value.owner.setObject(owner)
      try await owned.save()
      let error = await #expect(throws: SQLiteError.self) { try await owner.delete() }
      #expect(error?.code.primary == .constraint)
      owner.value.name = "c"
      try await owner.save()
      #expect(try names(file.connect()) == ["b", "c"])
      #expect(try await Account.fetchId(owner.id) === owner)
    }
  }

  @Test(arguments: [
    ("name", SQLiteError.Code.constraintUnique), ("age", .constraintCheck),
    ("owner", .constraintForeignKey),
  ])
  func `A20: each kind of constraint has its own error code`(
    _ column: String, _ code: SQLiteError.Code
  ) async throws {
    try await withFile { _, _ in
      _ = try await account("a")
      let second = try await account("b")
      switch column {
      case "name": second.value.name = "a"
      case "age": second.value.age = -1
      default: second.value.owner.key = 99
      }
      let error = await #expect(throws: SQLiteError.self) { try await second.save() }
      #expect(error?.code == code)
    }
  }

  @Test func `A20: a NULL that violates a constraint has its own error code`() async throws {
    try await withFile { session, file in
      try await session.prepare(Sheet2.self)
      let error = #expect(throws: SQLiteError.self) {
        try file.connect().run("INSERT INTO Sheet (title) VALUES (NULL)")
      }
      #expect(error?.code == .constraintNotNull)
    }
  }

  @Test func `A21: using models during a write waits for the write and does not hang`()
    async throws
  {
    try await withFile { session, _ in
      let first = try await account("a")
      async let written: Void = session.database.write { connection in
        try connection.run("UPDATE Account SET age = 5 WHERE name = 'a'")
      }
      async let found = Account.fetchId(first.id)
      async let saved: () = { try await account("b") }().save()
      _ = try await (written, found, saved)
      #expect(try await Account.fetchQuery("WHERE age = 5").map(\.id) == [first.id])
    }
  }

  @Test func `A22: a string is stored completely, including characters after a NUL`() async throws {
    try await withFile { session, file in
      let first = try await account("a\u{0}b")
      let length = try file.connect().value(
        Int.self, "SELECT length(CAST(name AS BLOB)) FROM Account")
      #expect(length == 3)
      let other = ModelSession(try file.open())
      #expect(try await other.fetch(Account.self, first.id).value.name == "a\u{0}b")
    }
  }

  @Test func `A24: an awaited save is committed`() async throws {
    try await withFile { _, file in
      let other = try file.connect()
      for number in 1...20 {
        _ = try await account("\(number)")
        #expect(try other.value(Int.self, "SELECT count(*) FROM Account") == number)
      }
    }
  }

  @Test func `A24: errors of deferred saves are reported`() async throws {
    try await withFile { session, _ in
      _ = try await account("a")
      let same = try await Account.create()
      same.value.name = "a"
      same.saveChangesLater()
      var failures = session.deferredSaveErrors.makeAsyncIterator()
      let failure = await failures.next()
      #expect((failure as? SQLiteError)?.code == .constraintUnique)
      same.value.name = "b"
      try await Account.saveChanges()
      #expect(try await Account.fetchQuery().count == 2)
    }
  }

  @Test func `A25: a file database is opened, read and written on this platform`()
    async throws
  {
    try await withFile { _, file in
      _ = try await account("a")
      #expect(try names(file.connect()) == ["a"])
    }
  }
}
