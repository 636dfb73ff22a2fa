import Primitives
import SQLiteCore
import Testing

@Suite struct `Incremental blobs` {
  private func database(_ content: [UInt8] = Array(0..<100)) throws -> Connection {
    let db = try memory("CREATE TABLE f (id INTEGER PRIMARY KEY, c, k INTEGER)")
    try db.run("INSERT INTO f VALUES (1, ?, 7), (2, ?, 8)", content, [UInt8]([9, 9]))
    return db
  }

  private func content(_ db: Connection, row: Int = 1) throws -> [UInt8]? {
    try db.value([UInt8].self, "SELECT c FROM f WHERE id = ?", row)
  }

  @Test func `are read from any offset`() throws {
    let db = try database()
    try db.withBlob(in: "f", column: "c", row: 1) { blob throws in
      #expect(blob.count == 100)
      #expect(try blob.read(at: 10, count: 3) == [10, 11, 12])
      #expect(try blob.read(at: 100, count: 0) == [])
      #expect(try blob.readAll() == Array(0..<100))
    }
  }

  @Test func `are read into the caller's memory`() throws {
    let db = try database()
    var bytes = [UInt8](repeating: 0xff, count: 6)
    try db.withBlob(in: "f", column: "c", row: 1) { blob in
      var span = bytes.mutableElementSpan
      try blob.read(into: &span, at: 50)
    }
    #expect(bytes == [50, 51, 52, 53, 54, 55])
  }

  @Test func `are written in place`() throws {
    let db = try database()
    try db.withBlob(in: "f", column: "c", row: 1, mode: .readWrite) { blob in
      try blob.write([1, 2, 3], at: 97)
      try blob.write([], at: 100)
      let bytes: [UInt8] = [7, 7]
      try blob.write(bytes.elementSpan, at: 0)
      #expect(try blob.read(at: 96, count: 4) == [96, 1, 2, 3])
    }
    #expect(try content(db) == [7, 7] + Array(2..<97) + [1, 2, 3])
  }

  @Test func `can access text values`() throws {
    let db = try memory("CREATE TABLE f (c); INSERT INTO f VALUES ('Grüße')")
    let bytes = try db.withBlob(in: "f", column: "c", row: 1) { try $0.readAll() }
    #expect(bytes == Array("Grüße".utf8))
  }

  @Test(arguments: [(-1, 1), (0, -1), (0, 101), (100, 1), (101, 0), (Int.max, Int.max), (1, .max)])
  func `refuse access beyond their end`(_ offset: Int, _ count: Int) throws {
    let db = try database()
    try db.withBlob(in: "f", column: "c", row: 1, mode: .readWrite) { blob in
      let error = #expect(throws: SQLiteError.self) { try blob.read(at: offset, count: count) }
      #expect(error?.code == .outsideBlob)
      guard (0...200).contains(count) else { return }
      let bytes = [UInt8](repeating: 1, count: count)
      let refusal = #expect(throws: SQLiteError.self) { try blob.write(bytes, at: offset) }
      #expect(refusal?.code == .outsideBlob)
    }
    #expect(try content(db) == Array(0..<100))
  }

  @Test func `are moved to another row`() throws {
    let db = try database()
    let blob = try db.blob(in: "f", column: "c", row: 1)
    try blob.reopen(row: 2)
    #expect(blob.row == 2)
    #expect(try blob.readAll() == [9, 9])
    #expect(throws: SQLiteError.self) { try blob.reopen(row: 3) }
    let error = #expect(throws: SQLiteError.self) { try blob.readAll() }
    #expect(error?.code == .blobExpired)
    try blob.close()
    try db.close()
  }

  @Test(arguments: [
    "UPDATE f SET k = 0 WHERE id = 1", "DELETE FROM f", "INSERT OR REPLACE INTO f VALUES (1, 2, 3)",
  ])
  func `expire when their row is changed`(_ sql: String) throws {
    let db = try database()
    let blob = try db.blob(in: "f", column: "c", row: 1, mode: .readWrite)
    try db.run(SQL(unsafe: sql))
    for attempt in [
      { _ = try blob.read(at: 0, count: 1) }, { try blob.write([1], at: 0) },
      { try blob.reopen(row: 2) },
    ] as [() throws -> Void] {
      let error = #expect(throws: SQLiteError.self) { try attempt() }
      #expect(error?.code == .blobExpired)
    }
    #expect(blob.count == 0)
    try blob.close()
  }

  @Test func `expire when their transaction is rolled back`() throws {
    let db = try database()
    var kept: Blob?
    #expect(throws: Failure()) {
      try db.transaction {
        let blob = try db.blob(in: "f", column: "c", row: 1, mode: .readWrite)
        kept = blob
        try blob.write([99], at: 0)
        throw Failure()
      }
    }
    let error = #expect(throws: SQLiteError.self) { try kept?.read(at: 0, count: 1) }
    #expect(error?.code == .blobExpired)
    #expect(try content(db) == Array(0..<100))
  }

  @Test func `expire when the statements are reset, to allow a rollback`() async throws {
    let database = try Database.inMemory()
    try await database.write { db in
      try db.execute("CREATE TABLE f (c)")
      try db.run("INSERT INTO f VALUES (?)", ZeroBlob(count: 100_000))
    }
    let code = Shared<SQLiteError.Code?>(nil)
    let isRunning = Shared(false)
    let access = Task {
      try await database.write { db in
        var kept: Blob?
        _ = try? db.savepoint {
          let blob = try db.blob(in: "f", column: "c", row: 1, mode: .readWrite)
          kept = blob
          try blob.write([1], at: 99_999)
          isRunning.update { $0 = true }
          try db.run(SQL(unsafe: endlessQuery))
        }
        // In any state, reading is an error and not a crash.
        do { _ = try kept?.read(at: 99_990, count: 5) } catch let error as SQLiteError {
          code.update { $0 = error.code }
        }
      }
    }
    _ = try await eventually { isRunning.value }
    access.cancel()
    await #expect(throws: CancellationError.self) { try await access.value }
    #expect(code.value == .interrupt || code.value == .blobExpired)
    let sql = "SELECT sum(c = zeroblob(100000)) FROM f"
    #expect(try await database.read { try $0.value(Int.self, SQL(unsafe: sql)) } == 1)
  }

  @Test func `open for writing prevent savepoints, as in SQLite`() throws {
    let db = try database()
    try db.transaction {
      let blob = try db.blob(in: "f", column: "c", row: 1, mode: .readWrite)
      let error = #expect(throws: SQLiteError.self) { try db.savepoint {} }
      #expect(error?.code == .busy)
      try blob.close()
      try db.savepoint {}
    }
  }

  @Test(.needs(.preupdateHook)) func `are committed when they are closed`() throws {
    let directory = try TemporaryDirectory()
    let (db, other) = (try directory.connect(), try directory.connect())
    try db.execute("CREATE TABLE f (c)")
    try db.run("INSERT INTO f VALUES (?)", ZeroBlob(count: 3))
    let recorder = Recorder()
    try db.hooks.add(recorder)
    let blob = try db.blob(in: "f", column: "c", row: 1, mode: .readWrite)
    try blob.write([1, 2, 3], at: 0)
    #expect(try other.value([UInt8].self, "SELECT c FROM f") == [0, 0, 0])
    #expect(recorder.take() == ["delete f 1→0"])
    try blob.close()
    #expect(recorder.take() == ["willCommit", "didCommit"])
    #expect(try other.value([UInt8].self, "SELECT c FROM f") == [1, 2, 3])
  }

  @Test(.needs(.preupdateHook)) func `are refused by a veto`() throws {
    let db = try database()
    let recorder = Recorder()
    recorder.veto = Failure(name: "no blobs")
    try db.hooks.add(recorder)
    let error = #expect(throws: SQLiteError.self) {
      try db.withBlob(in: "f", column: "c", row: 1, mode: .readWrite) { try $0.write([99], at: 0) }
    }
    #expect(error?.code == .constraintCommitHook)
    #expect(error?.message == "no blobs")
    #expect(try content(db)?.first == 0)
  }

  @Test func `that are open keep the connection open`() throws {
    let db = try database()
    var blob: Blob? = try db.blob(in: "f", column: "c", row: 1)
    let error = #expect(throws: SQLiteError.self) { try db.close() }
    #expect(error?.code == .busy)
    #expect(error?.message == "the connection has a blob that is not closed")
    #expect(try blob?.read(at: 1, count: 1) == [1])
    blob = nil
    try db.close()
  }

  @Test func `that have expired keep the connection open until they are closed`() throws {
    let db = try database()
    let blob = try db.blob(in: "f", column: "c", row: 1)
    try db.run("DELETE FROM f")
    #expect(throws: SQLiteError.self) { try blob.read(at: 0, count: 1) }
    let error = #expect(throws: SQLiteError.self) { try db.close() }
    #expect(error?.code == .busy)
    try blob.close()
    try db.close()
  }

  @Test func `outlive their connection object`() throws {
    var db: Connection? = try database()
    let blob = try #require(try db?.blob(in: "f", column: "c", row: 1))
    db = nil
    #expect(try blob.read(at: 1, count: 1) == [1])
  }

  @Test func `that are closed can't be used`() throws {
    let db = try database()
    let blob = try db.blob(in: "f", column: "c", row: 1)
    try blob.close()
    try blob.close()
    for attempt in [
      { _ = try blob.readAll() }, { try blob.write([1], at: 0) }, { try blob.reopen(row: 2) },
      { try blob.forEachChunk { _ in } },
    ] as [() throws -> Void] {
      let error = #expect(throws: SQLiteError.self) { try attempt() }
      #expect(error?.code == .closed)
    }
    try db.close()
    let error = #expect(throws: SQLiteError.self) { try db.blob(in: "f", column: "c", row: 1) }
    #expect(error?.code == .closed)
  }

  struct Refusal: CustomTestStringConvertible, Sendable {
    let table: TableName, column: String, row: RowID, mode: Blob.Mode
    var testDescription: String { "\(table).\(column) \(row.rawValue)" }
  }

  @Test(arguments: [
    Refusal(table: "nothing", column: "c", row: 1, mode: .read),
    Refusal(table: "f", column: "nothing", row: 1, mode: .read),
    Refusal(table: "f", column: "c", row: 3, mode: .read),
    Refusal(table: "f", column: "k", row: 1, mode: .read),
    Refusal(table: "v", column: "c", row: 1, mode: .read),
    Refusal(table: "w", column: "c", row: 1, mode: .read),
    Refusal(table: TableName(schema: "other", "f"), column: "c", row: 1, mode: .read),
    Refusal(table: "i", column: "c", row: 1, mode: .readWrite),
    Refusal(table: "f\0", column: "c", row: 1, mode: .read),
    Refusal(table: "f", column: "c\0", row: 1, mode: .read),
    Refusal(table: TableName(schema: "main\0", "f"), column: "c", row: 1, mode: .read),
  ])
  func `are refused for a missing value`(_ refusal: Refusal) throws {
    let db = try database()
    try db.execute(
      """
      CREATE VIEW v AS SELECT c FROM f; CREATE TABLE w (id INTEGER PRIMARY KEY, c) WITHOUT ROWID;
      INSERT INTO w VALUES (1, x'00'); CREATE TABLE i (c UNIQUE); INSERT INTO i VALUES (x'00');
      """)
    #expect(throws: SQLiteError.self) {
      try db.blob(
        in: refusal.table, column: refusal.column, row: refusal.row, mode: refusal.mode)
    }
    try db.close()
  }

  @Test func `can be in an attached database`() throws {
    let db = try memory(
      "ATTACH ':memory:' AS a; CREATE TABLE a.f (c); INSERT INTO a.f VALUES (x'0102')")
    let table = TableName(schema: "a", "f")
    let missing = #expect(throws: SQLiteError.self) {
      try db.blob(in: TableName(schema: "b", "f"), column: "c", row: 1)
    }
    #expect(missing?.code == .unknownSchema)
    #expect(try db.withBlob(in: table, column: "c", row: 1) { try $0.readAll() } == [1, 2])
  }

  @Test func `opened for reading can't be written`() throws {
    let db = try database()
    let error = #expect(throws: SQLiteError.self) {
      try db.withBlob(in: "f", column: "c", row: 1) { try $0.write([1], at: 0) }
    }
    #expect(error?.code == .readOnly)
    let database = try Database.inMemory()
    try database.write { try $0.execute("CREATE TABLE f (c); INSERT INTO f VALUES (x'00')") }
    let refusal = #expect(throws: SQLiteError.self) {
      try database.read { _ = try $0.blob(in: "f", column: "c", row: 1, mode: .readWrite) }
    }
    #expect(refusal?.code == .readOnly)
  }

  @Test func `wait for a lock and then fail`() throws {
    let directory = try TemporaryDirectory()
    let db = try directory.connect { $0.busyTimeout = .milliseconds(5) }
    try db.execute("CREATE TABLE f (c); INSERT INTO f VALUES (x'00')")
    let other = try directory.connect()
    try other.transaction {
      let error = #expect(throws: SQLiteError.self) {
        try db.blob(in: "f", column: "c", row: 1, mode: .readWrite)
      }
      #expect(error?.code == .busy)
    }
  }

  @Test func `are recorded as read and written`() throws {
    let db = try database()
    let (_, access) = try db.recordingAccess {
      try db.withBlob(in: "f", column: "c", row: 1, mode: .readWrite) { _ in }
    }
    #expect(access.reads == ["f": ["c"]])
    #expect(access.writes["f"]?.updates == ["c"])
  }

  @Test func `are closed when their closure throws`() throws {
    let db = try database()
    #expect(throws: Failure()) {
      try db.withBlob(in: "f", column: "c", row: 1) { _ in throw Failure() }
    }
    try db.close()
  }
}
