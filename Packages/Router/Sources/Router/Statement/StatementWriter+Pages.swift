internal import SQLiteCore

/// Pages after a given row, by conditions for which an index on the order is searched.
///
/// If all terms have one direction, the condition is a comparison of rows: `(a, b) > (?, ?)`. Otherwise the rows after
/// the given row are several ranges of the index: for `a DESC, b`, those with `a = ? AND b > ?` and those with `a < ?`;
/// and NULLs are a range of their own. No index serves ranges joined by `OR`. Therefore, the keys of each range are
/// selected up to the route's limit, and the page is selected from these rows.
extension StatementWriter {
  /// A term of a page's order, with the value of the given row.
  private struct PageTerm {
    let order: DatabaseRoute.Order
    let value: SQLiteValue
    /// Indicates whether the column is never NULL.
    let isNeverNull: Bool
    /// Indicates whether an index on the order can be searched by a comparison of rows that includes the term.
    let isIndexed: Bool

    /// Indicates whether the rows after the value are those for which a comparison with it is true.
    var isComparable: Bool { !value.isNull && (isNeverNull || order.nullsFirst) }
  }

  /// A range of rows after the given row.
  private struct PageRange {
    /// The number of leading terms that are equal to the values of the given row.
    var equal = 0
    /// The condition for the following terms.
    var condition: Condition

    enum Condition {
      /// A comparison of a number of terms with the values of the given row.
      case after(Int)
      case isNull
      case isNotNull
    }
  }

  /// Writes the conditions of a route whose rows come after a given row.
  ///
  /// - Parameters:
  ///   - last: The given row.
  ///   - route: The route.
  ///   - orders: The order of the rows. Afterwards, it has the terms that suffice for rows that meet the conditions.
  ///   - limit: The maximum number of rows; negative for all.
  ///   - scope: The route's table.
  mutating func writePage(
    after last: DatabaseRoute.Record, _ route: DatabaseRoute, _ orders: inout [DatabaseRoute.Order],
    limit: Int, _ scope: Scope
  ) throws {
    let terms = try Self.terms(of: orders, last, scope)
    let ranges = Self.ranges(of: terms[...])
    if ranges.count == 1 {
      try writeConditions(of: route, scope) { try $0.write(ranges[0], of: terms, $1) }
      orders = Self.orders(orders, in: ranges[0])
      return
    }
    guard let key = pageKey(scope) else {
      return try writeConditions(of: route, scope) { writer, scope in
        writer.write("(")
        try writer.writeEach(ranges, separator: " OR ") { try $0.write($1, of: terms, scope) }
        writer.write(")")
      }
    }
    let row = key.map { "\(SQLName.quoted(scope.alias)).\($0)" }
    let names = key.indices.map { "\"holt key \($0 + 1)\"" }
    let isRow = key.count > 1
    write(isRow ? " WHERE (\(row.joined(separator: ", "))) IN (" : " WHERE \(row[0]) IN (")
    let countBefore = termCount
    let all = orders
    try writeEach(ranges, separator: " UNION ALL ") { writer, range in
      // The route's conditions are counted once.
      writer.termCount = countBefore
      let keys = zip(row, names).map { "\($0) AS \($1)" }.joined(separator: ", ")
      writer.write("SELECT \(names.joined(separator: ", ")) FROM (SELECT \(keys)")
      writer.write(" FROM \(Self.source(scope.table))")
      try writer.writeConditions(of: route, scope) { try $0.write(range, of: terms, $1) }
      try writer.write(Self.orders(all, in: range), in: scope)
      writer.write(" LIMIT ")
      writer.bind(limit: Self.rangeLimit(limit, route))
      let alias = writer.freshAlias()
      writer.write(") AS \(SQLName.quoted(alias))")
    }
    write(")")
  }

  /// Writes the conditions of a route, and a condition of its page.
  private mutating func writeConditions(
    of route: DatabaseRoute, _ scope: Scope,
    _ writePage: (inout StatementWriter, Scope) throws -> Void
  ) throws {
    try writeConditions(route.filter, route, scope)
    let hasOthers = route.filter != nil || route.embeds.contains(where: \.isRequired)
    write(hasOthers ? " AND " : " WHERE ")
    try writePage(&self, scope)
  }

  /// Returns the terms of an order up to the last column of the key, which distinguishes all rows.
  private static func terms(
    of orders: [DatabaseRoute.Order], _ last: DatabaseRoute.Record, _ scope: Scope
  ) throws(RouterError) -> [PageTerm] {
    var terms: [PageTerm] = []
    var missing = scope.table.primaryKey.map(\.name)
    for order in orders where !missing.isEmpty {
      terms.append(try pageTerm(order, last, scope))
      guard order.collation == nil else { continue }
      let name = try scope.table.routeColumn(order.column.name).name
      missing.removeAll { $0 == name }
    }
    return terms
  }

  private static func pageTerm(
    _ order: DatabaseRoute.Order, _ last: DatabaseRoute.Record, _ scope: Scope
  ) throws(RouterError) -> PageTerm {
    guard order.column.path.isEmpty else {
      throw .invalid("pages can't be ordered by a part of JSON", column: order.column.name)
    }
    let column = try scope.table.routeColumn(order.column.name)
    let name = column.name
    guard let value = last[order.column] ?? last[.init(name)] else {
      throw .invalid("the last row of the previous page has no \(name)", column: name)
    }
    if value.isNull, scope.table.primaryKey.contains(where: { $0.name == name }) {
      // SQLite allows NULL in non-integer keys, in any number of rows.
      throw .invalid(
        "the last row of the previous page has no key: its \(name) is NULL", column: name)
    }
    // SQLite searches an index by a comparison of rows, but not by its rowid or by a collation.
    let isIndexed = order.collation == nil && !scope.table.isRowIDColumn(name)
    return PageTerm(
      order: order, value: value, isNeverNull: scope.table.isNeverNull(column),
      isIndexed: isIndexed)
  }

  /// Returns the quoted columns that identify a row and are never NULL; `nil` if there are none.
  private func pageKey(_ scope: Scope) -> [String]? {
    if let name = scope.table.rowIDName { return [name] }
    let key = scope.table.primaryKey
    guard key.allSatisfy({ scope.table.isNeverNull($0) }), scope.table.isUnique(key.map(\.name))
    else { return nil }
    return key.map { SQLName.quoted($0.name) }
  }

  private static func rangeLimit(_ limit: Int, _ route: DatabaseRoute) -> Int {
    let (sum, isTooLarge) = limit.addingReportingOverflow(max(route.offset ?? 0, 0))
    return limit < 0 || isTooLarge ? -1 : sum
  }

  /// Returns the ranges that together contain the rows after the given row.
  private static func ranges(of terms: ArraySlice<PageTerm>) -> [PageRange] {
    guard let term = terms.first else { return [] }
    let isRow = terms.allSatisfy {
      $0.isComparable && $0.order.ascending == term.order.ascending
        && ($0.isIndexed || terms.count == 1)
    }
    if isRow { return [PageRange(condition: .after(terms.count))] }
    var ranges = ranges(of: terms.dropFirst())
    for index in ranges.indices { ranges[index].equal += 1 }
    if term.value.isNull {
      if term.order.nullsFirst { ranges.append(PageRange(condition: .isNotNull)) }
    } else {
      ranges.append(PageRange(condition: .after(1)))
      if !term.isComparable { ranges.append(PageRange(condition: .isNull)) }
    }
    return ranges
  }

  /// Returns the order of the rows in a range: without the terms that are equal in all rows, and with the position of
  /// NULLs that an index has if the next term is not NULL.
  private static func orders(
    _ orders: [DatabaseRoute.Order], in range: PageRange
  ) -> [DatabaseRoute.Order] {
    var orders = Array(orders.dropFirst(range.equal))
    if case .isNull = range.condition {
      orders.removeFirst()
    } else {
      orders[0].nullsFirst = orders[0].ascending == Dialect.ordersNullsFirst
    }
    return orders
  }

  /// Writes the condition of a range.
  private mutating func write(
    _ range: PageRange, of terms: [PageTerm], _ scope: Scope
  ) throws {
    write("(")
    for term in terms[..<range.equal] {
      try writeTerm(term.order, scope)
      if term.value.isNull {
        write(" IS NULL AND ")
      } else {
        write(" = ")
        bind(term.value)
        write(" AND ")
      }
    }
    let rest = terms[range.equal...]
    switch range.condition {
    case .after(let count): try writeRow(rest.prefix(count), scope)
    case .isNull, .isNotNull:
      try writeTerm(terms[range.equal].order, scope)
      if case .isNull = range.condition { write(" IS NULL") } else { write(" IS NOT NULL") }
    }
    write(")")
  }

  /// Writes a comparison of terms, all of one direction, with the values of the given row.
  private mutating func writeRow(_ terms: ArraySlice<PageTerm>, _ scope: Scope) throws {
    let symbol = terms.first?.order.ascending ?? true ? ">" : "<"
    let isRow = terms.count > 1
    if isRow { write("(") }
    try writeEach(terms) { try $0.writeTerm($1.order, scope) }
    write(isRow ? ") \(symbol) (" : " \(symbol) ")
    try writeEach(terms) { $0.bind($1.value) }
    if isRow { write(")") }
  }
}
