public import SQLiteCore

extension FullTextIndex {
  /// Makes the index, and fills it, unless it is there with just these settings.
  ///
  /// One with other settings, or whose table has other unique keys by now, is made anew. New weights alone need no
  /// new index. Texts that are computed are made by the ``update(in:batchSize:texts:)`` after it.
  ///
  /// - Returns: Whether anything was changed.
  /// Older releases of SQLite let no trigger write a full-text index, unless the connection trusts the schema:
  /// every connection that writes the table is opened with `Configuration.trustsSchema` then.
  ///
  /// - Throws: ``RelationError`` with code ``RelationError/Code/schemaMismatch`` where the table or a column is
  ///   missing, or the index's name is another table's; with ``RelationError/Code/unstableRowID`` where the table
  ///   has no `INTEGER PRIMARY KEY`; with ``RelationError/Code/untrustedSchema`` where the connection has to trust
  ///   the schema, and does not; `SQLiteError` as writing does, or where FTS5 does not take a setting.
  /// - Complexity: O(*n*) in the size of the texts, where the index is made.
  @discardableResult
  public func create(in connection: Connection) throws -> Bool {
    try connection.transaction {
      let layout = try FullTextLayout(self, on: connection)
      let rank = try rankFunction()
      if try isMade(by: layout, in: connection) {
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

  /// Whether the index is there, with these settings.
  ///
  /// - Throws: As ``create(in:)``.
  /// - Complexity: A few statements, whatever the size of the index.
  public func isCurrent(in connection: Connection) throws -> Bool {
    guard try isMade(by: try FullTextLayout(self, on: connection), in: connection) else {
      return false
    }
    return try storedRank(in: connection) == rankFunction()
  }

  /// Takes the index away, with its triggers and tables. None there is not an error.
  ///
  /// - Throws: ``RelationError`` with code ``RelationError/Code/schemaMismatch`` where a table of this name is no
  ///   full-text index; `SQLiteError` as writing does.
  public func drop(in connection: Connection) throws {
    try connection.transaction {
      let isThere = try exists(in: connection)
      let triggers = try triggerNames(in: connection)
      for trigger in triggers { try connection.run("DROP TRIGGER \(unsafe: qualified(trigger))") }
      // Tables that only look as if they were the index's are left alone.
      guard isThere || !triggers.isEmpty else { return }
      for table in [name, replacedTable, textTable, staleTable] {
        try connection.run("DROP TABLE IF EXISTS \(unsafe: qualified(table))")
      }
    }
  }

  /// Fills the index anew from its texts, whatever was in it. Computed texts are not computed again: see
  /// ``markAllStale(in:)``.
  ///
  /// - Complexity: O(*n*) in the size of the texts.
  public func rebuild(in connection: Connection) throws {
    try connection.transaction {
      if !isComputed { try connection.run("DELETE FROM \(unsafe: qualified(replacedTable))") }
      try command("rebuild", in: connection)
    }
  }

  /// Makes one tree of all that the index is made of, so that searches are as fast as can be.
  ///
  /// - Complexity: O(*n*) in the size of the index.
  public func optimize(in connection: Connection) throws {
    try command("optimize", in: connection)
  }

  /// Does a part of what ``optimize(in:)`` does.
  ///
  /// - Parameters:
  ///   - pages: About how many pages are written; below zero: also where there are few trees to merge.
  ///   - connection: The database that has the index.
  /// - Returns: Whether there was anything to do: `false` means that more calls would do nothing.
  @discardableResult
  public func merge(pages: Int = 500, in connection: Connection) throws -> Bool {
    let count = "SELECT total_changes()"
    let before = try connection.value(Int.self, SQL(unsafe: count)) ?? 0
    try command("merge", pages, in: connection)
    // The command itself counts as one row.
    return (try connection.value(Int.self, SQL(unsafe: count)) ?? 0) - before >= 2
  }

  // MARK: What is there

  private func isMade(by layout: FullTextLayout, in connection: Connection) throws -> Bool {
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

  /// Whether there is a table of this name: it has to be a full-text index then.
  private func exists(in connection: Connection) throws -> Bool {
    guard let found = try connection.table(name, in: table.schema) else { return false }
    guard let module = found.module, SQLName.isSame(module.name, "fts5") else {
      throw RelationError(
        .schemaMismatch, "the name of a full-text index is another table's", table: name)
    }
    return true
  }

  /// The triggers that an index of this name may have made, whatever its settings were.
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

  /// Refuses a connection on which the triggers could not work, before a write to the table finds that out.
  private func requireTrust(in connection: Connection) throws {
    if try connection.isOn(.trustedSchema) { return }
    let content = isComputed ? textTable : table.name
    do throws(SQLiteError) {
      // Preparing a write compiles the triggers; it is not run.
      _ = try connection.prepare("DELETE FROM \(unsafe: qualified(content))")
    } catch {
      guard error.message.contains("use of virtual table \"\(name)\"") else { throw error }
      throw RelationError(
        .untrustedSchema,
        "this SQLite lets triggers write a full-text index only where the connection trusts its "
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
