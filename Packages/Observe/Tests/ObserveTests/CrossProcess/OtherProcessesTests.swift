import Foundation
import SQLiteCore
import Testing

@testable import Observe

@Suite(.timeLimit(.minutes(10))) struct `Other processes` {
  private let schema = "CREATE TABLE player (name TEXT, score INTEGER); CREATE TABLE team (id)"
  private let names: @Sendable (Connection) throws -> [String] = {
    try $0.values(String.self, "SELECT name FROM player ORDER BY name")
  }

  @Test(
    arguments: [DatabaseObservation.CrossProcess.watched, .exchanged],
    ["silent", "watched", "exchanged"])
  func `are detected when they commit`(_ manner: DatabaseObservation.CrossProcess, _ theirs: String)
    async throws
  {
    try await withFile(schema) { path in
      let database = try Database(path: path)
      try await database.startObserving(manner)
      let child = try await ChildProcess(path, theirs)
      var values = database.observe(names).removeDuplicates().makeAsyncIterator()
      #expect(try await values.next() == [])
      try await child.run("INSERT INTO player VALUES ('Ada', 1)")
      #expect(try await values.next() == ["Ada"])
      try await database.run("INSERT INTO player VALUES ('Bea', 2)")
      #expect(try await values.next() == ["Ada", "Bea"])
      try await child.run("INSERT INTO player VALUES ('Cleo', 3)")
      #expect(try await values.next() == ["Ada", "Bea", "Cleo"])
    }
  }

  @Test func `that exchange their changes report tables and columns`() async throws {
    try await withFile(schema) { path in
      let database = try Database(path: path)
      try await database.startObserving(.exchanged)
      let child = try await ChildProcess(path, "exchanged")
      try await child.run("INSERT INTO player VALUES ('Ada', 1)")
      await database.checkForExternalChanges()
      var changes = database.changes().makeAsyncIterator()
      try await child.run("UPDATE player SET score = 2")
      try await child.run("INSERT INTO team VALUES (1)")
      #expect(try await changes.next()?.description == "player: updated rows (score)")
      #expect(try await changes.next()?.description == "team: inserted rows")
    }
  }

  @Test func `that publish nothing may have changed anything`() async throws {
    try await withFile(schema) { path in
      let database = try Database(path: path)
      try await database.startObserving(.exchanged)
      let child = try await ChildProcess(path, "silent")
      var changes = database.changes().makeAsyncIterator()
      try await child.run("UPDATE player SET score = 2; INSERT INTO team VALUES (1)")
      #expect(try await changes.next()?.isUnbounded == true)
    }
  }

  @Test func `are distinguished from this process`() async throws {
    try await withFile(schema) { path in
      let database = try Database(path: path)
      try await database.startObserving(.watched)
      var changes = database.changes().makeAsyncIterator()
      for number in 1...20 {
        try await database.run("INSERT INTO team VALUES (\(number))")
        await database.checkForExternalChanges()
        #expect(try await changes.next()?.description == "team: inserted 1 row (id: \(number))")
      }
      try await database.run("PRAGMA wal_checkpoint(TRUNCATE)")
      await database.checkForExternalChanges()
      try await database.run("INSERT INTO player VALUES ('Ada', 1)")
      #expect(try await changes.next()?.tables.keys.map(\.name) == ["player"])
    }
  }

  @Test func `can write concurrently with this process`() async throws {
    try await withFile(schema) { path in
      let database = try Database(path: path)
      try await database.startObserving(.exchanged)
      let child = try await ChildProcess(path, "exchanged")
      let fetches = Counter()
      let collected = Collector<Int>()
      let observation = database.observe { connection in
        fetches.add()
        return try #require(try connection.value(Int.self, "SELECT count(*) FROM player"))
      }
      let task = Task { for try await value in observation { collected.add(value) } }
      async let theirs: Void = {
        for number in 0..<50 {
          try await child.run("INSERT INTO player VALUES ('theirs', \(number))")
          try await child.run("INSERT INTO team VALUES (\(number))")
        }
      }()
      for number in 0..<50 {
        try await database.run("INSERT INTO player VALUES ('ours', \(number))")
      }
      try await theirs
      await collected.wait { $0 == 100 }
      #expect(collected.all == collected.all.sorted())
      task.cancel()
      _ = await task.result
    }
  }

  @Test func `that are killed hide no commit`() async throws {
    try await withFile(schema) { path in
      let database = try Database(path: path)
      try await database.startObserving(.exchanged)
      var values = database.observe(names).removeDuplicates().makeAsyncIterator()
      #expect(try await values.next() == [])
      for name in ["Ada", "Bea", "Cleo"] {
        let child = try await ChildProcess(path, "exchanged")
        try await child.run("INSERT INTO player VALUES ('\(name)', 1)")
        child.kill()
        #expect(try await values.next()?.last == name)
      }
    }
  }

  @Test func `that wait for the disk during a commit are detected`() async throws {
    try await withFile(schema) { path in
      let database = try Database(path: path)
      try await database.startObserving(.watched)
      let child = try await ChildProcess(path, "silent")
      try await child.run("PRAGMA synchronous = FULL")
      var values = database.observe(names).removeDuplicates().makeAsyncIterator()
      #expect(try await values.next() == [])
      for count in 1...10 {
        try await child.run("INSERT INTO player VALUES ('Ada', \(count))")
        #expect(try await values.next()?.count == count)
      }
    }
  }

  @Test func `are detected like a connection without a database`() async throws {
    try await withFile(schema) { path in
      let database = try Database(path: path)
      try await database.startObserving(.watched)
      var values = database.observe(names).makeAsyncIterator()
      #expect(try await values.next() == [])
      try Connection(path: path).execute("INSERT INTO player VALUES ('Ada', 1)")
      #expect(try await values.next() == ["Ada"])
    }
  }

  @Test func `are detected without a write-ahead log`() async throws {
    try await withFile(schema) { path in
      try Connection(path: path).execute("PRAGMA journal_mode = DELETE")
      var configuration = Configuration()
      configuration.journalMode = .delete
      let database = try Database(path: path, configuration: configuration)
      try await database.startObserving(.watched)
      var values = database.observe(names).makeAsyncIterator()
      #expect(try await values.next() == [])
      try Connection(path: path, configuration: configuration)
        .execute("INSERT INTO player VALUES ('Ada', 1)")
      #expect(try await values.next() == ["Ada"])
      #expect(!FileManager.default.fileExists(atPath: path + "-shm"))
    }
  }

  @Test func `notify earlier observers once they are watched`() async throws {
    try await withFile(schema) { path in
      let database = try Database(path: path)
      var values = database.observe(names).makeAsyncIterator()
      #expect(try await values.next() == [])
      try Connection(path: path).execute("INSERT INTO player VALUES ('Ada', 1)")
      try await database.startObserving(.watched)
      #expect(try await values.next() == ["Ada"])
    }
  }

  @Test func `leave no file unless requested`() async throws {
    try await withFile(schema) { path in
      let database = try Database(path: path)
      try await database.startObserving(.watched)
      try await database.run("INSERT INTO team VALUES (1)")
      #expect(!FileManager.default.fileExists(atPath: path + "-changes"))
      try await database.startObserving(.exchanged)
      #expect(FileManager.default.fileExists(atPath: path + "-changes"))
    }
  }

  @Test func `that can't be watched are an error, and change nothing`() async throws {
    try await withFile(schema) { path in
      let database = try Database(path: path)
      try FileManager.default.createDirectory(
        atPath: path + "-changes", withIntermediateDirectories: false)
      let error = await #expect(throws: SQLiteError.self) {
        try await database.startObserving(.exchanged)
      }
      #expect(error?.code == .cannotOpen)
      try await database.startObserving(.watched)
    }
  }

  @Test func `have no effect on an in-memory database`() async throws {
    let database = try Database.inMemory()
    try await database.startObserving(.exchanged)
    await database.checkForExternalChanges()
  }
}
