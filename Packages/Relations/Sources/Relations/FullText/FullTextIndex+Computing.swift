public import SQLiteCore

/// Texts that are made by code.
extension FullTextIndex {
  /// Whether texts are to be computed yet. It is never so for an index of columns.
  ///
  /// - Complexity: One lookup.
  public func isStale(in connection: Connection) throws -> Bool {
    guard isComputed else { return false }
    return try connection.value(
      Bool.self, "SELECT EXISTS (SELECT 1 FROM \(unsafe: qualified(staleTable)))") ?? false
  }

  /// Rows whose texts are to be computed, the lowest first: for code that makes texts before it calls
  /// ``update(in:batchSize:texts:)``, in the same transaction.
  ///
  /// - Returns: Rows that are in the table; none for an index of columns.
  public func staleRows(in connection: Connection, limit: Int = 500) throws -> [RowID] {
    guard isComputed else { return [] }
    return try connection.values(
      Int64.self,
      """
      SELECT \(unsafe: Self.helperKey) FROM \(unsafe: qualified(staleTable)) AS stale WHERE EXISTS
      (SELECT 1 FROM \(unsafe: qualified(table.name)) AS held WHERE held._rowid_ = stale.\(unsafe: Self.helperKey))
      ORDER BY 1 LIMIT ?
      """, max(0, limit)
    ).map { RowID(rawValue: $0) }
  }

  /// Makes every text stale: where the code that makes them has changed, say.
  ///
  /// - Throws: ``RelationError`` with code ``RelationError/Code/invalidQuery`` where the texts are not computed.
  public func markAllStale(in connection: Connection) throws {
    let rows = "SELECT _rowid_ FROM \(qualified(table.name))"
    try markStale(rows, in: connection)
    try markStale("SELECT \(Self.helperKey) FROM \(qualified(textTable))", in: connection)
  }

  /// Makes the texts of some rows stale, as a change that no trigger sees has made them so.
  ///
  /// - Throws: As ``markAllStale(in:)``.
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

  /// Computes the texts that are stale, so that searches find them.
  ///
  /// A write ends with it, in its own transaction, and the index is never behind: a search refuses an index that
  /// is. What was computed is kept with the row's number; a text that has not changed is not indexed again.
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
  ///   - connection: The database that has the index.
  ///   - batchSize: For how many rows `texts` is called at once.
  ///   - texts: Gives for rows of the table a text for each of the index's columns. A row that it leaves out is not
  ///     found by a search. It may read the connection; rows that it changes are asked for again, without end if it
  ///     always does.
  /// - Returns: How many rows were stale.
  /// - Throws: What `texts` throws; ``RelationError`` with code ``RelationError/Code/invalidQuery`` where it gives
  ///   another number of texts, or texts of rows that were not asked for, or where the texts are not computed.
  ///   All is as it was before then.
  /// - Complexity: O(*n*) in the size of the texts that are computed, whatever the size of the index.
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
    // First, so that what `texts` changes is stale again.
    try connection.run(
      "DELETE FROM \(unsafe: qualified(staleTable)) WHERE \(unsafe: Self.helperKey) IN array_each(?)",
      list)
    let rows = try connection.values(
      Int64.self,
      "SELECT _rowid_ FROM \(unsafe: qualified(table.name)) WHERE _rowid_ IN array_each(?) ORDER BY 1",
      list
    ).map { RowID(rawValue: $0) }
    let made = rows.isEmpty ? [:] : try texts(rows)
    let asked = Set(rows)
    if let other = made.keys.first(where: { !asked.contains($0) }) {
      throw RelationError(
        .invalidQuery, "a text was made of a row that was not asked for", table: table.name,
        key: "\(other.rawValue)")
    }
    for row in stale.lazy.map({ RowID(rawValue: $0) }) where made[row] == nil {
      try connection.run(
        "DELETE FROM \(unsafe: qualified(textTable)) WHERE \(unsafe: Self.helperKey) = ?",
        row.rawValue)
    }
    let write = writingText
    for row in rows {
      guard let texts = made[row] else { continue }
      guard texts.count == columns.count else {
        throw RelationError(
          .invalidQuery, "a row has a text for each column of the index", table: name,
          key: "\(row.rawValue)")
      }
      try connection.run(SQL(unsafe: write), values: [row.rawValue as any SQLiteBindable] + texts)
    }
  }

  private var writingText: String {
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
        .invalidQuery, "the index is of columns, not of texts that are computed",
        table: name)
    }
  }

  /// Refuses an index whose texts are to be computed yet.
  ///
  /// A statement of your own that searches the index asks this first: only
  /// `Connection.search(_:_:where:after:limit:offset:weights:excerpts:)` asks by itself.
  ///
  /// - Throws: ``RelationError`` with code ``RelationError/Code/staleIndex``.
  public func requireCurrentTexts(in connection: Connection) throws {
    guard try isStale(in: connection) else { return }
    throw RelationError(
      .staleIndex, "texts are to be computed yet: the write that changed them has not updated it",
      table: name)
  }
}
