import SQLiteCore
import Testing

@Suite struct `Streaming rows` {
  typealias Place = `A database`.Place

  private struct Number: RowDecodable, Hashable, Sendable {
    var value: Int

    init(row: borrowing Row) throws(SQLiteError) { value = try row.read(Int.self, at: 0) }
  }

  private static func counting(to end: Int) -> String {
    "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(end)) SELECT i FROM n"
  }

  /// Waits until no connection is held.
  private func isReleased(_ database: Database) async throws -> Bool {
    try await eventually { database.statistics.retainedReaders.inUse == 0 }
  }

  @Test(arguments: Place.allCases, [1, 7, 128])
  func `returns every row once, in order, with any batch size`(_ place: Place, _ size: Int)
    async throws
  {
    let (database, directory) = try `A database`.make(place)
    var found: [Int] = []
    let rows = database.rows(
      of: Number.self, batchSize: size, SQL(unsafe: Self.counting(to: 300) + " WHERE i > ?"), 10)
    for try await row in rows { found.append(row.value) }
    #expect(found == Array(11...300))
    #expect(database.statistics.retainedReaders.inUse == 0)
    // Each iteration runs the query again.
    var again = 0
    for try await _ in rows { again += 1 }
    #expect(again == 290)
    withExtendedLifetime(directory) {}
  }

  @Test(arguments: Place.allCases) func `takes interpolated queries`(_ place: Place) async throws {
    let (database, directory) = try `A database`.make(place)
    try await database.write { try $0.execute("INSERT INTO t VALUES (1), (2), (3)") }
    let (least, others) = (2, [3, 4])
    var found: [Int] = []
    for try await row in database.rows(
      of: Number.self, "SELECT a FROM t WHERE a = \(least) OR a IN \(others) ORDER BY a")
    {
      found.append(row.value)
    }
    #expect(found == [2, 3])
    let error = await #expect(throws: SQLiteError.self) {
      for try await _ in database.rows(of: Number.self, "SELECT '\(least)'") {}
    }
    #expect(error?.code == .misplacedInterpolation)
    #expect(try await isReleased(database))
    withExtendedLifetime(directory) {}
  }

  @Test func `of no rows ends immediately, and stays at its end`() async throws {
    let (database, directory) = try `A database`.make(.file)
    var iterator = database.rows(of: Number.self, "SELECT a FROM t").makeAsyncIterator()
    #expect(try await iterator.next() == nil)
    #expect(try await iterator.next() == nil)
    #expect(database.statistics.retainedReaders.inUse == 0)
    withExtendedLifetime(directory) {}
  }

  @Test(arguments: Place.allCases)
  func `reads only consumed batches, and releases its connection at a break`(_ place: Place)
    async throws
  {
    let (database, directory) = try `A database`.make(place) { $0.maximumReaderCount = 1 }
    let decoded = Shared(0)
    let rows = database.rows(batchSize: 16, SQL(unsafe: Self.counting(to: 1_000_000))) { row in
      decoded.update { $0 += 1 }
      return try row.read(Int.self, at: 0)
    }
    var found: [Int] = []
    for try await row in rows {
      found.append(row)
      if found.count == 10 { break }
    }
    #expect(found == Array(1...10))
    #expect(decoded.value == 16)
    #expect(try await isReleased(database))
    #expect(try await database.read { try $0.count("t") } == 0)
    var second = database.rows(of: Number.self, SQL(unsafe: Self.counting(to: 2)))
      .makeAsyncIterator()
    #expect(try await second.next()?.value == 1)
    withExtendedLifetime(directory) {}
  }

  @Test func `sees one consistent state during other accesses`() async throws {
    let (database, directory) = try `A database`.make(.file) { $0.maximumReaderCount = 1 }
    try await database.write { db in
      for index in 0..<20 { try db.run("INSERT INTO t VALUES (?)", index) }
    }
    var found: [Int] = []
    for try await row in database.rows(of: Number.self, batchSize: 2, "SELECT a FROM t") {
      found.append(row.value)
      try await database.write { try $0.run("INSERT INTO t VALUES (99)") }
      _ = try await database.read { try $0.count("t") }
    }
    #expect(found == Array(0..<20))
    #expect(try await database.read { try $0.count("t") } == 40)
    withExtendedLifetime(directory) {}
  }

  @Test func `inside another one of the same task does not wait`() async throws {
    let (database, directory) = try `A database`.make(.file) { $0.maximumReaderCount = 1 }
    var pairs = 0
    for try await _ in database.rows(of: Number.self, SQL(unsafe: Self.counting(to: 3))) {
      for try await _ in database.rows(of: Number.self, SQL(unsafe: Self.counting(to: 3))) {
        for try await _ in database.rows(of: Number.self, SQL(unsafe: Self.counting(to: 3))) {
          pairs += 1
        }
      }
    }
    #expect(pairs == 27)
    #expect(database.statistics.retainedReaders == .init(inUse: 0, idle: 1, waiting: 0))
    withExtendedLifetime(directory) {}
  }

  @Test func `of an in-memory database refuses other accesses of its task`() async throws {
    let (database, directory) = try `A database`.make(.memory)
    let other = Shared(false)
    var task: Task<Void, any Error>?
    var codes: [SQLiteError.Code?] = []
    for try await row in database.rows(
      of: Number.self, batchSize: 1, SQL(unsafe: Self.counting(to: 3)))
    {
      if row.value == 1 {
        task = Task {
          try await database.write { try $0.run("INSERT INTO t VALUES (1)") }
          other.update { $0 = true }
        }
      }
      let error = await #expect(throws: SQLiteError.self) {
        try await database.write { try $0.run("INSERT INTO t VALUES (1)") }
      }
      codes.append(error?.code)
      blocking {
        let error = #expect(throws: SQLiteError.self) { try database.read { try $0.count("t") } }
        codes.append(error?.code)
      }
    }
    #expect(codes == Array(repeating: .nestedAccess, count: 6))
    try await task?.value
    #expect(other.value)
    #expect(try await database.read { try $0.count("t") } == 1)
    withExtendedLifetime(directory) {}
  }

  @Test func `returns the rows before a failure`() async throws {
    let (database, directory) = try `A database`.make(.file)
    try await database.write { try $0.execute("INSERT INTO t VALUES (1), (2), ('three'), (4)") }
    var iterator = database.rows(of: Number.self, "SELECT a FROM t").makeAsyncIterator()
    #expect(try await iterator.next()?.value == 1)
    #expect(try await iterator.next()?.value == 2)
    do {
      _ = try await iterator.next()
      Issue.record("nothing was thrown")
    } catch {
      #expect((error as? SQLiteError)?.code == .columnTypeMismatch)
    }
    #expect(database.statistics.retainedReaders.inUse == 0)
    #expect(try await iterator.next() == nil)
    withExtendedLifetime(directory) {}
  }

  @Test(arguments: ["SELECT nothing FROM t", "INSERT INTO t VALUES (1) RETURNING a"])
  func `fails if its query fails`(_ sql: String) async throws {
    let (database, directory) = try `A database`.make(.file)
    await #expect(throws: SQLiteError.self) {
      for try await _ in database.rows(of: Number.self, SQL(unsafe: sql)) {}
    }
    #expect(database.statistics.retainedReaders.inUse == 0)
    withExtendedLifetime(directory) {}
  }

  @Test(arguments: Place.allCases)
  func `ends when its task is cancelled, in a query and between rows`(_ place: Place) async throws {
    let (database, directory) = try `A database`.make(place)
    let endless = "SELECT 1 UNION ALL SELECT * FROM (\(endlessQuery))"
    for isInQuery in [true, false] {
      let (isRunning, mayGo) = (Gate(), Gate())
      let task = Task {
        let rows = database.rows(
          batchSize: 1, SQL(unsafe: isInQuery ? endless : Self.counting(to: 9))
        ) {
          try $0.read(Int.self, at: 0)
        }
        for try await _ in rows {
          isRunning.open()
          // Must not block a thread, because the other tasks need one.
          while !isInQuery, !mayGo.wait(seconds: 0) { await Task.yield() }
        }
      }
      _ = try await eventually { isRunning.wait(seconds: 0) }
      if isInQuery { try await Task.sleep(for: .milliseconds(5)) }
      task.cancel()
      mayGo.open()
      await #expect(throws: CancellationError.self) { try await task.value }
      #expect(try await isReleased(database))
    }
    #expect(try await database.read { try $0.count("t") } == 0)
    withExtendedLifetime(directory) {}
  }

  @Test func `releases the connection if its iterator is released early`() async throws {
    let (database, directory) = try `A database`.make(.file) { $0.maximumReaderCount = 1 }
    for _ in 0..<20 {
      var iterator = database.rows(of: Number.self, SQL(unsafe: Self.counting(to: 500)))
        .makeAsyncIterator()
      #expect(try await iterator.next()?.value == 1)
    }
    #expect(try await isReleased(database))
    #expect(database.statistics.retainedReaders.idle == 1)
    withExtendedLifetime(directory) {}
  }

  @Test func `of a closed database is an error`() async throws {
    let (database, directory) = try `A database`.make(.file)
    var running = database.rows(of: Number.self, batchSize: 1, SQL(unsafe: Self.counting(to: 3)))
      .makeAsyncIterator()
    #expect(try await running.next()?.value == 1)
    database.close()
    #expect(try await running.next()?.value == 2)
    let error = await #expect(throws: SQLiteError.self) {
      for try await _ in database.rows(of: Number.self, SQL(unsafe: Self.counting(to: 3))) {}
    }
    #expect(error?.code == .closed)
    withExtendedLifetime(directory) {}
  }
}
