internal import SQLiteCore

/// Rows that were read, from which objects are created.
struct LoadedRows {
  let mapping: TableMapping
  /// The column names of the rows.
  let columns: [String]
  var rows: [[SQLiteValue]]
  /// The index in the rows of each of the mapping's columns.
  private let indexes: [Int?]

  init(_ mapping: TableMapping, columns: [String], rows: [[SQLiteValue]] = []) {
    self.mapping = mapping
    self.columns = columns
    self.rows = rows
    let names = columns.map(FoldedName.init)
    indexes = mapping.columns.map { names.firstIndex(of: FoldedName($0.name)) }
  }

  /// Creates an empty collection with the columns of `other`.
  init(emptied other: LoadedRows) {
    self = other
    rows = []
  }

  /// Returns the index in the rows of one of the mapping's columns; `nil` if the rows lack it.
  func index(ofColumn column: Int) -> Int? { indexes[column] }

  /// The index in the rows of the key's first column; `nil` if the rows lack it.
  var keyIndex: Int? { indexes[mapping.key[0]] }
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
    _ type: Object.Type, _ mapping: TableMapping, sql: SQL, _ values: [any SQLiteBindable],
    isWhole: Bool
  ) throws -> [Object] {
    func load() throws -> [Object] {
      if mapping.isFlat {
        return try connection.fetchAll(
          decoding: type, with: Documents.decoder, sql, values: values)
      }
      return try make(type, read(mapping, sql, values), isWhole: isWhole)
    }
    // Errors of the caller's own statement are not related to the type's table.
    return try isWhole ? connection.diagnosing(mapping, load) : load()
  }

  private func read(
    _ mapping: TableMapping, _ sql: SQL, _ values: [any SQLiteBindable]
  ) throws -> LoadedRows {
    try connection.withStatement(sql, values: values) { statement in
      var loaded = LoadedRows(mapping, columns: statement.columnNames)
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
          .schemaMismatch, "a row was decoded as another type", table: roots.mapping.table)
      }
      loadedObjects.append(object)
    }
    return loadedObjects
  }

  private func readChildren(of loaded: LoadedRows) throws -> [LoadedRows] {
    var children: [LoadedRows] = []
    for column in loaded.mapping.references {
      guard let type = loaded.mapping.properties[column].referencedType,
        let index = loaded.index(ofColumn: column)
      else { continue }
      let mapping = try TableMapping.of(type)
      let keys = objects.missing(loaded.rows.map { $0[index] }, of: mapping)
      guard !keys.isEmpty else { continue }
      let sql =
        "\(mapping.selectSQL) WHERE \(SQLName.quoted(mapping.keyColumn.name)) IN array_each(?)"
      let rows = try connection.diagnosing(mapping) {
        try read(mapping, SQL(unsafe: sql), [SQLiteArray(keys)])
      }
      children.append(objects.add(rows))
    }
    for links in loaded.mapping.links {
      guard let keyIndex = loaded.keyIndex else {
        throw ProviderError(
          .schemaMismatch, "the rows lack the key, which is needed to read their links",
          table: loaded.mapping.table, column: loaded.mapping.keyColumn.name)
      }
      children += try readLinks(links, of: loaded.mapping, loaded.rows.map { $0[keyIndex] })
    }
    return children
  }

  /// Reads the links of rows, and the linked rows.
  private func readLinks(
    _ links: TableMapping.Links, of mapping: TableMapping, _ owners: [SQLiteValue]
  ) throws -> [LoadedRows] {
    let list = LoadedObjects.List(table: ObjectIdentifier(mapping.type), property: links.property)
    let unlinkedOwners = objects.unlinked(owners, list)
    guard !unlinkedOwners.isEmpty else { return [] }
    let child = try TableMapping.of(links.elementType)
    let columns = child.columns.map { "child.\(SQLName.quoted($0.name))" }
    let position = SQLName.quoted(try mapping.side(of: links).position)
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
    var found: LoadedRows
    do {
      found = try read(child, SQL(unsafe: sql), [SQLiteArray(unlinkedOwners)])
    } catch let error as SQLiteError {
      throw connection.diagnosed(error, links, of: mapping)
    }
    for index in found.rows.indices {
      let owner = found.rows[index].removeFirst()
      objects.link(owner, to: found.rows[index][child.key[0]], list)
    }
    let rows = LoadedRows(child, columns: child.columns.map(\.name), rows: found.rows)
    return [objects.add(rows)]
  }
}

extension SQL {
  /// Returns the clauses of a query after `FROM table`.
  ///
  /// Each clause is on separate lines, so that a trailing comment does not hide the next clause.
  ///
  /// - Parameter limit: The maximum number of rows; 0 for all.
  static func clauses(
    filter: SQL = "", order: SQL = "", start: Int = 0, limit: Int = 0
  ) -> SQL {
    var sql: SQL = ""
    if !filter.isBlank { sql += "WHERE (\n\(sql: filter)\n)" }
    if !order.isBlank { sql += "ORDER BY\n\(sql: order)\n" }
    if start > 0 || limit > 0 { sql += SQL(unsafe: "LIMIT \(limit > 0 ? limit : -1)") }
    if start > 0 { sql += SQL(unsafe: "OFFSET \(start)") }
    return sql
  }
}
