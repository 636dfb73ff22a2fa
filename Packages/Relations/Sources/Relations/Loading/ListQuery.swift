internal import SQLiteCore

/// Reads the lists of any number of owners with one statement.
struct ListQuery<Target: TableModel>: Sendable {
  enum Source: Sendable {
    case links(LinkTable)
    /// Columns of the target table that refer to the owner.
    case inverse(columns: [String])
    /// Rows of other tables.
    case path(JoinPath)
  }

  let source: Source
  /// The requested order; ties are ordered by key.
  let requestedOrder: [OrderTerm]
  let metadata: TableMetadata
  /// The comparison of the owners' keys.
  let ownerCollation: KeyCollation

  init(source: Source, order: String?, metadata: TableMetadata, ownerCollation: KeyCollation) {
    self.source = source
    self.metadata = metadata
    self.ownerCollation = ownerCollation
    requestedOrder = OrderTerm.parse(order)
  }

  /// A row and its place in the list.
  struct ListedRow: Sendable {
    /// The link's position, in a list of links.
    let position: Int64
    /// The row's ordering values; empty if they are not needed.
    let cursor: [SQLiteValue]
    let fetched: ModelSession.FetchedRow<Target.Row>
  }

  /// Returns the rows of each owner, in list order.
  ///
  /// - Parameters:
  ///   - owners: The distinct keys of the owners.
  ///   - limit: The maximum number of rows for each owner.
  ///   - cursor: The ordering values of the row after which to start. Only valid for a single
  ///     owner.
  ///   - revision: The session's revision when the read began.
  func read(
    _ connection: Connection, _ owners: [[SQLiteValue]], limit: Int? = nil,
    after cursor: [SQLiteValue]? = nil, at revision: UInt64
  ) throws -> [[ListedRow]] {
    var lists = [[ListedRow]](repeating: [], count: owners.count)
    var places = KeyMap<Int>(ownerCollation)
    for (place, owner) in owners.enumerated() { places[owner] = place }
    let order = order
    let hasCursor = needsCursor(limit)
    // After the row's columns, each result row has the owner's key and the ordering values.
    let first = metadata.columns.count
    let width = first + owner.count
    // Rows of one owner are adjacent.
    var last: (key: [SQLiteValue], place: Int)?
    guard let condition = KeyCondition(expressions: owner, in: owners) else { return lists }
    let (sql, more) = statement(
      condition.sql, order, isSingleOwner: owners.count == 1, limit: limit, after: cursor)
    let arguments = condition.arguments + more
    try connection.forEachFetched(Target.Row.self, metadata, SQL(unsafe: sql), arguments) {
      fetched, row in
      let place: Int
      if let last, try Self.isKey(last.key, row, first) {
        place = last.place
      } else {
        let key = try Self.values(row, first..<width)
        guard let found = places[key] else { return }
        place = found
        last = (key, found)
      }
      var position: Int64 = 0
      if case .links = source { position = try row.integer(at: ColumnIndex(width)) }
      let cursor = hasCursor ? try Self.values(row, width..<(width + order.count)) : []
      lists[place].append(
        ListedRow(position: position, cursor: cursor, fetched: fetched.read(at: revision)))
    }
    return lists
  }

  /// Reads complete lists of a type with ``Table/properties`` whose rows refer to their owners by a
  /// single column.
  ///
  /// - Parameter session: The session of values; `nil` for rows of instances.
  func readGroupedRows(
    _ connection: Connection, _ owners: [SQLiteValue], in session: ModelSession?
  ) throws -> GroupedRowLists {
    guard let (accessors, column) = groupedRowAccess, !owners.isEmpty else {
      return GroupedRowLists(OwnerGroupedRows<Target.Row>())
    }
    let columns = metadata.columns(of: table)
    let owner = columns[column]
    func sql(_ condition: String) -> String {
      """
      SELECT \(columns.joined(separator: ", ")) FROM \(metadata.source) \
      WHERE \(owner) \(condition) ORDER BY \(owner), \(OrderTerm.sql(order))
      """
    }
    let place = ColumnIndex(column)
    let rangeSQL = sql("BETWEEN ? AND ?")
    let range = try KeyRange(owners).flatMap { range in
      try connection.isNumeric(place, of: rangeSQL) ? range : nil
    }
    let values: [any SQLiteBindable] =
      if let range { [range.first, range.last] } else { [SQLiteArray(owners)] }
    let relationOwner = session.flatMap { accessors.ownerOfRead(in: $0) }
    let groups = try accessors.reading.fetchGroupedRows(
      connection, SQL(unsafe: range == nil ? sql("IN array_each(?)") : rangeSQL), values, place,
      relationOwner,
      range)
    if relationOwner == nil, let session { accessors.attach(groups.lists, in: session) }
    return GroupedRowLists(groups)
  }

  /// The accessors and the index of the owner column for ``readGroupedRows(_:_:in:)``; `nil` if the
  /// list can't be read that way.
  var groupedRowAccess: (accessors: RowAccessors<Target.Row>, column: Int)? {
    guard case .inverse(let columns) = source, columns.count == 1,
      let accessors = metadata.accessors(Target.Row.self),
      let column = metadata.columns.firstIndex(where: { $0.name == columns[0] })
    else { return nil }
    return (accessors, column)
  }

  private static func isKey(
    _ key: [SQLiteValue], _ row: borrowing Row, _ first: Int
  ) throws -> Bool {
    for (place, value) in key.enumerated()
    where try row.value(at: ColumnIndex(first + place)) != value { return false }
    return true
  }

  private static func values(_ row: borrowing Row, _ columns: Range<Int>) throws -> [SQLiteValue] {
    var values: [SQLiteValue] = []
    for column in columns { values.append(try row.value(at: ColumnIndex(column))) }
    return values
  }

  /// Returns whether ordering values are read, for pagination or as keys of links.
  private func needsCursor(_ limit: Int?) -> Bool {
    switch source {
    case .links, .inverse: limit != nil
    case .path: true
    }
  }

  // MARK: SQL

  /// The columns that hold the owner's key.
  private var owner: [String] {
    switch source {
    case .links(let links): links.ownerColumns.map { "holt_links.\(SQLName.quoted($0))" }
    case .inverse(let columns): columns.map { "\(table).\(SQLName.quoted($0))" }
    case .path(let path): path.ownerExpressions
    }
  }

  private var table: String { metadata.quotedTable }
  private var keys: [String] { metadata.keyColumns(of: table) }

  /// The total order of an owner's rows.
  var order: [OrderTerm] {
    switch source {
    case .links: [OrderTerm("holt_links.position")]
    case .inverse: requestedOrder + keys.map { OrderTerm($0) }
    case .path(let path): requestedOrder + (path.linkKeys ?? keys).map { OrderTerm($0) }
    }
  }

  /// The number of ordering values that are the key of the link.
  var linkKeyCount: Int {
    if case .path(let path) = source { path.linkKeys?.count ?? 0 } else { 0 }
  }

  private func statement(
    _ condition: String, _ order: [OrderTerm], isSingleOwner: Bool, limit: Int?,
    after cursor: [SQLiteValue]?
  ) -> (String, [SQLiteValue]) {
    var from = metadata.source
    var owner = owner
    var conditions = [condition]
    switch source {
    case .links(let links):
      let target = links.targetColumns.map { "holt_links.\(SQLName.quoted($0))" }
      from =
        "\(links.quoted) AS holt_links JOIN \(metadata.source) ON \(JoinPath.condition(keys, target))"
    case .inverse: break
    case .path(let path):
      if path.linkKeys != nil {
        from =
          "\(path.tables) JOIN \(metadata.source) ON \(JoinPath.condition(keys, path.targetExpressions))"
      } else {
        // A row that is reached by several paths appears once.
        let aliased = owner.enumerated().map { "\($1) AS o\($0)" }
        let target = path.targetExpressions.enumerated().map { "\($1) AS t\($0)" }
        from = """
          (SELECT DISTINCT \((aliased + target).joined(separator: ", ")) FROM \(path.tables) \
          WHERE \(condition)) AS holt_path \
          JOIN \(metadata.source) ON \(JoinPath.condition(keys, keys.indices.map { "holt_path.t\($0)" }))
          """
        conditions = []
        owner = owner.indices.map { "holt_path.o\($0)" }
      }
    }
    var arguments: [SQLiteValue] = []
    if let cursor {
      let cursorCondition = OrderTerm.condition(after: cursor, order)
      conditions.append(cursorCondition.sql)
      arguments = cursorCondition.arguments
    }
    var columns = metadata.columns(of: table)
    columns += owner.enumerated().map { "\($1) AS \"holt owner \($0)\"" }
    if case .links = source {
      columns.append("holt_links.position AS \"holt order 0\"")
    } else if needsCursor(limit) {
      columns += order.enumerated().map { "\($1.expression) AS \"holt order \($0)\"" }
    }
    let body =
      "FROM \(from)" + (conditions.isEmpty ? "" : " WHERE \(conditions.joined(separator: " AND "))")
    let sorted = OrderTerm.sql(order)
    let owners = owner.joined(separator: ", ")
    let selected = columns.joined(separator: ", ")
    guard let limit else {
      return ("SELECT \(selected) \(body) ORDER BY \(owners), \(sorted)", arguments)
    }
    if isSingleOwner {
      return ("SELECT \(selected) \(body) ORDER BY \(sorted) LIMIT \(limit)", arguments)
    }
    let names = owner.indices.map { "\"holt owner \($0)\"" }.joined(separator: ", ")
    let sql = """
      SELECT * FROM (SELECT \(selected), \
      row_number() OVER (PARTITION BY \(owners) ORDER BY \(sorted)) AS "holt row" \(body)) \
      WHERE "holt row" <= \(limit) ORDER BY \(names), "holt row"
      """
    return (sql, arguments)
  }

  /// The statement that counts the rows of one owner.
  var countSQL: String {
    let condition = owner.map { "\($0) = ?" }.joined(separator: " AND ")
    switch source {
    case .links(let links):
      var from = "\(links.quoted) AS holt_links"
      if metadata.deleted != nil {
        let target = links.targetColumns.map { "holt_links.\(SQLName.quoted($0))" }
        from += " JOIN \(metadata.source) ON \(JoinPath.condition(keys, target))"
      }
      return "SELECT count(*) FROM \(from) WHERE \(condition)"
    case .inverse: return "SELECT count(*) FROM \(metadata.source) WHERE \(condition)"
    case .path(let path):
      let target = path.targetExpressions
      let hasTarget = target.map { "\($0) IS NOT NULL" }.joined(separator: " AND ")
      let distinct = path.linkKeys == nil ? "DISTINCT " : ""
      let live =
        metadata.deleted == nil
        ? "" : " JOIN \(metadata.source) ON \(JoinPath.condition(keys, target))"
      return "SELECT count(*) FROM (SELECT \(distinct)\(target.joined(separator: ", ")) "
        + "FROM \(path.tables)\(live) WHERE \(condition) AND \(hasTarget))"
    }
  }
}
