import Foundation
import PostgreSQL
import PostgreSQLTesting
import Testing

/// Cuts a connection at each n-th byte of a session, in both directions.
///
/// `HOLT_FAULTS=all` cuts at every byte.
@Suite(.needsServer, .serialized, .timeLimit(.minutes(10))) struct `Faults of connections` {
  /// A session with statements of each kind. Returns the values that it read.
  private func session(_ configuration: PostgreSQLConfiguration) async throws -> [String] {
    let connection = try await PostgreSQLConnection.connect(configuration)
    do {
      let result = try await statements(connection)
      await connection.close()
      return result
    } catch {
      await connection.close()
      throw error
    }
  }

  private func statements(_ connection: PostgreSQLConnection) async throws -> [String] {
    var read: [String] = []
    read += try await connection.values(
      String.self, "SELECT 'row ' || i FROM generate_series(1, 20) i")
    try await connection.transaction { connection in
      try await connection.run("INSERT INTO done VALUES ($1, 'a')", 1)
      _ = try? await connection.transaction { try await $0.run("SELECT 1/0") }
      try await connection.run("INSERT INTO done VALUES ($1, $2)", 2, "b")
    }
    let results = try await connection.pipeline(["SELECT \(5)::int", "SELECT \("x")::text"])
    read += try results[1].values(String.self)
    struct Row: PostgreSQLRowEncodable, Sendable {
      let number: Int
      func bind(to parameters: inout PostgreSQLParameters) throws(PostgreSQLError) {
        try parameters.bind(number)
        try parameters.bind("c")
      }
    }
    try await connection.copy(
      into: "done", columns: ["i", "t"], rows: (10..<30).map { Row(number: $0) })
    let copied = Collected<String>()
    try await connection.copyRows(of: "SELECT t FROM done ORDER BY i") {
      copied.append(try $0.read(at: 0))
    }
    return read + copied.values
  }

  /// The sets of rows that can exist after a session: each transaction took effect as a whole.
  private static let outcomes: [[Int]] = [[], [1, 2], [1, 2] + Array(10..<30)]

  @Test func `end in a typed error or success, wherever the connection is cut`() async throws {
    let server = try #require(PostgreSQLTestServer.shared)
    try await withDatabase { (database) async throws -> Void in
      try await database.run("CREATE TABLE done (i int PRIMARY KEY, t text)")
      let proxy = try CuttingProxy(to: server.port)
      defer { proxy.close() }
      var configuration = database.configuration
      configuration.hosts = [.init("127.0.0.1", port: proxy.port)]
      configuration.tls = .disabled
      configuration.connectTimeout = .seconds(10)
      configuration.cancellationTimeout = .seconds(2)
      configuration.statementTimeout = .seconds(20)
      proxy.setCut(.none)
      let expected = try await session(configuration)
      #expect(expected.count == 20 + 1 + 22)
      let total = proxy.forwardedBytes
      let isThorough = ProcessInfo.processInfo.environment["HOLT_FAULTS"] == "all"
      let step = isThorough ? 1 : 37
      var cuts: [CuttingProxy.Cut] = []
      for count in stride(from: 0, to: total.sent, by: step) { cuts.append(.afterSending(count)) }
      for count in stride(from: 0, to: total.received, by: step) {
        cuts.append(.afterReceiving(count))
      }
      var failures = 0
      for cut in cuts {
        try await database.run("DELETE FROM done")
        proxy.setCut(cut)
        do {
          let read = try await session(configuration)
          #expect(read == expected, "\(cut)")
        } catch let error as PostgreSQLError {
          failures += 1
          #expect(error.kind == .unavailable, "\(cut): \(error)")
        } catch {
          Issue.record("\(cut): \(error)")
        }
        // The server may not have ended a transaction yet.
        let deadline = ContinuousClock.now + .seconds(10)
        while try await database.value(
          Int.self,
          "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid() AND state <> 'idle'"
        ) != 0 {
          if ContinuousClock.now > deadline {
            Issue.record("\(cut): a transaction was leaked"); break
          }
          try await Task.sleep(for: .milliseconds(5))
        }
        let rows = try await database.values(Int.self, "SELECT i FROM done ORDER BY i")
        #expect(Self.outcomes.contains(rows), "\(cut)")
      }
      #expect(failures > cuts.count / 2)
    }
  }

  @Test func `lose no commit when the server is killed and starts again`() async throws {
    let server = try PostgreSQLTestServer()
    try await server.withDatabase {
      $0.maximumConnectionCount = 4
      $0.acquisitionTimeout = .seconds(10)
    } _: { database in
      try await database.run("CREATE TABLE t (i int PRIMARY KEY)")
      let acknowledged = Collected<Int>()
      let unknown = Collected<Int>()
      let errors = Collected<PostgreSQLError>()
      let stop = Counter()
      let writers = Task {
        await withTaskGroup(of: Void.self) { group in
          for writer in 0..<6 {
            group.addTask {
              var number = writer * 1_000_000
              while stop.value == 0 {
                number += 1
                let key = number
                do {
                  try await database.transaction {
                    try await $0.run("INSERT INTO t VALUES ($1)", key)
                  }
                  acknowledged.append(key)
                } catch let error as PostgreSQLError {
                  errors.append(error)
                  if error.code == .outcomeUnknown { unknown.append(key) }
                  try? await Task.sleep(for: .milliseconds(20))
                } catch {
                  Issue.record("\(error)")
                }
              }
            }
          }
        }
      }
      try await Task.sleep(for: .milliseconds(500))
      try server.stop()
      try await Task.sleep(for: .milliseconds(100))
      try server.start()
      try await Task.sleep(for: .milliseconds(500))
      let before = acknowledged.values.count
      try await Task.sleep(for: .milliseconds(500))
      stop.increment()
      await writers.value
      #expect(acknowledged.values.count > before)
      let rows = Set(try await database.values(Int.self, "SELECT i FROM t"))
      #expect(rows.isSuperset(of: acknowledged.values))
      #expect(rows.subtracting(acknowledged.values).isSubset(of: unknown.values))
      #expect(
        errors.values.allSatisfy { $0.kind == .unavailable },
        "\(Set(errors.values.map(\.code.rawValue)))")
      // Without a clean stop, too. With fsync off, the data is not checked.
      try server.kill()
      let error = await postgreSQLError { try await database.run("SELECT 1") }
      #expect(error?.kind == .unavailable)
      try server.start()
      var isBack = false
      for _ in 0..<100 where !isBack {
        isBack = (try? await database.value(Int.self, "SELECT 1")) == 1
        if !isBack { try await Task.sleep(for: .milliseconds(50)) }
      }
      #expect(isBack)
    }
  }

  @Test func `report an unknown outcome if the connection ends during COMMIT`() async throws {
    try await withDatabase { (database) async throws -> Void in
      try await database.execute(
        """
        CREATE TABLE t (i int);
        CREATE FUNCTION finish() RETURNS trigger LANGUAGE plpgsql AS
          $$ BEGIN PERFORM pg_terminate_backend(pg_backend_pid()); PERFORM pg_sleep(1); RETURN NULL; END $$;
        CREATE CONSTRAINT TRIGGER finish AFTER INSERT ON t DEFERRABLE INITIALLY DEFERRED
          FOR EACH ROW EXECUTE FUNCTION finish();
        """)
      let error = await postgreSQLError {
        try await database.transaction { try await $0.run("INSERT INTO t VALUES (1)") }
      }
      #expect(error?.code == .outcomeUnknown)
      #expect((error?.underlying as? PostgreSQLError)?.code == .adminShutdown)
    }
  }

  @Test func `treat hostile text as text`() async throws {
    try await withDatabase { (database) async throws -> Void in
      try await database.run("CREATE TABLE t (id int, v text)")
      let texts = [
        "'; DROP TABLE t; --", "\\'; DROP TABLE t; --", "$1", "$$", "\u{FEFF}", "\u{202E}abc",
        "%s%n", "\\x00",
        String(repeating: "a", count: 1_000_000), "\u{10FFFF}", "\r\n", "\\.", "NULL", "",
      ]
      for (number, text) in texts.enumerated() {
        try await database.run("INSERT INTO t VALUES (\(number), \(text))")
        let read = try await database.value(
          String.self, "SELECT v FROM t WHERE v = \(text) AND id = \(number)")
        #expect(read == text)
        #expect(
          try await database.value(String.self, "SELECT v FROM t WHERE id = $1", number) == text)
      }
      #expect(try await database.value(Int.self, "SELECT count(*) FROM t") == texts.count)
      let name = "a\"; DROP TABLE t; --"
      try await database.run("CREATE TABLE \(identifier: name) (i int)")
      struct One: PostgreSQLRowEncodable, Sendable {
        func bind(to parameters: inout PostgreSQLParameters) throws(PostgreSQLError) {
          try parameters.bind(1)
        }
      }
      try await database.copy(into: name, columns: ["i"], rows: [One()])
      #expect(try await database.value(Int.self, "SELECT count(*) FROM \(identifier: name)") == 1)
      let error = await postgreSQLError {
        try await database.copy(into: "t\0", columns: ["id"], rows: [One()])
      }
      #expect(error?.code == .misplacedInterpolation)
    }
  }
}
