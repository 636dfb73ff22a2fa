internal import SQLiteCore

extension SQLiteRouteExecutor {
  /// Checks a route before it runs, and rejects it by throwing an error.
  public typealias Policy = @Sendable (DatabaseRoute) throws -> Void
}

/// The settings of an executor.
struct RouteSettings: Sendable {
  var decoder = RowDecoder()
  var limits = DatabaseRoute.Limits()
  var policies: [SQLiteRouteExecutor.Policy] = []
  var rowFilters: [DatabaseRoute.Table: DatabaseRoute.Filter] = [:]
  var cache = StatementCache()
}

/// The settings in a reference type, so that a run need not copy them.
final class SharedSettings: Sendable {
  let values: RouteSettings

  init(_ values: RouteSettings) { self.values = values }
}
