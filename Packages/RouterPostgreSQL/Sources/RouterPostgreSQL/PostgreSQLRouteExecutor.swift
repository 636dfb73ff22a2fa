public import PostgreSQL
public import Router
public import SQLiteCore

/// Runs routes on a PostgreSQL database: reads as single statements, and writes in transactions.
///
/// ```swift
/// var executor = PostgreSQLRouteExecutor(PostgreSQLDatabase(configuration))
/// executor.limits.maximumRows = 1_000
/// executor.rowFilters["todos"] = DatabaseRoute.Column("owner").equals(user.id)
/// let todos = try await executor.values(Todo.self, for: .fetch(from: "todos", order: .ascending("name")))
/// ```
///
/// The tables of the schemas are read when the first route runs, and again if the server reports that one is missing or
/// has changed, or after a minute. Statements are cached by the structure of their routes. Copies of an executor share the
/// caches.
///
/// A write that another transaction makes impossible (a serialization failure or a deadlock) is repeated a few times.
/// Errors of the server that are no constraint violation and no fault of the route are `PostgreSQLError`s.
public struct PostgreSQLRouteExecutor: DatabaseRouteExecutor {
  enum Target: Sendable {
    case database(PostgreSQLDatabase)
    /// A connection in a transaction with a session, in which each route is a savepoint.
    case transaction(PostgreSQLConnection, PostgreSQLRouteSession?)
  }

  let target: Target
  let catalogs: CatalogStore
  private(set) var settings = RouteSettings()
  /// The source of the changes that observed routes depend on. Copies of an executor share it.
  public let changes: PostgreSQLChangeSource
  private var filters: [DatabaseRoute.Table: DatabaseRoute.Filter] = [:]

  /// The role and the settings of the routes on the server; `nil` for the role and settings of the
  /// database's connections.
  ///
  /// Routes of a transaction have the session with which the transaction began.
  public var session: PostgreSQLRouteSession?

  /// Creates an executor.
  ///
  /// - Parameters:
  ///   - database: The database.
  ///   - schemas: The schemas whose tables routes can use. The first one is the schema of tables that are named without one.
  ///   - changes: The source of the changes that observed routes depend on; `nil` for a source with the defaults. It must be
  ///     a source of the same database.
  public init(
    _ database: PostgreSQLDatabase, schemas: [String] = ["public"],
    changes: PostgreSQLChangeSource? = nil
  ) {
    target = .database(database)
    self.changes = changes ?? PostgreSQLChangeSource(database)
    catalogs = CatalogStore(schemas: schemas)
  }

  private init(_ connection: PostgreSQLConnection, of executor: Self, _ catalogs: CatalogStore) {
    target = .transaction(connection, executor.session)
    session = executor.session
    changes = executor.changes
    self.catalogs = catalogs
    settings = executor.settings
    // What the transaction reads about the schema is valid only within it.
    settings.cache = StatementCache()
    filters = executor.filters
  }

  /// The decoder that converts rows to values.
  public var decoder: RowDecoder {
    get { settings.decoder }
    set { settings.decoder = newValue }
  }

  public var limits: DatabaseRoute.Limits {
    get { settings.limits }
    set { settings.limits = newValue }
  }

  public var policies: [DatabaseRoute.Policy] {
    get { settings.policies }
    set { settings.policies = newValue }
  }

  /// Filters that restrict the rows of a table that routes may read, change or produce: see
  /// `SQLiteRouteExecutor.rowFilters`. A filter for a name without a schema applies to the first schema.
  public var rowFilters: [DatabaseRoute.Table: DatabaseRoute.Filter] {
    get { filters }
    set {
      filters = newValue
      // Routes and foreign keys name a table of the first schema with or without it.
      guard let first = catalogs.schemas.first else { return }
      var all: [DatabaseRoute.Table: DatabaseRoute.Filter] = [:]
      for (table, filter) in newValue {
        let isFirst = table.schema == nil || table == .init(table.name, schema: first)
        let names =
          isFirst
          ? [DatabaseRoute.Table(table.name), DatabaseRoute.Table(table.name, schema: first)]
          : [table]
        for name in names { all[name] = all[name].map { .and([$0, filter]) } ?? filter }
      }
      settings.rowFilters = all
    }
  }

  // MARK: RouteExecutor

  public func run(_ route: DatabaseRoute) async throws -> DatabaseRoute.Response {
    try await perform([route]) { try await $0.response(to: route) }
  }

  public func values<Value: Decodable & Sendable>(
    _ type: Value.Type, for route: DatabaseRoute, expecting expectation: DatabaseRoute.Expectation?
  ) async throws -> [Value] {
    let route = route.returning(.representation)
    return try await perform([route]) {
      try await $0.values(type, for: route, expecting: expectation)
    }
  }

  public func run(_ routes: [DatabaseRoute]) async throws -> [DatabaseRoute.Response] {
    try await perform(routes) { runner in
      var responses: [DatabaseRoute.Response] = []
      for route in routes { responses.append(try await runner.response(to: route)) }
      return responses
    }
  }

  public func values<Value: Decodable & Sendable>(
    _ type: Value.Type, forEach routes: [DatabaseRoute],
    expecting expectation: DatabaseRoute.Expectation?
  ) async throws -> [[Value]] {
    let routes = routes.map { $0.returning(.representation) }
    return try await perform(routes) { runner in
      var values: [[Value]] = []
      for route in routes {
        values.append(try await runner.values(type, for: route, expecting: expectation))
      }
      return values
    }
  }

  // MARK: DatabaseRouteExecutor

  public func transaction<Result: Sendable>(
    _ body: @Sendable (any RouteExecutor) async throws -> Result
  ) async throws -> Result {
    let snapshot = try await catalogs.snapshot(on: access, maximumAge: Self.maximumAge)
    let store = CatalogStore(schemas: catalogs.schemas, snapshot)
    do {
      return try await transaction { connection in
        try await body(PostgreSQLRouteExecutor(connection, of: self, store))
      }
    } catch let error as PostgreSQLError {
      throw Self.unwrapped(snapshot.error(error, of: nil))
    }
  }

  /// Runs a route, returns its result, and rolls it back. Constraints that are deferred are checked. Numbers that
  /// sequences have generated are not generated again.
  public func dryRun(_ route: DatabaseRoute) async throws -> DatabaseRoute.Response {
    struct Undo: Error { let response: DatabaseRoute.Response }
    guard !route.isReadOnly else { return try await run(route) }
    do {
      return try await perform([route], isAtomic: true) { runner in
        let response = try await runner.response(to: route)
        do {
          try await runner.connection.run("SET CONSTRAINTS ALL IMMEDIATE")
        } catch {
          throw runner.catalogs.error(error, of: route)
        }
        throw Undo(response: response)
      }
    } catch let undo as Undo {
      return undo.response
    }
  }

  public func countedValues<Value: Decodable & Sendable>(
    _ type: Value.Type, for route: DatabaseRoute, counting: DatabaseRoute.Counting
  ) async throws -> (values: [Value], total: DatabaseRoute.RowCount) {
    let count = try route.countingRows(counting)
    return try await perform([route, count]) { runner in
      let values = try await runner.values(type, for: route, expecting: nil)
      let total = try await runner.values(
        DatabaseRoute.RowCount.self, for: count, expecting: nil)
      return (values, total.first ?? DatabaseRoute.RowCount(0))
    }
  }

  /// PostgreSQL's plan for a route.
  public struct Plan: Hashable, Sendable, CustomStringConvertible {
    /// The lines of `EXPLAIN`.
    public let lines: [String]

    public var description: String { lines.joined(separator: "\n") }
  }

  public func explain(_ route: DatabaseRoute) async throws -> Plan {
    try await perform([route], isReading: true) { runner in
      do {
        let (sql, values) = try runner.preview(route)
        return Plan(lines: try await runner.result("EXPLAIN \(sql)", values).values(String.self))
      } catch {
        throw runner.catalogs.error(error, of: route)
      }
    }
  }

  /// Returns the rows of a route as values, which are received while they are consumed.
  ///
  /// - Parameters:
  ///   - type: The type of each row's value.
  ///   - route: A route that fetches.
  ///   - batchSize: Not used: the client reads the rows that have arrived, at most 128 together.
  /// - Throws: The same errors as ``run(_:)-(DatabaseRoute)``; `RouterError` with code `unsupported` in a transaction.
  public func stream<Value: Decodable & Sendable>(
    _ type: Value.Type, for route: DatabaseRoute, batchSize: Int
  ) async throws -> DatabaseRoute.RowStream<Value> {
    guard case .database(let database) = target else {
      throw RouterError(code: .unsupported, message: "a transaction can't stream rows").of(route)
    }
    guard route.method == .fetch else {
      throw RouterError(
        code: .invalidRoute, message: "only the rows of a fetch can be streamed"
      ).of(route)
    }
    let (statement, reader, snapshot) = try await perform([route]) { runner in
      do {
        let statement = try runner.selection(RoutePlan(route, settings: runner.settings))
        let reader = try RouteRowReader(route, in: runner.catalog(of: route))
        return ((statement.text.sql, statement.values), reader, runner.catalogs)
      } catch {
        throw runner.catalogs.error(error, of: route)
      }
    }
    let decoder = settings.decoder
    let options = session.map {
      PostgreSQLTransactionOptions(isReadOnly: true, settings: $0.all)
    }
    let rows = database.rows(
      PostgreSQLQuery(unsafe: statement.0), values: statement.1.map(RouteArgument.init), in: options
    ) { row in
      try DatabaseRoute.Response(
        columns: reader.columns(row.columnNames), rows: [reader.row(row)]
      ).values(type, of: route, with: decoder)
    }
    return DatabaseRoute.RowStream(of: route, limits: limits) {
      var iterator = rows.makeAsyncIterator()
      return {
        do {
          return try await iterator.next()?.first
        } catch {
          throw Self.unwrapped(snapshot.error(error, of: route))
        }
      }
    }
  }

  // MARK: Running

  /// The age at which the tables are read again.
  static let maximumAge = Duration.seconds(60)

  private var access: any PostgreSQLAccess {
    switch target {
    case .database(let database): database
    case .transaction(let connection, _): connection
    }
  }

  /// Runs `body` with a runner for routes, a second time if the tables have changed.
  ///
  /// - Parameters:
  ///   - routes: The routes that `body` runs.
  ///   - isAtomic: Whether a single write must be in a transaction even if it is one statement.
  ///   - isReading: Whether `body` writes nothing, even if the routes do.
  private func perform<Output: Sendable>(
    _ routes: [DatabaseRoute], isAtomic: Bool = false, isReading: Bool = false,
    _ body: @Sendable (PostgreSQLRouteRunner) async throws -> Output
  ) async throws -> Output {
    // The guard against changes of whole tables depends on the columns.
    let isGuarded = routes.contains {
      ($0.method == .update || $0.method == .delete) && $0.filter != .all
    }
    var snapshot = try await catalogs.snapshot(
      on: access, maximumAge: isGuarded ? .seconds(1) : Self.maximumAge)
    var isRepeated = false
    while true {
      do {
        return try await run(
          routes, snapshot, isAtomic: isAtomic, isReading: isReading, body)
      } catch let error as StaleCatalogError {
        if isRepeated { throw error.error }
        isRepeated = true
        snapshot = try await catalogs.read(on: access)
      } catch {
        // Deferred constraints are checked at commit.
        throw Self.unwrapped(snapshot.error(error, of: routes.count == 1 ? routes[0] : nil))
      }
    }
  }

  private func run<Output: Sendable>(
    _ routes: [DatabaseRoute], _ snapshot: CatalogStore.Snapshot, isAtomic: Bool, isReading: Bool,
    _ body: @Sendable (PostgreSQLRouteRunner) async throws -> Output
  ) async throws -> Output {
    let (settings, session) = (settings, session)
    let isReading = isReading || routes.allSatisfy(\.isReadOnly)
    @Sendable func run(
      _ connection: PostgreSQLConnection, _ isInTransaction: Bool
    ) async throws -> Output {
      try await body(
        PostgreSQLRouteRunner(
          connection: connection, catalogs: snapshot, settings: settings, session: session,
          isInTransaction: isInTransaction, isReading: isReading))
    }
    switch target {
    case .transaction(let connection, let current):
      guard session == current else {
        throw RouterError(
          code: .unsupported, message: "the session can't change within a transaction")
      }
      return try await connection.transaction { try await run($0, true) }
    case .database(let database):
      if routes.count <= 1, !isAtomic, isReading || routes.allSatisfy(isSingleStatement) {
        return try await database.withConnection { try await run($0, false) }
      }
      var options =
        isReading
        ? PostgreSQLTransactionOptions(isolation: .repeatableRead, isReadOnly: true)
        : PostgreSQLTransactionOptions(repetitions: 5)
      options.settings = session?.all ?? [:]
      return try await database.transaction(options) { try await run($0, true) }
    }
  }

  private func transaction<Result: Sendable>(
    _ body: @Sendable (PostgreSQLConnection) async throws -> Result
  ) async throws -> Result {
    switch target {
    case .database(let database):
      try await database.transaction(
        PostgreSQLTransactionOptions(settings: session?.all ?? [:]), body)
    case .transaction(let connection, _):
      try await connection.transaction(PostgreSQLTransactionOptions(), body)
    }
  }

  /// Returns whether a write is one statement whose result is accepted in any case.
  private func isSingleStatement(_ route: DatabaseRoute) -> Bool {
    (route.method == .insert || route.method == .upsert) && route.values.count == 1
      && route.returning == .minimal && route.expectation == nil
      && settings.limits.maximumAffected == nil && settings.rowFilters[route.table] == nil
  }

  private static func unwrapped(_ error: any Error) -> any Error {
    (error as? StaleCatalogError)?.error ?? error
  }
}

extension PostgreSQLRouteRunner {
  /// Runs a route, and returns its rows as values.
  fileprivate func values<Value: Decodable>(
    _ type: Value.Type, for route: DatabaseRoute, expecting expectation: DatabaseRoute.Expectation?
  ) async throws -> [Value] {
    try await response(to: route, expecting: expectation)
      .values(type, of: route, with: settings.decoder)
  }
}
