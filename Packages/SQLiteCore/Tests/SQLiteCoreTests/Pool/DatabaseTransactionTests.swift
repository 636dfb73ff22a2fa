import SQLiteCore
import Primitives
import Testing

@Suite struct `An open transaction` {
  typealias Kind = `A database`.Place

  private func make(_ kind: Kind) throws -> (Database, TemporaryDirectory) {
    try `A database`.make(kind)
  }

  @Test(arguments: Kind.allCases) func `keeps the changes of its calls after the commit`(
    _ kind: Kind
  ) throws {
    let (database, directory) = try make(kind)
    let transaction = try database.beginTransaction()
    for value in 1...3 { try transaction.write { try $0.run("INSERT INTO t VALUES (?)", value) } }
    let seen = try transaction.read { try $0.count("t") }
    #expect(seen == 3)
    if kind == .file {
      let outside = try database.read { try $0.count("t") }
      #expect(outside == 0)
    }
    try transaction.commit()
    let kept = try database.read { try $0.count("t") }
    #expect(kept == 3)
    withExtendedLifetime(directory) {}
  }

  @Test(arguments: Kind.allCases) func `rolls back its changes when it is rolled back or released`(
    _ kind: Kind
  ) throws {
    let (database, directory) = try make(kind)
    var transaction: Database.Transaction? = try database.beginTransaction()
    _ = try transaction?.write { try $0.run("INSERT INTO t VALUES (1)") }
    transaction?.rollBack()
    transaction?.rollBack()
    transaction = try database.beginTransaction()
    _ = try transaction?.write { try $0.run("INSERT INTO t VALUES (2)") }
    transaction = nil
    let count = try database.read { try $0.count("t") }
    #expect(count == 0)
    // The connection is unchanged.
    try database.write { try $0.run("INSERT INTO t VALUES (3)") }
    withExtendedLifetime(directory) {}
  }

  @Test(arguments: Kind.allCases)
  func `rolls back a call that fails, and continues`(_ kind: Kind) throws {
    let (database, directory) = try make(kind)
    let transaction = try database.beginTransaction()
    try transaction.write { try $0.run("INSERT INTO t VALUES (1)") }
    #expect(throws: SQLiteError.self) {
      try transaction.write { connection in
        try connection.run("INSERT INTO t VALUES (2)")
        try connection.run("INSERT INTO missing VALUES (2)")
      }
    }
    try transaction.commit()
    let count = try database.read { try $0.count("t") }
    #expect(count == 1)
    withExtendedLifetime(directory) {}
  }

  @Test(arguments: Kind.allCases) func `can be used by tasks`(_ kind: Kind) async throws {
    let (database, directory) = try make(kind)
    let transaction = try await database.beginTransaction()
    try await transaction.write { try $0.run("INSERT INTO t VALUES (1)") }
    await #expect(throws: SQLiteError.self) {
      try await transaction.write { connection in
        try connection.run("INSERT INTO t VALUES (2)")
        try connection.run("INSERT INTO missing VALUES (2)")
      }
    }
    #expect(try await transaction.read { try $0.count("t") } == 1)
    try blocking { try transaction.commit() }
    #expect(try await database.read { try $0.count("t") } == 1)
    withExtendedLifetime(directory) {}
  }

  @Test func `refuses writes in reads, and statements that would end it`() throws {
    let (database, directory) = try make(.file)
    let transaction = try database.beginTransaction()
    let inRead = #expect(throws: SQLiteError.self) {
      try transaction.read { try $0.run("INSERT INTO t VALUES (1)") }
    }
    #expect(inRead?.code == .readOnly)
    for sql in ["COMMIT", "ROLLBACK"] {
      let ending = #expect(throws: SQLiteError.self) {
        try transaction.write { try $0.execute(SQL(unsafe: sql)) }
      }
      #expect(ending?.code == .transactionEnded)
    }
    try transaction.commit()
    withExtendedLifetime(directory) {}
  }

  @Test func `can't be used after its end`() throws {
    let (database, directory) = try make(.file)
    let transaction = try database.beginTransaction()
    try transaction.commit()
    let read = #expect(throws: SQLiteError.self) { try transaction.read { try $0.count("t") } }
    #expect(read?.code == .transactionClosed)
    let commit = #expect(throws: SQLiteError.self) { try transaction.commit() }
    #expect(commit?.code == .transactionClosed)
    withExtendedLifetime(directory) {}
  }

  @Test func `reports that SQLite has rolled it back, and refuses later calls`() throws {
    let (database, directory) = try make(.file)
    try database.write { try $0.execute("CREATE TABLE u (a UNIQUE ON CONFLICT ROLLBACK)") }
    let transaction = try database.beginTransaction()
    try transaction.write { try $0.run("INSERT INTO u VALUES (1)") }
    #expect(throws: SQLiteError.self) {
      try transaction.write { try $0.run("INSERT INTO u VALUES (1)") }
    }
    for attempt in [
      { _ = try transaction.write { try $0.run("INSERT INTO u VALUES (2)") } },
      { try transaction.commit() },
    ] {
      let error = #expect(throws: SQLiteError.self) { try attempt() }
      #expect(error?.code == .transactionEnded)
    }
    let count = try database.read { try $0.count("u") }
    #expect(count == 0)
    try database.write { try $0.run("INSERT INTO u VALUES (3)") }
    withExtendedLifetime(directory) {}
  }

  @Test func `that can't be committed is rolled back`() throws {
    let (database, directory) = try make(.file)
    try database.write {
      try $0.execute(
        """
        CREATE TABLE p (id INTEGER PRIMARY KEY);
        CREATE TABLE c (p REFERENCES p(id) DEFERRABLE INITIALLY DEFERRED)
        """)
    }
    let transaction = try database.beginTransaction()
    try transaction.write { try $0.run("INSERT INTO c VALUES (7)") }
    let error = #expect(throws: SQLiteError.self) { try transaction.commit() }
    #expect(error?.code == .constraintForeignKey)
    let count = try database.read { try $0.count("c") }
    #expect(count == 0)
    try database.write { try $0.run("INSERT INTO c VALUES (NULL)") }
    withExtendedLifetime(directory) {}
  }

  @Test func `can't begin inside an access or on a read-only database`() throws {
    let (database, directory) = try make(.file)
    try database.read { _ in
      let error = #expect(throws: SQLiteError.self) { try database.beginTransaction() }
      #expect(error?.code == .nestedAccess)
    }
    var configuration = Configuration()
    configuration.isReadOnly = true
    let readOnly = try Database(path: try #require(database.path), configuration: configuration)
    let error = #expect(throws: SQLiteError.self) { try readOnly.beginTransaction() }
    #expect(error?.code == .readOnly)
    withExtendedLifetime(directory) {}
  }

  @Test func `makes other writers wait until its end`() async throws {
    let (database, directory) = try make(.file)
    let transaction = try await database.beginTransaction()
    try await transaction.write { try $0.run("INSERT INTO t VALUES (1)") }
    async let other = database.write { connection in
      try connection.run("INSERT INTO t VALUES (2)")
      return try connection.count("t")
    }
    try await transaction.write { try $0.run("INSERT INTO t VALUES (3)") }
    try blocking { try transaction.commit() }
    #expect(try await other == 3)
    withExtendedLifetime(directory) {}
  }

  @Test(arguments: Kind.allCases) func `has savepoints that end one by one`(_ kind: Kind) throws {
    let (database, directory) = try make(kind)
    let transaction = try database.beginTransaction()
    for value in 1...4 {
      try transaction.savepoint()
      try transaction.write { try $0.run("INSERT INTO t VALUES (?)", value) }
    }
    try transaction.rollBackSavepoint()
    try transaction.releaseSavepoint()
    let early = #expect(throws: SQLiteError.self) { try transaction.commit() }
    #expect(early?.code == .misuse)
    withExtendedLifetime(directory) {}
  }

  @Test(arguments: Kind.allCases)
  func `keeps and rolls back savepoints separately`(_ kind: Kind) throws {
    let (database, directory) = try make(kind)
    let transaction = try database.beginTransaction()
    for value in 1...4 {
      try transaction.savepoint()
      try transaction.write { try $0.run("INSERT INTO t VALUES (?)", value) }
    }
    try transaction.rollBackSavepoint()
    try transaction.releaseSavepoint()
    try transaction.rollBackSavepoint()
    try transaction.releaseSavepoint()
    for end in [transaction.releaseSavepoint, transaction.rollBackSavepoint] {
      let error = #expect(throws: SQLiteError.self) { try end() }
      #expect(error?.code == .misuse)
    }
    try transaction.commit()
    let kept = try database.read { try $0.values(Int.self, "SELECT a FROM t") }
    #expect(kept == [1])
    // Released with open savepoints, the transaction leaves the connection unchanged.
    var other: Database.Transaction? = try database.beginTransaction()
    try other?.savepoint()
    try other?.savepoint()
    other = nil
    try database.write { try $0.run("INSERT INTO t VALUES (9)") }
    withExtendedLifetime(directory) {}
  }

  // MARK: Rollbacks from inside

  @Test(arguments: Kind.allCases) func `detects a rollback by SQLite that a body hides`(
    _ kind: Kind
  ) async throws {
    let (database, directory) = try make(kind)
    try await database.write { try $0.execute("CREATE TABLE k (id INTEGER PRIMARY KEY)") }
    try await database.write { try $0.run("INSERT INTO k VALUES (1)") }
    let transaction = try await database.beginTransaction()
    let error = await #expect(throws: SQLiteError.self) {
      try await transaction.write { try? $0.run("INSERT OR ROLLBACK INTO k VALUES (1)") }
    }
    #expect(error?.code == .transactionEnded)
    let ending = #expect(throws: SQLiteError.self) {
      try blocking { try transaction.commit() }
    }
    #expect(ending?.code == .transactionEnded)
    // The connection is unchanged.
    try await database.write { try $0.run("INSERT INTO k VALUES (2)") }
    #expect(try await database.read { try $0.count("k") } == 2)
    withExtendedLifetime(directory) {}
  }

  @Test(arguments: Kind.allCases) func `ends its savepoints after SQLite has rolled it back`(
    _ kind: Kind
  ) throws {
    let (database, directory) = try make(kind)
    try database.write { try $0.execute("CREATE TABLE k (id INTEGER PRIMARY KEY)") }
    try database.write { try $0.run("INSERT INTO k VALUES (1)") }
    let transaction = try database.beginTransaction()
    for _ in 1...3 { try transaction.savepoint() }
    #expect(transaction.savepointCount == 3)
    #expect(throws: SQLiteError.self) {
      try transaction.write { try $0.run("INSERT OR ROLLBACK INTO k VALUES (1)") }
    }
    try transaction.rollBackSavepoint()
    let error = #expect(throws: SQLiteError.self) { try transaction.releaseSavepoint() }
    #expect(error?.code == .transactionEnded)
    let another = #expect(throws: SQLiteError.self) { try transaction.savepoint() }
    #expect(another?.code == .transactionEnded)
    try transaction.rollBackSavepoint()
    #expect(transaction.savepointCount == 0)
    let ending = #expect(throws: SQLiteError.self) { try transaction.commit() }
    #expect(ending?.code == .transactionEnded)
    try database.write { try $0.run("INSERT INTO k VALUES (2)") }
    withExtendedLifetime(directory) {}
  }

  @Test(arguments: Kind.allCases) func `keeps no change of a task that is cancelled at its end`(
    _ kind: Kind
  ) async throws {
    let (database, directory) = try make(kind)
    for _ in 0..<20 {
      let transaction = try await database.beginTransaction()
      let (events, told) = AsyncStream<Void>.makeStream()
      let cancelled = Flag()
      let task = Task {
        try await transaction.write { connection in
          try connection.run("INSERT INTO t VALUES (1)")
          told.yield()
          while !cancelled.isSet {}
        }
      }
      for await _ in events { break }
      task.cancel()
      cancelled.set()
      await #expect(throws: CancellationError.self) { try await task.value }
      try? blocking { try transaction.commit() }
      #expect(try await database.read { try $0.count("t") } == 0)
    }
    withExtendedLifetime(directory) {}
  }
}

private final class Flag: Sendable {
  private let value = Atomic<Bool>(false)
  var isSet: Bool { value.load(ordering: .acquiring) }
  func set() { value.store(true, ordering: .releasing) }
}
