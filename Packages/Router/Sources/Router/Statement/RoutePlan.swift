internal import SQLiteCore

/// A route with the settings of its executor: what to run, and which results to accept, independently of the engine.
///
/// An executor creates a plan, writes its statements with a ``SQLDialect``, runs them, and checks the numbers of rows:
///
/// ```swift
/// let plan = try RoutePlan(route, expecting: expectation, settings: settings)
/// let statement = try MyDialect.statement(
///   of: plan.selection(), settings: settings, limit: plan.limit(), in: catalog)
/// let rows = try await connection.rows(of: statement)
/// try plan.check(rows: rows.count)
/// ```
///
/// A write runs a statement for each of `batches(_:)`, of the route that `write(in:_:)` returns. If a check throws, all of
/// its statements must be rolled back.
public struct RoutePlan: Sendable {
  /// The route.
  public let route: DatabaseRoute
  /// The settings of the executor.
  public let settings: RouteSettings
  /// The expectation of the call about the number of rows, in addition to the route's own.
  public let expectation: DatabaseRoute.Expectation?

  /// Checks the nesting of a route, and the policies.
  ///
  /// - Throws: ``RouterError``; errors of the policies.
  public init(
    _ route: DatabaseRoute, expecting expectation: DatabaseRoute.Expectation? = nil,
    settings: RouteSettings
  ) throws {
    try route.checkNesting(settings.limits.filterDepth)
    if settings.hasPolicies {
      for policy in settings.policies { try policy(route) }
    }
    self.route = route
    self.settings = settings
    self.expectation = expectation
  }

  /// Creates a plan for another form of a route that was checked.
  init(unchecked route: DatabaseRoute, settings: RouteSettings) {
    self.route = route
    self.settings = settings
    expectation = nil
  }

  /// The expectation that the route's method implies.
  private var implied: DatabaseRoute.Expectation? { route.method == .fetchOne ? .atMost(1) : nil }

  /// Returns the route with its table's row filter applied.
  fileprivate func restricted() throws(RouterError) -> DatabaseRoute {
    guard settings.hasRowFilters, let rows = settings.rowFilters[route.table] else { return route }
    try rows.checkDepth(settings.limits.filterDepth)
    var route = route
    route.filter = route.filter.map { .and([$0, rows]) } ?? rows
    return route
  }
}

// MARK: Reads

extension RoutePlan {
  /// Returns the route to write as a selection: with its table's row filter.
  ///
  /// - Throws: ``RouterError`` if the row filter is nested too deep.
  public func selection() throws(RouterError) -> DatabaseRoute { try restricted() }

  /// Returns the number of rows to read, negative for all: the limit, or one more row if an excess is an error.
  ///
  /// - Throws: ``RouterError`` if the route's limit is negative.
  public func limit() throws(RouterError) -> Int {
    var limit = Int.max
    if let own = route.limit {
      guard own >= 0 else { throw .invalid("the limit must not be negative") }
      limit = own
    }
    guard route.method != .count else { return limit == Int.max ? -1 : limit }
    let expected = min(
      expectation?.rowLimit ?? .max, route.expectation?.rowLimit ?? .max,
      implied?.rowLimit ?? .max)
    limit = min(limit, max(0, expected))
    if let most = settings.limits.maximumRows, most < Int.max { limit = min(limit, most + 1) }
    return limit == Int.max ? -1 : limit
  }

  /// Checks the number of rows that the route has read against the expectations and the limits.
  ///
  /// - Throws: ``RouterError``.
  public func check(rows count: Int) throws(RouterError) {
    try checkExpectations(count)
    if let most = settings.limits.maximumRows, count > most {
      throw .tooManyRows(most, route)
    }
  }

  private func checkExpectations(_ count: Int) throws(RouterError) {
    try expectation?.check(count, of: route)
    try route.expectation?.check(count, of: route)
    try implied?.check(count, of: route)
  }
}

// MARK: Writes

extension RoutePlan {
  /// The filter that a written row must satisfy; `nil` if any row may be written.
  public var check: DatabaseRoute.Filter? {
    route.method == .delete || !settings.hasRowFilters ? nil : settings.rowFilters[route.table]
  }

  /// Returns the records that each statement of the write writes; empty records for a deletion.
  ///
  /// - Parameter dialect: The dialect that writes the statements.
  public func batches<Dialect: SQLDialect>(_ dialect: Dialect.Type) -> Batches {
    let isInsert = route.method == .insert || route.method == .upsert
    let isMany = Dialect.insertsManyRecords && route.method == .insert && route.conflict == nil
    return Batches(rest: route.values[...], isMany: isMany, runsWithoutRecords: !isInsert)
  }

  /// The records of a write, divided by statements.
  public struct Batches: Sequence, IteratorProtocol {
    fileprivate var rest: ArraySlice<DatabaseRoute.Record>
    fileprivate let isMany: Bool
    /// Indicates whether there is a statement even if there are no records.
    fileprivate var runsWithoutRecords: Bool

    /// Returns the records of the next statement, which have the same columns.
    public mutating func next() -> ArraySlice<DatabaseRoute.Record>? {
      guard let first = rest.first else {
        defer { runsWithoutRecords = false }
        return runsWithoutRecords ? [] : nil
      }
      runsWithoutRecords = false
      var batch = rest.prefix(1)
      // A record without values takes the defaults of all columns, by a statement of its own.
      if isMany, !first.fields.isEmpty {
        batch = rest.prefix { record in
          record.fields.elementsEqual(first.fields) { $0.column == $1.column }
        }
      }
      rest = rest[batch.endIndex...]
      return batch
    }
  }

  /// Returns the route to write as a statement for each of its batches: without values, and for an update or a
  /// deletion with its table's row filter.
  ///
  /// - Parameters:
  ///   - catalog: The tables of the database.
  ///   - dialect: The dialect that writes the statement.
  /// - Throws: ``RouterError``, with code ``RouterError/Code/emptyFilter`` for an update or a deletion without a filter,
  ///   or with one that excludes no row; errors of the database.
  public func write<Dialect: SQLDialect>(
    in catalog: Dialect.Catalog, _ dialect: Dialect.Type
  ) throws -> DatabaseRoute {
    guard route.limit == nil, route.offset == nil, route.page == nil, route.orders.isEmpty,
      !route.embeds.contains(where: \.isRequired), route.aggregates.isEmpty,
      route.groupFilter == nil, route.counting == .exact
    else {
      throw RouterError.invalid(
        "a write takes no limit, offset, page, order, aggregates, group filter or required embeds")
    }
    switch route.method {
    case .insert, .upsert: return try insertion()
    case .update where route.values.count != 1:
      throw RouterError.invalid("an update needs exactly one value")
    default: return try change(in: catalog, dialect)
    }
  }

  private func insertion() throws(RouterError) -> DatabaseRoute {
    guard route.filter == nil else { throw .invalid("an insert takes no filter") }
    var template = route
    template.values = []
    if route.method == .upsert, route.conflict == nil { template.conflict = .init() }
    return template
  }

  /// Returns an update or a deletion with its table's row filter, if its own filter excludes some rows or is `.all`.
  private func change<Dialect: SQLDialect>(
    in catalog: Dialect.Catalog, _ dialect: Dialect.Type
  ) throws -> DatabaseRoute {
    guard let filter = route.filter else {
      throw RouterError(
        code: .emptyFilter,
        message: "the route has no filter: write `.all` to change the whole table")
    }
    if filter != .all, !filter.requiresValue {
      let table = try catalog.table(route.table.name)
      let rules = try Dialect.comparisonRules(of: table, in: catalog)
      if FilterTautologyAnalysis(filter, of: table, rules: rules).isTautology() {
        throw RouterError(
          code: .emptyFilter,
          message: "the filter excludes no row: write `.all` to change the whole table")
      }
    }
    var route = try restricted()
    route.values = []
    return route
  }

  /// Checks the number of rows that one statement of the write has written.
  ///
  /// - Throws: ``RouterError`` if a row filter hides the row that an upsert would have changed.
  public func check(affectedByStatement count: Int) throws(RouterError) {
    guard count == 0, check != nil, route.method == .insert || route.method == .upsert else {
      return
    }
    let usual: DatabaseRoute.Conflict.Resolution? = route.method == .upsert ? .merge : nil
    guard route.conflict?.resolution ?? usual == .merge else { return }
    throw RouterError(code: .refused, message: "the row filter forbids changing this row")
  }

  /// Checks the number of rows that the route has written against the expectations and the limits.
  ///
  /// - Throws: ``RouterError``.
  public func check(affected count: Int) throws(RouterError) {
    try checkExpectations(count)
    if let most = settings.limits.maximumAffected, count > most {
      throw .tooManyRows(most, route)
    }
    guard expectation == nil, route.expectation == nil, route.filter != .all,
      route.method == .update || route.method == .delete,
      let most = settings.limits.maximumAffectedByFilter, count > most
    else { return }
    throw RouterError(
      code: .tooManyRows,
      message: """
        the filter selects \(count) rows, but at most \(most) may be written \
        (`DatabaseRoute.Limits.maximumAffectedByFilter`): state the number by `expecting(.atMost(_:))`
        """)
  }
}

// MARK: Custom statements

extension RoutePlan {
  /// Returns the statement of a custom route, if custom routes are allowed.
  ///
  /// - Throws: ``RouterError`` with code ``RouterError/Code/refused`` if there are row filters.
  public func customStatement() throws(RouterError) -> DatabaseRoute.CustomStatement {
    guard let custom = route.statement else { throw .invalid("the custom route has no statement") }
    guard settings.rowFilters.isEmpty else {
      throw RouterError(
        code: .refused, message: "row filters forbid custom SQL, which could read any row")
    }
    return custom
  }

  /// Checks the number of rows that a custom statement has read, or written if it is declared to write.
  ///
  /// - Throws: ``RouterError``.
  public func check(custom count: Int) throws(RouterError) {
    try checkExpectations(count)
    let most =
      route.isReadOnly ? settings.limits.maximumRows : settings.limits.maximumAffected
    if let most, count > most { throw .tooManyRows(most, route) }
  }
}
