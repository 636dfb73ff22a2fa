extension Connection {
  /// A key that stands in more than one row: what a unique index refuses.
  public struct DuplicateKey: Hashable, Sendable {
    /// The key's values, part by part.
    public let values: [SQLiteValue]
    /// The number of rows that have it.
    public let count: Int

    public init(values: [SQLiteValue], count: Int) {
      self.values = values
      self.count = count
    }
  }
}

extension Connection {
  /// The keys that stand in several rows of a table, and so can't be a unique index's.
  ///
  /// ```swift
  /// let twice = try connection.duplicateKeys(["lower(name)"], in: "player")
  /// ```
  ///
  /// - Parameters:
  ///   - key: The key's parts, as in `CREATE INDEX`: columns or expressions, with a `COLLATE` where one
  ///     is meant. A key with a NULL in it is equal to no other.
  ///   - table: The table.
  ///   - schema: The database that it is in.
  ///   - condition: Which rows are looked at, as the `WHERE` of a partial index.
  ///   - limit: How many keys are given at most.
  /// - Throws: ``SQLiteError`` where there is no such table, or a part of the key or the condition
  ///   is wrong SQL.
  /// - Complexity: A scan of the table, and a sort of its keys where no index has their order.
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
  /// The keys as words of an error.
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
