import PostgreSQL
import Testing

private struct Stop: Error {}

@Suite(.needsServer, .timeLimit(.minutes(2))) struct `Transactions` {
  private func withTable(_ body: (PostgreSQLDatabase) async throws -> Void) async throws {
    try await withDatabase { (database) async throws -> Void in
      try await database.run("CREATE TABLE t (i int PRIMARY KEY)")
      try await body(database)
    }
  }

  private func rows(_ database: PostgreSQLDatabase) async throws -> [Int] {
    try await database.values(Int.self, "SELECT i FROM t ORDER BY i")
  }

  @Test func `are committed at their end, and rolled back by an error`() async throws {
    try await withTable { (database) async throws -> Void in
      let result = try await database.transaction { connection in
        try await connection.run("INSERT INTO t VALUES (1)")
        return "done"
      }
      #expect(result == "done")
      do {
        try await database.transaction { connection in
          try await connection.run("INSERT INTO t VALUES (2)")
          throw Stop()
        }
      } catch is Stop {}
      #expect(try await rows(database) == [1])
    }
  }

  @Test func `in a transaction are savepoints`() async throws {
    try await withTable { (database) async throws -> Void in
      try await database.transaction { connection in
        try await connection.run("INSERT INTO t VALUES (1)")
        do {
          try await connection.transaction { inner in
            try await inner.run("INSERT INTO t VALUES (2)")
            try await inner.run("INSERT INTO t VALUES (1)")
          }
          Issue.record("the duplicate was accepted")
        } catch let error as PostgreSQLError {
          #expect(error.code == .uniqueViolation)
        }
        _ = try await connection.transaction { try await $0.run("INSERT INTO t VALUES (3)") }
      }
      #expect(try await rows(database) == [1, 3])
    }
  }

  @Test(arguments: [true, false])
  func `prepare a statement again after a change of its type`(_ isResult: Bool) async throws {
    @Sendable func read(_ connection: PostgreSQLConnection) async throws -> [Int] {
      let query: PostgreSQLQuery = "SELECT i FROM t"
      return isResult
        ? try await connection.result(of: query).values(Int.self)
        : try await connection.values(Int.self, query)
    }
    try await withTable { (database) async throws -> Void in
      try await database.run("INSERT INTO t VALUES (7)")
      try await database.withConnection { connection in
        _ = try await read(connection)
        try await connection.transaction { connection in
          try await connection.run("ALTER TABLE t ALTER COLUMN i TYPE bigint")
          let error = await postgreSQLError {
            try await connection.transaction { try await read($0) }
          }
          #expect(error?.code == .featureNotSupported)
          // The server still has the statement by its name.
          #expect(try await read(connection) == [7])
          #expect(try await read(connection) == [7])
        }
        #expect(try await read(connection) == [7])
      }
    }
  }

  @Test func `that the server rolls back at COMMIT throw an error`() async throws {
    try await withTable { (database) async throws -> Void in
      let error = await postgreSQLError {
        try await database.transaction { connection in
          try await connection.run("INSERT INTO t VALUES (1)")
          _ = try? await connection.run("SELECT 1/0")
        }
      }
      #expect(error?.code == .transactionRolledBack)
      #expect(try await rows(database) == [])
    }
  }

  @Test func `that a statement ends throw an error`() async throws {
    try await withTable { (database) async throws -> Void in
      for end in ["ROLLBACK", "COMMIT"] {
        let error = await postgreSQLError {
          try await database.transaction { connection in
            try await connection.run("INSERT INTO t VALUES (1)")
            try await connection.run(PostgreSQLQuery(unsafe: end))
          }
        }
        #expect(error?.code == .transactionEnded)
      }
      #expect(try await rows(database) == [1])
    }
  }

  @Test func `that fail at COMMIT throw the server's error`() async throws {
    try await withTable { (database) async throws -> Void in
      try await database.run(
        "CREATE TABLE u (i int REFERENCES t DEFERRABLE INITIALLY DEFERRED)")
      let error = await postgreSQLError {
        try await database.transaction { try await $0.run("INSERT INTO u VALUES (5)") }
      }
      #expect(error?.code == .foreignKeyViolation)
      #expect(error?.kind == .foreignKeyViolation)
    }
  }

  @Test func `have the chosen isolation and access`() async throws {
    try await withTable { (database) async throws -> Void in
      for isolation in PostgreSQLTransactionOptions.Isolation.allCases {
        let options = PostgreSQLTransactionOptions(isolation: isolation)
        let name = try await database.transaction(options) {
          try await $0.value(String.self, "SELECT current_setting('transaction_isolation')")
        }
        #expect(name == isolation.rawValue.lowercased())
      }
      let error = await postgreSQLError {
        try await database.transaction(PostgreSQLTransactionOptions(isReadOnly: true)) {
          try await $0.run("INSERT INTO t VALUES (1)")
        }
      }
      #expect(error?.kind == .readOnly)
    }
  }

  @Test func `are repeated after a serialization failure if that is allowed`() async throws {
    try await withTable { (database) async throws -> Void in
      try await database.run("INSERT INTO t VALUES (0)")
      let attempts = Counter()
      let options = PostgreSQLTransactionOptions(isolation: .serializable, repetitions: 50)
      await withThrowingTaskGroup(of: Void.self) { group in
        for _ in 0..<4 {
          group.addTask {
            for _ in 0..<10 {
              try await database.transaction(options) { connection in
                attempts.increment()
                let sum = try await connection.value(Int.self, "SELECT max(i) FROM t") ?? 0
                try await connection.run("INSERT INTO t VALUES ($1)", sum + 1)
              }
            }
          }
        }
        // A duplicate key is the other way in which a concurrent insert shows itself.
        while let result = await group.nextResult() {
          if case .failure(let error) = result {
            #expect((error as? PostgreSQLError)?.code == .uniqueViolation)
          }
        }
      }
      let count = try await rows(database).count
      #expect(count > 1)
      #expect(try await rows(database) == Array(0..<count))
      let once = await postgreSQLError {
        try await database.transaction { _ in
          throw PostgreSQLError(code: .serializationFailure, message: "")
        }
      }
      #expect(once?.code == .serializationFailure)
    }
  }

  @Test func `repeat only as often as allowed`() async throws {
    try await withTable { (database) async throws -> Void in
      let attempts = Counter()
      _ = await postgreSQLError {
        try await database.transaction(PostgreSQLTransactionOptions(repetitions: 3)) { _ in
          attempts.increment()
          throw PostgreSQLError(code: .deadlockDetected, message: "")
        }
      }
      #expect(attempts.value == 4)
    }
  }

  @Test func `that are cancelled are rolled back`() async throws {
    try await withTable { (database) async throws -> Void in
      let task = Task {
        try await database.transaction { connection in
          try await connection.run("INSERT INTO t VALUES (1)")
          try await connection.run("SELECT pg_sleep(30)")
        }
      }
      try await Task.sleep(for: .milliseconds(200))
      task.cancel()
      let result = await task.result
      #expect(throws: CancellationError.self) { try result.get() }
      #expect(try await rows(database) == [])
      #expect(database.statistics.connectionCount <= 2)
    }
  }

  @Test func `changes settings until the end of a transaction`() async throws {
    try await withDatabase({ $0.maximumConnectionCount = 1 }) { database in
      let options = PostgreSQLTransactionOptions(
        isReadOnly: true, settings: ["app.user": "it's", "work_mem": "5MB"])
      for _ in 1...2 {
        let values = try await database.transaction(options) { connection in
          let user = try await connection.value(String.self, "SELECT current_setting('app.user')")
          return [user, try await connection.value(String.self, "SHOW work_mem")]
        }
        #expect(values == ["it's", "5MB"])
      }
      var rows: [String] = []
      let stream = database.rows(
        "SELECT current_setting('app.user') FROM generate_series(1, 300)", in: options
      ) { try $0.read(String.self, at: 0) }
      for try await row in stream { rows.append(row) }
      #expect(rows == Array(repeating: "it's", count: 300))
      #expect(try await database.value(String.self, "SHOW work_mem") == "4MB")
    }
  }

  @Test func `is not open if a setting is refused`() async throws {
    try await withDatabase { database in
      try await database.withConnection { connection in
        let options = PostgreSQLTransactionOptions(settings: ["work_mem": "much"])
        let error = await postgreSQLError { try await connection.transaction(options) { _ in } }
        #expect(error?.code.rawValue == "22023")
        try await connection.transaction { try await $0.run("SELECT 1") }
      }
    }
  }
}
