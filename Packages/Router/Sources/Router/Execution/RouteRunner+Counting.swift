internal import SQLiteCore

/// Counts that need not be exact.
extension RouteRunner {
  /// Runs a count with a counting method other than `exact`.
  func estimate<Sink: RowSink>(
    _ plan: RoutePlan, _ sink: Sink
  ) throws -> Outcome<Sink.Value> {
    let count = try rowCount(of: plan.route)
    let row = Row(
      columns: ["count", "isExact"],
      values: [try count.value.sqliteValue, count.isExact.sqliteValue])
    return ([try sink.value(row, [])], affected: 0)
  }

  private func rowCount(of route: DatabaseRoute) throws -> DatabaseRoute.RowCount {
    let cap = route.limit ?? .max
    switch route.counting {
    case .exact: return DatabaseRoute.RowCount(try count(route, upTo: cap))
    case .planned:
      guard let planned = try planned(route) else {
        return DatabaseRoute.RowCount(try count(route, upTo: cap))
      }
      return DatabaseRoute.RowCount(min(planned, cap), isExact: false)
    case .estimated(let bound):
      guard bound >= 0, bound < Int.max else {
        throw RouterError.invalid("the bound of an estimate must be in 0..<Int.max")
      }
      let counted = try count(route, upTo: min(cap, bound + 1))
      // All rows, or the limit.
      if counted <= bound || counted == cap { return DatabaseRoute.RowCount(counted) }
      return DatabaseRoute.RowCount(min(max(try planned(route) ?? 0, counted), cap), isExact: false)
    }
  }

  private func count(_ route: DatabaseRoute, upTo most: Int) throws -> Int {
    var route = route
    route.counting = .exact
    if most < Int.max || route.limit != nil { route.limit = most }
    let plan = RoutePlan(unchecked: route, settings: settings)
    let statement = try selection(plan)
    return try connection.value(Int.self, SQL(unsafe: statement.text.sql), values: statement.values)
      ?? 0
  }

  /// Returns the planner's estimate of the number of rows, or `nil` if it has no statistics.
  private func planned(_ route: DatabaseRoute) throws -> Int? {
    // With a row filter, statistics of the whole table must not be revealed.
    guard settings.rowFilters[route.table] == nil, route.embeds.isEmpty, route.aggregates.isEmpty
    else { return nil }
    let table = try catalog(of: route).table(route.table.name)
    guard let columns = equalColumns(route.filter, table), !table.isUnique(columns) else {
      return nil
    }
    let schema = table.name.schema
    let hasNumbers = try connection.value(
      Int.self,
      "SELECT 1 FROM \(identifier: schema).sqlite_master WHERE name = 'sqlite_stat1'")
    guard hasNumbers != nil else { return nil }
    let indexes = table.indexes.filter { !$0.isPartial }
    var found: Int?
    try connection.forEach(
      "SELECT idx, stat FROM \(identifier: schema).sqlite_stat1 WHERE tbl = ? COLLATE NOCASE",
      table.name.name
    ) { row in
      let name = try row.read(String?.self, at: 0)
      let stat = try row.read(String?.self, at: 1) ?? ""
      // The number of all rows, then the average number of rows that are equal in the first column, in the first two,
      // and so on.
      let numbers = stat.split(separator: " ").prefix { Int($0) != nil }.compactMap { Int($0) }
      let index = indexes.first { $0.name == name }
      guard name == nil || index != nil, columns.count < numbers.count else { return }
      let leading = (index?.columns ?? []).prefix(columns.count).compactMap { $0 }
      guard leading.count == columns.count,
        columns.allSatisfy({ column in leading.contains { $0.isSameName(as: column) } })
      else { return }
      found = max(found ?? 0, numbers[columns.count])
    }
    return found
  }

  /// Returns the columns that a filter requires to equal values, if it has no other conditions; an empty array for all
  /// rows.
  private func equalColumns(_ filter: DatabaseRoute.Filter?, _ table: TableSchema) -> [String]? {
    switch filter?.form {
    case nil, .all: return []
    case .comparison(let comparison):
      guard comparison.operator == .equals, case .value(let value) = comparison.operand,
        !value.isNull, comparison.column.path.isEmpty,
        let column = try? table.routeColumn(comparison.column.name)
      else { return nil }
      return [column.name]
    case .and(let filters):
      var columns: [String] = []
      for filter in filters {
        guard case .comparison = filter.form, let more = equalColumns(filter, table),
          !columns.contains(where: { more.contains($0) })
        else { return nil }
        columns += more
      }
      return columns.isEmpty ? nil : columns
    default: return nil
    }
  }
}

/// Custom SQL.
extension RouteRunner {
  func runCustom<Sink: RowSink>(
    _ plan: RoutePlan, _ sink: Sink
  ) throws -> Outcome<Sink.Value> {
    let custom = try plan.customStatement()
    try connection.withStatement(SQL(unsafe: custom.text)) { statement in
      guard custom.access == .write || statement.isReadOnly else {
        throw RouterError(code: .refused, message: "the statement writes, but its access is `read`")
      }
    }
    let before = connection.totalChangeCount
    var outcome: Outcome<Sink.Value> = ([], affected: 0)
    outcome.values = try sink.values(connection, custom.text, custom.arguments, [])
    outcome.affected = connection.totalChangeCount - before
    try plan.check(
      custom: custom.access == .read ? outcome.values.count : outcome.affected)
    return outcome
  }
}
