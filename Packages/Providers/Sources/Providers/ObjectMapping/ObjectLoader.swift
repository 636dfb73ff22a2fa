internal import SQLiteCore

/// Rows that were read, from which objects are created.
struct LoadedRows {
  let plan: TablePlan
  /// The column names of the rows.
  let columns: [String]
  var rows: [[SQLiteValue]]
  /// The index in the rows of each of the plan's columns.
  private let places: [Int?]

  init(_ plan: TablePlan, columns: [String], rows: [[SQLiteValue]] = []) {
    self.plan = plan
    self.columns = columns
    self.rows = rows
    let names = columns.map(FoldedName.init)
    places = plan.columns.map { names.firstIndex(of: FoldedName($0.name)) }
  }

  /// Creates an empty collection with the columns of `other`.
  init(emptied other: LoadedRows) {
    self = other
    rows = []
  }

  /// Returns the index in the rows of one of the plan's columns; `nil` if the rows lack it.
  func place(ofColumn column: Int) -> Int? { places[column] }

  /// The index in the rows of the key's first column; `nil` if the rows lack it.
  var keyPlace: Int? { places[plan.key[0]] }
}

/// Creates objects from rows, with all objects that they refer to.
///
/// All rows are read before any object is created, level by level: with one statement for each
/// column that refers to another table, and for each list of links, regardless of the number of
/// rows. Then the objects are created: referenced rows before the row, and the elements of an
/// instance's lists after it. A row's object is created once. If a row leads back to one that is
/// still being loaded, a link is counted in ``CrossReference/unloadedCount``, and a reference is to
/// the existing instance, or to a copy of the row with unloaded lists. A cycle that consists only
/// of references is an error.
struct ObjectLoader {
  private let connection: Connection
  private let objects = LoadedObjects()

  init(_ connection: Connection) { self.connection = connection }

  /// Returns all rows of a statement as objects.
  ///
  /// - Parameter isWhole: Whether the rows are the table's, with all columns.
  func load<Object: DataTable>(
    _ type: Object.Type, _ plan: TablePlan, sql: SQL, _ values: [any SQLiteBindable],
    isWhole: Bool
  ) throws -> [Object] {
    // Errors of the caller's own statement are not related to the type's table.
    try explaining(isWhole ? { tables.explained($0, plan) } : nil) {
      if plan.isFlat {
        return try connection.fetchAll(
          decoding: type, with: Documents.decoder, sql, values: values)
      }
      let roots = try read(plan, sql, values)
      return try make(type, roots, isWhole: isWhole)
    }
  }

  private var tables: ObjectTables { ObjectTables(connection: connection) }

  private func explaining<Result>(
    _ explained: ((SQLiteError) -> any Error)?, _ body: () throws -> Result
  ) throws -> Result {
    do {
      return try body()
    } catch let error as SQLiteError {
      throw explained?(error) ?? error
    }
  }

  private func read(
    _ plan: TablePlan, _ sql: SQL, _ values: [any SQLiteBindable]
  ) throws -> LoadedRows {
    try connection.withStatement(sql, values: values) { statement in
      var loaded = LoadedRows(plan, columns: statement.columnNames)
      while try statement.step() { loaded.rows.append(try statement.row.values) }
      return loaded
    }
  }

  // MARK: Reading

  private func make<Object: DataTable>(
    _ type: Object.Type, _ roots: LoadedRows, isWhole: Bool
  ) throws -> [Object] {
    if isWhole { _ = objects.add(roots) }
    var level = [roots]
    while !level.isEmpty {
      var next: [LoadedRows] = []
      for loaded in level where !loaded.rows.isEmpty { next += try readChildren(of: loaded) }
      level = next
    }
    var loadedObjects: [Object] = []
    loadedObjects.reserveCapacity(roots.rows.count)
    let builder = ObjectBuilder(objects)
    for row in roots.rows {
      guard let object = try builder.make(roots, row, isShared: isWhole) as? Object else {
        throw ProviderError(
          .schemaMismatch, "a row was decoded as another type", table: roots.plan.table)
      }
      loadedObjects.append(object)
    }
    return loadedObjects
  }

  private func readChildren(of loaded: LoadedRows) throws -> [LoadedRows] {
    var children: [LoadedRows] = []
    for column in loaded.plan.references {
      guard let type = loaded.plan.properties[column].child,
        let place = loaded.place(ofColumn: column)
      else { continue }
      let plan = try TablePlan.of(type)
      let keys = objects.missing(loaded.rows.map { $0[place] }, of: plan)
      guard !keys.isEmpty else { continue }
      let sql =
        "\(plan.selectSQL) WHERE \(SQLName.quoted(plan.keyColumn.name)) IN array_each(?)"
      let rows = try explaining({ tables.explained($0, plan) }) {
        try read(plan, SQL(unsafe: sql), [SQLiteArray(keys)])
      }
      children.append(objects.add(rows))
    }
    for links in loaded.plan.links {
      guard let place = loaded.keyPlace else {
        throw ProviderError(
          .schemaMismatch, "the rows lack the key, which is needed to read their links",
          table: loaded.plan.table, column: loaded.plan.keyColumn.name)
      }
      children += try readLinks(links, of: loaded.plan, loaded.rows.map { $0[place] })
    }
    return children
  }

  /// Reads the links of rows, and the linked rows.
  private func readLinks(
    _ links: TablePlan.Links, of plan: TablePlan, _ owners: [SQLiteValue]
  ) throws -> [LoadedRows] {
    let list = LoadedObjects.List(table: ObjectIdentifier(plan.type), property: links.property)
    let unlinkedOwners = objects.unlinked(owners, list)
    guard !unlinkedOwners.isEmpty else { return [] }
    let child = try TablePlan.of(links.child)
    let columns = child.columns.map { "child.\(SQLName.quoted($0.name))" }
    let position = SQLName.quoted(try plan.side(of: links).position)
    let left = SQLName.quoted(links.definition.left)
    let right = SQLName.quoted(links.definition.right)
    let sql = """
      SELECT link.\(left), \(columns.joined(separator: ", "))
      FROM \(SQLName.quoted(links.definition.name)) AS link
      JOIN \(SQLName.quoted(child.table)) AS child
      ON child.\(SQLName.quoted(child.keyColumn.name)) = link.\(right)
      WHERE link.\(left) IN array_each(?)
      ORDER BY link.\(left), link.\(position), link.\(right)
      """
    var found = try explaining({ tables.explained($0, links, of: plan) }) {
      try read(child, SQL(unsafe: sql), [SQLiteArray(unlinkedOwners)])
    }
    for place in found.rows.indices {
      let owner = found.rows[place].removeFirst()
      objects.link(owner, to: found.rows[place][child.key[0]], list)
    }
    let rows = LoadedRows(child, columns: child.columns.map(\.name), rows: found.rows)
    return [objects.add(rows)]
  }
}

/// The clauses of a query for a table's rows.
struct ObjectQuery {
  var filter: SQL = ""
  var order: SQL = ""
  var start = 0
  /// The maximum number of rows; 0 for all.
  var limit = 0

  /// The SQL after `FROM table`.
  ///
  /// Each clause is on separate lines, so that a trailing comment does not hide the next clause.
  var sql: SQL {
    var sql: SQL = ""
    if !filter.isBlank { sql += "WHERE (\n\(sql: filter)\n)" }
    if !order.isBlank { sql += "ORDER BY\n\(sql: order)\n" }
    if start > 0 || limit > 0 { sql += SQL(unsafe: "LIMIT \(limit > 0 ? limit : -1)") }
    if start > 0 { sql += SQL(unsafe: "OFFSET \(start)") }
    return sql
  }
}
