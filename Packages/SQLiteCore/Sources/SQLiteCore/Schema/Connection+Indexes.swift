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
      let place = try row.read(Int.self, at: 9)
      if place == 0 {
        keys = []
        definition = sql.flatMap { IndexDefinition($0) }
      } else {
        indexes[table]?.removeLast()
      }
      let isExpression = try row.read(Int.self, at: 6) == -2
      let written = definition.flatMap { place < $0.keys.count ? $0.keys[place] : nil }
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
