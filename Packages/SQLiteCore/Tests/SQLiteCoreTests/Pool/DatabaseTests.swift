import SQLiteCore
import Testing

@Suite struct `A database` {
  enum Place: CaseIterable, Sendable { case file, memory }

  /// A database with one table, and its directory.
  static func make(
    _ place: Place, _ configure: (inout Configuration) -> Void = { _ in }
  ) throws -> (Database, TemporaryDirectory) {
    let directory = try TemporaryDirectory()
    var configuration = Configuration()
    configure(&configuration)
    let database =
      switch place {
      case .file: try directory.open(configuration)
      case .memory: try Database.inMemory(configuration)
      }
    try create(in: database)
    return (database, directory)
  }

  private static func create(in database: Database) throws {
    try database.write { try $0.execute("CREATE TABLE t (a)") }
  }

  @Test(arguments: Place.allCases)
  func `keeps written values, synchronously and asynchronously`(_ place: Place) async throws {
    let (database, directory) = try Self.make(place)
    let changes = try await database.write { try $0.run("INSERT INTO t VALUES (1)") }
    #expect(changes.count == 1)
    try blocking {
      try database.write { try $0.run("INSERT INTO t VALUES (2)") }
      #expect(try database.read { try $0.values(Int.self, "SELECT a FROM t") } == [1, 2])
    }
    #expect(try await database.read { try $0.values(Int.self, "SELECT a FROM t") } == [1, 2])
    #expect((database.path == nil) == (place == .memory))
    withExtendedLifetime(directory) {}
  }

  @Test(arguments: [
    Database.Location.memory, .temporary, .sharedMemory(named: "holt-database-test"),
  ])
  func `without a file has one connection`(_ location: Database.Location) async throws {
    let database = try Database(location)
    #expect(database.path == nil)
    try await database.write { try $0.execute("CREATE TABLE t (a); INSERT INTO t VALUES (1)") }
    #expect(try await database.read { try $0.count("t") } == 1)
    #expect(database.statistics.readers == .init(inUse: 0, idle: 1, waiting: 0))
    if case .sharedMemory = location {
      #expect(try Connection(location).count("t") == 1)
    }
  }

  @Test(arguments: [
    (Database.URIParameters(), 2), (Database.URIParameters(cache: .private, isPowersafe: true), 2),
    (Database.URIParameters(disablesLocking: true), 1), (Database.URIParameters(cache: .shared), 1),
  ])
  func `may be at a URI, with as many connections as it allows`(
    _ parameters: Database.URIParameters, _ count: Int
  ) async throws {
    let directory = try TemporaryDirectory()
    var configuration = Configuration()
    if parameters.disablesLocking { configuration.journalMode = .delete }
    let database = try Database(
      .uri(path: directory.file("a b?#.sqlite"), parameters), configuration: configuration)
    #expect(database.path == directory.file("a b?#.sqlite"))
    try await database.write { try $0.execute("CREATE TABLE t (a); INSERT INTO t VALUES (1)") }
    #expect(try await database.read { try $0.count("t") } == 1)
    let error = await #expect(throws: SQLiteError.self) {
      try await database.read { try $0.run("INSERT INTO t VALUES (2)") }
    }
    #expect(error?.code.primary == .readOnly)
    let statistics = database.statistics
    #expect(statistics.readers.idle + (count == 2 ? statistics.writer?.idle ?? 0 : 0) == count)
  }

  @Test(arguments: [
    Database.URIParameters(mode: .readOnly), Database.URIParameters(isImmutable: true),
  ])
  func `at a URI that forbids writing has no writer`(_ parameters: Database.URIParameters)
    async throws
  {
    let directory = try TemporaryDirectory()
    let file = directory.file("a.sqlite")
    let made = try Connection(path: file)
    try made.execute("CREATE TABLE t (a); INSERT INTO t VALUES (1)")
    try made.close()
    let database = try Database(.uri(path: file, parameters))
    #expect(try await database.read { try $0.count("t") } == 1)
    #expect(database.configuration.isReadOnly)
    let error = await #expect(throws: SQLiteError.self) { try await database.write { _ in } }
    #expect(error?.code == .readOnly)
  }

  @Test(arguments: Place.allCases) func `writes atomically`(_ place: Place) async throws {
    let (database, directory) = try Self.make(place)
    await #expect(throws: Failure()) {
      try await database.write { db in
        try db.run("INSERT INTO t VALUES (1)")
        throw Failure()
      }
    }
    blocking {
      _ = #expect(throws: Failure()) {
        try database.write { db in
          try db.run("INSERT INTO t VALUES (1)")
          throw Failure()
        }
      }
    }
    #expect(try await database.read { try $0.count("t") } == 0)
    withExtendedLifetime(directory) {}
  }

  @Test(arguments: Place.allCases) func `does not let a read write`(_ place: Place) async throws {
    let (database, directory) = try Self.make(place)
    for sql in [
      "INSERT INTO t VALUES (1)", "CREATE TABLE u (a)", "DELETE FROM t", "DROP TABLE t",
    ] {
      let error = await #expect(throws: SQLiteError.self) {
        try await database.read { try $0.run(SQL(unsafe: sql)) }
      }
      #expect(error?.code == .readOnly)
    }
    let ended = await #expect(throws: SQLiteError.self) {
      try await database.read { try $0.execute("COMMIT") }
    }
    #expect(ended?.code == .transactionEnded)
    try await database.write { try $0.run("INSERT INTO t VALUES (2)") }
    #expect(try await database.read { try $0.count("t") } == 1)
    withExtendedLifetime(directory) {}
  }

  @Test func `shows a read one consistent state during writes`() async throws {
    let (database, directory) = try Self.make(.file)
    let (isReading, isWritten) = (Gate(), Gate())
    async let counts = database.read { db in
      let before = try db.count("t")
      isReading.open()
      isWritten.wait()
      return [before, try db.count("t")]
    }
    _ = try await eventually { isReading.wait(seconds: 0) }
    try await database.write { try $0.run("INSERT INTO t VALUES (1)") }
    #expect(try await database.read { try $0.count("t") } == 1)
    isWritten.open()
    #expect(try await counts == [0, 0])
    withExtendedLifetime(directory) {}
  }

  @Test func `lets readers read during a write`() async throws {
    let (database, directory) = try Self.make(.file) { $0.maximumReaderCount = 3 }
    let (isWriting, mayCommit) = (Gate(), Gate())
    async let writing: Void = database.write { db in
      try db.run("INSERT INTO t VALUES (1)")
      isWriting.open()
      mayCommit.wait()
    }
    _ = try await eventually { isWriting.wait(seconds: 0) }
    let counts = try await withThrowingTaskGroup(of: Int?.self) { group in
      for _ in 0..<20 { group.addTask { try await database.read { try $0.count("t") } } }
      return try await group.reduce(into: [Int?]()) { $0.append($1) }
    }
    #expect(counts == [Int?](repeating: 0, count: 20))
    mayCommit.open()
    try await writing
    #expect(try await database.read { try $0.count("t") } == 1)
    withExtendedLifetime(directory) {}
  }

  @Test func `uses up to the maximum number of connections for concurrent reads`() async throws {
    let (database, directory) = try Self.make(.file) { $0.maximumReaderCount = 4 }
    let inside = Shared(0)
    let isFull = Gate()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<4 {
        group.addTask {
          try await database.read { _ in
            if inside.update({
              $0 += 1; return $0
            }) == 4 {
              isFull.open()
            }
            #expect(isFull.wait())
          }
        }
      }
      try await group.waitForAll()
    }
    withExtendedLifetime(directory) {}
  }

  @Test(
    arguments: Place.allCases, [(true, true), (true, false), (false, true), (false, false)])
  func `refuses a nested access immediately`(
    _ place: Place, _ writes: (outer: Bool, inner: Bool)
  ) async throws {
    let (outerWrites, innerWrites) = writes
    let (database, directory) = try Self.make(place)
    func inner() -> SQLiteError.Code? {
      do {
        if innerWrites { try database.write { _ in } } else { try database.read { _ in } }
        return nil
      } catch {
        return (error as? SQLiteError)?.code
      }
    }
    let inTask = Shared<SQLiteError.Code?>(nil)
    try blocking {
      let code =
        outerWrites ? try database.write { _ in inner() } : try database.read { _ in inner() }
      #expect(code == .nestedAccess)
    }
    let body: @Sendable (Connection) throws -> Void = { _ in
      do {
        if innerWrites { try database.write { _ in } } else { try database.read { _ in } }
      } catch {
        inTask.update { [code = (error as? SQLiteError)?.code] in $0 = code }
      }
    }
    if outerWrites {
      try await database.write { try body($0) }
    } else {
      try await database.read { try body($0) }
    }
    #expect(inTask.value == .nestedAccess)
    // Another database can be used.
    try blocking {
      try database.write { _ in _ = try Database.inMemory().read { try $0.tables() } }
    }
    withExtendedLifetime(directory) {}
  }

  @Test(arguments: Place.allCases)
  func `rolls back a transaction that is left open, and throws an error`(_ place: Place)
    async throws
  {
    let (database, directory) = try Self.make(place)
    let error = await #expect(throws: SQLiteError.self) {
      try await database.writeWithoutTransaction { db in
        try db.execute("BEGIN; INSERT INTO t VALUES (1)")
      }
    }
    #expect(error?.code == .misuse)
    await #expect(throws: Failure()) {
      try await database.writeWithoutTransaction { db in
        try db.execute("BEGIN; INSERT INTO t VALUES (1)")
        throw Failure()
      }
    }
    #expect(try await database.read { try $0.count("t") } == 0)
    try await database.writeWithoutTransaction { try $0.execute("VACUUM") }
    withExtendedLifetime(directory) {}
  }

  @Test func `that is read-only does not write to its file`() async throws {
    let directory = try TemporaryDirectory()
    #expect(throws: SQLiteError.self) { try directory.open { $0.isReadOnly = true } }
    try directory.connect().execute("CREATE TABLE t (a); INSERT INTO t VALUES (1)")
    let database = try directory.open { $0.isReadOnly = true }
    #expect(try await database.read { try $0.count("t") } == 1)
    let error = await #expect(throws: SQLiteError.self) {
      try await database.write { try $0.run("DELETE FROM t") }
    }
    #expect(error?.code == .readOnly)
  }

  @Test(arguments: ["", ":memory:"])
  func `in memory is created by its factory method`(_ path: String) throws {
    let error = #expect(throws: SQLiteError.self) { try Database(path: path) }
    #expect(error?.code == .cannotOpen)
  }

  @Test func `is not opened from a file that is not a database`() throws {
    let directory = try TemporaryDirectory()
    try writeGarbage(to: directory.file())
    let error = #expect(throws: SQLiteError.self) { try directory.open() }
    #expect(error?.code == .notADatabase)
  }

  @Test func `has one service of each type`() async throws {
    final class Service: Sendable {}
    final class Other: Sendable {}
    let database = try Database.inMemory()
    let first = database.service(Service.self) { Service() }
    _ = database.service(Other.self) { Other() }
    let found = Shared<[Service]>([])
    await onThreads(8) { _ in
      let service = database.service(Service.self) { Service() }
      found.update { $0.append(service) }
    }
    #expect(found.value.allSatisfy { $0 === first })
  }
}

/// Calls the synchronous variant, in a task too.
func blocking(_ body: () throws -> Void) rethrows { try body() }
