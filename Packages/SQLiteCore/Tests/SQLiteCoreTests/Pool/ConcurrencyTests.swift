import SQLiteCore
import Testing

@Suite struct `Concurrent accesses` {
  @Test(.timeLimit(.minutes(10))) func `wait by the thousand with few threads`() async throws {
    let (database, directory) = try `A database`.make(.file) { $0.maximumReaderCount = 4 }
    let most = Shared(0)
    let before = threadCount() ?? 0
    try await withThrowingTaskGroup(of: Void.self) { group in
      for index in 0..<3_000 {
        group.addTask {
          if index % 3 == 0 {
            try await database.write { try $0.run("INSERT INTO t VALUES (?)", index) }
          } else {
            _ = try await database.read { try $0.count("t") }
          }
          // The check takes longer than an access.
          guard index % 50 == 0 else { return }
          let threads = threadCount() ?? 0
          most.update { $0 = max($0, threads) }
        }
      }
      try await group.waitForAll()
    }
    #expect(try await database.read { try $0.count("t") } == 1_000)
    // Other suites run at the same time with hundreds of threads.
    #expect(most.value - before < 1_000)
    withExtendedLifetime(directory) {}
  }

  @Test(.timeLimit(.minutes(10)))
  func `wait for the writer by the ten thousand, and are served or cancelled`() async throws {
    let (database, directory) = try `A database`.make(.file)
    let (isBusy, mayGo) = (Gate(), Gate())
    let holder = Task {
      try await database.write { _ in
        isBusy.open()
        mayGo.wait()
      }
    }
    _ = try await eventually { isBusy.wait(seconds: 0) }
    let before = threadCount() ?? 0
    let ran = Shared(0)
    let tasks = (0..<10_000).map { _ in
      Task { try await database.writeWithoutTransaction { _ in ran.update { $0 += 1 } } }
    }
    #expect(try await eventually { database.statistics.writer?.waiting == 10_000 })
    // See above.
    #expect((threadCount() ?? 0) - before < 1_000)
    for task in tasks.prefix(5_000) { task.cancel() }
    #expect(try await eventually { database.statistics.writer?.waiting == 5_000 })
    mayGo.open()
    try await holder.value
    var cancelled = 0
    for task in tasks {
      do { try await task.value } catch is CancellationError { cancelled += 1 }
    }
    #expect(cancelled == 5_000)
    #expect(ran.value == 5_000)
    withExtendedLifetime(directory) {}
  }

  @Test(arguments: `A database`.Place.allCases)
  func `are served in their order of arrival`(_ place: `A database`.Place) async throws {
    let (database, directory) = try `A database`.make(place)
    let (isBusy, mayGo) = (Gate(), Gate())
    let first = Task {
      try await database.write { _ in
        isBusy.open()
        mayGo.wait()
      }
    }
    _ = try await eventually { isBusy.wait(seconds: 0) }
    let served = Shared<[Int]>([])
    let entered = Shared(0)
    var tasks: [Task<Void, any Error>] = []
    for index in 0..<50 {
      tasks.append(
        Task {
          entered.update { $0 += 1 }
          try await database.write { _ in served.update { $0.append(index) } }
        })
      _ = try await eventually { entered.value == index + 1 }
      try await Task.sleep(for: .milliseconds(2))
    }
    mayGo.open()
    for task in tasks { try await task.value }
    try await first.value
    #expect(served.value == Array(0..<50))
    withExtendedLifetime(directory) {}
  }

  @Test func `lose no write, from threads and tasks`() async throws {
    let (database, directory) = try `A database`.make(.file)
    async let threads: Void = onThreads(4) { _ in
      for _ in 0..<50 { _ = try? database.write { try $0.run("INSERT INTO t VALUES (1)") } }
    }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<4 {
        group.addTask {
          for _ in 0..<50 { try await database.write { try $0.run("INSERT INTO t VALUES (1)") } }
        }
      }
      try await group.waitForAll()
    }
    await threads
    #expect(try await database.read { try $0.count("t") } == 400)
    withExtendedLifetime(directory) {}
  }

  @Test func `write one file through several databases`() async throws {
    let directory = try TemporaryDirectory()
    let failures = Shared<[String]>([])
    await onThreads(6) { index in
      do {
        let database = try directory.open()
        try database.write { try $0.execute("CREATE TABLE IF NOT EXISTS t (a)") }
        for _ in 0..<20 { try database.write { try $0.run("INSERT INTO t VALUES (?)", index) } }
        _ = try database.read { try $0.count("t") }
      } catch {
        failures.update { $0.append("\(error)") }
      }
    }
    #expect(failures.value == [])
    #expect(try directory.connect().count("t") == 120)
  }

  @Test func `open a file that does not exist yet at the same time`() async throws {
    for _ in 0..<10 {
      let directory = try TemporaryDirectory()
      let failures = Shared<[String]>([])
      await onThreads(8) { _ in
        do { _ = try directory.open() } catch { failures.update { $0.append("\(error)") } }
      }
      #expect(failures.value == [])
    }
  }

  @Test func `wait for another database's lock for a limited time`() async throws {
    let directory = try TemporaryDirectory()
    let a = try directory.open()
    let b = try directory.open { $0.busyTimeout = .milliseconds(50) }
    try await a.write { try $0.execute("CREATE TABLE t (a)") }
    let (isBusy, mayGo) = (Gate(), Gate())
    let holder = Task {
      try await a.write { _ in
        isBusy.open()
        mayGo.wait()
      }
    }
    _ = try await eventually { isBusy.wait(seconds: 0) }
    let clock = ContinuousClock()
    let start = clock.now
    let error = await #expect(throws: SQLiteError.self) {
      try await b.write { try $0.run("INSERT INTO t VALUES (1)") }
    }
    #expect(error?.code == .busy)
    #expect(clock.now - start >= .milliseconds(40))
    mayGo.open()
    try await holder.value
    try await b.write { try $0.run("INSERT INTO t VALUES (1)") }
    #expect(try await a.read { try $0.count("t") } == 1)
  }
}
