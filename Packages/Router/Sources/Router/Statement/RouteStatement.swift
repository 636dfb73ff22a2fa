public import SQLiteCore

/// A route's SQL text.
final class StatementText: Sendable {
  let sql: String
  let table: TableSchema
  /// Indicates whether the statement returns a last column that states whether the row may be written.
  let hasCheck: Bool

  init(sql: String, table: TableSchema, hasCheck: Bool) {
    self.sql = sql
    self.table = table
    self.hasCheck = hasCheck
  }
}

/// A route's SQL text with the values of one run.
struct RouteStatement {
  let text: StatementText
  /// The values, each a ``DatabaseRoute/CustomStatement/Argument``.
  let values: [any SQLiteBindable]
}

extension DatabaseRoute.CustomStatement.Argument: SQLiteBindable {
  public var sqliteValue: SQLiteValue {
    get throws(SQLiteError) {
      switch self {
      case .value(let value): value
      case .list(let values): try SQLiteArray(values).sqliteValue
      }
    }
  }

  public func bind(to statement: Statement, at index: ParameterIndex) throws(SQLiteError) {
    switch self {
    case .value(let value): try value.bind(to: statement, at: index)
    case .list(let values): try SQLiteArray(values).bind(to: statement, at: index)
    }
  }
}

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

extension Catalog {
  /// Returns a statement of a route, for one of its records if it writes records.
  ///
  /// - Parameters:
  ///   - route: The route, with its table's row filter applied.
  ///   - check: The filter that a written row must satisfy.
  ///   - limit: The maximum number of rows; negative for all.
  /// - Throws: ``RouterError``; `SQLiteError` while reading the schema.
  func statement(
    _ route: DatabaseRoute, settings: SharedSettings, record: DatabaseRoute.Record? = nil,
    check: DatabaseRoute.Filter? = nil, limit: Int = -1
  ) throws -> RouteStatement {
    try check?.checkDepth(settings.values.limits.filterDepth)
    let shape = RouteShape(route: route, record: record, check: check)
    let cached = version.flatMap { cache.text(of: shape, $0) }
    if let cached, record == nil, let values = route.plainValues(limit: limit) {
      return RouteStatement(text: cached, values: values)
    }
    let table = try cached?.table ?? self.table(route.table.name)
    var writer = StatementWriter(
      table, catalog: self, settings: settings, writesText: cached == nil)
    let scope = StatementWriter.Scope(table: table, alias: table.name.name)
    switch route.method {
    case .fetch, .fetchOne, .count: try writer.writeSelect(route, scope, limit: limit)
    case .insert, .upsert:
      try writer.writeInsert(route, record ?? .init(), check: check, scope)
    case .update: try writer.writeUpdate(route, record ?? .init(), check: check, scope)
    case .delete: try writer.writeDelete(route, scope)
    case .custom: throw RouterError.invalid("a custom route has its own text")
    }
    if let cached { return RouteStatement(text: cached, values: writer.values) }
    let text = StatementText(sql: writer.text, table: table, hasCheck: check != nil)
    if let version { cache.store(text, of: shape, version) }
    return RouteStatement(text: text, values: writer.values)
  }
}

extension DatabaseRoute {
  /// Returns the values of a route that reads the rows in which one column equals a value, in the order in which a
  /// ``StatementWriter`` binds them; `nil` for any other route.
  fileprivate func plainValues(limit: Int) -> [any SQLiteBindable]? {
    guard storage.isPlain, method == .fetchOne || method == .fetch,
      case .comparison(let comparison)? = storage.parts.filter?.form,
      comparison.operator == .equals, comparison.column.path.isEmpty,
      case .value(let value) = comparison.operand,
      !value.isBoundAsNull
    else { return nil }
    return [
      CustomStatement.Argument.value(value), CustomStatement.Argument.value(.integer(Int64(limit))),
    ]
  }
}
