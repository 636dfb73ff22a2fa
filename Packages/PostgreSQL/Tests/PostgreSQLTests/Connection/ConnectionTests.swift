import Foundation
import PostgreSQL
import PostgreSQLTesting
import Primitives
import Testing

@Suite(.needsServer, .timeLimit(.minutes(2))) struct `Connections` {
  @Test func `report why no host accepts them`() async throws {
    var configuration = PostgreSQLConfiguration(
      host: "/nonexistent-folder", database: "postgres", user: "postgres")
    configuration.hosts.append(.init("127.0.0.1", port: 1))
    configuration.hosts.append(.init("host.invalid"))
    configuration.password = "secret-password"
    let error = await postgreSQLError { try await PostgreSQLConnection.connect(configuration) }
    #expect(error?.code == .connectionFailed)
    #expect(error?.kind == .unavailable)
    for word in ["/nonexistent-folder", "127.0.0.1", "host.invalid"] {
      #expect(error?.message.contains(word) == true, "\(word)")
    }
    #expect(error?.message.contains("secret") == false)
  }

  @Test func `use the first host that accepts them, over TCP too`() async throws {
    let server = try #require(PostgreSQLTestServer.shared)
    var configuration = server.configuration()
    configuration.hosts = [.init("127.0.0.1", port: 1), .init("localhost", port: server.port)]
    let connection = try await PostgreSQLConnection.connect(configuration)
    #expect(try await connection.value(Int.self, "SELECT inet_server_port()") == server.port)
    #expect(try await connection.serverSetting("server_encoding") == "UTF8")
    await connection.close()
    let error = await postgreSQLError { try await connection.run("SELECT 1") }
    #expect(error?.code == .accessEnded)
  }

  @Test func `do not fall back to an unverified server`() async throws {
    let server = try #require(PostgreSQLTestServer.shared)
    var configuration = server.configuration()
    configuration.hosts = [.init("127.0.0.1", port: server.port)]
    configuration.tls = .verifyFull()
    let error = await postgreSQLError { try await PostgreSQLConnection.connect(configuration) }
    #expect(error?.code == .connectionFailed || error?.code == .invalidConfiguration)
  }

  @Test func `end at a deadline if the server does not answer`() async throws {
    // A socket that accepts connections, but never answers.
    let silent = try SilentServer()
    var configuration = PostgreSQLConfiguration(
      host: "127.0.0.1", port: silent.port, database: "x", user: "x")
    configuration.connectTimeout = .milliseconds(300)
    let start = ContinuousClock.now
    let error = await postgreSQLError { try await PostgreSQLConnection.connect(configuration) }
    #expect(error?.code == .connectionFailed)
    #expect(ContinuousClock.now - start < .seconds(30))
    // Cancelling ends it earlier.
    configuration.connectTimeout = .seconds(60)
    let chosen = configuration
    let task = Task { try await PostgreSQLConnection.connect(chosen) }
    try await Task.sleep(for: .milliseconds(100))
    task.cancel()
    let result = await task.result
    #expect(throws: CancellationError.self) { try result.get() }
  }

  @Test func `require the state of the server`() async throws {
    let server = try #require(PostgreSQLTestServer.shared)
    for target in PostgreSQLConfiguration.TargetSession.allCases {
      var configuration = server.configuration()
      configuration.targetSession = target
      let error = await postgreSQLError {
        let connection = try await PostgreSQLConnection.connect(configuration)
        await connection.close()
      }
      let isAccepted = [.any, .primary, .readWrite, .preferStandby].contains(target)
      #expect((error == nil) == isAccepted, "\(target)")
    }
  }

  @Test func `are configured by a URL`() throws {
    let configuration = try PostgreSQLConfiguration(
      url:
        "postgres://ada:p%40ss@db1:6000,db2:6001/shop?sslmode=verify-full&target_session_attrs=primary"
    )
    #expect(configuration.user == "ada")
    #expect(configuration.password == "p@ss")
    #expect(configuration.database == "shop")
    #expect(configuration.hosts == [.init("db1", port: 6_000), .init("db2", port: 6_001)])
    #expect(configuration.tls == .verifyFull())
    #expect(configuration.targetSession == .primary)
    for url in [
      "mysql://a", "postgres://h/d?sslmode=prefer", "postgres://h:0/d",
      "postgres://h/d?options=-csecret", "postgres://[::1",
    ] {
      let error = #expect(throws: PostgreSQLError.self) { try PostgreSQLConfiguration(url: url) }
      #expect(error?.code == .invalidConfiguration)
      #expect(error?.message.contains("secret") == false)
    }
  }

  @Test func `cancel the statement of a cancelled task`() async throws {
    let connection = try await PostgreSQLConnection.connect(
      try #require(PostgreSQLTestServer.shared).configuration())
    for query in ["SELECT pg_sleep(60)", "SELECT count(*) FROM generate_series(1, 100000000000)"] {
      let task = Task { try await connection.run(PostgreSQLQuery(unsafe: query)) }
      try await Task.sleep(for: .milliseconds(100))
      task.cancel()
      let result = await task.result
      #expect(throws: CancellationError.self) { try result.get() }
      #expect(try await connection.value(Int.self, "SELECT 1") == 1)
    }
    let cancelled = Task {
      while !Task.isCancelled { await Task.yield() }
      try await connection.run("CREATE TABLE never (i int)")
    }
    cancelled.cancel()
    let result = await cancelled.result
    #expect(throws: CancellationError.self) { try result.get() }
    await connection.close()
  }

  @Test func `cancel a statement at its deadline`() async throws {
    var configuration = try #require(PostgreSQLTestServer.shared).configuration()
    configuration.statementTimeout = .milliseconds(200)
    let connection = try await PostgreSQLConnection.connect(configuration)
    let error = await postgreSQLError { try await connection.run("SELECT pg_sleep(60)") }
    #expect(error?.code == .timedOut)
    #expect(error?.sql == "SELECT pg_sleep(60)")
    #expect(try await connection.value(Int.self, "SELECT 1") == 1)
    await connection.close()
  }

  @Test func `cancel a statement whose rows arrive without a pause`() async throws {
    var configuration = try #require(PostgreSQLTestServer.shared).configuration()
    configuration.statementTimeout = .milliseconds(300)
    let connection = try await PostgreSQLConnection.connect(configuration)
    let rows: PostgreSQLQuery = "SELECT generate_series(1, 2000000000)"
    let error = await postgreSQLError { try await connection.forEach(rows) { _ in } }
    #expect(error?.code == .timedOut)
    await connection.close()
    let unlimited = try await PostgreSQLConnection.connect(
      try #require(PostgreSQLTestServer.shared).configuration())
    let task = Task { try await unlimited.forEach(rows) { _ in } }
    try await Task.sleep(for: .milliseconds(300))
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(try await unlimited.value(Int.self, "SELECT 1") == 1)
    await unlimited.close()
  }

  @Test func `run the statements of several tasks in turn`() async throws {
    let connection = try await PostgreSQLConnection.connect(
      try #require(PostgreSQLTestServer.shared).configuration())
    let sum = try await withThrowingTaskGroup(of: Int.self) { group in
      for number in 1...200 {
        group.addTask { try await connection.value(Int.self, "SELECT $1::int", number) ?? 0 }
      }
      return try await group.reduce(0, +)
    }
    #expect(sum == 20_100)
    await connection.close()
  }

  @Test func `deliver notices`() async throws {
    let notices = Collected<PostgreSQLNotice>()
    var configuration = try #require(PostgreSQLTestServer.shared).configuration()
    configuration.onNotice = { notices.append($0) }
    let connection = try await PostgreSQLConnection.connect(configuration)
    try await connection.execute("DO $$ BEGIN RAISE WARNING 'careful'; END $$")
    #expect(notices.values.map(\.message) == ["careful"])
    #expect(notices.values.map(\.severity) == ["WARNING"])
    await connection.close()
  }

  @Test func `send and receive large values`() async throws {
    let connection = try await PostgreSQLConnection.connect(
      try #require(PostgreSQLTestServer.shared).configuration())
    let bytes = (0..<20_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    #expect(try await connection.value([UInt8].self, "SELECT $1::bytea", bytes) == bytes)
    await connection.close()
  }

  @Test func `report constraints and positions`() async throws {
    try await withDatabase { (database) async throws -> Void in
      try await database.execute(
        "CREATE TABLE team (id int PRIMARY KEY); CREATE TABLE player (name text NOT NULL CONSTRAINT player_name UNIQUE, team int REFERENCES team, age int CHECK (age > 0))"
      )
      try await database.run("INSERT INTO player VALUES ('Ada')")
      struct Case {
        var sql: String, kind: DataErrorKind, constraint: String? = nil, column: String? = nil
      }
      for test in [
        Case(
          sql: "INSERT INTO player VALUES ('Ada')", kind: .uniqueViolation,
          constraint: "player_name"),
        Case(sql: "INSERT INTO player VALUES (NULL)", kind: .notNullViolation, column: "name"),
        Case(
          sql: "INSERT INTO player VALUES ('a', 5)", kind: .foreignKeyViolation,
          constraint: "player_team_fkey"),
        Case(
          sql: "INSERT INTO player VALUES ('a', NULL, -77777)", kind: .checkViolation,
          constraint: "player_age_check"),
      ] {
        let error = await postgreSQLError {
          try await database.run(PostgreSQLQuery(unsafe: test.sql))
        }
        #expect(error?.kind == test.kind)
        #expect(error?.place.table == "player")
        #expect(error?.constraint == test.constraint)
        #expect(error?.column == test.column)
        #expect(error?.detail == nil)
        #expect(
          error.map { "\($0)".replacingOccurrences(of: test.sql, with: "").contains("77777") }
            == false)
      }
      let syntax = await postgreSQLError {
        try await database.run("SELECT 'ä' AS a,\n  nope FROM player")
      }
      #expect(syntax?.code == .undefinedColumn)
      #expect(syntax?.place.position == .init(byteOffset: 20, line: 2, column: 3))
      let text = await postgreSQLError {
        try await database.run("SELECT $1::text::int", "secret-value")
      }
      #expect(text?.code == .invalidTextRepresentation)
      #expect(text.map { "\($0)".contains("secret-value") } == false)
    }
  }

  @Test func `show values in errors only if that is chosen`() async throws {
    try await withDatabase {
      $0.showsValuesInErrors = true
    } _: { (database) async throws -> Void in
      let text = await postgreSQLError {
        try await database.run("SELECT $1::text::int", "secret-value")
      }
      #expect(text?.message.contains("secret-value") == true)
    }
  }
}

/// A listening socket that never answers.
final class SilentServer: Sendable {
  private let socket: Int32
  let port: Int

  init() throws {
    let (descriptor, port) = try ListeningSocket.open()
    socket = descriptor
    self.port = port
  }

  deinit { close(socket) }
}
