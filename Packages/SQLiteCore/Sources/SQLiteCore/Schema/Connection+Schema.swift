extension Connection {
  /// The tables and views of one database, sorted by name; SQLite's own and shadow tables left out.
  public func tables(in schema: String = "main") throws -> [TableSchema] {
    try allTables(in: schema).filter {
      $0.kind != .shadow && !$0.name.name.lowercased().hasPrefix("sqlite_")
    }
  }

  /// Every table and view, shadow tables and SQLite's own among them.
  public func allTables(in schema: String = "main") throws -> [TableSchema] {
    var found: [(name: String, kind: String, withoutRowID: Bool, strict: Bool)] = []
    try forEach(
      "SELECT name, type, wr, strict FROM pragma_table_list WHERE schema = ?1 ORDER BY name", schema
    ) { row in
      found.append(
        (
          try row.read(at: 0), try row.read(at: 1), try row.read(Bool.self, at: 2),
          try row.read(Bool.self, at: 3)
        ))
    }
    return try found.map { table in
      TableSchema(
        name: TableName(schema: schema, table.name),
        kind: TableSchema.Kind(rawValue: table.kind) ?? .table,
        columns: try columns(of: table.name, in: schema), isWithoutRowID: table.withoutRowID,
        isStrict: table.strict,
        sql: try value(
          String?.self,
          """
          SELECT sql FROM \(SQLName.quoted(schema)).sqlite_master
          WHERE name = ?1 AND type IN ('table', 'view')
          """, table.name) ?? nil)
    }
  }

  /// One table or view; `nil` where there is none of this name.
  public func table(_ name: String, in schema: String = "main") throws -> TableSchema? {
    try allTables(in: schema).first { $0.name == TableName(schema: schema, name) }
  }

  /// The columns of a table or view, in their order; none where there is no such table.
  public func columns(of table: String, in schema: String = "main") throws -> [ColumnSchema] {
    var columns: [ColumnSchema] = []
    try forEach(
      """
      SELECT name, type, "notnull", dflt_value, pk, hidden FROM pragma_table_xinfo(?1, ?2)
      ORDER BY cid
      """, table, schema
    ) { row in
      let position = try row.read(Int.self, at: 4)
      let kind: ColumnSchema.Kind =
        switch try row.read(Int.self, at: 5) {
        case 1: .hidden
        case 2: .virtualGenerated
        case 3: .storedGenerated
        default: .stored
        }
      columns.append(
        ColumnSchema(
          name: try row.read(at: 0), declaredType: try row.read(at: 1),
          isNotNull: try row.read(at: 2), defaultSQL: try row.read(String?.self, at: 3),
          primaryKeyPosition: position == 0 ? nil : position, kind: kind))
    }
    return columns
  }

  /// The indexes of a table, those of its constraints among them, sorted by name.
  public func indexes(of table: String, in schema: String = "main") throws -> [IndexSchema] {
    var indexes: [IndexSchema] = []
    try forEach(
      """
      SELECT name, "unique", origin, partial FROM pragma_index_list(?1, ?2) ORDER BY name
      """, table, schema
    ) { row in
      let name = try row.read(String.self, at: 0)
      indexes.append(
        IndexSchema(
          name: name, isUnique: try row.read(at: 1),
          origin: IndexSchema.Origin(rawValue: try row.read(at: 2)) ?? .statement,
          isPartial: try row.read(at: 3),
          columns: try values(
            String?.self, "SELECT name FROM pragma_index_info(?1, ?2) ORDER BY seqno", name, schema)
        ))
    }
    return indexes
  }

  /// The references that a table declares, in the order of their declaration.
  public func foreignKeys(
    of table: String, in schema: String = "main"
  ) throws -> [ForeignKeySchema] {
    var keys: [ForeignKeySchema] = []
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
      keys.append(
        ForeignKeySchema(
          id: id, columns: (known?.columns ?? []) + [column], parentTable: try row.read(at: 1),
          parentColumns: (known?.parentColumns ?? []) + [parent].compactMap { $0 },
          onUpdate: try row.read(at: 4), onDelete: try row.read(at: 5)))
    }
    return keys
  }
}

/// Names in SQL text.
public enum SQLName {
  /// The name in double quotes, so that SQLite reads it as this name and as nothing else.
  public static func quoted(_ name: String) -> String {
    name.quoted(with: UInt8(ascii: "\""))
  }
}
