/// Methods that read indexes, triggers and views.
extension Connection {
  /// Returns a table's indexes, including those of its constraints, sorted by name.
  public func indexes(of table: String, in schema: String = "main") throws -> [TableSchema.Index] {
    guard try hasSchema(schema) else { return [] }
    var indexes: [TableSchema.Index] = []
    try forEach(
      """
      SELECT l.name, l."unique", l.origin, l.partial, m.sql, m.tbl_name
      FROM pragma_index_list(?1, ?2) AS l
      LEFT JOIN \(identifier: schema).sqlite_master AS m
      ON m.type = 'index' AND m.name = l.name ORDER BY l.name
      """, table, schema
    ) { row in
      let name = try row.read(String.self, at: 0)
      let sql = try row.read(String?.self, at: 4)
      let definition = sql.flatMap { IndexDefinition($0) }
      let keys = try indexKeys(of: name, in: schema, definition)
      indexes.append(
        TableSchema.Index(
          name: name, isUnique: try row.read(at: 1),
          origin: TableSchema.Index.Origin(rawValue: try row.read(at: 2)) ?? .statement,
          isPartial: try row.read(at: 3), columns: keys.map(\.column),
          table: try row.read(String?.self, at: 5) ?? table, keys: keys,
          whereSQL: definition?.whereSQL, sql: sql))
    }
    return indexes
  }

  private func indexKeys(
    of index: String, in schema: String, _ definition: IndexDefinition?
  ) throws -> [TableSchema.Index.Key] {
    var keys: [TableSchema.Index.Key] = []
    try forEach(
      """
      SELECT name, cid, coll, "desc" FROM pragma_index_xinfo(?1, ?2) WHERE "key" ORDER BY seqno
      """, index, schema
    ) { row in
      let column = try row.read(String?.self, at: 0)
      let isExpression = try row.read(Int.self, at: 1) == -2
      let written = definition.flatMap { keys.count < $0.keys.count ? $0.keys[keys.count] : nil }
      keys.append(
        TableSchema.Index.Key(
          column: column, expressionSQL: isExpression ? written : nil,
          collation: try row.read(String?.self, at: 2) ?? "BINARY",
          isDescending: try row.read(at: 3)))
    }
    return keys
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
