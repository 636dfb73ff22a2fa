public import SQLiteCore

extension FullTextIndex {
  /// Creates and fills the index, unless it exists with the same settings.
  ///
  /// An index with other settings, or whose table's unique keys have changed, is created again. A
  /// change of weights does not require this. Computed text is added by the following
  /// ``update(in:batchSize:texts:)``.
  ///
  /// Older versions of SQLite don't allow triggers to write a full-text index unless the connection
  /// trusts the schema. Every connection that writes the table must then be opened with
  /// `Configuration.trustsSchema`.
  ///
  /// - Returns: Whether anything was changed.
  /// - Throws: ``RelationError`` with code ``RelationError/Code/schemaMismatch`` if the table or a
  ///   column is missing, or another table has the index's name; with
  ///   ``RelationError/Code/unstableRowID`` if the table has no `INTEGER PRIMARY KEY`; with
  ///   ``RelationError/Code/untrustedSchema`` if the connection must trust the schema but does not;
  ///   `SQLiteError` if a write fails or FTS5 rejects a setting.
  /// - Complexity: O(*n*) in the size of the text, if the index is created.
  @discardableResult
  public func create(in connection: Connection) throws -> Bool {
    try connection.transaction {
      let layout = try FullTextLayout(self, on: connection)
      let rank = try rankFunction()
      if try isCreated(by: layout, in: connection) {
        try requireTrust(in: connection)
        if try storedRank(in: connection) == rank { return false }
        try setRank(rank, in: connection)
        return true
      }
      try drop(in: connection)
      for object in layout.tables + layout.triggers {
        try connection.run(SQL(unsafe: object.sql(in: table.schema)))
      }
      try requireTrust(in: connection)
      try setRank(rank, in: connection)
      try rebuild(in: connection)
      if isComputed { try markAllStale(in: connection) }
      return true
    }
  }

  /// Returns whether the index exists with these settings.
  ///
  /// - Throws: The same errors as ``create(in:)``.
  /// - Complexity: A few statements, regardless of the size of the index.
  public func isCurrent(in connection: Connection) throws -> Bool {
    guard try isCreated(by: try FullTextLayout(self, on: connection), in: connection) else {
      return false
    }
    return try storedRank(in: connection) == rankFunction()
  }

  /// Deletes the index with its triggers and tables. A missing index is not an error.
  ///
  /// - Throws: ``RelationError`` with code ``RelationError/Code/schemaMismatch`` if a table with
  ///   this name is not a full-text index; `SQLiteError` if a write fails.
  public func drop(in connection: Connection) throws {
    try connection.transaction {
      let indexExists = try exists(in: connection)
      let triggers = try triggerNames(in: connection)
      for trigger in triggers { try connection.run("DROP TRIGGER \(unsafe: qualified(trigger))") }
      // Tables that only have matching names are kept.
      guard indexExists || !triggers.isEmpty else { return }
      for table in [name, replacedTable, textTable, staleTable] {
        try connection.run("DROP TABLE IF EXISTS \(unsafe: qualified(table))")
      }
    }
  }

  /// Rebuilds the index from its text. Computed text is not computed again: see
  /// ``markAllStale(in:)``.
  ///
  /// - Complexity: O(*n*) in the size of the text.
  public func rebuild(in connection: Connection) throws {
    try connection.transaction {
      if !isComputed { try connection.run("DELETE FROM \(unsafe: qualified(replacedTable))") }
      try command("rebuild", in: connection)
    }
  }

  /// Merges all b-trees of the index into one, for the fastest searches.
  ///
  /// - Complexity: O(*n*) in the size of the index.
  public func optimize(in connection: Connection) throws {
    try command("optimize", in: connection)
  }

  /// Performs a part of the work of ``optimize(in:)``.
  ///
  /// - Parameters:
  ///   - pages: The approximate number of pages to write; if negative, b-trees are merged even if
  ///     there are few of them.
  ///   - connection: A connection to the index's database.
  /// - Returns: `false` if no work remains.
  @discardableResult
  public func merge(pages: Int = 500, in connection: Connection) throws -> Bool {
    let count = "SELECT total_changes()"
    let before = try connection.value(Int.self, SQL(unsafe: count)) ?? 0
    try command("merge", pages, in: connection)
    // The command itself counts as one changed row.
    return (try connection.value(Int.self, SQL(unsafe: count)) ?? 0) - before >= 2
  }

  // MARK: Stored state

  private func isCreated(by layout: FullTextLayout, in connection: Connection) throws -> Bool {
    var stored: [String: String] = [:]
    try connection.forEach(
      """
      SELECT name, sql FROM \(identifier: table.schema).sqlite_master
      WHERE type IN ('table', 'trigger') AND sql IS NOT NULL
      AND substr(name, 1, length(?1)) = ?1 COLLATE NOCASE
      """, name
    ) { row in stored[try row.read(at: 0)] = try row.read(String.self, at: 1) }
    for object in layout.tables + layout.triggers {
      guard let sql = stored[object.name],
        sql.utf8.reversed().starts(with: object.tail.utf8.reversed())
      else { return false }
    }
    return Set(try triggerNames(in: connection)) == Set(layout.triggers.map(\.name))
  }

  /// Returns whether a table with this name exists; it must be a full-text index.
  private func exists(in connection: Connection) throws -> Bool {
    guard let found = try connection.table(name, in: table.schema) else { return false }
    guard let module = found.module, SQLName.isSame(module.name, "fts5") else {
      throw RelationError(
        .schemaMismatch, "another table has the name of the full-text index", table: name)
    }
    return true
  }

  /// Returns the triggers that an index with this name may have created, with any settings.
  private func triggerNames(in connection: Connection) throws -> [String] {
    let events = ["insert", "update", "delete", "before_insert", "before_update"]
    return try connection.triggers(in: table.schema).map(\.name).filter { trigger in
      guard trigger.hasPrefix("\(name)_") else { return false }
      var rest = trigger.dropFirst(name.count + 1)
      if rest.hasPrefix("source") {
        rest = rest.dropFirst(6)
        let digits = rest.prefix { $0.isASCII && $0.isNumber }
        guard !digits.isEmpty, rest.dropFirst(digits.count).hasPrefix("_") else { return false }
        rest = rest.dropFirst(digits.count + 1)
      }
      return events.contains(String(rest))
    }
  }

  /// Rejects a connection on which the triggers can't work, before a write to the table fails.
  private func requireTrust(in connection: Connection) throws {
    if try connection.isOn(.trustedSchema) { return }
    let content = isComputed ? textTable : table.name
    do throws(SQLiteError) {
      // Preparing a write compiles the triggers. The statement is not run.
      _ = try connection.prepare("DELETE FROM \(unsafe: qualified(content))")
    } catch {
      guard error.message.contains("use of virtual table \"\(name)\"") else { throw error }
      throw RelationError(
        .untrustedSchema,
        "this SQLite lets triggers write a full-text index only if the connection trusts its "
          + "schema: open it with Configuration.trustsSchema", table: name)
    }
  }

  private func storedRank(in connection: Connection) throws -> String? {
    try connection.value(
      String.self, "SELECT v FROM \(unsafe: qualified("\(name)_config")) WHERE k = 'rank'")
  }

  private func setRank(_ rank: String, in connection: Connection) throws {
    try command("rank", rank, in: connection)
  }

  func command(_ command: String, in connection: Connection) throws {
    try connection.run(
      "INSERT INTO \(unsafe: qualified(name)) (\(identifier: name)) VALUES (?)", command)
  }

  func command(_ command: String, _ value: some SQLiteBindable, in connection: Connection) throws {
    try connection.run(
      "INSERT INTO \(unsafe: qualified(name)) (\(identifier: name), rank) VALUES (?, ?)", command,
      value
    )
  }
}
