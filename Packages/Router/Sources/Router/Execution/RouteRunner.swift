internal import SQLiteCore

/// Runs routes on one connection, in its current transaction.
struct RouteRunner {
  let connection: Connection
  let settings: RouteSettings
  /// The schema version at the start of the transaction, if the transaction may have changed it. Information about
  /// another version must not be cached, because the transaction may be rolled back.
  var committedVersion: Int?

  init(connection: Connection, settings: RouteSettings) {
    self.connection = connection
    self.settings = settings
  }

  /// Records the schema version at the start of the transaction.
  mutating func recordSchemaVersion() throws {
    committedVersion = try connection.schemaNumber()
  }

  /// The result of a route: its rows, and the number of rows that it wrote.
  typealias Outcome<Value> = (values: [Value], affected: Int)

  /// Runs a route. If this method throws, the transaction must be rolled back.
  func run<Sink: RowSink>(
    _ route: DatabaseRoute, _ sink: Sink, expecting expectation: DatabaseRoute.Expectation? = nil
  ) throws -> Outcome<Sink.Value> {
    do {
      let plan = try RoutePlan(route, expecting: expectation, settings: settings)
      return switch route.method {
      case .count where route.counting != .exact: try estimate(plan, sink)
      case .fetch, .fetchOne, .count: try read(plan, sink)
      case .custom: try runCustom(plan, sink)
      case .insert, .upsert, .update, .delete: try write(plan, sink)
      }
    } catch {
      throw route.addingContext(error)
    }
  }

  /// Runs a route, and returns its rows as values.
  func values<Value: Decodable>(
    _ type: Value.Type, for route: DatabaseRoute, expecting expectation: DatabaseRoute.Expectation?
  ) throws -> [Value] {
    try run(route, DecodedRows<Value>(decoder: settings.decoder), expecting: expectation).values
  }

  func response(_ route: DatabaseRoute) throws -> DatabaseRoute.Response {
    let sink = DataValueRows()
    let outcome = try run(route, sink)
    return DatabaseRoute.Response(
      columns: sink.columns, rows: outcome.values, affected: outcome.affected)
  }

  /// A statement with the values that SQLite binds.
  typealias Statement = RouteStatement<SQLiteDialect.Binding>

  /// Returns the statement of a route that reads.
  func selection(_ plan: RoutePlan) throws -> Statement {
    let limit = try plan.limit()
    return try SQLiteDialect.statement(
      of: plan.selection(), settings: settings, limit: limit, in: catalog(of: plan.route))
  }

  /// Returns the catalog of the database of a route's tables.
  func catalog(of route: DatabaseRoute) throws -> SQLiteCatalog {
    guard let schema = route.table.schema else {
      return try SQLiteCatalog(connection, settings.cache, committedVersion: committedVersion)
    }
    // The committed version of an attached database is not tracked, so nothing is cached within a transaction.
    return try SQLiteCatalog(
      of: schema, connection, settings.cache, isCached: committedVersion == nil)
  }

  private func read<Sink: RowSink>(
    _ plan: RoutePlan, _ sink: Sink
  ) throws -> Outcome<Sink.Value> {
    let statement = try selection(plan)
    let values = try sink.values(
      connection, statement.text.sql, statement.values, plan.route.embeds)
    try plan.check(rows: values.count)
    return (values, affected: 0)
  }

  // MARK: Writes

  private func write<Sink: RowSink>(
    _ plan: RoutePlan, _ sink: Sink
  ) throws -> Outcome<Sink.Value> {
    let catalog = try catalog(of: plan.route)
    let written = try plan.write(in: catalog, SQLiteDialect.self)
    let check = plan.check
    var outcome: Outcome<Sink.Value> = ([], affected: 0)
    for records in plan.batches(SQLiteDialect.self) {
      let before = outcome.affected
      let statement = try SQLiteDialect.statement(
        of: written, settings: settings, records: records, check: check, in: catalog)
      try write(statement, plan.route, sink, &outcome)
      try plan.check(affectedByStatement: outcome.affected - before)
    }
    try plan.check(affected: outcome.affected)
    return outcome
  }

  private func write<Sink: RowSink>(
    _ statement: Statement, _ route: DatabaseRoute, _ sink: Sink,
    _ outcome: inout Outcome<Sink.Value>
  ) throws {
    let returnsRows = route.returning == .representation
    if statement.text.hasCheck {
      return try connection.withStatement(SQL(unsafe: statement.text.sql)) { prepared in
        try prepared.bindAll(statement.values)
        let last = ColumnIndex(prepared.columnCount - 1)
        while try prepared.step() {
          guard try prepared.row.read(Bool?.self, at: last) == true else {
            throw RouterError(code: .refused, message: "the row filter forbids writing this row")
          }
          if returnsRows { outcome.values.append(try sink.value(prepared.row, route.embeds)) }
          outcome.affected += 1
        }
      }
    }
    if returnsRows {
      let values = try sink.values(
        connection, statement.text.sql, statement.values, route.embeds)
      outcome.affected += values.count
      outcome.values += values
    } else {
      outcome.affected += try connection.run(
        SQL(unsafe: statement.text.sql), values: statement.values
      ).count
    }
  }
}

/// Previews of statements.
extension RouteRunner {
  /// Returns the first statement that a route would run, if the route is allowed to run.
  func preview(
    _ route: DatabaseRoute
  ) throws -> (sql: String, values: [any SQLiteBindable]) {
    let plan = try RoutePlan(route, settings: settings)
    let statement: Statement
    switch route.method {
    case .fetch, .fetchOne, .count: statement = try selection(plan)
    case .custom:
      let custom = try plan.customStatement()
      return (custom.text, custom.arguments)
    case .insert, .upsert, .update, .delete:
      let catalog = try catalog(of: route)
      statement = try SQLiteDialect.statement(
        of: plan.write(in: catalog, SQLiteDialect.self), settings: settings,
        records: route.values.prefix(1), check: plan.check, in: catalog)
    }
    return (statement.text.sql, statement.values)
  }
}
