public import SQLiteCore

extension Connection {
  /// Finds rows by full-text search, best matches first; ties are ordered by row identifier.
  ///
  /// ```swift
  /// let page = try connection.search(
  ///   index, .prefix(typed), after: last?.position, limit: 20,
  ///   excerpts: [.highlight("title"), .snippet("summary")])
  /// ```
  ///
  /// - Parameters:
  ///   - index: The index to search.
  ///   - query: The words to search for.
  ///   - condition: An additional SQL condition, which refers to the columns of the index's table
  ///     by name.
  ///   - position: The position of a hit of an earlier search; the search continues after it. All
  ///     other arguments must be the same.
  ///   - limit: The maximum number of hits; `nil` for all.
  ///   - offset: The number of hits to skip.
  ///   - weights: Column weights that override the index's weights.
  ///   - excerpts: The excerpts to return with each hit.
  /// - Throws: ``RelationError`` with code ``RelationError/Code/staleIndex`` if text must still be
  ///   computed, and with ``RelationError/Code/invalidQuery`` for columns that the index lacks;
  ///   `SQLiteError` for a query that is ``/SQLiteCore/FullTextQuery/raw(_:)`` or names columns.
  ///   Text that matches no row is not an error.
  /// - Complexity: O(*m*) in the number of matching rows, since each of them is ranked. Excerpts
  ///   are computed only for the returned hits.
  public func search(
    _ index: FullTextIndex, _ query: FullTextQuery, where condition: SQL? = nil,
    after position: FullTextIndex.Hit.Position? = nil, limit: Int? = nil, offset: Int = 0,
    weights: [String: Double] = [:], excerpts: [FullTextIndex.Excerpt] = []
  ) throws -> [FullTextIndex.Hit] {
    try index.requireCurrentTexts(in: self)
    let rank = weights.isEmpty ? nil : try index.rankFunction(weights)
    let shown = try excerpts.map { (excerpt) throws(RelationError) in try excerpt.sql(of: index) }
    guard let expression = query.expression else { return [] }
    var statement = index.ranked(expression, rank: rank, where: condition, after: position)
    statement += " ORDER BY 2, 1 LIMIT \(limit.map { max(0, $0) } ?? -1) OFFSET \(max(0, offset))"
    if !shown.isEmpty {
      let name: SQL = "\(identifier: index.name)"
      // Only for the rows of the page: `CROSS JOIN` fixes the join order.
      statement =
        """
        SELECT hit.id, hit.rank, \(sql: shown.joined(separator: ", "))
        FROM (\(sql: statement)) AS hit CROSS JOIN \(table: index.indexName) AS \(sql: name)
        ON \(sql: name).rowid = hit.id
        WHERE \(sql: name) MATCH \(expression) ORDER BY hit.rank, hit.id
        """
    }
    var hits: [FullTextIndex.Hit] = []
    try forEach(statement) { row in
      hits.append(
        FullTextIndex.Hit(
          rowID: RowID(rawValue: try row.read(at: 0)), rank: try row.read(at: 1),
          excerpts: try (0..<shown.count).map { number in
            try row.read(String?.self, at: ColumnIndex(rawValue: 2 + number))
          }))
    }
    return hits
  }

  /// Returns the number of rows that match a query.
  ///
  /// - Throws: The same errors as ``search(_:_:where:after:limit:offset:weights:excerpts:)``.
  /// - Complexity: O(*m*) in the number of matching rows; no row is ranked.
  public func count(
    of index: FullTextIndex, _ query: FullTextQuery, where condition: SQL? = nil
  ) throws -> Int {
    try index.requireCurrentTexts(in: self)
    guard let expression = query.expression else { return 0 }
    let name: SQL = "\(identifier: index.name)"
    var statement: SQL =
      "SELECT count(*) FROM \(table: index.indexName) AS \(sql: name) WHERE \(sql: name) MATCH \(expression)"
    if let condition { statement += index.existsClause(condition) }
    return try value(Int.self, statement) ?? 0
  }
}

/// SQL fragments for your own statements. If the index has computed text, call
/// ``FullTextIndex/requireCurrentTexts(in:)`` first.
extension FullTextIndex {
  /// Returns the hits of a query as a subquery to use after `FROM`. Its columns are `id`, the row
  /// identifier in the table, and `rank`, for which lower values are better.
  ///
  /// ```swift
  /// let hits = try index.hits(.words("emma"))
  /// let rows = try connection.fetchAll(
  ///   Book.self,
  ///   """
  ///   SELECT book.* FROM \(sql: hits) AS hit JOIN book ON book.id = hit.id
  ///   WHERE book.year > \(1800) ORDER BY hit.rank, hit.id
  ///   """)
  /// ```
  ///
  /// - Throws: ``RelationError`` with code ``RelationError/Code/invalidQuery`` for weights of
  ///   columns that the index lacks.
  public func hits(
    _ query: FullTextQuery, weights: [String: Double] = [:]
  ) throws(RelationError) -> SQL {
    let rank = weights.isEmpty ? nil : try rankFunction(weights)
    guard let expression = query.expression else {
      return "(SELECT NULL AS id, NULL AS rank WHERE 0)"
    }
    return "(\(sql: ranked(expression, rank: rank, where: nil, after: nil)))"
  }

  /// Returns a condition that holds for rows that match a query, for statements that don't use the
  /// rank.
  ///
  /// - Parameters:
  ///   - query: The full-text query.
  ///   - alias: The table's alias in the statement; `nil` for its name.
  ///   - key: The column that holds the row identifier. `_rowid_` is one of its names, unless
  ///     another column has that name.
  public func matchCondition(
    _ query: FullTextQuery, alias: String? = nil, key: String = "_rowid_"
  ) -> SQL {
    guard let expression = query.expression else { return "0" }
    let (table, index): (SQL, SQL) = (
      "\(identifier: alias ?? table.name)", "\(identifier: name)"
    )
    return """
      \(sql: table).\(identifier: key) IN
      (SELECT rowid FROM \(sql: self.table(named: name)) AS \(sql: index) WHERE \(sql: index) MATCH \(expression))
      """
  }

  var indexName: TableName { TableName(schema: table.schema, name) }

  private func table(named name: String) -> SQL {
    "\(table: TableName(schema: table.schema, name))"
  }

  /// Returns a `SELECT` of row identifiers and ranks.
  fileprivate func ranked(
    _ expression: String, rank: String?, where condition: SQL?,
    after position: Hit.Position?
  ) -> SQL {
    let index: SQL = "\(identifier: name)"
    var statement: SQL =
      """
      SELECT \(sql: index).rowid AS id, \(sql: index).rank AS rank FROM \(table: indexName) AS \(sql: index)
      WHERE \(sql: index) MATCH \(expression)
      """
    if let rank { statement += " AND \(sql: index).rank MATCH \(rank)" }
    if let condition { statement += existsClause(condition) }
    if let position {
      // Without the unary `+`, FTS5 would interpret the comparison as a choice of the rank
      // function.
      let id = position.rowID.rawValue
      statement +=
        """
         AND (+\(sql: index).rank > \(position.rank)
        OR (+\(sql: index).rank = \(position.rank) AND +\(sql: index).rowid > \(id)))
        """
    }
    return statement
  }

  fileprivate func existsClause(_ condition: SQL) -> SQL {
    let (row, index): (SQL, SQL) = ("\(identifier: table.name)", "\(identifier: name)")
    return
      """
       AND EXISTS (SELECT 1 FROM \(table: table) AS \(sql: row)
      WHERE \(sql: row)._rowid_ = \(sql: index).rowid AND (\(sql: condition)))
      """
  }
}
