public import SQLiteCore

/// Runs routes on an SQLite database: reads on its readers, and each write in a transaction of its writer.
///
/// ```swift
/// let database = try Database(path: path)
/// var executor = SQLiteRouteExecutor(database)
/// executor.limits.maximumRows = 1_000
/// executor.rowFilters["todos"] = DatabaseRoute.Column("owner").equals(user.id)
/// let todos = try await executor.values(Todo.self, for: .fetch(from: "todos", order: .ascending("name")))
/// ```
///
/// Statements are cached by the structure of their routes: routes that differ only in values share a statement. Copies
/// of an executor share the cache.
public struct SQLiteRouteExecutor: RouteExecutor {
  let reader: any DatabaseReader
  private let writer: (any DatabaseWriter)?
  var settings = RouteSettings()

  /// Creates an executor that reads and writes.
  public init(_ database: any DatabaseWriter) {
    reader = database
    writer = database
  }

  /// Creates a read-only executor. A route that writes throws ``RouterError/Code/readOnly``.
  public init(readingFrom reader: any DatabaseReader) {
    self.reader = reader
    writer = nil
  }

  /// The decoder that converts rows to values.
  public var decoder: RowDecoder {
    get { settings.decoder }
    set { settings.decoder = newValue }
  }

  /// The limits for the size of routes, and for the number of rows that they read or write.
  public var limits: DatabaseRoute.Limits {
    get { settings.limits }
    set { settings.limits = newValue }
  }

  /// The policies that check each route before it runs, in this order.
  public var policies: [DatabaseRoute.Policy] {
    get { settings.policies }
    set { settings.policies = newValue }
  }

  /// Filters that restrict the rows of a table that routes may read, change or produce. Tables without a filter are not
  /// restricted.
  ///
  /// A route reads no other rows, not even as embedded rows. A write that would produce another row throws
  /// ``RouterError/Code/refused`` and is rolled back. Custom routes are rejected altogether, because their SQL could
  /// read any row. Views and triggers are not analyzed: add filters for views, too. A table of an attached database is
  /// named with its schema: see ``DatabaseRoute/Table/init(_:schema:)``.
  public var rowFilters: [DatabaseRoute.Table: DatabaseRoute.Filter] {
    get { settings.rowFilters }
    set { settings.rowFilters = newValue }
  }

  // MARK: RouteExecutor

  public func run(_ route: DatabaseRoute) async throws -> DatabaseRoute.Response {
    try await access(route) { try $0.response(route) }
  }

  public func values<Value: Decodable & Sendable>(
    _ type: Value.Type, for route: DatabaseRoute, expecting expectation: DatabaseRoute.Expectation?
  ) async throws -> [Value] {
    let settings = settings
    let route = route.returningRows
    guard route.isReadOnly else {
      return try await access(route) { try $0.values(type, for: route, expecting: expectation) }
    }
    // Not by `access`, to avoid nested closures in the most common case.
    return try await reader.read { connection -> sending [Value] in
      try RouteRunner(connection: connection, settings: settings)
        .values(type, for: route, expecting: expectation)
    }
  }

  public func run(_ routes: [DatabaseRoute]) async throws -> [DatabaseRoute.Response] {
    try await runEach(routes) { try $0.response($1) }
  }

  public func values<Value: Decodable & Sendable>(
    _ type: Value.Type, forEach routes: [DatabaseRoute],
    expecting expectation: DatabaseRoute.Expectation?
  ) async throws -> [[Value]] {
    try await runEach(routes.map(\.returningRows)) {
      try $0.values(type, for: $1, expecting: expectation)
    }
  }

  // MARK: Additional operations

  public func countedValues<Value: Decodable & Sendable>(
    _ type: Value.Type, for route: DatabaseRoute,
    counting: DatabaseRoute.Counting
  ) async throws -> (values: [Value], total: DatabaseRoute.RowCount) {
    let count = try route.countingRows(counting)
    let decoder = settings.decoder
    return try await access(route) { runner in
      let values = try runner.run(route, DecodedRows<Value>(decoder: decoder)).values
      let total = try runner.run(count, DecodedRows<DatabaseRoute.RowCount>(decoder: RowDecoder()))
        .values.first
      return (values, total ?? DatabaseRoute.RowCount(0))
    }
  }

  /// Runs several routes and the code between them in one write transaction.
  ///
  /// ```swift
  /// try await executor.transaction { routes in
  ///   let todo = try routes.value(Todo.self, for: .fetchOne(id: 3, from: "todos"))
  ///   try routes.run(.insert(todo, into: "archive"))
  ///   try routes.run(.delete(id: 3, from: "todos"))
  /// }
  /// ```
  ///
  /// - Throws: The error of `body`; then nothing is written.
  public func transaction<Result: Sendable>(
    _ body: @escaping @Sendable (RouteTransaction) throws -> Result
  ) async throws -> Result {
    guard let writer else { throw Self.readOnly() }
    let settings = settings
    return try await writer.write { connection in
      var runner = RouteRunner(connection: connection, settings: settings)
      try runner.recordSchemaVersion()
      return try body(RouteTransaction(runner))
    }
  }

  /// Runs a route, returns its result, and rolls it back.
  ///
  /// SQLite's checks at commit, such as deferred foreign keys, are not performed.
  ///
  /// - Throws: The same errors as ``RouteExecutor/run(_:)-(DatabaseRoute)``.
  public func dryRun(_ route: DatabaseRoute) async throws -> DatabaseRoute.Response {
    struct Undo: Error { let response: DatabaseRoute.Response }
    guard !route.isReadOnly else { return try await run(route) }
    do {
      return try await access(route) { throw Undo(response: try $0.response(route)) }
    } catch let undo as Undo {
      return undo.response
    }
  }

  /// Returns SQLite's query plan for a route: the indexes that it uses, and the tables that it scans.
  ///
  /// - Throws: The same errors as ``RouteExecutor/run(_:)-(DatabaseRoute)``.
  public func explain(_ route: DatabaseRoute) async throws -> QueryPlan {
    let settings = settings
    return try await reader.read { connection in
      let runner = RouteRunner(connection: connection, settings: settings)
      do {
        let (sql, values) = try runner.preview(route)
        return try connection.queryPlan(for: SQL(unsafe: sql), values: values)
      } catch let error as RouterError {
        throw error.of(route)
      }
    }
  }

  /// Returns the rows of a route as values, read as they are consumed, from one snapshot.
  ///
  /// At most one batch is in memory. If there are more rows than ``DatabaseRoute/Limits/maximumRows`` or the route's
  /// expectation allows, the iteration throws an error after the allowed rows.
  ///
  /// - Throws: The same errors as ``RouteExecutor/run(_:)-(DatabaseRoute)``; ``RouterError`` with
  ///   code ``RouterError/Code/unsupported`` if the reader is not a `Database`.
  public func stream<Value: Decodable & Sendable>(
    _ type: Value.Type = Value.self, for route: DatabaseRoute, batchSize: Int
  ) async throws -> DatabaseRoute.RowStream<Value> {
    guard let database = reader as? Database else {
      throw RouterError(code: .unsupported, message: "only a `Database` can stream rows").of(route)
    }
    guard route.method == .fetch else {
      throw RouterError.invalid("only the rows of a fetch can be streamed").of(route)
    }
    let statement = try await access(route) { runner in
      do {
        let statement = try runner.selection(RoutePlan(route, settings: runner.settings))
        return (
          sql: statement.text.sql,
          values: statement.values.compactMap { $0 as? DatabaseRoute.CustomStatement.Argument }
        )
      } catch let error as RouterError {
        throw error.of(route)
      }
    }
    let sink = DecodedRows<Value>(decoder: settings.decoder)
    let rows = database.rows(
      batchSize: batchSize, SQL(unsafe: statement.sql), values: statement.values
    ) { row in try sink.value(row, route.embeds) }
    return DatabaseRoute.RowStream(.database(rows), of: route, limits: settings.limits)
  }

  /// Runs `body` on a reader, or in a transaction of the writer if the route writes.
  ///
  /// - Parameter count: The number of routes that `body` runs. An error of the commit names the route if it is the only
  ///   one.
  private func access<Result: Sendable>(
    _ route: DatabaseRoute, count: Int = 1,
    _ body: @escaping @Sendable (RouteRunner) throws -> Result
  ) async throws -> Result {
    let settings = settings
    if route.isReadOnly {
      return try await reader.read { try body(RouteRunner(connection: $0, settings: settings)) }
    }
    guard let writer else { throw Self.readOnly().of(route) }
    do {
      return try await writer.write { try body(RouteRunner(connection: $0, settings: settings)) }
    } catch let error as SQLiteError {
      // Deferred foreign keys are checked at commit.
      if count == 1 { throw route.addingContext(error) }
      if let violation = RouterError(violationIn: error) { throw violation }
      throw error
    }
  }

  /// Runs routes in one transaction, each by `body`.
  private func runEach<Result: Sendable>(
    _ routes: [DatabaseRoute],
    _ body: @escaping @Sendable (RouteRunner, DatabaseRoute) throws -> Result
  ) async throws -> [Result] {
    guard let first = routes.first else { return [] }
    // Reads need no writer, and one read transaction is a snapshot, too.
    let writing = routes.first { !$0.isReadOnly } ?? first
    return try await access(writing, count: routes.count) { runner in
      var runner = runner
      try runner.recordSchemaVersion()
      return try routes.map { try body(runner, $0) }
    }
  }

  /// Returns the writer if it is a `Database`.
  ///
  /// - Throws: ``RouterError`` if the executor is read-only.
  func openDatabase() throws(RouterError) -> Database? {
    guard let writer else { throw Self.readOnly() }
    return writer as? Database
  }

  private static func readOnly() -> RouterError {
    RouterError(code: .readOnly, message: "the route writes, but the executor is read-only")
  }
}
