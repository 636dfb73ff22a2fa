import SQLiteCore
import Testing

@Suite struct `A backup` {
  private let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  /// A database with several pages.
  private func source(_ configuration: Configuration = Configuration()) throws -> Connection {
    let db = try Connection(path: directory.file("source.sqlite"), configuration: configuration)
    try db.execute("CREATE TABLE t (id INTEGER PRIMARY KEY, a)")
    try db.run(
      """
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 50)
      INSERT INTO t SELECT i, zeroblob(3000) FROM n
      """)
    return db
  }

  @Test func `copies everything, and reports its progress`() throws {
    let (source, copy) = (try source(), try memory("CREATE TABLE old (a)"))
    var steps: [Connection.BackupProgress] = []
    try source.backup(to: copy, pagesPerStep: 10) { steps.append($0) }
    #expect(try copy.count("t") == 50)
    #expect(try copy.tables().map(\.name) == ["t"])
    #expect(try copy.value(String.self, "PRAGMA integrity_check") == "ok")
    #expect(steps.count > 4)
    #expect(steps.last?.remainingPages == 0)
    #expect(steps.last?.fraction == 1)
    #expect(Set(steps.map(\.pageCount)).count == 1)
    #expect(zip(steps, steps.dropFirst()).allSatisfy { $0.remainingPages > $1.remainingPages })
  }

  @Test(arguments: [true, false])
  func `that is aborted leaves the destination unchanged`(_ isInMemory: Bool) throws {
    let source = try source()
    let copy = isInMemory ? try memory() : try directory.connect()
    try copy.execute("CREATE TABLE old (a); INSERT INTO old VALUES (1)")
    #expect(throws: Failure()) {
      try source.backup(to: copy, pagesPerStep: 10) { _ in throw Failure() }
    }
    #expect(try copy.rows("SELECT * FROM old") == [[1]])
    #expect(try copy.tables().map(\.name) == ["old"])
    try copy.run("INSERT INTO old VALUES (2)")
    try source.run("DELETE FROM t")
    try copy.close()
    try source.close()
  }

  @Test func `continues while the source is written by its own connection`() throws {
    let (source, copy) = (try source(), try memory())
    var isFirst = true
    try source.backup(to: copy, pagesPerStep: 10) { _ in
      if isFirst { try source.run("UPDATE t SET a = 'new' WHERE id = 1") }
      isFirst = false
    }
    #expect(try copy.value(String.self, "SELECT a FROM t WHERE id = 1") == "new")
  }

  @Test func `restarts if another connection writes to the source`() throws {
    let (source, copy) = (try source(), try memory())
    let other = try Connection(path: directory.file("source.sqlite"))
    var remaining: [Int] = []
    try source.backup(to: copy, pagesPerStep: 10) { progress in
      remaining.append(progress.remainingPages)
      if remaining.count == 2 { try other.run("DELETE FROM t WHERE id = 50") }
    }
    #expect(zip(remaining, remaining.dropFirst()).contains { $0 < $1 })
    #expect(try copy.count("t") == 49)
  }

  @Test func `can copy attached databases`() throws {
    let source = try memory(
      "ATTACH ':memory:' AS a; CREATE TABLE a.t (x); INSERT INTO a.t VALUES (1)")
    let copy = try memory("ATTACH ':memory:' AS b")
    try source.backup(to: copy, from: "a", to: "b")
    #expect(try copy.rows("SELECT x FROM b.t") == [[1]])
  }

  @Test func `is visible to compiled statements of the destination`() throws {
    let (source, copy) = (try source(), try memory("CREATE TABLE t (a); INSERT INTO t VALUES (1)"))
    #expect(try copy.value(Int.self, "SELECT count(*) FROM t") == 1)
    try source.backup(to: copy)
    #expect(try copy.value(Int.self, "SELECT count(*) FROM t") == 50)
  }

  @Test(.needs(.preupdateHook))
  func `notifies the destination's observers that everything has changed`() throws {
    let (source, copy) = (try source(), try memory())
    let recorder = Recorder()
    try copy.hooks.add(recorder)
    try source.backup(to: copy)
    #expect(recorder.take() == ["schema", "didCommit"])
    #expect(throws: Failure()) {
      try source.backup(to: copy, pagesPerStep: 1) { _ in throw Failure() }
    }
    #expect(recorder.take() == [])
  }

  private func refusal(_ attempt: () throws -> Void) throws -> SQLiteError.Code {
    try #require(throws: SQLiteError.self) { try attempt() }.code
  }

  @Test func `is refused if it can't succeed`() throws {
    let (source, copy) = (
      try source(), try memory("CREATE TABLE t (a); INSERT INTO t VALUES (1), (2)")
    )
    #expect(try refusal { try source.backup(to: source) } == .misuse)
    for pages in [0, -1, .max] {
      #expect(try refusal { try source.backup(to: copy, pagesPerStep: pages) } == .misuse)
    }
    #expect(try refusal { try source.backup(to: copy, from: "nothing") } == .unknownSchema)
    #expect(try refusal { try source.backup(to: copy, to: "nothing") } == .unknownSchema)
    try copy.transaction { () throws in
      #expect(try refusal { try source.backup(to: copy) } == .databaseInUse)
    }
    let statement = try copy.prepare("SELECT a FROM t")
    #expect(try statement.step())
    #expect(try refusal { try source.backup(to: copy) } == .databaseInUse)
    statement.reset()
    try source.transaction {
      try source.run("DELETE FROM t WHERE id = 1")
      #expect(try refusal { try source.backup(to: copy) } == .databaseInUse)
    }
    let reader = try Connection.inMemory(
      configuration: {
        var configuration = Configuration()
        configuration.isReadOnly = true
        return configuration
      }())
    #expect(try refusal { try source.backup(to: reader) } == .readOnly)
    try source.backup(to: copy)
  }

  @Test func `is refused if the page sizes differ and can't be changed`() throws {
    let source = try memory("PRAGMA page_size = 8192; CREATE TABLE t (a)")
    let copy = try memory("CREATE TABLE old (a)")
    #expect(try refusal { try source.backup(to: copy) } == .pageSizeMismatch)
    let log = try directory.connect()
    try log.execute("CREATE TABLE old (a)")
    #expect(try refusal { try source.backup(to: log) } == .pageSizeMismatch)
    #expect(try log.tables().map(\.name) == ["old"])
    let plain = try Connection(
      path: directory.file("plain.sqlite"),
      configuration: {
        var configuration = Configuration()
        configuration.journalMode = .delete
        return configuration
      }())
    try plain.execute("CREATE TABLE old (a)")
    try source.backup(to: plain)
    #expect(try plain.tables().map(\.name) == ["t"])
    #expect(try plain.value(Int.self, "PRAGMA page_size") == 8_192)
  }

  @Test func `waits for a lock, and then fails`() throws {
    let source = try source()
    let copy = try directory.connect { $0.busyTimeout = .milliseconds(10) }
    try copy.execute("CREATE TABLE old (a)")
    let other = try directory.connect()
    try other.transaction { () throws in
      #expect(try refusal { try source.backup(to: copy) } == .busy)
    }
    try source.backup(to: copy)
    #expect(try other.count("t") == 50)
  }

  @Test func `refuses use of its destination until the end`() throws {
    let (source, copy) = (try source(), try directory.connect())
    try copy.execute("CREATE TABLE old (a)")
    let statement = try copy.prepare("SELECT * FROM old")
    var codes: [SQLiteError.Code] = []
    try source.backup(to: copy, pagesPerStep: 20) { progress in
      guard progress.remainingPages > 0 else { return }
      for attempt in [
        { try copy.run("INSERT INTO old VALUES (1)") }, { _ = try statement.step() },
        { try copy.transaction {} }, { try copy.savepoint {} },
        { _ = try copy.blob(in: "old", column: "a", row: 1) },
      ] as [() throws -> Void] {
        codes.append(try refusal(attempt))
      }
    }
    #expect(codes.count >= 10)
    #expect(Set(codes) == [.databaseInUse])
    #expect(try copy.count("t") == 50)
    try copy.transaction { try copy.run("DELETE FROM t") }
    #expect(try copy.value(String.self, "PRAGMA integrity_check") == "ok")
  }

  @Test func `keeps both connections open until it has ended`() throws {
    let (source, copy) = (try source(), try memory())
    try source.backup(to: copy, pagesPerStep: 10) { progress throws in
      guard progress.remainingPages > 0 else { return }
      #expect(try refusal { try source.close() } == .busy)
      #expect(try refusal { try copy.close() } == .busy)
    }
    try source.close()
    try copy.close()
    #expect(try refusal { try source.backup(to: copy) } == .closed)
  }
}

@Suite struct `A database's backup` {
  private let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  private func filled() throws -> Database {
    let database = try directory.open()
    try database.write { db in
      try db.execute("CREATE TABLE t (a)")
      for _ in 0..<30 { try db.run("INSERT INTO t VALUES (zeroblob(4000))") }
    }
    return database
  }

  @Test func `is written to a file while others write`() throws {
    let database = try filled()
    var didWrite = false
    try database.backup(to: directory.file("copy.sqlite"), pagesPerStep: 5) { _ in
      guard !didWrite else { return }
      didWrite = true
      // A database of another connection: this thread already has an access to the first.
      try directory.connect().run("INSERT INTO t VALUES (1)")
    }
    let copy = try Connection(path: directory.file("copy.sqlite"))
    #expect(try copy.count("t") == 30)
    #expect(try database.read { try $0.count("t") } == 31)
  }

  @Test func `is written to another database`() throws {
    let (database, copy) = (try filled(), try Database.inMemory())
    try database.backup(to: copy)
    #expect(try copy.read { try $0.count("t") } == 30)
  }

  @Test func `is written asynchronously, to a database or a file`() async throws {
    let (database, copy) = (try filled(), try Database.inMemory())
    let steps = Shared(0)
    try await database.backup(to: copy, pagesPerStep: 5) { _ in steps.update { $0 += 1 } }
    #expect(try await copy.read { try $0.count("t") } == 30)
    #expect(steps.value > 3)
    try await copy.backup(to: directory.file("copy.sqlite"))
    #expect(try Connection(path: directory.file("copy.sqlite")).count("t") == 30)
  }

  @Test func `ends when its task is cancelled`() async throws {
    let (database, copy) = (try filled(), try Database.inMemory())
    try await copy.write { try $0.execute("CREATE TABLE old (a)") }
    let (gate, isRunning) = (Gate(), Shared(false))
    let task = Task {
      try await database.backup(to: copy, pagesPerStep: 1) { _ in
        isRunning.update { $0 = true }
        gate.wait()
      }
    }
    _ = try await eventually { isRunning.value }
    task.cancel()
    gate.open()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(try await copy.read { try $0.tables().map(\.name) } == ["old"])
  }

  @Test func `is refused to itself, and inside an access`() throws {
    let database = try filled()
    let error = #expect(throws: SQLiteError.self) { try database.backup(to: database) }
    #expect(error?.code == .nestedAccess)
    let other = try Database.inMemory()
    try database.read { _ in
      let error = #expect(throws: SQLiteError.self) { try database.backup(to: other) }
      #expect(error?.code == .nestedAccess)
    }
    database.close()
    let closed = #expect(throws: SQLiteError.self) { try database.backup(to: other) }
    #expect(closed?.code == .closed)
  }

  @Test(.timeLimit(.minutes(10)), arguments: [true, false])
  func `can run in both directions concurrently`(_ isAwaited: Bool) async throws {
    let (one, two) = (try Database.inMemory(), try Database.inMemory())
    try await one.write { try $0.execute("CREATE TABLE t (a)") }
    try await two.write { try $0.execute("CREATE TABLE t (a)") }
    let (mayGo, holders) = (Gate(), Shared(0))
    try await withThrowingTaskGroup(of: Void.self) { group in
      for database in [one, two] {
        group.addTask {
          try await database.read { _ in
            holders.update { $0 += 1 }
            mayGo.wait()
          }
        }
      }
      #expect(try await eventually { holders.value == 2 })
      // The backups run one after the other when both databases are free.
      for (source, copy) in [(one, two), (two, one)] {
        group.addTask {
          if isAwaited { return try await source.backup(to: copy) }
          let failure = Shared<(any Error)?>(nil)
          await onThreads(1) { _ in
            do { try source.backup(to: copy) } catch { failure.update { $0 = error } }
          }
          if let failure = failure.value { throw failure }
        }
      }
      #expect(
        try await eventually {
          one.statistics.readers.waiting + two.statistics.readers.waiting == 2
        })
      mayGo.open()
      try await group.waitForAll()
    }
    #expect(try await one.read { try $0.count("t") } == 0)
  }

  @Test func `is refused to a database whose rows the task is reading`() async throws {
    let (source, copy) = (try filled(), try Database.inMemory())
    try await copy.write { try $0.execute("CREATE TABLE t (a); INSERT INTO t VALUES (1)") }
    let rows = copy.rows(batchSize: 1, "SELECT a FROM t") { row in try row.read(Int.self, at: 0) }
    for try await _ in rows {
      let error = await #expect(throws: SQLiteError.self) { try await source.backup(to: copy) }
      #expect(error?.code == .nestedAccess)
    }
  }

  @Test func `is refused to itself asynchronously`() async throws {
    let database = try filled()
    let error = await #expect(throws: SQLiteError.self) { try await database.backup(to: database) }
    #expect(error?.code == .nestedAccess)
  }
}
