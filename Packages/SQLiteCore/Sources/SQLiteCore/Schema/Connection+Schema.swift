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
    try readTables(nil, in: schema)
  }

  /// Returns one table or view, without reading the rest of the schema; `nil` if it does not exist.
  public func table(_ name: String, in schema: String = "main") throws -> TableSchema? {
    // The pragma functions find the schema tables only under their former names.
    let formerNames = [
      "sqlite_schema": "sqlite_master", "sqlite_temp_schema": "sqlite_temp_master",
    ]
    // SQLite compares names only up to a NUL character, so that the name can differ.
    return try readTables(formerNames[name.asciiLowercased] ?? name, in: schema).first {
      SQLName.isSame($0.name.name, name)
    }
  }

  /// Reads one table or all tables, with a constant number of statements.
  private func readTables(_ name: String?, in schema: String) throws -> [TableSchema] {
    guard try hasSchema(schema) else { return [] }
    let sql = try statements(of: name, in: schema)
    var columns: [TableName: [TableSchema.Column]] = [:]
    try forEach(
      """
      SELECT t.name, c.name, c.type, c."notnull", c.dflt_value, c.pk, c.hidden
      FROM pragma_table_list(?2) AS t, pragma_table_xinfo(t.name, ?1) AS c
      WHERE t.schema = ?1 COLLATE NOCASE AND t.type IN ('table', 'shadow') ORDER BY t.name, c.cid
      """, schema, name
    ) { row in
      let table = TableName(schema: schema, try row.read(at: 0))
      columns[table, default: []].append(
        try column(row, from: 1, of: table.name, in: schema, sql: sql.tables[table]))
    }
    let foreignKeys = try foreignKeys(of: name, in: schema, sql: sql.tables)
    let indexes = try indexes(of: name, in: schema, sql: sql.indexes)
    var found: [TableSchema] = []
    try forEach(
      """
      SELECT name, type, wr, strict FROM pragma_table_list(?2)
      WHERE schema = ?1 COLLATE NOCASE ORDER BY name
      """, schema, name
    ) { row in
      let name = TableName(schema: schema, try row.read(at: 0))
      let kind = TableSchema.Kind(rawValue: try row.read(at: 1)) ?? .table
      let isListed = kind == .table || kind == .shadow
      found.append(
        TableSchema(
          name: name, kind: kind,
          columns: isListed
            ? columns[name] ?? [] : (try? self.columns(of: name.name, in: schema)) ?? [],
          foreignKeys: foreignKeys[name] ?? [], indexes: indexes[name] ?? [],
          isWithoutRowID: try row.read(at: 2), isStrict: try row.read(at: 3), sql: sql.tables[name])
      )
    }
    return found
  }

  /// Returns the statements that created a schema's tables, views and indexes, or one table and its indexes.
  func statements(
    of table: String?, in schema: String
  ) throws -> (tables: [TableName: String], indexes: [ExactText: String]) {
    var tables: [TableName: String] = [:]
    var indexes: [ExactText: String] = [:]
    try forEach(
      """
      SELECT type = 'index', name, sql FROM \(identifier: schema).sqlite_master
      WHERE type IN ('table', 'view', 'index') AND sql IS NOT NULL
      AND (?1 IS NULL OR tbl_name = ?1 COLLATE NOCASE)
      """, table
    ) { row in
      let name = try row.read(String.self, at: 1)
      let sql = try row.read(String.self, at: 2)
      if try row.read(at: 0) {
        indexes[ExactText(name)] = sql
      } else {
        tables[TableName(schema: schema, name)] = sql
      }
    }
    return (tables, indexes)
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
      SELECT CASE WHEN type IN ('table', 'shadow') AND NOT wr
        AND NOT EXISTS (SELECT 1 FROM pragma_index_list(t.name, t.schema) WHERE origin = 'pk')
      THEN (SELECT name FROM pragma_table_xinfo(t.name, t.schema) WHERE pk > 0) END
      FROM pragma_table_list(?2) AS t WHERE schema = ?1 COLLATE NOCASE AND name = ?2 COLLATE NOCASE
      """, schema, table) ?? nil
  }

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
      name, try row.read(at: ColumnIndex(first + 1)),
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
    guard try hasSchema(schema) else { return [] }
    return try foreignKeys(of: table, in: schema, sql: statements(of: table, in: schema).tables)
      .values.first ?? []
  }

  /// Returns the foreign keys of one table or of all tables, by table name.
  ///
  /// - Parameters:
  ///   - table: The table's name; `nil` for all tables.
  ///   - statements: The statements that created the tables. The pragmas do not return deferral and `MATCH` clauses.
  func foreignKeys(
    of table: String?, in schema: String, sql statements: [TableName: String]
  ) throws -> [TableName: [TableSchema.ForeignKey]] {
    var keys: [TableName: [TableSchema.ForeignKey]] = [:]
    var references: [TableSchema.Constraint] = []
    try forEach(
      """
      SELECT f.id, f."table", f."from", f."to", f.on_update, f.on_delete, t.name
      FROM pragma_table_list(?2) AS t, pragma_foreign_key_list(t.name, ?1) AS f
      WHERE t.schema = ?1 COLLATE NOCASE ORDER BY t.name, f.id DESC, f.seq
      """, schema, table
    ) { row in
      let id = try row.read(Int.self, at: 0)
      let column = try row.read(String.self, at: 2)
      let parent = try row.read(String?.self, at: 3)
      let table = TableName(schema: schema, try row.read(at: 6))
      if keys[table] == nil {
        let declared = statements[table].flatMap { TableDefinition($0) }?.constraints ?? []
        references = declared.filter { $0.kind == .foreignKey }
      }
      var own = keys[table] ?? []
      let previous = own.last?.id == id ? own.removeLast() : nil
      let reference = own.count < references.count ? references[own.count] : nil
      own.append(
        TableSchema.ForeignKey(
          id: id, columns: (previous?.columns ?? []) + [column], parentTable: try row.read(at: 1),
          parentColumns: (previous?.parentColumns ?? []) + [parent].compactMap { $0 },
          onUpdate: try row.read(at: 4), onDelete: try row.read(at: 5),
          match: reference?.match ?? "NONE", isDeferrable: reference?.isDeferrable ?? false,
          isDeferred: reference?.isDeferred ?? false))
      keys[table] = own
    }
    return keys
  }
}

/// Methods that read indexes, triggers and views.
extension Connection {
  /// Returns a table's indexes, including those of its constraints, sorted by name.
  public func indexes(of table: String, in schema: String = "main") throws -> [TableSchema.Index] {
    guard try hasSchema(schema) else { return [] }
    return try indexes(of: table, in: schema, sql: statements(of: table, in: schema).indexes)
      .values.first ?? []
  }

  /// Returns the indexes of one table or of all tables, by table name.
  ///
  /// - Parameters:
  ///   - table: The table's name; `nil` for all tables.
  ///   - statements: The statements that created the indexes, by index name.
  func indexes(
    of table: String?, in schema: String, sql statements: [ExactText: String]
  ) throws -> [TableName: [TableSchema.Index]] {
    var indexes: [TableName: [TableSchema.Index]] = [:]
    var keys: [TableSchema.Index.Key] = []
    var definition: IndexDefinition?
    // The pragma functions get `?1`: with `t.schema`, which SQLite resolves too late, `x` would be empty.
    try forEach(
      """
      SELECT t.name, l.name, l."unique", l.origin, l.partial, x.name, x.cid, x.coll, x."desc", x.seqno
      FROM pragma_table_list(?2) AS t, pragma_index_list(t.name, ?1) AS l,
        pragma_index_xinfo(l.name, ?1) AS x
      WHERE t.schema = ?1 COLLATE NOCASE AND x."key" ORDER BY t.name, l.name, x.seqno
      """, schema, table
    ) { row in
      let table = TableName(schema: schema, try row.read(at: 0))
      let name = try row.read(String.self, at: 1)
      let sql = statements[ExactText(name)]
      let position = try row.read(Int.self, at: 9)
      if position == 0 {
        keys = []
        definition = sql.flatMap { IndexDefinition($0) }
      } else {
        indexes[table]?.removeLast()
      }
      let isExpression = try row.read(Int.self, at: 6) == -2
      let written = definition.flatMap { position < $0.keys.count ? $0.keys[position] : nil }
      keys.append(
        TableSchema.Index.Key(
          column: try row.read(String?.self, at: 5), expressionSQL: isExpression ? written : nil,
          collation: try row.read(String?.self, at: 7) ?? "BINARY",
          isDescending: try row.read(at: 8)))
      indexes[table, default: []].append(
        TableSchema.Index(
          name: name, table: table.name, keys: keys, isUnique: try row.read(at: 2),
          origin: TableSchema.Index.Origin(rawValue: try row.read(at: 3)) ?? .statement,
          isPartial: try row.read(at: 4), whereSQL: definition?.whereSQL, sql: sql))
    }
    return indexes
  }

  /// Returns the triggers of a database, or of one table or view, sorted by name.
  public func triggers(
    of table: String? = nil, in schema: String = "main"
  ) throws -> [DatabaseSchema.Trigger] {
    guard try hasSchema(schema) else { return [] }
    var triggers: [DatabaseSchema.Trigger] = []
    try forEach(
      """
      SELECT tbl_name, sql FROM \(identifier: schema).sqlite_master
      WHERE type = 'trigger' AND (?1 IS NULL OR tbl_name = ?1 COLLATE NOCASE) ORDER BY name
      """, table
    ) { row in
      guard
        let trigger = DatabaseSchema.Trigger(table: try row.read(at: 0), sql: try row.read(at: 1))
      else { return }
      triggers.append(trigger)
    }
    return triggers
  }

  /// Returns the views of a database, sorted by name.
  public func views(in schema: String = "main") throws -> [DatabaseSchema.View] {
    guard try hasSchema(schema) else { return [] }
    var views: [DatabaseSchema.View] = []
    try forEach(
      """
      SELECT name, sql FROM \(identifier: schema).sqlite_master WHERE type = 'view'
      ORDER BY name
      """
    ) { row in
      views.append(DatabaseSchema.View(name: try row.read(at: 0), sql: try row.read(at: 1)))
    }
    return views
  }
}
