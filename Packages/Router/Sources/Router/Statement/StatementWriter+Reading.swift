internal import SQLiteCore

extension StatementWriter {
  /// Writes the statement of a route that reads. `limit` is the maximum number of rows, negative for all.
  mutating func writeSelect(_ route: DatabaseRoute, _ scope: Scope, limit: Int) throws {
    if !route.aggregates.isEmpty { return try writeGrouped(route, scope, limit: limit) }
    guard route.groupFilter == nil else {
      throw RouterError.invalid("a group filter requires an aggregate")
    }
    if route.method == .count {
      let isCapped = route.limit != nil
      write("SELECT count(*) AS \"count\" FROM ")
      if isCapped { write("(SELECT 1 FROM ") }
      write(Self.source(scope.table))
      try writeConditions(route.filter, route, scope)
      guard isCapped else { return }
      write(" LIMIT ")
      bind(limit: limit)
      return write(") AS \"rows\"")
    }
    guard route.counting == .exact else {
      throw RouterError.invalid("only a count can have a counting method (`\(route.counting)`)")
    }
    write("SELECT ")
    try writeResult(route.columns, route.embeds, scope)
    write(" FROM \(Self.source(scope.table))")
    var orders = try orders(of: route, scope)
    if let last = route.page?.after {
      try writePage(after: last, route, &orders, limit: limit, scope)
    } else {
      try writeConditions(route.filter, route, scope)
    }
    try write(orders, in: scope)
    try writeLimit(limit, route)
  }

  /// Writes a select of aggregates or, for a count, the number of their groups.
  private mutating func writeGrouped(
    _ route: DatabaseRoute, _ scope: Scope, limit: Int
  ) throws {
    let isCount = route.method == .count
    if isCount { write("SELECT count(*) AS \"count\" FROM (") }
    let grouped = try writeGroups(route, scope)
    if !isCount {
      var orders = route.orders
      if route.limit != nil || route.offset != nil {
        // No two groups are equal in all of their columns.
        for column in route.columns where !orders.contains(where: { $0.column == column }) {
          orders.append(.ascending(column, nullsFirst: true))
        }
      }
      try write(orders, in: grouped)
    }
    if !isCount || route.limit != nil { try writeLimit(limit, route) }
    if isCount { write(") AS \"rows\"") }
  }

  private mutating func writeLimit(_ limit: Int, _ route: DatabaseRoute) throws {
    write(" LIMIT ")
    bind(limit: limit)
    guard let offset = route.offset, route.method != .count else { return }
    guard offset >= 0 else { throw RouterError.invalid("the offset must not be negative") }
    write(" OFFSET ")
    bind(.integer(Int64(offset)))
  }

  mutating func writeConditions(
    _ filter: DatabaseRoute.Filter?, _ route: DatabaseRoute, _ scope: Scope
  ) throws {
    try writeWhere(filter, in: scope)
    var isFirst = filter == nil
    for embed in route.embeds where embed.isRequired {
      write(isFirst ? " WHERE " : " AND ")
      isFirst = false
      try writeExists(embed, scope)
    }
  }

  /// Writes the result columns, each with its own name.
  mutating func writeResult(
    _ columns: [DatabaseRoute.Column], _ embeds: [DatabaseRoute.Embed], _ scope: Scope,
    all: Bool = true
  ) throws {
    if columns.isEmpty, all {
      write(
        scope.table.resultNames(beside: embeds).map {
          let name = SQLName.quoted($0)
          return "\(SQLName.quoted(scope.alias)).\(name) AS \(name)"
        }.joined(separator: ", "))
    }
    try writeEach(columns) { writer, column in
      try writer.write(column, in: scope)
      guard writer.writesText else { return }
      let name = try writer.resultName(of: column, scope)
      writer.write(" AS \(SQLName.quoted(name))")
    }
    if !embeds.isEmpty { try checkNames(of: embeds, beside: columns, scope) }
    for embed in embeds {
      write(", ")
      try write(embed, scope)
      write(" AS \(SQLName.quoted(embed.name))")
    }
  }

  /// Rejects an embed with the name of a selected column or of another embed.
  func checkNames(
    of embeds: [DatabaseRoute.Embed], beside columns: [DatabaseRoute.Column], _ scope: Scope
  ) throws {
    guard writesText else { return }
    var names = try columns.map { try resultName(of: $0, scope) }
    for embed in embeds {
      if names.contains(where: { $0.isSameName(as: embed.name) }) {
        throw RouterError.invalid(
          "two result columns are named \(embed.name)", column: embed.name)
      }
      names.append(embed.name)
    }
  }

  /// Returns the name of a column in the result.
  func resultName(
    of column: DatabaseRoute.Column, _ scope: Scope
  ) throws(RouterError) -> String {
    try scope.table.resultName(of: column)
  }

  mutating func write(_ orders: [DatabaseRoute.Order], in scope: Scope) throws {
    guard !orders.isEmpty else { return }
    write(" ORDER BY ")
    try writeEach(orders) { writer, order in
      try writer.writeTerm(order, scope)
      // Without NULLs, the engine's default position of NULLs allows the use of an index.
      let isNotNull =
        order.column.path.isEmpty && writer.writesText && scope.groups == nil
        ? scope.table.isNeverNull(try scope.table.routeColumn(order.column.name)) : false
      let nullsFirst =
        isNotNull ? order.ascending == Dialect.ordersNullsFirst : order.nullsFirst
      writer.write(order.ascending ? " ASC" : " DESC")
      writer.write(nullsFirst ? " NULLS FIRST" : " NULLS LAST")
    }
  }

  mutating func writeTerm(
    _ order: DatabaseRoute.Order, _ scope: Scope
  ) throws {
    if let groups = scope.groups {
      let index = try index(of: order.column, in: groups, scope)
      write("\(index + 1)")
    } else {
      try write(order.column, in: scope)
    }
    if let collation = order.collation { write(" COLLATE \(SQLName.quoted(collation))") }
  }

  /// Returns the order of a route. If only some rows are requested, the primary key makes the order total.
  private func orders(
    of route: DatabaseRoute, _ scope: Scope
  ) throws(RouterError) -> [DatabaseRoute.Order] {
    var orders = route.orders
    let isPart = route.limit != nil || route.offset != nil
    guard route.page != nil || (route.method == .fetch && isPart) else {
      return orders
    }
    // In the direction of the preceding term, so that an index for that term covers the key, too.
    let isAscending = orders.last?.ascending ?? true
    for key in scope.table.primaryKey {
      // Different keys may be equal by a collation.
      let isOrdered = orders.contains { $0.column == .init(key.name) && $0.collation == nil }
      guard !isOrdered else { continue }
      orders.append(
        .init(
          column: .init(key.name), ascending: isAscending,
          nullsFirst: isAscending == Dialect.ordersNullsFirst))
    }
    if route.page != nil, scope.table.primaryKey.isEmpty {
      throw .invalid(
        "\(scope.table.name.name) has no primary key, which pages require")
    }
    return orders
  }
}
