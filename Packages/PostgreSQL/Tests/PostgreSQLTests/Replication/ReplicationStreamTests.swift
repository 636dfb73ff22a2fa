import PostgreSQL
import PostgreSQLTesting
import Primitives
import Testing

/// A server that decodes its log, shared by the tests of this file.
private let logicalServer: PostgreSQLTestServer? =
  PostgreSQLTestServer.isInstalled
  ? try? PostgreSQLTestServer(settings: [
    "wal_level": "logical", "synchronous_commit": "on", "max_replication_slots": "20",
    "max_wal_senders": "20",
  ]) : nil

/// Passes a new database with a publication, and a stream of its changes, to `body`.
private func withStream(
  _ schema: String, _ body: (PostgreSQLDatabase, Received) async throws -> Void
) async throws {
  try await #require(logicalServer).withDatabase { database in
    try await database.execute(PostgreSQLQuery(unsafe: schema))
    let stream = try await database.replicationStream(of: ["p"])
    do {
      try await body(database, Received(stream))
    } catch {
      await stream.close()
      throw error
    }
    await stream.close()
    try await expectNoSlot(database)
  }
}

private func expectNoSlot(_ database: PostgreSQLDatabase) async throws {
  for _ in 0..<200 {
    let count = try await database.value(
      Int.self,
      "SELECT count(*) FROM pg_replication_slots WHERE database = current_database()")
    if count == 0 { return }
    try await Task.sleep(for: .milliseconds(20))
  }
  Issue.record("a slot remained")
}

/// Receives the changes of one transaction after another, as text.
private final class Received {
  let stream: PostgreSQLReplicationStream
  private var relations: [UInt32: PostgreSQLReplicationRelation] = [:]
  private var rest: ArraySlice<PostgreSQLReplicationMessage> = []

  init(_ stream: PostgreSQLReplicationStream) { self.stream = stream }

  private func next() async throws -> PostgreSQLReplicationMessage? {
    while rest.isEmpty { rest = try await stream.nextMessages()[...] }
    return rest.popFirst()
  }

  /// Returns the next transaction: a line for each row.
  func transaction() async throws -> [String] {
    var lines: [String] = []
    while let message = try await next() {
      switch message {
      case .begin, .type, .origin: break
      case .commit: return lines
      case .relation(let relation):
        relations[relation.id] = relation
        lines.append(
          "table \(relation.name)(\(relation.columns.map(\.name).joined(separator: ",")))")
      case .insert(let id, let new): lines.append("insert \(try text(new, id))")
      case .update(let id, let old, let new):
        lines.append(
          "update \(try old.map { try text($0, id) + " " } ?? "")to \(try text(new, id))")
      case .delete(let id, let old): lines.append("delete \(try text(old, id))")
      case .truncate(let ids):
        lines.append(
          "truncate \(ids.compactMap { relations[$0]?.name }.sorted().joined(separator: ","))")
      case .message(_, let prefix, let content):
        lines.append("message \(prefix) \(String(decoding: content, as: UTF8.self))")
      }
    }
    return lines
  }

  private func text(
    _ old: PostgreSQLReplicationMessage.OldRow, _ id: UInt32
  ) throws -> String {
    switch old {
    case .key(let row): "key \(try text(row, id))"
    case .full(let row): "row \(try text(row, id))"
    }
  }

  private func text(_ row: PostgreSQLReplicationRow, _ id: UInt32) throws -> String {
    guard let relation = relations[id] else { return "?" }
    return try row.values(of: relation).map { value in
      switch value {
      case nil: "unchanged"
      case .scalar(.text(let text)) where text.utf8.count > 20: "\(text.utf8.count) bytes"
      case .scalar(.integer(let integer)): "\(integer)"
      case .scalar(.text(let text)), .scalar(.decimal(let text)): text
      case .scalar(.bool(let bool)): "\(bool)"
      case .null?: "null"
      case let other?: "\(other.dataValue)"
      }
    }.joined(separator: ",")
  }
}

@Suite(.needsServer, .serialized) struct `A replication stream` {
  @Test func `receives the rows of committed transactions, without what was undone`() async throws {
    try await withStream(
      """
      CREATE TABLE t (id int PRIMARY KEY, name text, price numeric, done bool);
      CREATE PUBLICATION p FOR TABLE t;
      """
    ) { database, received in
      try await database.run("INSERT INTO t VALUES (1, 'a', 1.50, true), (2, NULL, NULL, NULL)")
      #expect(
        try await received.transaction() == [
          "table t(id,name,price,done)", "insert 1,a,1.50,true", "insert 2,null,null,null",
        ])
      try await database.transaction { connection in
        try await connection.run("UPDATE t SET name = 'b' WHERE id = 1")
        struct Undo: Error {}
        try? await connection.transaction { connection in
          try await connection.run("DELETE FROM t")
          throw Undo()
        }
        try await connection.run("UPDATE t SET id = 3 WHERE id = 2")
      }
      #expect(
        try await received.transaction() == [
          "update to 1,b,1.50,true", "update key 2,null,null,null to 3,null,null,null",
        ])
      try? await database.transaction { connection in
        try await connection.run("DELETE FROM t")
        throw CancellationError()
      }
      try await database.run("DELETE FROM t WHERE id = 3")
      #expect(try await received.transaction() == ["delete key 3,null,null,null"])
      try await database.run("TRUNCATE t")
      // Some servers describe the table again.
      #expect(try await received.transaction().last == "truncate t")
      try await database.run("SELECT pg_logical_emit_message(true, 'app', 'hello')")
      #expect(try await received.transaction() == ["message app hello"])
    }
  }

  @Test func `has old rows with replica identity FULL, and a new description after DDL`()
    async throws
  {
    try await withStream(
      """
      CREATE TYPE mood AS ENUM ('good', 'bad');
      CREATE DOMAIN amount AS int;
      CREATE TABLE t (id int PRIMARY KEY, mood mood, amount amount);
      ALTER TABLE t REPLICA IDENTITY FULL;
      CREATE PUBLICATION p FOR TABLE t;
      """
    ) { database, received in
      try await database.run("INSERT INTO t VALUES (1, 'good', 5)")
      #expect(try await received.transaction() == ["table t(id,mood,amount)", "insert 1,good,5"])
      try await database.run("UPDATE t SET mood = 'bad'")
      #expect(try await received.transaction() == ["update row 1,good,5 to 1,bad,5"])
      try await database.execute("ALTER TABLE t ADD COLUMN more text DEFAULT 'x'")
      try await database.run("DELETE FROM t")
      var lines = try await received.transaction()
      // Some servers also report the transaction of the DDL, without changes.
      if lines.isEmpty { lines = try await received.transaction() }
      #expect(lines == ["table t(id,mood,amount,more)", "delete row 1,bad,5,x"])
    }
  }

  @Test func `marks large values that an update has not changed`() async throws {
    try await withStream(
      """
      CREATE TABLE t (id int PRIMARY KEY, large text, small text);
      ALTER TABLE t ALTER COLUMN large SET STORAGE EXTERNAL;
      CREATE PUBLICATION p FOR TABLE t;
      """
    ) { database, received in
      try await database.run("INSERT INTO t VALUES (1, repeat('x', 100000), 'a')")
      #expect(
        try await received.transaction() == ["table t(id,large,small)", "insert 1,100000 bytes,a"])
      try await database.run("UPDATE t SET small = 'b'")
      #expect(try await received.transaction() == ["update to 1,unchanged,b"])
    }
  }

  @Test func `receives a large transaction, with or without its rows`() async throws {
    try await withStream("CREATE TABLE t (id int PRIMARY KEY); CREATE PUBLICATION p FOR TABLE t") {
      database, received in
      try await database.run("INSERT INTO t SELECT generate_series(1, 50000)")
      #expect(try await received.transaction().count == 50_001)
    }
  }

  @Test func `stays open while nothing changes, and when it is read late`() async throws {
    try await withStream("CREATE TABLE t (id int PRIMARY KEY); CREATE PUBLICATION p FOR TABLE t") {
      database, received in
      let start = try await database.value(String.self, "SELECT pg_current_wal_lsn()::text")
      try await Task.sleep(for: .seconds(2.5))
      try await database.run("INSERT INTO t VALUES (1)")
      #expect(try await received.transaction() == ["table t(id)", "insert 1"])
      // The server is informed of what was received, so that it can delete its log.
      let waiting = Task { [stream = received.stream] in try await stream.nextMessages() }
      try await Task.sleep(for: .seconds(1.5))
      waiting.cancel()
      let isConfirmed = try await database.value(
        Bool.self,
        """
        SELECT confirmed_flush_lsn > $1::text::pg_lsn FROM pg_replication_slots
        WHERE database = current_database()
        """, start)
      #expect(isConfirmed == true)
    }
  }

  @Test func `returns the messages that have arrived`() async throws {
    try await #require(logicalServer).withDatabase { database in
      try await database.execute("CREATE TABLE t (id int); CREATE PUBLICATION p FOR TABLE t")
      let writer = Task {
        while !Task.isCancelled { try await database.run("INSERT INTO t VALUES (1)") }
      }
      let stream = try await database.replicationStream(of: ["p"])
      for message in try await stream.nextMessages() {
        if case .insert(_, let row) = message { print(row.count) }
      }
      writer.cancel()
      _ = await writer.result
      await stream.close()
      try await expectNoSlot(database)
    }
  }

  @Test func `leaves no slot when it is cancelled, released or closed`() async throws {
    try await #require(logicalServer).withDatabase { database in
      try await database.execute("CREATE TABLE t (id int); CREATE PUBLICATION p FOR TABLE t")
      let task = Task {
        for try await _ in try await database.replicationStream(of: ["p"]) {}
      }
      while try await database.value(
        Int.self, "SELECT count(*) FROM pg_replication_slots WHERE active") == 0
      {
        try await Task.sleep(for: .milliseconds(5))
      }
      task.cancel()
      await #expect(throws: CancellationError.self) { try await task.value }
      try await expectNoSlot(database)
      let closed = try await database.replicationStream(of: ["p"])
      await closed.close()
      let error = await postgreSQLError { try await closed.nextMessages() }
      #expect(error?.code == .closed)
      try await expectNoSlot(database)
    }
  }

  @Test func `fails with the server's reason`() async throws {
    try await #require(logicalServer).withDatabase { database in
      try await database.execute("CREATE TABLE t (id int)")
      let stream = try await database.replicationStream(of: ["none"])
      try await database.run("INSERT INTO t VALUES (1)")
      let error = await postgreSQLError { while true { _ = try await stream.nextMessages() } }
      #expect(error?.sqlstate == "42704")
      await stream.close()
      try await expectNoSlot(database)
    }
    // The shared server does not decode its log.
    try await withDatabase { database in
      let error = await postgreSQLError { try await database.replicationStream(of: ["p"]) }
      #expect(error?.sqlstate == "55000")
    }
  }

  @Test func `ends with an error when the server stops`() async throws {
    let server = try PostgreSQLTestServer(settings: ["wal_level": "logical"])
    let database = PostgreSQLDatabase(server.configuration())
    let stream = try await database.replicationStream(of: ["p"])
    let failure = Task {
      await postgreSQLError { while true { _ = try await stream.nextMessages() } }
    }
    try server.kill()
    #expect(await failure.value?.kind == .unavailable)
    database.close()
  }
}
