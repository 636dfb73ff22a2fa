internal import SQLiteCore

/// Makes the statements of routes, for one connection.
struct StatementMaker {
  let catalog: Catalog
  let settings: SharedSettings

  /// - Parameters:
  ///   - schema: The database whose tables it is about; `nil` for `main`.
  ///   - committedVersion: See ``RouteRun/committedVersion``.
  init(
    _ connection: Connection, schema: String?, settings: SharedSettings, committedVersion: Int?
  ) throws {
    let cache = settings.values.cache
    if let schema {
      // Which version of another file was committed is not noted: within a transaction nothing of it is kept.
      catalog = try Catalog(
        of: schema, connection, cache, mayKeep: committedVersion == nil)
    } else {
      catalog = try Catalog(connection, cache, committedVersion: committedVersion)
    }
    self.settings = settings
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
    try check?.checkDepth(settings.values.limits.filterDepth)
    let shape = RouteShape(route: route, record: record, check: check)
    let known = catalog.version.flatMap { catalog.cache.text(of: shape, $0) }
    if let known, record == nil, let values = route.plainValues(limit: limit) {
      return RouteStatement(text: known, values: values)
    }
    let table = try known?.table ?? catalog.table(route.table.name)
    var writer = StatementWriter(
      table, catalog: catalog, settings: settings, writesText: known == nil)
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

extension DatabaseRoute {
  /// The values of a route that reads the rows of which one column has a value, in the order in which a
  /// ``StatementWriter`` binds them; `nil` for any other.
  fileprivate func plainValues(limit: Int) -> [any SQLiteBindable]? {
    guard storage.isPlain, method == .fetchOne || method == .fetch,
      case .comparison(let comparison)? = storage.parts.filter?.form,
      comparison.operator == .equals, comparison.column.path.isEmpty,
      case .value(let value) = comparison.operand,
      !value.isBoundAsNull
    else { return nil }
    return [BoundValue.value(value), BoundValue.value(.integer(Int64(limit)))]
  }
}
