public import Observe
internal import PostgreSQL
internal import Primitives
public import Router
internal import SQLiteCore

extension PostgreSQLRouteExecutor: LiveRouteExecutor {
  /// Observes the rows that a route reads, as values.
  ///
  /// The route runs again after commits that change a table that it reads, directly or by a view or a policy of row-level
  /// security. With replication, a commit that changes only other columns, or only rows that the route's filter and the
  /// row filters exclude, does not affect it. Equal routes that are affected by one commit run once for all observers
  /// that use copies of one executor. Custom routes run again after every commit, unless they declare their tables by `reading(_:)`.
  ///
  /// The iteration throws `RouterError` with code `invalidRoute` for a route that writes, and with code `unsupported` in
  /// a transaction, if the server can't report changes, or if it does not report the changes of a table: see
  /// ``PostgreSQLChangeSource``.
  public func observe<Value: Decodable & Sendable>(
    _ type: Value.Type, for route: DatabaseRoute, expecting expectation: DatabaseRoute.Expectation?
  ) -> DatabaseRoute.Observation<[Value]> {
    do throws(RouterError) {
      return DatabaseRoute.Observation(
        try observation(of: type, for: route, expecting: expectation))
    } catch {
      return DatabaseRoute.Observation(throwing: error)
    }
  }

  /// Observes the rows that a route reads, as an observation of Observe, which supports differences, throttling and
  /// publishers.
  ///
  /// ```swift
  /// let todos = try executor.observation(of: Todo.self, for: .fetch(from: "todos"))
  /// for try await change in todos.differences(by: \.id) { apply(change) }
  /// ```
  ///
  /// - Throws: `RouterError`, as the iteration of ``observe(_:for:expecting:)``.
  public func observation<Value: Decodable & Sendable>(
    of type: Value.Type = Value.self, for route: DatabaseRoute,
    expecting expectation: DatabaseRoute.Expectation? = nil
  ) throws(RouterError) -> ValueObservation<[Value]> {
    guard case .database = target else {
      throw RouterError(
        code: .unsupported, message: "routes can't be observed in a transaction"
      ).of(route)
    }
    guard route.isReadOnly else {
      throw RouterError(
        code: .invalidRoute, message: "only a route that reads can be observed"
      ).of(route)
    }
    let live = PostgreSQLLiveRoute<Value>(route, expecting: expectation, executor: self)
    return changes.observe(trackingRegion: { try await live.fetch($0, &$1) })
      .shared(by: live.key).named(route.description)
  }
}

/// A route that runs repeatedly, and determines its region each time.
private final class PostgreSQLLiveRoute<Value: Decodable & Sendable>: Sendable {
  /// Identifies equal routes that return the same values.
  struct Key: Hashable, Sendable {
    let route: DatabaseRoute
    let expectation: DatabaseRoute.Expectation?
    let settings: ObjectIdentifier
    let catalogs: ObjectIdentifier
    let session: PostgreSQLRouteSession?
  }

  private let route: DatabaseRoute
  private let expectation: DatabaseRoute.Expectation?
  private let executor: PostgreSQLRouteExecutor
  /// Indicates whether the last fetch failed because of a possible change of the schema.
  private let isRepeating = Atomic(false)
  /// The number of schema changes that the source had reported when the tables were read.
  private let schemaVersion: Atomic<Int>

  init(
    _ route: DatabaseRoute, expecting expectation: DatabaseRoute.Expectation?,
    executor: PostgreSQLRouteExecutor
  ) {
    self.route = route
    self.expectation = expectation
    self.executor = executor
    schemaVersion = Atomic(executor.changes.schemaVersion)
  }

  var key: Key {
    Key(
      route: route, expectation: expectation, settings: executor.settings.identity,
      catalogs: ObjectIdentifier(executor.catalogs), session: executor.session)
  }

  /// Runs the route, and sets the region that its values depend on.
  func fetch(_ connection: PostgreSQLConnection, _ region: inout Region) async throws -> [Value] {
    do {
      let values = try await run(on: connection, &region)
      isRepeating.store(false, ordering: .relaxed)
      return values
    } catch let error as StaleCatalogError {
      // The failure has ended the transaction.
      guard !isRepeating.exchange(true, ordering: .relaxed) else {
        isRepeating.store(false, ordering: .relaxed)
        throw error.error
      }
      // The next fetch reads the tables again.
      schemaVersion.store(-1, ordering: .releasing)
      throw RepeatableFetchError()
    }
  }

  private func run(
    on connection: PostgreSQLConnection, _ region: inout Region
  ) async throws -> [Value] {
    let version = executor.changes.schemaVersion
    let isKnown = schemaVersion.exchange(version, ordering: .acquiringAndReleasing) == version
    let snapshot = try await executor.catalogs.snapshot(
      on: connection, maximumAge: isKnown ? PostgreSQLRouteExecutor.maximumAge : .zero)
    let runner = PostgreSQLRouteRunner(
      connection: connection, catalogs: snapshot, settings: executor.settings,
      session: executor.session, isInTransaction: true, isReading: true)
    let plan: RoutePlan
    let wholeTables: Region
    do {
      plan = try RoutePlan(route, expecting: expectation, settings: runner.settings)
      (region, wholeTables) = try await self.region(of: plan, runner)
    } catch {
      throw snapshot.error(error, of: route)
    }
    do {
      return try await runner.withSession { try await $0.response(of: plan) }
        .values(Value.self, of: route, with: executor.settings.decoder)
    } catch {
      // The server may have failed on a row that the filter excludes.
      region = region.union(wholeTables)
      throw error
    }
  }

  /// Returns the region of the route, and its tables.
  private func region(
    of plan: RoutePlan, _ runner: PostgreSQLRouteRunner
  ) async throws -> (Region, Region) {
    let catalog = try runner.catalog(of: route)
    let read = try plan.region(in: catalog)
    guard let tables = read.tables else { return (.everything, .everything) }
    let found = try await executor.changes.dependencies(of: tables, on: runner.connection)
    if found.callsFunctions { return (.everything, .everything) }
    let region =
      try found.securedTables.isEmpty
      ? read : plan.region(in: catalog, wholeRowsOf: found.securedTables)
    let others = found.tables.subtracting(tables)
    let wholeTables = found.tables.union(tables).reduce(Region.nothing) { $0.union(.table($1)) }
    return (others.reduce(region) { $0.union(.table($1)) }, wholeTables)
  }
}
