internal import SQLiteCore

/// What would be run.
extension RouteRun {
  /// The statement of a route as it would run first, where the route may run.
  func preview(_ route: DatabaseRoute) throws -> (sql: String, values: [any SQLiteBindable]) {
    try route.checkNesting(settings.limits.filterDepth)
    for policy in settings.policies { try policy(route) }
    let statement: RouteStatement
    switch route.method {
    case .fetch, .fetchOne, .count:
      statement = try selection(route, limit: try limit(of: route, .init()))
    case .custom:
      let custom = try customStatement(of: route)
      return (custom.text, custom.values)
    case .insert, .upsert:
      statement = try maker(route).statement(
        try insertion(of: route), record: route.values.first,
        check: settings.rowFilters[route.table])
    case .update, .delete:
      let maker = try maker(route)
      statement = try maker.statement(
        try guarded(route, maker), record: route.values.first,
        check: route.method == .update ? settings.rowFilters[route.table] : nil)
    }
    return (statement.text.sql, statement.values)
  }
}
