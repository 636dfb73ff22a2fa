extension Connection {
  /// Returns the tables and views of a database, sorted by name, without internal and shadow tables.
  public func tables(in schema: String = "main") throws -> [TableSchema] {
    try allTables(in: schema).filter {
      $0.kind != .shadow && !$0.name.name.lowercased().hasPrefix("sqlite_")
    }
  }

  /// Returns all tables and views, including shadow tables and SQLite's internal ones.
  ///
  /// A view that refers to a missing object, and a virtual table whose module is missing, have no columns.
  public func allTables(in schema: String = "main") throws -> [TableSchema] {
    var statements: [TableName: String] = [:]
    var columns: [TableName: [TableSchema.Column]] = [:]
    guard try hasSchema(schema) else { return [] }
    try forEach(
      """
      SELECT name, sql FROM \(identifier: schema).sqlite_master
      WHERE type IN ('table', 'view') AND sql IS NOT NULL
      """
    ) { row in
      let name = TableName(schema: schema, try row.read(at: 0))
      statements[name] = try row.read(String.self, at: 1)
    }
    try forEach(
      """
      SELECT t.name, c.name, c.type, c."notnull", c.dflt_value, c.pk, c.hidden
      FROM pragma_table_list AS t, pragma_table_xinfo(t.name, t.schema) AS c
      WHERE t.schema = ?1 COLLATE NOCASE AND t.type IN ('table', 'shadow') ORDER BY t.name, c.cid
      """, schema
    ) { row in
      let table = TableName(schema: schema, try row.read(at: 0))
      columns[table, default: []].append(
        try column(row, from: 1, of: table.name, in: schema, sql: statements[table]))
    }
    var found: [TableSchema] = []
    try forEach(
      """
      SELECT name, type, wr, strict, \(sql: Self.rowIDColumn) FROM pragma_table_list AS t
      WHERE schema = ?1 COLLATE NOCASE ORDER BY name
      """, schema
    ) { row in
      let name = TableName(schema: schema, try row.read(at: 0))
      found.append(
        try table(row, in: schema, sql: statements[name]) { columns[name] ?? [] })
    }
    return found
  }

  /// Returns the table for a row of `pragma_table_list`.
  ///
  /// - Parameter columns: Reads the columns of a table that is neither a view nor virtual.
  private func table(
    _ row: borrowing Row, in schema: String, sql: String?,
    columns: () throws -> [TableSchema.Column]
  ) throws -> TableSchema {
    let name = try row.read(String.self, at: 0)
    let kind = TableSchema.Kind(rawValue: try row.read(at: 1)) ?? .table
    let isListed = kind == .table || kind == .shadow
    return TableSchema(
      name: TableName(schema: schema, name), kind: kind,
      columns: try isListed ? columns() : (try? self.columns(of: name, in: schema)) ?? [],
      isWithoutRowID: try row.read(Bool.self, at: 2), isStrict: try row.read(Bool.self, at: 3),
      rowIDColumn: try row.read(String?.self, at: 4), sql: sql)
  }

  /// Returns one table or view without reading the rest of the schema, or `nil` if it does not exist.
  public func table(_ name: String, in schema: String = "main") throws -> TableSchema? {
    guard try hasSchema(schema) else { return nil }
    let sql = try statement(ofTable: name, in: schema)
    var found: TableSchema?
    try forEach(
      """
      SELECT name, type, wr, strict, \(sql: Self.rowIDColumn) FROM pragma_table_list AS t
      WHERE schema = ?1 COLLATE NOCASE AND name = ?2 COLLATE NOCASE
      """, schema, name
    ) { row in
      // NOCASE compares only up to a NUL character.
      guard SQLName.isSame(try row.read(String.self, at: 0), name) else { return }
      found = try table(row, in: schema, sql: sql) { try columns(of: name, in: schema) }
    }
    return found
  }

  /// Returns the column that is an alias of a table's rowid, as in ``TableSchema/rowIDColumn``, without reading the
  /// rest of the schema.
  ///
  /// ```swift
  /// try db.execute("CREATE TABLE book (id INTEGER PRIMARY KEY, title TEXT)")
  /// try db.rowIDColumn(of: "book")  // id
  /// ```
  ///
  /// - Returns: The column's name, or `nil` if there is no such column. A missing table is not an error.
  /// - Throws: ``SQLiteError`` if the schema can't be read.
  public func rowIDColumn(of table: String, in schema: String = "main") throws -> String? {
    try value(
      String?.self,
      """
      SELECT \(sql: Self.rowIDColumn) FROM pragma_table_list AS t
      WHERE schema = ?1 COLLATE NOCASE AND name = ?2 COLLATE NOCASE
      """, schema, table) ?? nil
  }

  /// An SQL expression for the rowid column of a table `t` of `pragma_table_list`.
  ///
  /// In any other table, the primary key has an index, which is the table itself for `WITHOUT ROWID`.
  private static let rowIDColumn: SQL = """
    CASE WHEN t.type IN ('table', 'shadow') AND NOT t.wr
      AND NOT EXISTS (SELECT 1 FROM pragma_index_list(t.name, t.schema) WHERE origin = 'pk')
    THEN (SELECT name FROM pragma_table_xinfo(t.name, t.schema) WHERE pk > 0) END
    """

  /// Returns the columns of a table or view in order, or an empty array if it does not exist.
  public func columns(of table: String, in schema: String = "main") throws -> [TableSchema.Column] {
    let sql = try statement(ofTable: table, in: schema)
    var columns: [TableSchema.Column] = []
    try forEach(
      """
      SELECT name, type, "notnull", dflt_value, pk, hidden FROM pragma_table_xinfo(?1, ?2)
      ORDER BY cid
      """, table, schema
    ) { row in columns.append(try column(row, from: 0, of: table, in: schema, sql: sql)) }
    return columns
  }

  private func column(
    _ row: borrowing Row, from first: Int, of table: String, in schema: String, sql: String?
  ) throws(SQLiteError) -> TableSchema.Column {
    let name = try row.read(String.self, at: ColumnIndex(first))
    let position = try row.read(Int.self, at: ColumnIndex(first + 4))
    let kind: TableSchema.Column.Kind =
      switch try row.read(Int.self, at: ColumnIndex(first + 5)) {
      case 1: .hidden
      case 2: .virtualGenerated
      case 3: .storedGenerated
      default: .stored
      }
    let columnMetadata = handle.columnMetadata(ofColumn: name, of: table, in: schema)
    let isGenerated = kind == .virtualGenerated || kind == .storedGenerated
    let definition = isGenerated ? sql.flatMap { TableDefinition($0) } : nil
    return TableSchema.Column(
      name: name, declaredType: try row.read(at: ColumnIndex(first + 1)),
      isNotNull: try row.read(at: ColumnIndex(first + 2)),
      defaultSQL: try row.read(String?.self, at: ColumnIndex(first + 3)),
      primaryKeyPosition: position == 0 ? nil : position, kind: kind,
      collation: columnMetadata?.collation,
      isAutoincrement: columnMetadata?.isAutoincrement ?? false,
      generatedSQL: definition?.column(name)?.generatedSQL)
  }

  /// Returns the statement that created a table or view, or `nil` if it does not exist.
  func statement(ofTable table: String, in schema: String) throws(SQLiteError) -> String? {
    guard try hasSchema(schema) else { return nil }
    return try value(
      String?.self,
      """
      SELECT sql FROM \(identifier: schema).sqlite_master
      WHERE name = ?1 COLLATE NOCASE AND type IN ('table', 'view')
      """, table) ?? nil
  }

  /// Returns whether a database exists: `main`, `temp`, or an attached one.
  func hasSchema(_ schema: String) throws(SQLiteError) -> Bool {
    if schema.isEqualIgnoringASCIICase("main") || schema.isEqualIgnoringASCIICase("temp") {
      return true
    }
    return try value(
      Int.self, "SELECT 1 FROM pragma_database_list WHERE name = ?1 COLLATE NOCASE", schema) != nil
  }

  /// Returns a table's foreign keys, in the order of their declaration.
  public func foreignKeys(
    of table: String, in schema: String = "main"
  ) throws -> [TableSchema.ForeignKey] {
    // Only the statement contains the deferral and match clauses.
    let sql = try statement(ofTable: table, in: schema)
    let declared = sql.flatMap { TableDefinition($0) }?.constraints ?? []
    let references = declared.filter { $0.kind == .foreignKey }
    var keys: [TableSchema.ForeignKey] = []
    try forEach(
      """
      SELECT id, "table", "from", "to", on_update, on_delete
      FROM pragma_foreign_key_list(?1, ?2) ORDER BY id DESC, seq
      """, table, schema
    ) { row in
      let id = try row.read(Int.self, at: 0)
      let column = try row.read(String.self, at: 2)
      let parent = try row.read(String?.self, at: 3)
      let known = keys.last?.id == id ? keys.removeLast() : nil
      let reference = keys.count < references.count ? references[keys.count] : nil
      keys.append(
        TableSchema.ForeignKey(
          id: id, columns: (known?.columns ?? []) + [column], parentTable: try row.read(at: 1),
          parentColumns: (known?.parentColumns ?? []) + [parent].compactMap { $0 },
          onUpdate: try row.read(at: 4), onDelete: try row.read(at: 5),
          match: reference?.match ?? "NONE", isDeferrable: reference?.isDeferrable ?? false,
          isDeferred: reference?.isDeferred ?? false))
    }
    return keys
  }
}
