import Foundation
import PostgreSQL
import PostgreSQLTesting
import Testing

/// A primary and its hot standby.
private struct Replication {
  let primary: PostgreSQLTestServer
  let standby: PostgreSQLTestServer

  init(primary: [String: String] = [:], standby: [String: String] = [:]) throws {
    self.primary = try PostgreSQLTestServer(settings: primary)
    self.standby = try PostgreSQLTestServer(standbyOf: self.primary, settings: standby)
  }

  /// The hosts in an order in which the standby is tried first.
  func configuration(
    _ target: PostgreSQLConfiguration.TargetSession = .primary
  ) -> PostgreSQLConfiguration {
    var configuration = primary.configuration()
    configuration.hosts = [standby, primary].map {
      PostgreSQLConfiguration.Host($0.folder, port: $0.port)
    }
    configuration.targetSession = target
    configuration.maximumConnectionCount = 4
    return configuration
  }

  func withDatabase<Result>(
    _ body: (PostgreSQLDatabase) async throws -> Result
  ) async throws -> Result {
    let database = PostgreSQLDatabase(configuration())
    defer { database.close() }
    return try await body(database)
  }
}

private let isStandby: PostgreSQLQuery = "SELECT pg_is_in_recovery()"

@Suite(.needsServer, .serialized) struct `Readers of a database with standbys` {
  @Test func `run on a standby, and the database on the primary`() async throws {
    let servers = try Replication()
    try await servers.withDatabase { (database) async throws -> Void in
      #expect(try await database.value(Bool.self, isStandby) == false)
      for consistency in [.eventual(), .afterOwnWrites(timeout: .seconds(20))]
        as [PostgreSQLReadConsistency]
      {
        #expect(try await database.reader(consistency).value(Bool.self, isStandby) == true)
      }
      #expect(try await database.reader(.primary).value(Bool.self, isStandby) == false)
    }
  }

  @Test func `refuse writes on every server`() async throws {
    let servers = try Replication()
    try await servers.withDatabase { (database) async throws -> Void in
      try await database.run("CREATE TABLE t (i int)")
      // The standby has the table then.
      _ = try await database.reader(.afterOwnWrites(timeout: .seconds(20)))
        .value(Int.self, "SELECT count(*) FROM t")
      for consistency in [.eventual(), .primary] as [PostgreSQLReadConsistency] {
        let error = await postgreSQLError {
          try await database.reader(consistency).run("INSERT INTO t VALUES (1)")
        }
        #expect(error?.code == .readOnlyTransaction)
      }
    }
  }

  @Test func `use the primary if there is no standby`() async throws {
    let server = try PostgreSQLTestServer()
    var configuration = server.configuration()
    configuration.targetSession = .primary
    let database = PostgreSQLDatabase(configuration)
    defer { database.close() }
    try await database.run("CREATE TABLE t (i int)")
    #expect(try await database.reader(.eventual()).value(Int.self, "SELECT count(*) FROM t") == 0)
  }

  @Test func `see own writes, on the standby if it replays them in time`() async throws {
    // Without the wait, a read that follows a write would miss it.
    let servers = try Replication(standby: ["recovery_min_apply_delay": "150ms"])
    try await servers.withDatabase { (database) async throws -> Void in
      try await database.run("CREATE TABLE t (i int)")
      _ = try await database.reader(.afterOwnWrites(timeout: .seconds(20)))
        .value(Int.self, "SELECT count(*) FROM t")
      var (staleCount, standbyCount, primaryCount) = (0, 0, 0)
      for number in 1...5 {
        try await database.run("INSERT INTO t VALUES ($1)", number)
        let stale = try await database.reader(.eventual()).value(Int.self, "SELECT count(*) FROM t")
        if stale != number { staleCount += 1 }
        let results: [(PostgreSQLReadConsistency, PostgreSQLReadConsistency)] = [
          (.afterOwnWrites(timeout: .milliseconds(1)), .primary),
          (.afterOwnWrites(timeout: .seconds(20)), .eventual()),
        ]
        for (consistency, expected) in results {
          let row = try #require(
            try await database.reader(consistency).fetchOne(
              Seen.self, "SELECT count(*), pg_is_in_recovery() FROM t"))
          #expect(row.count == number, "\(consistency)")
          #expect(row.isStandby == (expected != .primary), "\(consistency)")
          if row.isStandby { standbyCount += 1 } else { primaryCount += 1 }
        }
      }
      #expect(staleCount > 0, "the delay of the standby has no effect, so that this tests nothing")
      #expect(standbyCount == 5 && primaryCount == 5)
    }
  }

  @Test func `see the writes of an access that has not ended`() async throws {
    let servers = try Replication(standby: ["recovery_min_apply_delay": "100ms"])
    try await servers.withDatabase { (database) async throws -> Void in
      try await database.run("CREATE TABLE t (i int)")
      try await database.withConnection { connection in
        for number in 1...3 {
          try await connection.run("INSERT INTO t VALUES (1)")
          let count = try await database.reader(.afterOwnWrites())
            .value(Int.self, "SELECT count(*) FROM t")
          #expect(count == number)
        }
      }
    }
  }

  @Test func `use the primary while the standby lags more than the maximum`() async throws {
    let servers = try Replication()
    try await servers.withDatabase { (database) async throws -> Void in
      try await database.run("CREATE TABLE t (i int)")
      let current = PostgreSQLReadConsistency.afterOwnWrites(timeout: .seconds(20))
      _ = try await database.reader(current).value(Int.self, "SELECT count(*) FROM t")
      try servers.standby.psql(["SELECT pg_wal_replay_pause()"])
      while try servers.standby.psql(["SELECT pg_get_wal_replay_pause_state()"]) != "paused\n" {
        try await Task.sleep(for: .milliseconds(10))
      }
      try await database.run("INSERT INTO t VALUES (1)")
      try await Task.sleep(for: .milliseconds(300))
      let bounded = database.reader(.eventual(maximumLag: .milliseconds(200)))
      #expect(try await bounded.value(Int.self, "SELECT count(*) FROM t") == 1)
      #expect(try await bounded.value(Bool.self, isStandby) == false)
      let unbounded = database.reader(.eventual())
      #expect(try await unbounded.value(Int.self, "SELECT count(*) FROM t") == 0)
      try servers.standby.psql(["SELECT pg_wal_replay_resume()"])
      // The position that is older than the lag was replayed.
      var isStandbyUsed = false
      for _ in 0..<200 where !isStandbyUsed {
        try await Task.sleep(for: .milliseconds(20))
        isStandbyUsed = try await bounded.value(Bool.self, isStandby) ?? false
      }
      #expect(isStandbyUsed)
    }
  }
}

private struct Seen: PostgreSQLRowDecodable, Sendable {
  let count: Int
  let isStandby: Bool

  init(row: borrowing PostgreSQLRow) throws(PostgreSQLError) {
    count = try row.read(at: 0)
    isStandby = try row.read(at: 1)
  }
}

@Suite(.needsServer, .serialized) struct `A promotion` {
  @Test(.timeLimit(.minutes(3)))
  func `under load loses no acknowledged write, and the clients recover`() async throws {
    let servers = try Replication(
      primary: ["synchronous_commit": "on", "synchronous_standby_names": "*"])
    try await servers.withDatabase { (database) async throws -> Void in
      try await database.run("CREATE TABLE t (i int8 PRIMARY KEY)")
      let promotions = Counter()
      let lastID = Counter()
      let acknowledged = Collected<Int64>()
      let unknown = Collected<Int64>()
      let codes = Collected<PostgreSQLError.Code>()
      try await withThrowingTaskGroup(of: Void.self) { group in
        for _ in 0..<4 {
          group.addTask {
            var countAfterPromotion = 0
            while countAfterPromotion < 20 {
              let id = Int64(lastID.increment())
              let wasPromoted = promotions.value > 0
              do {
                try await database.transaction { connection in
                  try await connection.run("INSERT INTO t VALUES ($1)", id)
                }
                acknowledged.append(id)
                if wasPromoted { countAfterPromotion += 1 }
              } catch let error as PostgreSQLError {
                codes.append(error.code)
                if error.code == .outcomeUnknown { unknown.append(id) }
                try await Task.sleep(for: .milliseconds(10))
              }
            }
          }
        }
        // A reader, which the standby answers before and after its promotion.
        group.addTask {
          let reader = database.reader(.eventual())
          while promotions.value == 0 {
            _ = try await reader.value(Int.self, "SELECT count(*) FROM t")
            try await Task.sleep(for: .milliseconds(5))
          }
          _ = try await reader.value(Int.self, "SELECT count(*) FROM t")
        }
        try await Task.sleep(for: .milliseconds(300))
        try servers.primary.kill()
        try await Task.sleep(for: .milliseconds(100))
        try servers.standby.promote()
        promotions.increment()
        try await group.waitForAll()
      }
      let stored = Set(try await database.values(Int64.self, "SELECT i FROM t"))
      let lost = Set(acknowledged.values).subtracting(stored)
      #expect(lost.isEmpty, "\(lost.count) of \(acknowledged.values.count) writes were lost")
      // Every other row was not acknowledged, because its outcome was not known.
      #expect(stored.subtracting(acknowledged.values).isSubset(of: unknown.values))
      #expect(!codes.values.isEmpty)
      let expected: Set<PostgreSQLError.Code> = [
        .connectionLost, .connectionFailed, .outcomeUnknown, .adminShutdown, .crashShutdown,
        .cannotConnectNow, .readOnlyTransaction,
      ]
      #expect(Set(codes.values).isSubset(of: expected), "\(Set(codes.values))")
      // A session that began on the standby is not used for reads of standbys any more.
      #expect(try await database.reader(.eventual()).value(Bool.self, isStandby) == false)
    }
  }

  @Test(.timeLimit(.minutes(3)))
  func `replaces a primary that is restarted, also for new clients`() async throws {
    let servers = try Replication()
    var configuration = servers.configuration()
    // The old primary is tried first.
    configuration.hosts.reverse()
    for target in [.primary, .readWrite] as [PostgreSQLConfiguration.TargetSession] {
      configuration.targetSession = target
      let database = PostgreSQLDatabase(configuration)
      #expect(try await database.value(Bool.self, isStandby) == false)
      database.close()
    }
    configuration.targetSession = .primary
    let old = PostgreSQLDatabase(configuration)
    defer { old.close() }
    try await old.run("CREATE TABLE t (i int)")
    let port: PostgreSQLQuery = "SELECT current_setting('port')::int"
    #expect(try await old.value(Int.self, port) == servers.primary.port)
    _ = try await old.reader(.afterOwnWrites(timeout: .seconds(20))).value(Bool.self, isStandby)
    try servers.primary.stop()
    try servers.standby.promote()
    try servers.primary.start()
    let new = PostgreSQLDatabase(configuration)
    defer { new.close() }
    for database in [new, old] {
      var found: Int?
      // The first use of a connection that the server has ended can fail.
      for _ in 0..<3 where found == nil { found = try? await database.value(Int.self, port) }
      #expect(found == servers.standby.port)
    }
    // Without the promoted server, the old primary is still refused by clients that know it.
    try servers.standby.stop()
    _ = try? await old.value(Int.self, port)
    let error = await postgreSQLError { try await old.value(Int.self, port) }
    #expect(error?.code == .connectionFailed)
    #expect(error?.message.contains("timeline") == true)
  }
}
