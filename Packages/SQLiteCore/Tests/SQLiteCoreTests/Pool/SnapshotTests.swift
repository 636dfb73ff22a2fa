import SQLiteCore
import Testing

@Suite struct `A snapshot` {
  private func make(_ count: Int = 1) async throws -> (Database, TemporaryDirectory) {
    let (database, directory) = try `A database`.make(.file) { $0.maximumReaderCount = count }
    try await database.write { try $0.run("INSERT INTO t VALUES (1)") }
    return (database, directory)
  }

  @Test func `shows several reads one consistent state during writes`() async throws {
    let (database, directory) = try await make()
    let snapshot = try await database.snapshot()
    for _ in 0..<3 {
      try await database.write { try $0.run("INSERT INTO t VALUES (2)") }
      #expect(try await snapshot.read { try $0.count("t") } == 1)
      try blocking {
        let count = try snapshot.read { try $0.count("t") }
        #expect(count == 1)
      }
    }
    #expect(try await database.read { try $0.count("t") } == 4)
    #expect(try await database.snapshot().read { try $0.count("t") } == 4)
    snapshot.close()
    withExtendedLifetime(directory) {}
  }

  @Test func `serves many tasks, one after another`() async throws {
    let (database, directory) = try await make()
    let snapshot = try await database.snapshot()
    let counts = try await withThrowingTaskGroup(of: Int?.self) { group in
      for _ in 0..<200 { group.addTask { try await snapshot.read { try $0.count("t") } } }
      return try await group.reduce(into: Set<Int?>()) { $0.insert($1) }
    }
    #expect(counts == [1])
    withExtendedLifetime(directory) {}
  }

  @Test func `refuses writes and statements that would end its transaction`() async throws {
    let (database, directory) = try await make()
    let snapshot = try await database.snapshot()
    for (sql, code) in [
      ("INSERT INTO t VALUES (2)", SQLiteError.Code.readOnly), ("COMMIT", .transactionEnded),
    ] {
      let error = await #expect(throws: SQLiteError.self) {
        try await snapshot.read { try $0.execute(SQL(unsafe: sql)) }
      }
      #expect(error?.code == code)
    }
    #expect(try await snapshot.read { try $0.count("t") } == 1)
    withExtendedLifetime(directory) {}
  }

  @Test func `releases its connection when it is closed or released`() async throws {
    let (database, directory) = try await make()
    let snapshot = try await database.snapshot()
    #expect(database.statistics.retainedReaders.inUse == 1)
    snapshot.close()
    snapshot.close()
    #expect(database.statistics.retainedReaders == .init(inUse: 0, idle: 1, waiting: 0))
    let error = await #expect(throws: SQLiteError.self) { try await snapshot.read { _ in } }
    #expect(error?.code == .closed)
    blocking {
      let error = #expect(throws: SQLiteError.self) { try snapshot.read { _ in } }
      #expect(error?.code == .closed)
    }
    for _ in 0..<5 { _ = try await database.snapshot().read { try $0.count("t") } }
    #expect(try await eventually { database.statistics.retainedReaders.inUse == 0 })
    withExtendedLifetime(directory) {}
  }

  @Test func `that is closed during a read completes it, and fails waiting reads`() async throws {
    let (database, directory) = try await make()
    let snapshot = try await database.snapshot()
    let (isBusy, mayGo) = (Gate(), Gate())
    let running = Task {
      try await snapshot.read { db in
        isBusy.open()
        mayGo.wait()
        return try db.count("t")
      }
    }
    _ = try await eventually { isBusy.wait(seconds: 0) }
    let waiting = Task { try await snapshot.read { _ in } }
    try await Task.sleep(for: .milliseconds(5))
    snapshot.close()
    let error = await #expect(throws: SQLiteError.self) { try await waiting.value }
    #expect(error?.code == .closed)
    mayGo.open()
    #expect(try await running.value == 1)
    #expect(try await eventually { database.statistics.retainedReaders.inUse == 0 })
    withExtendedLifetime(directory) {}
  }

  @Test func `remains usable after a cancelled read`() async throws {
    let (database, directory) = try await make()
    let snapshot = try await database.snapshot()
    let isRunning = Gate()
    let task = Task {
      try await snapshot.read { db in
        isRunning.open()
        try db.run(SQL(unsafe: endlessQuery))
      }
    }
    _ = try await eventually { isRunning.wait(seconds: 0) }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    try await database.write { try $0.run("INSERT INTO t VALUES (2)") }
    #expect(try await snapshot.read { try $0.count("t") } == 1)
    withExtendedLifetime(directory) {}
  }

  @Test(arguments: `A database`.Place.allCases)
  func `for a closure is closed at its end`(_ place: `A database`.Place) async throws {
    let (database, directory) = try `A database`.make(place)
    let counts = try await database.withSnapshot { snapshot in
      let before = try await snapshot.read { try $0.count("t") }
      if place == .file {
        try await database.write { try $0.run("INSERT INTO t VALUES (1)") }
      } else {
        let error = await #expect(throws: SQLiteError.self) {
          try await database.write { try $0.run("INSERT INTO t VALUES (1)") }
        }
        #expect(error?.code == .nestedAccess)
      }
      return [before, try await snapshot.read { try $0.count("t") }]
    }
    #expect(counts == [0, 0])
    await #expect(throws: Failure()) { try await database.withSnapshot { _ in throw Failure() } }
    #expect(database.statistics.retainedReaders.inUse == 0)
    try await database.write { try $0.run("INSERT INTO t VALUES (1)") }
    withExtendedLifetime(directory) {}
  }

  @Test func `of an in-memory database is refused with an error`() async throws {
    let database = try Database.inMemory()
    for isShared in [true, false] {
      let error = await #expect(throws: SQLiteError.self) {
        if isShared {
          _ = try await database.sharedSnapshot()
        } else {
          _ = try await database.snapshot()
        }
      }
      #expect(error?.code == .unsupported)
    }
  }

  /// Runs with a SQLite that supports snapshots and with one that does not.
  @Test func `for concurrent reads is supported or a typed error`() async throws {
    let (database, directory) = try await make(4)
    let snapshot: Database.SharedSnapshot
    do {
      snapshot = try await database.sharedSnapshot()
    } catch let error as SQLiteError {
      #expect(error.code == .unsupported)
      #expect(error.message.contains("SQLITE_ENABLE_SNAPSHOT"))
      #expect(database.statistics.retainedReaders.inUse == 0)
      return
    }
    try await database.write { try $0.run("INSERT INTO t VALUES (2)") }
    let inside = Shared(0)
    let isFull = Gate()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<4 {
        group.addTask {
          let count = try await snapshot.read { db in
            if inside.update({ count in
              count += 1
              return count == 4
            }) {
              isFull.open()
            }
            #expect(isFull.wait())
            return try db.count("t")
          }
          #expect(count == 1)
        }
      }
      try await group.waitForAll()
    }
    #expect(try await database.read { try $0.count("t") } == 2)
    withExtendedLifetime(directory) {}
  }
}
