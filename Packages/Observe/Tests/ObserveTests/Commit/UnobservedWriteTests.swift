import ObserveTesting
import SQLiteCore
import Testing

@testable import Observe

@Suite struct `Rows that no observer needs` {
  struct Case: CustomTestStringConvertible, Sendable {
    let rule: String
    let sql: String
    let reported: [String]

    var testDescription: String { rule }
  }

  static let schema = """
    CREATE TABLE t (id INTEGER PRIMARY KEY, a); INSERT INTO t VALUES (1, x'00'), (2, 'y');
    CREATE TABLE u_v (x); CREATE VIRTUAL TABLE ft USING fts5(body);
    """

  static let cases: [Case] = [
    Case(rule: "inserts", sql: "INSERT INTO t VALUES (3, 'z')", reported: ["t: inserted rows"]),
    Case(rule: "deletes", sql: "DELETE FROM t", reported: ["t: deleted rows"]),
    Case(
      rule: "both", sql: "BEGIN; INSERT INTO t VALUES (3, 'z'); DELETE FROM t; COMMIT",
      reported: ["t: inserted rows, deleted rows"]),
    Case(rule: "updates, of any column", sql: "UPDATE t SET a = a", reported: ["t: changed"]),
    Case(
      rule: "a savepoint that is rolled back",
      sql: "BEGIN; SAVEPOINT s; DELETE FROM t; ROLLBACK TO s; COMMIT", reported: []),
    Case(
      rule: "a savepoint that is kept",
      sql: "BEGIN; INSERT INTO t VALUES (3, 1); SAVEPOINT s; DELETE FROM t; RELEASE s; COMMIT",
      reported: ["t: inserted rows, deleted rows"]),
    Case(rule: "a rollback", sql: "BEGIN; DELETE FROM t; ROLLBACK", reported: []),
    Case(
      rule: "a possible shadow table of a virtual table", sql: "INSERT INTO u_v VALUES (1)",
      reported: ["u: changed\nu_v: inserted rows"]),
    Case(
      rule: "a schema change", sql: "BEGIN; DELETE FROM t; CREATE TABLE w (x); COMMIT",
      reported: ["t: changed\nthe schema was changed"]),
  ]

  /// Needs no rows, or the rows of one table.
  final class Delegate: CommitRecorderDelegate {
    var reported: [ChangeSet] = []
    /// The number of commits for which the engine has reported no rows.
    var unobservedCount = 0
    var interest: UInt64? { didSet { interests.first.change() } }
    let interests = Hooks.ChangeInterests(Hooks.ChangeInterest())
    var wanted: TableName?

    func wantsRows(of table: TableName) -> Bool { table == wanted }

    func didCommitUnobserved(at interest: UInt64) -> Bool {
      unobservedCount += 1
      return false
    }

    let needsCommitNotice = false

    func didCommit(_ changes: ChangeSet, on connection: Connection) {
      if !changes.isEmpty { reported.append(changes) }
    }

    func willCommit(on connection: Connection) {}
    func didRollback(_ tables: Set<TableName>) {}
  }

  @Test func `are not reported by the engine`() throws {
    let connection = try Connection.inMemory()
    try connection.execute(SQL(unsafe: Self.schema))
    try connection.execute(
      """
      CREATE TABLE p (id INTEGER PRIMARY KEY);
      CREATE TABLE c (p REFERENCES p ON DELETE CASCADE);
      CREATE TRIGGER g AFTER INSERT ON p BEGIN INSERT INTO u_v VALUES (1); END;
      INSERT INTO p VALUES (1), (2);
      """)
    let delegate = Delegate()
    delegate.interest = 1
    try connection.hooks.add(try CommitRecorder(connection, delegate: delegate))
    try connection.execute("DELETE FROM t")
    #expect(delegate.unobservedCount == 1)
    #expect(delegate.reported.map(\.description) == ["t: deleted rows"])
    try connection.execute("DELETE FROM p WHERE id = 1; INSERT INTO p VALUES (5)")
    #expect(delegate.unobservedCount == 3)
    #expect(delegate.reported.map { Set($0.tables.keys) } == [["t"], ["p", "c"], ["p", "u_v"]])
    // Virtual tables write other tables, which only the engine reports.
    try connection.execute("INSERT INTO ft VALUES ('text')")
    #expect(delegate.unobservedCount == 3)
    #expect(delegate.reported.last?.tables["ft"] == .unknown)
  }

  @Test func `are reported once an observer needs them, even for statements compiled before`()
    throws
  {
    let connection = try Connection.inMemory()
    try connection.execute(SQL(unsafe: Self.schema))
    let delegate = Delegate()
    delegate.interest = 1
    try connection.hooks.add(try CommitRecorder(connection, delegate: delegate))
    let (delete, insert) = (
      try connection.prepare("DELETE FROM t"), try connection.prepare("INSERT INTO t VALUES (9, 9)")
    )
    try delete.run()
    try insert.run()
    // The statements are now compiled again, during a step that is not reported.
    try connection.execute("CREATE TABLE w (x)")
    try delete.run()
    try insert.run()
    #expect(delegate.reported.last?.tables["t"]?.rows == nil)
    delegate.interest = 2
    delegate.wanted = "t"
    try delete.run()
    #expect(delegate.reported.last?.description == "t: deleted 1 row (id: 9, a: 9)")
    try insert.run()
    #expect(delegate.reported.last?.description == "t: inserted 1 row (id: 9, a: 9)")
  }

  @Test func `include only changes of savepoints that were not rolled back`() throws {
    let connection = try Connection.inMemory()
    try connection.execute(SQL(unsafe: Self.schema))
    let delegate = Delegate()
    delegate.interest = 1
    try connection.hooks.add(try CommitRecorder(connection, delegate: delegate))
    try connection.execute(
      """
      BEGIN; SAVEPOINT a; DELETE FROM t; ROLLBACK TO a; RELEASE a;
      SAVEPOINT b; INSERT INTO u_v VALUES (1); RELEASE b; COMMIT
      """)
    #expect(delegate.reported.map { Set($0.tables.keys) } == [["u_v"]])
    try connection.execute("BEGIN; DELETE FROM t; ROLLBACK")
    #expect(delegate.reported.count == 1)
  }

  @Test func `have no cost if all observers wait for other tables`() async throws {
    try await withDatabase(.file, Self.schema) { database in
      let values = await Recording(database.observe(.table("u_v")) { _ in 1 }, of: database)
      await values.waitUntilIdle()
      let before = ChangeHub.of(database).position
      try await database.run("DELETE FROM t")
      #expect(ChangeHub.of(database).position == before.map { $0 + 1 })
      try await database.run("INSERT INTO u_v VALUES (1)")
      await values.waitUntilIdle()
      #expect(values.values == [1, 1])
    }
  }

  /// Reasons for a previously compiled statement to write another table.
  static let reasons = [
    "CREATE TRIGGER g AFTER DELETE ON p BEGIN DELETE FROM u; END",
    "CREATE TEMP TRIGGER g AFTER DELETE ON p BEGIN DELETE FROM u; END",
    "PRAGMA foreign_keys = ON",
  ]

  @Test(arguments: reasons)
  func `are not missed if a recompiled statement writes more tables`(_ reason: String) async throws
  {
    let schema = """
      CREATE TABLE p (id INTEGER PRIMARY KEY); INSERT INTO p VALUES (1), (2), (3);
      CREATE TABLE u (p REFERENCES p ON DELETE CASCADE); INSERT INTO u VALUES (3);
      PRAGMA foreign_keys = OFF;
      """
    try await withDatabase(.file, schema) { database in
      let recording = await Recording(
        database.observe { try $0.value(Int.self, "SELECT count(*) FROM u") }, of: database)
      await recording.waitUntilIdle()
      let delete: @Sendable (Int) async throws -> Void = { id in
        try await database.writeWithoutTransaction { connection in
          _ = try connection.run("DELETE FROM p WHERE id = ?", id)
        }
      }
      try await delete(1)
      try await database.writeWithoutTransaction { try $0.execute(SQL(unsafe: reason)) }
      await recording.waitUntilIdle()
      try await delete(3)
      await recording.waitUntilIdle()
      #expect(recording.values.last == 0)
    }
  }

  @Test func `are not hidden by a statement inside another's step`() throws {
    let connection = try Connection.inMemory()
    try connection.execute(SQL(unsafe: Self.schema))
    let delegate = Delegate()
    delegate.interest = 1
    delegate.wanted = "t"
    try connection.hooks.add(try CommitRecorder(connection, delegate: delegate))
    let inner = try connection.prepare("INSERT INTO u_v VALUES (1)")
    try connection.register("log", argumentCount: 1) { _ in
      try inner.run()
      return SQLiteValue.integer(1)
    }
    try connection.execute("INSERT INTO t (a) SELECT log(a) FROM t")
    #expect(delegate.reported.last?.tables["t"]?.rows?.count == 2)
  }

  @Test func `do not hide rows that a query's later step changes`() throws {
    let connection = try Connection.inMemory()
    try connection.execute(SQL(unsafe: Self.schema))
    let delegate = Delegate()
    delegate.interest = 1
    delegate.wanted = "t"
    try connection.hooks.add(try CommitRecorder(connection, delegate: delegate))
    let unwatched = try connection.prepare("INSERT INTO u_v VALUES (1)")
    let watched = try connection.prepare("INSERT INTO t (a) VALUES (?)")
    try connection.register("logged", argumentCount: 1) { arguments in
      try unwatched.run()
      try watched.bind(arguments[0], at: 1)
      try watched.run()
      return SQLiteValue.integer(1)
    }
    try connection.transaction { try connection.execute("SELECT logged('a'), logged('b')") }
    #expect(delegate.reported.last?.tables["t"]?.rows?.count == 2)
  }

  @Test(arguments: cases)
  func `are reported as changes of their tables`(_ expected: Case) throws {
    let connection = try Connection.inMemory()
    try connection.execute(SQL(unsafe: Self.schema))
    let delegate = Delegate()
    try connection.hooks.add(try CommitRecorder(connection, delegate: delegate))
    try connection.execute(SQL(unsafe: expected.sql))
    #expect(delegate.reported.map(\.description) == expected.reported)
  }

  @Test func `include rows of blobs and of virtual tables`() throws {
    let connection = try Connection.inMemory()
    try connection.execute(SQL(unsafe: Self.schema))
    let delegate = Delegate()
    try connection.hooks.add(try CommitRecorder(connection, delegate: delegate))
    try connection.withBlob(in: "t", column: "a", row: 1, mode: .readWrite) {
      try $0.write([1], at: 0)
    }
    try connection.execute("INSERT INTO ft VALUES ('text')")
    #expect(delegate.reported.map(\.description).first == "t: changed")
    #expect(delegate.reported.last?.tables["ft"] == .unknown)
  }

  @Test func `belong to tables without waiting observers`() {
    var schedule = Schedule()
    #expect(!schedule.wantsRows(of: "t"))
    let id = schedule.addObserver()
    #expect(schedule.wantsRows(of: "t"), "it may read any table")
    _ = schedule.demand(id)
    let (_, seen) = schedule.beginFlush()
    _ = schedule.didFetch(id, seen: seen, region: .table("ft"), isNew: false)
    _ = schedule.endFlush()
    #expect(!schedule.wantsRows(of: "t"))
    #expect(schedule.wantsRows(of: "FT"))
    #expect(schedule.wantsRows(of: "ft_data"))
    schedule.countSequences(1)
    #expect(schedule.wantsRows(of: "t"))
    schedule.countSequences(-1)
    let listener = schedule.addListener(to: .table("u"), after: nil)
    #expect(schedule.wantsRows(of: "t"))
    schedule.remove(listener)
    let events = schedule.addEventQueue()
    #expect(schedule.wantsRows(of: "t"))
    schedule.remove(events)
    _ = schedule.commit(ChangeSet(tables: ["ft": .unknown]))
    #expect(schedule.wantsRows(of: "t"), "it is fetched")
    schedule.remove(id)
    #expect(!schedule.wantsRows(of: "t"))
  }

  @Test func `are recorded from the creation of a change sequence on`() async throws {
    try await withDatabase(.file, Self.schema) { database in
      try await database.startObserving()
      let changes = database.changes()
      try await database.run("INSERT INTO t VALUES (3, 'z')")
      var iterator = changes.makeAsyncIterator()
      let reported = try await iterator.next()
      #expect(reported?.description == #"t: inserted 1 row (id: 3, a: "z")"#)
    }
  }
}
