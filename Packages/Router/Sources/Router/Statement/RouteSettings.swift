internal import SQLiteCore

extension SQLiteRouteExecutor {
  /// Looks at a route before it runs, and refuses it by an error.
  public typealias Policy = @Sendable (DatabaseRoute) throws -> Void
}

/// How an executor runs routes.
struct RouteSettings: Sendable {
  var decoder = RowDecoder()
  var limits = DatabaseRoute.Limits()
  var policies: [SQLiteRouteExecutor.Policy] = []
  var rowFilters: [DatabaseRoute.Table: DatabaseRoute.Filter] = [:]
  var cache = StatementCache()
}

/// The settings, of which a run takes a reference and no copy.
final class SharedSettings: Sendable {
  let values: RouteSettings

  init(_ values: RouteSettings) { self.values = values }
}
