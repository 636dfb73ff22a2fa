import PostgreSQL
import PostgreSQLTesting
import QueryGenPostgreSQL
import Testing

@Suite(.enabled(if: PostgreSQLTestServer.isInstalled, "no PostgreSQL server is installed"))
struct `Migrations of PostgreSQL` {
  private let first = PostgreSQLMigration(
    name: "1", sql: "CREATE TABLE t (id int); INSERT INTO t VALUES (1)")
  private let second = PostgreSQLMigration(name: "2", sql: "ALTER TABLE t ADD name text")

  private func withDatabase(_ body: (PostgreSQLDatabase) async throws -> Void) async throws {
    try await #require(PostgreSQLTestServer.shared).withDatabase { try await body($0) }
  }

  @Test func `run once, in order`() async throws {
    try await withDatabase { (database) async throws -> Void in
      #expect(try await database.migrate([first]) == ["1"])
      #expect(try await database.migrate([first, second]) == ["2"])
      #expect(try await database.migrate([first, second]) == [])
      #expect(try await database.appliedMigrations() == ["1", "2"])
      #expect(try await database.values(Int.self, "SELECT id FROM t WHERE name IS NULL") == [1])
    }
  }

  @Test func `that fail are rolled back, and those before remain`() async throws {
    try await withDatabase { (database) async throws -> Void in
      let broken = PostgreSQLMigration(name: "2", sql: "INSERT INTO t VALUES (2); SELECT nothing")
      let error = try await #require(throws: PostgreSQLError.self) {
        try await database.migrate([first, broken])
      }
      #expect(error.code == .undefinedColumn)
      #expect(error.message.hasPrefix("migration 2: "))
      #expect(try await database.appliedMigrations() == ["1"])
      #expect(try await database.values(Int.self, "SELECT id FROM t") == [1])
      #expect(try await database.migrate([first, second]) == ["2"])
    }
  }

  @Test func `of a newer program are refused`() async throws {
    try await withDatabase { (database) async throws -> Void in
      try await database.migrate([first, second])
      let error = try await #require(throws: PostgreSQLError.self) {
        try await database.migrate([first])
      }
      #expect(error.code == .databaseIsNewer)
    }
  }

  @Test func `report changed SQL, but not white space and comments`() async throws {
    try await withDatabase { (database) async throws -> Void in
      try await database.migrate([first])
      let same = PostgreSQLMigration(
        name: "1", sql: "CREATE TABLE  t (id INT); -- comment\nINSERT INTO t VALUES (1)")
      #expect(
        try await database.migrationStatus(of: [same, second]).map(\.state) == [.applied, .pending])
      let changed = PostgreSQLMigration(name: "1", sql: "CREATE TABLE t (id bigint)")
      #expect(try await database.migrationStatus(of: [changed]).map(\.state) == [.changed])
      #expect(try await database.migrate([changed]) == [])
      let error = try await #require(throws: PostgreSQLError.self) {
        try await database.migrate([changed], refusingChanged: true)
      }
      #expect(error.code == .migrationChanged)
      #expect(try await database.migrationStatus(of: []).map(\.state) == [.unknown])
    }
  }

  @Test func `have unique names`() async throws {
    try await withDatabase { (database) async throws -> Void in
      for (list, last) in [([first, first], nil), ([first], "3")]
        as [([PostgreSQLMigration], String?)]
      {
        let error = try await #require(throws: PostgreSQLError.self) {
          try await database.migrate(list, upTo: last)
        }
        #expect(error.code == .invalidMigrations)
      }
      #expect(try await database.migrate([first, second], upTo: "1") == ["1"])
    }
  }

  @Test func `of several processes run once`() async throws {
    try await withDatabase { (database) async throws -> Void in
      let slow = (1...5).map { number in
        PostgreSQLMigration(name: "\(number)") { connection in
          try await connection.execute("CREATE TABLE IF NOT EXISTS log (n int)")
          try await connection.run("INSERT INTO log VALUES ($1)", number)
          try await connection.run("SELECT pg_sleep(0.02)")
        }
      }
      // Each has its own pool, as processes do.
      let runs = try await withThrowingTaskGroup(of: [String].self) { group in
        for _ in 0..<4 {
          let configuration = database.configuration
          group.addTask {
            let other = PostgreSQLDatabase(configuration)
            defer { other.close() }
            return try await other.migrate(slow)
          }
        }
        return try await group.reduce(into: []) { $0 += $1 }
      }
      #expect(runs.sorted() == ["1", "2", "3", "4", "5"])
      #expect(
        try await database.values(Int.self, "SELECT n FROM log ORDER BY n") == [1, 2, 3, 4, 5])
    }
  }

  @Test func `may change the search path, and can't end their transaction`() async throws {
    try await withDatabase { (database) async throws -> Void in
      let other = PostgreSQLMigration(
        name: "1", sql: "CREATE SCHEMA other; SET search_path TO other; CREATE TABLE t (id int)")
      #expect(try await database.migrate([other]) == ["1"])
      #expect(try await database.appliedMigrations() == ["1"])
      let ending = PostgreSQLMigration(name: "2", sql: "CREATE TABLE u (id int); COMMIT")
      let error = try await #require(throws: PostgreSQLError.self) {
        try await database.migrate([other, ending])
      }
      #expect(error.code == .transactionEnded)
      #expect(try await database.appliedMigrations() == ["1"])
    }
  }

  @Test func `report their progress`() async throws {
    try await withDatabase { (database) async throws -> Void in
      struct Stop: Error {}
      await #expect(throws: Stop.self) {
        try await database.migrate([first, second]) { progress in
          if progress.migration == "2", progress.phase == .began { throw Stop() }
        }
      }
      #expect(try await database.appliedMigrations() == ["1"])
    }
  }
}

@Suite struct `Dates and times of PostgreSQL` {
  @Test(arguments: ["2026-11-27", "0001-01-01", "-0044-03-15", "9999-12-31"])
  func `are written as they are read`(_ text: String) throws {
    #expect(try #require(PostgreSQLDate(text)).description == text)
  }

  @Test(arguments: [
    "2026-02-29", "2026-13-01", "26-01-01", "2026-1", "", "infinity", "2026-01-01x", "10000-01-01",
  ])
  func `that do not exist are refused`(_ text: String) {
    #expect(PostgreSQLDate(text) == nil)
  }

  @Test(arguments: ["00:00:00", "14:37:29.125", "23:59:59.999999", "24:00:00"])
  func `of day are written as they are read`(_ text: String) throws {
    #expect(try #require(PostgreSQLTime(text)).description == text)
  }

  @Test(arguments: ["24:00:01", "25:00:00", "12:60:00", "12:00", "12:00:00.1234567", ""])
  func `of day that do not exist are refused`(_ text: String) {
    #expect(PostgreSQLTime(text) == nil)
  }
}
