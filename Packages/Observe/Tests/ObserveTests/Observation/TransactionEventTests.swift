import SQLiteCore
import Testing

@testable import Observe

@Suite struct `Transaction events` {
  static let schema = """
    CREATE TABLE t (x UNIQUE); CREATE TABLE u (x); CREATE VIRTUAL TABLE ft USING fts5(body);
    """

  struct Refusal: Error {}

  @Test(arguments: Store.allCases)
  func `deliver commits and rollbacks in order, also to a late consumer`(_ store: Store)
    async throws
  {
    try await withDatabase(store, Self.schema) { database in
      try await database.startObserving()
      var events = database.transactionEvents.makeAsyncIterator()
      try await database.run("INSERT INTO t VALUES (1)")
      try await database.run("BEGIN; INSERT INTO u VALUES (1); DELETE FROM t; ROLLBACK")
      try? await database.write { connection in
        try connection.run("INSERT INTO u VALUES (2)")
        throw Refusal()
      }
      try await database.run("INSERT INTO u VALUES (3)")
      guard case .commit(let first)? = try await events.next() else {
        Issue.record("the first is a commit")
        return
      }
      #expect(first.description == "t: inserted 1 row (x: 1)")
      #expect(try await events.next() == .rollback(tables: ["T", "u"]))
      #expect(try await events.next() == .rollback(tables: ["u"]))
      guard case .commit(let last)? = try await events.next() else {
        Issue.record("the last is a commit")
        return
      }
      #expect(last.sequence == 2)
    }
  }

  @Test func `omit savepoints, and transactions without changes`() async throws {
    try await withDatabase(.file, Self.schema) { database in
      try await database.startObserving()
      var events = database.transactionEvents.makeAsyncIterator()
      try await database.run("BEGIN; SELECT * FROM t; ROLLBACK; BEGIN IMMEDIATE; ROLLBACK")
      try await database.run("BEGIN; COMMIT; DELETE FROM t")
      try await database.run(
        """
        BEGIN; SAVEPOINT s; DELETE FROM t; INSERT INTO t VALUES (1); ROLLBACK TO s;
        INSERT INTO u VALUES (1); COMMIT
        """)
      try await database.run("BEGIN; INSERT INTO ft VALUES ('x'); ROLLBACK")
      guard case .commit(let changes)? = try await events.next() else {
        Issue.record("the first is a commit")
        return
      }
      #expect(changes.description == "u: inserted 1 row (x: 1)")
      guard case .rollback(let tables)? = try await events.next() else {
        Issue.record("the second is a rollback")
        return
      }
      #expect(tables.contains("ft"))
    }
  }

  @Test func `wake a waiting consumer, and end with the task or the database`() async throws {
    try await withDatabase(.file, Self.schema) { database in
      try await database.startObserving()
      let reported = Collector<DatabaseObservation.TransactionEvent>()
      let waiting = Task {
        for try await event in database.transactionEvents { reported.add(event) }
      }
      while reported.all.isEmpty {
        try await database.run("BEGIN; INSERT INTO u VALUES (1); ROLLBACK")
        await database.waitUntilIdle(includingConsumers: true)
      }
      let cancelled = Task { for try await _ in database.transactionEvents {} }
      cancelled.cancel()
      try await cancelled.value
      database.close()
      await #expect(throws: SQLiteError.self) { try await waiting.value }
      #expect(reported.all.first == .rollback(tables: ["u"]))
    }
  }

  @Test func `merge old events, and omit no table`() {
    var queue = EventQueue(limit: 8)
    for number in 1...50 {
      let table = TableName("t\(number)")
      var changes = ChangeSet(tables: [table: ChangeSet.TableChange(kinds: .insert)])
      changes.sequences = UInt64(number)...UInt64(number)
      let reported = queue.add(number % 2 == 0 ? .rollback(tables: [table]) : .commit(changes))
      #expect(reported == nil)
    }
    var (committed, rolledBack, count): (Set<TableName>, Set<TableName>, Int) = ([], [], 0)
    while let event = queue.next() {
      count += 1
      switch event {
      case .commit(let changes): committed.formUnion(changes.tables.keys)
      case .rollback(let tables): rolledBack.formUnion(tables)
      }
    }
    #expect(count <= 9)
    #expect(committed.count == 25)
    #expect(rolledBack.count == 25)
    #expect(queue.isWaiting)
  }
}
