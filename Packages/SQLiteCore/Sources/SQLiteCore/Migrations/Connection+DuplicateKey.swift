extension Connection {
  /// A key that occurs in more than one row, which violates a unique index.
  public struct DuplicateKey: Hashable, Sendable {
    /// The values of the key's columns.
    public let values: [SQLiteValue]
    /// The number of rows with the key.
    public let count: Int

    public init(values: [SQLiteValue], count: Int) {
      self.values = values
      self.count = count
    }
  }
}

extension Connection {
  /// Returns the keys that occur in several rows of a table, and so prevent a unique index.
  ///
  /// ```swift
  /// let twice = try connection.duplicateKeys(["lower(name)"], in: "player")
  /// ```
  ///
  /// - Parameters:
  ///   - key: The key's columns or expressions, as in `CREATE INDEX`, with a `COLLATE` clause if needed. A key that
  ///     contains a NULL equals no other key.
  ///   - table: The table.
  ///   - schema: The schema that contains the table.
  ///   - condition: A condition that restricts the rows, as the `WHERE` clause of a partial index.
  ///   - limit: The maximum number of keys to return.
  /// - Throws: ``SQLiteError`` if there is no such table, or the key or the condition is not valid SQL.
  /// - Complexity: A table scan, and a sort of the keys unless an index has their order.
  public func duplicateKeys(
    _ key: [SQL], in table: String, schema: String = "main", where condition: SQL? = nil,
    limit: Int = 5
  ) throws(SQLiteError) -> [DuplicateKey] {
    let names = key.indices.map { "holt_key_\($0)" }
    let columns: [SQL] = zip(key, names).map { "\(sql: $0) AS \(identifier: $1)" }
    let known: [SQL] = names.map { "\(identifier: $0) IS NOT NULL" }
    let filter: SQL = condition.map { "WHERE \(sql: $0)" } ?? ""
    let rows = try rows(
      """
      SELECT * FROM (
        SELECT \(sql: columns.joined(separator: ", ")), count(*) AS holt_count
        FROM \(table: TableName(schema: schema, table)) \(sql: filter)
        GROUP BY \(sql: key.joined(separator: ", "))
      ) WHERE holt_count > 1 AND \(sql: known.joined(separator: " AND "))
      LIMIT \(limit)
      """)
    return rows.map { row in
      var count = 0
      if case .integer(let number)? = row.last { count = Int(number) }
      return DuplicateKey(values: Array(row.dropLast()), count: count)
    }
  }
}

extension [Connection.DuplicateKey] {
  /// Returns a description of the keys for an error message.
  func listed(of columns: [String]) -> String {
    let keys = map { key in
      let values = key.values.map { value in
        let text = value.description
        return text.count > 40 ? text.prefix(40) + "…" : text
      }
      return "(\(values.joined(separator: ", "))) in \(key.count) rows"
    }
    return "(\(columns.joined(separator: ", "))) is not unique: " + keys.joined(separator: ", ")
  }
}
