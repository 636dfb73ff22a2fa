internal import SQLiteCore

/// Rows that were read, and are to become objects.
struct LoadedRows {
  let plan: TablePlan
  /// The names of the values in each row.
  let columns: [String]
  var rows: [[SQLiteValue]]
  /// Where each column of the plan is in the rows.
  private let places: [Int?]

  init(_ plan: TablePlan, columns: [String], rows: [[SQLiteValue]] = []) {
    self.plan = plan
    self.columns = columns
    self.rows = rows
    let names = columns.map(FoldedName.init)
    places = plan.columns.map { names.firstIndex(of: FoldedName($0.name)) }
  }

  /// As many columns as `other` has, and no row.
  init(emptied other: LoadedRows) {
    self = other
    rows = []
  }

  /// Where a column of the plan is in the rows; `nil` where they lack it.
  func place(ofColumn column: Int) -> Int? { places[column] }

  /// Where the key's first column is in the rows; `nil` where they lack it.
  var keyPlace: Int? { places[plan.key[0]] }
}

/// Makes objects of rows, with all that these refer to.
///
/// All rows are read before any object is made, level by level: a statement for each column that refers to
/// another table, and each list of links, whatever the number of rows. Then the objects are made, those that a
/// row refers to before the row, and the elements of an instance's lists after it. A row is made once; where it leads
/// back to one that is still being made, a link is left in ``CrossReference/unloadedCount``, and a reference is
/// to an instance that is there, or to the row with its lists unloaded. A circle of references alone is an error.
struct ObjectLoader {
  private let connection: Connection
  private let objects = LoadedObjects()

  init(_ connection: Connection) { self.connection = connection }

  /// Reads all rows of a statement as objects.
  ///
  /// - Parameter isWhole: Whether the rows are those of the table, with all their columns.
  func load<Object: DataTable>(
    _ type: Object.Type, _ plan: TablePlan, sql: SQL, _ values: [any SQLiteBindable],
    isWhole: Bool
  ) throws -> [Object] {
    // What is wrong with a statement of the caller's own, the type's table need not tell.
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
    var made: [Object] = []
    made.reserveCapacity(roots.rows.count)
    let maker = ObjectMaker(objects)
    for row in roots.rows {
      guard let object = try maker.make(roots, row, isShared: isWhole) as? Object else {
        throw ProviderError(.schemaMismatch, "a row was made another type", table: roots.plan.table)
      }
      made.append(object)
    }
    return made
  }

  private func readChildren(of loaded: LoadedRows) throws -> [LoadedRows] {
    var children: [LoadedRows] = []
    for column in loaded.plan.references {
      guard let type = loaded.plan.columns[column].child,
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
          .schemaMismatch, "the rows lack the key, by which their links are found",
          table: loaded.plan.table, column: loaded.plan.keyColumn.name)
      }
      children += try readLinks(links, of: loaded.plan, loaded.rows.map { $0[place] })
    }
    return children
  }

  /// Reads the links of rows, with the rows that they lead to.
  private func readLinks(
    _ links: TablePlan.Links, of plan: TablePlan, _ owners: [SQLiteValue]
  ) throws -> [LoadedRows] {
    let list = LoadedObjects.List(table: ObjectIdentifier(plan.type), property: links.property)
    let asked = objects.unlinked(owners, list)
    guard !asked.isEmpty else { return [] }
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
      try read(child, SQL(unsafe: sql), [SQLiteArray(asked)])
    }
    for place in found.rows.indices {
      let owner = found.rows[place].removeFirst()
      objects.link(owner, to: found.rows[place][child.key[0]], list)
    }
    let rows = LoadedRows(child, columns: child.columns.map(\.name), rows: found.rows)
    return [objects.add(rows)]
  }
}

/// The statement that reads rows of a table, by the parts that a caller gives.
struct ObjectQuery {
  var filter: SQL = ""
  var order: SQL = ""
  var start = 0
  /// The most rows that are wanted; all if it is zero.
  var limit = 0

  /// The text after `FROM table`.
  ///
  /// Each part is on lines of its own, so that a comment at its end does not hide the next part.
  var sql: SQL {
    var sql: SQL = ""
    if !filter.isBlank { sql += "WHERE (\n\(sql: filter)\n)" }
    if !order.isBlank { sql += "ORDER BY\n\(sql: order)\n" }
    if start > 0 || limit > 0 { sql += SQL(unsafe: "LIMIT \(limit > 0 ? limit : -1)") }
    if start > 0 { sql += SQL(unsafe: "OFFSET \(start)") }
    return sql
  }
}
