import SQLiteCore
import Testing

@Suite struct `Database maintenance` {
  @Test func `interrupts running statements, but not later ones`() async throws {
    let (database, directory) = try `A database`.make(.file) { $0.maximumReaderCount = 2 }
    let started = Shared(0)
    let tasks = (0..<3).map { index in
      Task {
        let body: @Sendable (Connection) throws -> Void = { db in
          started.update { $0 += 1 }
          try db.run(SQL(unsafe: endlessQuery))
        }
        if index == 0 {
          try await database.write { try body($0) }
        } else {
          try await database.read { try body($0) }
        }
      }
    }
    _ = try await eventually { started.value == 3 }
    let isOver = Shared(false)
    let interrupting = Task {
      // A statement that is about to begin is not interrupted: the next call interrupts it.
      while !isOver.value {
        database.interrupt()
        try await Task.sleep(for: .milliseconds(1))
      }
    }
    for task in tasks {
      let error = await #expect(throws: SQLiteError.self) { try await task.value }
      #expect(error?.code == .interrupt)
    }
    isOver.update { $0 = true }
    try await interrupting.value
    try await database.write { try $0.run("INSERT INTO t VALUES (1)") }
    #expect(try await database.read { try $0.count("t") } == 1)
    database.close()
    database.interrupt()
    withExtendedLifetime(directory) {}
  }

  @Test(arguments: `A database`.Place.allCases)
  func `suspends running and new statements, and acquires no lock until it is resumed`(
    _ place: `A database`.Place
  ) async throws {
    let (database, directory) = try `A database`.make(place)
    let isRunning = Gate()
    let writing = Task {
      try await database.write { db in
        try db.run("INSERT INTO t VALUES (1)")
        isRunning.open()
        try db.run(SQL(unsafe: endlessQuery))
      }
    }
    _ = try await eventually { isRunning.wait(seconds: 0) }
    database.suspend()
    database.suspend()
    #expect(database.isSuspended)
    let stopped = await #expect(throws: SQLiteError.self) { try await writing.value }
    #expect(stopped?.code == .interrupt)
    if place == .file {
      let other = try directory.connect { $0.busyPolicy = .failImmediately }
      try other.execute("BEGIN EXCLUSIVE; ROLLBACK")
    }
    // The second read needs a connection that is not open yet.
    for attempt in [
      { _ = try await database.read { try $0.count("t") } },
      { _ = try await database.snapshot().read { try $0.count("t") } },
      { _ = try await database.write { try $0.run("INSERT INTO t VALUES (2)") } },
    ] as [() async throws -> Void] {
      let refused = await #expect(throws: SQLiteError.self) { try await attempt() }
      #expect(refused?.code == .suspended || refused?.code == .unsupported)
    }
    blocking {
      let refused = #expect(throws: SQLiteError.self) { try database.read { try $0.count("t") } }
      #expect(refused?.code == .suspended)
    }
    database.resume()
    #expect(!database.isSuspended)
    try await database.write { try $0.run("INSERT INTO t VALUES (3)") }
    #expect(try await database.read { try $0.values(Int.self, "SELECT a FROM t") } == [3])
    withExtendedLifetime(directory) {}
  }

  @Test func `closes the idle readers and reopens them`() async throws {
    let (database, directory) = try `A database`.make(.file)
    _ = try await database.read { try $0.count("t") }
    try await database.snapshot().close()
    #expect(database.statistics.readers.idle == 1)
    #expect(database.statistics.retainedReaders.idle == 1)
    database.releaseMemory()
    #expect(database.statistics.readers == .init(inUse: 0, idle: 0, waiting: 0))
    #expect(database.statistics.retainedReaders == .init(inUse: 0, idle: 0, waiting: 0))
    #expect(database.statistics.writer == .init(inUse: 0, idle: 1, waiting: 0))
    #expect(try await database.read { try $0.count("t") } == 0)
    withExtendedLifetime(directory) {}
  }

  @Test func `keeps the content of an in-memory database`() async throws {
    let (database, directory) = try `A database`.make(.memory)
    database.releaseMemory()
    #expect(try await database.read { try $0.count("t") } == 0)
    withExtendedLifetime(directory) {}
  }

  @Test func `counts connections in use and waiting accesses`() async throws {
    let (database, directory) = try `A database`.make(.file)
    let (isBusy, mayGo) = (Gate(), Gate())
    let holder = Task {
      try await database.write { _ in
        isBusy.open()
        mayGo.wait()
      }
    }
    _ = try await eventually { isBusy.wait(seconds: 0) }
    let waiting = (0..<3).map { _ in Task { try await database.write { _ in } } }
    #expect(try await eventually { database.statistics.writer?.waiting == 3 })
    #expect(database.statistics.writer == .init(inUse: 1, idle: 0, waiting: 3))
    mayGo.open()
    try await holder.value
    for task in waiting { try await task.value }
    withExtendedLifetime(directory) {}
  }
}
