public import SQLiteCore

/// A route's SQL text.
public final class StatementText: Sendable {
  /// The name of the column that indicates whether a row may be written.
  static let checkColumn = "holt check"

  /// The text of the statement.
  public let sql: String
  /// The route's table.
  public let table: TableSchema
  /// A Boolean value that indicates whether the statement returns a last column that states whether the row may be
  /// written. If it is not true for a row, the write must be rolled back.
  public let hasCheck: Bool

  init(sql: String, table: TableSchema, hasCheck: Bool) {
    self.sql = sql
    self.table = table
    self.hasCheck = hasCheck
  }
}

/// A route's SQL text with the values of one run.
public struct RouteStatement<Binding> {
  /// The text, which routes of one shape share.
  public let text: StatementText
  /// The values of the parameters, in order.
  public let values: [Binding]
}

extension SQLDialect {
  /// Returns a statement of a route, for some of its records if it writes records.
  ///
  /// - Parameters:
  ///   - route: The route to write as SQL: ``RoutePlan/selection()``, or the result of `RoutePlan.write(in:_:)`.
  ///   - settings: The executor's settings.
  ///   - records: The records to insert, which have the same columns, or the values of an update: one of
  ///     `RoutePlan.batches(_:)`.
  ///   - check: The filter that a written row must satisfy.
  ///   - limit: The maximum number of rows; negative for all.
  ///   - catalog: The tables of the database.
  /// - Throws: ``RouterError``; errors of the database while reading the schema.
  public static func statement(
    of route: DatabaseRoute, settings: RouteSettings,
    records: ArraySlice<DatabaseRoute.Record> = [],
    check: DatabaseRoute.Filter? = nil, limit: Int = -1, in catalog: Catalog
  ) throws -> RouteStatement<Binding> {
    try check?.checkDepth(settings.limits.filterDepth)
    let shape = RouteShape(
      route: route, record: records.first, check: check, isMany: records.count > 1,
      distinguishesSpelling: distinguishesSpelling)
    let cached = catalog.version.flatMap { catalog.cache.text(of: shape, $0) }
    if let cached, records.isEmpty, let values = plainValues(of: route, limit: limit) {
      return RouteStatement(text: cached, values: values)
    }
    let table = try cached?.table ?? catalog.table(route.table.name)
    var writer = Writer(table, catalog: catalog, settings: settings, writesText: cached == nil)
    let scope = Scope(table: table, alias: table.name.name)
    switch route.method {
    case .fetch, .fetchOne, .count: try writer.writeSelect(route, scope, limit: limit)
    case .insert, .upsert:
      try writer.writeInsert(route, records, check: check, scope)
    case .update: try writer.writeUpdate(route, records.first ?? .init(), check: check, scope)
    case .delete: try writer.writeDelete(route, scope)
    case .custom: throw RouterError.invalid("a custom route has its own text")
    }
    if let cached { return RouteStatement(text: cached, values: writer.values) }
    let text = StatementText(sql: writer.text, table: table, hasCheck: check != nil)
    if let version = catalog.version { catalog.cache.store(text, of: shape, version) }
    return RouteStatement(text: text, values: writer.values)
  }

  /// Returns the values of a route that reads the rows in which one column equals a value, in the order in which a
  /// ``StatementWriter`` binds them; `nil` for any other route.
  private static func plainValues(of route: DatabaseRoute, limit: Int) -> [Binding]? {
    guard route.storage.isPlain, route.method == .fetchOne || route.method == .fetch,
      case .comparison(let comparison)? = route.storage.parts.filter?.form,
      comparison.operator == .equals, comparison.column.path.isEmpty,
      case .value(let value) = comparison.operand,
      !value.isBoundAsNull
    else { return nil }
    return [
      binding(.value(value)), binding(.value(limit < 0 ? unlimited : .integer(Int64(limit)))),
    ]
  }
}
