import SQLiteCore
import Testing

@Suite struct `A read that follows a write` {
  typealias Place = `A database`.Place

  @Test(arguments: Place.allCases)
  func `sees exactly the state that the write committed`(_ place: Place) async throws {
    let (database, directory) = try `A database`.make(place)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<100 {
        group.addTask {
          let (written, read) = try await database.write { db in
            try db.run("INSERT INTO t VALUES (1)")
            return try db.count("t")
          } thenRead: { db, written in
            (written, try db.count("t"))
          }
          #expect(written == read)
        }
      }
      try await group.waitForAll()
    }
    #expect(try await database.read { try $0.count("t") } == 100)
    withExtendedLifetime(directory) {}
  }

  @Test func `does not occupy the writer`() async throws {
    let (database, directory) = try `A database`.make(.file)
    let (isReading, isWritten) = (Gate(), Gate())
    let task = Task {
      try await database.write { db in
        try db.run("INSERT INTO t VALUES (1)")
      } thenRead: { db, _ in
        isReading.open()
        isWritten.wait()
        return try db.count("t")
      }
    }
    _ = try await eventually { isReading.wait(seconds: 0) }
    try await database.write { try $0.run("INSERT INTO t VALUES (2)") }
    isWritten.open()
    #expect(try await task.value == 1)
    withExtendedLifetime(directory) {}
  }

  @Test(arguments: Place.allCases)
  func `does not run if the write failed`(_ place: Place) async throws {
    let (database, directory) = try `A database`.make(place)
    await #expect(throws: Failure()) {
      try await database.write { db in
        try db.run("INSERT INTO t VALUES (1)")
        throw Failure()
      } thenRead: { _, _ in
        Issue.record("it ran")
      }
    }
    #expect(try await database.read { try $0.count("t") } == 0)
    withExtendedLifetime(directory) {}
  }

  @Test(arguments: Place.allCases)
  func `that fails does not roll back the write, and releases the writer`(_ place: Place)
    async throws
  {
    let (database, directory) = try `A database`.make(place)
    await #expect(throws: Failure()) {
      try await database.write {
        try $0.run("INSERT INTO t VALUES (1)")
      } thenRead: { _, _ in
        throw Failure()
      }
    }
    let error = await #expect(throws: SQLiteError.self) {
      try await database.write {
        try $0.run("INSERT INTO t VALUES (1)")
      } thenRead: { db, _ in
        try db.run("DELETE FROM t")
      }
    }
    #expect(error?.code == .readOnly)
    try await database.write { try $0.run("INSERT INTO t VALUES (3)") }
    #expect(try await database.read { try $0.count("t") } == 3)
    withExtendedLifetime(directory) {}
  }

  @Test func `that can't begin releases the writer`() async throws {
    let directory = try TemporaryDirectory()
    let database = try directory.open { configuration in
      configuration.prepare = { if $0.configuration.isReadOnly { throw Failure() } }
    }
    await #expect(throws: Failure()) {
      try await database.write {
        try $0.execute("CREATE TABLE t (a)")
      } thenRead: { _, _ in
      }
    }
    try await database.write { try $0.run("INSERT INTO t VALUES (3)") }
  }

  @Test func `is cancelled while it waits for a reader, and releases the writer`() async throws {
    let (database, directory) = try `A database`.make(.file) { $0.maximumReaderCount = 1 }
    let (isBusy, mayGo) = (Gate(), Gate())
    let holder = Task {
      try await database.read { _ in
        isBusy.open()
        mayGo.wait()
      }
    }
    _ = try await eventually { isBusy.wait(seconds: 0) }
    let task = Task {
      try await database.write {
        try $0.run("INSERT INTO t VALUES (1)")
      } thenRead: { _, _ in
      }
    }
    #expect(try await eventually { database.statistics.readers.waiting == 1 })
    #expect(database.statistics.writer?.inUse == 1)
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    try await database.write { try $0.run("INSERT INTO t VALUES (2)") }
    mayGo.open()
    try await holder.value
    #expect(try await database.read { try $0.count("t") } == 2)
    withExtendedLifetime(directory) {}
  }

  @Test func `requires a writable database`() async throws {
    let directory = try TemporaryDirectory()
    try directory.connect().execute("CREATE TABLE t (a)")
    let database = try directory.open { $0.isReadOnly = true }
    let error = await #expect(throws: SQLiteError.self) {
      try await database.write { _ in
      } thenRead: { _, _ in
      }
    }
    #expect(error?.code == .readOnly)
  }
}
