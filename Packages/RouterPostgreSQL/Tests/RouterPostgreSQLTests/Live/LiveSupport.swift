import Observe
import PostgreSQL
import PostgreSQLTesting
import Primitives
import Router
import RouterPostgreSQL
import SQLiteCore
import Testing

/// A server that decodes its log, shared by the tests of live routes.
///
/// Commits wait for the log to be written. Otherwise decoding waits for the server's log writer.
let liveServer: PostgreSQLTestServer? =
  PostgreSQLTestServer.isInstalled
  ? try? PostgreSQLTestServer(settings: [
    "wal_level": "logical", "synchronous_commit": "on", "max_replication_slots": "50",
    "max_wal_senders": "50",
  ]) : nil

/// A database with observed routes.
struct Live {
  let database: PostgreSQLDatabase
  let changes: PostgreSQLChangeSource
  let executor: PostgreSQLRouteExecutor
  /// The number of connections that reported changes.
  let connections: Counter

  /// Passes a new database with a schema to `body`, and expects that nothing remains of the observations.
  static func with(
    _ schema: String, on server: PostgreSQLTestServer? = liveServer,
    method: PostgreSQLChangeSource.Method = .automatic, schemas: [String] = ["public"],
    _ body: (Live) async throws -> Void
  ) async throws {
    try await #require(server).withDatabase { database in
      try await database.execute(PostgreSQLQuery(unsafe: schema))
      let connections = Counter()
      let changes = PostgreSQLChangeSource(database, method: method) { event in
        if case .connected = event { connections.increment() }
      }
      let live = Live(
        database: database, changes: changes,
        executor: PostgreSQLRouteExecutor(database, schemas: schemas, changes: changes),
        connections: connections)
      do {
        try await body(live)
      } catch {
        await changes.close()
        throw error
      }
      await changes.close()
      try await live.expectNothingRemains()
    }
  }

  /// Expects that the database has no slot, and no connection that reports changes.
  func expectNothingRemains() async throws {
    for _ in 0..<400 {
      let count = try await database.value(
        Int.self,
        """
        SELECT (SELECT count(*) FROM pg_replication_slots WHERE database = current_database())
          + (SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()
              AND (backend_type = 'walsender' OR query LIKE 'LISTEN%'))
        """)
      if count == 0 { return }
      try await Task.sleep(for: .milliseconds(20))
    }
    Issue.record("a slot or a connection remained")
  }

  /// Waits until changes are reported and no value is being fetched. First values do not wait long for the connection, and
  /// are fetched again if it is late.
  func waitUntilConnected() async throws {
    while connections.value == 0 { try await Task.sleep(for: .milliseconds(1)) }
    await changes.waitUntilIdle(includingConsumers: true)
  }

  func run(_ statements: String...) async throws {
    for sql in statements { try await database.execute(PostgreSQLQuery(unsafe: sql)) }
  }
}

/// An observation whose values a task collects.
final class Collector<Value: Sendable>: Sendable {
  private struct State {
    var values: [Value] = []
    var error: (any Error)?
    var isFinished = false
  }

  private let state = Mutex(State())
  private let task = Mutex<Task<Void, Never>?>(nil)

  init<Base: AsyncSequence & Sendable>(_ base: Base) where Base.Element == Value {
    let started = Task { [weak self] in
      do {
        var iterator = base.makeAsyncIterator()
        while let value = try await iterator.nextElement() {
          self?.state.withLock { $0.values.append(value) }
        }
      } catch {
        self?.state.withLock { $0.error = error }
      }
      self?.state.withLock { $0.isFinished = true }
    }
    task.withLock { $0 = started }
  }

  deinit { task.withLock { $0?.cancel() } }

  var values: [Value] { state.withLock { $0.values } }
  var last: Value? { state.withLock { $0.values.last } }
  var error: (any Error)? { state.withLock { $0.error } }

  /// Waits until the last value satisfies a condition; returns whether it does.
  @discardableResult
  func wait(
    _ limit: Duration = .seconds(20), until isExpected: (Value) -> Bool
  ) async -> Bool {
    let start = ContinuousClock.now
    while start.duration(to: .now) < limit {
      if let last, isExpected(last) { return true }
      if state.withLock({ $0.isFinished }) { return false }
      try? await Task.sleep(for: .milliseconds(1))
    }
    return false
  }

  /// Waits until there are more than `count` values; returns whether there are.
  func wait(_ limit: Duration = .seconds(20), forMoreThan count: Int) async -> Bool {
    let start = ContinuousClock.now
    while values.count <= count, start.duration(to: .now) < limit {
      try? await Task.sleep(for: .milliseconds(1))
    }
    return values.count > count
  }

  /// Waits for the end of the observation, and returns its error.
  func end(within limit: Duration = .seconds(20)) async -> (any Error)? {
    let start = ContinuousClock.now
    while !state.withLock({ $0.isFinished }), start.duration(to: .now) < limit {
      try? await Task.sleep(for: .milliseconds(1))
    }
    return error
  }

  func cancel() async {
    let task = task.withLock { $0 }
    task?.cancel()
    await task?.value
  }
}

/// A number that several tasks change.
final class Counter: Sendable {
  private let count = Mutex(0)

  func increment() { count.withLock { $0 += 1 } }

  var value: Int { count.withLock { $0 } }
}

/// A row of the table `todo`.
struct Todo: Codable, Hashable, Sendable {
  var id: Int
  var list: Int?
  var name: String?
  var size: Double?
}

extension Trait where Self == ConditionTrait {
  /// Skips tests if no server is installed.
  static var needsLiveServer: Self {
    .enabled(if: PostgreSQLTestServer.isInstalled, "no PostgreSQL server is installed")
  }
}
