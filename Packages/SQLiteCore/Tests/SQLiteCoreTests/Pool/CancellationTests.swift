import SQLiteCore
import Testing

@Suite struct `A cancelled access` {
  typealias Place = `A database`.Place

  /// Returns whether a task ended because it was cancelled.
  private func wasCancelled<T: Sendable>(_ task: Task<T, any Error>) async -> Bool {
    do {
      _ = try await task.value
      return false
    } catch {
      return error is CancellationError
    }
  }

  private func isHealthy(_ database: Database, count: Int) async throws {
    #expect(try await database.read { try $0.count("t") } == count)
    #expect(try await database.writeWithoutTransaction { $0.isInTransaction } == false)
    try await database.write { db in
      #expect(try db.run("INSERT INTO t VALUES (99)").count == 1)
      try db.run("DELETE FROM t WHERE a = 99")
    }
  }

  @Test(arguments: Place.allCases)
  func `does not run if it was cancelled before the start`(_ place: Place) async throws {
    let (database, directory) = try `A database`.make(place)
    let ran = Shared(false)
    let task = Task {
      while !Task.isCancelled { await Task.yield() }
      try await database.write { db in
        ran.update { $0 = true }
        try db.run("INSERT INTO t VALUES (1)")
      }
    }
    task.cancel()
    #expect(await wasCancelled(task))
    #expect(!ran.value)
    try await isHealthy(database, count: 0)
    withExtendedLifetime(directory) {}
  }

  @Test(arguments: Place.allCases, [true, false])
  func `leaves the queue immediately`(_ place: Place, writes: Bool) async throws {
    let (database, directory) = try `A database`.make(place) { $0.maximumReaderCount = 1 }
    let (isBusy, mayGo) = (Gate(), Gate())
    let hold: @Sendable (Connection) throws -> Void = { _ in
      isBusy.open()
      mayGo.wait()
    }
    let holder = Task {
      if writes {
        try await database.write { try hold($0) }
      } else {
        try await database.read { try hold($0) }
      }
    }
    _ = try await eventually { isBusy.wait(seconds: 0) }
    let ran = Shared(false)
    let body: @Sendable (Connection) throws -> Void = { _ in ran.update { $0 = true } }
    let waiting = Task {
      if writes {
        try await database.write { try body($0) }
      } else {
        try await database.read { try body($0) }
      }
    }
    try await Task.sleep(for: .milliseconds(10))
    waiting.cancel()
    #expect(await wasCancelled(waiting))
    #expect(!ran.value)
    mayGo.open()
    try await holder.value
    try await isHealthy(database, count: 0)
    withExtendedLifetime(directory) {}
  }

  @Test(arguments: Place.allCases, [true, false]) func `has its running statement interrupted`(
    _ place: Place, writes: Bool
  ) async throws {
    let (database, directory) = try `A database`.make(place)
    let isRunning = Gate()
    let body: @Sendable (Connection) throws -> Void = { db in
      if writes { try db.run("INSERT INTO t VALUES (1)") }
      isRunning.open()
      try db.run(SQL(unsafe: endlessQuery))
    }
    let task = Task {
      if writes {
        try await database.write { try body($0) }
      } else {
        try await database.read { try body($0) }
      }
    }
    _ = try await eventually { isRunning.wait(seconds: 0) }
    try await Task.sleep(for: .milliseconds(10))
    task.cancel()
    #expect(await wasCancelled(task))
    try await isHealthy(database, count: 0)
    withExtendedLifetime(directory) {}
  }

  @Test(arguments: Place.allCases) func `has its next statement stopped`(_ place: Place)
    async throws
  {
    let (database, directory) = try `A database`.make(place)
    let (isBetween, isCancelled) = (Gate(), Gate())
    let reached = Shared(0)
    let task = Task {
      try await database.write { db in
        try db.run("INSERT INTO t VALUES (1)")
        isBetween.open()
        isCancelled.wait()
        reached.update { $0 = 1 }
        try db.run("INSERT INTO t VALUES (2)")
        reached.update { $0 = 2 }
      }
    }
    _ = try await eventually { isBetween.wait(seconds: 0) }
    task.cancel()
    isCancelled.open()
    #expect(await wasCancelled(task))
    #expect(reached.value == 1)
    try await isHealthy(database, count: 0)
    withExtendedLifetime(directory) {}
  }

  @Test func `commits no change after the last statement`() async throws {
    let (database, directory) = try `A database`.make(.file)
    let (isDone, isCancelled) = (Gate(), Gate())
    let task = Task {
      try await database.write { db in
        try db.run("INSERT INTO t VALUES (1)")
        isDone.open()
        isCancelled.wait()
      }
    }
    _ = try await eventually { isDone.wait(seconds: 0) }
    task.cancel()
    isCancelled.open()
    #expect(await wasCancelled(task))
    try await isHealthy(database, count: 0)
    withExtendedLifetime(directory) {}
  }

  @Test func `commits no change if its body ignores the error`() async throws {
    let (database, directory) = try `A database`.make(.file)
    let isRunning = Gate()
    let task = Task {
      try await database.write { db in
        try db.run("INSERT INTO t VALUES (1)")
        isRunning.open()
        _ = try? db.run(SQL(unsafe: endlessQuery))
        _ = try? db.run("INSERT INTO t VALUES (2)")
        _ = try? db.savepoint { try db.run("INSERT INTO t VALUES (3)") }
      }
    }
    _ = try await eventually { isRunning.wait(seconds: 0) }
    task.cancel()
    #expect(await wasCancelled(task))
    try await isHealthy(database, count: 0)
    withExtendedLifetime(directory) {}
  }

  /// Cancels a write while a query is at the first of three rows, and continues with `body`.
  private func cancelAtRow(_ body: @escaping @Sendable (Connection) throws -> Void) async throws {
    let (database, directory) = try `A database`.make(.file)
    try await database.write { try $0.run("INSERT INTO t VALUES (1), (2), (3)") }
    let (isAtRow, isCancelled) = (Gate(), Gate())
    let task = Task {
      try await database.write { db in
        try db.forEach("SELECT a FROM t") { _ in
          isAtRow.open()
          isCancelled.wait()
          try body(db)
        }
      }
    }
    _ = try await eventually { isAtRow.wait(seconds: 0) }
    task.cancel()
    isCancelled.open()
    #expect(await wasCancelled(task))
    try await isHealthy(database, count: 3)
    withExtendedLifetime(directory) {}
  }

  @Test func `leaves the connection usable if a statement has not ended`() async throws {
    try await cancelAtRow { try $0.run("INSERT INTO t VALUES (4)") }
  }

  /// SQLite compiles internal statements to create a table-valued function. If an interrupt ends one of these, SQLite
  /// returns `SQLITE_ERROR`. It compiles a query without spaces up to its semicolon before it checks for an interrupt.
  @Test(arguments: [
    "SELECT*FROM(pragma_foreign_key_list('t'));", "SELECT*FROM(json_each('[1]'));",
    "SELECT*FROM(pragma_table_list());",
  ]) func `is interrupted while a table-valued function is created`(sql: String) async throws {
    try await cancelAtRow { _ = try $0.prepare(SQL(unsafe: sql)) }
  }

  @Test func `ends immediately while another database holds the lock`() async throws {
    let (database, directory) = try `A database`.make(.file) { $0.busyTimeout = .seconds(3_600) }
    let other = try directory.connect()
    try other.execute("BEGIN IMMEDIATE")
    let isReady = Gate()
    let task = Task {
      try await database.writeWithoutTransaction { db in
        isReady.open()
        try db.run("INSERT INTO t VALUES (1)")
      }
    }
    _ = try await eventually { isReady.wait(seconds: 0) }
    try await Task.sleep(for: .milliseconds(30))
    let clock = ContinuousClock()
    let start = clock.now
    task.cancel()
    #expect(await wasCancelled(task))
    // Allows for a busy machine.
    #expect(clock.now - start < .seconds(600))
    try other.execute("ROLLBACK")
    try await isHealthy(database, count: 0)
  }

  @Test func `commits no change while the commit waits for a reader`() async throws {
    let directory = try TemporaryDirectory()
    let configure: (inout Configuration) -> Void = { configuration in
      configuration.journalMode = .delete
      configuration.busyTimeout = .seconds(60)
    }
    let database = try directory.open(configure)
    try await database.write { try $0.execute("CREATE TABLE t (a)") }
    // Without a write-ahead log, a reader prevents a commit from being written to the file.
    let reader = try directory.connect(configure)
    try reader.execute("BEGIN")
    #expect(try reader.count("t") == 0)
    let isDone = Gate()
    let task = Task {
      try await database.write { db in
        try db.run("INSERT INTO t VALUES (1)")
        isDone.open()
      }
    }
    _ = try await eventually { isDone.wait(seconds: 0) }
    try await Task.sleep(for: .milliseconds(10))
    task.cancel()
    #expect(await wasCancelled(task))
    try reader.execute("COMMIT")
    try await isHealthy(database, count: 0)
  }

  @Test(.timeLimit(.minutes(10)), arguments: Place.allCases)
  func `is atomic at any moment`(_ place: Place) async throws {
    let (database, directory) = try `A database`.make(place)
    let committed = Shared(0)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for index in 0..<400 {
        let task = Task {
          try await database.write { db in
            try db.run("INSERT INTO t VALUES (?)", index)
            try db.run("INSERT INTO t VALUES (?)", index)
          }
          committed.update { $0 += 1 }
        }
        group.addTask {
          try await Task.sleep(for: .microseconds(Int.random(in: 0...3_000)))
          task.cancel()
          do { try await task.value } catch is CancellationError {}
        }
      }
      try await group.waitForAll()
    }
    let odd = "SELECT count(*) FROM (SELECT a FROM t GROUP BY a HAVING count(*) <> 2)"
    #expect(try await database.read { try $0.value(Int.self, SQL(unsafe: odd)) } == 0)
    // A task can be cancelled after its commit, but a returned result exists.
    #expect(try await database.read { try $0.count("t") } ?? 0 >= 2 * committed.value)
    try await isHealthy(database, count: try await database.read { try $0.count("t") } ?? -1)
    withExtendedLifetime(directory) {}
  }
}
