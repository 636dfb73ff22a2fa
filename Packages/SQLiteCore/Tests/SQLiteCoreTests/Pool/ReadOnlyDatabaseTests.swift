import SQLiteCore
import Testing

@Suite struct `A read-only view of a database` {
  typealias Place = `A database`.Place

  @Test(arguments: Place.allCases)
  func `reads changes of the database`(_ place: Place) async throws {
    let (database, directory) = try `A database`.make(place)
    let view = database.readOnly
    try await database.write { try $0.run("INSERT INTO t VALUES (1)") }
    #expect(try await view.read { try $0.values(Int.self, "SELECT a FROM t") } == [1])
    try blocking {
      let values = try view.read { try $0.values(Int.self, "SELECT a FROM t") }
      #expect(values == [1])
    }
    withExtendedLifetime(directory) {}
  }

  @Test(
    arguments: Place.allCases,
    [
      "INSERT INTO t VALUES (1)", "CREATE TABLE u (b)", "DROP TABLE t",
      "PRAGMA query_only = 0; INSERT INTO t VALUES (1)",
      "COMMIT; PRAGMA query_only = 0; INSERT INTO t VALUES (1)", "PRAGMA user_version = 7",
    ])
  func `has statements that write refused by SQLite`(_ place: Place, _ script: String)
    async throws
  {
    let (database, directory) = try `A database`.make(place)
    try await database.writeWithoutTransaction { try $0.execute("PRAGMA query_only = 0") }
    let view: any DatabaseReader = database.readOnly
    await #expect(throws: SQLiteError.self) {
      try await view.read { try $0.execute(SQL(unsafe: script)) }
    }
    try blocking {
      #expect(throws: SQLiteError.self) { try view.read { try $0.execute(SQL(unsafe: script)) } }
      #expect(try database.read { try $0.count("t") } == 0)
      try database.write { try $0.run("INSERT INTO t VALUES (2)") }
      #expect(try view.read { try $0.count("t") } == 1)
    }
    withExtendedLifetime(directory) {}
  }

  @Test func `is not a writer`() throws {
    let view: any DatabaseReader = try Database.inMemory().readOnly
    #expect(!(view is any DatabaseWriter))
    #expect(!(view is Database))
    #expect(view.readOnly === view)
  }

  @Test func `has the identity of its database`() throws {
    let (database, other) = (try Database.inMemory(), try Database.inMemory())
    #expect(database.readOnly.databaseIdentity == database.databaseIdentity)
    #expect(database.readOnly.databaseIdentity != other.readOnly.databaseIdentity)
  }

  @Test func `fails to read after the database is closed`() async throws {
    let database = try Database.inMemory()
    let view = database.readOnly
    database.close()
    let error = await #expect(throws: SQLiteError.self) {
      try await view.read { try $0.value(Int.self, "SELECT 1") }
    }
    #expect(error?.code == .closed)
  }

  @Test func `can be created from a snapshot`() async throws {
    let (database, directory) = try `A database`.make(.file)
    let snapshot = try await database.snapshot()
    try await database.write { try $0.run("INSERT INTO t VALUES (1)") }
    let readers: [any DatabaseReader] = [snapshot, snapshot.readOnly]
    for reader in readers {
      #expect(try await reader.read { try $0.count("t") } == 0)
      #expect(reader.databaseIdentity == ObjectIdentifier(snapshot))
    }
    withExtendedLifetime(directory) {}
  }

  @Test func `and its database are accepted as a reader or a writer`() async throws {
    func fill(_ writer: any DatabaseWriter) async throws {
      try await writer.write { try $0.run("INSERT INTO t VALUES (1)") }
      try await writer.writeWithoutTransaction { try $0.execute("INSERT INTO t VALUES (2)") }
    }
    let stored: @Sendable (Connection) throws -> Int? = { try $0.count("t") }
    let (database, directory) = try `A database`.make(.file)
    try await fill(database)
    let readers: [any DatabaseReader] = [database, database.readOnly]
    for reader in readers { #expect(try await reader.read(stored) == 2) }
    withExtendedLifetime(directory) {}
  }
}
