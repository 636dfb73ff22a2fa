public import SQLiteCore

/// Runs routes on a SQLite database: what reads on its readers, what writes in one transaction of its writer.
///
/// ```swift
/// let database = try Database(path: path)
/// var executor = SQLiteRouteExecutor(database)
/// executor.limits.maximumRows = 1_000
/// executor.rowFilters["todos"] = DatabaseRoute.Column("owner").equals(user.id)
/// let todos = try await executor.values(Todo.self, for: .fetch(from: "todos", order: .ascending("name")))
/// ```
///
/// Statements are kept by the shapes of their routes: a route of which only values differ runs the statement of the
/// last one. Copies share them.
public struct SQLiteRouteExecutor: RouteExecutor {
  let reader: any DatabaseReader
  private let writer: (any DatabaseWriter)?
  private(set) var shared = SharedSettings(RouteSettings())

  private var settings: RouteSettings {
    get { shared.values }
    set { shared = SharedSettings(newValue) }
  }

  /// An executor that reads and writes.
  public init(_ database: any DatabaseWriter) {
    reader = database
    writer = database
  }

  /// An executor that only reads: a route that writes is ``RouterError/Code/readOnly``.
  public init(readingFrom reader: any DatabaseReader) {
    self.reader = reader
    writer = nil
  }

  /// How rows become values.
  public var decoder: RowDecoder {
    get { settings.decoder }
    set { settings.decoder = newValue }
  }

  /// How large routes may be, and how many rows they may touch.
  public var limits: DatabaseRoute.Limits {
    get { settings.limits }
    set { settings.limits = newValue }
  }

  /// What looks at each route before it runs, in this order.
  public var policies: [Policy] {
    get { settings.policies }
    set { settings.policies = newValue }
  }

  /// The only rows of a table that routes may read, write and leave behind; for tables that are not named, all.
  ///
  /// A route sees no other rows, embedded ones neither. A write that would leave another one is
  /// ``RouterError/Code/refused`` and undone. Custom routes are refused altogether, for their SQL could read
  /// anything. Views and triggers are not looked into: name the views here too. A table of an
  /// attached database is named with it: see ``DatabaseRoute/Table/init(_:schema:)``.
  public var rowFilters: [DatabaseRoute.Table: DatabaseRoute.Filter] {
    get { settings.rowFilters }
    set {
      var changed = settings
      changed.rowFilters = newValue
      changed.cache = StatementCache()
      settings = changed
    }
  }

  // MARK: RouteExecutor

  public func run(_ route: DatabaseRoute) async throws -> DatabaseRoute.Response {
    try await access(route) { try $0.response(route) }
  }

  public func values<Value: Decodable & Sendable>(
    _ type: Value.Type, for route: DatabaseRoute, expecting expectation: DatabaseRoute.Expectation?
  ) async throws -> [Value] {
    let settings = shared
    let route = route.givingRows
    guard route.isReadOnly else {
      return try await access(route) { try $0.values(type, for: route, expecting: expectation) }
    }
    // Without a closure inside another, since this is what most routes come to.
    return try await reader.read { connection -> sending [Value] in
      try RouteRun(connection: connection, settings: settings)
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
    try await runEach(routes.map(\.givingRows)) {
      try $0.values(type, for: $1, expecting: expectation)
    }
  }

  // MARK: More

  /// Runs a route that reads, and counts the rows that there are without its limit, at the same moment.
  ///
  /// - Throws: As ``RouteExecutor/run(_:)-(DatabaseRoute)``; ``RouterError`` with code
  ///   ``RouterError/Code/invalidRoute`` for a route that is no ``DatabaseRoute/Method/fetch``.
  public func countedValues<Value: Decodable & Sendable>(
    _ type: Value.Type = Value.self, for route: DatabaseRoute
  ) async throws -> (values: [Value], total: Int) {
    let (values, total) = try await countedValues(type, for: route, counting: .exact)
    return (values, total.value)
  }

  /// Runs a route that reads, and counts the rows that there are without its limit, or estimates how many.
  ///
  /// ```swift
  /// let (todos, total) = try await executor.countedValues(
  ///   Todo.self, for: route.limited(to: 20), counting: .estimated(upTo: 1_000))
  /// let label = total.isExact ? "\(total.value)" : "about \(total.value)"
  /// ```
  ///
  /// - Throws: As ``countedValues(_:for:)``.
  public func countedValues<Value: Decodable & Sendable>(
    _ type: Value.Type = Value.self, for route: DatabaseRoute,
    counting: DatabaseRoute.Counting
  ) async throws -> (values: [Value], total: DatabaseRoute.RowCount) {
    guard route.method == .fetch else {
      throw RouterError.invalid("only the rows of a fetch are counted").of(route)
    }
    let decoder = settings.decoder
    let count = route.countingRows.counted(counting)
    return try await access(route) { run in
      let values = try run.run(route, DecodedRows<Value>(decoder: decoder)).values
      let total = try run.run(count, DecodedRows<DatabaseRoute.RowCount>(decoder: RowDecoder()))
        .values.first
      return (values, total ?? DatabaseRoute.RowCount(0))
    }
  }

  /// Runs several routes in one transaction that may write, and what of Swift stands between them.
  ///
  /// ```swift
  /// try await executor.transaction { routes in
  ///   let todo = try routes.value(Todo.self, for: .fetchOne(id: 3, from: "todos"))
  ///   try routes.run(.insert(todo, into: "archive"))
  ///   try routes.run(.delete(id: 3, from: "todos"))
  /// }
  /// ```
  ///
  /// - Throws: What `body` throws; then nothing is written.
  public func transaction<Result: Sendable>(
    _ body: @escaping @Sendable (RouteTransaction) throws -> Result
  ) async throws -> Result {
    guard let writer else { throw Self.readOnly() }
    let settings = shared
    return try await writer.write { connection in
      var run = RouteRun(connection: connection, settings: settings)
      try run.noteVersion()
      return try body(RouteTransaction(run))
    }
  }

  /// Runs a route, tells what it came to, and undoes it.
  ///
  /// What SQLite checks as a transaction commits, as references that are deferred, is not checked.
  ///
  /// - Throws: As ``RouteExecutor/run(_:)-(DatabaseRoute)``.
  public func dryRun(_ route: DatabaseRoute) async throws -> DatabaseRoute.Response {
    struct Undo: Error { let response: DatabaseRoute.Response }
    guard !route.isReadOnly else { return try await run(route) }
    do {
      return try await access(route) { throw Undo(response: try $0.response(route)) }
    } catch let undo as Undo {
      return undo.response
    }
  }

  /// How SQLite would run a route: which indexes it uses, and which tables it reads from end to end.
  ///
  /// - Throws: As ``RouteExecutor/run(_:)-(DatabaseRoute)``.
  public func explain(_ route: DatabaseRoute) async throws -> QueryPlan {
    let settings = shared
    return try await reader.read { connection in
      let run = RouteRun(connection: connection, settings: settings)
      do {
        let (sql, values) = try run.preview(route)
        return try connection.queryPlan(for: SQL(unsafe: sql), values: values)
      } catch let error as RouterError {
        throw error.of(route)
      }
    }
  }

  /// The rows of a route as values, read as they are consumed, all of one moment.
  ///
  /// No more than a batch is in memory. Where there are more rows than ``DatabaseRoute/Limits/maximumRows``, or than the
  /// route expects, the iteration ends with an error after those that there may be.
  ///
  /// - Throws: As ``RouteExecutor/run(_:)-(DatabaseRoute)``; ``RouterError`` with code
  ///   ``RouterError/Code/unsupported`` where the reader is no `Database`.
  public func stream<Value: Decodable & Sendable>(
    _ type: Value.Type = Value.self, for route: DatabaseRoute, batchSize: Int = 128
  ) async throws -> DatabaseRoute.RowStream<Value> {
    guard let database = reader as? Database else {
      throw RouterError(code: .unsupported, message: "only a Database streams rows").of(route)
    }
    guard route.method == .fetch else {
      throw RouterError.invalid("only the rows of a fetch are streamed").of(route)
    }
    let expected = route.expectation?.most ?? .max
    let most = min(expected, settings.limits.maximumRows ?? .max)
    let statement = try await access(route) { run in
      try route.checkNesting(run.settings.limits.filterDepth)
      for policy in run.settings.policies { try policy(route) }
      do {
        let statement = try run.selection(
          route, limit: try run.limit(of: route, .init(own: route.expectation)))
        return (sql: statement.text.sql, values: statement.values.compactMap { $0 as? BoundValue })
      } catch let error as RouterError {
        throw error.of(route)
      }
    }
    let sink = DecodedRows<Value>(decoder: settings.decoder)
    let rows = database.rows(
      batchSize: batchSize, SQL(unsafe: statement.sql), values: statement.values
    ) { row in try sink.value(row, route.embeds) }
    return DatabaseRoute.RowStream(rows: rows, most: most, route: route)
  }

  /// Runs `body` where a route may run: on a reader, or in a transaction of the writer.
  ///
  /// - Parameter count: The number of routes that `body` runs: an error of the commit names the route if it is the only one.
  private func access<Result: Sendable>(
    _ route: DatabaseRoute, count: Int = 1, _ body: @escaping @Sendable (RouteRun) throws -> Result
  ) async throws -> Result {
    let settings = shared
    if route.isReadOnly {
      return try await reader.read { try body(RouteRun(connection: $0, settings: settings)) }
    }
    guard let writer else { throw Self.readOnly().of(route) }
    do {
      return try await writer.write { try body(RouteRun(connection: $0, settings: settings)) }
    } catch let error as SQLiteError {
      // A deferred foreign key is checked as the transaction commits.
      if count == 1 { throw route.told(error) }
      if let violation = RouterError(violationIn: error) { throw violation }
      throw error
    }
  }

  /// Runs routes in one transaction, each by `body`.
  private func runEach<Result: Sendable>(
    _ routes: [DatabaseRoute],
    _ body: @escaping @Sendable (RouteRun, DatabaseRoute) throws -> Result
  ) async throws -> [Result] {
    guard let first = routes.first else { return [] }
    // Reads alone need no writer, and see one moment too.
    let writing = routes.first { !$0.isReadOnly } ?? first
    return try await access(writing, count: routes.count) { run in
      var run = run
      try run.noteVersion()
      return try routes.map { try body(run, $0) }
    }
  }

  private static func readOnly() -> RouterError {
    RouterError(code: .readOnly, message: "the route writes, and the database is only read here")
  }
}
