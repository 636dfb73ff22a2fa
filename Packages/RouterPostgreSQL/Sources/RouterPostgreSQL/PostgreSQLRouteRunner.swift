internal import PostgreSQL
internal import Router
internal import SQLiteCore

/// Runs routes on one connection, in its current transaction.
struct PostgreSQLRouteRunner: Sendable {
  typealias Statement = RouteStatement<DatabaseRoute.CustomStatement.Argument>
  typealias Response = DatabaseRoute.Response

  let connection: PostgreSQLConnection
  let catalogs: CatalogStore.Snapshot
  let settings: RouteSettings
  let session: PostgreSQLRouteSession?
  /// Indicates whether a transaction is open, which has the settings of the session.
  let isInTransaction: Bool
  /// Indicates whether no row is written.
  let isReading: Bool

  /// Runs a route. If this method throws, the transaction or savepoint must be rolled back.
  func response(
    to route: DatabaseRoute, expecting expectation: DatabaseRoute.Expectation? = nil
  ) async throws -> Response {
    let plan: RoutePlan
    do {
      plan = try RoutePlan(route, expecting: expectation, settings: settings)
    } catch {
      throw catalogs.error(error, of: route)
    }
    return try await response(of: plan)
  }

  /// Runs the route of a plan. If this method throws, the transaction or savepoint must be rolled back.
  func response(of plan: RoutePlan) async throws -> Response {
    do {
      return switch plan.route.method {
      case .count where plan.route.counting != .exact: try await estimate(plan)
      case .fetch, .fetchOne, .count: try await read(plan)
      case .custom: try await runCustom(plan)
      case .insert, .upsert, .update, .delete: try await write(plan)
      }
    } catch {
      throw catalogs.error(error, of: plan.route)
    }
  }

  func catalog(of route: DatabaseRoute) throws -> PostgreSQLCatalog {
    try catalogs.catalog(of: route.table, settings)
  }

  /// Returns the statement of a route that reads.
  func selection(_ plan: RoutePlan) throws -> Statement {
    try PostgreSQLDialect.statement(
      of: plan.selection(), settings: settings, limit: plan.limit(), in: catalog(of: plan.route))
  }

  private static func query(_ statement: Statement) -> PostgreSQLQuery {
    PostgreSQLQuery(
      unsafe: statement.text.sql, values: statement.values.map(RouteArgument.init))
  }

  /// Runs a statement.
  func result(_ sql: String, _ values: [DatabaseRoute.CustomStatement.Argument]) async throws
    -> PostgreSQLResult
  {
    try await result(PostgreSQLQuery(unsafe: sql, values: values.map(RouteArgument.init)))
  }

  /// Runs a statement. Without a transaction, the session's settings are changed in the implicit transaction of the same
  /// exchange.
  private func result(_ query: PostgreSQLQuery) async throws -> PostgreSQLResult {
    guard let session, !isInTransaction else { return try await connection.result(of: query) }
    var settings = session.all
    if isReading { settings["transaction_read_only"] = "on" }
    guard let change = PostgreSQLTransactionOptions.statement(settings: settings) else {
      return try await connection.result(of: query)
    }
    return try await connection.pipeline([change, query])[1]
  }

  /// Runs `body` with the settings of the session, in a transaction without them.
  func withSession(
    _ body: @Sendable (PostgreSQLRouteRunner) async throws -> Response
  ) async throws -> Response {
    guard let change = PostgreSQLTransactionOptions.statement(settings: session?.all ?? [:]) else {
      return try await body(self)
    }
    // The end of the savepoint restores the settings.
    return try await connection.rolledBack { connection in
      _ = try await connection.result(of: change)
      return try await body(self)
    }
  }

  private func read(_ plan: RoutePlan) async throws -> Response {
    let statement = try selection(plan)
    let reader = try RouteRowReader(plan.route, in: catalog(of: plan.route))
    let result = try await result(statement.text.sql, statement.values)
    try plan.check(rows: result.rowCount)
    return try response(result, reader)
  }

  private func response(
    _ result: PostgreSQLResult, _ reader: RouteRowReader
  ) throws -> Response {
    var response = Response(columns: reader.columns(result.columnNames))
    response.rows.reserveCapacity(result.rowCount)
    try result.forEach { response.rows.append(try reader.row($0)) }
    return response
  }

  // MARK: Writes

  /// The number of statements in one exchange with the server.
  private static let pipelineSize = 256

  private func write(_ plan: RoutePlan) async throws -> Response {
    let route = plan.route
    let catalog = try catalog(of: route)
    var written = try plan.write(in: catalog, PostgreSQLDialect.self)
    let returnsRows = route.returning == .representation
    // A selection in `RETURNING` sees the rows from before the write, which are the right ones for a deletion.
    let embedding =
      returnsRows && !route.embeds.isEmpty && route.method != .delete
      ? try EmbedsOfWrite(route, catalog.table(route.table.name)) : nil
    if let embedding {
      written.columns = embedding.returned
      written.embeds = []
    }
    var response = Response()
    var batches = plan.batches(PostgreSQLDialect.self)
    while true {
      // Statements of many records, such as upserts, share an exchange with the server.
      var statements: [Statement] = []
      while statements.count < Self.pipelineSize, let records = batches.next() {
        statements.append(
          try PostgreSQLDialect.statement(
            of: written, settings: settings, records: records, check: plan.check, in: catalog))
      }
      if statements.isEmpty { break }
      let results =
        statements.count == 1
        ? [try await result(Self.query(statements[0]))]
        : try await connection.pipeline(statements.map(Self.query))
      for (statement, result) in zip(statements, results) {
        let hasCheck = statement.text.hasCheck
        response.affected += result.changes.count
        try plan.check(affectedByStatement: result.changes.count)
        guard returnsRows || hasCheck else { continue }
        let reader = try RouteRowReader(
          returnsRows ? written : DatabaseRoute(written.method, written.table), hasCheck: hasCheck,
          in: catalog)
        let part = try self.response(result, reader)
        if returnsRows {
          response.columns = part.columns
          response.rows += part.rows
        }
      }
    }
    try plan.check(affected: response.affected)
    guard let embedding else { return response }
    return try await embedding.completed(response, by: self)
  }

  // MARK: Custom SQL

  private func runCustom(_ plan: RoutePlan) async throws -> Response {
    let custom = try plan.customStatement()
    let query = PostgreSQLQuery(unsafeWithQuestionMarks: custom.text)
    var response: Response
    if custom.access == .read {
      let values = custom.arguments.map(RouteArgument.init)
      let result: PostgreSQLResult
      do {
        if isInTransaction {
          // The end of the savepoint also ends its restriction to reading.
          result = try await connection.rolledBack { connection in
            try await connection.run("SET TRANSACTION READ ONLY")
            return try await connection.result(of: query, values: values)
          }
        } else {
          let options = PostgreSQLTransactionOptions(
            isReadOnly: true, settings: session?.all ?? [:])
          result = try await connection.transaction(options) { connection in
            try await connection.result(of: query, values: values)
          }
        }
      } catch let error as PostgreSQLError where error.code == .readOnlyTransaction {
        throw RouterError(code: .refused, message: "the statement writes, but its access is `read`")
      }
      response = try self.response(result, RouteRowReader())
      try plan.check(custom: response.rows.count)
    } else {
      // Always in a transaction, which has the session's settings.
      let result = try await connection.result(
        of: query, values: custom.arguments.map(RouteArgument.init))
      response = try self.response(result, RouteRowReader())
      if !result.changes.tag.hasPrefix("SELECT") { response.affected = result.changes.count }
      try plan.check(custom: response.affected)
    }
    return response
  }

  // MARK: Counts

  /// Runs a count with a counting method other than `exact`.
  private func estimate(_ plan: RoutePlan) async throws -> Response {
    let count = try await rowCount(of: plan)
    return Response(
      columns: ["count", "isExact"], rows: [[.integer(Int64(count.value)), .bool(count.isExact)]])
  }

  private func rowCount(of plan: RoutePlan) async throws -> DatabaseRoute.RowCount {
    let cap = plan.route.limit ?? .max
    switch plan.route.counting {
    case .exact: return .init(try await count(plan, upTo: cap))
    case .planned:
      guard let planned = try await planned(plan) else {
        return .init(try await count(plan, upTo: cap))
      }
      return .init(min(planned, cap), isExact: false)
    case .estimated(let bound):
      guard bound >= 0, bound < Int.max else {
        throw RouterError(
          code: .invalidRoute, message: "the bound of an estimate must be in 0..<Int.max")
      }
      let counted = try await count(plan, upTo: min(cap, bound + 1))
      // All rows, or the limit.
      if counted <= bound || counted == cap { return .init(counted) }
      return .init(min(max(try await planned(plan) ?? 0, counted), cap), isExact: false)
    }
  }

  private func count(_ plan: RoutePlan, upTo most: Int) async throws -> Int {
    _ = try plan.limit()
    var route = try plan.selection()
    route.counting = .exact
    if most < Int.max || route.limit != nil { route.limit = most }
    let statement = try PostgreSQLDialect.statement(
      of: route, settings: settings, limit: route.limit ?? -1, in: catalog(of: route))
    return try await result(statement.text.sql, statement.values).values(Int.self).first ?? 0
  }

  /// Returns the planner's estimate of the number of rows; `nil` if there is a row filter or a session with a role,
  /// because statistics of other rows must not be revealed, or if groups are counted.
  private func planned(_ plan: RoutePlan) async throws -> Int? {
    guard session == nil, settings.rowFilters[plan.route.table] == nil, plan.route.embeds.isEmpty,
      plan.route.aggregates.isEmpty
    else { return nil }
    var route = DatabaseRoute(.fetch, plan.route.table)
    route.filter = plan.route.filter
    let statement = try PostgreSQLDialect.statement(
      of: route, settings: settings, in: catalog(of: route))
    let lines = try await result("EXPLAIN \(statement.text.sql)", statement.values)
      .values(String.self)
    // The first line describes the whole statement: `Seq Scan on item  (cost=0.00..1.04 rows=4 width=8)`.
    guard let line = lines.first, let range = line.firstRange(of: " rows=") else { return nil }
    return Int(line[range.upperBound...].prefix(while: \.isNumber))
  }
}

/// Previews of statements.
extension PostgreSQLRouteRunner {
  /// Returns the first statement that a route would run, if the route is allowed to run.
  func preview(
    _ route: DatabaseRoute
  ) throws -> (sql: String, values: [DatabaseRoute.CustomStatement.Argument]) {
    let plan = try RoutePlan(route, settings: settings)
    let statement: Statement
    switch route.method {
    case .fetch, .fetchOne, .count: statement = try selection(plan)
    case .custom:
      let custom = try plan.customStatement()
      return (PostgreSQLQuery(unsafeWithQuestionMarks: custom.text).text, custom.arguments)
    case .insert, .upsert, .update, .delete:
      let catalog = try catalog(of: route)
      statement = try PostgreSQLDialect.statement(
        of: plan.write(in: catalog, PostgreSQLDialect.self), settings: settings,
        records: route.values.prefix(1), check: plan.check, in: catalog)
    }
    return (statement.text.sql, statement.values)
  }
}

/// The result of a savepoint that is rolled back.
private struct RolledBackResult<Result: Sendable>: Error {
  let result: Result
}

extension PostgreSQLConnection {
  /// Runs `body` in a savepoint of the current transaction, rolls it back, and returns the result.
  fileprivate func rolledBack<Result: Sendable>(
    _ body: @Sendable (PostgreSQLConnection) async throws -> Result
  ) async throws -> Result {
    do {
      return try await transaction { throw RolledBackResult(result: try await body($0)) }
    } catch let end as RolledBackResult<Result> {
      return end.result
    }
  }
}
