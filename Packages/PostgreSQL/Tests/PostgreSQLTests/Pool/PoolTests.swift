import Foundation
import PostgreSQL
import PostgreSQLTesting
import Testing

@Suite(.needsServer, .timeLimit(.minutes(2))) struct `Pools` {
  @Test func `use at most the maximum number of connections`() async throws {
    try await withDatabase {
      $0.maximumConnectionCount = 3
    } _: { (database) async throws -> Void in
      let processes = try await withThrowingTaskGroup(of: Int.self) { group in
        for _ in 0..<50 {
          group.addTask {
            try await database.value(Int.self, "SELECT pg_backend_pid() FROM pg_sleep(0.005)") ?? 0
          }
        }
        return try await group.reduce(into: Set<Int>()) { $0.insert($1) }
      }
      #expect(processes.count <= 3)
      #expect(database.statistics.connectionCount <= 3)
      #expect(database.statistics.waitingCount == 0)
      #expect(database.statistics.idleCount == database.statistics.connectionCount)
    }
  }

  @Test func `end a wait at its deadline`() async throws {
    try await withDatabase {
      $0.maximumConnectionCount = 1
      $0.acquisitionTimeout = .milliseconds(200)
    } _: { (database) async throws -> Void in
      try await database.withConnection { _ in
        let error = await postgreSQLError { try await database.run("SELECT 1") }
        #expect(error?.code == .timedOut)
        #expect(error?.kind == .busy)
        let task = Task { try await database.run("SELECT 1") }
        task.cancel()
        let result = await task.result
        #expect(throws: CancellationError.self) { try result.get() }
      }
      try await database.run("SELECT 1")
    }
  }

  @Test func `reset what an access leaves behind`() async throws {
    try await withDatabase {
      $0.maximumConnectionCount = 1
    } _: { (database) async throws -> Void in
      try await database.run("CREATE TABLE t (i int)")
      try await database.withConnection { connection in
        try await connection.run("SET application_name = 'changed'")
        try await connection.run("LISTEN channel")
        try await connection.run("CREATE TEMP TABLE mine (i int)")
        try await connection.run("BEGIN")
        try await connection.run("INSERT INTO t VALUES (1)")
      }
      #expect(try await database.value(Int.self, "SELECT count(*) FROM t") == 0)
      #expect(
        try await database.value(String.self, "SELECT current_setting('application_name')")
          == "tests")
      #expect(
        try await database.value(Int.self, "SELECT count(*) FROM pg_listening_channels()") == 0)
      #expect(
        try await database.value(String?.self, "SELECT to_regclass('mine')::text") == .some(nil))
      try await database.withConnection { connection in
        try await connection.run("SELECT pg_advisory_lock(1)")
        try await connection.setNeedsReset()
      }
      #expect(
        try await database.value(
          Int.self, "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory'") == 0)
      #expect(database.statistics.connectionCount == 1)
    }
  }

  @Test func `replace connections that the server ended`() async throws {
    try await withDatabase {
      $0.maximumConnectionCount = 2
    } _: { (database) async throws -> Void in
      let first = try await database.value(Int.self, "SELECT pg_backend_pid()")
      let error = await postgreSQLError {
        try await database.run("SELECT pg_terminate_backend(pg_backend_pid())")
      }
      #expect(error?.code == .adminShutdown)
      #expect(error?.kind == .unavailable)
      let second = try await database.value(Int.self, "SELECT pg_backend_pid()")
      #expect(second != nil && second != first)
      // An idle connection that ends.
      let other = try await PostgreSQLConnection.connect(
        try #require(PostgreSQLTestServer.shared).configuration())
      try await other.run("SELECT pg_terminate_backend($1)", second ?? 0)
      try await Task.sleep(for: .milliseconds(200))
      let third = try await database.value(Int.self, "SELECT pg_backend_pid()")
      #expect(third != second)
      await other.close()
      #expect(database.statistics.connectionCount == 1)
    }
  }

  @Test func `close unused connections, and keep the minimum`() async throws {
    try await withDatabase {
      $0.maximumConnectionCount = 3
      $0.minimumConnectionCount = 1
      $0.maximumIdleTime = .milliseconds(200)
    } _: { (database) async throws -> Void in
      let processes = try await withThrowingTaskGroup(of: Int.self) { group in
        for _ in 0..<3 {
          group.addTask {
            try await database.value(Int.self, "SELECT pg_backend_pid() FROM pg_sleep(1)") ?? 0
          }
        }
        return try await group.reduce(into: Set<Int>()) { $0.insert($1) }
      }
      #expect(processes.count > 1)
      try await Task.sleep(for: .milliseconds(500))
      await database.maintain()
      #expect(database.statistics.connectionCount == 1)
    }
  }

  @Test func `replace old connections`() async throws {
    try await withDatabase {
      $0.maximumConnectionAge = .milliseconds(300)
    } _: { (database) async throws -> Void in
      let first = try await database.value(Int.self, "SELECT pg_backend_pid()")
      try await Task.sleep(for: .milliseconds(400))
      #expect(try await database.value(Int.self, "SELECT pg_backend_pid()") != first)
    }
  }

  @Test func `open the minimum number of connections`() async throws {
    try await withDatabase {
      $0.minimumConnectionCount = 2
    } _: { (database) async throws -> Void in
      await database.maintain()
      #expect(database.statistics == .init(connectionCount: 2, idleCount: 2, waitingCount: 0))
    }
  }

  @Test func `that are closed refuse further use`() async throws {
    try await withDatabase {
      $0.maximumConnectionCount = 1
    } _: { (database) async throws -> Void in
      let waiting = try await database.withConnection { connection in
        let waiting = Task { await postgreSQLError { try await database.run("SELECT 1") } }
        while database.statistics.waitingCount == 0 { try await Task.sleep(for: .milliseconds(5)) }
        database.close()
        // The access continues.
        #expect(try await connection.value(Int.self, "SELECT 1") == 1)
        return waiting
      }
      #expect(await waiting.value?.code == .closed)
      #expect(await postgreSQLError { try await database.run("SELECT 1") }?.code == .closed)
      #expect(database.statistics.connectionCount == 0)
    }
  }

  @Test func `do not lend a connection to a task after its access`() async throws {
    try await withDatabase { (database) async throws -> Void in
      let escaped = try await database.withConnection { $0 }
      let error = await postgreSQLError { try await escaped.run("SELECT 1") }
      #expect(error?.code == .accessEnded)
    }
  }

  @Test func `survive 10,000 cancelled tasks`() async throws {
    try await withDatabase {
      $0.maximumConnectionCount = 4
    } _: { (database) async throws -> Void in
      try await database.run("CREATE TABLE t (i int)")
      await withTaskGroup(of: Void.self) { group in
        for number in 0..<10_000 {
          group.addTask {
            let task = Task {
              if number % 3 == 0 { try await Task.sleep(for: .microseconds(number % 500)) }
              try await database.transaction { connection in
                try await connection.run("INSERT INTO t VALUES (1)")
                try await connection.run("DELETE FROM t")
              }
            }
            if number % 2 == 0 { await Task.yield() }
            task.cancel()
            _ = await task.result
          }
        }
      }
      #expect(try await database.value(Int.self, "SELECT count(*) FROM t") == 0)
      let open = try await database.value(
        Int.self,
        "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND state LIKE 'idle in transaction%'"
      )
      #expect(open == 0)
      #expect(database.statistics.waitingCount == 0)
      #expect(database.statistics.connectionCount <= 4)
    }
  }

  @Test func `stream rows with back-pressure`() async throws {
    try await withDatabase {
      $0.maximumConnectionCount = 1
    } _: { (database) async throws -> Void in
      var count = 0
      for try await number in database.rows(
        "SELECT generate_series(1, 100000)", decode: { try $0.read(Int.self, at: 0) })
      {
        count += 1
        #expect(number == count)
      }
      #expect(count == 100_000)
      #expect(database.statistics.idleCount == 1)
      // An iteration that ends early does not read the rest, which would take hours.
      for try await number in database.rows(
        "SELECT generate_series(1, 100000000000)", decode: { try $0.read(Int.self, at: 0) })
      {
        if number == 5 { break }
      }
      #expect(try await database.value(Int.self, "SELECT 1") == 1)
      let failing = database.rows(
        "SELECT 1 / (3 - i) FROM generate_series(1, 5) i", decode: { try $0.read(Int.self, at: 0) })
      let error = await postgreSQLError { for try await _ in failing {} }
      #expect(error?.code == .divisionByZero)
      let mismatched = database.rows("SELECT 'a'", decode: { try $0.read(Int.self, at: 0) })
      #expect(await postgreSQLError { for try await _ in mismatched {} }?.code == .typeMismatch)
      #expect(try await database.value(Int.self, "SELECT 1") == 1)
    }
  }

  @Test func `cancel a stream with its task`() async throws {
    try await withDatabase {
      $0.maximumConnectionCount = 1
    } _: { (database) async throws -> Void in
      let task = Task {
        for try await _ in database.rows("SELECT pg_sleep(60)", decode: { _ in 1 }) {}
      }
      try await Task.sleep(for: .milliseconds(200))
      task.cancel()
      let result = await task.result
      #expect(throws: CancellationError.self) { try result.get() }
      #expect(try await database.value(Int.self, "SELECT 1") == 1)
    }
  }

  @Test func `receive notifications`() async throws {
    try await withDatabase { (database) async throws -> Void in
      let notifications = try await database.listen(to: "jobs", "Other \"channel\"")
      try await database.run("SELECT pg_notify('jobs', i::text) FROM generate_series(1, 3) i")
      try await database.run("NOTIFY \"Other \"\"channel\"\"\"")
      var received: [String] = []
      for try await notification in notifications {
        received.append("\(notification.channel) \(notification.payload)")
        if received.count == 4 { break }
      }
      #expect(received == ["jobs 1", "jobs 2", "jobs 3", "Other \"channel\" "])
      let task = Task { for try await _ in notifications {} }
      try await Task.sleep(for: .milliseconds(100))
      task.cancel()
      let result = await task.result
      #expect(throws: CancellationError.self) { try result.get() }
      try await database.run(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"
      )
      let error = await postgreSQLError { for try await _ in notifications {} }
      #expect(error?.kind == .unavailable)
    }
  }
}
