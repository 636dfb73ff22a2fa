public import SQLiteCore

/// Computed text.
extension FullTextIndex {
  /// Returns whether text must still be computed; always `false` for an index of columns.
  ///
  /// - Complexity: One lookup.
  public func isStale(in connection: Connection) throws -> Bool {
    guard isComputed else { return false }
    return try connection.value(
      Bool.self, "SELECT EXISTS (SELECT 1 FROM \(unsafe: qualified(staleTable)))") ?? false
  }

  /// Returns the rows whose text must be computed, in ascending order. Use it to prepare text
  /// before ``update(in:batchSize:texts:)`` in the same transaction.
  ///
  /// - Returns: Existing rows of the table; an empty array for an index of columns.
  public func staleRows(in connection: Connection, limit: Int = 500) throws -> [RowID] {
    guard isComputed else { return [] }
    return try connection.values(
      Int64.self,
      """
      SELECT \(unsafe: Self.helperKey) FROM \(unsafe: qualified(staleTable)) AS stale WHERE EXISTS
      (SELECT 1 FROM \(unsafe: qualified(table.name)) AS source WHERE source._rowid_ = stale.\(unsafe: Self.helperKey))
      ORDER BY 1 LIMIT ?
      """, max(0, limit)
    ).map { RowID(rawValue: $0) }
  }

  /// Marks all text as stale. Call it after the code that computes text has changed.
  ///
  /// - Throws: ``RelationError`` with code ``RelationError/Code/invalidQuery`` if the index has no
  ///   computed text.
  public func markAllStale(in connection: Connection) throws {
    let rows = "SELECT _rowid_ FROM \(qualified(table.name))"
    try markStale(rows, in: connection)
    try markStale("SELECT \(Self.helperKey) FROM \(qualified(textTable))", in: connection)
  }

  /// Marks the text of rows as stale, after a change that no trigger detects.
  ///
  /// - Throws: The same errors as ``markAllStale(in:)``.
  public func markStale(_ rows: [RowID], in connection: Connection) throws {
    try requireComputed()
    for row in rows {
      try connection.run(
        "INSERT OR IGNORE INTO \(unsafe: qualified(staleTable)) VALUES (?)", row.rawValue)
    }
  }

  private func markStale(_ rows: String, in connection: Connection) throws {
    try requireComputed()
    try connection.run("INSERT OR IGNORE INTO \(unsafe: qualified(staleTable)) \(unsafe: rows)")
  }

  /// Computes stale text, so that searches find it.
  ///
  /// Call it at the end of each write, in the same transaction, so that the index is never stale
  /// for readers: a search rejects a stale index. The text is stored with the row identifier; text
  /// that has not changed is not indexed again.
  ///
  /// ```swift
  /// try connection.transaction {
  ///   try connection.run("UPDATE book SET title = ? WHERE id = ?", title, 7)
  ///   try index.update(in: connection) { rows in
  ///     try Dictionary(uniqueKeysWithValues: rows.map { ($0, [try document(of: $0)]) })
  ///   }
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - connection: A connection to the index's database.
  ///   - batchSize: The maximum number of rows for each call of `texts`.
  ///   - texts: Returns a string for each column of the index, by row. Searches don't find rows
  ///     that it omits. It may read the connection; rows that it changes are passed to it again, so
  ///     it must not change rows on every call.
  /// - Returns: The number of stale rows.
  /// - Throws: Any error thrown by `texts`; ``RelationError`` with code
  ///   ``RelationError/Code/invalidQuery`` if it returns a wrong number of strings, or rows that
  ///   were not requested, or if the index has no computed text. After an error, the database is
  ///   unchanged.
  /// - Complexity: O(*n*) in the size of the computed text, regardless of the size of the index.
  @discardableResult
  public func update(
    in connection: Connection, batchSize: Int = 500,
    texts: (_ rows: [RowID]) throws -> [RowID: [String]]
  ) throws -> Int {
    try requireComputed()
    guard try isStale(in: connection) else { return 0 }
    return try connection.transaction {
      var count = 0
      let limit = max(1, batchSize)
      while true {
        let stale = try connection.values(
          Int64.self,
          "SELECT \(unsafe: Self.helperKey) FROM \(unsafe: qualified(staleTable)) ORDER BY 1 LIMIT ?",
          limit)
        if stale.isEmpty { return count }
        count += stale.count
        try updateBatch(stale, in: connection, texts)
      }
    }
  }

  private func updateBatch(
    _ stale: [Int64], in connection: Connection, _ texts: ([RowID]) throws -> [RowID: [String]]
  ) throws {
    let list = SQLiteArray(stale)
    // Deleted first, so that rows that `texts` changes become stale again.
    try connection.run(
      "DELETE FROM \(unsafe: qualified(staleTable)) WHERE \(unsafe: Self.helperKey) IN array_each(?)",
      list)
    let rows = try connection.values(
      Int64.self,
      "SELECT _rowid_ FROM \(unsafe: qualified(table.name)) WHERE _rowid_ IN array_each(?) ORDER BY 1",
      list
    ).map { RowID(rawValue: $0) }
    let newTexts = rows.isEmpty ? [:] : try texts(rows)
    let requested = Set(rows)
    if let other = newTexts.keys.first(where: { !requested.contains($0) }) {
      throw RelationError(
        .invalidQuery, "text was computed for a row that was not requested", table: table.name,
        key: "\(other.rawValue)")
    }
    for row in stale.lazy.map({ RowID(rawValue: $0) }) where newTexts[row] == nil {
      try connection.run(
        "DELETE FROM \(unsafe: qualified(textTable)) WHERE \(unsafe: Self.helperKey) = ?",
        row.rawValue)
    }
    let write = upsertTextSQL
    for row in rows {
      guard let texts = newTexts[row] else { continue }
      guard texts.count == columns.count else {
        throw RelationError(
          .invalidQuery, "a row needs a string for each column of the index", table: name,
          key: "\(row.rawValue)")
      }
      try connection.run(SQL(unsafe: write), values: [row.rawValue as any SQLiteBindable] + texts)
    }
  }

  private var upsertTextSQL: String {
    let names = columns.map { SQLName.quoted($0.name) }
    let table = SQLName.quoted(textTable)
    let sets = names.map { "\($0) = excluded.\($0)" }.joined(separator: ", ")
    let changes = names.map { "\(table).\($0) IS NOT excluded.\($0)" }.joined(separator: " OR ")
    let places = Array(repeating: "?", count: names.count + 1).joined(separator: ", ")
    return "INSERT INTO \(qualified(textTable)) VALUES (\(places))"
      + " ON CONFLICT (\(Self.helperKey)) DO UPDATE SET \(sets) WHERE \(changes)"
  }

  private func requireComputed() throws(RelationError) {
    guard isComputed else {
      throw RelationError(
        .invalidQuery, "the index has no computed text",
        table: name)
    }
  }

  /// Checks that no text must be computed.
  ///
  /// Call it before your own statements that search the index;
  /// `Connection.search(_:_:where:after:limit:offset:weights:excerpts:)` calls it automatically.
  ///
  /// - Throws: ``RelationError`` with code ``RelationError/Code/staleIndex``.
  public func requireCurrentTexts(in connection: Connection) throws {
    guard try isStale(in: connection) else { return }
    throw RelationError(
      .staleIndex, "computed text is stale: the write that changed it has not updated the index",
      table: name)
  }
}
