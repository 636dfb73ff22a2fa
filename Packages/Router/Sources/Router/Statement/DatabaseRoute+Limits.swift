extension DatabaseRoute {
  /// The limits for the size of routes, and for the number of rows that they read or write.
  public struct Limits: Hashable, Sendable {
    /// The maximum number of rows that a route may read; more throw ``RouterError/Code/tooManyRows``. `nil` for any
    /// number.
    ///
    /// Embedded rows are not counted separately: limit them by ``DatabaseRoute/Embed/limit``.
    public var maximumRows: Int?
    /// The maximum number of rows that a route may write. A write of more rows is rolled back, and throws
    /// ``RouterError/Code/tooManyRows``. `nil`, the default, for any number.
    ///
    /// A route can't raise this limit.
    public var maximumAffected: Int?
    /// The maximum number of rows that an update or a deletion may write without stating a number. A write of more rows
    /// is rolled back, and throws ``RouterError/Code/tooManyRows``. `nil` for any number; 1,000 by default.
    ///
    /// It limits the damage of a filter that selects more rows than intended. A route that intends to write more states
    /// it: by a number, or by the filter ``DatabaseRoute/Filter/all``.
    ///
    /// ```swift
    /// try await executor.perform(
    ///   .delete(from: "log", filteredBy: Column("day").lessThan(20_000)).expecting(.atMost(100_000)))
    /// ```
    ///
    /// A call with an expected number of rows may also write that number. Rows that foreign keys or triggers change are
    /// not counted.
    public var maximumAffectedByFilter: Int? = 1_000
    /// The maximum nesting depth of a filter, up to ``DatabaseRoute/Filter/maximumDepth``. SQLite's parser rejects some
    /// filters of more than about 60 levels.
    public var filterDepth = 50
    /// The maximum number of conditions in filters.
    public var filterTerms = 500
    /// The maximum number of values of a list in a filter.
    public var listCount = 100_000

    public init() {}
  }
}
