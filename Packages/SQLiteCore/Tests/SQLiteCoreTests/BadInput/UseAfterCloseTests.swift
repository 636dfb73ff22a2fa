import SQLiteCore
import Testing

@Suite struct `Use after closing` {
  @Test func `of a database is an error with a message, for every access`() async throws {
    let directory = try TemporaryDirectory()
    for database in [try directory.open(), try Database.inMemory()] {
      try await database.write { try $0.execute("CREATE TABLE t (a)") }
      database.close()
      for attempt in [
        { _ = try database.read { try $0.rows("SELECT 1") } }, { try database.write { _ in } },
        { try database.writeWithoutTransaction { _ in } },
      ] as [() throws -> Void] {
        let error = #expect(throws: SQLiteError.self) { try attempt() }
        #expect(error?.code == .closed)
        #expect(error?.message.isEmpty == false)
      }
      for attempt in [
        { _ = try await database.read { try $0.rows("SELECT 1") } },
        { try await database.write { _ in } },
        { try await database.writeWithoutTransaction { _ in } },
      ] as [@Sendable () async throws -> Void] {
        let error = await #expect(throws: SQLiteError.self) { try await attempt() }
        #expect(error?.code == .closed)
      }
      database.close()
    }
  }

  @Test func `of a connection kept from an access is an error`() throws {
    let directory = try TemporaryDirectory()
    let database = try directory.open()
    var kept: Connection?
    var statement: Statement?
    try database.write { db in
      try db.execute("CREATE TABLE t (a)")
      kept = db
    }
    database.close()
    let error = #expect(throws: SQLiteError.self) { statement = try kept?.prepare("SELECT 1") }
    #expect(error?.code == .closed)
    #expect(statement == nil)
  }

  @Test func `of hooks and interrupts is an error or has no effect`() throws {
    var db: Connection? = try memory("CREATE TABLE t (a); INSERT INTO t VALUES (1)")
    let hooks = try #require(db?.hooks)
    let subscription = try hooks.progress { true }
    let interrupt = try #require(db?.interruptHandle)
    try db?.close()
    for attempt in [
      { try hooks.add(Recorder()) }, { try hooks.progress { true } },
      { try hooks.authorize { _ in .allow } }, { try hooks.profile { _ in } },
      { try hooks.walCommit { _, _ in } },
    ] {
      let error = #expect(throws: SQLiteError.self) { try attempt() }
      #expect(error?.code == .closed)
    }
    hooks.remove(subscription)
    db?.interrupt()
    db = nil
    interrupt.interrupt()
    hooks.remove(subscription)
    let error = #expect(throws: SQLiteError.self) { try hooks.add(Recorder()) }
    #expect(error?.code == .closed)
  }

  @Test func `of every method with SQL is an error`() throws {
    let db = try memory()
    try db.close()
    for attempt in [
      { _ = try db.value(Int.self, "SELECT 1") }, { _ = try db.values(Int.self, "SELECT 1") },
      { try db.forEach("SELECT 1") { _ in } }, { try db.withStatement("SELECT 1") { _ in } },
      { try db.run("SELECT ?", values: [1]) }, { try db.run(SQL("SELECT :a", named: ["a": 1])) },
      { _ = try db.tables() }, { _ = try db.count("t") },
    ] as [() throws -> Void] {
      let error = #expect(throws: SQLiteError.self) { try attempt() }
      #expect(error?.code == .closed)
    }
    try db.close()
  }
}
