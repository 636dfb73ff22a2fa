import Foundation
import Primitives
import SQLiteCore
import Testing

@Suite(.timeLimit(.minutes(10))) struct `After the end of an access` {
  typealias Place = `A database`.Place

  /// A use of a connection.
  struct Use: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let run: @Sendable (Connection) throws -> Void

    init(_ name: String, _ run: @escaping @Sendable (Connection) throws -> Void) {
      testDescription = name
      self.run = run
    }
  }

  static let uses = [
    Use("prepare") { _ = try $0.prepare("SELECT 1") },
    Use("value") { _ = try $0.value(Int.self, "SELECT 1") },
    Use("a cached statement") { try $0.withStatement("SELECT 1") { _ in } },
    Use("run") { try $0.run("INSERT INTO t VALUES (1)") },
    Use("execute") { try $0.execute("INSERT INTO t VALUES (1)") },
    Use("transaction") { try $0.transaction {} },
    Use("savepoint") { try $0.savepoint {} },
    Use("attach") { try $0.attach(.memory, as: "other") },
    Use("detach") { try $0.detach("other") },
    Use("checkpoint") { _ = try $0.checkpoint() },
    Use("automatic checkpoints") { try $0.setAutomaticCheckpoint(pages: 1) },
    Use("integrity check") { _ = try $0.integrityCheck() },
    Use("limit") { _ = try $0.limit(.attachedCount) },
    Use("setting a limit") { _ = try $0.setLimit(.attachedCount, to: 1) },
    Use("vacuum") { try $0.vacuum() },
    Use("user version") { _ = try $0.userVersion() },
    Use("query plan") { _ = try $0.queryPlan(for: "SELECT 1") },
    Use("status") { _ = try $0.status(.cacheUsed) },
    Use("a switch") { _ = try $0.isOn(.foreignKeys) },
    Use("turning a switch") { try $0.setOption(.foreignKeys, on: false) },
    Use("release memory") { try $0.releaseMemory() },
    Use("busy policy") { try $0.setBusyPolicy(.failImmediately) },
    Use("transaction state") { _ = try $0.transactionState() },
    Use("tables") { _ = try $0.tables() },
    Use("dump") { _ = try $0.dumpSQL() },
    Use("blob") { _ = try $0.blob(in: "t", column: "a", row: 1) },
    Use("session") { _ = try $0.session() },
    Use("serialize") { _ = try $0.serialized() },
    Use("backup, as the source") { try $0.backup(to: Connection.inMemory()) },
    Use("backup, as the destination") { try Connection.inMemory().backup(to: $0) },
    Use("function") { try $0.register("f", argumentCount: 0) { _ in .null } },
    Use("collation") { try $0.registerCollation("c") { _, _ in 0 } },
    Use("observer") { try $0.hooks.add(Recorder()) },
    Use("authorizer") { try $0.hooks.authorize { _ in .allow } },
    Use("trace") { try $0.hooks.trace { _ in } },
    Use("profile") { try $0.hooks.profile { _ in } },
    Use("progress") { try $0.hooks.progress { true } },
    Use("update hook") { try $0.hooks.update { _, _, _ in } },
    Use("commits to the log") { try $0.hooks.walCommit { _, _ in } },
  ]

  @Test(arguments: uses, Place.allCases)
  func `every use of the connection is an error`(_ use: Use, _ place: Place) async throws {
    let (database, directory) = try `A database`.make(place)
    // An in-memory database does not have one.
    let snapshot = place == .file ? try await database.snapshot() : nil
    try refuses(use, in: database, snapshot)
    withExtendedLifetime(directory) {}
  }

  private func refuses(_ use: Use, in database: Database, _ snapshot: DatabaseSnapshot?) throws {
    var kept: [Connection] = []
    try database.read { kept.append($0) }
    try database.write { kept.append($0) }
    try snapshot?.read { kept.append($0) }
    for connection in kept {
      let error = #expect(throws: SQLiteError.self) { try use.run(connection) }
      #expect(error?.code == .accessEnded)
    }
    #expect(try database.read { try $0.count("t") } == 0)
    #expect(try snapshot?.read { try $0.count("t") } ?? 0 == 0)
  }

  @Test(.needs(.sessions), arguments: Place.allCases)
  func `every use of a statement, a blob and a session is an error`(_ place: Place) throws {
    let (database, directory) = try `A database`.make(place)
    var (statement, cached): (Statement?, Statement?)
    var (blob, session): (Blob?, Changeset.Session?)
    try database.write { connection in
      try connection.run("INSERT INTO t VALUES ('text'), ('more')")
      statement = try connection.prepare("SELECT a FROM t WHERE a <> ?1")
      try connection.withStatement("SELECT a FROM t") { cached = $0 }
      _ = try statement?.step()
      blob = try connection.blob(in: "t", column: "a", row: 1)
      session = try connection.session()
    }
    let (kept, lent) = (try #require(statement), try #require(cached))
    let (bytes, changes) = (try #require(blob), try #require(session))
    for attempt in [
      { _ = try kept.step() }, { try kept.run() }, { try kept.bind(1, at: 1) },
      { try kept.bind("x", named: "?1") }, { try kept.bindAll(1) }, { try kept.bindNull(at: 1) },
      { try kept.withBoundBlob([1, 2].elementSpan, at: 1) {} }, { _ = try kept.count(of: .runs) },
      { _ = try lent.step() }, { try lent.run() },
      { _ = try bytes.readAll() }, { try bytes.reopen(row: 2) }, { try bytes.close() },
      { _ = try changes.changeset() }, { try changes.attachAll() }, { try changes.attach("t") },
      { try changes.writePatchset { _ in } },
    ] as [() throws -> Void] {
      let error = #expect(throws: SQLiteError.self) { try attempt() }
      #expect(error?.code == .accessEnded)
    }
    // Accesses that have already ended are not refused.
    kept.reset()
    kept.clearBindings()
    withExtendedLifetime(directory) {}
  }

  @Test func `uses that can't throw stop the program`() async {
    await #expect(processExitsWith: .failure) {
      let database = try Database.inMemory()
      var kept: Connection?
      try database.read { kept = $0 }
      print(kept?.isInTransaction as Any)
    }
    await #expect(processExitsWith: .failure) {
      let database = try Database.inMemory()
      var kept: Statement?
      try database.read { kept = try $0.prepare("SELECT 1") }
      print(kept?.row[0] as Any)
    }
    await #expect(processExitsWith: .failure) {
      let database = try Database.inMemory()
      var kept: Changeset.Session?
      try database.write { kept = try $0.session() }
      kept?.isEnabled = false
    }
  }

  @Test func `a connection is refused while another thread uses it`() async throws {
    let (database, directory) = try `A database`.make(.file) { $0.maximumReaderCount = 1 }
    let kept = Kept<Connection>()
    let (begun, isToEnd) = (Gate(), Gate())
    async let reading: Void = database.read { connection in
      kept.value = connection
      begun.open()
      isToEnd.wait()
      // The access itself is not affected.
      let one = try connection.value(Int.self, "SELECT 1")
      #expect(one == 1)
    }
    await onThreads(1) { _ in
      begun.wait()
      for use in Self.uses {
        let error = #expect(throws: SQLiteError.self, "\(use.testDescription)") {
          guard let connection = kept.value else { return }
          try use.run(connection)
        }
        #expect(error?.code == .accessEnded)
      }
      isToEnd.open()
    }
    try await reading
    withExtendedLifetime(directory) {}
  }

  @Test func `an object that is released on another thread is released from the connection later`()
    async throws
  {
    let (database, directory) = try `A database`.make(.file) { $0.maximumReaderCount = 1 }
    let path = directory.file()
    try await database.write { try $0.run("INSERT INTO t VALUES ('text')") }
    for _ in 0..<200 {
      let (statements, blobs) = (Kept<[Statement]>(), Kept<Blob>())
      let begun = Gate()
      async let reading: Void = database.read { connection in
        statements.value = try (0..<20).map {
          try connection.prepare("SELECT a, \(unsafe: "\($0)") FROM t")
        }
        blobs.value = try connection.blob(in: "t", column: "a", row: 1)
        begun.open()
        // Statements are compiled and run while the others are released.
        for number in 0..<20 { _ = try connection.rows("SELECT a, -\(unsafe: "\(number)") FROM t") }
      }
      await onThreads(1) { _ in
        begun.wait()
        (statements.value, blobs.value) = (nil, nil)
      }
      try await reading
    }
    database.close()
    #expect(!FileManager.default.fileExists(atPath: path + "-wal"), "a connection is still open")
  }

  @Test func `a subscription can be ended on any thread`() throws {
    let (database, directory) = try `A database`.make(.file)
    var subscription: (hooks: Hooks, Hooks.Subscription)?
    let count = Shared(0)
    try database.write { connection in
      let hooks = connection.hooks
      subscription = (hooks, try hooks.trace { _ in count.update { $0 += 1 } })
      try connection.run("INSERT INTO t VALUES (1)")
    }
    let before = count.value
    #expect(before > 0)
    subscription.map { $0.hooks.remove($0.1) }
    try database.write { try $0.run("INSERT INTO t VALUES (2)") }
    #expect(count.value == before)
    withExtendedLifetime(directory) {}
  }

  @Test(arguments: Place.allCases)
  func `the database continues after an access tried to close its connection`(_ place: Place)
    throws
  {
    let (database, directory) = try `A database`.make(place)
    for access in [
      { try database.read { try $0.close() } }, { try database.write { try $0.close() } },
    ] as [() throws -> Void] {
      let error = #expect(throws: SQLiteError.self) { try access() }
      #expect(error?.code == .misuse)
    }
    try database.write { try $0.run("INSERT INTO t VALUES (1)") }
    #expect(try database.read { try $0.count("t") } == 1)
    withExtendedLifetime(directory) {}
  }
}

/// A value that is passed between threads, in an order that the test ensures.
final class Kept<Value>: @unchecked Sendable {
  var value: Value?
}
