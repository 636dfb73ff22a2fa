public import SQLiteCore

extension DatabaseRoute {
  /// Checks a route before it runs, and rejects it by throwing an error.
  public typealias Policy = @Sendable (DatabaseRoute) throws -> Void
}

/// The settings of an executor: which routes it runs, and how it reads their results.
///
/// Copies share their values until one of them is changed.
public struct RouteSettings: Sendable {
  private struct Values {
    var decoder = RowDecoder()
    var limits = DatabaseRoute.Limits()
    var policies: [DatabaseRoute.Policy] = []
    var rowFilters: [DatabaseRoute.Table: DatabaseRoute.Filter] = [:]
    var cache = StatementCache()
  }

  private final class Storage: Sendable {
    let values: Values

    init(_ values: Values) { self.values = values }
  }

  private var storage = Storage(Values())

  public init() {}

  /// The decoder that converts rows to values.
  public var decoder: RowDecoder {
    get { storage.values.decoder }
    set { change { $0.decoder = newValue } }
  }

  /// The limits for the size of routes, and for the number of rows that they read or write.
  public var limits: DatabaseRoute.Limits {
    get { storage.values.limits }
    set { change { $0.limits = newValue } }
  }

  /// The policies that check each route before it runs, in this order.
  public var policies: [DatabaseRoute.Policy] {
    get { storage.values.policies }
    set { change { $0.policies = newValue } }
  }

  /// Filters that restrict the rows of a table that routes may read, change or produce: see
  /// ``SQLiteRouteExecutor/rowFilters``. Setting them discards the cached statements.
  public var rowFilters: [DatabaseRoute.Table: DatabaseRoute.Filter] {
    get { storage.values.rowFilters }
    set {
      change {
        $0.rowFilters = newValue
        $0.cache = StatementCache()
      }
    }
  }

  /// The cached statements.
  public var cache: StatementCache {
    get { storage.values.cache }
    set { change { $0.cache = newValue } }
  }

  // Without a copy of the values, for every run of a route.
  var hasPolicies: Bool { !storage.values.policies.isEmpty }
  var hasRowFilters: Bool { !storage.values.rowFilters.isEmpty }

  /// Identifies the values, which copies share: two settings with equal identities are equal.
  public var identity: ObjectIdentifier { ObjectIdentifier(storage) }

  private mutating func change(_ change: (inout Values) -> Void) {
    var values = storage.values
    change(&values)
    storage = Storage(values)
  }
}
