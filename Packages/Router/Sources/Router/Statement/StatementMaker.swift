internal import SQLiteCore

/// Makes the statements of routes, for one connection.
struct StatementMaker {
  let catalog: Catalog
  let limits: RouteLimits
  let rowFilters: [DatabaseRoute.Table: DatabaseRoute.Filter]

  /// - Parameters:
  ///   - schema: The database whose tables it is about; `nil` for `main`.
  ///   - committedVersion: See ``RouteRun/committedVersion``.
  init(
    _ connection: Connection, _ cache: StatementCache, schema: String?, limits: RouteLimits,
    rowFilters: [DatabaseRoute.Table: DatabaseRoute.Filter], committedVersion: Int?
  ) throws {
    if let schema {
      // Which version of another file was committed is not noted: within a transaction nothing of it is kept.
      catalog = try Catalog(
        of: schema, connection, cache, mayKeep: committedVersion == nil)
    } else {
      catalog = try Catalog(connection, cache, committedVersion: committedVersion)
    }
    self.limits = limits
    self.rowFilters = rowFilters
  }

  /// A statement of a route; of one of its rows where it writes some.
  ///
  /// - Parameters:
  ///   - route: With the filter of its table's rows in it already.
  ///   - check: What has to hold of a row that is written.
  ///   - limit: How many rows at most, negative for all.
  /// - Throws: ``RouterError``; `SQLiteError` as the schema is read.
  func statement(
    _ route: DatabaseRoute, record: DatabaseRoute.Record? = nil,
    check: DatabaseRoute.Filter? = nil, limit: Int = -1
  ) throws -> RouteStatement {
    // Before anything walks down into them.
    for filter in [route.filter, check] {
      if let filter, filter.isDeeper(than: limits.filterDepth + 1) {
        throw RouterError.invalid("a filter is nested deeper than \(limits.filterDepth)")
      }
    }
    if let filter = route.groupFilter, filter.isDeeper(than: limits.filterDepth) {
      throw RouterError.invalid("a filter is nested deeper than \(limits.filterDepth)")
    }
    let shape = RouteShape(route: route, record: record, check: check)
    let known = catalog.version.flatMap { catalog.cache.text(of: shape, $0) }
    let table = try known?.table ?? catalog.table(route.table.name)
    var writer = StatementWriter(
      table, catalog: catalog, limits: limits, rowFilters: rowFilters, writesText: known == nil)
    let scope = StatementWriter.Scope(facts: table, alias: table.name)
    switch route.method {
    case .fetch, .fetchOne, .count: try writer.writeSelect(route, scope, limit: limit)
    case .insert, .upsert:
      try writer.writeInsert(route, record ?? .init(), check: check, scope)
    case .update: try writer.writeUpdate(route, record ?? .init(), check: check, scope)
    case .delete: try writer.writeDelete(route, scope)
    case .custom: throw RouterError.invalid("a custom route has its own text")
    }
    if let known { return RouteStatement(text: known, values: writer.values) }
    let text = StatementText(sql: writer.text, table: table, hasCheck: check != nil)
    if let version = catalog.version { catalog.cache.keep(text, of: shape, version) }
    return RouteStatement(text: text, values: writer.values)
  }
}
