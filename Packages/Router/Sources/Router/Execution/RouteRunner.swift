internal import SQLiteCore

/// Runs routes on one connection, in its current transaction.
struct RouteRunner {
  let connection: Connection
  let shared: SharedSettings
  /// The schema version at the start of the transaction, if the transaction may have changed it. Information about
  /// another version must not be cached, because the transaction may be rolled back.
  var committedVersion: Int?

  init(connection: Connection, settings: SharedSettings) {
    self.connection = connection
    shared = settings
  }

  var settings: RouteSettings {
    @inline(__always) _read { yield shared.values }
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
      try route.checkNesting(settings.limits.filterDepth)
      for policy in settings.policies { try policy(route) }
      return switch route.method {
      case .count where route.counting != .exact: try estimate(route, sink)
      case .fetch, .fetchOne, .count: try read(route, sink, expectation)
      case .custom: try runCustom(route, sink, expectation)
      case .insert, .upsert, .update, .delete: try write(route, sink, expectation)
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

  /// Returns the statement of a route that reads.
  func selection(_ route: DatabaseRoute, limit: Int) throws -> RouteStatement {
    let route = try restricted(route)
    return try catalog(of: route).statement(route, settings: shared, limit: limit)
  }

  /// Returns the catalog of the database of a route's tables.
  func catalog(of route: DatabaseRoute) throws -> Catalog {
    guard let schema = route.table.schema else {
      return try Catalog(connection, settings.cache, committedVersion: committedVersion)
    }
    // The committed version of an attached database is not tracked, so nothing is cached within a transaction.
    return try Catalog(
      of: schema, connection, settings.cache, isCached: committedVersion == nil)
  }

  /// Returns the route with its table's row filter applied.
  private func restricted(_ route: DatabaseRoute) throws(RouterError) -> DatabaseRoute {
    guard !settings.rowFilters.isEmpty, let rows = settings.rowFilters[route.table] else {
      return route
    }
    try rows.checkDepth(settings.limits.filterDepth)
    var route = route
    route.filter = route.filter.map { .and([$0, rows]) } ?? rows
    return route
  }

  // MARK: Reads

  private func read<Sink: RowSink>(
    _ route: DatabaseRoute, _ sink: Sink, _ expectation: DatabaseRoute.Expectation?
  ) throws -> Outcome<Sink.Value> {
    let rowCountExpectation = rowCountExpectation(route, expectation)
    let statement = try selection(route, rowCountExpectation)
    let values = try sink.values(
      connection, statement.text.sql, statement.values, route.embeds)
    try check(values.count, rowCountExpectation, of: route)
    return (values, affected: 0)
  }

  private func selection(_ route: DatabaseRoute, _ rowCountExpectation: RowCountExpectation) throws
    -> RouteStatement
  {
    let limit = try limit(
      of: route, route.method == .count ? RowCountExpectation() : rowCountExpectation)
    return try selection(route, limit: limit)
  }

  private func check(
    _ count: Int, _ rowCountExpectation: RowCountExpectation, of route: DatabaseRoute
  ) throws {
    try rowCountExpectation.check(count, of: route)
    if let most = settings.limits.maximumRows, count > most {
      throw RouterError.tooManyRows(most, route)
    }
  }

  /// The expectations about the number of rows: of the call, of the route, and of its method.
  struct RowCountExpectation {
    var call: DatabaseRoute.Expectation?
    var own: DatabaseRoute.Expectation?
    var implied: DatabaseRoute.Expectation?

    func check(_ count: Int, of route: DatabaseRoute) throws(RouterError) {
      try call?.check(count, of: route)
      try own?.check(count, of: route)
      try implied?.check(count, of: route)
    }

    /// The number of rows that suffices to check all expectations.
    var rowLimit: Int {
      max(0, min(call?.rowLimit ?? .max, own?.rowLimit ?? .max, implied?.rowLimit ?? .max))
    }
  }

  func rowCountExpectation(
    _ route: DatabaseRoute, _ expectation: DatabaseRoute.Expectation?
  ) -> RowCountExpectation {
    RowCountExpectation(
      call: expectation, own: route.expectation,
      implied: route.method == .fetchOne ? .atMost(1) : nil)
  }

  /// Returns the number of rows to read: the limit, or one more row if an excess is an error.
  func limit(of route: DatabaseRoute, _ rowCountExpectation: RowCountExpectation) throws -> Int {
    var limit = Int.max
    if let own = route.limit {
      guard own >= 0 else { throw RouterError.invalid("the limit must not be negative") }
      limit = own
    }
    limit = min(limit, rowCountExpectation.rowLimit)
    if route.method != .count, let most = settings.limits.maximumRows, most < Int.max {
      limit = min(limit, most + 1)
    }
    return limit == Int.max ? -1 : limit
  }

  // MARK: Writes

  private func write<Sink: RowSink>(
    _ route: DatabaseRoute, _ sink: Sink, _ expectation: DatabaseRoute.Expectation?
  ) throws -> Outcome<Sink.Value> {
    guard route.limit == nil, route.offset == nil, route.page == nil, route.orders.isEmpty,
      !route.embeds.contains(where: \.isRequired), route.aggregates.isEmpty,
      route.groupFilter == nil, route.counting == .exact
    else {
      throw RouterError.invalid(
        "a write takes no limit, offset, page, order, aggregates, group filter or required embeds")
    }
    let check = settings.rowFilters[route.table]
    var outcome: Outcome<Sink.Value> = ([], affected: 0)
    let catalog = try catalog(of: route)
    switch route.method {
    case .insert, .upsert:
      let template = try insertTemplate(of: route)
      for record in route.values {
        let before = outcome.affected
        let statement = try catalog.statement(
          template, settings: shared, record: record, check: check)
        try write(statement, route, sink, &outcome)
        if check != nil, outcome.affected == before, template.conflict?.resolution == .merge {
          throw RouterError(code: .refused, message: "the row filter forbids changing this row")
        }
      }
    case .update:
      guard route.values.count == 1, let record = route.values.first else {
        throw RouterError.invalid("an update needs exactly one value")
      }
      let statement = try catalog.statement(
        try restrictedWrite(route, catalog), settings: shared, record: record, check: check)
      try write(statement, route, sink, &outcome)
    default:
      let statement = try catalog.statement(
        try restrictedWrite(route, catalog), settings: shared)
      try write(statement, route, sink, &outcome)
    }
    try rowCountExpectation(route, expectation).check(outcome.affected, of: route)
    if let most = settings.limits.maximumAffected, outcome.affected > most {
      throw RouterError.tooManyRows(most, route)
    }
    if expectation == nil, let most = defaultAffectedLimit(of: route), outcome.affected > most {
      throw RouterError(
        code: .tooManyRows,
        message: """
          the filter selects \(outcome.affected) rows, but at most \(most) may be written \
          (`DatabaseRoute.Limits.maximumAffectedByFilter`): state the number by `expecting(.atMost(_:))`
          """)
    }
    return outcome
  }

  /// Returns the maximum number of rows that a route may write if its filter selects them and it states no number;
  /// `nil` for any number.
  private func defaultAffectedLimit(of route: DatabaseRoute) -> Int? {
    switch route.method {
    case .update, .delete:
      route.expectation == nil && route.filter != .all
        ? settings.limits.maximumAffectedByFilter : nil
    default: nil
    }
  }

  /// Returns the route for inserting a single row.
  func insertTemplate(of route: DatabaseRoute) throws(RouterError) -> DatabaseRoute {
    guard route.filter == nil else { throw .invalid("an insert takes no filter") }
    var template = route
    template.values = []
    if route.method == .upsert, route.conflict == nil { template.conflict = .init() }
    return template
  }

  /// Returns the route with its table's row filter applied, if its own filter excludes some rows or is `.all`.
  func restrictedWrite(_ route: DatabaseRoute, _ catalog: Catalog) throws -> DatabaseRoute {
    guard let filter = route.filter else {
      throw RouterError(
        code: .emptyFilter,
        message: "the route has no filter: write `.all` to change the whole table")
    }
    if filter != .all, !filter.requiresValue,
      FilterTautologyAnalysis(
        filter, of: try catalog.table(route.table.name),
        isUTF8: try catalog.isUTF8()
      ).isTautology()
    {
      throw RouterError(
        code: .emptyFilter,
        message: "the filter excludes no row: write `.all` to change the whole table")
    }
    var route = try restricted(route)
    route.values = []
    return route
  }

  private func write<Sink: RowSink>(
    _ statement: RouteStatement, _ route: DatabaseRoute, _ sink: Sink,
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
  func preview(_ route: DatabaseRoute) throws -> (sql: String, values: [any SQLiteBindable]) {
    try route.checkNesting(settings.limits.filterDepth)
    for policy in settings.policies { try policy(route) }
    let statement: RouteStatement
    switch route.method {
    case .fetch, .fetchOne, .count:
      statement = try selection(route, limit: try limit(of: route, .init()))
    case .custom:
      let custom = try customStatement(of: route)
      return (custom.text, custom.arguments)
    case .insert, .upsert:
      statement = try catalog(of: route).statement(
        try insertTemplate(of: route), settings: shared, record: route.values.first,
        check: settings.rowFilters[route.table])
    case .update, .delete:
      let catalog = try catalog(of: route)
      statement = try catalog.statement(
        try restrictedWrite(route, catalog), settings: shared, record: route.values.first,
        check: route.method == .update ? settings.rowFilters[route.table] : nil)
    }
    return (statement.text.sql, statement.values)
  }
}
