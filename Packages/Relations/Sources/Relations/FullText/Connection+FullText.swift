public import SQLiteCore

extension Connection {
  /// Finds rows by their texts, the best first, and by their numbers where two are as good.
  ///
  /// ```swift
  /// let page = try connection.search(
  ///   index, .prefix(typed), after: last?.position, limit: 20,
  ///   excerpts: [.highlight("title"), .snippet("summary")])
  /// ```
  ///
  /// - Parameters:
  ///   - condition: What else has to be so: an expression of SQL in which the columns of the index's table stand by
  ///     their names.
  ///   - position: A hit of an earlier search, after which this one goes on; all else has to be as it was.
  ///   - limit: How many are found at most; `nil` for all.
  ///   - offset: How many are left out at first.
  ///   - weights: What words of some columns count, in place of the index's weights.
  ///   - excerpts: What is shown of the texts of the hits.
  /// - Throws: ``RelationError`` with code ``RelationError/Code/staleIndex`` where texts are to be computed yet, and
  ///   with ``RelationError/Code/invalidQuery`` for columns that the index lacks; `SQLiteError` of the query, where
  ///   it is ``SQLiteCore/FullTextQuery/raw(_:)`` or names columns. Text that finds nothing is not an error.
  /// - Complexity: O(*m*) in the number of rows that suit the query: each is ranked. Excerpts are made of those
  ///   that are given alone.
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
      // Of the rows of the page alone: `CROSS JOIN` keeps the order of the two.
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

  /// How many rows a search finds.
  ///
  /// - Throws: As ``search(_:_:where:after:limit:offset:weights:excerpts:)``.
  /// - Complexity: O(*m*) in the number of rows that suit the query; none is ranked.
  public func count(
    of index: FullTextIndex, _ query: FullTextQuery, where condition: SQL? = nil
  ) throws -> Int {
    try index.requireCurrentTexts(in: self)
    guard let expression = query.expression else { return 0 }
    let name: SQL = "\(identifier: index.name)"
    var statement: SQL =
      "SELECT count(*) FROM \(table: index.indexName) AS \(sql: name) WHERE \(sql: name) MATCH \(expression)"
    if let condition { statement += index.also(condition) }
    return try value(Int.self, statement) ?? 0
  }
}

/// Parts of statements of your own, which find rows in an index. Where texts are computed, ask
/// ``FullTextIndex/requireCurrentTexts(in:)`` first.
extension FullTextIndex {
  /// What a query finds, to stand after `FROM`: rows with the columns `id`, the number of a row of the table, and
  /// `rank`, the best of which is the lowest.
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
  /// - Throws: ``RelationError`` with code ``RelationError/Code/invalidQuery`` for weights of columns that the index
  ///   lacks.
  public func hits(
    _ query: FullTextQuery, weights: [String: Double] = [:]
  ) throws(RelationError) -> SQL {
    let rank = weights.isEmpty ? nil : try rankFunction(weights)
    guard let expression = query.expression else {
      return "(SELECT NULL AS id, NULL AS rank WHERE 0)"
    }
    return "(\(sql: ranked(expression, rank: rank, where: nil, after: nil)))"
  }

  /// Whether a row is one that a query finds: a condition, for a statement in which the rank does not matter.
  ///
  /// - Parameters:
  ///   - query: What is to be found.
  ///   - alias: What the statement calls the table; `nil` for its name.
  ///   - key: The column that is the number of a row; `_rowid_` is one of its names, unless another column has it.
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

  /// A `SELECT` of the numbers and ranks of rows.
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
    if let condition { statement += also(condition) }
    if let position {
      // Without the signs, FTS5 would take the comparison for a choice of the rank's function.
      let id = position.rowID.rawValue
      statement +=
        """
         AND (+\(sql: index).rank > \(position.rank)
        OR (+\(sql: index).rank = \(position.rank) AND +\(sql: index).rowid > \(id)))
        """
    }
    return statement
  }

  fileprivate func also(_ condition: SQL) -> SQL {
    let (row, index): (SQL, SQL) = ("\(identifier: table.name)", "\(identifier: name)")
    return
      """
       AND EXISTS (SELECT 1 FROM \(table: table) AS \(sql: row)
      WHERE \(sql: row)._rowid_ = \(sql: index).rowid AND (\(sql: condition)))
      """
  }
}

/// Which rows of a table can't be there together with a new one: those that `REPLACE` would delete, of which no
/// trigger is told unless `PRAGMA recursive_triggers` is on.
struct ConflictingRows {
  /// One key that may be in one row alone.
  struct Key {
    /// Whether a row of the table has the key of `new`.
    let condition: String
    /// Whether an update has changed the key; `nil` where it is not known.
    let hasChanged: String?
    /// The columns that make it; `nil` where an expression does.
    let columns: [String]?
  }

  private(set) var keys: [Key] = []

  /// The unique keys of a table, apart from the number of a row.
  init(of table: TableSchema) {
    for index in table.indexes where index.isUnique {
      keys.append(Self.key(index, of: table))
    }
  }

  private static func key(_ index: TableSchema.Index, of table: TableSchema) -> Key {
    let name = SQLName.quoted(table.name.name)
    let parts = index.keys.map { key in
      let collation = "COLLATE \(SQLName.quoted(key.collation))"
      if let column = key.column.map(SQLName.quoted) {
        return "\(name).\(column) \(collation) = new.\(column)"
      }
      let expression = key.expressionSQL ?? "NULL"
      let values = table.columns.map { column in
        "new.\(SQLName.quoted(column.name)) AS \(SQLName.quoted(column.name))"
      }
      let new = "(SELECT \(expression) FROM (SELECT \(values.joined(separator: ", "))) AS \(name))"
      return "(\(expression)) \(collation) = \(new)"
    }
    let condition = (parts + [index.whereSQL.map { "(\($0))" }].compactMap(\.self))
      .joined(separator: " AND ")
    let columns = index.keys.compactMap(\.column)
    let isPlain =
      columns.count == index.keys.count && index.whereSQL == nil
      && columns.allSatisfy { name in
        table.columns.contains { $0.kind == .stored && SQLName.isSame($0.name, name) }
      }
    let changes = columns.map { column in
      let column = SQLName.quoted(column)
      return "new.\(column) COLLATE BINARY IS NOT old.\(column)"
    }
    return Key(
      condition: condition,
      hasChanged: isPlain ? "(\(changes.joined(separator: " OR ")))" : nil,
      columns: isPlain ? columns : nil)
  }
}
